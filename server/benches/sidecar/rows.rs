//! The rows that compare the sidecar with an echo.

use super::{
    Error,
    compare::compare,
    echo,
    host::Host,
    links,
    load::{Call, Unary, Wrapping},
    methods::{BeforeRun, BeforeToolCall, Method, Repeatable, UserMessageInbound},
    options::Options,
    table::{Table, Targets},
};
use sidehook_server::{
    config::{self, EMBEDDED},
    engine::Chains,
};

/// No link, and the smallest links that there can be.
pub(crate) async fn unary(options: &Options, table: &mut Table) -> Result<(), Error> {
    let targets = Targets { p50: Some(1.05), throughput: Some(0.95) };
    row::<BeforeRun>(options, table, "unary, no link", || Ok(links::none()), targets).await?;
    let name = "unary, no link, `hook_call_id`";
    row::<Repeatable>(options, table, name, || Ok(links::none()), Targets::default()).await?;
    let targets = Targets { p50: Some(1.10), throughput: Some(0.80) };
    let name = "unary, 8 links read, 1 changes";
    row::<UserMessageInbound>(options, table, name, || Ok(links::chain(8, true)), targets).await
}

/// The configuration that runs when no file is given.
pub(crate) async fn embedded(options: &Options, table: &mut Table) -> Result<(), Error> {
    let chains = || Ok(config::compile("the embedded default", EMBEDDED)?.chains);
    let targets = Targets { p50: Some(1.50), throughput: None };
    row::<BeforeRun>(options, table, "embedded, `BeforeRun`", chains, targets).await?;
    let name = "embedded, `UserMessageInbound`";
    row::<UserMessageInbound>(options, table, name, chains, targets).await?;
    row::<BeforeToolCall>(options, table, "embedded, `BeforeToolCall`", chains, targets).await
}

/// A call to a model with two links around it.
pub(crate) async fn wrapped(options: &Options, table: &mut Table) -> Result<(), Error> {
    let name = "`WrapModelCall`, 2 links";
    if !options.wants(name) {
        return Ok(());
    }
    let sidecar = Host::sidecar(links::chain(2, false))?;
    let [next, finished] = Wrapping::new(sidecar.connect().await?, 0).make().await?;
    let echo = echo::wrapped(next, finished)?;
    let compared = compare(options, (&echo, &sidecar), Wrapping::new).await?;
    table.compared(name, &compared, Targets { p50: Some(1.20), throughput: None })
}

/// Compares the sidecar with an echo that gives the very answer that the
/// sidecar gives.
async fn row<M: Method>(
    options: &Options,
    table: &mut Table,
    name: &str,
    chains: impl Fn() -> Result<Chains, Error>,
    targets: Targets,
) -> Result<(), Error> {
    if !options.wants(name) {
        return Ok(());
    }
    let sidecar = Host::sidecar(chains()?)?;
    let answer = Unary::<M>::new(sidecar.connect().await?, 0).make().await?;
    let echo = echo::unary::<M>(answer)?;
    let compared = compare(options, (&echo, &sidecar), Unary::<M>::new).await?;
    table.compared(name, &compared, targets)
}
