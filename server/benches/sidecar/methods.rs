//! The methods that are measured, each with a request that carries 1 KB.

use sidehook_proto::v1;
use std::sync::atomic::{AtomicU64, Ordering};

/// A unary method of the contract.
pub(crate) trait Method: Send + Sync + 'static {
    const SERVICE: &'static str;
    const PATH: &'static str;
    type Request: prost::Message + Default + Clone + Send + Sync + 'static;
    type Response: prost::Message + Default + Clone + Send + Sync + 'static;

    /// What a caller sends.
    fn request(context: v1::HookContext) -> Self::Request;

    /// Makes it another call of the same kind.
    fn renew(_request: &mut Self::Request) {}
}

pub(crate) struct BeforeRun;

impl Method for BeforeRun {
    const SERVICE: &'static str = "sidehook.v1.RunHooks";
    const PATH: &'static str = "/sidehook.v1.RunHooks/BeforeRun";
    type Request = v1::BeforeRunRequest;
    type Response = v1::BeforeRunResponse;

    fn request(context: v1::HookContext) -> Self::Request {
        Self::Request { context: Some(context), input: kilobyte(), ..Self::Request::default() }
    }
}

/// [`BeforeRun`] as Sidehook's clients send it: each call has an id, by which a
/// repeat is known.
pub(crate) struct Repeatable;

impl Method for Repeatable {
    const SERVICE: &'static str = BeforeRun::SERVICE;
    const PATH: &'static str = BeforeRun::PATH;
    type Request = v1::BeforeRunRequest;
    type Response = v1::BeforeRunResponse;

    fn request(context: v1::HookContext) -> Self::Request {
        BeforeRun::request(context)
    }

    fn renew(request: &mut Self::Request) {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let call = CALLS.fetch_add(1, Ordering::Relaxed);
        request.context.get_or_insert_default().hook_call_id = format!("call-{call:032}");
    }
}

pub(crate) struct UserMessageInbound;

impl Method for UserMessageInbound {
    const SERVICE: &'static str = "sidehook.v1.PlatformHooks";
    const PATH: &'static str = "/sidehook.v1.PlatformHooks/UserMessageInbound";
    type Request = v1::UserMessageInboundRequest;
    type Response = v1::UserMessageInboundResponse;

    fn request(context: v1::HookContext) -> Self::Request {
        Self::Request { context: Some(context), text: kilobyte(), ..Self::Request::default() }
    }
}

pub(crate) struct BeforeToolCall;

impl Method for BeforeToolCall {
    const SERVICE: &'static str = "sidehook.v1.RunHooks";
    const PATH: &'static str = "/sidehook.v1.RunHooks/BeforeToolCall";
    type Request = v1::BeforeToolCallRequest;
    type Response = v1::BeforeToolCallResponse;

    fn request(context: v1::HookContext) -> Self::Request {
        let tool_call = v1::ToolCall {
            id: "call-1".into(),
            name: "shell".into(),
            arguments_json: format!(r#"{{"command":"echo {}"}}"#, kilobyte()),
            ..v1::ToolCall::default()
        };
        let tool_call = Some(tool_call);
        Self::Request { context: Some(context), tool_call, ..Self::Request::default() }
    }
}

/// The frame that opens a call to a model, with 1 KB of conversation.
pub(crate) fn open(context: v1::HookContext) -> v1::WrapModelCallOpen {
    let message = v1::Message {
        role: "user".into(),
        content: Some(v1::message::Content::Text(kilobyte())),
        ..v1::Message::default()
    };
    let request = v1::ChatRequest { messages: vec![message], ..v1::ChatRequest::default() };
    v1::WrapModelCallOpen {
        context: Some(context),
        call: Some(v1::ModelCall { model: "acme/large".into(), request: Some(request) }),
        streaming: false,
    }
}

/// The frame that ends it, with 1 KB of answer.
pub(crate) fn end() -> v1::ModelEnd {
    let content = Some(v1::chat_response::Content::Text(kilobyte()));
    let response = v1::ChatResponse { content, ..v1::ChatResponse::default() };
    v1::ModelEnd { invocation: 1, response: Some(response) }
}

/// Who asks, as a runtime says it. Each caller has a run of its own.
pub(crate) fn context(caller: usize) -> v1::HookContext {
    v1::HookContext {
        run_id: format!("4e0c1ff0-5d2b-4a8e-9a4b-{caller:012}"),
        thread_id: "thread-1".into(),
        agent_name: "support".into(),
        user_id: "user-1".into(),
        ..v1::HookContext::default()
    }
}

/// 1,024 bytes of prose without anything to find.
fn kilobyte() -> String {
    const PROSE: &str = "The customer writes that the parcel came late, that one of the two cups \
                         was broken, and asks whether we can send another one before the weekend. ";
    PROSE.chars().cycle().take(1024).collect()
}
