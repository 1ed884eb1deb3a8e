//! Firewalls and network interfaces.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
};

pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let flushed = match program {
        "iptables" | "ip6tables" => {
            let policy =
                arguments.any(&["-P", "--policy"]) && arguments.any(&["DROP", "REJECT", "ACCEPT"]);
            policy || arguments.any(&["-F", "--flush", "-X", "--delete-chain", "-Z"])
        }
        "nft" => {
            (arguments.has("flush") && arguments.any(&["ruleset", "table"]))
                || (arguments.has("delete") && arguments.has("table"))
        }
        "ufw" => arguments.words().any(|word| matches!(word, "disable" | "reset")),
        "ipset" => arguments.any(&["flush", "destroy", "-F", "-X"]),
        "pfctl" => arguments.options().any(|text| matches!(text, "-d" | "-F")),
        "netsh" => arguments.has("advfirewall") && arguments.any(&["off", "reset"]),
        "setenforce" => arguments.any(&["0", "Permissive", "permissive"]),
        "firewall-cmd" => arguments.any(&["--panic-on", "--complete-reload"]),
        _ => false,
    };
    if flushed {
        found.host(Dangerous, "firewall", "It takes the firewall's rules away");
    }
    let cut = match program {
        "ip" => {
            (arguments.any(&["link", "l"]) && arguments.any(&["down", "delete", "del"]))
                || (arguments.any(&["route", "r", "addr", "address", "a"])
                    && arguments.any(&["flush", "del", "delete"]))
        }
        "ifconfig" => arguments.has("down"),
        "ifdown" => true,
        "route" => arguments.any(&["del", "delete", "flush", "-f"]),
        "nmcli" => arguments.any(&["off", "down", "delete", "disconnect"]),
        _ => false,
    };
    if cut {
        found.host(Caution, "network", "It takes the machine, or a part of it, off the network");
    }
}
