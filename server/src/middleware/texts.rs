//! Visits every text that a message, a request or a result carries, and
//! rewrites it. What is not rewritten is not copied.

use super::json::rewrite_members;
use sidehook_proto::v1::{
    ChatRequest, ChatResponse, ContentPart, ContentParts, Message, ToolCall, ToolResult,
    chat_response, content_part, message, tool_result,
};

/// Rewrites a text; `None` leaves it as it is.
pub(crate) type Rewrite<'a> = dyn FnMut(&str) -> Option<String> + 'a;

/// Rewrites texts, and may want to know what the values of JSON are called.
pub(crate) trait Visitor {
    /// A text by itself; `None` leaves it as it is.
    fn text(&mut self, text: &str) -> Option<String>;

    /// The value of a member with this name.
    fn member(&mut self, _name: &str, text: &str) -> Option<String> {
        self.text(text)
    }
}

impl<F: FnMut(&str) -> Option<String> + ?Sized> Visitor for F {
    fn text(&mut self, text: &str) -> Option<String> {
        self(text)
    }
}

/// A message with every text rewritten: its content, the string leaves of its
/// tool calls' arguments, and of what its provider adds.
pub(crate) fn message(message: &Message, rewrite: &mut (impl Visitor + ?Sized)) -> Option<Message> {
    let content = match &message.content {
        Some(message::Content::Text(text)) => document(text, rewrite).map(message::Content::Text),
        Some(message::Content::Parts(list)) => parts(list, rewrite).map(message::Content::Parts),
        None => None,
    };
    let tool_calls = each(&message.tool_calls, |call| tool_call(call, rewrite));
    let extra = leaves(&message.extra_json, rewrite);
    if content.is_none() && tool_calls.is_none() && extra.is_none() {
        return None;
    }
    let mut message = message.clone();
    replace_some(&mut message.content, content);
    replace(&mut message.tool_calls, tool_calls);
    replace(&mut message.extra_json, extra);
    Some(message)
}

/// Messages with every text rewritten.
pub(crate) fn messages(
    messages: &[Message],
    rewrite: &mut (impl Visitor + ?Sized),
) -> Option<Vec<Message>> {
    each(messages, |one| message(one, rewrite))
}

/// A request with every text of its messages, and of what its provider adds,
/// rewritten. The tools and the parameters stay.
pub(crate) fn request(
    request: &ChatRequest,
    rewrite: &mut (impl Visitor + ?Sized),
) -> Option<ChatRequest> {
    let messages = messages(&request.messages, rewrite);
    let extra = leaves(&request.extra_json, rewrite);
    if messages.is_none() && extra.is_none() {
        return None;
    }
    // The messages are the larger part, so the old ones are not copied first.
    let rest = without_messages(request);
    let messages = messages.unwrap_or_else(|| request.messages.clone());
    let extra_json = extra.unwrap_or_else(|| request.extra_json.clone());
    Some(ChatRequest { messages, extra_json, ..rest })
}

/// An answer with every text rewritten.
pub(crate) fn response(
    response: &ChatResponse,
    rewrite: &mut (impl Visitor + ?Sized),
) -> Option<ChatResponse> {
    use chat_response::Content;
    let content = match &response.content {
        Some(Content::Text(text)) => rewrite.text(text).map(Content::Text),
        Some(Content::Parts(list)) => parts(list, rewrite).map(Content::Parts),
        None => None,
    };
    let tool_calls = each(&response.tool_calls, |call| tool_call(call, rewrite));
    let extra = leaves(&response.extra_json, rewrite);
    if content.is_none() && tool_calls.is_none() && extra.is_none() {
        return None;
    }
    let mut response = response.clone();
    replace_some(&mut response.content, content);
    replace(&mut response.tool_calls, tool_calls);
    replace(&mut response.extra_json, extra);
    Some(response)
}

/// A tool call with the string leaves of its arguments rewritten.
pub(crate) fn tool_call(
    call: &ToolCall,
    rewrite: &mut (impl Visitor + ?Sized),
) -> Option<ToolCall> {
    let arguments = document(&call.arguments_json, rewrite);
    let extra = leaves(&call.extra_json, rewrite);
    if arguments.is_none() && extra.is_none() {
        return None;
    }
    let mut call = call.clone();
    replace(&mut call.arguments_json, arguments);
    replace(&mut call.extra_json, extra);
    Some(call)
}

