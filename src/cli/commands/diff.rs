//! `sinew diff`: compares two pictures.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::path::Path;

use crate::check::{Case, Severity};
use crate::image::{Difference, Image, TILE, read_png, write_png};
use crate::output::{self, Inputs, Role};
use crate::writing::write_json;

use crate::cli::args::DiffArgs;
use crate::cli::subject::nearby;
use crate::cli::terminal::check::Check;
use crate::cli::terminal::colors::{Tone, verdict};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;

/// The kinds of findings.
const KINDS: [&str; 2] = ["differs", "resized"];

/// Compares two pictures and prints the differences.
pub fn run(args: &DiffArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let expected = read(&args.expected, Role::Expected, &mut inputs)?;
    let actual = read(&args.actual, Role::Actual, &mut inputs)?;
    let inputs = inputs.close();
    let output = args.output.as_ref().map(|out| inputs.output(out)).transpose()?;
    let check = Check::new(&args.check, &KINDS, Some(Severity::Error), &inputs)?;
    check.keep_apart(args.output.as_deref())?;
    let actual_name = args.actual.display().to_string();
    let report = |severity, kind, message: String| {
        let case = Case::new(&actual_name, severity, kind, message);
        check.write(&format!("diff {}", args.expected.display()), &[case])
    };
    let named = |cause: String| format!("{actual_name}: {cause}");
    let difference = match Difference::between(&expected, &actual) {
        Ok(difference) => difference,
        Err(error) => {
            report(Severity::Error, "resized", error.to_string())?;
            return Err(Failure::Check(named(error.to_string())));
        }
    };
    let tolerance = args.tolerance.into();
    let is_within = difference.is_within(&tolerance);
    if let Some(out) = &output {
        let written = output::write(out, |file| write_png(&difference.picture(expected.width), file));
        written.map_err(|cause| Failure::output(out.path(), cause))?;
    }
    print(|out| match args.json {
        true => write_json(out, &json(&difference, is_within)).and_then(|()| writeln!(out)),
        false => writeln!(out, "{}", verdict(&text(&difference), Tone::of(is_within))),
    })?;
    let severity = if is_within { Severity::Fine } else { Severity::Error };
    report(severity, "differs", text(&difference))?;
    match is_within {
        true => Ok(()),
        false => Err(Failure::Check(named(format!("differs from {}", args.expected.display())))),
    }
}

fn read(path: &Path, role: Role, inputs: &mut Inputs) -> Result<Image, Failure> {
    inputs.add(path, role)?;
    read_png(path).map_err(|error| Failure::Input {
        file: path.display().to_string(),
        cause: nearby::picture(path, &error).replace('\n', " "),
    })
}

fn text(difference: &Difference) -> String {
    if difference.pixels == 0 {
        return format!("all {} pixels are the same", difference.of_pixels);
    }
    let [left, top] = difference.tile;
    format!(
        "{} of {} pixels differ, by {} of 255 at most; FLIP {:.4} on average, {:.4} in the worst {TILE}x{TILE} pixels, at {left},{top}",
        difference.pixels,
        difference.of_pixels,
        difference.worst_channel,
        difference.flip_mean,
        difference.flip_tile,
    )
}

fn json(difference: &Difference, is_within: bool) -> serde_json::Value {
    serde_json::json!({
        "within_tolerance": is_within,
        "pixels": difference.of_pixels,
        "differing_pixels": difference.pixels,
        "worst_channel": difference.worst_channel,
        "flip_mean": difference.flip_mean,
        "flip_tile": difference.flip_tile,
        "worst_tile": difference.tile,
    })
}
