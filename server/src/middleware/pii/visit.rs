//! Looks through messages and texts, each place in its own way: what tools get
//! back, what a person typed, and everything else.

use super::mask::{Masker, Masking};
use super::middleware::Pii;
use super::tokens::Tokens;
use crate::{
    engine::{Context, Fault},
    middleware::texts::{self, Rewrite, Visitor},
    runs::StateError,
};
use sidehook_proto::v1;
use std::collections::HashSet;

/// The key of the tokens in the middleware's own state of a run.
const TOKENS: &str = "tokens";

/// How often tokens are given out anew when another call of the run was faster.
const TRIES: usize = 8;

/// A message so short may be nothing but a number.
const SHORT: usize = 24;

/// How a text is looked through.
#[derive(Clone, Copy)]
enum Place {
    Text,
    Typed,
    Arguments,
}

/// Looks through the texts that it visits.
struct Look<'a> {
    pii: &'a Pii,
    place: Place,
    /// What persons typed, in messages.
    typed: HashSet<String>,
    masking: &'a mut Masking,
}

impl Look<'_> {
    fn look(&mut self, name: &str, text: &str) -> Option<String> {
        let place = if self.typed.contains(text) { Place::Typed } else { self.place };
        let masker: &Masker = match place {
            Place::Text => &self.pii.masker,
            Place::Typed => &self.pii.typed,
            Place::Arguments => &self.pii.arguments,
        };
        self.pii.remembered.unless_clean(text, (place as u8, name), |text| {
            match masker.mask_member(name, text, self.masking) {
                std::borrow::Cow::Borrowed(_) => None,
                std::borrow::Cow::Owned(masked) => Some(masked),
            }
        })
    }
}

impl Visitor for Look<'_> {
    fn text(&mut self, text: &str) -> Option<String> {
        self.look("", text)
    }

    fn member(&mut self, name: &str, text: &str) -> Option<String> {
        self.look(name, text)
    }
}

impl Pii {
    /// Looks through something, with the run's tokens at hand, and keeps those that
    /// are new.
    pub(super) async fn masked<T: Send>(
        &self,
        context: &Context<'_>,
        visit: impl Fn(&mut Masking) -> Option<T> + Send + Sync,
    ) -> Result<(Option<T>, Masking), Fault> {
        if !self.gives_tokens() {
            let mut masking = Masking::default();
            let made = visit(&mut masking);
            return Ok((made, masking));
        }
        let own = context.own();
        for _ in 0..TRIES {
            let state = own.get(TOKENS).await?;
            let tokens = Tokens::read(state.clone());
            let mut masking = Masking { tokens, ..Masking::default() };
            let made = visit(&mut masking);
            if !masking.tokens.has_grown() {
                return Ok((made, masking));
            }
            let written = masking.tokens.write();
            match own.compare_and_set(TOKENS, state.as_ref(), Some(written)).await {
                Ok(true) => return Ok((made, masking)),
                Ok(false) => {}
                // Better a value that nobody gets back than one that is shown.
                Err(StateError::ValueTooLarge { .. } | StateError::RunFull { .. }) => break,
                Err(error) => return Err(error.into()),
            }
        }
        let tokens = Tokens::read(own.get(TOKENS).await?).freeze();
        let mut masking = Masking { tokens, ..Masking::default() };
        let made = visit(&mut masking);
        Ok((made, masking))
    }

    /// The tokens of the run.
    pub(super) async fn tokens(&self, context: &Context<'_>) -> Result<Tokens, Fault> {
        if !self.gives_tokens() {
            return Ok(Tokens::default());
        }
        Ok(Tokens::read(context.own().get(TOKENS).await?))
    }

    fn look<'a>(&'a self, place: Place, masking: &'a mut Masking) -> Look<'a> {
        Look { pii: self, place, typed: HashSet::new(), masking }
    }

    /// A text that a person typed, or a JSON document.
    pub(super) fn typed_text(&self, text: &str, masking: &mut Masking) -> Option<String> {
        let place = if is_short(text) { Place::Typed } else { Place::Text };
        texts::document(text, &mut self.look(place, masking))
    }

