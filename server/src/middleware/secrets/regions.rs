//! Cuts a whole text where a stream must cut it: in runs without white space
//! that are too long to be searched as one.

use super::bytes::View;
use super::cutter::MAX_RUN;

/// The regions of a text, in order and without gaps: where each begins, and
/// what it is.
pub(super) fn regions(text: &str) -> impl Iterator<Item = (usize, View<'_>)> {
    let mut start = 0;
    let mut forced = false;
    std::iter::from_fn(move || {
        if start >= text.len() {
            return None;
        }
        let end = region_end(text, start);
        let open_end = end < text.len();
        let bytes = text.as_bytes().get(start..end)?;
        let view = View { text: bytes, open_start: forced, open_end };
        let from = start;
        (start, forced) = (end, open_end);
        Some((from, view))
    })
}

/// Where the region that begins at `start` is cut by force, or the text ends.
fn region_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    // Where a run begins: nothing but white space ends one.
    let mut run = start;
    while bytes.len() > run + MAX_RUN {
        let window = bytes.get(run..run + MAX_RUN).unwrap_or_default();
        match window.iter().rposition(u8::is_ascii_whitespace) {
            Some(at) => run += at + 1,
            None if bytes.get(run + MAX_RUN).is_some_and(u8::is_ascii_whitespace) => {
                run += MAX_RUN + 1;
            }
            None => return text.floor_char_boundary(run + MAX_RUN),
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::super::cutter::Cutter;
    use super::*;
    use proptest::prelude::*;

    fn starts(text: &str) -> Vec<usize> {
        regions(text).map(|(start, _)| start).skip(1).collect()
    }

    #[test]
    fn what_has_white_space_is_one_region() {
        assert_eq!(starts(&"word ".repeat(10_000)), [0_usize; 0]);
    }

    #[test]
    fn a_run_is_cut_by_counting_from_its_start() {
        let text = format!("ab {}", "x".repeat(MAX_RUN * 2 + 1));
        assert_eq!(starts(&text), [3 + MAX_RUN, 3 + MAX_RUN * 2]);
        assert_eq!(starts(&format!("{} y", "x".repeat(MAX_RUN))), [0_usize; 0]);
        assert_eq!(starts(&"é".repeat(MAX_RUN)), [MAX_RUN]);
    }

    proptest! {
        #[test]
        fn whole_texts_and_streams_are_cut_by_force_at_the_same_places(
            parts in prop::collection::vec(("[a€é]{1,3}", 1_usize..3000, "[ \n]{0,1}"), 1..6)
        ) {
            let text: String =
                parts.iter().map(|(part, count, end)| part.repeat(*count) + end).collect();
            let mut cutter = Cutter::default();
            let cuts = text.char_indices().filter_map(|(at, c)| cutter.feed(&text, at, c));
            let forced: Vec<usize> = cuts.filter(|cut| cut.forced).map(|cut| cut.at).collect();
            prop_assert_eq!(starts(&text), forced);
        }
    }
}
