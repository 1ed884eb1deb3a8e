//! Room on the stack for the compiler, which calls itself for whatever is nested.

use std::io;
use std::thread::{Builder, scope};

use super::problem::Complaint;

/// A file whose brackets are nested deeper is refused.
pub(super) const DEEPEST: usize = 2000;

/// What a level of brackets needs at most, in bytes: about twice what was measured.
const PER_LEVEL: usize = 8 << 10;

/// What nesting without brackets needs, as in `a = b = c` or `!!!x`, for each byte of the text:
/// about twice what was measured.
const PER_BYTE: usize = 1 << 10;

/// The byte at which `text` is nested too deeply, counting the brackets in strings as well.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    let mut depth: usize = 0;
    text.bytes().position(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST
    })
}

/// Runs `compile` on a stack that is large enough for any text of `length` bytes.
///
/// A large stack costs nothing until it is used.
pub(super) fn with_room<T: Send>(
    length: usize,
    compile: impl FnOnce() -> T + Send,
) -> Result<T, Complaint> {
    let room = DEEPEST * PER_LEVEL + length * PER_BYTE;
    let failed = |error: io::Error| Complaint::new(format!("there is no memory for it: {error}"));
    scope(|threads| {
        let thread = Builder::new().name("compile-script".to_owned()).stack_size(room);
        let running = thread.spawn_scoped(threads, compile).map_err(failed)?;
        // A panic is a mistake in the compiler. It must not end more than this script.
        running.join().map_err(|_panic| Complaint::new("the compiler fails on this file"))
    })
}
