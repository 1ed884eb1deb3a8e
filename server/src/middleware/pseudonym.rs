//! Pseudonyms: what stands for a value such that nobody without the key can try
//! out values against it.

use crate::config::{Complaint, Sources};
use hmac::{Hmac, Mac};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

/// How many bytes a key has at least.
const SHORTEST: usize = 16;

/// How many bytes of the hash a pseudonym shows: so many that no detector takes it
/// for something.
const SHOWN: usize = 12;

/// The key of pseudonyms. Never shown.
#[derive(Clone)]
pub struct HashKey(Hmac<Sha256>);

impl HashKey {
    /// A key of these bytes.
    ///
    /// # Errors
    ///
    /// The key is shorter than 16 bytes.
    pub fn new(bytes: &[u8]) -> Result<Self, String> {
        let length = bytes.len();
        if length < SHORTEST {
            return Err(format!("the key has {length} bytes, and {SHORTEST} are the least"));
        }
        Hmac::new_from_slice(bytes).map(Self).map_err(|error| error.to_string())
    }

    /// Half of the HMAC-SHA256 of a value, as 24 hexadecimal digits.
    #[must_use]
    pub fn pseudonym(&self, value: &str) -> String {
        let mut mac = self.0.clone();
        mac.update(value.as_bytes());
        let hash = mac.finalize().into_bytes();
        hash.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for HashKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HashKey")
    }
}

/// Where the key of pseudonyms is.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct KeySource {
    /// The environment variable that holds it.
    #[schemars(length(min = 1))]
    pub env: Option<String>,
    /// The file that holds it. White space at its end does not count.
    pub file: Option<PathBuf>,
}

impl KeySource {
    /// Reads the key. A file is sought beside `base`, and watched.
    ///
    /// # Errors
    ///
    /// Names the key of the configuration that is wrong, if one is, and says why.
    pub(super) fn read(
        &self,
        base: &Path,
        sources: &mut Sources,
    ) -> Result<HashKey, (Option<&'static str>, Complaint)> {
        let (key, bytes) = match (&self.env, &self.file) {
            (Some(name), None) => {
                let value = std::env::var(name).map_err(|_unset| {
                    let message = format!("the environment variable `{name}` is not set");
                    (Some("env"), Complaint::new(message))
                })?;
                ("env", value.into_bytes())
            }
            (None, Some(file)) => {
                let file = base.join(file);
                sources.watch(&file);
                let bytes = fs::read(&file).map_err(|error| {
                    let message = format!("cannot read `{}`: {error}", file.display());
                    (Some("file"), Complaint::new(message))
                })?;
                ("file", bytes.trim_ascii_end().to_vec())
            }
            _ => return Err((None, Complaint::new("needs either an `env` or a `file`"))),
        };
        let made = HashKey::new(&bytes).map_err(|error| (Some(key), Complaint::new(error)))?;
        // Changes with the key and does not tell it.
        sources.add_digest(made.pseudonym("the key itself"));
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_has_one_pseudonym_and_another_key_or_value_another() {
        let [one, other] =
            [*b"0123456789abcdef", *b"0123456789abcdeg"].map(|key| HashKey::new(&key).unwrap());
        let pseudonym = one.pseudonym("bob");
        assert_eq!(pseudonym.len(), 24);
        assert_eq!(pseudonym, one.pseudonym("bob"));
        assert_ne!(pseudonym, one.pseudonym("bib"));
        assert_ne!(pseudonym, other.pseudonym("bob"));
    }

    #[test]
    fn a_key_that_can_be_guessed_is_refused_and_none_is_shown() {
        assert_eq!(format!("{:?}", HashKey::new(b"0123456789abcdef").unwrap()), "HashKey");
        let error = HashKey::new(b"short").unwrap_err();
        assert_eq!(error, "the key has 5 bytes, and 16 are the least");
    }

    #[test]
    fn a_file_is_read_without_the_line_end_and_watched() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("key"), "0123456789abcdef\n").unwrap();
        let source = KeySource { env: None, file: Some("key".into()) };
        let key = source.read(folder.path(), &mut Sources::default()).unwrap();
        let same = HashKey::new(b"0123456789abcdef").unwrap();
        assert_eq!(key.pseudonym("x"), same.pseudonym("x"));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let read = |env: Option<&str>, file: Option<&str>| {
            let source = KeySource { env: env.map(Into::into), file: file.map(Into::into) };
            source.read(Path::new("/"), &mut Sources::default()).unwrap_err().0
        };
        assert_eq!(read(None, None), None);
        assert_eq!(read(Some("A"), Some("b")), None);
        assert_eq!(read(Some("SIDEHOOK_NO_SUCH_KEY"), None), Some("env"));
        assert_eq!(read(None, Some("no/such/file")), Some("file"));
    }
}
