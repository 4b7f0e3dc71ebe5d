//! Writes the window's files next to its model, under names that no file has.

use std::io;
use std::path::{Path, PathBuf};

use crate::output::{Closed, Output};

use crate::cli::subject::open::BUILTIN;
use crate::cli::subject::stdin::STDIN;

/// The highest number in the names of written files.
const MAX_OF_ONE_NAME: u32 = 10_000;

/// Writes a file under a free name next to the model, and returns a message with its path. If another program takes the
/// name first, the next free one is used.
pub fn write_beside(
    names: (&str, &str, &str),
    inputs: &Closed,
    write: impl Fn(&Output) -> io::Result<()>,
) -> Result<String, String> {
    for output in free_outputs(names, inputs) {
        let path = output.path().display();
        match write(&output) {
            Ok(()) => return Ok(format!("wrote {path}")),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{path}: {error}")),
        }
    }
    Err(format!("{}: {MAX_OF_ONE_NAME} such files of it exist; remove or move some", names.0))
}

/// Free names next to the model that are not among the inputs either; for one that is no file, in the current folder.
fn free_outputs((model, what, ending): (&str, &str, &str), inputs: &Closed) -> impl Iterator<Item = Output> {
    let base = match model.strip_prefix(BUILTIN) {
        Some(name) => PathBuf::from(name),
        None if model == STDIN => PathBuf::from("stdin"),
        None => Path::new(model).with_extension(""),
    };
    let stem = base.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (what, ending) = (what.to_owned(), ending.to_owned());
    let numbered = move |number| base.with_file_name(format!("{stem}{what}-{number:03}.{ending}"));
    let free = (1..=MAX_OF_ONE_NAME).map(numbered).filter(|path| path.symlink_metadata().is_err());
    free.filter_map(|path| inputs.new_output(path).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Inputs, Role};

    #[test]
    fn pictures_go_beside_the_model_and_over_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("my.fox.glb");
        let named = |number| folder.path().join(format!("my.fox-00{number}.png"));
        let model = model.to_str().unwrap();
        let session = Inputs::none().stay_open();
        let inputs = session.closed();
        let free = |model, what, ending, inputs: &Closed| {
            free_outputs((model, what, ending), inputs).next().unwrap().path().to_owned()
        };
        assert_eq!(free(model, "", "png", &inputs), named(1));
        std::fs::write(named(1), "").unwrap();
        std::fs::write(named(2), "").unwrap();
        assert_eq!(free(model, "", "png", &inputs), named(3));
        // A missing texture would be shown as soon as it exists.
        session.inputs().add(&named(3), Role::Texture).unwrap();
        assert_eq!(free(model, "", "png", &inputs), named(4));
        let builtin = free("builtin:tube-7", "-pose", "json", &inputs);
        assert!(builtin.to_str().unwrap().starts_with("tube-7-pose-0"), "{}", builtin.display());
        let piped = free(STDIN, "", "png", &inputs);
        assert!(piped.to_str().unwrap().starts_with("stdin-0"), "{}", piped.display());
    }

    /// Another window with the same model takes the name that this one has found.
    #[test]
    fn a_name_that_is_taken_meanwhile_is_left_to_whoever_took_it() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("fox.glb");
        let said =
            write_beside((model.to_str().unwrap(), "-pose", "json"), &Inputs::none().close(), |output| {
                if output.path().ends_with("fox-pose-001.json") {
                    std::fs::write(output.path(), "theirs")?;
                }
                crate::output::write(output, |out| out.write_all(b"ours"))
            });
        let path = |number| folder.path().join(format!("fox-pose-00{number}.json"));
        assert_eq!(said, Ok(format!("wrote {}", path(2).display())));
        assert_eq!([1, 2].map(|number| std::fs::read_to_string(path(number)).unwrap()), ["theirs", "ours"]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
