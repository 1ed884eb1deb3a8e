//! Databases and their languages.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
};

const DATA: &str = "It deletes data of a database";

/// Judges a client of a database by its command line.
pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    match program {
        "dropdb" | "dropuser" if arguments.operands().next().is_some() => {
            found.service(Dangerous, "database-drop", DATA);
        }
        "mysqladmin" if arguments.any(&["drop", "shutdown", "flush-logs"]) => {
            found.service(Dangerous, "database-drop", DATA);
        }
        "pg_restore" if arguments.short('c') || arguments.long("clean") => {
            found.service(Dangerous, "database-replace", "It replaces what a database holds");
        }
        "mongorestore" if arguments.long("drop") => {
            found.service(Dangerous, "database-replace", "It replaces what a database holds");
        }
        "influx"
            if arguments
                .texts()
                .any(|text| text == "delete" || text.to_ascii_lowercase().contains("drop ")) =>
        {
            found.service(Dangerous, "database-drop", DATA);
        }
        "redis-cli" | "valkey-cli" | "keydb-cli" => redis(&joined(arguments), found),
        "mongosh" | "mongo" => mongo(&joined(arguments), found),
        "bq" if arguments.any(&["rm", "remove"]) => found.service(Dangerous, "database-drop", DATA),
        _ => {
            // Whatever the option is called, statements are arguments.
            arguments.texts().filter(|text| text.contains(' ')).for_each(|text| sql(text, found));
            sql(&joined(arguments), found);
        }
    }
}

fn joined(arguments: Arguments<'_>) -> String {
    arguments.texts().collect::<Vec<_>>().join(" ")
}

/// Judges statements of SQL.
pub(crate) fn sql(text: &str, found: &mut Findings) {
    for statement in text.split(';') {
        let words = sql_words(statement);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        // An option such as `-e` may stand before it.
        let start = words.iter().position(|word| VERBS.contains(word));
        let Some(statement) = start.and_then(|start| words.get(start..)) else { continue };
        one(statement, found);
    }
}

const VERBS: [&str; 9] =
    ["DROP", "TRUNCATE", "DELETE", "UPDATE", "ALTER", "GRANT", "REVOKE", "FLUSHALL", "PURGE"];

fn one(words: &[&str], found: &mut Findings) {
    let has = |name: &str| words.contains(&name);
    match words {
        [
            "DROP",
            "TABLE" | "DATABASE" | "SCHEMA" | "USER" | "ROLE" | "TABLESPACE" | "KEYSPACE"
            | "COLUMN",
            ..,
        ]
        | [
            "DROP",
            "OWNED" | "MATERIALIZED" | "BUCKET" | "MEASUREMENT" | "COLLECTION" | "VIEW",
            ..,
        ] => {
            found.service(Dangerous, "database-drop", DATA);
        }
        [
            "DROP",
            "INDEX" | "FUNCTION" | "TRIGGER" | "SEQUENCE" | "TYPE" | "POLICY" | "PROCEDURE"
            | "EXTENSION",
            ..,
        ] => {
            found.service(Caution, "database-drop-part", "It deletes a part of a database");
        }
        ["TRUNCATE", next, ..] if !next.starts_with('-') => {
            found.service(Dangerous, "database-truncate", DATA);
        }
        ["DELETE", "FROM", ..] if !has("WHERE") && !has("RETURNING") => {
            found.service(Dangerous, "database-delete-all", "It deletes every row of a table");
        }
        ["DELETE", "FROM", ..] if always(words) => {
            found.service(Dangerous, "database-delete-all", "It deletes every row of a table");
        }
        ["UPDATE", _, rest @ ..] if rest.contains(&"SET") && (!has("WHERE") || always(words)) => {
            found.service(Dangerous, "database-update-all", "It changes every row of a table");
        }
        ["ALTER", "TABLE", ..] if has("DROP") => {
            found.service(Dangerous, "database-drop", DATA);
        }
        ["GRANT", "ALL", ..] => {
            found.service(Caution, "database-grant", "It gives every right on a database away");
        }
        ["PURGE", "BINARY" | "MASTER", ..] => found.service(Dangerous, "database-logs", DATA),
        _ => {}
    }
}

/// Whether its condition holds for every row.
fn always(words: &[&str]) -> bool {
    let condition: Vec<_> =
        words.iter().copied().skip_while(|word| *word != "WHERE").skip(1).collect();
    matches!(condition.as_slice(), ["1=1" | "TRUE" | "1"] | ["1", "=", "1"])
}

/// Words in capitals, without comments, and without what is quoted.
fn sql_words(statement: &str) -> Vec<String> {
    let mut words = Vec::new();
    for line in statement.lines() {
        let line = line.split("--").next().filter(|_| line.contains("-- ")).unwrap_or(line);
        words.extend(
            line.split(|c: char| {
                c.is_whitespace() || matches!(c, '(' | ')' | '"' | '\'' | '`' | ',')
            })
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_uppercase),
        );
    }
    words
}

/// Judges commands of Redis.
pub(crate) fn redis(text: &str, found: &mut Findings) {
    let upper = text.to_ascii_uppercase();
    let words: Vec<_> = upper.split(|c: char| c.is_whitespace() || "'\"".contains(c)).collect();
    let has = |name: &str| words.contains(&name);
    if has("FLUSHALL") || has("FLUSHDB") || has("SHUTDOWN") || (has("SCRIPT") && has("FLUSH")) {
        found.service(Dangerous, "database-flush", DATA);
    } else if (has("CONFIG") && (has("SET") || has("RESETSTAT")))
        || has("DEBUG")
        || (has("CLUSTER") && has("RESET"))
    {
        found.service(Caution, "database-setting", "It changes how a database works");
    } else if has("DEL") || has("UNLINK") {
        found.service(Caution, "database-delete-keys", DATA);
    }
}

/// Judges a script of `MongoDB`'s shell.
pub(crate) fn mongo(text: &str, found: &mut Findings) {
    let compact: String =
        text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let drops = [
        ".dropdatabase(",
        ".drop(",
        ".dropuser(",
        ".dropallusersfromdatabase(",
        ".dropindexes(",
        ".shutdownserver(",
    ];
    let all = [".deletemany({})", ".remove({})", ".deletemany()", ".remove()"];
    if drops.iter().chain(&all).any(|call| compact.contains(call)) {
        found.service(Dangerous, "database-drop", DATA);
    } else if [".deletemany(", ".remove({"].iter().any(|call| compact.contains(call)) {
        found.service(Caution, "database-delete", DATA);
    }
}

/// Judges a text that is a statement of a database and not a command.
pub(crate) fn statement(text: &str, found: &mut Findings) -> bool {
    let text = text.trim();
    let first = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let second = text.get(first.len()..).unwrap_or_default().trim_start();
    let upper = first.to_ascii_uppercase();
    let spoken = match upper.as_str() {
        "SELECT" | "DROP" | "DELETE" | "UPDATE" | "INSERT" | "ALTER" | "GRANT" | "REVOKE"
        | "CREATE" | "SHOW" | "DESCRIBE" => {
            second.starts_with(|c: char| c.is_ascii_alphabetic() || "*\"`'(".contains(c))
        }
        "FLUSHALL" | "FLUSHDB" if second.is_empty() => {
            redis(text, found);
            return true;
        }
        "TRUNCATE" => !second.starts_with('-'),
        _ => false,
    };
    if spoken {
        sql(text, found);
    } else if upper == "DB" && second.starts_with('.') {
        mongo(text, found);
        return true;
    }
    spoken
}
