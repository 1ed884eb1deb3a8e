//! Prints what the sidecar costs, beside a bare tonic echo in the same run.
//!
//! `cargo bench -p sidehook-server` takes about 90 seconds; `-- --quick` under
//! 20; a word picks the rows that have it in their name. `docs/performance.md`
//! says how to read the table. Nothing here fails because of a time.

mod compare;
mod echo;
mod host;
mod links;
mod load;
mod methods;
mod options;
mod process;
mod rows;
mod scripts;
mod table;

use options::Options;
use table::Table;

/// Whatever a benchmark fails with; it ends the run.
type Error = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Error> {
    let options = Options::read(std::env::args().skip(1));
    // One worker makes the calls, as one worker of each server answers them.
    let client = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("client")
        .enable_all()
        .build()?;
    client.block_on(async {
        let mut table = Table::start()?;
        rows::unary(&options, &mut table).await?;
        rows::embedded(&options, &mut table).await?;
        rows::wrapped(&options, &mut table).await?;
        scripts::links(&options, &mut table).await?;
        scripts::files(&options, &mut table).await?;
        process::memory(&options, &mut table).await?;
        process::start(&options, &mut table).await
    })
}
