//! `sinew inspect --reader both`: compares the models of the two readers.

use crate::check::{Case, Severity};
use crate::model::differences;
use crate::output::Inputs;
use crate::writing::write_json_pretty;
use serde::Serialize;

use crate::cli::args::InspectArgs;
use crate::cli::subject::open;
use crate::cli::terminal::check::Check;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;

/// The kind of findings.
const KIND: &str = "reader";

/// The result of a comparison.
#[derive(Serialize)]
struct Compared {
    model: String,
    /// True if both readers give the same model.
    is_same: bool,
    /// The parts that differ.
    differences: Vec<String>,
    /// The error of the crate `gltf`, if it does not read the file.
    gltf_error: Option<String>,
}

/// Prints whether both readers give the same model. A file that the loader itself cannot read is an error.
pub fn run(args: &InspectArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let (own, crates) = open::read_twice(&args.model, &args.load, &mut inputs)?;
    let (differences, gltf_error) = match crates {
        Ok(crates) => (differences(&own, &crates), None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let inputs = inputs.close();
    let check = Check::new(&args.check, &[KIND], Some(Severity::Error), &inputs)?;
    let is_same = differences.is_empty() && gltf_error.is_none();
    let compared = Compared { model: open::shown(&args.model), is_same, differences, gltf_error };
    print(|out| {
        if args.json {
            return write_json_pretty(out, &compared);
        }
        let Compared { model, differences, gltf_error, .. } = &compared;
        match gltf_error {
            Some(error) => writeln!(out, "{model}: {error}"),
            None if is_same => writeln!(out, "{model}: both readers give the same model"),
            None => {
                writeln!(out, "{model}: the readers differ:")?;
                differences.iter().try_for_each(|difference| writeln!(out, "  {difference}"))
            }
        }
    })?;
    let name = format!("inspect {}", compared.model);
    let texts = compared.differences.iter().chain(&compared.gltf_error);
    let mut cases: Vec<Case> = texts.map(|text| Case::new(&name, Severity::Error, KIND, text)).collect();
    if is_same {
        cases.push(Case::new(&name, Severity::Fine, KIND, ""));
    }
    check.write(&name, &cases)?;
    match is_same {
        true => Ok(()),
        false => Err(Failure::Check(format!("{}: the readers do not agree", compared.model))),
    }
}
