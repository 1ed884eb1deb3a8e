//! The names that a file without exports defines.

use oxc_ast::ast::{Declaration, Program, Statement};

/// The export that makes a file's values reachable which has no export of its own.
///
/// The documents print middleware as `const noEmails: RunMiddleware = {…}`, and such a file is
/// saved as it is. `None` for a file that exports something, or that has nothing to export.
pub(super) fn implied(program: &Program<'_>) -> Option<String> {
    if program.body.iter().any(is_export) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for name in program.body.iter().filter_map(Statement::as_declaration).flat_map(values) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| format!("export {{ {} }};\n", names.join(", ")))
}

fn is_export(statement: &Statement<'_>) -> bool {
    statement.is_module_declaration() && !matches!(statement, Statement::ImportDeclaration(_))
}

/// The names of the values that a declaration defines. Enums and namespaces are no middleware.
fn values<'p>(declaration: &'p Declaration<'_>) -> Vec<&'p str> {
    if declaration.declare() {
        return vec![];
    }
    match declaration {
        Declaration::VariableDeclaration(variables) => variables
            .declarations
            .iter()
            .flat_map(|variable| variable.id.get_binding_identifiers())
            .map(|binding| binding.name.as_str())
            .collect(),
        Declaration::FunctionDeclaration(function) if function.body.is_none() => vec![],
        Declaration::FunctionDeclaration(_) | Declaration::ClassDeclaration(_) => {
            declaration.id().map(|id| id.name.as_str()).into_iter().collect()
        }
        _ => vec![],
    }
}
