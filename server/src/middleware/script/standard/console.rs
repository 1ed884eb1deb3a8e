//! Takes what scripts write to their console, and cuts it to a bounded length.

use std::rc::Rc;

use rquickjs::{Ctx, Exception, Function, Object, Result};

use super::Level;

/// Where the lines go.
pub(super) type Log = Rc<dyn Fn(Level, String)>;

/// The most bytes of one line, with the mark of the cut.
pub(super) const LIMIT: usize = 8 * 1024;

const MARK: &str = "… (cut: a line holds 8 KiB)";

/// Defines what `console.js` calls.
pub(super) fn define<'js>(native: &Object<'js>, log: &Log) -> Result<()> {
    let log = Rc::clone(log);
    let write = move |ctx: Ctx<'js>, level: String, text: String, is_part: bool| {
        let level = Level::named(&level)
            .ok_or_else(|| Exception::throw_type(&ctx, "the console has no such level"))?;
        log(level, cut(text, is_part));
        Ok::<(), rquickjs::Error>(())
    };
    native.set("write", Function::new(native.ctx().clone(), write)?)
}

/// Marks a text that is too long, or only part of what was to be written.
fn cut(mut text: String, is_part: bool) -> String {
    if is_part || text.len() > LIMIT {
        text.truncate(text.floor_char_boundary(LIMIT - MARK.len()));
        text.push_str(MARK);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{LIMIT, MARK, cut};

    #[test]
    fn a_line_is_cut_between_characters_and_says_so() {
        let line = cut("€".repeat(LIMIT), false);
        assert!(line.len() <= LIMIT && line.len() > LIMIT - 4, "{}", line.len());
        assert!(line.ends_with(MARK));
    }

    #[test]
    fn a_line_of_just_the_limit_is_whole() {
        let line = "x".repeat(LIMIT);
        assert_eq!(cut(line.clone(), false), line);
    }
}