    /// A text of any origin, or a JSON document.
    pub(super) fn any_text(&self, text: &str, masking: &mut Masking) -> Option<String> {
        texts::document(text, &mut self.look(Place::Text, masking))
    }

    /// Messages on their way to the model.
    pub(super) fn messages(
        &self,
        messages: &[v1::Message],
        masking: &mut Masking,
    ) -> Option<Vec<v1::Message>> {
        let first = self.all_arguments(messages, masking);
        let messages = first.as_deref().unwrap_or(messages);
        let mut look = Look { typed: typed(messages), ..self.look(Place::Text, masking) };
        let then = texts::messages(messages, &mut look);
        then.or(first)
    }

    /// A request on its way to the model.
    pub(super) fn request(
        &self,
        request: &v1::ChatRequest,
        masking: &mut Masking,
    ) -> Option<v1::ChatRequest> {
        let first = self
            .all_arguments(&request.messages, masking)
            .map(|messages| v1::ChatRequest { messages, ..request.clone() });
        let request = first.as_ref().unwrap_or(request);
        let typed = typed(&request.messages);
        let then = texts::request(request, &mut Look { typed, ..self.look(Place::Text, masking) });
        then.or(first)
    }

    /// An answer of the model.
    pub(super) fn response(
        &self,
        response: &v1::ChatResponse,
        masking: &mut Masking,
    ) -> Option<v1::ChatResponse> {
        let calls = self.arguments_of(&response.tool_calls, masking);
        let first = calls.map(|tool_calls| v1::ChatResponse { tool_calls, ..response.clone() });
        let response = first.as_ref().unwrap_or(response);
        let then = texts::response(response, &mut self.look(Place::Text, masking));
        then.or(first)
    }

    /// Messages with the arguments of their tool calls looked through.
    fn all_arguments(
        &self,
        messages: &[v1::Message],
        masking: &mut Masking,
    ) -> Option<Vec<v1::Message>> {
        let mut changed: Option<Vec<v1::Message>> = None;
        for (place, message) in messages.iter().enumerate() {
            if let Some(calls) = self.arguments_of(&message.tool_calls, masking) {
                let all = changed.get_or_insert_with(|| messages.to_vec());
                if let Some(message) = all.get_mut(place) {
                    message.tool_calls = calls;
                }
            }
        }
        changed
    }

    fn arguments_of(
        &self,
        calls: &[v1::ToolCall],
        masking: &mut Masking,
    ) -> Option<Vec<v1::ToolCall>> {
        // What is blocked need not be replaced first.
        if self.blocks {
            return None;
        }
        let mut changed: Option<Vec<v1::ToolCall>> = None;
        for (place, call) in calls.iter().enumerate() {
            let mut look = self.look(Place::Arguments, masking);
            if let Some(arguments) = texts::document(&call.arguments_json, &mut look) {
                let all = changed.get_or_insert_with(|| calls.to_vec());
                if let Some(call) = all.get_mut(place) {
                    call.arguments_json = arguments;
                }
            }
        }
        changed
    }

    /// Whether anything becomes a token.
    pub(super) fn gives_tokens(&self) -> bool {
        self.masker.gives_tokens() || self.gives_arguments_back()
    }

    /// Whether tools are called with tokens, for which they get the values back.
    pub(super) fn gives_arguments_back(&self) -> bool {
        !self.blocks && (self.arguments.gives_tokens() || self.masker.gives_tokens())
    }
}

/// What tool calls get back, in arguments that are a JSON document.
pub(super) fn restore_json(tokens: &Tokens, json: &str) -> Option<String> {
    if tokens.is_empty() {
        return None;
    }
    let restore: &mut Rewrite<'_> = &mut |text| tokens.restore(text);
    texts::document(json, restore)
}

/// What persons typed in these messages, as far as it may be nothing but a number.
fn typed(messages: &[v1::Message]) -> HashSet<String> {
    let users = messages.iter().filter(|message| message.role == "user");
    let texts = users.filter_map(|message| match &message.content {
        Some(v1::message::Content::Text(text)) if is_short(text) => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

fn is_short(text: &str) -> bool {
    text.len() <= SHORT && text.starts_with(|c: char| c.is_ascii_alphanumeric())
}
