//! Joint maps: TOML files that pair the joints of two rigs. It must not depend on how clips are retargeted.

use std::collections::BTreeMap;

use sinew_model::gltf::shortened;
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
}
