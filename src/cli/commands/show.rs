//! `sinew show`: prints a picture's record of how it was made.

use crate::image::Notes;
use crate::output::{Inputs, Role};
use crate::writing::write_json_pretty;

use crate::cli::args::ShowArgs;
use crate::cli::subject::nearby;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};

/// The name of each text in the file, in the printed list and in the JSON.
const TEXTS: [(&str, &str, &str); 12] = [
    (SOFTWARE, "software", "software"),
    (COMMAND, "command", "command"),
    (AUTHORED, "authored mode", "authored_mode"),
    (MODEL, "model SHA-256", "model_sha256"),
    (FILES, "files SHA-256", "files_sha256"),
    (CLIPS, "clips SHA-256", "clips_sha256"),
    (OTHER, "other SHA-256", "other_sha256"),
    (OTHER_FILES, "its files", "other_files_sha256"),
    (ENVIRONMENT, "environment", "environment_sha256"),
    (SKINNED, "skinned", "skinned"),
    (DEVICE, "device", "device"),
    (DRIVER, "driver", "driver"),
];

/// sinew with its version.
pub const SOFTWARE: &str = "Software";
/// The command that makes the same picture.
pub const COMMAND: &str = "Command";
/// The mode that the model's file names as its author's.
pub const AUTHORED: &str = "Authored mode";
/// SHA-256 of the model's file.
pub const MODEL: &str = "Model SHA-256";
/// SHA-256 of the output of `sha256sum` for the files that the model names.
pub const FILES: &str = "Model files SHA-256";
/// SHA-256 of the output of `sha256sum` for the files of --clip-from and --joint-map.
pub const CLIPS: &str = "Clips SHA-256";
/// SHA-256 of the second file.
pub const OTHER: &str = "Other SHA-256";
/// SHA-256 of the output of `sha256sum` for the files that the second file names.
pub const OTHER_FILES: &str = "Other files SHA-256";
/// SHA-256 of the picture of --environment.
pub const ENVIRONMENT: &str = "Environment SHA-256";
/// The modes of the picture, with the processor that skinned.
pub const SKINNED: &str = "Skinned";
/// Name of the Vulkan device.
pub const DEVICE: &str = "Device";
/// Name and version of the driver.
pub const DRIVER: &str = "Driver";

/// Prints the notes of a picture.
pub fn run(args: &ShowArgs, mut inputs: Inputs) -> Result<(), Failure> {
    inputs.add(&args.picture, Role::Picture)?;
    let file = args.picture.display().to_string();
    let fault = |cause: String| Failure::Input { file: file.clone(), cause: plain(&cause) };
    let notes = Notes::read(&args.picture).map_err(|error| fault(nearby::picture(&args.picture, &error)))?;
    let is_ours = notes.get(SOFTWARE).is_some_and(|software| software.starts_with("sinew "));
    if !is_ours || notes.get(COMMAND).is_none() {
        return Err(fault("it has no record that sinew made it".to_owned()));
    }
    print(|out| match args.json {
        true => {
            let texts = TEXTS.iter().map(|(name, _, key)| ((*key).to_owned(), notes.get(name).into()));
            let texts: serde_json::Map<String, serde_json::Value> = texts.collect();
            write_json_pretty(out, &texts)
        }
        false => TEXTS.iter().try_for_each(|(name, shown, _)| match notes.get(name) {
            Some(text) => writeln!(out, "{shown:<14} {}", plain(text)),
            None => Ok(()),
        }),
    })
}
