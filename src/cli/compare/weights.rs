//! `sinew compare OLD NEW --weights`: how the weights of two files on one mesh differ.

use super::job::Other;
use crate::analysis::weights::{RandomPoses, WeightDifference, compare, random_poses, text};
use crate::cli::args::CompareArgs;
use crate::cli::failure::Failure;
use crate::cli::modes::modes;
use crate::cli::print::print;
use crate::model::Model;
use crate::output::{self, Output};
use crate::skinning::SkinningMode;
use crate::skinning::pose::Shares;
use crate::writing::Json;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    against: &'a str,
    weights: WeightDifference,
    /// A list of one for each mode; empty without `--poses`.
    random_poses: Vec<RandomPoses>,
}

/// Compares the weights and, if asked, the vertices over random poses; by default in the mode that the first file's author meant.
pub fn run(
    args: &CompareArgs,
    given: &str,
    old: &Model,
    other: &Other,
    json: Option<&Output>,
) -> Result<(), Failure> {
    let asked = if args.modes.is_empty() {
        vec![SkinningMode::authored(old).unwrap_or_default()]
    } else {
        modes(&args.modes, &Shares::default())
    };
    let poses = args.poses.map_or(0, |poses| poses as usize);
    let apart = |mode: SkinningMode| random_poses(old, &other.model, mode, poses, args.seed);
    let document = Document {
        model: given,
        against: &other.given,
        weights: compare(old, &other.model),
        random_poses: asked.into_iter().filter(|_| poses > 0).map(apart).collect(),
    };
    if let Some(place) = json {
        let written = output::write(place, |out| {
            serde_json::to_writer_pretty(Json(out), &document)?;
            writeln!(out)
        });
        written.map_err(|error| Failure::output(place.path(), error))?;
        if args.json.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            return Ok(());
        }
    }
    print(|out| {
        writeln!(out, "A is {given}, B is {}", other.given)?;
        write!(out, "{}", text::difference(&document.weights))?;
        document.random_poses.iter().try_for_each(|found| write!(out, "{}", text::random_poses(found)))
    })
}
