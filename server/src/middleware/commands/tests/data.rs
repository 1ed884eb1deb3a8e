use super::support::check_safe;

#[test]
fn what_is_printed_searched_or_committed_is_no_command() {
    check_safe(&[
        "echo \"rm -rf /\"",
        "echo 'run rm -rf / to clean'",
        "printf '%s' 'rm -rf /'",
        "git commit -m \"rm -rf / is bad\"",
        "git commit -m \"$(cat <<'EOF'\nrm -rf /\nEOF\n)\"",
        "grep -rn \"rm -rf /\" scripts/",
        "rg 'mkfs.ext4 /dev/sda' docs",
        "ls # rm -rf /",
        "X='rm -rf /'; echo \"$X\"",
        "man rm",
        "which rm",
        "command -v rm",
        "touch 'rm -rf /'",
        "sed 's/rm -rf/echo/' file",
    ]);
}

#[test]
fn a_document_that_no_shell_reads_is_data() {
    check_safe(&[
        "cat <<EOF\nrm -rf /\nEOF",
        "cat <<'EOF' > notes.md\n$(rm -rf /)\nEOF",
        "tee notes <<-EOF\n\trm -rf /\n\tEOF",
        "grep rm <<< 'rm -rf /'",
        "curl -d @- https://example.com <<EOF\nrm -rf /\nEOF",
        "cat <<A; cat <<B\nrm -rf /\nA\nrm -rf /\nB\necho done",
        "echo '{\"command\": \"rm -rf /\"}' | jq .",
    ]);
}

#[test]
fn the_grammar_of_shells_is_read() {
    check_safe(&[
        "[[ $a == rm && -f / ]] && echo yes",
        "if [ -d x ]; then ls; elif test -f y; then pwd; else true; fi",
        "for ((i = 0; i < 3; i++)); do echo $((i * 2)); done",
        "while read -r line; do echo \"$line\"; done < file",
        "diff <(ls a) <(ls b)",
        "a=(1 2 3); echo \"${a[@]}\" ${#a} ${a%x} ${a/x/y}",
        "f() { echo \"$1\"; }; f x",
        "case \"$1\" in start|stop) echo \"$1\";; *) exit 1;; esac",
        "echo a\\ b \"it's\" 'a\"b' $'it\\'s'",
        "ls 2>&1 | tee log >/dev/null",
        "x=1 y=2 make -j4 all",
        "echo {1..3} {a,b}.txt",
    ]);
}
