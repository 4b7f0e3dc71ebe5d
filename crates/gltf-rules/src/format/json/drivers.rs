//! Reads `sinew.drivers` from a node's extras, and skips everything else there, however deep.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A driver as it is in a file: the numbers of each member, and NaN for each that is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredDriver {
    pub target: Vec<f64>,
    pub joint: Vec<f64>,
    pub axis: Vec<f64>,
    pub degrees: Vec<f64>,
    pub weights: Vec<f64>,
}

/// The drivers of a node, in their order.
pub fn drivers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<[StoredDriver]>, D::Error> {
    let mut found = Vec::new();
    At { place: Place::Extras, found: &mut found }.deserialize(deserializer)?;
    Ok(found.into())
}

/// Position of a value.
#[derive(Clone, Copy)]
enum Place {
    Extras,
    Sinew,
    Drivers,
    Driver,
    Member(Field),
    Number(Field),
}

/// A member of a driver.
type Field = fn(&mut StoredDriver) -> &mut Vec<f64>;

/// A value about to be read.
struct At<'a> {
    place: Place,
    found: &'a mut Vec<StoredDriver>,
}

impl At<'_> {
    /// The value is read, and was this number or NaN.
    fn done<E>(self, number: f64) -> Result<(), E> {
        if let (Place::Member(field) | Place::Number(field), Some(driver)) =
            (self.place, self.found.last_mut())
        {
            field(driver).push(number);
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
        self.done(f64::NAN)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.done(f64::NAN)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.done(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.done(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.done(number)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.done(f64::NAN)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let below = match self.place {
            Place::Drivers => Place::Driver,
            Place::Member(field) => Place::Number(field),
            Place::Extras | Place::Sinew | Place::Driver | Place::Number(_) => {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                return self.done(f64::NAN);
            }
        };
        while list.next_element_seed(At { place: below, found: self.found })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if let Place::Driver = self.place {
            self.found.push(StoredDriver::default());
        }
        while let Some(key) = map.next_key::<String>()? {
            let below = match (self.place, key.as_str()) {
                (Place::Extras, "sinew") => Place::Sinew,
                (Place::Sinew, "drivers") => Place::Drivers,
                (Place::Driver, "target") => Place::Member(|driver| &mut driver.target),
                (Place::Driver, "joint") => Place::Member(|driver| &mut driver.joint),
                (Place::Driver, "axis") => Place::Member(|driver| &mut driver.axis),
                (Place::Driver, "degrees") => Place::Member(|driver| &mut driver.degrees),
                (Place::Driver, "weights") => Place::Member(|driver| &mut driver.weights),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            // Of several the last one counts, as it does for objects elsewhere.
            match (below, self.found.last_mut()) {
                (Place::Member(field), Some(driver)) => field(driver).clear(),
                _ => self.found.clear(),
            }
            map.next_value_seed(At { place: below, found: self.found })?;
        }
        self.done(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(extras: &str) -> Box<[StoredDriver]> {
        let mut deserializer = serde_json::Deserializer::from_str(extras);
        let found = drivers(&mut deserializer).unwrap();
        deserializer.end().unwrap();
        found
    }

    #[test]
    fn drivers_are_found_among_anything() {
        let found = read(
            r#"{"a": [{}], "sinew": {"skinning": [1], "drivers": [
                {"target": 0, "joint": 2, "axis": [0, 0, -1], "degrees": [0, 90.5], "weights": [0, 1], "note": {"axis": 7}},
                7,
                {"target": 1, "target": [2, 3]}
            ]}}"#,
        );
        let first = StoredDriver {
            target: vec![0.0],
            joint: vec![2.0],
            axis: vec![0.0, 0.0, -1.0],
            degrees: vec![0.0, 90.5],
            weights: vec![0.0, 1.0],
        };
        assert_eq!(*found, [first, StoredDriver { target: vec![2.0, 3.0], ..StoredDriver::default() }]);
        let odd =
            read(r#"{"sinew": {"drivers": [{"axis": [null, "x", [1], {"axis": 1}, true], "target": "x"}]}}"#);
        assert_eq!([odd[0].axis.len(), odd[0].target.len()], [5, 1]);
        assert!(odd[0].axis.iter().chain(&odd[0].target).all(|number| number.is_nan()));
    }

    #[test]
    fn other_extras_have_none() {
        for none in ["null", "7", "[]", r#""x""#, "{}", r#"{"sinew": 7}"#, r#"{"sinew": {"drivers": 7}}"#] {
            assert_eq!(*read(none), [], "{none}");
        }
        assert_eq!(*read(r#"{"sinew": {"drivers": [{}]}, "sinew": {}}"#), []);
    }
}
