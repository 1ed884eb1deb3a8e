use super::support::{check_caution, check_dangerous, check_safe};
use crate::middleware::commands::Tier::Git;

#[test]
fn what_loses_work_is_dangerous() {
    check_dangerous(
        Git,
        &[
            "git reset --hard",
            "git -C repo reset --hard HEAD~3",
            "git clean -fd",
            "git clean -d -x -f",
            "git push --force",
            "git push -f origin main",
            "git push origin +main",
            "git push origin :feature",
            "git push --delete origin feature",
            "git branch -D feature",
            "git branch --delete --force feature",
            "git checkout -- .",
            "git checkout .",
            "git restore .",
            "git stash drop",
            "git stash clear",
            "git reflog expire --expire=now --all",
            "git filter-branch --env-filter x",
            "git update-ref -d HEAD",
            "rm -rf .git",
            "echo hi && /usr/bin/git reset --hard",
            "sh <<<'git reset --hard'",
        ],
    );
}

#[test]
fn what_loses_little_deserves_a_look() {
    check_caution(
        Git,
        &[
            "git checkout -- file.txt",
            "git restore file.txt",
            "git push --force-with-lease",
            "git tag -d v1",
            "git worktree remove ../other",
            "git reset",
        ],
    );
}

#[test]
fn daily_work_passes() {
    check_safe(&[
        "git status",
        "git push",
        "git push -u origin feature",
        "git push --follow-tags",
        "git branch -d merged",
        "git checkout -b new",
        "git checkout main",
        "git clean -n",
        "git reset --soft HEAD~1",
        "git stash",
        "git stash pop",
        "git restore --staged file",
        "git commit -m 'git reset --hard is bad'",
        "git help reset",
        "git rebase main",
    ]);
}
