//! crypto gives random values, and digests with known results.

use super::script::{Script, assert_values};

/// A promise's outcome as text: the digest in hexadecimal, or the name of the error.
fn digest(arguments: &str) -> String {
    let outcome = Script::new().value(&format!(
        "crypto.subtle.digest({arguments}).then((b) => new Uint8Array(b).toHex(), (e) => e.name)"
    ));
    outcome.as_str().unwrap().to_owned()
}

#[test]
fn a_digest_is_the_known_one() {
    let abc = "new TextEncoder().encode('abc')";
    assert_eq!(
        digest(&format!("'SHA-256', {abc}")),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert_eq!(
        digest("{ name: 'sha-256' }, new ArrayBuffer(0)"),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    assert_eq!(
        digest(&format!("'SHA-384', {abc}")),
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed\
         8086072ba1e7cc2358baeca134c825a7"
    );
    assert_eq!(
        digest(&format!("'SHA-512', new DataView({abc}.buffer)")),
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
         2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    );
}

#[test]
fn a_digest_that_is_not_there_is_refused_by_its_promise() {
    for (arguments, expected) in [
        ("'MD5', new ArrayBuffer(1)", "NotSupportedError"),
        ("'SHA-1', new ArrayBuffer(1)", "NotSupportedError"),
        ("'__proto__', new ArrayBuffer(1)", "NotSupportedError"),
        ("{}, new ArrayBuffer(1)", "NotSupportedError"),
        ("'SHA-256', 'text'", "TypeError"),
        ("'SHA-256'", "TypeError"),
        ("Symbol(), new ArrayBuffer(1)", "TypeError"),
    ] {
        assert_eq!(digest(arguments), expected, "{arguments}");
    }
}

#[test]
fn an_identifier_is_a_random_uuid_of_version_4() {
    assert_values(&[
        (
            "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())",
            "true",
        ),
        ("crypto.randomUUID() === crypto.randomUUID()", "false"),
    ]);
}

#[test]
fn random_values_fill_the_array_that_is_given() {
    assert_values(&[
        (
            "const a = new Uint8Array(64); [crypto.getRandomValues(a) === a, a.some((b) => b !== 0)]",
            "[true, true]",
        ),
        (
            "const a = new BigUint64Array(8); crypto.getRandomValues(a).some((n) => n > 0xffffffffn)",
            "true",
        ),
        (
            "const a = new Uint8Array(96); crypto.getRandomValues(a.subarray(32, 64)); [a.subarray(0, 32).every((b) => b === 0), a.subarray(64).every((b) => b === 0), a.some((b) => b !== 0)]",
            "[true, true, true]",
        ),
        ("crypto.getRandomValues(new Uint8Array(65536)).length", "65536"),
        ("crypto.getRandomValues(new Uint8Array(0)).length", "0"),
        ("thrown(() => crypto.getRandomValues(new Uint8Array(65537)))", r#""QuotaExceededError""#),
        ("thrown(() => crypto.getRandomValues(new Float64Array(1)))", r#""TypeMismatchError""#),
        (
            "thrown(() => crypto.getRandomValues(new DataView(new ArrayBuffer(1))))",
            r#""TypeMismatchError""#,
        ),
        ("thrown(() => crypto.getRandomValues([1]))", r#""TypeMismatchError""#),
    ]);
}
