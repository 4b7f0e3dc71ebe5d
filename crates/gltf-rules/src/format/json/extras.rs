//! Reads `targetNames` from a mesh's extras and `sinew.skinning` from a skin's, and skips everything else there, however
//! deep.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The names, in their order; an empty one for each that is no text.
pub fn target_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let mut names = Vec::new();
    At { place: Place::Extras, names: &mut names }.deserialize(deserializer)?;
    Ok(names)
}

/// The name of a skinning method; empty if the file has none.
pub fn skinning<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let mut names = Vec::new();
    At { place: Place::SkinExtras, names: &mut names }.deserialize(deserializer)?;
    Ok(names)
}

/// Position of a value.
#[derive(Clone, Copy)]
enum Place {
    Extras,
    SkinExtras,
    Sinew,
    TargetNames,
    Name,
}

/// A value about to be read.
struct At<'a> {
    place: Place,
    names: &'a mut Vec<String>,
}

impl At<'_> {
    /// The value is read, and was this text or none.
    fn done<E>(self, text: &str) -> Result<(), E> {
        if matches!(self.place, Place::Name) {
            self.names.push(text.to_owned());
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for At<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for At<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.done("")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.done("")
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.done("")
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.done("")
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.done("")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.done(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if matches!(self.place, Place::TargetNames) {
            while list.next_element_seed(At { place: Place::Name, names: self.names })?.is_some() {}
            return Ok(());
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        self.done("")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let below = match (self.place, key.as_str()) {
                (Place::Extras, "targetNames") => Place::TargetNames,
                (Place::SkinExtras, "sinew") => Place::Sinew,
                (Place::Sinew, "skinning") => Place::Name,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            // Of several the last one counts, as it does for objects elsewhere.
            self.names.clear();
            map.next_value_seed(At { place: below, names: self.names })?;
        }
        self.done("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(extras: &str) -> Vec<String> {
        let mut deserializer = serde_json::Deserializer::from_str(extras);
        let names = target_names(&mut deserializer).unwrap();
        deserializer.end().unwrap();
        names
    }

    #[test]
    fn a_skins_method_is_found() {
        let method = |extras: &str| skinning(&mut serde_json::Deserializer::from_str(extras)).unwrap();
        assert_eq!(method(r#"{"a": [{}], "sinew": {"b": [1], "skinning": "rigid"}}"#), ["rigid"]);
        for none in ["7", "null", r#"{"skinning": "rigid"}"#, r#"{"sinew": "rigid"}"#] {
            assert_eq!(method(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn names_are_found_among_anything() {
        assert_eq!(
            names(r#"{"a": [{}], "targetNames": ["up", "\u00e9"], "b": {"targetNames": [1]}}"#),
            ["up", "é"]
        );
        let odd = r#"{"targetNames": [null, true, 1, -1, 0.5, ["x"], {"targetNames": ["y"]}, "z"]}"#;
        assert_eq!(names(odd), ["", "", "", "", "", "", "", "z"]);
        assert_eq!(names(r#"{"targetNames": ["a", "b"], "targetNames": ["c"]}"#), ["c"]);
        for none in [
            "null",
            "true",
            "7",
            "-7",
            "0.5",
            r#""targetNames""#,
            r#"["targetNames"]"#,
            "{}",
            r#"{"targetNames": "x"}"#,
        ] {
            assert_eq!(names(none), [""; 0], "{none}");
        }
    }
}