/// A tool's result with every text rewritten.
pub(crate) fn tool_result(
    result: &ToolResult,
    rewrite: &mut (impl Visitor + ?Sized),
) -> Option<ToolResult> {
    use tool_result::Output;
    let output = match &result.output {
        Some(Output::Text(text)) => document(text, rewrite).map(Output::Text),
        Some(Output::ResultJson(json)) => document(json, rewrite).map(Output::ResultJson),
        Some(Output::Parts(list)) => parts(list, rewrite).map(Output::Parts),
        None => None,
    };
    let error = result.error.as_deref().and_then(|text| rewrite.text(text));
    let extra = leaves(&result.extra_json, rewrite);
    if output.is_none() && error.is_none() && extra.is_none() {
        return None;
    }
    let mut result = result.clone();
    replace_some(&mut result.output, output);
    replace_some(&mut result.error, error);
    replace(&mut result.extra_json, extra);
    Some(result)
}

/// A text that may be a JSON document: then its leaves are rewritten, so that it
/// stays one; else the text as a whole.
pub(crate) fn document(text: &str, rewrite: &mut (impl Visitor + ?Sized)) -> Option<String> {
    let start = text.trim_start();
    if start.starts_with(['{', '[', '"'])
        && let Ok(rewritten) = rewrite_members(text, |member| match member.name {
            Some(name) => rewrite.member(name, member.text),
            None => rewrite.text(member.text),
        })
    {
        return match rewritten {
            std::borrow::Cow::Borrowed(_) => None,
            std::borrow::Cow::Owned(rewritten) => Some(rewritten),
        };
    }
    rewrite.text(text)
}

fn leaves(json: &str, rewrite: &mut (impl Visitor + ?Sized)) -> Option<String> {
    if json.is_empty() { None } else { document(json, rewrite) }
}

fn parts(list: &ContentParts, rewrite: &mut (impl Visitor + ?Sized)) -> Option<ContentParts> {
    each(&list.parts, |one| part(one, rewrite)).map(|parts| ContentParts { parts })
}

fn part(part: &ContentPart, rewrite: &mut (impl Visitor + ?Sized)) -> Option<ContentPart> {
    use content_part::Kind;
    let kind = match &part.kind {
        Some(Kind::Text(text)) => document(text, rewrite).map(Kind::Text),
        Some(Kind::Reasoning(text)) => rewrite.text(text).map(Kind::Reasoning),
        Some(Kind::OtherJson(json)) => leaves(json, rewrite).map(Kind::OtherJson),
        // What an image or a recording shows is beyond a text's rewriting.
        Some(Kind::Image(_) | Kind::Audio(_) | Kind::File(_)) | None => None,
    };
    let extra = leaves(&part.extra_json, rewrite);
    if kind.is_none() && extra.is_none() {
        return None;
    }
    let mut part = part.clone();
    replace_some(&mut part.kind, kind);
    replace(&mut part.extra_json, extra);
    Some(part)
}

/// The items, each rewritten or copied, or `None` when none is rewritten.
fn each<T: Clone>(items: &[T], mut rewrite: impl FnMut(&T) -> Option<T>) -> Option<Vec<T>> {
    let mut rewritten: Option<Vec<T>> = None;
    for (index, item) in items.iter().enumerate() {
        match (rewrite(item), &mut rewritten) {
            (Some(new), Some(list)) => list.push(new),
            (None, Some(list)) => list.push(item.clone()),
            (Some(new), None) => {
                let mut list = Vec::with_capacity(items.len());
                list.extend(items.iter().take(index).cloned());
                list.push(new);
                rewritten = Some(list);
            }
            (None, None) => {}
        }
    }
    rewritten
}

fn without_messages(request: &ChatRequest) -> ChatRequest {
    ChatRequest {
        model: request.model.clone(),
        messages: Vec::new(),
        tools: request.tools.clone(),
        tool_choice_json: request.tool_choice_json.clone(),
        temperature: request.temperature,
        top_p: request.top_p,
        max_tokens: request.max_tokens,
        stop: request.stop.clone(),
        response_format_json: request.response_format_json.clone(),
        extra_json: String::new(),
    }
}

fn replace<T>(place: &mut T, new: Option<T>) {
    if let Some(new) = new {
        *place = new;
    }
}

fn replace_some<T>(place: &mut Option<T>, new: Option<T>) {
    if new.is_some() {
        *place = new;
    }
}
