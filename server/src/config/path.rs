//! The path of a value in a configuration, such as `middleware[2].only_hooks[0]`.

use std::fmt;

/// One step from a value to a value inside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// The value under a key of a mapping.
    Key(String),
    /// The entry of a list, counted from zero.
    Index(usize),
}

/// Where a value stands: the steps to it from the root, which is the empty path.
///
/// Displayed as `middleware[2].only_hooks[0]`. A key that is more than a plain word is quoted, as
/// in `agents["support-*"].middleware`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Path(Vec<Segment>);

impl Path {
    /// The path of the whole configuration.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The path of what is under `key` of the mapping at this path.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.then(Segment::Key(key.to_owned()))
    }

    /// The path of the entry `index`, counted from zero, of the list at this path.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.then(Segment::Index(index))
    }

    /// The steps, from the root.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    fn then(&self, segment: Segment) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment);
        Self(segments)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) if !is_word(key) => write!(f, "[{key:?}]")?,
                Segment::Key(key) if at == 0 => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}

fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_as_one_would_write_it() {
        let entry = Path::root().key("agents").key("support-*").key("middleware").index(2);
        assert_eq!(entry.to_string(), r#"agents["support-*"].middleware[2]"#);
        assert_eq!(Path::root().key("runs").key("idle_ttl").to_string(), "runs.idle_ttl");
        assert_eq!(Path::root().to_string(), "");
    }
}
