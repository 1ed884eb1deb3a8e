//! The guards of a configuration that find things in texts.

use super::{
    Kind,
    files::Input,
    found::{Finding, Tally},
    pieces::{Pieces, whole},
    units::{Unit, guess, rewritten, units},
};
use crate::{
    config::Compiled,
    middleware::{Finder, Found, Mask},
};
use std::{
    fs,
    io::{self, Write},
    path::Path,
};

/// Bytes of a JSON document, which is read as a whole.
const MAX_JSON: u64 = 256 << 20;

/// The guards, from the outermost to the innermost.
pub(super) struct Finders<'a>(Vec<(&'a str, &'a dyn Finder)>);

impl<'a> Finders<'a> {
    /// Those of a configuration, or of them only the named.
    pub(super) fn of(compiled: &'a Compiled, only: &[String]) -> Result<Self, String> {
        let links = compiled.chains.links().iter();
        let all: Vec<_> =
            links.filter_map(|link| Some((&*link.name, link.middleware.finder()?))).collect();
        let names =
            || all.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        if all.is_empty() {
            return Err("the configuration has no guard that finds things in texts; add one of \
                        the kind `pii`, `secrets` or `prompt_injection`"
                .to_owned());
        }
        if let Some(unknown) = only.iter().find(|name| all.iter().all(|(known, _)| known != name)) {
            return Err(format!("there is no guard `{unknown}`; there are {}", names()));
        }
        let wanted = |name: &str| only.is_empty() || only.iter().any(|it| it == name);
        Ok(Self(all.into_iter().filter(|(name, _)| wanted(name)).collect()))
    }

    /// Lists what is found in a file.
    pub(super) async fn list(
        &self,
        input: &Input,
        kind: Kind,
        shows: bool,
        tally: &mut Tally,
    ) -> io::Result<()> {
        let (mut line, mut found, mut source) = (1, 0, Source::open(input, kind)?);
        while let Some((kind, piece)) = source.next()? {
            let mut places = Places { piece: &piece, line, at: 0, begins: 0 };
            for unit in units(kind, &piece) {
                for (guard, one) in self.find(&unit).await? {
                    let place = if unit.is_plain { unit.at + one.span.start } else { unit.at };
                    let (line, column) = places.of(place);
                    let shown = unit.text.get(one.span).filter(|_| shows);
                    tally.add(input, &Finding { guard, kind: one.kind, line, column, shown });
                    found += 1;
                }
            }
            line += piece.matches('\n').count();
        }
        tally.file(found);
        Ok(())
    }

    /// What the guards find in a text. What an outer guard finds is not there any
    /// more for an inner one.
    async fn find(&self, unit: &Unit) -> io::Result<Vec<(&'a str, Found)>> {
        let mut all: Vec<(&str, Found)> = Vec::new();
        for (name, finder) in &self.0 {
            let found = finder.find(&unit.member, &unit.text).await;
            let found = found.map_err(|fault| io::Error::other(format!("`{name}` {fault}")))?;
            // Of a text that is found as a whole the parts are still of interest.
            let whole = |span: &std::ops::Range<usize>| *span == (0..unit.text.len());
            let apart = |one: &Found| {
                all.iter().all(|(_, other)| {
                    one.span.end <= other.span.start
                        || other.span.end <= one.span.start
                        || (whole(&other.span) && other.kind == "prompt_injection")
                })
            };
            let new: Vec<_> = found.into_iter().filter(apart).collect();
            all.extend(new.into_iter().map(|one| (*name, one)));
        }
        all.sort_by_key(|(_, one)| one.span.start);
        Ok(all)
    }

    /// Prints the masked text of a file, or writes it back.
    pub(super) fn mask(
        &self,
        input: &Input,
        kind: Kind,
        in_place: bool,
        tally: &mut Tally,
    ) -> io::Result<()> {
        let mut source = Source::open(input, kind)?;
        let mut out: Box<dyn Write> = Box::new(io::stdout().lock());
        let mut file = None;
        if let (Input::File(path), true) = (input, in_place) {
            let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
            let new = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
            out = Box::new(io::BufWriter::new(new.reopen()?));
            file = Some((path, new));
        }
        let mut masks: Vec<Mask<'_>> = self.0.iter().map(|(_, finder)| finder.mask()).collect();
        let mut changed = false;
        while let Some((kind, piece)) = source.next()? {
            let masked = rewritten(kind, &piece, &mut |member, text| all(&mut masks, member, text));
            changed |= masked.is_some();
            out.write_all(masked.as_deref().unwrap_or(&piece).as_bytes())?;
        }
        out.flush()?;
        drop(out);
        if let Some((path, new)) = file.filter(|_| changed) {
            fs::set_permissions(new.path(), fs::metadata(path)?.permissions())?;
            new.persist(path)?;
        }
        tally.file(usize::from(changed));
        Ok(())
    }
}

/// What all guards make of a text, one after the other.
fn all(masks: &mut [Mask<'_>], member: &str, text: &str) -> Option<String> {
    let mut masked: Option<String> = None;
    for mask in masks {
        if let Some(new) = mask(member, masked.as_deref().unwrap_or(text)) {
            masked = Some(new);
        }
    }
    masked
}

/// A file in pieces of one kind.
enum Source {
    /// A document as a whole.
    Whole(Kind, Option<String>),
    /// The first piece, from which the kind was told, and the others.
    Pieces(Kind, Option<String>, Pieces),
}

impl Source {
    fn open(input: &Input, kind: Kind) -> io::Result<Self> {
        let ending = input.ending();
        if guess(kind, &ending, "") == Kind::Json {
            return Ok(Self::Whole(Kind::Json, Some(whole(input.open()?, MAX_JSON)?)));
        }
        let mut pieces = Pieces::new(input.open()?);
        let first = pieces.next()?;
        let kind = guess(kind, &ending, first.as_deref().unwrap_or_default());
        Ok(Self::Pieces(kind, first, pieces))
    }

    fn next(&mut self) -> io::Result<Option<(Kind, String)>> {
        Ok(match self {
            Self::Whole(kind, text) => text.take().map(|text| (*kind, text)),
            Self::Pieces(kind, first, pieces) => {
                let piece = match first.take() {
                    None => pieces.next()?,
                    first => first,
                };
                piece.map(|piece| (*kind, piece))
            }
        })
    }
}

/// Counts lines and columns, from one place to the next.
struct Places<'a> {
    piece: &'a str,
    line: usize,
    at: usize,
    /// Where the line begins.
    begins: usize,
}

impl Places<'_> {
    /// The line and the column of a place that is not before the last one.
    fn of(&mut self, place: usize) -> (usize, usize) {
        let passed = self.piece.get(self.at..place).unwrap_or_default();
        if let Some(last) = passed.rfind('\n') {
            self.line += passed.matches('\n').count();
            self.begins = self.at + last + 1;
        }
        self.at = place;
        let before = self.piece.get(self.begins..place).unwrap_or_default();
        (self.line, before.chars().count() + 1)
    }
}
