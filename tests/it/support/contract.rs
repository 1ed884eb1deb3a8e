//! The contract by reflection, and the smallest legal request of each unary hook.

use prost_reflect::{DescriptorPool, MethodDescriptor};
use serde_json::{Value, json};
use sidehook_proto::FILE_DESCRIPTOR_SET;
use sidehook_server::hooks::HookId;
use std::sync::OnceLock;

pub(crate) fn pool() -> &'static DescriptorPool {
    static POOL: OnceLock<DescriptorPool> = OnceLock::new();
    POOL.get_or_init(|| DescriptorPool::decode(FILE_DESCRIPTOR_SET).unwrap())
}

/// The RPC of a hook in any spelling, or one of `Admin`.
pub(crate) fn method(name: &str) -> MethodDescriptor {
    let path = HookId::find(name).map_or_else(|| format!("sidehook.v1.Admin/{name}"), HookId::path);
    let (service, method) = path.split_once('/').unwrap();
    let service = pool().get_service_by_name(service).unwrap();
    service.methods().find(|it| it.name() == method).unwrap_or_else(|| panic!("no RPC {name}"))
}

/// The smallest legal request of every unary hook, without its context.
pub(crate) fn unary_requests() -> Vec<(HookId, Value)> {
    let smallest = |hook: HookId| match hook {
        HookId::AfterModel => json!({"response": {}}),
        HookId::BeforeToolCall | HookId::DecideApproval => json!({"tool_call": {}}),
        HookId::AfterRun => json!({"status": "RUN_STATUS_COMPLETED"}),
        HookId::Transform => json!({"request": {}}),
        HookId::OnEvent => json!({"event": {"retry": {"attempt": 2}}}),
        _ => json!({}),
    };
    let is_unary = |hook: &HookId| !method(hook.name()).is_client_streaming();
    HookId::ALL.into_iter().filter(is_unary).map(|hook| (hook, smallest(hook))).collect()
}
