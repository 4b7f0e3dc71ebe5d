//! Reads whole numbers, alone and in lists and maps: some writers spell 3 as `3.0`.

use std::collections::BTreeMap;

use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};

/// A whole number, which writers in languages without integers may spell `3.0`.
struct Whole(usize);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor)
    }
}

struct WholeVisitor;

impl Visitor<'_> for WholeVisitor {
    type Value = Whole;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a whole number from 0")
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Whole, E> {
        usize::try_from(value).map(Whole).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Whole, E> {
        // Above 2⁵³ a float no longer identifies one integer.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value.fract() == 0.0 && (0.0..=EXACT).contains(&value) {
            self.visit_u64(value as u64)
        } else {
            Err(E::invalid_value(Unexpected::Float(value), &self))
        }
    }
}

pub fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    Whole::deserialize(deserializer).map(|whole| whole.0)
}

pub fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    Ok(Option::<Whole>::deserialize(deserializer)?.map(|whole| whole.0))
}

pub fn many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<usize>, D::Error> {
    Ok(Vec::<Whole>::deserialize(deserializer)?.into_iter().map(|whole| whole.0).collect())
}

pub fn by_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, usize>, D::Error> {
    let map = BTreeMap::<String, Whole>::deserialize(deserializer)?;
    Ok(map.into_iter().map(|(name, whole)| (name, whole.0)).collect())
}

pub fn many_by_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<BTreeMap<String, usize>>, D::Error> {
    let maps = Vec::<BTreeMap<String, Whole>>::deserialize(deserializer)?;
    let numbers =
        |map: BTreeMap<String, Whole>| map.into_iter().map(|(name, whole)| (name, whole.0)).collect();
    Ok(maps.into_iter().map(numbers).collect())
}
