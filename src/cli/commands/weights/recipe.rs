//! Recipes: JSON files of edits that can be repeated on the next export of a character (docs/reference/json.md).

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cli::args::{Step, WeightsArgs};
use crate::cli::subject::file::BUILTIN;
use crate::cli::terminal::failure::Failure;
use crate::model::gltf::{self, shortened};
use crate::output::{Inputs, Role};
use crate::skinning::reweight::{Edit, Where};
use crate::writing::write_json_pretty;

/// The largest size of a recipe, in bytes.
pub const MAX_BYTES: u64 = 1 << 26;

/// The maximum number of edits of a recipe.
const MAX_EDITS: usize = 1000;

/// Edits with the vertices and the locks that they have together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The number in the recipe; `None` for the command line's.
    pub number: Option<usize>,
    pub lock: Vec<String>,
    pub conditions: Vec<Where>,
    pub steps: Vec<Step>,
}

impl Group {
    /// The place of a member in the recipe; `None` for the command line.
    pub fn place(&self, member: &str) -> Option<String> {
        self.number.map(|number| format!("groups[{number}].{member}"))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    groups: Vec<Written>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lock: Vec<String>,
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<String>,
    edits: Vec<String>,
}

/// Returns the edits of a command line, after those of its recipe.
pub fn groups(args: &WeightsArgs, inputs: &mut Inputs) -> Result<Vec<Group>, Failure> {
    let mut groups = Vec::new();
    if let Some(path) = &args.recipe {
        inputs.add(path, Role::Recipe)?;
        let fault = |cause: String| Failure::Input { file: path.display().to_string(), cause };
        let text = gltf::read_file_of(path, MAX_BYTES).map_err(|error| fault(error.to_string()))?;
        groups = read(&text, path.parent().unwrap_or(Path::new(""))).map_err(fault)?;
    }
    if args.write_recipe.is_some() {
        can_be_written(&args.edits.steps).map_err(Failure::Usage)?;
    }
    if !args.edits.steps.is_empty() {
        let (lock, conditions) = (args.lock.clone(), args.conditions.clone());
        groups.push(Group { number: None, lock, conditions, steps: args.edits.steps.clone() });
    } else if !args.lock.is_empty() || !args.conditions.is_empty() {
        let cause = "--lock and --where are for the edits of the command line, such as --smooth JOINT@4; a recipe has its own";
        return Err(Failure::Usage(cause.to_owned()));
    }
    match groups.is_empty() {
        true => Err(Failure::Usage(
            "nothing to do: give an edit such as --smooth JOINT@4, --replace OLD=NEW or --fix, or a --recipe"
                .to_owned(),
        )),
        false => Ok(groups),
    }
}

/// Reads a recipe; models that it names by a relative path are in its folder.
pub fn read(text: &[u8], folder: &Path) -> Result<Vec<Group>, String> {
    let document: Document =
        serde_json::from_slice(text).map_err(|error| shortened(&error.to_string()).to_string())?;
    let edits: usize = document.groups.iter().map(|group| group.edits.len()).sum();
    match edits {
        0 => return Err("the recipe has no edits".to_owned()),
        1..=MAX_EDITS => {}
        _ => return Err(format!("the recipe has {edits} edits; sinew performs up to {MAX_EDITS}")),
    }
    let groups = document.groups.into_iter().enumerate();
    groups.map(|(number, written)| group(number, written, folder)).collect()
}

fn group(number: usize, written: Written, folder: &Path) -> Result<Group, String> {
    let Written { lock, conditions, edits } = written;
    let condition = |(at, text): (usize, &String)| {
        text.parse().map_err(|error| format!("groups[{number}].where[{at}]: {error}"))
    };
    let step = |(at, text): (usize, &String)| {
        step(text, folder).map_err(|error| format!("groups[{number}].edits[{at}]: {error}"))
    };
    Ok(Group {
        number: Some(number),
        lock,
        conditions: conditions.iter().enumerate().map(condition).collect::<Result<_, String>>()?,
        steps: edits.iter().enumerate().map(step).collect::<Result<_, String>>()?,
    })
}

fn step(text: &str, folder: &Path) -> Result<Step, String> {
    match text.split_once(' ') {
        None if text == "fix" => Ok(Step::Fix),
        Some(("copy", model)) if !model.is_empty() && model != "-" => {
            Ok(Step::Copy(match is_builtin(model) {
                true => model.into(),
                false => folder.join(model).into(),
            }))
        }
        Some((kind, value)) if let Some(read) = Edit::read(kind, value) => {
            read.map(Step::Edit).map_err(|error| error.to_string())
        }
        _ => {
            Err(format!("expected an edit, such as \"smooth elbow@4\" or \"fix\", not {:?}", shortened(text)))
        }
    }
}

/// Checks that a recipe can name the models of these edits.
fn can_be_written(steps: &[Step]) -> Result<(), String> {
    let models = steps.iter().filter_map(|step| match step {
        Step::Copy(model) => Some(model),
        Step::Edit(_) | Step::Fix => None,
    });
    let unfit = models.into_iter().find(|model| *model == "-" || model.to_str().is_none());
    unfit.map_or(Ok(()), |model| {
        Err(format!("--write-recipe cannot name the model of --copy {}", model.to_string_lossy()))
    })
}

/// Writes a recipe, with each condition in another form.
///
/// # Errors
/// If it is larger than [`MAX_BYTES`], so that it could not be read, or cannot be written.
pub fn write(
    groups: &[Group],
    form: impl Fn(&Where) -> Where,
    path: &Path,
    out: &mut dyn Write,
) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let step = |step: &Step| match step {
        Step::Edit(edit) => format!("{} {edit}", edit.kind()),
        Step::Copy(model) => format!("copy {}", seen_from(folder, model).to_string_lossy()),
        Step::Fix => "fix".to_owned(),
    };
    let written = |group: &Group| Written {
        lock: group.lock.clone(),
        conditions: group.conditions.iter().map(|one| form(one).to_string()).collect(),
        edits: group.steps.iter().map(step).collect(),
    };
    let mut text = Vec::new();
    write_json_pretty(&mut text, &Document { groups: groups.iter().map(written).collect() })?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("the recipe is larger than {} MiB", MAX_BYTES >> 20)));
    }
    out.write_all(&text)
}

