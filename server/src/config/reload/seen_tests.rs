use super::*;
use std::{
    fs::{self, File},
    os::unix::fs::symlink,
    process::Command,
};
use tempfile::TempDir;

/// A folder with a file `f`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f"), "one").unwrap();
    folder
}

/// Checks whether `change`, made in a folder with a file `f`, is seen at `path`.
#[track_caller]
fn check(path: &str, change: impl FnOnce(&Path), is_seen: bool) {
    let folder = folder();
    let path = folder.path().join(path);
    let before = Seen::first([&*path]);
    change(folder.path());
    let after = before.again([&*path]);
    assert_eq!(after.changes(&before).collect::<Vec<_>>(), [&*path][..usize::from(is_seen)]);
    assert_eq!(after.again([&*path]).changes(&after).count(), 0, "it is seen once");
}

#[test]
fn a_file_that_is_left_alone_has_not_changed() {
    check("f", |_| (), false);
    check("f", |folder| fs::write(folder.join("other"), "x").unwrap(), false);
    check("f", |folder| drop(fs::read(folder.join("f")).unwrap()), false);
    check("", |folder| drop(fs::read(folder.join("f")).unwrap()), false);
    check("none", |_| (), false);
}

#[test]
fn a_file_that_is_written_moved_over_removed_or_made_has_changed() {
    check("f", |folder| fs::write(folder.join("f"), "longer").unwrap(), true);
    check("f", |folder| fs::remove_file(folder.join("f")).unwrap(), true);
    check("new", |folder| fs::write(folder.join("new"), "").unwrap(), true);
    let move_over = |folder: &Path| {
        fs::write(folder.join("other"), "one").unwrap();
        fs::rename(folder.join("other"), folder.join("f")).unwrap();
    };
    check("f", move_over, true);
}

#[test]
fn a_second_write_within_one_step_of_the_clock_is_seen() {
    let write = |folder: &Path| {
        let path = folder.join("f");
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "two").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    };
    check("f", write, true);
    check("", write, true);
}

#[test]
fn a_link_is_followed_also_one_on_the_way() {
    let folder = folder();
    let (f, way) = (folder.path().join("way/f"), folder.path().join("way"));
    for version in ["1", "2"] {
        fs::create_dir(folder.path().join(version)).unwrap();
        fs::write(folder.path().join(version).join("f"), "same").unwrap();
    }
    symlink("1", &way).unwrap();
    let before = Seen::first([&*f]);
    symlink("2", folder.path().join("next")).unwrap();
    fs::rename(folder.path().join("next"), &way).unwrap();
    assert_eq!(before.again([&*f]).changes(&before).count(), 1);
}

#[test]
fn a_folder_changes_with_everything_below_it() {
    check("", |folder| fs::write(folder.join("new"), "").unwrap(), true);
    check("", |folder| fs::remove_file(folder.join("f")).unwrap(), true);
    check("", |folder| fs::write(folder.join("f"), "longer").unwrap(), true);
    check("", |folder| fs::rename(folder.join("f"), folder.join("g")).unwrap(), true);
    let folder = folder();
    fs::create_dir(folder.path().join("inside")).unwrap();
    let before = Seen::first([folder.path()]);
    fs::write(folder.path().join("inside/new"), "").unwrap();
    assert_eq!(before.again([folder.path()]).changes(&before).count(), 1);
}

#[test]
fn a_folder_that_links_back_to_itself_is_looked_at_once() {
    let folder = folder();
    symlink(folder.path(), folder.path().join("back")).unwrap();
    let before = Seen::first([folder.path()]);
    assert_eq!(before.again([folder.path()]).changes(&before).count(), 0);
}

#[test]
fn a_pipe_is_not_read() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Nobody writes into it, so a read would wait for ever.
    assert!(!Seen::first([&*pipe]).can_reread(&pipe));
    assert!(Seen::first([folder.path().join("f").as_path()]).can_reread(&folder.path().join("f")));
}

#[test]
fn a_path_that_was_not_looked_at_before_has_changed() {
    let folder = folder();
    let f = folder.path().join("f");
    assert_eq!(Seen::first([&*f]).changes(&Seen::default()).collect::<Vec<_>>(), [&*f]);
}
