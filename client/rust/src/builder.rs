//! How a client connects, how long it waits, and what it does without a sidecar.

use crate::{Client, Error, hook::Hook};
use std::{collections::HashMap, time::Duration};
use tonic::transport::{Channel, Endpoint};

/// Long enough for a sidecar that is being scheduled on a busy node.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Twice what the sidecar allows one link.
const DEADLINE: Duration = Duration::from_secs(10);

/// What the sidecar takes; a long conversation with images is larger than gRPC's usual 4 MiB.
const MAX_MESSAGE_BYTES: usize = 16 * 1024 * 1024;

/// What a hook gives when the sidecar is unreachable: it refuses connections, the connection
/// broke, or the deadline passed.
///
/// Never applied to a decision, nor to what Sidehook itself refuses, for example while it
/// drains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OnUnreachable {
    /// [`HookError::NoAnswer`](crate::HookError::NoAnswer): no sidecar, no run.
    #[default]
    Fail,
    /// The neutral answer, as if no middleware were registered. Logged as a warning, and
    /// marked with [`Origin::Unreachable`](crate::Origin::Unreachable).
    Proceed,
}

/// Builds a [`Client`].
#[derive(Debug, Clone)]
#[must_use]
pub struct ClientBuilder {
    connect_timeout: Duration,
    keep_alive: Option<Duration>,
    options: Options,
}

/// What every call needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) on_unreachable: OnUnreachable,
    pub(crate) max_message_bytes: usize,
    deadline: Duration,
    hook_deadlines: HashMap<String, Duration>,
}

// === impl ClientBuilder ===

impl ClientBuilder {
    pub(crate) fn new() -> Self {
        Self {
            connect_timeout: CONNECT_TIMEOUT,
            keep_alive: None,
            options: Options {
                on_unreachable: OnUnreachable::default(),
                max_message_bytes: MAX_MESSAGE_BYTES,
                deadline: DEADLINE,
                hook_deadlines: HashMap::new(),
            },
        }
    }

    /// How long one attempt to connect may take. 5 s by default.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// How long a unary hook may take, with its repeat. 10 s by default.
    ///
    /// Wrapped calls are not meant: a real call takes as long as it takes.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.options.deadline = deadline;
        self
    }

    /// How long one hook may take, by its name in snake case: `"companion_speech"`.
    ///
    /// For a wrapped call this bounds the whole call, the real calls included; there is no
    /// bound by default. With [`OnUnreachable::Proceed`] a real call that runs by then is waited
    /// for all the same, since it must not be made twice.
    pub fn hook_deadline(mut self, hook: impl Into<String>, deadline: Duration) -> Self {
        self.options.hook_deadlines.insert(hook.into(), deadline);
        self
    }

    /// What hooks give when the sidecar is unreachable. [`OnUnreachable::Fail`] by default.
    pub fn on_unreachable(mut self, on_unreachable: OnUnreachable) -> Self {
        self.options.on_unreachable = on_unreachable;
        self
    }

    /// The largest message, both ways. 16 MiB by default; the sidecar has its own limit.
    pub fn max_message_bytes(mut self, limit: usize) -> Self {
        self.options.max_message_bytes = limit;
        self
    }

    /// How often to ask a connection whether it is alive, also while it is idle. Never by
    /// default, since a peer may close a connection that asks too often.
    pub fn keep_alive(mut self, interval: Duration) -> Self {
        self.keep_alive = Some(interval);
        self
    }

    /// Makes a client for `http://host:port` or `unix:///path`.
    ///
    /// The connection is opened by the first call, and again whenever it is lost;
    /// [`Client::wait_for_sidecar`] waits for it.
    ///
    /// # Errors
    ///
    /// The address or a hook's name is wrong, or no Tokio runtime is running.
    pub fn connect(self, address: &str) -> Result<Client, Error> {
        if address.starts_with("https:") {
            return Err(Error::address(address, "for TLS, make a channel and use `with_channel`"));
        }
        if !address.starts_with("http://") && !address.starts_with("unix:/") {
            return Err(Error::address(address, "write `http://host:port` or `unix:///path`"));
        }
        let mut endpoint = Endpoint::from_shared(address.to_owned())
            .map_err(|error| Error::address(address, error))?
            .user_agent(concat!("sidehook-client/", env!("CARGO_PKG_VERSION")))
            .map_err(|error| Error::address(address, error))?
            .connect_timeout(self.connect_timeout);
        if let Some(interval) = self.keep_alive {
            endpoint = endpoint.http2_keep_alive_interval(interval).keep_alive_while_idle(true);
        }
        // tonic spawns the connection's worker, and spawning panics outside a runtime.
        match tokio::runtime::Handle::try_current() {
            Ok(_) => self.with_channel(endpoint.connect_lazy()),
            Err(error) => Err(Error::no_runtime(error)),
        }
    }

    /// Makes a client for a channel of one's own, for example with TLS. `connect_timeout` and
    /// `keep_alive` are then the channel's business.
    ///
    /// # Errors
    ///
    /// The name of a hook is wrong.
    pub fn with_channel(self, channel: Channel) -> Result<Client, Error> {
        let names = &self.options.hook_deadlines;
        match names.keys().find(|name| !Hook::all().any(|hook| hook.name == name.as_str())) {
            Some(name) => Err(Error::unknown_hook(name)),
            None => Ok(Client::new(channel, self.options)),
        }
    }
}

// === impl Options ===

impl Options {
    pub(crate) fn unary_deadline(&self, hook: &Hook) -> Duration {
        self.wrapped_deadline(hook).unwrap_or(self.deadline)
    }

    pub(crate) fn wrapped_deadline(&self, hook: &Hook) -> Option<Duration> {
        self.hook_deadlines.get(hook.name).copied()
    }
}
