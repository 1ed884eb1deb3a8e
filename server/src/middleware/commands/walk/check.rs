//! Checks a text, command by command.

use super::{
    code, fallback, find, input::Input, interpreter, known::Known, program, shell, wrappers,
};
use crate::middleware::commands::{
    allowed::Allowed,
    arguments::Arguments,
    finding::{Finding, Findings, Severity},
    git, host, service,
    syntax::{Redirect, RedirectKind, Script, Stage, Variables, Word, parse, static_output},
};

/// How deeply a text may run others.
const DEEPEST: u8 = 6;

/// How many commands are followed.
const MOST: usize = 2000;

/// Says what is dangerous in a command.
#[derive(Debug, Clone, Default)]
pub struct Checker {
    allowed: Vec<Allowed>,
}

impl Checker {
    /// A checker that lets these commands pass.
    #[must_use]
    pub fn new(allowed: Vec<Allowed>) -> Self {
        Self { allowed }
    }

    /// What is dangerous in a text that a shell would run.
    #[must_use]
    pub fn text(&self, text: &str) -> Vec<Finding> {
        let mut found = Findings::default();
        if !service::statement(text, &mut found) {
            let mut walk = Walk::new(&mut found, &self.allowed);
            if code::is_program(text) {
                code::judge(&mut walk, text, false);
            }
            walk.text(text);
        }
        found.into_vec()
    }

    /// What is dangerous in a program with its arguments, which no shell reads.
    #[must_use]
    pub fn words<'t>(&self, words: impl IntoIterator<Item = &'t str>) -> Vec<Finding> {
        let mut found = Findings::default();
        let words: Vec<_> = words.into_iter().map(Word::plain).collect();
        Walk::new(&mut found, &self.allowed).inner(&words, &Stage::default(), &Input::None);
        found.into_vec()
    }
}

/// Follows what a text runs.
#[derive(Debug)]
pub(super) struct Walk<'f> {
    pub(super) found: &'f mut Findings,
    allowed: &'f [Allowed],
    variables: Variables,
    pub(super) known: Known,
    depth: u8,
    commands: usize,
}

impl<'f> Walk<'f> {
    fn new(found: &'f mut Findings, allowed: &'f [Allowed]) -> Self {
        let (variables, known) = (Variables::default(), Known::default());
        Self { found, allowed, variables, known, depth: 0, commands: 0 }
    }

    /// Follows a text that a shell runs.
    pub(super) fn text(&mut self, text: &str) {
        if self.depth >= DEEPEST {
            return self.too_deep();
        }
        self.depth = self.depth.saturating_add(1);
        match parse(text, &mut self.variables) {
            Ok(script) => self.script(&script, &Input::None),
            Err(_) => fallback::lines(text, self),
        }
        self.depth = self.depth.saturating_sub(1);
    }

    pub(super) fn script(&mut self, script: &Script, input: &Input) {
        for pipeline in &script.pipelines {
            if self.commands > MOST {
                return;
            }
            let mut passed: Option<Input> = None;
            for stage in &pipeline.stages {
                let input = passed.as_ref().unwrap_or(input);
                self.stage(stage, input);
                passed = Some(Input::of(stage, input));
            }
        }
    }

    fn stage(&mut self, stage: &Stage, input: &Input) {
        for nested in &stage.nested {
            self.script(nested, &Input::None);
        }
        if let (Some(name), Some(body)) = (&stage.function, &stage.body)
            && multiplies(name, body)
        {
            let reason = "It starts itself until nothing else can run";
            self.found.host(Severity::Dangerous, "fork-bomb", reason);
        }
        if let Some(body) = &stage.body {
            let folder = self.known.folder.clone();
            self.script(body, input);
            self.known.folder = folder;
        }
        for Redirect { kind, target } in &stage.redirects {
            match kind {
                RedirectKind::Write => host::written(target, true, self.found),
                RedirectKind::Append => host::written(target, false, self.found),
                RedirectKind::Read | RedirectKind::Text | RedirectKind::Descriptor => {}
            }
        }
        self.command(&stage.words, stage, input);
        if !stage.redirects.is_empty() || stage.words.first().is_some_and(|word| word.text == "tee")
        {
            self.known.write(stage, static_output(stage, input.given(stage)));
        }
    }

