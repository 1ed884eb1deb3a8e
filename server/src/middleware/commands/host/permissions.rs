//! Who may read and write what.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
    place::{Place, place},
};

pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let recursive = arguments.short('R') || arguments.long("recursive");
    // A mode such as `-x` looks like an option, and `a+rwx` like an operand.
    let open =
        arguments.any(&["777", "0777", "a+rwx", "ugo+rwx", "a=rwx", "000", "666", "o+w", "a+w"]);
    for word in arguments.operands() {
        match (place(word), recursive) {
            (Place::Root | Place::System | Place::Critical, true) => {
                let reason = "It changes who may use the system's files";
                found.host(Dangerous, "permissions-system", reason);
            }
            (Place::Home | Place::Personal, true) if program == "chmod" && open => {
                found.host(
                    Dangerous,
                    "permissions-home",
                    "It opens or closes a home folder for all",
                );
            }
            (Place::Home | Place::Top, true) => {
                found.host(Caution, "permissions-home", "It changes who may use a home folder");
            }
            (Place::Current | Place::Above, true)
                if word.text != "." || program != "chmod" || open =>
            {
                let reason = "It changes who may use all that is in a folder";
                found.host(Caution, "permissions-tree", reason);
            }
            (Place::Critical | Place::Root, false) if open || program == "chmod" => {
                let reason = "It changes who may use a file that the system needs";
                found.host(Dangerous, "permissions-critical", reason);
            }
            (Place::System, false) if program == "chattr" || open => {
                found.host(
                    Caution,
                    "permissions-file",
                    "It changes who may use a file of the system",
                );
            }
            (Place::Device, _) => {
                found.host(Caution, "permissions-device", "It changes who may use a device");
            }
            _ if recursive
                && open
                && program == "chmod"
                && place(word) != Place::Temporary
                && !is_mode(&word.text) =>
            {
                found.host(
                    Caution,
                    "permissions-open",
                    "It opens a folder for everyone, or for nobody",
                );
            }
            _ => {}
        }
    }
}

fn is_mode(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) || text.contains(['+', '='])
}
