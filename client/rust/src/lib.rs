//! The Rust client of Sidehook: one method per hook of an agent's run.
//!
//! ```no_run
//! use sidehook_client::{Apply, CallFailure, Client, HookError, v1};
//! # async fn ask_model(_: v1::ModelCall) -> Result<v1::ChatResponse, CallFailure> { todo!() }
//!
//! # async fn f() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::connect("unix:///run/sidehook/sidehook.sock")?;
//! client.wait_for_sidecar(std::time::Duration::from_secs(10)).await?;
//!
//! let context = v1::HookContext { agent_name: "support".into(), ..Default::default() };
//! let (mut run, started) = client.start_run(context).await?;
//! run.set_iteration(1);
//!
//! let mut messages = vec![v1::Message::default()];
//! let asked = v1::BeforeModelRequest { messages: messages.clone(), ..Default::default() };
//! let reply = run.before_model(asked).await?;
//! reply.answer.apply_to(&mut messages);
//! if let Some(stop) = reply.effects.stop {
//!     println!("{} stops the run: {}", stop.middleware, stop.reason);
//! }
//!
//! let request = v1::ChatRequest { messages, ..Default::default() };
//! let call = v1::ModelCall { model: "openai/gpt-5".into(), request: Some(request) };
//! match run.wrap_model_call(call, |call| async { ask_model(call).await }).await {
//!     Ok(wrapped) => println!("{:?}", wrapped.output),
//!     Err(HookError::Tripped { tripwire, .. }) => println!("refused: {}", tripwire.reason),
//!     Err(error) => return Err(error.into()),
//! }
//! # let _ = started;
//! # Ok(()) }
//! ```
//!
//! # What comes back
//!
//! | What the chain decides | What the method gives | Why |
//! | --- | --- | --- |
//! | an answer | [`Reply`], with its effects | absent fields mean unchanged: [`Apply`] |
//! | a veto | [`Decision::Vetoed`], on the hooks that can be refused | one operation ends, the run goes on |
//! | a tripwire | [`HookError::Tripped`] | the run ends, so `?` is right |
//! | a failure | [`HookError::Failed`] | the run ends, or tries its next model |
//! | nothing | [`HookError::NoAnswer`] | see [`Error`] and [`OnUnreachable`] |
//!
//! # Without a sidecar
//!
//! [`OnUnreachable`] says what a hook gives when the sidecar refuses connections, a connection
//! breaks, or the deadline passes. It is never applied to a decision, and not to anything that
//! Sidehook itself answers: a bad request, an ended run, overload, draining.
//!
//! A unary hook whose connection broke is sent once more, with the same `hook_call_id`, so that
//! no middleware runs twice.

mod apply;
mod builder;
mod client;
mod codec;
mod error;
mod hook;
mod hook_error;
mod hooks;
mod plan;
mod reply;
mod run;
mod unary;
mod wait;
mod wrap;

pub use apply::Apply;
pub use builder::{ClientBuilder, OnUnreachable};
pub use client::Client;
pub use error::Error;
pub use hook_error::HookError;
pub use reply::{Decision, Origin, Reply};
pub use run::Run;
pub use sidehook_proto::v1;
pub use tonic::Code;
pub use wrap::{Approval, CallFailure, Delta, Deltas, LogicalCall, Wrapped};
