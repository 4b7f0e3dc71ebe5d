//! `sinew diagnose`: names the fault of a picture, or the skinning that made vertices.

mod picture;
mod table;
mod vertices;

use crate::cli::args::DiagnoseArgs;
use crate::cli::terminal::failure::Failure;
use crate::output::Inputs;

/// Names the fault of a picture, or the skinning of vertices.
pub fn run(args: &DiagnoseArgs, inputs: Inputs) -> Result<(), Failure> {
    let ending = args.like.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("png") => picture::run(args, inputs),
        _ => vertices::run(args, inputs),
    }
}
