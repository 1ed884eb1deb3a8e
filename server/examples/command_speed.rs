//! Prints how long a check of a command takes, on other people's commands.
//!
//! ```text
//! cargo run --release -p sidehook-server --example command_speed -- ../shared/data/detectors
//! ```

use sidehook_server::evaluation::commands::speed;
use std::{
    env,
    io::{self, Write},
    path::PathBuf,
};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let figures = speed(&folder.unwrap_or_else(|| "../shared/data/detectors".into()))?;
    let mut out = io::stdout().lock();
    for figure in figures {
        let (measure, value, rows) = (figure.measure, figure.value, figure.rows);
        writeln!(out, "{}: {measure}: {value:.1} of {rows} commands", figure.set)?;
    }
    Ok(())
}
