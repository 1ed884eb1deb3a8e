//! The messages of each hook by reflection: what a case gives, and what it expects.

use crate::hooks::HookId;
use prost_reflect::{
    DescriptorError, DescriptorPool, FieldDescriptor, Kind, MessageDescriptor, MethodDescriptor,
};
use sidehook_proto::FILE_DESCRIPTOR_SET;

/// The contract.
#[derive(Debug)]
pub(crate) struct Contract {
    pool: DescriptorPool,
    hooks: Vec<Shape>,
}

/// The messages of one hook.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) hook: HookId,
    /// What a case gives: the request, or what opens a wrapped call.
    pub(super) request: MessageDescriptor,
    /// What a chain says: the response, or what ends a wrapped call.
    pub(super) response: MessageDescriptor,
    /// The frames of a wrapped call.
    pub(super) frames: Option<Frames>,
}

/// The frames of a wrapped call.
#[derive(Debug)]
pub(super) struct Frames {
    /// A frame from the runtime.
    pub(super) sent: MessageDescriptor,
    /// A frame to the runtime.
    pub(super) received: MessageDescriptor,
    pub(super) next: MessageDescriptor,
    pub(super) delta: MessageDescriptor,
    pub(super) end: MessageDescriptor,
    pub(super) failed: MessageDescriptor,
    /// What a real call gives: a field of `end`, and its message.
    pub(super) output: FieldDescriptor,
    pub(super) result: MessageDescriptor,
}

/// The contract is not what this program was written for, which is a bug.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotInContract {
    /// The descriptors cannot be read.
    #[error("the contract cannot be read: {0}")]
    Descriptors(#[from] DescriptorError),
    /// A message or a field is not there.
    #[error("the contract has no {0}")]
    Missing(String),
}

impl Contract {
    /// Reads the contract that this program serves.
    pub(crate) fn load() -> Result<Self, NotInContract> {
        let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET)?;
        let hooks = HookId::ALL.into_iter().map(|hook| Shape::of(&pool, hook));
        let hooks = hooks.collect::<Result<_, _>>()?;
        Ok(Self { pool, hooks })
    }

    /// The messages of every hook.
    pub(super) fn hooks(&self) -> impl Iterator<Item = &Shape> {
        self.hooks.iter()
    }

    /// The messages of `hook`.
    pub(super) fn hook(&self, hook: HookId) -> Option<&Shape> {
        self.hooks.iter().find(|shape| shape.hook == hook)
    }

    /// The message `name` of the contract.
    pub(super) fn message(&self, name: &str) -> Result<MessageDescriptor, NotInContract> {
        let found = self.pool.get_message_by_name(&format!("sidehook.v1.{name}"));
        found.ok_or_else(|| NotInContract::Missing(name.into()))
    }
}

impl Shape {
    fn of(pool: &DescriptorPool, hook: HookId) -> Result<Self, NotInContract> {
        let service = pool.get_service_by_name(hook.service());
        let method = service.and_then(|it| it.methods().find(|it| it.name() == hook.method()));
        let method = method.ok_or_else(|| NotInContract::Missing(hook.path()))?;
        if !method.is_client_streaming() {
            let (request, response) = (method.input(), method.output());
            return Ok(Self { hook, request, response, frames: None });
        }
        Ok(Self {
            hook,
            request: inner(&method.input(), "open")?,
            response: inner(&method.output(), "finished")?,
            frames: Some(Frames::of(&method)?),
        })
    }

    /// The message that `field` of what a chain says holds, if it can say that.
    pub(super) fn outcome(&self, field: &str) -> Option<MessageDescriptor> {
        message_of(&self.response.get_field_by_name(field)?)
    }
}

impl Frames {
    fn of(method: &MethodDescriptor) -> Result<Self, NotInContract> {
        let (sent, received) = (method.input(), method.output());
        let end = inner(&sent, "end")?;
        let output = end.fields().find_map(|field| Some((message_of(&field)?, field)));
        let (result, output) = output.ok_or_else(|| NotInContract::Missing(end.name().into()))?;
        Ok(Self {
            next: inner(&received, "next")?,
            delta: inner(&sent, "delta")?,
            failed: inner(&sent, "failed")?,
            sent,
            received,
            end,
            output,
            result,
        })
    }
}

/// The message in a field.
pub(super) fn message_of(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    match field.kind() {
        Kind::Message(message) => Some(message),
        _ => None,
    }
}

/// The message in the field `name` of `message`.
pub(super) fn inner(
    message: &MessageDescriptor,
    name: &str,
) -> Result<MessageDescriptor, NotInContract> {
    let found = message.get_field_by_name(name).and_then(|field| message_of(&field));
    found.ok_or_else(|| NotInContract::Missing(format!("{}.{name}", message.name())))
}
