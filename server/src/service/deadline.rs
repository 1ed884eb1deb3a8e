//! The caller's deadline, from its headers.

use http::HeaderMap;
use std::time::Duration;
use tokio::time::Instant;
use tonic::Request;

/// tonic answers a deadline with `CANCELLED` when it passes. Ours passes a
/// little earlier, so that the caller reads `DEADLINE_EXCEEDED`.
const MARGIN: Duration = Duration::from_millis(2);

/// When the caller stops waiting.
#[derive(Debug, Clone, Copy)]
struct Deadline(Instant);

/// Starts the clock of a request when its headers arrive, as tonic does. Its body
/// may come later than [`MARGIN`].
pub(super) fn start<B>(mut request: http::Request<B>) -> http::Request<B> {
    if let Some(deadline) = from_now(request.headers()) {
        request.extensions_mut().insert(Deadline(deadline));
    }
    request
}

/// When the caller stops waiting, if it said so.
pub(super) fn of<T>(request: &Request<T>) -> Option<Instant> {
    let started = request.extensions().get::<Deadline>().map(|deadline| deadline.0);
    started.or_else(|| from_now(request.metadata().as_ref()))
}

fn from_now(headers: &HeaderMap) -> Option<Instant> {
    let limit = parse(headers.get("grpc-timeout")?.to_str().ok()?)?;
    Instant::now().checked_add(limit.saturating_sub(MARGIN.min(limit / 10)))
}

/// A timeout as gRPC writes it: at most 8 digits and a unit.
fn parse(text: &str) -> Option<Duration> {
    let unit = text.chars().last()?;
    let amount = text.strip_suffix(unit)?;
    if amount.is_empty() || amount.len() > 8 || !amount.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = amount.parse().ok()?;
    match unit {
        'H' => Some(Duration::from_secs(amount * 3600)),
        'M' => Some(Duration::from_secs(amount * 60)),
        'S' => Some(Duration::from_secs(amount)),
        'm' => Some(Duration::from_millis(amount)),
        'u' => Some(Duration::from_micros(amount)),
        'n' => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_digits_and_a_unit() {
        assert_eq!(parse("250m"), Some(Duration::from_millis(250)));
        assert_eq!(parse("99999999H"), Some(Duration::from_secs(99_999_999 * 3600)));
        for wrong in ["", "m", "1", "-1S", "123456789S", "5s", "5é"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
