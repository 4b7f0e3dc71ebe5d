//! The reports that a check writes, and its exit code.

use std::io::{self, Write};
use std::path::Path;

use crate::check::{Case, FailOn, Report, Severity, junit, markdown};
use crate::output::{self, Closed, Output};

use crate::cli::args::CheckArgs;
use crate::cli::terminal::failure::Failure;

/// Writes a report in some format.
type Format = fn(&Report, &mut dyn Write) -> io::Result<()>;

/// The reports of a check, and its limit.
pub struct Check {
    fail_on: FailOn,
    outputs: Vec<(Output, Format)>,
}

impl Check {
    /// Reads the flags of a check with these kinds of findings; some findings fail it `always`. All inputs must have been
    /// noted.
    pub fn new(
        args: &CheckArgs,
        kinds: &[&str],
        always: Option<Severity>,
        inputs: &Closed,
    ) -> Result<Self, Failure> {
        let CheckArgs { junit: junit_file, markdown: markdown_file, fail_on } = args;
        let fail_on = FailOn::new(fail_on, kinds, always).map_err(|word| {
            Failure::Usage(format!("--fail-on {word}: expected error, warning, {}", kinds.join(", ")))
        })?;
        if let (Some(one), Some(other)) = (junit_file, markdown_file) {
            output::are_apart(one, other)?;
        }
        let formats: [(_, Format); 2] = [(junit_file, junit), (markdown_file, markdown)];
        let outputs = formats.into_iter().filter_map(|(file, format)| Some((file.as_ref()?, format)));
        let outputs = outputs.map(|(file, format)| Ok((inputs.output(file)?, format)));
        Ok(Self { fail_on, outputs: outputs.collect::<Result<_, Failure>>()? })
    }

    /// Refuses a report that is another output of the run.
    pub fn keep_apart(&self, other: Option<&Path>) -> Result<(), Failure> {
        let mut both = self.outputs.iter().filter_map(|(output, _)| Some((output.path(), other?)));
        Ok(both.try_for_each(|(report, other)| output::are_apart(report, other))?)
    }

    /// Refuses a report in a folder that the run fills.
    pub fn keep_out(&self, folder: &Path) -> Result<(), Failure> {
        match self.outputs.iter().find(|(output, _)| output::is_in(output.path(), folder)) {
            None => Ok(()),
            Some((output, _)) => {
                let [report, folder] = [output.path(), folder].map(|path| path.display().to_string());
                Err(Failure::Usage(format!("{report}: it is in {folder}, which this run fills")))
            }
        }
    }

    /// Writes the reports.
    pub fn write(&self, suite: &str, cases: &[Case]) -> Result<(), Failure> {
        let report = Report { suite, cases, fail_on: &self.fail_on };
        for (place, format) in &self.outputs {
            output::write(place, |out| format(&report, out))
                .map_err(|error| Failure::output(place.path(), error))?;
        }
        Ok(())
    }

    /// A failure that names the first case that fails, if one does.
    pub fn judge(&self, file: &str, cases: &[Case]) -> Result<(), Failure> {
        let mut failures = cases.iter().filter(|case| self.fail_on.fails(case));
        let Some(first) = failures.next() else { return Ok(()) };
        let failure = Failure::Check(format!("{file}: {}: {}", first.name, first.text()));
        Err(match failures.count() {
            0 => failure,
            more => failure.with_more(more),
        })
    }
}
