//! Addresses that are read, and what is said about others.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn an_address_is_read_and_shown_again() {
    for text in [
        "127.0.0.1:50051",
        "0.0.0.0:1",
        "[::1]:50051",
        "localhost:0",
        "my-host.example:65535",
        "unix:///run/sidehook/sidehook.sock",
        "unix:///tmp/a b.sock",
    ] {
        assert_eq!(Address::read(&json!(text)).map(|address| address.to_string()).unwrap(), text);
    }
}

#[test]
fn a_bad_address_says_what_would_be_right() {
    let cases = [
        (
            json!(50051),
            "expected an address such as `127.0.0.1:50051`, found the number 50051; did you mean `127.0.0.1:50051`?",
        ),
        (json!([]), "expected an address such as `127.0.0.1:50051`, found a list"),
        (json!(""), "`` has no port; write it like `127.0.0.1:50051`"),
        (json!("50051"), "`50051` has no port; write it like `127.0.0.1:50051`"),
        (json!("localhost"), "`localhost` has no port; did you mean `localhost:50051`?"),
        (
            json!(":50051"),
            "`:50051` has no host; write `127.0.0.1:50051` for this machine, `0.0.0.0:50051` for every interface",
        ),
        (json!("a:99999"), "`a:99999` has no port from 0 to 65535"),
        (json!("a:+1"), "`a:+1` has no port from 0 to 65535"),
        (
            json!("fe80::1%eth0:1"),
            "`fe80::1%eth0:1` has an IPv6 address without brackets; did you mean `[fe80::1%eth0]:1`?",
        ),
        (
            json!("::1"),
            "`::1` has no port, or an IPv6 address without brackets; write it like `[::1]:50051`",
        ),
        (json!("[localhost]:1"), "`[localhost]:1` has no IPv6 address in its brackets"),
        (json!("1.2.3:1"), "`1.2.3:1` has a host that is neither an IP address nor a host name"),
        (
            json!("http://127.0.0.1:50051/"),
            "`http://127.0.0.1:50051/` has a scheme, which a listening address has not; did you mean `127.0.0.1:50051`?",
        ),
        (json!("/run/x.sock"), "`/run/x.sock` is a path; did you mean `unix:///run/x.sock`?"),
        (
            json!("unix://run/x.sock"),
            "`unix://run/x.sock` is not an absolute path; did you mean `unix:///run/x.sock`?",
        ),
        (
            json!("unix:x.sock"),
            "`unix:x.sock` is not an absolute path; did you mean `unix:///x.sock`?",
        ),
        (
            json!("unix:///"),
            "`unix:///` names no socket; write it like `unix:///run/sidehook/sidehook.sock`",
        ),
        (
            json!(format!("unix:///{}", "a".repeat(107))),
            "the path has 108 bytes; a socket's path has at most 107",
        ),
    ];
    for (value, message) in cases {
        assert_eq!(Address::read(&value).unwrap_err().to_string(), message, "{value}");
    }
}

proptest! {
    #[test]
    fn what_is_read_is_read_back(text in "(unix:/{0,4})?[a-z0-9.:/\\[\\]]{0,24}") {
        if let Ok(address) = Address::read(&json!(text)) {
            prop_assert_eq!(Address::read(&json!(address)).unwrap(), address);
        }
    }
}
