//! What a configuration says that only a restart changes.

use crate::{
    config::{Address, Compiled, file::Log},
    runs::{Bounds, StateBounds},
    service::Limits,
};
use std::time::Duration;

/// What is fixed while the process runs.
#[derive(Debug, Clone)]
pub struct Fixed {
    /// `None` when the command line says where to listen.
    listen: Option<Vec<Address>>,
    limits: Limits,
    bounds: Bounds,
    state: StateBounds,
    drain: Duration,
    log: Log,
}

impl Fixed {
    /// What `compiled` fixes.
    #[must_use]
    pub fn of(compiled: &Compiled) -> Self {
        // Whoever adds something decides here whether a reload changes it.
        let Compiled {
            listen,
            limits,
            bounds,
            state,
            drain,
            log,
            chains: _,
            hash: _,
            watched: _,
            reload: _,
        } = compiled;
        Self {
            listen: Some(listen.clone()),
            limits: *limits,
            bounds: *bounds,
            state: *state,
            drain: *drain,
            log: log.clone(),
        }
    }

    /// The command line says where to listen, whatever the configuration says.
    #[must_use]
    pub fn without_listen(self) -> Self {
        Self { listen: None, ..self }
    }

    /// The keys whose values in `later` are not those that are in force.
    pub(super) fn differences(&self, later: &Self) -> Vec<&'static str> {
        let Limits { message_bytes, keep_alive, pin } = self.limits;
        let Bounds { idle_ttl, max_age, max_runs } = self.bounds;
        let StateBounds { value_bytes, run_bytes } = self.state;
        let Log { level, format } = self.log;
        let pins = pin.is_some() && later.limits.pin.is_some();
        let differences = [
            ("listen.grpc", self.listen.is_some() && self.listen != later.listen),
            ("runs.idle_ttl", idle_ttl != later.bounds.idle_ttl),
            ("runs.max_age", max_age != later.bounds.max_age),
            ("runs.max_runs", max_runs != later.bounds.max_runs),
            ("runs.pin", pin.is_some() != later.limits.pin.is_some()),
            ("runs.pin_max_age", pins && pin != later.limits.pin),
            ("runs.max_state_bytes", run_bytes != later.state.run_bytes),
            ("runs.max_value_bytes", value_bytes != later.state.value_bytes),
            ("limits.message_size", message_bytes != later.limits.message_bytes),
            ("limits.keep_alive", keep_alive != later.limits.keep_alive),
            ("drain.deadline", self.drain != later.drain),
            ("log.level", level != later.log.level),
            ("log.format", format != later.log.format),
        ];
        differences.into_iter().filter(|(_, differs)| *differs).map(|(key, _)| key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::compile;

    fn fixed(section: &str) -> Fixed {
        Fixed::of(&compile("test.yaml", &format!("version: 1\n{section}")).unwrap())
    }

    #[test]
    fn every_key_that_only_a_restart_changes_is_named() {
        let keys = [
            ("listen: { grpc: ['127.0.0.1:1'] }", "listen.grpc"),
            ("runs: { idle_ttl: 1m }", "runs.idle_ttl"),
            ("runs: { max_age: 1h }", "runs.max_age"),
            ("runs: { max_runs: 7 }", "runs.max_runs"),
            ("runs: { pin: false }", "runs.pin"),
            ("runs: { pin_max_age: 1h }", "runs.pin_max_age"),
            ("runs: { max_state_bytes: 2MiB }", "runs.max_state_bytes"),
            ("runs: { max_value_bytes: 1KiB }", "runs.max_value_bytes"),
            ("limits: { message_size: 1MiB }", "limits.message_size"),
            ("limits: { keep_alive: 0 }", "limits.keep_alive"),
            ("drain: { deadline: 1s }", "drain.deadline"),
            ("log: { level: debug }", "log.level"),
            ("log: { format: json }", "log.format"),
        ];
        for (section, key) in keys {
            assert_eq!(fixed("").differences(&fixed(section)), [key]);
            assert_eq!(fixed(section).differences(&fixed(section)), <[&str; 0]>::default());
        }
    }

    #[test]
    fn what_a_reload_changes_is_not_named() {
        let section = "limits: { timeout: 1s }\nreload: { interval: 0 }\nbuiltin: { pii: {} }";
        assert_eq!(fixed("").differences(&fixed(section)), <[&str; 0]>::default());
    }

    #[test]
    fn addresses_of_the_command_line_are_not_compared() {
        let later = fixed("listen: { grpc: ['127.0.0.1:1'] }");
        assert_eq!(fixed("").without_listen().differences(&later), <[&str; 0]>::default());
    }
}