    /// Follows a command that another one runs with words of its own.
    pub(super) fn inner(&mut self, words: &[Word], stage: &Stage, input: &Input) {
        if self.depth >= DEEPEST {
            return self.too_deep();
        }
        self.depth = self.depth.saturating_add(1);
        self.command(words, stage, input);
        self.depth = self.depth.saturating_sub(1);
    }

    fn too_deep(&mut self) {
        let reason = "It runs itself through too many others";
        self.found.host(Severity::Caution, "too-deep", reason);
    }

    /// Follows a command, or judges it.
    fn command(&mut self, words: &[Word], stage: &Stage, input: &Input) {
        let mut words = words;
        let (program, first, rest) = loop {
            let Some((first, rest)) = words.split_first() else { return };
            if self.allowed.iter().any(|allowed| allowed.fits(words)) {
                return;
            }
            let program = program::name(first);
            match wrappers::inner(&program, rest) {
                Some(inner) => words = inner,
                None => break (program, first, rest),
            }
        };
        let program = program.as_ref();
        self.commands = self.commands.saturating_add(1);
        if self.commands > MOST {
            self.found.host(Severity::Caution, "too-large", "It runs more than can be followed");
            return;
        }
        let followed = shell::follow(self, program, rest, stage, input)
            || interpreter::follow(self, program, rest, stage, input);
        if followed {
            return;
        }
        if first.text.contains('/')
            && let Some(text) = self.known.file(&first.text)
        {
            return self.text(&text);
        }
        match program {
            "cd" | "pushd" => self.known.enter(Arguments(rest).operands().next()),
            "popd" => self.known.folder = None,
            "find" | "gfind" => {
                let located = self.known.located(find::roots_in(rest));
                let whole: Vec<_> =
                    located.iter().chain(find::after_roots(rest)).cloned().collect();
                find::find(self, &whole, stage);
            }
            "rm" | "shred" | "chmod" | "chown" | "mv" | "tee" | "truncate" | "unlink" | "rmdir" => {
                let located = self.known.located(rest).into_owned();
                self.judge(program, &located, stage, input);
            }
            "git" => git::judge(rest, self.found),
            _ if first.dynamic => self.unknown(first, rest, stage),
            _ => self.judge(program, rest, stage, input),
        }
    }

    fn judge(&mut self, program: &str, rest: &[Word], stage: &Stage, input: &Input) {
        let arguments = Arguments(rest);
        host::judge(program, arguments, self.found);
        service::judge(program, arguments, self.found);
        if let Some(text) = input.given(stage) {
            match program {
                "mysql" | "mariadb" | "psql" | "sqlite3" | "sqlcmd" | "cqlsh"
                | "clickhouse-client" => {
                    service::sql(text, self.found);
                }
                "socat" | "nc" | "ncat" | "nsupdate" => {
                    service::spoken(program, rest, text, self.found);
                }
                "redis-cli" | "valkey-cli" => service::redis(text, self.found),
                "mongosh" | "mongo" => service::mongo(text, self.found),
                _ => {}
            }
        }
    }

    /// A program whose name is only known when it runs is taken for the worst
    /// one that has such arguments.
    fn unknown(&mut self, first: &Word, rest: &[Word], stage: &Stage) {
        let nested = first.source.and_then(|source| stage.nested.get(source));
        if nested.is_some_and(Input::fetches) {
            self.downloaded();
        }
        let arguments = Arguments(rest);
        if arguments.short('r') && arguments.short('f') {
            host::judge("rm", arguments, self.found);
        }
    }

    /// Notes that a text from somewhere else is run.
    pub(super) fn downloaded(&mut self) {
        let reason = "It runs what it takes from the network";
        self.found.host(Severity::Caution, "run-downloaded", reason);
    }

    /// Notes that a text is run that nobody can read here.
    pub(super) fn hidden(&mut self) {
        let reason = "It runs a text that cannot be read beforehand";
        self.found.host(Severity::Caution, "run-hidden", reason);
    }
}

/// Whether a function starts itself more than once, or and goes on.
fn multiplies(name: &str, body: &Script) -> bool {
    body.pipelines.iter().any(|pipeline| {
        let calls = pipeline
            .stages
            .iter()
            .filter(|stage| stage.words.first().is_some_and(|word| word.text == name));
        let calls = calls.count();
        let inner = pipeline.stages.iter().filter_map(|stage| stage.body.as_ref());
        calls > 1
            || (calls > 0 && pipeline.background)
            || inner.into_iter().any(|body| multiplies(name, body))
    })
}
