//! Whether a single space ends a segment: what stands on its two sides decides.

use super::chars::Class;

/// Whether a number or its label may end before a space.
pub(super) const fn may_continue(last: Class) -> bool {
    matches!(last, Class::Digit | Class::Neutral | Class::Close | Class::Upper | Class::Colon)
}

/// Whether the parts on both sides of a single space may belong to one number.
pub(super) fn joined(left: Class, numbered: bool, right: Class) -> bool {
    match right {
        Class::Open => may_continue(left) && left != Class::Upper,
        Class::Upper => is_digit(left) || (left == Class::Upper && numbered),
        _ => is_digit(right) && may_continue(left),
    }
}

/// Whether the word that a character of this class ends or goes on holds a digit;
/// `last` is the class before it.
#[inline]
pub(super) fn is_numbered(before: bool, last: Class, class: Class) -> bool {
    is_digit(class) || (before && (is_digit(last) || matches!(last, Class::Upper | Class::Lower)))
}

fn is_digit(class: Class) -> bool {
    matches!(class, Class::Digit | Class::Neutral)
}

/// Whether a space behind a character of class `left` ends a segment before what
/// follows, if anything does.
#[inline]
pub(super) fn splits(left: Class, numbered: bool, right: Option<Class>) -> bool {
    let apart = |right| match right {
        // It ends, but only behind that.
        Class::Space | Class::Break | Class::Joiner => false,
        _ => !joined(left, numbered, right),
    };
    !may_continue(left) || right.is_some_and(apart)
}
