//! `sinew diagnose`: names the fault of a picture, or the skinning that made vertices.

mod picture;
mod table;
mod vertices;

pub(crate) use picture::settled;

use crate::cli::args::DiagnoseArgs;
use crate::cli::terminal::failure::Failure;
use crate::output::Inputs;

/// Names the fault of a picture, or the skinning of vertices.
pub fn run(args: &DiagnoseArgs, inputs: Inputs) -> Result<(), Failure> {
    let ending = args.like.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("png") => match of_vertices(args) {
            Some(flag) => {
                Err(Failure::Usage(format!("{flag}: it goes with vertices, but --like names a picture")))
            }
            None => picture::run(args, inputs),
        },
        _ => vertices::run(args, inputs),
    }
}

/// Returns a given flag that only vertices have.
fn of_vertices(args: &DiagnoseArgs) -> Option<&'static str> {
    let given = [
        ("--bind", args.bind.is_some()),
        ("--expect", args.expect.is_some()),
        ("--like-frame", args.like_frame.is_some()),
        ("--output", args.output.is_some()),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
}
