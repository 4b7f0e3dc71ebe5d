//! `sinew builtins`: lists or writes the built-in models.

use std::path::Path;

use crate::model::builtin;
use crate::output::{self, Closed, Folder};

use crate::cli::args::BuiltinsArgs;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use crate::cli::terminal::print::say;

/// Lists the models, or writes them as files.
pub fn run(args: &BuiltinsArgs, inputs: &Closed) -> Result<(), Failure> {
    match &args.write {
        Some(folder) => write(folder, inputs),
        None => print(|out| {
            builtin::list()
                .iter()
                .try_for_each(|model| writeln!(out, "builtin:{:<10} {}", model.name, model.summary))
        }),
    }
}

fn write(folder: &Path, inputs: &Closed) -> Result<(), Failure> {
    let folder = Folder::make(folder).map_err(|cause| Failure::output(folder, cause))?;
    for name in builtin::FILES {
        let out = inputs.beneath(&folder, &format!("{name}.glb"))?;
        let path = out.path().to_owned();
        let glb = builtin::glb(name).map_err(|error| Failure::output(&path, error))?;
        output::write(&out, |out| out.write_all(&glb)).map_err(|cause| Failure::output(&path, cause))?;
        say(&format!("wrote {}", path.display()));
    }
    Ok(())
}
