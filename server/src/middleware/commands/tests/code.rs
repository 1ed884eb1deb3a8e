use super::support::{check_caution, check_dangerous, check_safe};
use crate::middleware::commands::Tier::{Host, Service};

#[test]
fn one_liners_of_other_languages_are_followed() {
    check_dangerous(
        Host,
        &[
            "python -c \"import os; os.system('rm -rf /')\"",
            "python3.12 -c \"import subprocess; subprocess.run(['rm', '-rf', '/'])\"",
            "python3 -c \"import shutil; shutil.rmtree('/')\"",
            "perl -e 'system(\"rm\", \"-rf\", \"/\")'",
            "perl -e 'unlink glob(\"/etc/*\")'; rm /etc/passwd",
            "ruby -e \"FileUtils.rm_rf('/')\"",
            "ruby -e '`rm -rf /`'",
            "ruby -e '%x(rm -rf /)'",
            "node -e \"require('child_process').execSync('rm -rf /')\"",
            "node -e \"fs.rmSync('/', {recursive: true})\"",
            "php -r 'shell_exec(\"rm -rf /\");'",
            "awk 'BEGIN { system(\"rm -rf /\") }'",
            "python3 <<EOF\nimport os\nos.system(\"rm -rf ~\")\nEOF",
            "echo 'system(\"rm -rf /\")' | ruby",
            "python -c \"open('/dev/sda', 'wb').write(b'x')\"",
            "perl -e 'fork while fork'",
        ],
    );
}

#[test]
fn what_a_program_deletes_below_deserves_a_look() {
    check_caution(Host, &["python -c \"import shutil; shutil.rmtree('/tmp/x')\""]);
    check_caution(Host, &["node -e \"fs.rmSync(path, {recursive: true})\""]);
}

#[test]
fn what_a_program_prints_or_holds_passes() {
    check_safe(&[
        "python -c \"print('rm -rf /')\"",
        "node -e \"console.log('rm -rf /')\"",
        "node - <<'JS'\nconst text = \"rm -rf /\";\nJS",
        "python3 -c 'items.remove(\"/\")'",
        "python script.py 'rm -rf /'",
        "ruby -e 'puts %w(rm -rf /)'",
        "perl -ne 'print if /rm -rf/' file",
    ]);
}

#[test]
fn a_program_without_an_interpreter_is_known_as_one() {
    check_dangerous(Host, &["import os\nos.system('rm -rf /')\n"]);
    check_dangerous(Service, &["client.users.delete('42')"]);
    check_safe(&["import os\nprint(os.listdir('it\\'s'))\n", "client.users.find('42')"]);
}
