//! The value of `--split`: modes, or the flags of a storyboard's pane.

use std::str::FromStr;

use crate::scene::{MAX_BESIDE, NoWipe, Wipe};
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

impl PaneFlags {
    /// Returns true if the pane sets this flag.
    pub fn has(&self, key: &str) -> bool {
        self.words.iter().any(|(given, _)| given == key)
    }

    /// Returns true if the pane sets a flag that changes this.
    pub fn changes(&self, what: Part) -> bool {
        self.words.iter().any(|(key, _)| part(key) == Some(what))
    }

    /// Returns the caption of the pane, without the name of one of two files.
    pub fn caption(&self) -> String {
        caption(self.words.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_deref()?))))
    }

    /// The words as typed on a command line.
    pub fn arguments(&self) -> impl Iterator<Item = String> + '_ {
        // Which file a pane shows is no flag.
        self.words.iter().filter(|(key, _)| key != OTHER).map(|(key, value)| match value {
            Some(value) => format!("--{key}={value}"),
            None => format!("--{key}"),
        })
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

/// Flags that take no value.
const SWITCHES: [&str; 4] = ["ortho", "no-legend", "flat", OTHER];

/// The part of a pane that a flag changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The one of two files that it shows.
    File,
    Mode,
    Skin,
    Palette,
    Pose,
    Inject,
    Camera,
    View,
    Overlays,
    Materials,
    Onion,
    Explained,
    Marked,
    Legend,
    Look,
}

/// Flags that a pane can set, and what of it they change.
pub const KEYS: [(&str, Part); 32] = [
    ("mode", Part::Mode),
    ("skin", Part::Skin),
    ("palette", Part::Palette),
    ("pose", Part::Pose),
    ("clip", Part::Pose),
    ("blend-clip", Part::Pose),
    ("time", Part::Pose),
    ("frame", Part::Pose),
    ("joint", Part::Pose),
    ("joint-move", Part::Pose),
    ("joint-scale", Part::Pose),
    ("morph", Part::Pose),
    ("blend", Part::Pose),
    ("only-joint", Part::Pose),
    ("inject", Part::Inject),
    ("camera", Part::Camera),
    ("fov", Part::Camera),
    ("ortho", Part::Camera),
    ("target", Part::Camera),
    ("view", Part::View),
    ("overlay", Part::Overlays),
    ("material", Part::Materials),
    ("onion", Part::Onion),
    ("explain", Part::Explained),
    ("vertex", Part::Marked),
    ("no-legend", Part::Legend),
    (OTHER, Part::File),
    ("quality", Part::Look),
    ("msaa", Part::Look),
    ("background", Part::Look),
    ("exposure", Part::Look),
    ("flat", Part::Look),
];

/// Returns the part that a flag changes; `None` if no pane can set it.
fn part(key: &str) -> Option<Part> {
    KEYS.iter().find(|(name, _)| *name == key).map(|(_, part)| *part)
}

/// Parses the value.
pub fn split(text: &str) -> Result<Split, String> {
    let is_pane = text.contains('=')
        || SWITCHES.iter().any(|switch| text.split_whitespace().any(|word| word == *switch));
    match is_pane {
        true => pane_flags(text).map(Split::Pane),
        false => modes(text).map(Split::Modes),
    }
}

/// Parses the flags of a pane.
pub fn pane_flags(text: &str) -> Result<PaneFlags, String> {
    Ok(PaneFlags { text: text.trim().to_owned(), words: words(text)? })
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

/// Words that begin with a key begin a flag; others go on with the value before them, so that names may have spaces.
fn words(text: &str) -> Result<Vec<(String, Option<String>)>, String> {
    let mut words: Vec<(String, Option<String>)> = Vec::new();
    for word in text.split_whitespace() {
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (key.trim_start_matches("--"), Some(value)),
            None => (word.trim_start_matches("--"), None),
        };
        let is_switch = SWITCHES.contains(&key);
        if part(key).is_some() && value.is_some() != is_switch {
            words.push((key.to_owned(), value.map(str::to_owned)));
            continue;
        }
        match words.last_mut() {
            Some((_, Some(last))) => *last = format!("{last} {word}"),
            _ => {
                let message =
                    "expected KEY=VALUE with the name of a flag that changes a picture, such as view=normals";
                return Err(format!("'{word}': {message}"));
            }
        }
    }
    Ok(words)
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
        let given: Vec<String> = pane.arguments().collect();
        assert_eq!(given, ["--mode=dqs", "--no-legend", "--joint=upper arm.R=0,0,45", "--view=normals"]);
        assert_eq!(pane.caption(), "dqs joint=upper arm.R=0,0,45 normals");
        assert_eq!(caption([("view", "difference:lbs@0.05m")]), "difference:lbs");
        assert!(pane.has("view") && !pane.has("pose"));
        assert!(pane.changes(Part::Pose) && !pane.changes(Part::Camera));
        for wrong in ["", "lbs,lbs,lbs,lbs,lbs", "size=1x1", "model=a", "a mode=lbs", "no-legend=1"] {
            assert!(split(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_key_is_a_flag() {
        use clap::CommandFactory;
        let command = crate::cli::args::Cli::command();
        for (key, _) in KEYS {
            assert!(command.get_arguments().any(|flag| flag.get_long() == Some(key)), "{key}");
        }
    }
}
