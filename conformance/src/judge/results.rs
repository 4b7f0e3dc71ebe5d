//! A folder of results: which files belong to a case, and what they hold.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sinew_analysis::vertices::{Given, Options, read};
use sinew_model::gltf::{one_line, shortened};

use crate::Case;

/// The largest file of a result. The suite's rigs need a hundredth.
pub const MAX_BYTES: u64 = 4 << 20;

/// Endings of files with all times, best first.
const WHOLE: [&str; 5] = ["npz", "npy", "json", "pc2", "mdd"];

/// Endings of files with one time.
const SINGLE: [&str; 9] = ["npz", "npy", "json", "obj", "ply", "glb", "gltf", "bin", "f32"];

/// The program that made the results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// Its name.
    pub program: String,
    /// Its version.
    pub version: String,
    /// The path that skinned, such as CPU.
    pub path: String,
}

/// A folder of results.
pub struct Results<'a> {
    /// The names of its files.
    pub names: &'a BTreeSet<String>,
    /// Returns the content of a file of at most [`MAX_BYTES`].
    pub read: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

/// The files of a case.
pub(super) enum Found {
    Nothing,
    Refused(String),
    Crashed(String),
    Unreadable(String),
    /// The vertices at each time.
    Moments(Vec<Given>),
}

impl Results<'_> {
    /// Returns the program that made the results, if the folder says.
    pub fn about(&self) -> Option<About> {
        let bytes = self.names.contains("about.json").then(|| (self.read)("about.json"))??;
        let about: About = serde_json::from_slice(&bytes).ok()?;
        let plain = |text: String| shortened(&one_line(&text)).into_owned();
        Some(About { program: plain(about.program), version: plain(about.version), path: plain(about.path) })
    }

    /// Finds the files of a case in a mode.
    pub(super) fn find(&self, case: &Case, mode: &str) -> Found {
        let full = format!("{}.{mode}", case.name);
        let plain = (mode == "lbs").then(|| case.name.clone());
        for stem in [Some(full), plain].into_iter().flatten() {
            if let Some(reason) = self.reason(&format!("{stem}.crashed")) {
                return Found::Crashed(reason);
            }
            if let Some(reason) = self.reason(&format!("{stem}.refused")) {
                return Found::Refused(reason);
            }
            let files = self.files(&stem, case.times.len());
            if !files.is_empty() {
                let moments = files.iter().map(|(name, ending, frame)| self.moment(name, ending, *frame));
                return match moments.collect() {
                    Ok(moments) => Found::Moments(moments),
                    Err(reason) => Found::Unreadable(reason),
                };
            }
        }
        Found::Nothing
    }

    /// Returns the file of each time, with its ending and frame.
    fn files(&self, stem: &str, times: usize) -> Vec<(String, &'static str, usize)> {
        let named = |stem: &str, endings: &'static [&'static str]| {
            let mut names = endings.iter().map(|ending| (format!("{stem}.{ending}"), *ending));
            names.find(|(name, _)| self.names.contains(name))
        };
        if let Some((name, ending)) = named(stem, &WHOLE) {
            return (0..times).map(|frame| (name.clone(), ending, frame)).collect();
        }
        // One time needs no number.
        let single = (times == 1).then(|| named(stem, &SINGLE)).flatten();
        if let Some((name, ending)) = single {
            return vec![(name, ending, 0)];
        }
        let of_time = |number: usize| named(&format!("{stem}.{number}"), &SINGLE);
        if of_time(0).is_none() {
            return Vec::new();
        }
        let missing = |number: usize| (format!("{stem}.{number}"), "", 0);
        (0..times)
            .map(|number| of_time(number).map_or_else(|| missing(number), |(name, ending)| (name, ending, 0)))
            .collect()
    }

    fn moment(&self, name: &str, ending: &str, frame: usize) -> Result<Given, String> {
        let fault = |cause: String| format!("{name}: {cause}");
        if !self.names.contains(name) {
            return Err(fault("the file of this time is missing".to_owned()));
        }
        let limit = MAX_BYTES >> 20;
        let bytes = (self.read)(name)
            .ok_or_else(|| fault(format!("not a readable regular file of at most {limit} MiB")))?;
        let options = Options { frame: Some(frame), ..Options::default() };
        read(&bytes, ending, &options).map_err(|error| fault(error.to_string()))
    }

    /// Returns the first line of a text.
    fn reason(&self, name: &str) -> Option<String> {
        if !self.names.contains(name) {
            return None;
        }
        let bytes = (self.read)(name).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        Some(shortened(&one_line(text.lines().next().unwrap_or_default().trim())).into_owned())
    }
}
