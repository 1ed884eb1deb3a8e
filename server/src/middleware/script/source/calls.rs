//! Where calls stand in a source.
//!
//! For a call that is on the stack, QuickJS reports the last thing that it evaluated before: of
//! `check(a, {⏎ b,⏎ })` the `b`. Here is what stands at the call itself.

use std::collections::HashMap;

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::{AstNode, AstNodes, NodeId, Semantic};
use oxc_span::{GetSpan, Span};

use super::position::Position;

/// How far above a thing a call is looked for that has it as an argument.
const FARTHEST: usize = 64;

/// The calls of a file whose places are not those that QuickJS reports.
#[derive(Debug)]
pub(super) struct Calls(Box<[Call]>);

/// What is known of a frame besides its place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Frame<'a> {
    /// The error comes from here; by its message, a call itself failed.
    FailedCall,
    /// The error comes from here: it was made here, or something went wrong.
    Innermost,
    /// A function of this name was being called.
    Calling(&'a str),
}

#[derive(Debug)]
struct Call {
    /// What QuickJS reports.
    reported: Position,
    /// What is called.
    place: Position,
    /// The name of what is called, if it has one.
    name: Box<str>,
    /// Whether it makes an object.
    makes: bool,
}

impl Calls {
    /// The calls of a program whose source is `text`.
    pub(super) fn of(semantic: &Semantic<'_>, text: &str) -> Self {
        let nodes = semantic.nodes();
        let mut last: HashMap<NodeId, u32> = HashMap::new();
        for (offset, node) in nodes.iter().filter_map(|node| Some((event(node, semantic)?, node))) {
            for call in calls_around(nodes, node.id(), offset) {
                let known = last.entry(call).or_default();
                *known = offset.max(*known);
            }
        }
        let found: Vec<(u32, Callee<'_>)> = nodes
            .iter()
            .filter_map(|node| {
                let callee = Callee::of(node.kind())?;
                let reported = *last.get(&node.id())?;
                (reported != callee.offset).then_some((reported, callee))
            })
            .collect();
        let mut offsets: Vec<u32> = found.iter().flat_map(|(at, it)| [*at, it.offset]).collect();
        offsets.sort_unstable();
        let positions = Position::of_bytes(text, &offsets);
        let position = |offset| positions.get(&offset).copied();
        let mut calls: Vec<Call> = found
            .into_iter()
            .filter_map(|(reported, Callee { offset, name, makes })| {
                let (reported, place) = (position(reported)?, position(offset)?);
                Some(Call { reported, place, name: name.into(), makes })
            })
            .collect();
        // Stable: of those that share a place, the outermost stays the first.
        calls.sort_by_key(|call| call.reported);
        Self(calls.into_boxed_slice())
    }

    /// The place of a frame for which QuickJS reports what stands at `reported`.
    pub(super) fn place(&self, reported: Position, frame: Frame<'_>) -> Position {
        let start = self.0.partition_point(|call| call.reported < reported);
        let calls = || self.0.iter().skip(start).take_while(|call| call.reported == reported);
        let call = match frame {
            Frame::FailedCall => calls().last(),
            Frame::Innermost => {
                let made = || calls().filter(|call| call.makes || call.name.ends_with("Error"));
                made().find(|call| call.name.ends_with("Error")).or_else(|| made().next())
            }
            Frame::Calling(name) => {
                calls().find(|call| *call.name == *name).or_else(|| calls().last())
            }
        };
        call.map_or(reported, |call| call.place)
    }
}

/// What a call calls.
struct Callee<'a> {
    /// Where its name stands, or else where it begins.
    offset: u32,
    name: &'a str,
    makes: bool,
}

impl<'a> Callee<'a> {
    fn of(kind: AstKind<'a>) -> Option<Self> {
        let (callee, makes) = match kind {
            AstKind::CallExpression(call) => (&call.callee, false),
            AstKind::NewExpression(call) => (&call.callee, true),
            _ => return None,
        };
        let (span, name) = named(callee.get_inner_expression());
        Some(Self { offset: span.start, name, makes })
    }
}

fn named<'a>(callee: &'a Expression<'_>) -> (Span, &'a str) {
    match callee {
        Expression::StaticMemberExpression(member) => {
            (member.property.span, member.property.name.as_str())
        }
        Expression::PrivateFieldExpression(member) => {
            (member.field.span, member.field.name.as_str())
        }
        Expression::Identifier(identifier) => (identifier.span, identifier.name.as_str()),
        other => (other.span(), ""),
    }
}

/// Where QuickJS notes a place when it compiles `node`, if it does.
fn event(node: &AstNode<'_>, semantic: &Semantic<'_>) -> Option<u32> {
    let text_at = |offset: u32| semantic.source_text().get(offset as usize..)?.chars().next();
    match node.kind() {
        AstKind::IdentifierReference(identifier) => {
            let reference = identifier.reference_id.get()?;
            let is_value = semantic.scoping().get_reference(reference).is_value();
            let shorthand = matches!(semantic.nodes().parent_kind(node.id()),
                AstKind::ObjectProperty(property) if property.shorthand);
            (is_value && !shorthand).then_some(identifier.span.start)
        }
        AstKind::BinaryExpression(binary) => Some(binary.right.span().start),
        AstKind::NewExpression(call) => Some(call.callee.span().start),
        // The token behind the parenthesis if it is a word, else the word before.
        AstKind::CallExpression(call) => Some(match call.arguments.first() {
            Some(first) if text_at(first.span().start).is_some_and(begins_word) => {
                first.span().start
            }
            _ => named(call.callee.get_inner_expression()).0.start,
        }),
        _ => None,
    }
}

fn begins_word(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '_' | '$')
}

/// The calls in the same function that have what stands at `offset` as an argument.
fn calls_around<'n>(
    nodes: &'n AstNodes<'_>,
    id: NodeId,
    offset: u32,
) -> impl Iterator<Item = NodeId> + 'n {
    let own = std::iter::once(nodes.get_node(id))
        .filter(|node| matches!(node.kind(), AstKind::CallExpression(_)));
    let inside = |node: &&AstNode<'_>| {
        !node.kind().is_function_like() && !matches!(node.kind(), AstKind::Class(_))
    };
    let above = nodes.ancestors(id).take(FARTHEST).take_while(inside);
    own.chain(above).filter(move |node| has_argument(node.kind(), offset)).map(AstNode::id)
}

fn has_argument(kind: AstKind<'_>, offset: u32) -> bool {
    let arguments = match kind {
        AstKind::CallExpression(call) => &call.arguments,
        AstKind::NewExpression(call) => &call.arguments,
        _ => return false,
    };
    arguments.first().is_some_and(|first| first.span().start <= offset)
}
