use super::{Loaded, Reloader, Seen, Unloadable};
use crate::{
    config::Sources,
    runs::MemoryStore,
    service::{Generation, Sidecar},
};
use std::{fs, path::Path, sync::Arc};
use tempfile::TempDir;

/// Loads a configuration whose comments say what middleware does there:
/// `# reads FILE` reads a file, which is wrong when it says so; `# panics` panics; `# races TEXT`
/// changes the configuration while it is read.
fn load(file: &Path) -> Loaded {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut sources = Sources::default();
    let mut wrong = None;
    for line in text.lines() {
        match line.trim_start_matches("# ").split_once(' ').unwrap_or((line, "")) {
            ("reads", name) => {
                let path = file.with_file_name(name);
                sources.watch(&path);
                match fs::read_to_string(path) {
                    Ok(content) if content != "wrong" => sources.add_digest(content),
                    _ => wrong = Some(Unloadable::unreadable(file, name)),
                }
            }
            ("races", rest) => fs::write(file, format!("version: 1\n# {rest}")).unwrap(),
            ("# panics", _) => panic!("as it was told"),
            _ => {}
        }
    }
    let hash = super::super::lower::digest(&text, &sources);
    let mut compiled = super::load(file).compiled;
    if let Ok(compiled) = &mut compiled {
        compiled.hash.clone_from(&hash);
        compiled.watched = sources.watched().cloned().collect();
    }
    Loaded { compiled: wrong.map_or(compiled, Err), sources, hash }
}

/// A configuration in a folder, and the sidecar that follows it.
struct Followed {
    folder: TempDir,
    sidecar: Arc<Sidecar>,
    reloader: Reloader,
}

impl Followed {
    /// With the files of scripts that the configuration reads.
    fn new(files: &[(&str, &str)], config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let file = folder.path().join("sidehook.yaml");
        fs::write(&file, format!("version: 1\n{config}")).unwrap();
        let seen = Seen::first([&*file]);
        let compiled = load(&file).compiled.unwrap();
        let store = Arc::new(MemoryStore::new(compiled.state));
        let sidecar = Sidecar::new(compiled.limits, compiled.bounds, store);
        let reloader = Reloader::new(&file, seen, &compiled, Arc::clone(&sidecar));
        sidecar.install(compiled.chains, &compiled.hash);
        Self { folder, sidecar, reloader: reloader.loading_with(load) }
    }

    /// Writes a file and looks.
    async fn write(&mut self, name: &str, content: &str) -> Arc<Generation> {
        fs::write(self.folder.path().join(name), content).unwrap();
        self.look().await
    }

    async fn look(&mut self) -> Arc<Generation> {
        self.reloader.look().await;
        self.sidecar.generation()
    }

    fn error(&self) -> Option<String> {
        self.sidecar.reload_failure().map(|failure| failure.error)
    }
}

#[tokio::test(start_paused = true)]
async fn a_changed_file_of_the_middleware_is_taken_up() {
    let mut followed = Followed::new(&[("a.js", "one")], "# reads a.js");
    assert_eq!(followed.look().await.number, 1);
    assert_eq!(followed.write("a.js", "two").await.number, 2);
    assert_eq!(followed.write("a.js", "two").await.number, 2, "it has the same content");
    assert_eq!(followed.write("a.js", "three").await.number, 3);
}

#[tokio::test(start_paused = true)]
async fn a_file_that_is_no_longer_read_is_no_longer_watched() {
    let mut followed = Followed::new(&[("a.js", "one")], "# reads a.js");
    assert_eq!(followed.write("sidehook.yaml", "version: 1").await.number, 2);
    assert_eq!(followed.write("a.js", "two").await.number, 2);
}

#[tokio::test(start_paused = true)]
async fn mending_a_file_of_a_failed_try_is_enough() {
    let mut followed = Followed::new(&[("a.js", "one")], "# reads a.js");
    let both = "version: 1\n# reads a.js\n# reads b.js";
    assert_eq!(followed.write("sidehook.yaml", both).await.number, 1);
    assert!(followed.error().unwrap().contains("b.js"));
    assert_eq!(followed.write("b.js", "wrong").await.number, 1);
    assert_eq!(followed.write("b.js", "one").await.number, 2);
    assert_eq!(followed.error(), None);
}

#[tokio::test(start_paused = true)]
async fn going_back_after_a_failed_try_clears_the_error_and_makes_no_generation() {
    let mut followed = Followed::new(&[("a.js", "one")], "# reads a.js");
    assert_eq!(followed.write("a.js", "wrong").await.number, 1);
    assert!(followed.error().is_some());
    assert_eq!(followed.write("a.js", "one").await.number, 1);
    assert_eq!(followed.error(), None);
}

#[tokio::test(start_paused = true)]
async fn a_panic_leaves_what_is_in_force_and_the_next_change_is_taken_up() {
    let mut followed = Followed::new(&[], "");
    assert_eq!(followed.write("sidehook.yaml", "version: 1\n# panics").await.number, 1);
    assert!(followed.error().unwrap().contains("panicked"));
    assert_eq!(followed.write("sidehook.yaml", "version: 1\n# mended").await.number, 2);
}

#[tokio::test(start_paused = true)]
async fn a_file_that_changes_while_it_is_read_is_read_again() {
    let mut followed = Followed::new(&[], "");
    let generation = followed.write("sidehook.yaml", "version: 1\n# races to the end").await;
    assert_eq!(generation.number, 2, "what was there in between is never in force");
    let last = load(&followed.folder.path().join("sidehook.yaml")).hash;
    assert_eq!(generation.hash, last);
    assert_eq!(followed.look().await.number, 2);
}

#[tokio::test(start_paused = true)]
async fn a_pipe_in_the_place_of_the_file_is_not_waited_for() {
    let mut followed = Followed::new(&[], "");
    let file = followed.folder.path().join("sidehook.yaml");
    fs::remove_file(&file).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    assert_eq!(followed.look().await.number, 1);
    assert!(followed.error().unwrap().contains("it is no regular file"));
}
