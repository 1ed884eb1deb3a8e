//! Gives requests that cannot be decoded the status that the contract promises.
//!
//! tonic decodes a unary request before any of our code runs, and answers
//! `INTERNAL` for broken bytes and `OUT_OF_RANGE` for a message over the limit.
//! Both are the caller's: `INVALID_ARGUMENT` and `RESOURCE_EXHAUSTED`.

use super::CallError;
use futures::future::{FutureExt, Map};
use http::Response;
use std::task::{Context, Poll};
use tonic::{Code, Status, body::Body};
use tower::{Layer, Service};

/// Adds [`DecodeErrors`] around the services.
#[derive(Debug, Clone, Copy, Default)]
pub struct DecodeErrorLayer;

/// Rewrites the status of requests that cannot be decoded.
#[derive(Debug, Clone)]
pub struct DecodeErrors<S>(S);

impl<S> Layer<S> for DecodeErrorLayer {
    type Service = DecodeErrors<S>;

    fn layer(&self, inner: S) -> Self::Service {
        DecodeErrors(inner)
    }
}

type Answered<E> = Result<Response<Body>, E>;

impl<S, R> Service<R> for DecodeErrors<S>
where
    S: Service<R, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Map<S::Future, fn(Answered<S::Error>) -> Answered<S::Error>>;

    fn poll_ready(&mut self, task: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(task)
    }

    fn call(&mut self, request: R) -> Self::Future {
        let corrected: fn(Answered<S::Error>) -> Answered<S::Error> =
            |answered| answered.map(correct);
        self.0.call(request).map(corrected)
    }
}

/// A refusal before decoding has its status in the headers. Our own statuses
/// have neither of the two codes.
fn correct(response: Response<Body>) -> Response<Body> {
    let Some(code) = response.headers().get("grpc-status") else { return response };
    if code != "13" && code != "11" {
        return response;
    }
    let Some(status) = Status::from_header_map(response.headers()) else { return response };
    match status.code() {
        Code::Internal if status.message().starts_with("failed to decode") => {
            CallError::Undecodable(status.message().into()).into_status().into_http()
        }
        Code::OutOfRange => CallError::TooLarge(status.message().into()).into_status().into_http(),
        _ => response,
    }
}
