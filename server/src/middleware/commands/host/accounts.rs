//! Users and what runs for them.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
};

pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    match program {
        "userdel" | "deluser" | "groupdel" | "delgroup" if !arguments.0.is_empty() => {
            found.host(Dangerous, "delete-user", "It deletes a user or a group");
        }
        "dscl" if arguments.any(&["-delete", "delete"]) => {
            found.host(Dangerous, "delete-user", "It deletes a user or a group");
        }
        "passwd" if arguments.any(&["-d", "--delete", "-l", "--lock", "-e"]) => {
            found.host(Dangerous, "lock-user", "It takes a user's password away");
        }
        "passwd" if arguments.word(0) == "root" => {
            found.host(Caution, "root-password", "It changes the password of root");
        }
        "usermod" if arguments.any(&["-L", "--lock", "-e", "--expiredate"]) => {
            found.host(Caution, "lock-user", "It locks a user out");
        }
        "crontab" if arguments.short('r') => {
            found.host(
                Caution,
                "delete-schedule",
                "It deletes everything that a user has scheduled",
            );
        }
        _ => {}
    }
}
