//! Values that stand by a name that says what they are: `api_key = "…"`,
//! `X-Token: …`, `--secret …`, `netlify KEY …`.

use super::bytes::{ByteSet, View};
use super::connector::{self, Connector};
use super::identifier;
use super::password;
use super::placeholder::is_placeholder;
use super::random;
use super::word::{self, Word};
use std::ops::Range;

/// How a value is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// By a word such as `token`.
    Word(Word),
    /// By a service, and whether that word means nothing else.
    Service { sure: bool },
}

/// What a token is made of where nothing quotes it.
const BARE: ByteSet = ByteSet::ALNUM
    .with(b'_')
    .with(b'-')
    .with(b'.')
    .with(b'+')
    .with(b'/')
    .with(b'=')
    .with(b'~')
    .with(b'%')
    .with(b':')
    .with(b'!')
    .with(b'@')
    .with(b'$')
    .with(b'|')
    .with(b'#')
    .with(b'*');

/// What may stand in a name.
const GLUED: ByteSet = ByteSet::ALNUM.with(b'_').with(b'-');

/// The longest value.
const MAX_VALUE: usize = 1024;

/// A value and how it stands.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) span: Range<usize>,
    pub(super) quoted: bool,
    /// It holds white space.
    pub(super) spaced: bool,
}

/// Whether a quoted value with white space in it is one: a stream must not be cut
/// in it.
pub(super) type Allow<'a> = dyn FnMut(&Range<usize>) -> bool + 'a;

/// The value that the word at `hit` names.
pub(super) fn find(
    view: &View<'_>,
    hit: &Range<usize>,
    name: Name,
    allow: &mut Allow<'_>,
) -> Option<Value> {
    let stands = match name {
        Name::Word(_) => identifier::stands_as_word(view, hit),
        Name::Service { .. } => view.begins(hit.start) || turns(view, hit.start),
    };
    if !stands || identifier::is_in_data(view, hit.start) {
        return None;
    }
    let vague = matches!(
        view.slice(hit.start, hit.end).to_ascii_lowercase().as_slice(),
        b"api" | b"auth" | b"pass"
    );
    if !vague && let Some(span) = glued(view, hit, name) {
        let named = identifier::around(view, hit).start..span.start;
        return identifier::may_name_a_secret(view.slice(named.start, named.end))
            .then_some(Value { span, quoted: false, spaced: false });
    }
    let named = identifier::around(view, hit);
    let connector = connector::read(view, named.end)?;
    let value = value(view, &connector, name, allow)?;
    if connector.arrow && !value.quoted {
        return None;
    }
    let text = view.slice(value.span.start, value.span.end);
    let accepted = match name {
        Name::Word(Word::Password) => {
            let vague = view.slice(hit.start, hit.end).eq_ignore_ascii_case(b"pass");
            (password::is_password(view, &value, &connector)
                && !(vague && password::is_other_pass(text)))
                || (text.len() >= 16 && !is_placeholder(text) && random::looks_random(text))
        }
        Name::Word(word) => is_token(text, &value, &connector, word),
        Name::Service { sure } => is_key(text, &connector, sure),
    };
    let name = view.slice(named.start, named.end);
    (accepted && identifier::may_name_a_secret(name)).then_some(value)
}

fn turns(view: &View<'_>, at: usize) -> bool {
    view.before(at).is_some_and(|b| b.is_ascii_lowercase())
        && view.at(at).is_some_and(|b| b.is_ascii_uppercase())
}

/// A value that is glued to its name: `netlify-TOKEN-0123…`.
fn glued(view: &View<'_>, hit: &Range<usize>, name: Name) -> Option<Range<usize>> {
    let dot = usize::from(view.at(hit.end) == Some(b'.'));
    let end = hit.end + dot + GLUED.run(view.text, hit.end + dot, MAX_VALUE);
    if end < hit.end + 14 {
        return None;
    }
    let mut at = hit.end;
    let mut fillers = 0;
    loop {
        at += ByteSet::of(b"-_.").run(view.text, at, 4);
        let letters = ByteSet::ALNUM.run(view.text, at, 16);
        let stands = view.at(at + letters).is_some_and(|b| matches!(b, b'-' | b'_'));
        let filler = word::is_filler(view.slice(at, at + letters));
        if letters == 0 || !stands || !filler || fillers == 4 {
            break;
        }
        at += letters;
        fillers += 1;
    }
    let named = matches!(name, Name::Word(_)) || fillers > 0;
    let long = if named { 16 } else { 24 };
    let text = view.slice(at, end);
    let apart = at > hit.end;
    // Addresses are full of names such as `how-to-make-an-api-key-…`.
    let strict = name == Name::Word(Word::Weak)
        && view.at(hit.start).is_some_and(|byte| byte.is_ascii_lowercase());
    if strict && !text.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-') {
        return None;
    }
    (apart && text.len() >= long && random::looks_random(text) && !is_placeholder(text))
        .then_some(at..end)
}

/// The value that begins where the connector ends.
fn value(
    view: &View<'_>,
    connector: &Connector,
    name: Name,
    allow: &mut Allow<'_>,
) -> Option<Value> {
    let start = connector.value;
    let Some((quote, escaped)) = connector.quote else {
        let most = if name == Name::Word(Word::Password) { 200 } else { MAX_VALUE };
        let set = if name == Name::Word(Word::Password) { &password::BARE } else { &BARE };
        let mut end = start + set.run(view.text, start, most);
        while view.before(end).is_some_and(|b| matches!(b, b'.' | b',' | b':' | b'!' | b'|'))
            && end > start
        {
            end -= 1;
        }
        return (end > start).then_some(Value { span: start..end, quoted: false, spaced: false });
    };
    let tail = view.slice(start, view.text.len().min(start + MAX_VALUE));
    let mut spaced = false;
    for (at, byte) in tail.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tail.get(at)).copied();
        match *byte {
            b if b == quote && escaped == (before == Some(b'\\')) => {
                let end = start + if escaped { at - 1 } else { at };
                if spaced && !allow(&(start..end)) {
                    break;
                }
                return (end > start).then_some(Value { span: start..end, quoted: true, spaced });
            }
            b'\n' => break,
            b if b.is_ascii_whitespace() => spaced = true,
            _ => {}
        }
    }
    // No end of the quotes that a stream would wait for: up to the next white space.
    let run = tail.iter().take_while(|b| !b.is_ascii_whitespace() && **b != quote).count();
    (run > 0).then_some(Value { span: start..start + run, quoted: true, spaced: false })
}

/// Whether a value by a word such as `token` or `key` is one.
fn is_token(text: &[u8], value: &Value, connector: &Connector, word: Word) -> bool {
    let template =
        matches!(connector.quote, Some((b'`', _))) && text.windows(2).any(|pair| pair == b"${");
    if value.spaced
        || template
        || is_placeholder(text)
        || (text.starts_with(b"/") && text.len() != 40)
    {
        return false;
    }
    if random::looks_random(text) {
        return connector.assigned || text.len() >= 14;
    }
    let dense = word == Word::Secret && text.len() >= 8 && random::is_dense(text);
    connector.assigned && (dense || (value.quoted && random::is_wild(text)))
}

/// Whether a value by the name of a service is its key.
fn is_key(text: &[u8], connector: &Connector, sure: bool) -> bool {
    let least = match (connector.assigned, sure) {
        (true, true) => 16,
        (true, false) => 20,
        (false, true) => 20,
        (false, false) => return false,
    };
    let begins =
        text.first().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    begins && text.len() >= least && random::looks_random(text) && !is_placeholder(text)
}
