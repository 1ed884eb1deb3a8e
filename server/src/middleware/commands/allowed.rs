//! Commands that pass, whatever the rules say.

use super::syntax::Word;
use crate::config::Complaint;
use globset::{GlobBuilder, GlobMatcher};

/// A command that passes: its words, each of which may be a glob.
///
/// A glob stands for one word, and for one part of a path: `git push --force
/// origin feature/*` does not let `feature/x main` or `feature/../main` pass. A
/// last word `**` stands for all words that follow.
#[derive(Debug, Clone)]
pub struct Allowed {
    words: Vec<Expected>,
    open: bool,
}

#[derive(Debug, Clone)]
enum Expected {
    Text(String),
    Glob(GlobMatcher),
}

impl Allowed {
    /// Reads an entry of the configuration.
    ///
    /// # Errors
    ///
    /// When it is empty, or a word of it is no glob.
    pub fn new(entry: &str) -> Result<Self, Complaint> {
        let mut words: Vec<_> = entry.split_whitespace().collect();
        let open = words.pop_if(|word| *word == "**").is_some();
        if words.is_empty() {
            let complaint = Complaint::new("the entry names no command");
            return Err(complaint.suggest("`git push --force origin feature/*` is one"));
        }
        let words = words.into_iter().map(Expected::new).collect::<Result<_, _>>()?;
        Ok(Self { words, open })
    }

    /// Whether a command is this one. What is only known when the command runs
    /// fits nothing but itself.
    pub(super) fn fits(&self, words: &[Word]) -> bool {
        let enough = if self.open {
            words.len() >= self.words.len()
        } else {
            words.len() == self.words.len()
        };
        enough && self.words.iter().zip(words).all(|(expected, word)| expected.fits(word))
    }
}

impl Expected {
    fn new(word: &str) -> Result<Self, Complaint> {
        if !word.contains(['*', '?', '[', '{']) {
            return Ok(Self::Text(word.to_owned()));
        }
        let glob = GlobBuilder::new(word)
            .literal_separator(true)
            .build()
            .map_err(|error| Complaint::new(format!("`{word}` is not a glob: {}", error.kind())))?;
        Ok(Self::Glob(glob.compile_matcher()))
    }

    fn fits(&self, word: &Word) -> bool {
        let climbs = || word.text.split('/').any(|part| part == "..");
        match self {
            Self::Text(text) => *text == word.text,
            Self::Glob(glob) => !word.dynamic && !climbs() && glob.is_match(&word.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::middleware::commands::Checker;

    #[track_caller]
    fn check(entry: &str, command: &str, passes: bool) {
        let checker = Checker::new(vec![Allowed::new(entry).unwrap()]);
        assert_eq!(checker.text(command).is_empty(), passes, "{entry} / {command}");
    }

    #[test]
    fn an_entry_lets_its_command_pass_however_it_is_written() {
        check("rm -rf node_modules", "rm  -rf 'node_modules'", true);
        check("rm -rf node_modules", "sudo rm -rf node_modules && ls", true);
        check("rm -rf node_modules", "rm -rf node_modules src", false);
    }

    #[test]
    fn a_glob_is_one_word_and_one_part_of_a_path() {
        let entry = "git push --force origin feature/*";
        check(entry, "git push --force origin feature/x", true);
        check(entry, "git push --force origin feature/x main", false);
        check(entry, "git push --force origin feature/../main", false);
        check(entry, "git push --force origin feature/$X", false);
    }

    #[test]
    fn two_stars_are_all_words_that_follow() {
        check("terraform destroy **", "terraform destroy -target=a -auto-approve", true);
        check("terraform destroy **", "terraform destroy", true);
        check("terraform destroy **", "terraform state rm a", false);
    }

    #[test]
    fn what_stands_beside_an_allowed_command_is_judged() {
        check("rm -rf build", "rm -rf build; rm -rf /", false);
        check("rm -rf *", "rm -rf $(rm -rf /)", false);
        check("echo **", "echo hi > /dev/sda", false);
    }

    #[test]
    fn an_entry_names_a_command() {
        assert!(Allowed::new(" ").is_err());
        assert!(Allowed::new("**").is_err());
        assert!(Allowed::new("rm [").is_err());
    }
}
