//! Programs that run another one with its arguments: `sudo`, `env`, `timeout`.

use crate::middleware::commands::{arguments::is_option, syntax::Word};

/// A program that runs another.
struct Wrapper {
    name: &'static str,
    /// What must stand first, as `exec` does behind `docker`.
    verbs: &'static [&'static str],
    /// Its options that take a value.
    values: &'static [&'static str],
    /// How many operands stand before the other program.
    operands: usize,
}

const fn plain(name: &'static str, values: &'static [&'static str], operands: usize) -> Wrapper {
    Wrapper { name, verbs: &[], values, operands }
}

const fn with(
    name: &'static str,
    verbs: &'static [&'static str],
    values: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { name, verbs, values, operands }
}

const CONTAINER: &[&str] = &[
    "-e",
    "--env",
    "-u",
    "--user",
    "-w",
    "--workdir",
    "-v",
    "--volume",
    "-p",
    "--publish",
    "--name",
    "--network",
    "--net",
    "--entrypoint",
    "-h",
    "--hostname",
    "--mount",
    "-m",
    "--memory",
    "--cpus",
    "--env-file",
    "-l",
    "--label",
    "-n",
    "--namespace",
    "-c",
    "--container",
    "--platform",
    "--index",
    "--image",
];

const WRAPPERS: &[Wrapper] = &[
    plain(
        "sudo",
        &[
            "-u", "-g", "-h", "-p", "-C", "-r", "-t", "-T", "-U", "-D", "-R", "--user", "--group",
            "--host", "--prompt", "--chdir",
        ],
        0,
    ),
    plain("doas", &["-u", "-C"], 0),
    plain("env", &["-u", "-C", "--unset", "--chdir"], 0),
    plain("command", &[], 0),
    plain("builtin", &[], 0),
    plain("exec", &["-a"], 0),
    plain("nohup", &[], 0),
    plain("time", &["-f", "-o", "--format", "--output"], 0),
    plain("timeout", &["-s", "-k", "--signal", "--kill-after"], 1),
    plain("gtimeout", &["-s", "-k"], 1),
    plain("nice", &["-n", "--adjustment"], 0),
    plain("ionice", &["-c", "-n", "-p", "--class", "--classdata"], 0),
    plain("chrt", &["-T", "-P", "-D"], 1),
    plain("taskset", &[], 1),
    plain("stdbuf", &["-i", "-o", "-e"], 0),
    plain("setsid", &[], 0),
    plain("unbuffer", &[], 0),
    plain("strace", &["-o", "-e", "-p", "-s", "-P", "-u"], 0),
    plain("ltrace", &["-o", "-e", "-p", "-s"], 0),
    plain("flock", &["-w", "-E", "--timeout"], 1),
    plain("chroot", &["--userspec", "--groups"], 1),
    plain("unshare", &["-R", "-w", "--root", "--wd"], 0),
    plain("nsenter", &["-t", "--target"], 0),
    plain("systemd-run", &["-p", "-u", "--unit", "--property", "-M", "--machine"], 0),
    plain("pkexec", &["--user"], 0),
    plain("gosu", &[], 1),
    plain("su-exec", &[], 1),
    plain("runuser", &["-u", "-g"], 0),
    plain("setpriv", &["--reuid", "--regid"], 0),
    plain("caffeinate", &["-t", "-w"], 0),
    plain("fakeroot", &["-l", "-s", "-i"], 0),
    plain("firejail", &[], 0),
    plain("proot", &["-r", "-b", "-w"], 0),
    plain("busybox", &[], 0),
    plain("toybox", &[], 0),
    plain("xvfb-run", &["-n", "-s"], 0),
    plain("torsocks", &[], 0),
    plain("proxychains", &["-f"], 0),
    plain("proxychains4", &["-f"], 0),
    plain("cgexec", &["-g"], 0),
    plain("numactl", &["-N", "-m", "-C"], 0),
    plain("rlwrap", &[], 0),
    plain("dotenv", &["-e", "-f"], 0),
    plain("npx", &["-p", "--package"], 0),
    plain("bunx", &[], 0),
    plain("sem", &["-j"], 0),
    plain("entr", &[], 0),
    plain("catchsegv", &[], 0),
    plain("coproc", &[], 0),
    plain("noglob", &[], 0),
    plain("nocorrect", &[], 0),
    with("docker", &["exec"], CONTAINER, 1),
    with("docker", &["run"], CONTAINER, 1),
    with("docker", &["container", "exec"], CONTAINER, 1),
    with("docker", &["compose", "exec"], CONTAINER, 1),
    with("docker-compose", &["exec"], CONTAINER, 1),
    with("podman", &["exec"], CONTAINER, 1),
    with("podman", &["run"], CONTAINER, 1),
    with("nerdctl", &["exec"], CONTAINER, 1),
    with("kubectl", &["exec"], CONTAINER, 1),
    with("oc", &["exec"], CONTAINER, 1),
    with("lxc", &["exec"], &["--env", "--user"], 1),
    with("poetry", &["run"], &[], 0),
    with("pipenv", &["run"], &[], 0),
    with("uv", &["run"], &["--with", "-p", "--python"], 0),
    with("pdm", &["run"], &[], 0),
    with("hatch", &["run"], &[], 0),
    with("conda", &["run"], &["-n", "-p"], 0),
    with("bundle", &["exec"], &[], 0),
    with("pnpm", &["exec"], &[], 0),
    with("pnpm", &["dlx"], &[], 0),
    with("yarn", &["dlx"], &[], 0),
    with("npm", &["exec"], &[], 0),
    with("op", &["run"], &["--env-file"], 0),
    with("doppler", &["run"], &["-p", "-c", "--project", "--config"], 0),
    with("infisical", &["run"], &["--env"], 0),
    with("aws-vault", &["exec"], &[], 1),
    with("direnv", &["exec"], &[], 1),
    with("mise", &["exec"], &[], 0),
    with("asdf", &["exec"], &[], 0),
];

