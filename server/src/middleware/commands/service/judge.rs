//! Which program is judged by which rule.

use super::{containers, database, deploy, http, packages, verbs};
use crate::middleware::commands::{arguments::Arguments, finding::Findings};

/// Judges a command.
pub(crate) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.only_shows() {
        return;
    }
    match program {
        "docker" | "podman" | "nerdctl" => containers::docker(arguments, found),
        "docker-compose" | "podman-compose" => containers::compose(arguments, found),
        "kubectl" | "k" | "oc" => containers::kubernetes(arguments, found),
        "helm" => containers::helm(arguments, found),
        "terraform" | "tofu" | "terragrunt" | "pulumi" | "cdk" => {
            deploy::judge(program, arguments, found);
        }
        "curl" | "wget" | "http" | "https" | "xh" | "httpie" => {
            http::judge(program, arguments, found);
        }
        "npm" | "pnpm" | "yarn" | "bun" | "pip" | "pip3" | "apt" | "apt-get" | "yum" | "dnf"
        | "brew" | "pacman" | "apk" | "dpkg" | "rpm" | "zypper" | "snap" | "gem" | "cargo"
        | "poetry" | "twine" | "mvn" | "gradle" | "gradlew" | "conda" | "uv" | "nuget"
        | "dotnet" => packages::judge(program, arguments, found),
        "mysql" | "mariadb" | "psql" | "sqlite3" | "sqlcmd" | "clickhouse-client" | "cqlsh"
        | "bq" | "cockroach" | "snowsql" | "trino" | "presto" | "duckdb" | "mongosh" | "mongo"
        | "redis-cli" | "valkey-cli" | "keydb-cli" | "dropdb" | "dropuser" | "mysqladmin"
        | "pg_restore" | "influx" | "mongorestore" => {
            database::judge(program, arguments, found);
        }
        "ssh-add" if arguments.short('D') || arguments.short('d') => {
            found.service(
                crate::middleware::commands::finding::Severity::Caution,
                "forget-keys",
                "It removes keys from the agent",
            );
        }
        _ => verbs::judge(program, arguments, found),
    }
}
