use super::support::{check_caution, check_dangerous, check_safe};
use crate::middleware::commands::Tier::Host;

#[test]
fn a_command_is_known_however_its_words_are_written() {
    check_dangerous(
        Host,
        &[
            "\"rm\" -rf /",
            r"\rm -rf /",
            "r''m -rf /",
            r"$'\x72m' -rf /",
            "{rm,-rf,/}",
            "rm${IFS}-rf${IFS}/",
            "/bin/rm -rf /",
            "/usr/bin/../bin/rm -rf /",
            "/bin/r? -rf /",
            "R=rm; $R -rf /",
            "a=r b=m; $a$b -rf /",
            "X='rm -rf /'; $X",
            "export D=/; rm -rf $D",
            "rm -rf ${D:-/}",
            "$(which rm) -rf /",
            "$(printf rm) -rf /",
            "rm \\\n -rf \\\n /",
        ],
    );
}

#[test]
fn a_command_is_found_behind_others() {
    check_dangerous(
        Host,
        &[
            "FOO=1 rm -rf /",
            "sudo -u root -- rm -rf /",
            "env -i A=1 nice -n 5 rm -rf /",
            "timeout -k 5 10 rm -rf /",
            "nohup time rm -rf / &",
            "ls | cat; true && false || rm -rf /",
            "echo $(rm -rf /)",
            "echo `rm -rf /`",
            "(cd x; { rm -rf /; })",
            "((rm -rf /); ls)",
            "if true; then rm -rf /; fi",
            "case $x in a|b) ls;; *) rm -rf /;; esac",
            "for d in /etc /usr; do rm -rf \"$d\"; done",
            "echo /etc | xargs rm -rf",
            "find ~ -type f | xargs rm -rf",
            "find / -exec rm -rf {} +",
            "xargs -I{} sh -c 'rm -rf {}' <<< /etc",
            "ssh -p 22 ada@host sudo rm -rf /var/log",
            "docker exec -it web rm -rf /",
            "su - root -c 'rm -rf /'",
            "watch -n 1 rm -rf /",
            "trap 'rm -rf /' EXIT",
        ],
    );
}

#[test]
fn a_text_that_a_shell_is_given_is_a_command() {
    check_dangerous(
        Host,
        &[
            "bash -c 'rm -rf /'",
            "sh -lc \"rm -rf /\"",
            "bash -c 'bash -c \"rm -rf /\"'",
            "eval rm -rf /",
            "echo 'rm -rf /' | sh",
            "printf 'rm -rf %s' / | bash",
            "bash <<EOF\nrm -rf /\nEOF",
            "cat <<'EOF' | sh\nrm -rf /\nEOF",
            "sh <<< 'rm -rf /'",
            "bash -c \"$(cat <<EOF\nrm -rf /\nEOF)\"",
            "cat <<EOF\n$(rm -rf /)\nEOF",
            "echo 'rm -rf /' > x.sh; chmod +x x.sh && ./x.sh",
            "echo cm0gLXJmIC8K | base64 -d | sh",
        ],
    );
    check_caution(Host, &["base64 -d file | sh"]);
}

#[test]
fn a_folder_that_is_entered_counts() {
    check_dangerous(Host, &["cd / && rm -rf *", "cd /etc; rm -rf .", "cd ~ && rm -rf ."]);
    check_caution(Host, &["cd build && rm -rf *"]);
    check_safe(&["cd /tmp/x && rm -rf *"]);
    check_dangerous(Host, &["(cd /tmp/x && rm -rf *); rm -rf *"]);
}

#[test]
fn what_cannot_be_read_is_never_let_through() {
    check_caution(Host, &["echo \"unterminated", "echo $(ls"]);
    check_dangerous(Host, &["echo \"unterminated\nrm -rf /", "x (rm -rf /"]);
}