/// The command that a program runs, if it is one that runs others.
pub(super) fn inner<'w>(program: &str, rest: &'w [Word]) -> Option<&'w [Word]> {
    // `command -v rm` only says where it is.
    let first = rest.first().map(|word| word.text.as_str());
    match program {
        "command" if first.is_some_and(|text| text.starts_with("-v") || text.starts_with("-V")) => {
            return Some(&[]);
        }
        "env"
            if first.is_some_and(|text| text.starts_with("-S") || text.starts_with("--split")) =>
        {
            return None;
        }
        "flock" | "runuser" if rest.iter().any(|word| word.text == "-c") => return None,
        _ => {}
    }
    let wrapper = WRAPPERS.iter().find(|wrapper| {
        wrapper.name == program
            && wrapper.verbs.iter().zip(rest).filter(|(verb, word)| word.text == **verb).count()
                == wrapper.verbs.len()
    })?;
    let inner = after(rest.get(wrapper.verbs.len()..)?, wrapper.values, wrapper.operands)?;
    // Without a command, it is judged by itself.
    (!inner.is_empty()).then_some(inner)
}

/// What stands behind options and so many operands.
pub(super) fn after<'w>(rest: &'w [Word], values: &[&str], operands: usize) -> Option<&'w [Word]> {
    let mut rest = rest;
    let mut operands = operands;
    loop {
        let Some((word, tail)) = rest.split_first() else { return Some(rest) };
        let text = word.text.as_str();
        if text == "--" {
            rest = tail;
            if operands == 0 {
                return Some(rest);
            }
        } else if values.contains(&text) {
            rest = tail.get(1..)?;
        } else if is_option(text) || is_assignment(text) {
            rest = tail;
        } else if operands > 0 {
            operands = operands.saturating_sub(1);
            rest = tail;
        } else {
            return Some(rest);
        }
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
    })
}
