//! Compiles one file: checks it, removes its types, and remembers where everything came from.

use std::path::{Path, PathBuf};

use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::Program;
use oxc_codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc_diagnostics::Diagnostics;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_semantic::{Scoping, Semantic, SemanticBuilder};
use oxc_span::{GetSpan, SourceType};
use oxc_transformer::{TransformOptions, Transformer};

use super::calls::{Calls, Frame};
use super::depth::{DEEPEST, too_deep, with_room};
use super::language::Language;
use super::mappings::Mappings;
use super::position::{Position, byte_in_quickjs};
use super::problem::{Complaint, SourceProblem};
use super::{diagnostics, exports, imports, imports::Import, json};

/// How many problems of one kind are reported of a file.
pub(super) const MOST_PROBLEMS: usize = 100;

/// What stands before generated code.
///
/// On the first line, QuickJS counts some columns from zero and some from one.
const FIRST_LINE: &str = "\n";

/// JavaScript, and how its places are those of the file.
#[derive(Debug)]
pub(super) struct Code {
    /// The JavaScript.
    pub(super) text: String,
    /// Where it came from.
    pub(super) origin: Origin,
}

/// Where generated code came from.
#[derive(Debug)]
pub(super) enum Origin {
    /// A script.
    Script(Mappings, Calls),
    /// A file of data, in which nothing is run.
    Data,
}

/// What came of a file.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    /// The code, if nothing is wrong.
    pub(super) code: Option<Code>,
    /// What it imports, as far as it can be told.
    pub(super) imports: Vec<Import>,
    /// What is wrong.
    pub(super) problems: Vec<SourceProblem>,
}

/// Compiles the text of a file that messages call `name`.
///
/// `implied_export`: whether a file without exports exports all that it defines.
pub(super) fn compile(
    name: &str,
    text: &str,
    language: Language,
    implied_export: bool,
) -> Compiled {
    let file = SourceFile { name, text, implied_export };
    if let Some(offset) = too_deep(text) {
        let complaint = Complaint::new(format!("the file is nested deeper than {DEEPEST} levels"));
        return Compiled::wrong(complaint.at_byte(name, text, offset));
    }
    let compiled = with_room(text.len(), || match language {
        Language::TypeScript => file.compile(SourceType::ts().with_module(true)),
        Language::JavaScript => file.compile(SourceType::mjs()),
        Language::Json => file.compile_json(),
    });
    compiled.unwrap_or_else(|complaint| Compiled::wrong(complaint.at(name, Position::START)))
}

impl Compiled {
    fn wrong(problem: SourceProblem) -> Self {
        Self { problems: vec![problem], ..Self::default() }
    }
}

/// A file on its way through the compiler.
struct SourceFile<'s> {
    name: &'s str,
    text: &'s str,
    implied_export: bool,
}

