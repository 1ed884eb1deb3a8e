//! The real binary as a child process.

use super::{PATIENCE, Runtime};
use sidehook_server::config::Address;
use std::{
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output, Stdio},
    sync::OnceLock,
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Child,
    sync::mpsc,
    time::timeout,
};

/// Runs `sidehook` to its end.
pub(crate) fn sidehook(arguments: &[&str]) -> Output {
    sidehook_in(Path::new("."), arguments)
}

/// Runs `sidehook` to its end, in a folder.
pub(crate) fn sidehook_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command.args(arguments).current_dir(folder);
    command.env_remove("SIDEHOOK_CONFIG").stdin(Stdio::null()).output().unwrap()
}

/// `sidehook serve`, killed when dropped.
pub(crate) struct Process {
    child: Child,
    /// Read all the time, since a process whose log nobody reads stops.
    log: mpsc::UnboundedReceiver<String>,
}

impl Process {
    /// Serves the configuration in `yaml` on the socket `socket`, and waits until it does.
    pub(crate) async fn serve(folder: &Path, yaml: &str) -> Self {
        let mut process = Self::spawn(folder, yaml);
        process.logs("serving").await;
        process
    }

    /// As [`Process::serve`], without waiting.
    pub(crate) fn spawn(folder: &Path, yaml: &str) -> Self {
        let file = folder.join("sidehook.yaml");
        std::fs::write(&file, format!("version: 1\n{yaml}")).unwrap();
        Self::spawn_with(&file, &["--listen", &address(folder)])
    }

    /// `sidehook serve` with this configuration file, without waiting.
    pub(crate) fn spawn_with(file: &Path, arguments: &[&str]) -> Self {
        let mut command = tokio::process::Command::new(binary());
        command.args(["serve", "--config"]).arg(file).args(arguments);
        command.env_remove("SIDEHOOK_CONFIG").stdin(Stdio::null()).kill_on_drop(true);
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (read, log) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                let _unread = read.send(line);
            }
        });
        Self { child, log }
    }

    /// Reads the log until a line contains `text`.
    pub(crate) async fn logs(&mut self, text: &str) {
        self.logs_until(text).await;
    }

    /// Reads the log until a line contains `text`, and returns the lines up to that one.
    pub(crate) async fn logs_until(&mut self, text: &str) -> Vec<String> {
        let mut seen = Vec::new();
        let found = timeout(PATIENCE, async {
            while let Some(line) = self.log.recv().await {
                seen.push(line);
                if seen.last().is_some_and(|line| line.contains(text)) {
                    return true;
                }
            }
            false
        });
        let found = found.await.unwrap_or(false);
        assert!(found, "the log does not say `{text}`: {seen:#?}");
        seen
    }

    /// Reads the log to its end, which is that of the process.
    pub(crate) async fn rest_of_log(&mut self) -> String {
        let rest = timeout(PATIENCE, async {
            let mut text = String::new();
            while let Some(line) = self.log.recv().await {
                text.push_str(&line);
                text.push('\n');
            }
            text
        });
        rest.await.expect("it ends")
    }

    /// How many of its threads have this name.
    pub(crate) fn threads(&self, name: &str) -> usize {
        let folder = format!("/proc/{}/task", self.child.id().expect("it runs"));
        let names = std::fs::read_dir(folder).unwrap().filter_map(|thread| {
            // A thread that ends in this moment has no name any more.
            std::fs::read_to_string(thread.ok()?.path().join("comm")).ok()
        });
        names.filter(|found| found.trim() == name).count()
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        self.signal("-TERM");
    }

    /// Sends SIGHUP.
    pub(crate) fn hang_up(&self) {
        self.signal("-HUP");
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().expect("it runs").to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Kills it, so that it can tidy nothing up.
    pub(crate) async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// Waits for its end.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        timeout(PATIENCE, self.child.wait()).await.expect("it ends").unwrap()
    }
}

/// The socket of a process that serves in `folder`, as an address.
pub(crate) fn address(folder: &Path) -> String {
    format!("unix://{}", folder.join("sidehook.sock").display())
}

/// A runtime for a process that serves in `folder`.
impl From<&Path> for Runtime {
    fn from(folder: &Path) -> Self {
        Self::new(&Address::Unix(folder.join("sidehook.sock")))
    }
}

/// The binary beside this test. Cargo builds it here, for it knows whether that is needed, and
/// another package's binary is not there by itself.
pub(crate) fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.ancestors().nth(2).unwrap();
        let target = profile.parent().unwrap();
        let name = profile.file_name().unwrap().to_str().unwrap();
        let built = Command::new(env!("CARGO"))
            .current_dir(super::workspace())
            .args(["build", "--quiet", "--bin", "sidehook", "--profile"])
            .arg(if name == "debug" { "dev" } else { name })
            .arg("--target-dir")
            .arg(target)
            .status();
        assert!(built.unwrap().success(), "cargo build --bin sidehook");
        profile.join("sidehook")
    })
}
