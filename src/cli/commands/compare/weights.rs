//! `sinew compare OLD NEW --weights`: the differences between the weights of two files on one mesh.

use super::job::Other;
use crate::analysis::weights::{RandomPoses, WeightDifference, compare, random_poses, text};
use crate::check::{Case, Severity};
use crate::cli::args::CompareArgs;
use crate::cli::subject::modes::modes;
use crate::cli::terminal::check::Check;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};
use crate::model::Model;
use crate::output::{self, Closed, Output};
use crate::skinning::SkinningMode;
use crate::skinning::pose::Shares;
use crate::words::many;
use crate::writing::write_json_pretty;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    against: &'a str,
    weights: WeightDifference,
    /// A list of one for each mode; empty without `--poses`.
    random_poses: Vec<RandomPoses>,
}

/// Compares the weights and, if asked, the vertices over random poses. The default mode is the one that the first file names
/// as its author's.
pub fn run(
    args: &CompareArgs,
    given: &str,
    old: &Model,
    other: &Other,
    json: Option<&Output>,
    inputs: &Closed,
) -> Result<(), Failure> {
    let check = Check::new(&args.check, &KINDS, None, inputs)?;
    check.keep_apart(args.json.as_deref())?;
    let asked = if args.modes.is_empty() {
        vec![SkinningMode::authored(old).unwrap_or_default()]
    } else {
        modes(&args.modes, &Shares::default(), || false).modes
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
        let written = output::write(place, |out| write_json_pretty(out, &document));
        written.map_err(|error| Failure::output(place.path(), error))?;
    }
    if args.json.as_ref().is_none_or(|path| path.as_os_str() != "-") {
        print(|out| {
            writeln!(out, "A is {}, B is {}", plain(given), plain(&other.given))?;
            write!(out, "{}", text::difference(&document.weights))?;
            document.random_poses.iter().try_for_each(|found| write!(out, "{}", text::random_poses(found)))
        })?;
    }
    let cases = cases(&document.weights);
    check.write(&format!("compare {}", other.given), &cases)?;
    check.judge(&other.given, &cases)
}

/// The kinds of findings.
const KINDS: [&str; 6] =
    ["weights", "unmatched", "missing-joint", "new-joint", "missing-primitive", "new-primitive"];

/// Weights that differ, and parts that only one of the files has.
fn cases(found: &WeightDifference) -> Vec<Case> {
    let WeightDifference { unmatched, largest, worst, .. } = found;
    let weights = match (largest.filter(|largest| *largest > 0.0), worst) {
        (Some(largest), Some(worst)) => {
            let message = format!("they differ by {largest:.5} at {worst} (at most 2)");
            Case::new("influences", Severity::Warning, "weights", message)
        }
        _ => Case::new("influences", Severity::Fine, "weights", ""),
    };
    let partners = match unmatched {
        0 => Case::new("vertices", Severity::Fine, "unmatched", ""),
        count => {
            let message = format!("{} of the old file without a match", many(*count, "vertex"));
            Case::new("vertices", Severity::Error, "unmatched", message)
        }
    };
    let lists = [
        ("joint", &found.only_in_a, Severity::Error, "missing-joint", "missing in the new file"),
        ("joint", &found.only_in_b, Severity::Warning, "new-joint", "only in the new file"),
        (
            "primitive",
            &found.primitives_only_in_a,
            Severity::Error,
            "missing-primitive",
            "missing in the new file",
        ),
        (
            "primitive",
            &found.primitives_only_in_b,
            Severity::Warning,
            "new-primitive",
            "only in the new file",
        ),
    ];
    let alone = lists.into_iter().flat_map(|(what, names, severity, kind, message)| {
        names.iter().map(move |name| Case::new(format!("{what} {name}"), severity, kind, message))
    });
    [weights, partners].into_iter().chain(alone).collect()
}
