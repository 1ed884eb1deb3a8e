//! A word of a command after expansion.

/// A word of a command after expansion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its text. An unknown part stands as it is written.
    pub text: String,
    /// Whether a part of it is only known when it runs.
    pub dynamic: bool,
    /// Whether it has an unquoted `*`, `?` or `[`.
    pub glob: bool,
    /// Which nested script it takes its text from.
    pub source: Option<usize>,
}

impl Word {
    /// A word that is known.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// Words while they are read: an expansion may split one or multiply it.
#[derive(Debug)]
pub(super) struct Words {
    done: Vec<Word>,
    open: Vec<Word>,
    started: bool,
    /// Whether braces make more words than are followed.
    pub(super) too_many: bool,
}

/// How many words braces may make of one.
const MOST: usize = 256;

impl Words {
    pub(super) fn new() -> Self {
        Self { done: Vec::new(), open: vec![Word::default()], started: false, too_many: false }
    }

    /// Says that there is a word even if nothing is pushed, as `""` does.
    pub(super) fn start(&mut self) {
        self.started = true;
    }

    pub(super) fn push(&mut self, c: char) {
        self.started = true;
        for word in &mut self.open {
            word.text.push(c);
        }
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.started = true;
        for word in &mut self.open {
            word.text.push_str(text);
        }
    }

    pub(super) fn glob(&mut self) {
        self.open.iter_mut().for_each(|word| word.glob = true);
    }

    pub(super) fn dynamic(&mut self) {
        self.started = true;
        self.open.iter_mut().for_each(|word| word.dynamic = true);
    }

    pub(super) fn source(&mut self, index: usize) {
        self.open.iter_mut().for_each(|word| word.source = Some(index));
    }

    /// Pushes a value that splits at blanks, as an unquoted expansion does.
    pub(super) fn push_split(&mut self, text: &str) {
        let mut pieces = text.split([' ', '\t', '\n']);
        if let Some(first) = pieces.next().filter(|first| !first.is_empty()) {
            self.push_str(first);
        }
        for piece in pieces {
            self.cut();
            if !piece.is_empty() {
                self.push_str(piece);
            }
        }
        if text.contains(['*', '?']) {
            self.glob();
        }
    }

    /// Multiplies the word by what stands in braces.
    pub(super) fn multiply(&mut self, alternatives: &[&str]) {
        self.started = true;
        if self.open.len().saturating_mul(alternatives.len()) > MOST {
            self.too_many = true;
            return;
        }
        let mut open = Vec::new();
        for word in &self.open {
            for alternative in alternatives {
                let mut word = word.clone();
                word.text.push_str(alternative);
                word.glob |= alternative.contains(['*', '?']);
                open.push(word);
            }
        }
        self.open = open;
    }

    /// The text so far, where there is only one.
    pub(super) fn text(&self) -> &str {
        match self.open.as_slice() {
            [word] => &word.text,
            _ => "",
        }
    }

    fn cut(&mut self) {
        if self.started {
            self.done.append(&mut self.open);
            self.open = vec![Word::default()];
            self.started = false;
        }
    }

    pub(super) fn finish(mut self) -> Vec<Word> {
        self.cut();
        self.done
    }

    /// All of it as one word, as an assignment takes it.
    pub(super) fn join(self) -> Word {
        let mut whole = Word::default();
        for (index, word) in self.finish().into_iter().enumerate() {
            if index > 0 {
                whole.text.push(' ');
            }
            whole.text.push_str(&word.text);
            whole.dynamic |= word.dynamic;
            whole.glob |= word.glob;
            whole.source = whole.source.or(word.source);
        }
        whole
    }
}
