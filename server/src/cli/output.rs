//! The one place that writes to the terminal.

use std::io::{self, Write};

/// Prints `text` and a line break. A reader that went away, as in
/// `sidehook hooks | head`, is no error.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints an error.
pub(super) fn error(text: &str) {
    // There is nowhere left to say that this fails.
    let _unsaid = writeln!(io::stderr().lock(), "{text}");
}

/// Rows under a head, in columns as wide as their widest cell.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |row: &[String]| row.iter().map(|cell| cell.chars().count()).collect::<Vec<_>>();
    let mut widths: Vec<usize> = head.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(cells(row)) {
            *width = (*width).max(cell);
        }
    }
    let line = |row: &[String]| {
        let padded = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let head: Vec<String> = head.iter().map(|&cell| cell.into()).collect();
    std::iter::once(line(&head))
        .chain(rows.iter().map(|row| line(row)))
        .collect::<Vec<_>>()
        .join("\n")
}
