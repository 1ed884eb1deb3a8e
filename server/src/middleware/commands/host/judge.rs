//! Which program is judged by which rule.

use super::{accounts, delete, disk, files, network, permissions, power};
use crate::middleware::commands::{arguments::Arguments, finding::Findings};

/// Judges a command.
pub(crate) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.has("--help") || arguments.has("--version") {
        return;
    }
    match program {
        "rm" | "grm" | "unlink" | "rimraf" | "del-cli" | "trash" => {
            delete::rm(program, arguments, found);
        }
        "srm" | "shred" | "wipe" => delete::shred(arguments, found),
        "rmdir" => delete::rmdir(arguments, found),
        "rsync" => delete::rsync(arguments, found),
        "del" | "erase" | "rd" | "remove-item" | "ri" | "clear-content" => {
            delete::windows(arguments, found);
        }
        "dd" | "dcfldd" | "ddrescue" => disk::dd(arguments, found),
        "chmod" | "chown" | "chgrp" | "chattr" | "setfacl" => {
            permissions::judge(program, arguments, found);
        }
        "shutdown" | "reboot" | "halt" | "poweroff" | "init" | "telinit" | "systemctl"
        | "service" | "stop-computer" | "restart-computer" | "kexec" => {
            power::stop(program, arguments, found);
        }
        "kill" | "pkill" | "killall" | "killall5" | "skill" => {
            power::kill(program, arguments, found);
        }
        "iptables" | "ip6tables" | "nft" | "ufw" | "ip" | "ifconfig" | "ifdown" | "route"
        | "nmcli" | "firewall-cmd" | "ipset" | "pfctl" | "netsh" | "setenforce" => {
            network::judge(program, arguments, found);
        }
        "userdel" | "deluser" | "groupdel" | "delgroup" | "passwd" | "usermod" | "crontab"
        | "dscl" | "history" | "visudo" | "chsh" => {
            accounts::judge(program, arguments, found);
        }
        "mv" | "cp" | "tee" | "truncate" | "ln" | "install" | "sed" | "scp" | "dump"
        | "restore" | "sponge" => {
            files::judge(program, arguments, found);
        }
        _ => disk::judge(program, arguments, found),
    }
}
