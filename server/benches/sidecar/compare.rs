//! Lets baseline and subject take turns, and compares them turn by turn.
//!
//! Whatever else the machine does slows both sides of a turn down alike, so that
//! ratios are steadier than times.

use super::{
    Error,
    host::Host,
    load::{self, Call, Measured},
    options::Options,
};
use std::time::Duration;
use tonic::transport::Channel;

/// Callers that are busy at the same time, where throughput is measured.
const MANY: usize = 64;

/// The medians of all turns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) baseline: f64,
    pub(crate) subject: f64,
    /// Subject by baseline.
    pub(crate) ratio: f64,
}

/// What a comparison came to.
pub(crate) struct Compared {
    /// Seconds, with one caller.
    pub(crate) p50: Pair,
    /// Calls in a second, with [`MANY`] callers.
    pub(crate) throughput: Pair,
    /// Seconds of the server's processor time for a call, with [`MANY`] callers.
    pub(crate) processor: Pair,
}

/// Compares two servers; `caller` makes the caller with a number.
pub(crate) async fn compare<C: Call>(
    options: &Options,
    (baseline, subject): (&Host, &Host),
    caller: fn(Channel, usize) -> C,
) -> Result<Compared, Error> {
    let (mut p50, mut throughput, mut processor) = (Vec::new(), Vec::new(), Vec::new());
    let baseline = Side { host: baseline, channel: baseline.connect().await?, caller };
    let subject = Side { host: subject, channel: subject.connect().await?, caller };
    // The first turn only warms both sides up.
    for turn in 0..=options.turns {
        let (before, _) = baseline.turn(1, options.turn).await?;
        let (after, _) = subject.turn(1, options.turn).await?;
        let (many_before, used_before) = baseline.turn(MANY, options.turn).await?;
        let (many_after, used_after) = subject.turn(MANY, options.turn).await?;
        if turn > 0 {
            p50.push((before.p50.as_secs_f64(), after.p50.as_secs_f64()));
            throughput.push((per_second(&many_before), per_second(&many_after)));
            processor.push((each(used_before, &many_before), each(used_after, &many_after)));
        }
    }
    let (p50, throughput, processor) = (median(&p50), median(&throughput), median(&processor));
    Ok(Compared { p50, throughput, processor })
}

/// A server, and how it is called.
struct Side<'a, C> {
    host: &'a Host,
    channel: Channel,
    caller: fn(Channel, usize) -> C,
}

impl<C: Call> Side<'_, C> {
    /// What `callers` callers measure, and the processor time that the server
    /// used for them.
    async fn turn(&self, callers: usize, time: Duration) -> Result<(Measured, Duration), Error> {
        let callers = (0..callers).map(|number| (self.caller)(self.channel.clone(), number));
        let before = self.host.processor_time()?;
        let measured = load::run(callers.collect(), time).await?;
        Ok((measured, self.host.processor_time()?.saturating_sub(before)))
    }
}

fn per_second(measured: &Measured) -> f64 {
    count(measured) / measured.took.as_secs_f64()
}

fn each(used: Duration, measured: &Measured) -> f64 {
    used.as_secs_f64() / count(measured)
}

#[expect(clippy::cast_precision_loss, reason = "no benchmark makes 2^53 calls")]
fn count(measured: &Measured) -> f64 {
    measured.calls as f64
}

/// The median of each side, and of the turns' ratios.
fn median(turns: &[(f64, f64)]) -> Pair {
    let of = |value: fn(&(f64, f64)) -> f64| middle(turns.iter().map(value).collect());
    Pair {
        baseline: of(|turn| turn.0),
        subject: of(|turn| turn.1),
        ratio: of(|turn| turn.1 / turn.0),
    }
}

/// The value in the middle.
pub(crate) fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
