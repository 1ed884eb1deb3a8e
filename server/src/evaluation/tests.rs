//! The guards against the committed figures, where the data is present.

use super::*;
use std::path::Path;

#[test]
fn no_guard_is_worse_than_when_its_figures_were_committed() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/detectors");
    if !data.is_dir() {
        #[expect(clippy::print_stderr, reason = "says that nothing was tested")]
        {
            eprintln!("skipped: there is no data at {}", data.display());
        }
        return;
    }
    // What is learned anew for the figures takes minutes without optimisation;
    // the step `evaluate` of tests/run measures it.
    let parts = whole::with(
        &data,
        |_| (),
        [pii::evaluate, secrets::evaluate, injection::shipped, commands::evaluate],
    );
    let parts = parts.unwrap();
    let figures: Vec<_> = parts.iter().flat_map(|part| &part.report.figures).collect();
    let learned = |measure: &str| measure.starts_with("5-fold") || measure.starts_with("leave one");
    let mut worse = regressions(&figures).unwrap();
    worse.retain(|it| it.value.is_some() || !learned(&it.committed.measure));
    assert_eq!(worse, []);
}
