//! The value of `--split`: modes, or the flags of a storyboard's pane.

use std::ffi::OsString;
use std::str::FromStr;
use std::sync::OnceLock;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};

use super::{CameraArgs, Cli, PictureArgs, PoseArgs, flags, one_line};
use crate::scene::{MAX_BESIDE, MAX_PANES, NoWipe, Wipe};
use crate::skinning::SkinningMode;
use crate::view::OTHER;

/// The value of `--wipe`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WipeFlag {
    /// Another mode.
    Mode(Wipe),
    /// The other file, to the right of this place.
    Other(f64),
}

impl FromStr for WipeFlag {
    type Err = NoWipe;

    fn from_str(text: &str) -> Result<Self, NoWipe> {
        match text.split_once('@').unwrap_or((text, "0.5")) {
            (OTHER, at) => {
                at.parse().ok().filter(|at| (0.0..=1.0).contains(at)).map(Self::Other).ok_or(NoWipe)
            }
            _ => text.parse().map(Self::Mode),
        }
    }
}

/// The panes to show beside the picture, or in its place.
#[derive(Clone, Debug, PartialEq)]
pub enum Split {
    /// Modes next to the first.
    Modes(Vec<SkinningMode>),
    /// The flags of a pane.
    Pane(PaneFlags),
}

/// The flags of a pane.
#[derive(Clone, Debug, PartialEq)]
pub struct PaneFlags {
    /// As given.
    pub text: String,
    /// Keys with their values; a switch has none.
    pub words: Vec<(String, Option<String>)>,
}

/// The help's groups of flags that change a picture.
const GROUPS: [&str; 4] = ["Pose", "Mode", "Look", "Viewpoint"];

/// The flags that arrange panes; a pane has no panes.
const ARRANGING: [&str; 2] = ["split", "wipe"];

/// The words of a pane that are no flags: its caption, and the other file.
const CAPTION: &str = "caption";

/// Flags that may be given several times, and replace those of the whole.
const REPLACING: [&str; 2] = ["clip", "blend-clip"];

impl PaneFlags {
    /// Returns true if the pane sets this flag.
    pub fn has(&self, key: &str) -> bool {
        self.words.iter().any(|(given, _)| given == key)
    }

    /// Returns the caption of the pane, without the name of one of two files.
    pub fn caption(&self) -> String {
        if let Some((_, Some(given))) = self.words.iter().find(|(key, _)| key == CAPTION) {
            return given.clone();
        }
        caption(self.words.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_deref()?))))
    }

    /// Returns the fields of a scene that the pane sets, even to the values of the whole.
    pub fn fields(&self) -> Vec<&str> {
        let field = |key| match key {
            "overlay" => "overlays",
            "material" => "materials",
            "explain" => "explained",
            "vertex" => "marked",
            "no-legend" => "legend",
            "mush-settings" => "mush",
            "quality" | "msaa" | "background" | "exposure" | "flat" => "look",
            _ if is_in::<PoseArgs>(key) => "pose",
            _ if is_in::<CameraArgs>(key) => "camera",
            _ => key,
        };
        self.words.iter().map(|(key, _)| field(key.as_str())).collect()
    }

    /// The words as typed on a command line.
    fn arguments(&self) -> impl Iterator<Item = OsString> + '_ {
        self.words.iter().filter(|(key, _)| key != OTHER && key != CAPTION).map(|(key, value)| match value {
            Some(value) => format!("--{key}={value}").into(),
            None => format!("--{key}").into(),
        })
    }

    /// Returns true if a flag of the whole gives way to the pane's. Poses replace poses, clips replace clips, and edits add
    /// to edits.
    fn replaces(&self, flag: &Arg) -> bool {
        let key = flag.get_long().unwrap_or_default();
        let adds = matches!(flag.get_action(), ArgAction::Append) && !REPLACING.contains(&key);
        let excludes = |one: &Arg, other: &Arg| command().get_arg_conflicts_with(one).contains(&other);
        let mut own = self.words.iter().filter_map(|(key, _)| flags::find(command(), key));
        ARRANGING.contains(&key)
            || (self.has(key) && !adds && key != OTHER)
            || (self.has("pose") && is_in::<PoseArgs>(key))
            || (self.has("clip") && key == "pose")
            || own.any(|own| excludes(own, flag) || excludes(flag, own))
    }

    /// Parses the command line of the whole with the pane's words laid over it.
    fn laid_over(&self, whole: &ArgMatches) -> Result<PictureArgs, clap::Error> {
        let mut words = vec![OsString::from("sinew")];
        for flag in command().get_arguments().filter(|flag| !self.replaces(flag)) {
            let id = flag.get_id().as_str();
            let is_given = whole.value_source(id) == Some(ValueSource::CommandLine);
            let Some(key) = flag.get_long().filter(|_| is_given) else { continue };
            words.extend(whole.get_raw(id).into_iter().flatten().map(|value| {
                let mut word = OsString::from(format!("--{key}"));
                if flag.get_action().takes_values() {
                    word.push("=");
                    word.push(value);
                }
                word
            }));
        }
        let model = whole.get_raw("model").into_iter().flatten().map(OsString::from);
        let own = self.arguments().chain([OsString::from("--")]).chain(model);
        Ok(Cli::read(words.into_iter().chain(own))?.picture)
    }
}

