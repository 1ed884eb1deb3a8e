//! Random values and digests for `crypto.js`.

#![expect(clippy::needless_pass_by_value, reason = "the engine gives arguments by value")]

use rquickjs::{ArrayBuffer, Ctx, Exception, Function, Object, Result, TypedArray};
use sha2::{Digest as _, Sha256, Sha384, Sha512};
use uuid::Uuid;

use super::bytes;

/// Defines what `crypto.js` calls.
pub(super) fn define(native: &Object<'_>) -> Result<()> {
    let ctx = native.ctx();
    native.set("uuid", Function::new(ctx.clone(), || Uuid::new_v4().to_string())?)?;
    native.set("random", Function::new(ctx.clone(), random)?)?;
    native.set("digest", Function::new(ctx.clone(), digest)?)
}

fn random(ctx: Ctx<'_>, length: usize) -> Result<TypedArray<'_, u8>> {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).map_err(|error| {
        Exception::throw_message(&ctx, &format!("the system has no random bytes: {error}"))
    })?;
    TypedArray::new_copy(ctx, bytes)
}

fn digest(ctx: Ctx<'_>, algorithm: String, hex: String) -> Result<ArrayBuffer<'_>> {
    let bytes = bytes::from_hex(&ctx, &hex)?;
    let digest = match algorithm.as_str() {
        "SHA-256" => Sha256::digest(bytes).to_vec(),
        "SHA-384" => Sha384::digest(bytes).to_vec(),
        "SHA-512" => Sha512::digest(bytes).to_vec(),
        _ => return Err(Exception::throw_type(&ctx, "the digest's algorithm is unknown")),
    };
    ArrayBuffer::new_copy(ctx, digest)
}
