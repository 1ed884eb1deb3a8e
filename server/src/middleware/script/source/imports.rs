//! Which modules a file imports when it runs.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, ImportDeclarationSpecifier, Program, Statement, StringLiteral};
use oxc_semantic::{AstNodes, Scoping};

/// The name in one `import` or `export … from`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// The name.
    pub(super) specifier: String,
    /// The byte of the source at which the name's quotes begin.
    pub(super) offset: usize,
}

impl Import {
    fn new(source: &StringLiteral<'_>) -> Self {
        Self { specifier: source.value.to_string(), offset: source.span.start as usize }
    }
}

/// The imports that stand in `program` as it is.
pub(super) fn written(program: &Program<'_>) -> Vec<Import> {
    program.body.iter().filter_map(source_of).map(Import::new).collect()
}

/// The imports of `program` that will be left once its types are gone.
///
/// For a file with mistakes, whose types cannot be removed.
pub(super) fn of_values(program: &Program<'_>, scoping: &Scoping) -> Vec<Import> {
    let stays = |statement: &&Statement<'_>| match statement {
        Statement::ImportDeclaration(import) => {
            let names = import.specifiers.as_deref();
            import.import_kind.is_value()
                && names.is_none_or(|names| names.iter().any(|name| is_value(name, scoping)))
        }
        Statement::ExportAllDeclaration(export) => export.export_kind.is_value(),
        Statement::ExportFromDeclaration(export) => export.export_kind.is_value(),
        _ => false,
    };
    program.body.iter().filter(stays).filter_map(source_of).map(Import::new).collect()
}

/// The modules that `import(…)` expressions name literally.
pub(super) fn dynamic(nodes: &AstNodes<'_>) -> Vec<Import> {
    nodes.iter().filter_map(|node| expression(node.kind())).collect()
}

fn expression(kind: AstKind<'_>) -> Option<Import> {
    let AstKind::ImportExpression(import) = kind else { return None };
    match import.source.without_parentheses() {
        Expression::StringLiteral(literal) => Some(Import::new(literal)),
        Expression::TemplateLiteral(template) => {
            let specifier = template.single_quasi()?.to_string();
            Some(Import { specifier, offset: template.span.start as usize })
        }
        _ => None,
    }
}

fn source_of<'p, 'a>(statement: &'p Statement<'a>) -> Option<&'p StringLiteral<'a>> {
    match statement {
        Statement::ImportDeclaration(import) => Some(&import.source),
        Statement::ExportAllDeclaration(export) => Some(&export.source),
        Statement::ExportFromDeclaration(export) => Some(&export.source),
        _ => None,
    }
}

fn is_value(name: &ImportDeclarationSpecifier<'_>, scoping: &Scoping) -> bool {
    let is_type = matches!(name, ImportDeclarationSpecifier::ImportSpecifier(name)
        if name.import_kind.is_type());
    let symbol = name.local().symbol_id.get();
    let used = |symbol| scoping.get_resolved_references(symbol).any(|it| it.is_value());
    !is_type && symbol.is_some_and(used)
}
