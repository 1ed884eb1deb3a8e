//! The names of the hooks, as the wire and the plan spell them.

use crate::hooks::TABLE;

/// One hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hook {
    /// Its name in snake case.
    pub(crate) name: &'static str,
    /// The path of its RPC.
    pub(crate) path: &'static str,
}

pub(crate) const START_RUN: Hook =
    Hook { name: "start_run", path: "/sidehook.v1.RunHooks/StartRun" };
pub(crate) const AFTER_RUN: Hook =
    Hook { name: "after_run", path: "/sidehook.v1.RunHooks/AfterRun" };
pub(crate) const WRAP_MODEL_CALL: Hook =
    Hook { name: "wrap_model_call", path: "/sidehook.v1.RunHooks/WrapModelCall" };
pub(crate) const WRAP_TOOL_CALL: Hook =
    Hook { name: "wrap_tool_call", path: "/sidehook.v1.RunHooks/WrapToolCall" };
pub(crate) const WRAP: Hook = Hook { name: "wrap", path: "/sidehook.v1.CallHooks/Wrap" };

impl Hook {
    /// Every hook.
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        const SPECIAL: &[Hook] = &[START_RUN, AFTER_RUN, WRAP_MODEL_CALL, WRAP_TOOL_CALL, WRAP];
        SPECIAL.iter().chain(TABLE)
    }
}

#[cfg(test)]
mod tests {
    use super::Hook;
    use prost::Message;
    use std::collections::BTreeSet;

    #[test]
    fn the_client_knows_every_hook_of_the_contract_by_its_path() {
        let set = prost_types::FileDescriptorSet::decode(sidehook_proto::FILE_DESCRIPTOR_SET)
            .expect("descriptors");
        let services = set.file.iter().filter(|file| file.package() == "sidehook.v1");
        let contract: BTreeSet<String> = services
            .flat_map(|file| &file.service)
            .filter(|service| service.name().ends_with("Hooks"))
            .flat_map(|service| {
                let path = |rpc: &str| format!("/sidehook.v1.{}/{rpc}", service.name());
                service.method.iter().map(move |method| path(method.name()))
            })
            .collect();
        let client: BTreeSet<String> = Hook::all().map(|hook| hook.path.to_owned()).collect();
        assert_eq!(client, contract);
    }

    #[test]
    fn a_hooks_name_is_its_rpc_in_snake_case() {
        for hook in Hook::all() {
            let rpc = hook.path.rsplit('/').next().unwrap_or_default();
            let mut snake = String::new();
            for letter in rpc.chars() {
                if letter.is_uppercase() && !snake.is_empty() {
                    snake.push('_');
                }
                snake.extend(letter.to_lowercase());
            }
            assert_eq!(snake, hook.name);
        }
    }
}
