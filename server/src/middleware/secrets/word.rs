//! Words that a secret is named by.

/// What a word says of the value that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    /// `key`, `access`: many things are called so.
    Weak,
    /// `secret`, `token`.
    Secret,
    /// `password`: a person may have made it up.
    Password,
}

/// The words that a text is searched for.
pub(super) const WORDS: [(&str, Word); 21] = [
    ("access", Word::Weak),
    ("api", Word::Weak),
    ("auth", Word::Weak),
    ("authorization", Word::Weak),
    ("bearer", Word::Secret),
    ("cookie", Word::Weak),
    ("credential", Word::Weak),
    ("credentials", Word::Weak),
    ("jwt", Word::Secret),
    ("key", Word::Weak),
    ("pass", Word::Password),
    ("passphrase", Word::Password),
    ("passwd", Word::Password),
    ("password", Word::Password),
    ("passwort", Word::Password),
    ("pat", Word::Weak),
    ("private", Word::Weak),
    ("pw", Word::Password),
    ("pwd", Word::Password),
    ("secret", Word::Secret),
    ("token", Word::Secret),
];

/// Words of which the longer part of a word may be any other.
pub(super) fn may_end_a_word(word: &[u8]) -> bool {
    const SUFFIXES: [&[u8]; 9] = [
        b"secret",
        b"token",
        b"password",
        b"passwd",
        b"passwort",
        b"passphrase",
        b"pwd",
        b"key",
        b"jwt",
    ];
    SUFFIXES.iter().any(|suffix| word.eq_ignore_ascii_case(suffix))
}

/// What may stand glued before `key`, so that `monkey` is no key.
const KEY_OF: [&str; 28] = [
    "access",
    "account",
    "admin",
    "api",
    "app",
    "auth",
    "client",
    "consumer",
    "crypt",
    "db",
    "deploy",
    "encryption",
    "host",
    "licence",
    "license",
    "master",
    "private",
    "query",
    "sample",
    "secret",
    "server",
    "service",
    "shared",
    "signing",
    "ssh",
    "storage",
    "stream",
    "user",
];

/// Whether a glued word such as `apikey` names a key.
pub(super) fn names_a_key(before: &[u8]) -> bool {
    KEY_OF.iter().any(|of| {
        before.len() >= of.len()
            && before
                .get(before.len() - of.len()..)
                .is_some_and(|tail| tail.eq_ignore_ascii_case(of.as_bytes()))
    })
}

/// Words that may stand between a name and its value.
const FILLERS: [&str; 42] = [
    "access",
    "account",
    "api",
    "apikey",
    "app",
    "as",
    "auth",
    "authorization",
    "basic",
    "be",
    "bearer",
    "client",
    "const",
    "default",
    "dev",
    "for",
    "header",
    "is",
    "key",
    "live",
    "login",
    "my",
    "new",
    "of",
    "param",
    "params",
    "password",
    "pat",
    "private",
    "prod",
    "secret",
    "sk",
    "static",
    "str",
    "string",
    "test",
    "text",
    "token",
    "user",
    "value",
    "was",
    "x",
];

/// Whether a word says nothing of its own between a name and its value.
pub(super) fn is_filler(word: &[u8]) -> bool {
    word.len() <= 13 && FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler.as_bytes()))
}

/// Words that say of a value that it is public or not real, wherever they stand in a name.
const PUBLIC: [&str; 39] = [
    "authenticity",
    "base",
    "bundle",
    "cache",
    "checksum",
    "csrf",
    "digest",
    "dummy",
    "etag",
    "fake",
    "fingerprint",
    "foreign",
    "hash",
    "index",
    "integrity",
    "invalid",
    "keyword",
    "keywords",
    "md5",
    "media",
    "mock",
    "next",
    "non",
    "page",
    "pageable",
    "pagination",
    "partition",
    "primary",
    "public",
    "revision",
    "sha",
    "sha1",
    "sha256",
    "sha512",
    "sort",
    "template",
    "translation",
    "wrong",
    "xsrf",
];

/// Words that say so at the end of a name.
const NOT_ITSELF: [&str; 68] = [
    "alg",
    "algorithm",
    "arn",
    "bits",
    "budget",
    "class",
    "code",
    "codes",
    "color",
    "column",
    "count",
    "dir",
    "directory",
    "down",
    "enabled",
    "endpoint",
    "error",
    "expires",
    "expiry",
    "factory",
    "field",
    "file",
    "format",
    "frame",
    "handler",
    "hint",
    "id",
    "identifier",
    "ids",
    "index",
    "interval",
    "kind",
    "label",
    "len",
    "length",
    "limit",
    "location",
    "manager",
    "map",
    "max",
    "message",
    "min",
    "mode",
    "name",
    "names",
    "pair",
    "param",
    "path",
    "pattern",
    "policy",
    "prefix",
    "press",
    "pressed",
    "ref",
    "regex",
    "ring",
    "scope",
    "scopes",
    "size",
    "state",
    "status",
    "store",
    "suffix",
    "type",
    "up",
    "url",
    "variable",
    "version",
];

/// Whether a word of a name, in lower case, says that its value is public.
pub(super) fn is_public(word: &str) -> bool {
    PUBLIC.binary_search(&word).is_ok()
}

/// Whether a name that ends so names something beside the secret.
pub(super) fn is_not_itself(word: &str) -> bool {
    NOT_ITSELF.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_order() {
        assert!(PUBLIC.is_sorted());
        assert!(WORDS.is_sorted_by_key(|(word, _)| *word));
    }

    #[test]
    fn an_apikey_is_a_key_and_a_monkey_is_not() {
        assert!(names_a_key(b"myApi"));
        assert!(!names_a_key(b"mon"));
    }
}