impl SourceFile<'_> {
    fn compile(&self, source_type: SourceType) -> Compiled {
        let allocator = Allocator::default();
        let parsed = parse(&allocator, self.text, source_type);
        let mut problems = self.syntax_problems(&parsed, source_type);
        let ParserReturn { mut program, panicked, .. } = parsed;
        if panicked {
            return Compiled { problems, ..Compiled::default() };
        }
        let checked = SemanticBuilder::new_compiler()
            .with_enum_eval(true)
            .with_build_nodes(true)
            .build(&program);
        problems.extend(self.problems(&checked.diagnostics));
        problems.extend(self.decorators(&checked.semantic));
        let dynamic = imports::dynamic(checked.semantic.nodes());
        let calls = Calls::of(&checked.semantic, self.text);
        let scoping = checked.semantic.into_scoping();
        let implied = if self.implied_export { exports::implied(&program) } else { None };

        if !problems.is_empty() {
            let mut imports = if source_type.is_typescript() {
                imports::of_values(&program, &scoping)
            } else {
                imports::written(&program)
            };
            imports.extend(dynamic);
            return Compiled { code: None, imports, problems };
        }
        if source_type.is_typescript() {
            problems = self.remove_types(&allocator, &mut program, scoping);
        }
        let mut imports = imports::written(&program);
        imports.extend(dynamic);
        let code = problems.is_empty().then(|| generate(&mut program, calls, implied.as_deref()));
        Compiled { code, imports, problems }
    }

    fn compile_json(&self) -> Compiled {
        match json::compile(self.name, self.text) {
            Ok(text) => {
                Compiled { code: Some(Code { text, origin: Origin::Data }), ..Compiled::default() }
            }
            Err(problem) => Compiled::wrong(problem),
        }
    }

    /// What the parser says, in the words of whoever wrote the file.
    fn syntax_problems(
        &self,
        parsed: &ParserReturn<'_>,
        source_type: SourceType,
    ) -> Vec<SourceProblem> {
        let problems = self.problems(&parsed.diagnostics);
        let Some(first) = problems.first() else { return problems };
        // In TypeScript, JSX is read as a type in angle brackets, and the messages are about that.
        let allocator = Allocator::default();
        let with_jsx = parse(&allocator, self.text, source_type.with_jsx(true));
        if with_jsx.diagnostics.is_empty() {
            let message = "JSX is not supported".to_owned();
            return vec![SourceProblem { message, help: None, ..first.clone() }];
        }
        problems
    }

    /// QuickJS does not know decorators.
    fn decorators(&self, semantic: &Semantic<'_>) -> Vec<SourceProblem> {
        let decorators = semantic.nodes().iter().filter_map(|node| match node.kind() {
            AstKind::Decorator(decorator) => Some(decorator.span()),
            _ => None,
        });
        decorators
            .take(MOST_PROBLEMS)
            .map(|span| {
                Complaint::new("decorators are not supported")
                    .help("call a function on the class or the value instead".to_owned())
                    .at_byte(self.name, self.text, span.start as usize)
            })
            .collect()
    }

    /// Removes types, and lowers nothing that the language has.
    fn remove_types<'a>(
        &self,
        allocator: &'a Allocator,
        program: &mut Program<'a>,
        scoping: Scoping,
    ) -> Vec<SourceProblem> {
        let options = TransformOptions::default();
        let transformer = Transformer::new(allocator, Path::new(self.name), &options);
        // Also the warnings: they are about what would be missing in the output.
        self.problems(&transformer.build_with_scoping(scoping, program).diagnostics)
    }

    fn problems(&self, diagnostics: &Diagnostics) -> Vec<SourceProblem> {
        let problem = |it| diagnostics::problem(self.name, self.text, it);
        diagnostics.iter().take(MOST_PROBLEMS).map(problem).collect()
    }
}

fn parse<'a>(allocator: &'a Allocator, text: &'a str, source_type: SourceType) -> ParserReturn<'a> {
    // QuickJS would not say where a regular expression is that is wrong.
    let options = ParseOptions { parse_regular_expression: true, ..ParseOptions::default() };
    Parser::new(allocator, text, source_type).with_options(options).parse()
}

/// Writes `program` as JavaScript, with a last line.
fn generate(program: &mut Program<'_>, calls: Calls, last: Option<&str>) -> Code {
    // It would have to be the first line.
    program.hashbang = None;
    let options = CodegenOptions {
        comments: CommentOptions::disabled(),
        source_map_path: Some(PathBuf::new()),
        ..CodegenOptions::default()
    };
    let generated = Codegen::new().with_options(options).build(program);
    let mappings = Mappings::new(&generated.map.unwrap_or_default());
    let text = [FIRST_LINE, &generated.code, last.unwrap_or_default()].concat();
    Code { text, origin: Origin::Script(mappings, calls) }
}

impl Code {
    /// The place in the source of what QuickJS reports at `line` and `column`.
    pub(super) fn source_of(&self, line: u32, column: u32) -> Option<Position> {
        let Origin::Script(mappings, _) = &self.origin else { return Some(Position::START) };
        let offset = byte_in_quickjs(&self.text, line, column)?;
        let generated = self.text.get(FIRST_LINE.len()..)?;
        mappings.source_of(Position::of_byte(generated, offset.saturating_sub(FIRST_LINE.len())))
    }

    /// As [`Code::source_of`], for a place on the stack.
    pub(super) fn source_of_frame(
        &self,
        line: u32,
        column: u32,
        frame: Frame<'_>,
    ) -> Option<Position> {
        let reported = self.source_of(line, column)?;
        match &self.origin {
            Origin::Script(_, calls) => Some(calls.place(reported, frame)),
            Origin::Data => Some(reported),
        }
    }
}
