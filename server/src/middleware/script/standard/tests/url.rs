//! URL behaves as the URL standard says.

use serde_json::{Value, json};

use super::script::{Script, assert_values};

#[test]
fn a_url_is_parsed_as_browsers_do() {
    assert_values(&[
        ("new URL('https://example.org').href", r#""https://example.org/""#),
        ("new URL('HTTPS://EXAMPLE.org:443/a/../b').href", r#""https://example.org/b""#),
        ("new URL('http://0x7f.1/').hostname", r#""127.0.0.1""#),
        ("new URL('http://[::0:1]:80/').host", r#""[::1]""#),
        (
            "new URL('http://münchen.de/ü?ü#ü').href",
            r##""http://xn--mnchen-3ya.de/%C3%BC?%C3%BC#%C3%BC""##,
        ),
        ("new URL('  http://a.b/\\tc\\n ').href", r#""http://a.b/c""#),
        ("new URL('http:\\\\\\\\a.b\\\\c').href", r#""http://a.b/c""#),
        ("new URL('../x?y', 'http://a.b/c/d/e').href", r#""http://a.b/c/x?y""#),
        ("new URL('//other', 'https://a.b/c').href", r#""https://other/""#),
        ("new URL('#f', 'http://a.b/c?d#e').href", r##""http://a.b/c?d#f""##),
        ("new URL('', new URL('http://a.b/c?d#e')).href", r#""http://a.b/c?d""#),
        ("new URL('mailto:a@b.c').pathname", r#""a@b.c""#),
        ("new URL('http://a/\\ud800').pathname", r#""/%EF%BF%BD""#),
        ("new URL('data:text/plain,x').origin", r#""null""#),
        ("new URL('blob:https://a.b/c').origin", r#""https://a.b""#),
    ]);
}

#[test]
fn a_url_has_the_components_of_its_text() {
    let parts = Script::new().value(
        "const url = new URL('https://u%40:p@ex.org:8080/a/b?c=d&e#f'); \
         const { href, origin, protocol, username, password, host, hostname, port, pathname, \
           search, hash } = url; \
         ({ href, origin, protocol, username, password, host, hostname, port, pathname, search, \
           hash, text: `${url}`, json: { url } })",
    );
    assert_eq!(
        parts,
        json!({
            "href": "https://u%40:p@ex.org:8080/a/b?c=d&e#f",
            "origin": "https://ex.org:8080",
            "protocol": "https:",
            "username": "u%40",
            "password": "p",
            "host": "ex.org:8080",
            "hostname": "ex.org",
            "port": "8080",
            "pathname": "/a/b",
            "search": "?c=d&e",
            "hash": "#f",
            "text": "https://u%40:p@ex.org:8080/a/b?c=d&e#f",
            "json": { "url": "https://u%40:p@ex.org:8080/a/b?c=d&e#f" },
        })
    );
}

#[test]
fn a_text_that_is_no_url_is_a_type_error_that_shows_it() {
    let error = Script::new().value(
        "try { new URL('not a url', undefined) } catch (e) { \
         ({ name: e.name, is: e instanceof TypeError, message: e.message, input: e.input, \
            code: e.code }) }",
    );
    assert_eq!(
        error,
        json!({
            "name": "TypeError",
            "is": true,
            "message": "Invalid URL: \"not a url\"",
            "input": "not a url",
            "code": "ERR_INVALID_URL",
        })
    );
}

#[test]
fn the_error_of_a_url_begins_where_the_script_made_it() {
    let stack = Script::new()
        .value("const here = () => new URL('nonsense'); try { here() } catch (e) { e.stack }");
    assert!(stack.as_str().unwrap().starts_with("    at here"), "{stack}");
}

#[test]
fn a_text_that_is_no_url_is_refused_wherever_it_is_given() {
    assert_values(&[
        ("thrown(() => new URL())", r#""TypeError""#),
        ("thrown(() => URL('http://a'))", r#""TypeError""#),
        ("thrown(() => new URL('/x'))", r#""TypeError""#),
        ("thrown(() => new URL('/x', 'nonsense'))", r#""TypeError""#),
        ("thrown(() => new URL('http://a:99999/'))", r#""TypeError""#),
        ("thrown(() => new URL('http://a b/'))", r#""TypeError""#),
        ("thrown(() => new URL(Symbol()))", r#""TypeError""#),
        (
            "const u = new URL('http://a/'); [thrown(() => { u.href = 'x' }), u.href]",
            r#"["TypeError", "http://a/"]"#,
        ),
        ("thrown(() => URL.prototype.href)", r#""TypeError""#),
        (
            "[URL.canParse('http://a'), URL.canParse('x'), URL.canParse('x', 'http://a')]",
            "[true, false, true]",
        ),
        ("thrown(() => URL.canParse())", r#""TypeError""#),
        (
            "[URL.parse('http://a').href, URL.parse('x'), URL.parse('x', 'http://a').href]",
            r#"["http://a/", null, "http://a/x"]"#,
        ),
    ]);
}

/// What `href` is after `set` ran on `url`.
fn after(url: &str, set: &str) -> Value {
    Script::new().value(&format!("const u = new URL('{url}'); {set}; u.href"))
}

#[test]
fn a_component_is_set_and_encoded() {
    for (url, set, expected) in [
        ("http://a.b/", "u.protocol = 'https'", "https://a.b/"),
        ("http://a.b/", "u.protocol = 'https:x'", "https://a.b/"),
        ("http://a.b/", "u.username = 'u:'", "http://u%3A@a.b/"),
        ("http://u@a.b/", "u.password = 'p@'", "http://u:p%40@a.b/"),
        ("http://a.b:1/", "u.host = 'c:2'", "http://c:2/"),
        ("http://a.b:1/", "u.hostname = 'C'", "http://c:1/"),
        ("http://a.b/", "u.port = '8080x'", "http://a.b:8080/"),
        ("http://a.b:1/", "u.port = ''", "http://a.b/"),
        ("http://a.b:1/", "u.port = 80", "http://a.b/"),
        ("http://a.b/c", "u.pathname = 'd e?#'", "http://a.b/d%20e%3F%23"),
        ("http://a.b/c?x", "u.search = 'y z'", "http://a.b/c?y%20z"),
        ("http://a.b/c?x", "u.search = ''", "http://a.b/c"),
        ("http://a.b/c", "u.hash = '#x y'", "http://a.b/c#x%20y"),
        ("http://a.b/c#x", "u.hash = ''", "http://a.b/c"),
        ("http://a.b/", "u.href = 'ftp://c/d'", "ftp://c/d"),
    ] {
        assert_eq!(after(url, set), expected, "{url} {set}");
    }
}

#[test]
fn a_component_that_does_not_fit_changes_nothing() {
    for (url, set) in [
        ("http://a.b/", "u.protocol = 'mailto'"),
        ("http://a.b/", "u.protocol = '1'"),
        ("http://a.b/", "u.host = ''"),
        ("http://a.b/", "u.hostname = 'x y'"),
        ("http://a.b/", "u.port = 'x'"),
        ("http://a.b/", "u.port = 65536"),
        ("mailto:a@b.c", "u.host = 'x'"),
        ("mailto:a@b.c", "u.pathname = 'x'"),
        ("mailto:a@b.c", "u.username = 'x'"),
    ] {
        assert_eq!(after(url, set), url, "{set}");
    }
}

#[test]
fn a_url_and_its_parameters_follow_each_other() {
    assert_values(&[
        (
            "const u = new URL('http://a/?x=1'); u.searchParams.append('y', 'a b'); u.href",
            r#""http://a/?x=1&y=a+b""#,
        ),
        (
            "const u = new URL('http://a/?x=1'); u.searchParams.delete('x'); u.href",
            r#""http://a/""#,
        ),
        (
            "const u = new URL('http://a/?x=1'); const p = u.searchParams; u.search = '?z=2'; [p.get('x'), p.get('z'), p === u.searchParams]",
            r#"[null, "2", true]"#,
        ),
        (
            "const u = new URL('http://a/?x=1'); const p = u.searchParams; u.href = 'http://b/?q'; [...p]",
            r#"[["q", ""]]"#,
        ),
        (
            "const u = new URL('http://a/?b=1&a=2'); u.searchParams.sort(); u.search",
            r#""?a=2&b=1""#,
        ),
        (
            "const u = new URL('http://a/?b=~'); u.searchParams.set('b', '~'); u.search",
            r#""?b=%7E""#,
        ),
        ("const u = new URL('http://a/?b=~'); u.searchParams.get('b'); u.search", r#""?b=~""#),
    ]);
}

#[test]
fn a_class_can_extend_url() {
    assert_values(&[
        (
            "class Mine extends URL { get top() { return this.hostname.split('.').at(-1) } }; new Mine('http://a.org').top",
            r#""org""#,
        ),
        ("Object.prototype.toString.call(new URL('http://a'))", r#""[object URL]""#),
        ("[URL.name, URL.length, typeof URL]", r#"["URL", 1, "function"]"#),
    ]);
}
