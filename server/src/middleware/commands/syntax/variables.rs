//! What is known of variables.

use super::Word;

/// What is known of variables.
#[derive(Debug, Clone)]
pub(crate) struct Variables {
    known: Vec<(String, Variable)>,
    /// How many bytes values may still add to words.
    left: usize,
}

/// A variable's value.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) value: Word,
    /// Whether it takes several values in turn, as in a loop.
    pub(super) list: bool,
}

/// How many bytes values may add to words: a value may double with each use.
const LARGEST: usize = 1 << 18;

/// How many are remembered.
const MOST: usize = 256;

impl Default for Variables {
    fn default() -> Self {
        let mut variables = Self { known: Vec::new(), left: LARGEST };
        variables.set("IFS", Word::plain(" "));
        variables.set("PWD", Word::plain("."));
        // These two are places, whatever their values: paths know them.
        variables.set("HOME", Word::plain("$HOME"));
        variables.set("TMPDIR", Word::plain("$TMPDIR"));
        variables
    }
}

impl Variables {
    pub(super) fn get(&self, name: &str) -> Option<&Variable> {
        self.known.iter().rev().find(|(known, _)| known == name).map(|(_, variable)| variable)
    }

    /// Whether so many bytes may still be added to words.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes.saturating_add(1));
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    pub(super) fn set(&mut self, name: &str, value: Word) {
        self.insert(name, Variable { value, list: false });
    }

    /// Adds to what it holds, as `+=` does.
    pub(super) fn append(&mut self, name: &str, value: &Word) {
        let mut whole = self.get(name).map(|known| known.value.clone()).unwrap_or_default();
        whole.text.push_str(&value.text);
        whole.dynamic |= value.dynamic;
        self.set(name, whole);
    }

    /// Says that it takes each of these values.
    pub(super) fn each(&mut self, name: &str, values: &[Word]) {
        let texts: Vec<_> = values.iter().map(|value| value.text.as_str()).collect();
        let value = Word {
            text: texts.join(" "),
            dynamic: values.iter().any(|value| value.dynamic),
            glob: values.iter().any(|value| value.glob),
            source: None,
        };
        self.insert(name, Variable { value, list: values.len() > 1 });
    }

    fn insert(&mut self, name: &str, variable: Variable) {
        if let Some((_, known)) = self.known.iter_mut().find(|(known, _)| known == name) {
            *known = variable;
        } else if self.known.len() < MOST {
            self.known.push((name.to_owned(), variable));
        }
    }
}
