//! `sinew conformance`: lists or writes the conformance suite, or judges the results of a program.

mod judged;
mod judgement;
mod page;
mod pictures;
mod print;
mod written;

use crate::cli::args::ConformanceArgs;
use crate::cli::terminal::failure::Failure;
use crate::conformance::files;
use crate::output::Inputs;

/// Lists the cases, writes the suite, or judges results.
pub fn run(args: &ConformanceArgs, inputs: Inputs) -> Result<(), Failure> {
    let check = &args.check;
    let has_reports = check.junit.is_some() || check.markdown.is_some() || !check.fail_on.is_empty();
    match (&args.judge, &args.write) {
        (Some(results), _) => judged::run(args, results, inputs),
        (None, _) if has_reports => {
            Err(Failure::Usage("--junit, --markdown and --fail-on need --judge RESULTS".to_owned()))
        }
        (None, Some(folder)) => written::run(folder, &inputs.close()),
        (None, None) => print::list(&files::manifest(), args.json),
    }
}
