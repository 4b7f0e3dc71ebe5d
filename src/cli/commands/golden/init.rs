//! `sinew golden DIR --init MODEL…`: writes a list to begin with.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use crate::cli::args::{GoldenArgs, LoadArgs};
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::golden::LIST_NAME;
use crate::output::{self, Closed, Folder, Inputs};
use crate::skinning::SkinningMode;

const HEAD: &str = "\
# Pictures to compare: 'sinew golden DIR' draws each case and compares it with the PNG of its name beside this list.
# Every flag that changes a picture is a key, without its dashes; a list of values makes a case of each.
[defaults]
size = \"160x160\"

# Software drivers give the same bytes everywhere. Goldens made on one driver need a tolerance on others.
# [defaults.tolerance.NVIDIA]
# flip_mean = 0.01
# flip_tile = 0.25
";

/// The text of a list for the models, unless the folder has a list.
pub fn text(args: &GoldenArgs, inputs: &mut Inputs) -> Result<String, Failure> {
    let path = args.folder.join(LIST_NAME);
    if path.symlink_metadata().is_ok() {
        return Err(Failure::output(
            &path,
            "it already has a list; 'sinew golden DIR --update' accepts its pictures",
        ));
    }
    std::fs::create_dir_all(&args.folder).map_err(|error| Failure::output(&args.folder, error))?;
    let mut text = HEAD.to_owned();
    let mut names: Vec<String> = Vec::new();
    for given in &args.init {
        let case = case(given, &args.folder, &mut names, inputs)?;
        text.push_str(&case);
    }
    Ok(text)
}

/// Writes the list.
pub fn write(folder: &Folder, text: &str, inputs: &Closed) -> Result<(), Failure> {
    let out = inputs.beneath(folder, LIST_NAME)?.if_new();
    output::write(&out, |out| out.write_all(text.as_bytes()))
        .map_err(|error| Failure::output(out.path(), error))
}

/// A case that shows the model in every mode, at rest or at two times of its first clip.
fn case(
    given: &OsStr,
    folder: &Path,
    names: &mut Vec<String>,
    inputs: &mut Inputs,
) -> Result<String, Failure> {
    let load = LoadArgs::default();
    let model = open::model(given, &load, inputs)?;
    let shown = open::shown(given);
    let from_list = if open::is_builtin(given) { shown.clone() } else { seen_from(folder, Path::new(given)) };
    // A string of JSON is one of TOML, too.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let modes: Vec<String> = SkinningMode::ALL.iter().map(|mode| quoted(mode.name())).collect();
    let mut text =
        format!("\n[[case]]\nname = {}\nmodel = {}\n", quoted(&name(&shown, names)), quoted(&from_list));
    let _ = writeln!(text, "mode = [{}]", modes.join(", "));
    match model.clips.first() {
        Some(clip) => {
            let period = model.period_of(clip);
            let time = |share: f64| (period.at(share) * 1000.0).round() / 1000.0;
            let _ = writeln!(text, "clip = \"0\"\ntime = [{}, {}]", time(0.25), time(0.75));
        }
        None => text.push_str("pose = \"rest\"\n"),
    }
    Ok(text)
}

/// A name that no case has yet: the file's, with a number if need be.
fn name(given: &str, names: &mut Vec<String>) -> String {
    let file = given.rsplit(['/', '\\', ':']).next().unwrap_or(given);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let stem: String = stem.trim_start_matches(['.', '-']).chars().take(40).map(plain).collect();
    let stem = if stem.is_empty() { "model".to_owned() } else { stem };
    let is_free = |name: &String| !names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let numbered = (2..).map(|number: u32| format!("{stem}-{number}"));
    let free = std::iter::once(stem.clone()).chain(numbered).find(is_free).unwrap_or(stem);
    names.push(free.clone());
    free
}

/// The path of a file, from a folder; the file's own if one of them cannot be found.
fn seen_from(folder: &Path, file: &Path) -> String {
    let found = folder.canonicalize().ok().zip(file.canonicalize().ok());
    let Some((folder, whole)) = found else { return file.display().to_string() };
    let (from, to): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), whole.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - shared);
    let path: PathBuf = up.chain(to.into_iter().skip(shared)).collect();
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_new_and_paths_lead_back() {
        let mut names = Vec::new();
        let found: Vec<String> = ["a/Fox.glb", "b/fox.glb", "builtin:twist", "..", "-x y.gltf"]
            .map(|given| name(given, &mut names))
            .into();
        assert_eq!(found, ["Fox", "fox-2", "twist", "model", "x_y"]);
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("tests/golden")).unwrap();
        std::fs::write(folder.path().join("fox.glb"), "").unwrap();
        let seen = seen_from(&folder.path().join("tests/golden"), &folder.path().join("fox.glb"));
        assert_eq!(seen, "../../fox.glb");
    }
}
