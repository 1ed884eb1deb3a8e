//! The figures that were committed, so that a change that makes a guard worse is
//! noticed.

use super::Figure;
use serde_json::Error;

/// How much worse a figure may become unnoticed: data is not that exact.
const TOLERANCE: f64 = 0.005;

/// A figure that is worse than what was committed.
#[derive(Debug, Clone, PartialEq)]
pub struct Regression {
    /// What was committed.
    pub committed: Figure,
    /// What it is now; `None` when it was not measured.
    pub value: Option<f64>,
}

/// The committed figures that are worse now, or that are no longer measured.
///
/// # Errors
///
/// The committed figures cannot be read.
pub fn regressions(figures: &[&Figure]) -> Result<Vec<Regression>, Error> {
    let committed: Vec<Figure> = serde_json::from_str(include_str!("figures.json"))?;
    Ok(compare(committed, figures))
}

fn compare(committed: Vec<Figure>, figures: &[&Figure]) -> Vec<Regression> {
    let worse = committed.into_iter().filter_map(|committed| {
        let now =
            figures.iter().find(|now| now.set == committed.set && now.measure == committed.measure);
        let is_worse = now.is_none_or(|now| now.worse_than(committed.value) > TOLERANCE);
        is_worse.then(|| Regression { committed, value: now.map(|now| now.value) })
    });
    worse.collect()
}

#[cfg(test)]
mod tests {
    use super::{super::Aim, *};

    fn figure(measure: &str, value: f64, aim: Aim) -> Figure {
        Figure { set: "s".into(), measure: measure.into(), value, rows: 9, aim }
    }

    #[test]
    fn what_became_worse_or_is_not_measured_any_more_is_told() {
        let committed = vec![
            figure("recall", 0.9, Aim::High),
            figure("alarms", 0.1, Aim::AtMost(0.2)),
            figure("steady", 0.5, Aim::High),
            figure("gone", 0.5, Aim::High),
        ];
        let now = [
            figure("recall", 0.8, Aim::High),
            figure("alarms", 0.15, Aim::AtMost(0.2)),
            figure("steady", 0.497, Aim::High),
            figure("new", 0.0, Aim::High),
        ];
        let worse = compare(committed, &now.iter().collect::<Vec<_>>());
        let worse = worse.iter().map(|it| (it.committed.measure.as_str(), it.value));
        let expected = [("recall", Some(0.8)), ("alarms", Some(0.15)), ("gone", None)];
        assert_eq!(worse.collect::<Vec<_>>(), expected);
    }
}
