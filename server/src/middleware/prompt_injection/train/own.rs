//! Our own examples, from patterns that stand for many texts each.

use super::Example;

/// How many variants a pattern gives.
const VARIANTS: usize = 20;
/// How much a pattern counts, all of its variants together.
const WEIGHT: f32 = 9.0;

/// Our own examples, as examples of `source`. They are the same every time.
///
/// Each line of the list is a pattern after `+` for an attack or `-` for a
/// harmless text; `(a|b)` stands for either, also within a choice, and `\n` for a line
/// feed.
#[must_use]
pub fn own(source: u32) -> Vec<Example> {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let patterns = include_str!("examples.txt").lines();
    let patterns = patterns.filter_map(|line| line.split_at_checked(1));
    let mut examples = Vec::new();
    for (mark, pattern) in patterns.filter(|(mark, _)| matches!(*mark, "+" | "-")) {
        let mut texts: Vec<String> = Vec::new();
        for _ in 0..VARIANTS * 2 {
            let text = variant(pattern.trim(), &mut chance).replace("\\n", "\n");
            if texts.len() < VARIANTS && !texts.contains(&text) {
                texts.push(text);
            }
        }
        let weight = WEIGHT / texts.len().max(1) as f32;
        let example = |text| Example { text, attack: mark == "+", source, weight };
        examples.extend(texts.into_iter().map(example));
    }
    examples
}

/// One variant of a pattern.
fn variant(pattern: &str, chance: &mut Chance) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, from)) = rest.split_once('(') {
        let (choices, after) = choices(from);
        text.push_str(before);
        match choices.as_slice() {
            // Brackets without a choice are meant as they are.
            [one] => text.extend(["(", &variant(one, chance), ")"]),
            _ => text.push_str(&variant(chance.choose(&choices), chance)),
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// What stands between the bar signs up to the bracket that closes, and what
/// follows it.
fn choices(from: &str) -> (Vec<&str>, &str) {
    let (mut choices, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, sign) in from.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            '|' | ')' if depth == 0 => {
                choices.extend(from.get(start..at));
                start = at + 1;
                if sign == ')' {
                    return (choices, from.get(start..).unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    (choices, "")
}

/// Numbers that look random and are the same every time.
#[derive(Debug)]
pub(super) struct Chance(pub(super) u64);

impl Chance {
    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap_or_default() % bound.max(1)
    }

    fn choose<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let chosen = self.below(choices.len());
        choices.get(chosen).copied().unwrap_or_default()
    }
}
