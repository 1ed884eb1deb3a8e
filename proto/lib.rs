//! Sidehook's wire contract: the messages and services of `sidehook.v1`.
//!
//! [`v1`] is generated from `proto/sidehook/v1`. [`Validate`] checks a request
//! against what its comments promise, [`HookResponse`] gives every hook's
//! response the same shape, and [`ScriptForm`] shows messages to scripts. `proto/README.md` states what may change.

mod fields;
mod script_form;
mod validate;

pub use fields::Fields;
pub use script_form::{
    Marks, Misread, PAYLOAD_MARK, Payloads, ScriptEnum, ScriptForm, ScriptReader, ScriptValue,
    ScriptWriter, Written, parse_answer,
};
pub use validate::{InvalidField, MAX_JSON_DEPTH, Validate};

/// The generated messages, clients and servers.
pub mod v1 {
    #![allow(
        missing_docs,
        unreachable_pub,
        unused_qualifications,
        rustdoc::all,
        clippy::all,
        clippy::pedantic,
        clippy::restriction,
        reason = "generated"
    )]
    include!(concat!(env!("OUT_DIR"), "/sidehook.v1.rs"));
}

mod generated {
    #![allow(clippy::all, clippy::pedantic, unused_mut, reason = "generated")]
    use crate::{
        Answer, Fields, HookRequest, HookResponse, InvalidField, Misread, Outcome, ScriptEnum,
        ScriptForm, ScriptReader, ScriptValue, ScriptWriter, Validate,
        fields::{ToValue, parsed},
        script_form::Shape,
        v1,
        validate::{at_most, each, json_object, json_value, known, required, within},
    };
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}

/// The encoded descriptors of all files, with comments, for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sidehook.bin"));

/// What a chain, or one of its middleware, decided at a hook.
///
/// All four are data: a gRPC status other than OK means that nothing was
/// decided.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<A> {
    /// The hook's own answer; its default has no opinion.
    Answer(A),
    /// Ends the operation.
    Veto(v1::Veto),
    /// Ends the run.
    Tripwire(v1::Tripwire),
    /// A middleware failed, and its fault policy ends the run.
    Failure(v1::Failure),
}

impl<A: Default> Outcome<A> {
    /// No opinion: the operation goes on unchanged.
    #[must_use]
    pub fn none() -> Self {
        Self::Answer(A::default())
    }

    /// Refuses the operation.
    pub fn veto(reason: impl Into<String>) -> Self {
        Self::Veto(v1::Veto { reason: reason.into(), middleware: String::new() })
    }

    /// Ends the run.
    pub fn trip(reason: impl Into<String>) -> Self {
        Self::Tripwire(v1::Tripwire { reason: reason.into(), ..v1::Tripwire::default() })
    }
}

impl<A: Answer> From<A> for Outcome<A> {
    fn from(answer: A) -> Self {
        Self::Answer(answer)
    }
}

/// A hook's own answer message.
pub trait Answer:
    ScriptForm + prost::Message + prost::Name + Default + Clone + PartialEq + 'static
{
    /// The fields that are filled, sorted: what the answer changes.
    fn changed_fields(&self) -> Vec<&'static str>;

    /// The decision, where the hook has one and it was taken, for example
    /// `DENY`.
    fn decision(&self) -> Option<&'static str> {
        None
    }

    /// The middleware that decided, where the answer says so.
    fn decided_by(&self) -> &str {
        ""
    }
}

/// A request that says who asks.
pub trait HookRequest:
    Fields + ScriptForm + prost::Message + prost::Name + Default + Clone + Validate + 'static
{
    /// The hook's response.
    type Response: HookResponse;

    /// Who asks. `None` does not pass [`Validate`].
    fn context(&self) -> Option<&v1::HookContext>;

    /// Takes the context out, leaving none.
    fn take_context(&mut self) -> v1::HookContext;
}

/// A response with an outcome, effects and a report.
pub trait HookResponse: prost::Message + Default + Clone + 'static {
    /// The hook's own answer message.
    type Answer: Answer;
    /// Whether the response can carry a veto.
    const CAN_VETO: bool;
    /// Whether the response can carry effects.
    const HAS_EFFECTS: bool;

    /// Puts a response together. Effects are dropped where the hook has none;
    /// a veto where the hook cannot be vetoed leaves the outcome unset.
    fn from_parts(
        outcome: Outcome<Self::Answer>,
        effects: Option<v1::Effects>,
        report: Option<v1::ChainReport>,
    ) -> Self;

    /// Takes a response apart. An unset outcome is a protocol violation.
    fn into_parts(self) -> (Option<Outcome<Self::Answer>>, v1::Effects, Option<v1::ChainReport>);
}
