//! From places in generated JavaScript to places in the TypeScript that it was made from.

use oxc_sourcemap::{JSONSourceMap, SourceMap, Token};

use super::position::Position;

/// A source map in its compact text form.
///
/// It is kept for as long as the script lives, and read only when the script fails.
/// The text is about a fifth of the size of the decoded map.
#[derive(Debug)]
pub(super) struct Mappings(Box<str>);

impl Mappings {
    /// The places of `map`, without the names and the source that it holds.
    pub(super) fn new(map: &SourceMap<'_>) -> Self {
        let places = map.get_tokens().map(|token| {
            let (line, column) = (token.get_src_line(), token.get_src_col());
            Token::new(token.get_dst_line(), token.get_dst_col(), line, column, Some(0), None)
        });
        let (sources, contents) = (vec!["".into()], vec![None]);
        let bare = SourceMap::new(None, vec![], None, sources, contents, places.collect(), None);
        Self(bare.to_json().mappings.into_boxed_str())
    }

    /// The source of what stands at `generated`, or else of what stands next before it.
    pub(super) fn source_of(&self, generated: Position) -> Option<Position> {
        let map = SourceMap::from_json(JSONSourceMap {
            version: 3,
            file: None,
            mappings: self.0.to_string(),
            source_root: None,
            sources: vec![String::new()],
            sources_content: None,
            names: vec![],
            debug_id: None,
            x_google_ignore_list: None,
        })
        .ok()?;
        let behind = |token: &Token| {
            (token.get_dst_line() + 1, token.get_dst_col() + 1) > (generated.line, generated.column)
        };
        // The last of those that are not behind; of several in one place, the innermost.
        let mut tokens = map.get_tokens();
        let mut found = tokens.next()?;
        for token in tokens {
            if behind(&token) {
                break;
            }
            found = token;
        }
        Some(Position { line: found.get_src_line() + 1, column: found.get_src_col() + 1 })
    }
}
