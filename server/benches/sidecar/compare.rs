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

/// Turns that do not count.
const WARM_UP: usize = 4;

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
    /// How many calls the subject answered in all.
    pub(crate) calls_of_subject: f64,
}

/// Compares two servers; `caller` makes the caller with a number.
pub(crate) async fn compare<C: Call>(
    options: &Options,
    (baseline, subject): (&Host, &Host),
    caller: fn(Channel, usize) -> C,
) -> Result<Compared, Error> {
    let baseline = Side { host: baseline, channel: baseline.connect().await?, caller };
    let subject = Side { host: subject, channel: subject.connect().await?, caller };
    let (mut one, mut many, mut calls) = (Vec::new(), Vec::new(), 0.0);
    // The first turns only warm both sides up.
    for turn in 0..options.turns + WARM_UP {
        let alone = both(&baseline, &subject, turn, 1, options.turn).await?;
        let busy = both(&baseline, &subject, turn, MANY, options.turn).await?;
        calls += alone[1].calls + busy[1].calls;
        if turn >= WARM_UP {
            one.push(alone);
            many.push(busy);
        }
    }
    Ok(Compared {
        p50: median(&one, |turn| turn.p50),
        throughput: median(&many, |turn| turn.throughput),
        processor: median(&many, |turn| turn.processor),
        calls_of_subject: calls,
    })
}

/// What a side came to in one turn.
struct Turn {
    calls: f64,
    p50: f64,
    throughput: f64,
    processor: f64,
}

/// Lets both sides take a turn, each first in every other one.
async fn both<C: Call>(
    baseline: &Side<'_, C>,
    subject: &Side<'_, C>,
    turn: usize,
    callers: usize,
    time: Duration,
) -> Result<[Turn; 2], Error> {
    if turn.is_multiple_of(2) {
        let before = baseline.turn(callers, time).await?;
        return Ok([before, subject.turn(callers, time).await?]);
    }
    let after = subject.turn(callers, time).await?;
    Ok([baseline.turn(callers, time).await?, after])
}

/// A server, and how it is called.
struct Side<'a, C> {
    host: &'a Host,
    channel: Channel,
    caller: fn(Channel, usize) -> C,
}

impl<C: Call> Side<'_, C> {
    async fn turn(&self, callers: usize, time: Duration) -> Result<Turn, Error> {
        let callers = (0..callers).map(|number| (self.caller)(self.channel.clone(), number));
        let before = self.host.processor_time()?;
        let Measured { p50, calls, took } = load::run(callers.collect(), time).await?;
        let used = self.host.processor_time()?.saturating_sub(before);
        let calls = f64::from(u32::try_from(calls)?);
        Ok(Turn {
            calls,
            p50: p50.as_secs_f64(),
            throughput: calls / took.as_secs_f64(),
            processor: used.as_secs_f64() / calls,
        })
    }
}

/// The median of each side, and of the turns' ratios.
fn median(turns: &[[Turn; 2]], value: fn(&Turn) -> f64) -> Pair {
    let of = |pick: &dyn Fn(f64, f64) -> f64| {
        middle(turns.iter().map(|[before, after]| pick(value(before), value(after))).collect())
    };
    Pair {
        baseline: of(&|before, _| before),
        subject: of(&|_, after| after),
        ratio: of(&|before, after| after / before),
    }
}

/// The value in the middle.
pub(crate) fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
