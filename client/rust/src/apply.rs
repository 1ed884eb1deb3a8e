//! Puts an answer over what was sent: absent means unchanged.

use sidehook_proto::v1::{
    AfterModelAnswer, AssistantMessageOutboundAnswer, BeforeModelAnswer, BeforeToolCallAnswer,
    ChatRequest, ChatResponse, CompanionSpeechAnswer, CronJobFiringAnswer, DecideApprovalAnswer,
    InterAgentMessageAnswer, Message, NotifyDeliveredAnswer, SystemPromptAnswer, TodoAddedAnswer,
    ToolCall, TransformAnswer, UserMessageInboundAnswer, chat_response::Content,
};

/// An answer that changes what the hook was asked about.
///
/// ```
/// use sidehook_client::{Apply, v1::UserMessageInboundAnswer};
///
/// let mut text = "my card is 4532 0151 1283 0366".to_owned();
/// UserMessageInboundAnswer::default().apply_to(&mut text);
/// assert_eq!(text, "my card is 4532 0151 1283 0366");
///
/// UserMessageInboundAnswer { text: Some(String::new()) }.apply_to(&mut text);
/// assert_eq!(text, "");
/// ```
pub trait Apply<T> {
    /// Changes `original` as the answer says.
    fn apply_to(self, original: &mut T);
}

/// Replaces `original` if there is a new value.
fn set<T>(original: &mut T, new: Option<T>) {
    if let Some(new) = new {
        *original = new;
    }
}

impl Apply<Vec<Message>> for BeforeModelAnswer {
    fn apply_to(self, original: &mut Vec<Message>) {
        set(original, self.messages.map(|list| list.messages));
    }
}

impl Apply<ChatResponse> for AfterModelAnswer {
    fn apply_to(self, original: &mut ChatResponse) {
        set(&mut original.content, self.content.map(|text| Some(Content::Text(text))));
        set(&mut original.tool_calls, self.tool_calls.map(|list| list.tool_calls));
    }
}

/// Replaces the arguments only; `decision` is the caller's to obey.
impl Apply<ToolCall> for BeforeToolCallAnswer {
    fn apply_to(self, original: &mut ToolCall) {
        set(&mut original.arguments_json, self.updated_arguments_json);
    }
}

/// Replaces the arguments only; `decision` is the caller's to obey.
impl Apply<ToolCall> for DecideApprovalAnswer {
    fn apply_to(self, original: &mut ToolCall) {
        set(&mut original.arguments_json, self.updated_arguments_json);
    }
}

/// Replaces first, then appends.
impl Apply<ChatRequest> for TransformAnswer {
    fn apply_to(self, original: &mut ChatRequest) {
        set(&mut original.messages, self.messages.map(|list| list.messages));
        original.messages.extend(self.add_messages);
        set(&mut original.tools, self.tools.map(|list| list.tools));
        original.tools.extend(self.add_tools);
        set(&mut original.tool_choice_json, self.tool_choice_json);
        set(&mut original.temperature, self.temperature.map(Some));
        set(&mut original.top_p, self.top_p.map(Some));
        set(&mut original.max_tokens, self.max_tokens.map(Some));
        set(&mut original.stop, self.stop.map(|list| list.stop));
        set(&mut original.extra_json, self.extra_json);
    }
}

impl Apply<Vec<String>> for TodoAddedAnswer {
    fn apply_to(self, original: &mut Vec<String>) {
        set(original, self.texts.map(|list| list.texts));
    }
}

impl Apply<String> for SystemPromptAnswer {
    fn apply_to(self, original: &mut String) {
        set(original, self.system_prompt);
    }
}

impl Apply<String> for CompanionSpeechAnswer {
    fn apply_to(self, original: &mut String) {
        set(original, self.text);
    }
}

impl Apply<String> for UserMessageInboundAnswer {
    fn apply_to(self, original: &mut String) {
        set(original, self.text);
    }
}

impl Apply<String> for InterAgentMessageAnswer {
    fn apply_to(self, original: &mut String) {
        set(original, self.text);
    }
}

impl Apply<String> for AssistantMessageOutboundAnswer {
    fn apply_to(self, original: &mut String) {
        set(original, self.text);
    }
}

impl Apply<String> for NotifyDeliveredAnswer {
    fn apply_to(self, original: &mut String) {
        set(original, self.message);
    }
}

impl Apply<String> for CronJobFiringAnswer {
    fn apply_to(self, original: &mut String) {
        set(original, self.prompt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sidehook_proto::v1::{MessageList, StopList, ToolCallList, ToolDefinition};

    fn named(name: &str) -> Message {
        Message { name: name.into(), ..Message::default() }
    }

    #[test]
    fn absent_means_unchanged() {
        let request = ChatRequest {
            model: "m".into(),
            messages: vec![named("a")],
            temperature: Some(0.5),
            stop: vec!["\n".into()],
            ..ChatRequest::default()
        };
        let mut patched = request.clone();
        TransformAnswer::default().apply_to(&mut patched);
        assert_eq!(patched, request);

        let mut messages = request.messages.clone();
        BeforeModelAnswer::default().apply_to(&mut messages);
        assert_eq!(messages, request.messages);
    }

    #[test]
    fn an_empty_list_is_not_an_absent_one() {
        let mut messages = vec![named("a")];
        let none = Some(MessageList::default());
        BeforeModelAnswer { messages: none }.apply_to(&mut messages);
        assert_eq!(messages, []);

        let mut response =
            ChatResponse { tool_calls: vec![ToolCall::default()], ..ChatResponse::default() };
        let none = Some(ToolCallList::default());
        AfterModelAnswer { content: None, tool_calls: none }.apply_to(&mut response);
        assert_eq!(response.tool_calls, []);
        assert_eq!(response.content, None);
    }

    #[test]
    fn a_patch_replaces_before_it_appends() {
        let mut request = ChatRequest { messages: vec![named("a")], ..ChatRequest::default() };
        let patch = TransformAnswer {
            messages: Some(MessageList { messages: vec![named("b")] }),
            add_messages: vec![named("c")],
            add_tools: vec![ToolDefinition { name: "t".into(), ..ToolDefinition::default() }],
            temperature: Some(0.0),
            stop: Some(StopList::default()),
            ..TransformAnswer::default()
        };
        patch.apply_to(&mut request);
        assert_eq!(request.messages, [named("b"), named("c")]);
        assert_eq!(request.tools.len(), 1);
        assert_eq!(request.temperature, Some(0.0));
    }
}
