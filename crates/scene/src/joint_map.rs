//! Joint maps: TOML files that pair the joints of two rigs. It must not depend on how clips are retargeted.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use sinew_model::gltf::{one_line, shortened};
use sinew_skinning::retarget::JointMap;
use toml::de::{DeTable, DeValue};

/// The largest size of a map, in bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// The reason why a map cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct JointMapError {
    line: usize,
    message: String,
}

/// Reads the lines of a map.
///
/// # Errors
/// With the first fault of the text.
pub fn parse(text: &str) -> Result<JointMap, JointMapError> {
    let ends: Vec<usize> = text.match_indices('\n').map(|(offset, _)| offset).collect();
    let fault = |offset: usize, message: String| JointMapError {
        line: ends.partition_point(|end| *end < offset).saturating_add(1),
        message,
    };
    let table = DeTable::parse(text).map_err(|error| {
        fault(error.span().map_or(0, |span| span.start), shortened(error.message()).replace('\n', " "))
    })?;
    let mut pairs = BTreeMap::new();
    for (key, value) in table.get_ref() {
        let DeValue::String(name) = value.get_ref() else {
            let message = format!(
                "expected \"{}\" = \"joint of the model\", both in quotes",
                shortened(&key.get_ref().replace('\n', " "))
            );
            return Err(fault(key.span().start, message));
        };
        pairs.insert(key.span().start, (key.get_ref().to_string(), name.to_string()));
    }
    // File order, so that of two faults the first is reported.
    Ok(JointMap { pairs: pairs.into_values().collect() })
}

/// The matches of one file of clips, for a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// The file.
    pub file: String,
    /// Joints of the file, the model's joints that follow them, and the criterion.
    pub pairs: Vec<(String, String, &'static str)>,
    /// Joints of the file without a match.
    pub strays: Vec<String>,
    /// Joints of the model without a match.
    pub unmatched: Vec<String>,
}

/// Writes a map of all matches. Joints without one become comments, and so do joints that two files match differently.
pub fn text(model: &str, files: &[Matches]) -> String {
    let model = one_line(model);
    // The partner of each joint, in all files that have it; `None` if they disagree.
    let mut partners: HashMap<&str, Option<&str>> = HashMap::new();
    for matches in files {
        let strays = matches.strays.iter().map(|stray| (stray.as_str(), ""));
        let pairs = matches.pairs.iter().map(|(key, name, _)| (key.as_str(), name.as_str()));
        for (key, name) in pairs.chain(strays) {
            let known = partners.entry(key).or_insert(Some(name));
            *known = known.filter(|known| *known == name);
        }
    }
    let mut out = String::new();
    for matches in files {
        let file = one_line(&matches.file);
        let _ = writeln!(
            out,
            "# Joints of {file} on the left, those of {model} that follow them on the right.\n"
        );
        for (key, name, by) in &matches.pairs {
            let start = match partners.get_mut(key.as_str()) {
                Some(partner @ Some(_)) => {
                    // An empty name marks a joint that has its line.
                    let is_first = partner.replace("") != Some("");
                    if is_first { "" } else { "# " }
                }
                _ => "# files differ: ",
            };
            let _ = writeln!(out, "{start}{} = {}  # {by}", quoted(key), quoted(name));
        }
        list(&mut out, &format!("Joints of {file} without a match"), &matches.strays, " = \"\"");
        list(&mut out, &format!("Joints of {model} without a match"), &matches.unmatched, "");
        out.push('\n');
    }
    out
}

fn list(out: &mut String, heading: &str, names: &[String], end: &str) {
    if !names.is_empty() {
        let _ = writeln!(out, "\n# {heading}:");
    }
    for name in names {
        let _ = writeln!(out, "# {}{end}", quoted(name));
    }
}

/// Returns a name as a string of TOML, on one line.
fn quoted(name: &str) -> String {
    let mut out = String::from('"');
    for letter in name.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            // Line separators of Unicode are no control characters.
            '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04X}", u32::from(letter));
            }
            _ if letter.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(letter));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_pairs_in_their_order() {
        let text =
            "# left is the clip's\n\"mixamorig:LeftArm\" = \"upper_arm.L\"\nHips = 'pelvis'\nIk = \"\"\n";
        let pairs = [("mixamorig:LeftArm", "upper_arm.L"), ("Hips", "pelvis"), ("Ik", "")];
        let pairs = pairs.map(|(key, name)| (key.to_owned(), name.to_owned())).to_vec();
        assert_eq!(parse(text), Ok(JointMap { pairs }));
        assert_eq!(parse(""), Ok(JointMap::default()));
    }

    #[test]
    fn faults_say_their_line() {
        let says = |text: &str| parse(text).unwrap_err().to_string();
        // A dot outside of quotes makes a table.
        let expected = "line 2: expected \"upper_arm\" = \"joint of the model\", both in quotes";
        assert_eq!(says("a = \"b\"\nupper_arm.L = \"c\""), expected);
        assert!(says("a = 3").starts_with("line 1: expected \"a\" = "));
        let long = says(&format!("[{}]", "x".repeat(8000)));
        assert!(long.starts_with("line 1: expected \"xxx") && long.len() < 1000, "{long}");
        assert!(says("a = \"b\"\na = \"c\"").starts_with("line 2: duplicate key"));
        assert!(says("a = \"b\"\n\nb").starts_with("line 3: "));
    }

    #[test]
    fn written_maps_are_read_again() {
        let pair = |key: &str, name: &str| (key.to_owned(), name.to_owned(), "humanoid");
        let pairs = vec![
            pair("mixamorig:Hips", "pelvis"),
            pair("a \"b\" \\ c", "d\te"),
            pair("line\n# = \u{2028}\u{7f}", "#3"),
        ];
        let one = Matches {
            file: "walk\n.glb".to_owned(),
            strays: vec!["IK\n\"x\" = \"y\"".to_owned()],
            unmatched: vec!["root".to_owned()],
            pairs: pairs.clone(),
        };
        let known = |pairs: &[(String, String, &str)]| {
            let pairs = pairs.iter().map(|(key, name, _)| (key.clone(), name.clone())).collect();
            Ok(JointMap { pairs })
        };
        let written = text("fox.glb", std::slice::from_ref(&one));
        assert!(written.contains("\"mixamorig:Hips\" = \"pelvis\"  # humanoid\n"), "{written}");
        assert!(written.contains("\n# \"root\"\n"), "{written}");
        assert_eq!(parse(&written), known(&pairs));
        // Joints that two files share have one line, and none if the files differ.
        let pairs =
            vec![pair("mixamorig:Hips", "pelvis"), pair("line\n# = \u{2028}\u{7f}", "#4"), pair("b", "root")];
        let two = Matches { file: "run.glb".to_owned(), pairs, ..Matches::default() };
        let both = [&one.pairs[..2], &two.pairs[2..]].concat();
        assert_eq!(parse(&text("fox.glb", &[one, two])), known(&both));
    }
}