/// A pane of a storyboard.
#[derive(Debug)]
pub struct PaneArgs {
    /// The flags as given.
    pub flags: PaneFlags,
    /// The flags of the pane as a single picture.
    pub picture: PictureArgs,
}

/// Parses the panes that the command line of a whole picture asks for.
///
/// # Errors
/// With the kind of the mistake, and its description.
pub fn panes(whole: &ArgMatches, splits: &[Split]) -> Result<Vec<PaneArgs>, (ErrorKind, String)> {
    let wrong = |cause: &str| (ErrorKind::ValueValidation, format!("--split: {cause}"));
    let pane = |split: &Split| {
        let Split::Pane(flags) = split else {
            return Err(wrong("give modes once, or mode=MODE for each pane"));
        };
        let picture = flags.laid_over(whole).map_err(|error| {
            let cause = one_line(&error.to_string());
            let cause = cause.trim_end_matches("; see 'sinew --help'");
            (error.kind(), format!("--split '{}': {cause}", flags.text))
        })?;
        Ok(PaneArgs { flags: flags.clone(), picture })
    };
    match splits {
        [] | [Split::Modes(_)] => Ok(Vec::new()),
        _ if splits.len() > MAX_PANES => Err(wrong(&format!("a storyboard has at most {MAX_PANES} panes"))),
        _ => splits.iter().map(pane).collect(),
    }
}

/// Returns the caption of a pane with these flags. Modes and views appear by name, a difference without its scale.
pub fn caption<'a>(flags: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let words = flags.into_iter().map(|(key, value)| match key {
        "mode" => value.to_owned(),
        "view" if value.starts_with("difference:") => value.split('@').next().unwrap_or(value).to_owned(),
        "view" => value.to_owned(),
        // The picture says it anyway.
        "inject" => String::new(),
        _ => format!("{key}={value}"),
    });
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The flags of a picture.
fn command() -> &'static Command {
    static COMMAND: OnceLock<Command> = OnceLock::new();
    COMMAND.get_or_init(|| PictureArgs::augment_args(Command::new("sinew")))
}

/// Returns true if these arguments have a flag.
fn is_in<A: Args>(key: &str) -> bool {
    flags::find(&A::augment_args(Command::new("sinew")), key).is_some()
}

/// Returns true if a pane can set a flag of the picture.
fn is_of_panes(flag: &Arg) -> bool {
    let group = flag.get_help_heading().is_some_and(|group| GROUPS.contains(&group));
    group && flag.get_long().is_some_and(|key| !ARRANGING.contains(&key))
}

/// The names of the flags that a pane can set.
#[cfg(test)]
pub fn keys() -> impl Iterator<Item = &'static str> {
    command().get_arguments().filter(|flag| is_of_panes(flag)).filter_map(Arg::get_long)
}

/// Returns true if a word begins a switch of a pane.
fn is_switch(word: &str) -> bool {
    let stands_alone = |flag: &Arg| is_of_panes(flag) && !flag.get_action().takes_values();
    word == OTHER || flags::find(command(), word).is_some_and(stands_alone)
}

/// Parses the value.
pub fn split(text: &str) -> Result<Split, String> {
    let is_pane = text.contains('=') || text.split_whitespace().any(|word| is_switch(dashless(word)));
    match is_pane {
        true => Ok(Split::Pane(PaneFlags { text: text.trim().to_owned(), words: words(text)? })),
        false => modes(text).map(Split::Modes),
    }
}

fn dashless(word: &str) -> &str {
    word.trim_start_matches("--")
}

fn modes(text: &str) -> Result<Vec<SkinningMode>, String> {
    let modes: Vec<SkinningMode> =
        text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|error| {
            format!(
                "{error}; a pane of a storyboard is KEY=VALUE, such as view=normals, and other stands alone"
            )
        })?;
    match modes.len() < MAX_BESIDE {
        true => Ok(modes),
        false => Err(format!("expected at most {} other modes", MAX_BESIDE - 1)),
    }
}