/// Returns true for the name of a built-in model.
fn is_builtin(model: &str) -> bool {
    model.starts_with(BUILTIN)
}

/// Returns a model's name as a file in a folder needs it.
fn seen_from(folder: &Path, model: &OsString) -> OsString {
    let is_builtin = model.to_str().is_some_and(is_builtin);
    match folder.as_os_str().is_empty() || is_builtin {
        true => model.clone(),
        false => std::path::absolute(model).map_or_else(|_| model.clone(), OsString::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_reads_as_it_was_written() {
        let steps = vec![
            Step::Edit(Edit::Add("a b".to_owned(), -0.1)),
            Step::Fix,
            Step::Copy("builtin:character".into()),
            Step::Copy("old model.glb".into()),
        ];
        let conditions = vec!["sphere:0,1.5,-2,0.25".parse().unwrap(), "part:hand L".parse().unwrap()];
        let first = Group { number: Some(0), lock: vec!["x".to_owned()], conditions, steps };
        let groups = [first, Group { number: Some(1), ..Group::default() }];
        let mut text = Vec::new();
        write(&groups, Where::clone, Path::new("recipe.json"), &mut text).unwrap();
        assert_eq!(read(&text, Path::new("")).unwrap(), groups);
        let moved = read(&text, Path::new("dir")).unwrap();
        assert_eq!(moved[0].steps[3], Step::Copy(Path::new("dir").join("old model.glb").into()));
        assert_eq!(moved[0].steps[2], Step::Copy("builtin:character".into()));
        let mut text = Vec::new();
        write(&groups, Where::clone, Path::new("dir/recipe.json"), &mut text).unwrap();
        let Step::Copy(model) = &read(&text, Path::new("elsewhere")).unwrap()[0].steps[3] else { panic!() };
        assert!(Path::new(model).is_absolute());
    }

    #[test]
    fn faults_of_a_recipe_have_their_place() {
        let fault = |text: &str| read(text.as_bytes(), Path::new("")).unwrap_err();
        assert!(fault("[]").contains("line 1"), "{}", fault("[]"));
        assert!(fault(r#"{"groups": [], "more": 1}"#).contains("unknown field `more`"));
        assert_eq!(fault(r#"{"groups": []}"#), "the recipe has no edits");
        assert_eq!(fault(r#"{"groups": [{"edits": []}]}"#), "the recipe has no edits");
        let many = vec!["fix"; 1001];
        let many = serde_json::json!({"groups": [{"edits": many}]}).to_string();
        assert_eq!(fault(&many), "the recipe has 1001 edits; sinew performs up to 1000");
        let one = |edit: &str| fault(&format!(r#"{{"groups": [{{"edits": ["fix", {edit:?}]}}]}}"#));
        assert_eq!(one("smooth elbow"), "groups[0].edits[1]: expected JOINT@N, such as elbow@4, up to 1000");
        assert_eq!(
            one("paint x"),
            "groups[0].edits[1]: expected an edit, such as \"smooth elbow@4\" or \"fix\", not \"paint x\""
        );
        assert!(one("copy ").contains("expected an edit") && one("copy -").contains("expected an edit"));
        assert!(can_be_written(&[Step::Copy("-".into())]).is_err());
        assert_eq!(can_be_written(&[Step::Fix, Step::Copy("a.glb".into())]), Ok(()));
        let place = fault(r#"{"groups": [{"where": ["ball:1"], "edits": ["fix"]}]}"#);
        assert!(place.starts_with("groups[0].where[0]: expected part:JOINT"), "{place}");
    }
}
