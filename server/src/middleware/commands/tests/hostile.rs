//! Texts that are made to hurt. Each is checked in a moment, or the test would not end.

use super::support::found;
use proptest::prelude::*;

/// How often a piece is repeated.
const MANY: usize = 4_000;

#[test]
fn a_text_that_repeats_itself_is_checked_in_time() {
    let pieces = [
        "$(",
        "(",
        "{ ",
        "`",
        "a() ",
        "sudo ",
        "xargs ",
        "bash -c ",
        "<<a ",
        "eval ",
        "\"$(echo ",
        "${a:-",
        "{a,b}",
        "[[ ",
        "((",
        "> a ",
        "| cat ",
        "if ",
        "\\",
        "*",
        "/../",
        "-exec a {} ",
        "parallel ",
        "ssh a ",
    ];
    for piece in pieces {
        let _ = found(&piece.repeat(MANY));
        let _ = found(&format!("rm -rf {}", piece.repeat(MANY)));
        let _ = found(&format!("python -c '{}'", piece.repeat(MANY)));
    }
}

#[test]
fn a_value_that_doubles_itself_stays_small() {
    let doubling = format!("a=xxxxxxxx; {} rm $a", "a=$a$a; ".repeat(200));
    let _ = found(&doubling);
    let repeated = format!("a={}; echo {}", "x".repeat(50_000), "$a ".repeat(MANY));
    let _ = found(&repeated);
}

#[test]
fn what_is_too_much_to_follow_is_never_let_through() {
    let most = format!("{} rm -rf /", "ls;".repeat(MANY));
    assert!(!found(&most).is_empty());
    let braces = format!("rm -rf {{{}/}}", "a,".repeat(MANY));
    assert!(!found(&braces).is_empty());
    let long = format!("echo {} ; rm -rf /", "x".repeat(1 << 19));
    assert!(!found(&long).is_empty());
    let nested = format!("{}rm -rf /{}", "$(".repeat(100), ")".repeat(100));
    assert!(!found(&nested).is_empty());
    let mut through = "rm -rf /".to_owned();
    for level in 0..10 {
        let (open, close) = ("( $( ".repeat(9), " ) )".repeat(9));
        through = format!("{open}bash <<'E{level}'\n{through}\nE{level}\n{close}");
    }
    assert!(!found(&through).is_empty());
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(pieces in prop::collection::vec(prop_oneof![
        Just("rm -rf /"), Just("$("), Just(")"), Just("`"), Just("'"), Just("\""), Just("{"), Just("}"),
        Just("|"), Just(";"), Just("&"), Just("<<E\n"), Just("E\n"), Just("\n"), Just("\\"), Just("${"),
        Just("a="), Just("$a"), Just("é"), Just("case x in "), Just(";;"), Just("find / -exec "), Just("[["),
        Just("(("), Just("<("), Just("C:\\"), Just("python -c "), Just("qx"), Just("🚀"), Just(" "),
    ], 0..24)) {
        let _ = found(&pieces.concat());
    }

    #[test]
    fn any_characters_are_read(text in "\\PC*") {
        let _ = found(&text);
    }
}
