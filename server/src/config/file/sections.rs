//! The sections of a configuration that are not middleware.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::{
    address::Address,
    byte_size::ByteSize,
    duration::{Duration, Timeout},
};

/// The port in the examples, and in gRPC's own.
const GRPC_PORT: u16 = 50051;

/// An agent may think or wait for a tool this long between two hooks.
const IDLE_TTL: Duration = Duration::minutes(30);

/// No agent's run is expected to take longer than a day.
const MAX_AGE: Duration = Duration::hours(24);

/// At about 1 KB for a run without state, 100 MB.
const MAX_RUNS: NonZeroU32 = match NonZeroU32::new(100_000) {
    Some(runs) => runs,
    None => NonZeroU32::MIN,
};

/// Counters, caches and mappings of masked values of one run; not transcripts.
const MAX_STATE: ByteSize = ByteSize::mib(1);

/// A sixteenth of the state, so that one value cannot crowd out the others unnoticed.
const MAX_VALUE: ByteSize = ByteSize::kib(64);

/// gRPC's own 4 MiB is too little for a history with images.
const MESSAGE_SIZE: ByteSize = ByteSize::mib(16);

/// Longer than any local check takes, short enough for a person who waits.
const TIMEOUT: Timeout = Timeout::After(Duration::seconds(5));

/// Shorter than what proxies and load balancers take for a dead stream.
const KEEP_ALIVE: Timeout = Timeout::After(Duration::seconds(10));

/// Kubernetes kills a pod 30 s after it asks it to stop.
const DRAIN_DEADLINE: Duration = Duration::seconds(25);

/// A change is in force before the one who made it has turned around, and a look costs a few system
/// calls.
const RELOAD_INTERVAL: Timeout = Timeout::After(Duration::seconds(1));

/// Where Sidehook listens.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Listen {
    /// The addresses of the gRPC services. All serve the same. At least one.
    #[schemars(length(min = 1))]
    pub grpc: Vec<Address>,
}

/// How long runs and their state are kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Runs {
    /// How long a run is kept after its last hook call. A later call is refused with
    /// `RUN_EVICTED`.
    pub idle_ttl: Duration,
    /// How long a run is kept after its first hook call, however busy it is.
    pub max_age: Duration,
    /// The most runs that are open at the same time, at least 1. At the limit, the run that was
    /// idle longest is evicted. Every run costs about 1 KB plus its state.
    pub max_runs: NonZeroU32,
    /// Whether a run keeps the middleware it started with when the configuration changes.
    pub pin: bool,
    /// How long a run keeps the middleware it started with. Means nothing without `pin`.
    pub pin_max_age: Duration,
    /// The most state of one run, counting keys and values as JSON. A write beyond it fails.
    pub max_state_bytes: ByteSize,
    /// The longest single value in a run's state, as JSON. A longer one is refused.
    pub max_value_bytes: ByteSize,
}

/// Limits on single calls.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The longest message that is received or sent. Each call may hold several of them in memory.
    pub message_size: ByteSize,
    /// How long one middleware may take on one hook, unless it has a `timeout` of its own or the
    /// hook a shorter one; `0` for no limit but the caller's deadline.
    pub timeout: Timeout,
    /// How long a wrapped call may be silent before the runtime gets a `keep_alive`; `0` for
    /// never.
    pub keep_alive: Timeout,
}

/// How Sidehook stops.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Drain {
    /// How long calls may go on after Sidehook was asked to stop. Keep it below the grace period of
    /// whatever stops Sidehook: 30 s in Kubernetes.
    pub deadline: Duration,
}

/// What Sidehook logs. Logs go to the standard error output.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// The least severe level that is logged.
    pub level: LogLevel,
    /// How a line looks.
    pub format: LogFormat,
}

/// How Sidehook notices that this file, or a file that its middleware reads, has changed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reload {
    /// How often Sidehook looks; `0` for never. `SIGHUP` makes it look at once.
    pub interval: Timeout,
}

/// How severe a line of the log is, from most to least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// Somebody has to act.
    Error,
    /// Something was skipped or refused.
    Warn,
    /// The life of the process.
    Info,
    /// Every call.
    Debug,
    /// Every step of every call.
    Trace,
}

impl LogLevel {
    /// The name in a filter.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}

/// How a line of the log looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object for each line.
    Json,
}

impl Default for Listen {
    fn default() -> Self {
        Self { grpc: vec![Address::Tcp { host: "127.0.0.1".into(), port: GRPC_PORT }] }
    }
}

impl Default for Runs {
    fn default() -> Self {
        Self {
            idle_ttl: IDLE_TTL,
            max_age: MAX_AGE,
            max_runs: MAX_RUNS,
            pin: true,
            pin_max_age: MAX_AGE,
            max_state_bytes: MAX_STATE,
            max_value_bytes: MAX_VALUE,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { message_size: MESSAGE_SIZE, timeout: TIMEOUT, keep_alive: KEEP_ALIVE }
    }
}

impl Default for Drain {
    fn default() -> Self {
        Self { deadline: DRAIN_DEADLINE }
    }
}

impl Default for Reload {
    fn default() -> Self {
        Self { interval: RELOAD_INTERVAL }
    }
}

impl Default for Log {
    fn default() -> Self {
        Self { level: LogLevel::Info, format: LogFormat::Text }
    }
}
