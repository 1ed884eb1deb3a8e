//! Trains the weights of `prompt_injection`.
//!
//! ```text
//! cargo run --release -p sidehook-server --example train_injection -- DATA
//! ```
//!
//! reads the rows below `DATA/injection-*` and writes the file of weights that is
//! built into the server. The same data gives the same file.

use sidehook_server::{
    evaluation::injection::rows,
    middleware::prompt_injection::train::{Document, Settings, own, train},
};
use std::{collections::BTreeSet, error::Error, fs, path::Path};

const WEIGHTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/src/middleware/prompt_injection/score/weights.bin");

fn main() -> Result<(), Box<dyn Error>> {
    let data = std::env::args().nth(1).ok_or("usage: train_injection DATA")?;
    let rows = rows(Path::new(&data))?;
    if rows.is_empty() {
        return Err(format!("`{data}` has no folder `injection-*`").into());
    }
    let sets: BTreeSet<&str> = rows.iter().map(|row| row.set.as_str()).collect();
    let mut documents: Vec<Document> = Vec::new();
    for row in rows.iter().filter(|row| !row.by_context) {
        let source = sets.iter().position(|set| *set == row.set).unwrap_or_default();
        documents.push(Document::new(&row.example(u32::try_from(source)?)));
    }
    documents.extend(own(63).iter().map(Document::new));
    let model = train(&documents.iter().collect::<Vec<_>>(), &Settings::default());
    fs::write(WEIGHTS, model.to_bytes())?;
    Ok(())
}
