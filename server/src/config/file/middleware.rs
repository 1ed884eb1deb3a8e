//! One middleware: keys that every kind has, and keys of its own kind.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};
use serde_json::{Map, Value};

use super::{fault::OnFault, hook_name::HookNames};
use crate::{
    config::{agent_pattern::AgentPattern, duration::Timeout, name::Name},
    engine::Mode,
};

/// A middleware in a configuration.
#[derive(Debug, Clone)]
pub struct Middleware {
    /// What every middleware may say.
    pub keys: MiddlewareKeys,
    /// What only its kind may say: it fits the kind's schema.
    pub settings: Map<String, Value>,
}

/// What every middleware may say, whatever its kind.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MiddlewareKeys {
    /// Required. The middleware's name in reports, logs and metrics, unique in the configuration.
    pub name: Name,

    /// Required. What the middleware is; decides which further keys it has.
    pub kind: String,

    /// The agents that it is for: ids, names or globs. Absent: every agent of its layer.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub agents: Option<Vec<AgentPattern>>,

    /// Its place within its layer: lower is further out. Middleware of the same priority is in the
    /// order of the file.
    /// Absent: what the middleware says of itself, or 0.
    #[serde(default)]
    pub priority: Option<i32>,

    /// The hooks that it is called for. Absent: all that it implements.
    #[serde(default)]
    pub only_hooks: Option<HookNames>,

    /// What happens when it fails. Absent: the default of each hook, which `sidehook hooks` prints.
    #[serde(default)]
    pub on_fault: Option<OnFault>,

    /// How long it may take on one hook, within the caller's deadline; `0` for no limit but that.
    /// Absent: `limits.timeout`, or less on hooks that ask for it.
    #[serde(default)]
    pub timeout: Option<Timeout>,

    /// A CEL expression over the call that says whether the middleware is called, such as
    /// `iteration < 5`. One that fails counts as false. Absent: always.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub when: Option<String>,

    /// Whether it is called at all.
    #[serde(default = "enabled")]
    pub enabled: bool,

    /// Whether its answers count.
    #[serde(default)]
    pub mode: Mode,
}

/// The built-in middleware that is on, in the order of the file. Each is named after its kind.
#[derive(Debug, Clone, Default)]
pub struct Builtins(pub Vec<Middleware>);

const fn enabled() -> bool {
    true
}

impl MiddlewareKeys {
    /// The names of the keys.
    pub const ALL: [&str; 10] = [
        "name",
        "kind",
        "agents",
        "priority",
        "only_hooks",
        "on_fault",
        "timeout",
        "when",
        "enabled",
        "mode",
    ];

    /// The one key that a kind may also have, with other values: `pii` has a `mode: mask` of its
    /// own, and still understands `mode: audit`. Where both meet, the value decides.
    pub const SHARED: &str = "mode";
}

impl Middleware {
    /// Divides what was written into what every middleware may say and what only its kind may.
    fn of(written: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let is_common = |key: &str, value: &Value| {
            MiddlewareKeys::ALL.contains(&key)
                && (key != MiddlewareKeys::SHARED || Mode::deserialize(value).is_ok())
        };
        let (keys, settings): (Map<_, _>, Map<_, _>) =
            written.into_iter().partition(|(key, value)| is_common(key, value));
        Ok(Self { keys: from_value(Value::Object(keys))?, settings })
    }
}

fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(value)
}

impl<'de> Deserialize<'de> for Middleware {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(Map::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Builtins {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let builtins = Map::deserialize(deserializer)?.into_iter().map(|(kind, written)| {
            let mut written: Map<String, Value> = from_value(written)?;
            written.insert("name".into(), kind.clone().into());
            written.insert("kind".into(), kind.into());
            Middleware::of(written)
        });
        builtins.collect::<Result<_, _>>().map(Self).map_err(D::Error::custom)
    }
}

/// A placeholder; the kinds of middleware fill it in.
impl JsonSchema for Middleware {
    fn schema_name() -> Cow<'static, str> {
        "Middleware".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({})
    }
}

/// A placeholder; the kinds of middleware fill it in.
impl JsonSchema for Builtins {
    fn schema_name() -> Cow<'static, str> {
        "Builtins".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({})
    }
}
