//! Power, services and processes.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
};

/// What people and other programs depend on, by the beginning of its name.
const ESSENTIAL: [&str; 33] = [
    "network",
    "systemd-",
    "ssh",
    "docker",
    "containerd",
    "kubelet",
    "nginx",
    "apache",
    "httpd",
    "haproxy",
    "traefik",
    "caddy",
    "mysql",
    "mariadb",
    "postgres",
    "redis",
    "mongo",
    "rabbitmq",
    "kafka",
    "elasticsearch",
    "opensearch",
    "firewalld",
    "ufw",
    "iptables",
    "nftables",
    "cron",
    "dbus",
    "named",
    "bind",
    "dnsmasq",
    "libvirtd",
    "etcd",
    "vault",
];

pub(super) fn stop(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    const POWER: &str = "It stops or restarts the machine";
    match program {
        "shutdown" if arguments.any(&["-c", "--show", "-k", "/a"]) => {}
        "init" | "telinit" if !matches!(arguments.word(0), "0" | "1" | "6") => {}
        "systemctl" => {
            let verb = arguments.word(0);
            let power = [
                "poweroff",
                "reboot",
                "halt",
                "kexec",
                "suspend",
                "hibernate",
                "emergency",
                "rescue",
            ];
            if power.contains(&verb) {
                found.host(Caution, "power", POWER);
            } else if matches!(verb, "stop" | "disable" | "mask" | "kill" | "isolate") {
                essential(arguments.words().skip(1), found);
            }
        }
        "service" => {
            if arguments.word(1) == "stop" {
                essential(arguments.words().take(1), found);
            }
        }
        _ => found.host(Caution, "power", POWER),
    }
}

fn essential<'a>(mut units: impl Iterator<Item = &'a str>, found: &mut Findings) {
    let is_essential = |unit: &str| {
        let unit = unit.to_ascii_lowercase();
        ESSENTIAL.iter().any(|start| unit.starts_with(start))
    };
    if units.any(is_essential) {
        found.host(Caution, "stop-service", "It stops a service that others depend on");
    }
}

pub(super) fn kill(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    const ALL: &str = "It ends every process";
    let signal = arguments.options().any(|text| {
        matches!(text.trim_start_matches("-s"), "-9" | "-KILL" | "-SIGKILL" | "9" | "KILL")
    }) || arguments.any(&["KILL", "SIGKILL"]);
    match program {
        "killall5" => found.host(Dangerous, "kill-all", ALL),
        "kill" => {
            // The first of several negative numbers is the signal.
            let negative = arguments.texts().filter(|text| *text == "-1").count();
            let first = arguments.texts().next() == Some("-1");
            if negative > usize::from(first) {
                found.host(Dangerous, "kill-all", ALL);
            } else if arguments.words().any(|word| word == "1")
                && arguments.0.len() > 1
                && !arguments.has("-0")
            {
                found.host(Dangerous, "kill-init", "It ends the process that all others need");
            } else if signal && arguments.operands().any(|word| word.dynamic) {
                found.service(Caution, "kill-found", "It ends processes that are only known then");
            }
        }
        _ if arguments
            .words()
            .any(|word| matches!(word, "." | ".*" | "*" | "" | "init" | "systemd"))
            && !arguments.has("-0") =>
        {
            found.host(Dangerous, "kill-all", ALL);
        }
        _ if program == "pkill"
            && arguments.any(&["-u", "-U", "--euid", "--uid"])
            && arguments.any(&["root", "0"]) =>
        {
            found.host(Dangerous, "kill-all", ALL);
        }
        _ if signal => {
            found.service(
                Caution,
                "kill-by-name",
                "It ends all processes of a name, without a chance to save",
            );
        }
        _ => {}
    }
}