/// Splits off a caption, which is the rest of the text.
fn captioned(text: &str) -> (&str, Option<&str>) {
    let mark = format!("{CAPTION}=");
    let begins = |(at, _): &(usize, &str)| text[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let found = text.match_indices(&mark).find(begins);
    found.map_or((text, None), |(at, _)| (&text[..at], Some(text[at + mark.len()..].trim())))
}

/// Words that begin with a key begin a flag; others go on with the value before them, so that names may have spaces.
fn words(text: &str) -> Result<Vec<(String, Option<String>)>, String> {
    let (text, caption) = captioned(text);
    let mut words: Vec<(String, Option<String>)> = Vec::new();
    for word in text.split_whitespace() {
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (dashless(key), Some(value)),
            None => (dashless(word), None),
        };
        let flag = flags::find(command(), key).filter(|flag| flag.get_action().takes_values());
        match (value, flag) {
            (Some(value), Some(flag)) if is_of_panes(flag) => {
                words.push((key.to_owned(), Some(value.to_owned())));
                continue;
            }
            (Some(_), Some(_)) => return Err(of_whole(word, key)),
            (None, _) if is_switch(key) => {
                words.push((key.to_owned(), None));
                continue;
            }
            _ => {}
        }
        match words.last_mut() {
            Some((_, Some(last))) => *last = format!("{last} {word}"),
            _ if flags::find(command(), key).is_some_and(|flag| !is_of_panes(flag)) => {
                return Err(of_whole(word, key));
            }
            _ => {
                let message =
                    "expected KEY=VALUE with the name of a flag that changes a picture, such as view=normals";
                return Err(format!("'{word}': {message}"));
            }
        }
    }
    words.extend(caption.map(|caption| (CAPTION.to_owned(), Some(caption.to_owned()))));
    Ok(words)
}

/// Describes a flag that all panes share.
fn of_whole(word: &str, key: &str) -> String {
    let groups = GROUPS.join(", ");
    format!(
        "'{word}': --{key} is for the whole picture; a pane takes flags of these groups of the help: {groups}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_modes_or_flags() {
        assert_eq!(split("dqs,rigid"), Ok(Split::Modes(vec![SkinningMode::DualQuat, SkinningMode::Rigid])));
        let Ok(Split::Pane(pane)) = split("mode=dqs no-legend joint=upper arm.R=0,0,45 --view=normals")
        else {
            panic!("a pane")
        };
        let given: Vec<OsString> = pane.arguments().collect();
        assert_eq!(given, ["--mode=dqs", "--no-legend", "--joint=upper arm.R=0,0,45", "--view=normals"]);
        assert_eq!(pane.caption(), "dqs joint=upper arm.R=0,0,45 normals");
        assert_eq!(caption([("view", "difference:lbs@0.05m")]), "difference:lbs");
        let Ok(Split::Pane(named)) = split("mode=dqs caption=the other, flat mode=x") else {
            panic!("a pane")
        };
        assert_eq!((named.caption().as_str(), named.arguments().count()), ("the other, flat mode=x", 1));
        assert!(pane.has("view") && !pane.has("pose"));
        assert_eq!(pane.fields(), ["mode", "legend", "pose", "view"]);
        let too_many = ["lbs"; SkinningMode::ALL.len()].join(",");
        for wrong in ["", &too_many, "size=1x1", "model=a", "a mode=lbs", "no-legend=1"] {
            assert!(split(wrong).is_err(), "{wrong}");
        }
    }

    /// A flag that changes a picture is one of a pane; another is refused by its name.
    #[test]
    fn flags_of_the_parser_are_of_panes_or_refused() {
        let mut refused = 0;
        for flag in command().get_arguments() {
            let Some(key) = flag.get_long() else { continue };
            let takes_value = flag.get_action().takes_values();
            let word = if takes_value { format!("{key}=1") } else { key.to_owned() };
            let found = split(&format!("{word} mode=lbs"));
            match is_of_panes(flag) {
                true => assert!(matches!(found, Ok(Split::Pane(pane)) if pane.has(key)), "{key}"),
                false if takes_value || flag.get_help_heading() != Some("Window") => {
                    let says = format!("--{key} is for the whole picture");
                    assert!(found.unwrap_err().contains(&says), "{key}");
                    refused += 1;
                }
                false => assert!(found.is_err(), "{key}"),
            }
        }
        assert!(refused > 10, "{refused}");
    }
}
