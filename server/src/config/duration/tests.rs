//! Durations and timeouts that are read, and what is said about others.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn a_duration_is_read_and_shown_again() {
    for text in ["250ms", "2s", "5m", "1h30m", "24h", "1h2m3s4ms", "1m500ms"] {
        assert_eq!(
            Duration::read(&json!(text)).map(|duration| duration.to_string()).unwrap(),
            text
        );
    }
    assert_eq!(Duration::read(&json!("90s")).unwrap().to_string(), "1m30s");
    assert_eq!(Duration::read(&json!("2s")).unwrap(), Duration::seconds(2));
}

#[test]
fn a_bad_duration_says_what_would_be_right() {
    let cases = [
        (
            json!(30),
            "expected a duration such as `250ms`, found the number 30; did you mean `30s`?",
        ),
        (json!(-1), "expected a duration such as `250ms`, found the number -1"),
        (json!(["1s"]), "expected a duration such as `250ms`, found a list"),
        (json!("30"), "`30` is not a duration; did you mean `30s`?"),
        (json!("1.5h"), "`1.5h` is not a duration; did you mean `1h30m`?"),
        (json!("5 minutes"), "`5 minutes` is not a duration; did you mean `5m`?"),
        (json!("7d"), "`7d` is not a duration; did you mean `168h`?"),
        (json!("30m1h"), "`30m1h` is not a duration; did you mean `1h30m`?"),
        (json!("1s1s"), "`1s1s` is not a duration; did you mean `2s`?"),
        (json!("soon"), "`soon` is not a duration; write it like `250ms`, `2s` or `1h30m`"),
        (json!(""), "`` is not a duration; write it like `250ms`, `2s` or `1h30m`"),
        (json!("-1s"), "`-1s` is not a duration; write it like `250ms`, `2s` or `1h30m`"),
        (json!("0s"), "must be longer than zero"),
    ];
    for (value, message) in cases {
        assert_eq!(Duration::read(&value).unwrap_err().to_string(), message, "{value}");
    }
}

#[test]
fn zero_switches_a_timeout_off() {
    for value in [json!(0), json!("0s"), json!("0ms")] {
        assert_eq!(Timeout::read(&value).unwrap(), Timeout::Off, "{value}");
    }
    assert_eq!(Timeout::read(&json!("2s")).unwrap(), Timeout::After(Duration::seconds(2)));
    assert!(Timeout::read(&json!("")).is_err());
}

proptest! {
    #[test]
    fn every_duration_is_read_back(milliseconds in 1..1_000_000_000_000_u64) {
        let duration = Duration::milliseconds(milliseconds);
        prop_assert_eq!(Duration::read(&json!(duration)).unwrap(), duration);
        let timeout = Timeout::After(duration);
        prop_assert_eq!(Timeout::read(&json!(timeout)).unwrap(), timeout);
    }

    #[test]
    fn no_text_panics(text in "[0-9hms. dé]{0,24}") {
        let _ = Duration::read(&json!(text));
    }
}
