//! Variant sets of a scene's prims, and a layer above all others that selects variants.

use std::collections::BTreeMap;

use openusd::sdf::Path;

use super::layers::Layers;
use super::stage::{Prim, Stage};
use crate::gltf::VariantSet;
use crate::reading::LoadError;
use crate::reading::budget::Budget;
use crate::reading::message::one_line;
use crate::unknown::Unknown;

/// The most layers of sets within variants of others.
const MAX_ROUNDS: usize = 8;

/// The deepest prim whose variant can be selected.
const MAX_DEPTH: usize = 100;

/// Selected variants by the name of their set, for each prim.
type Choices = BTreeMap<Path, BTreeMap<String, String>>;

/// Bytes of a set and of a name in it.
const SET_BYTES: usize = 128;

/// All variant sets of a scene.
///
/// # Errors
/// If they need more memory than a file of this size may take.
pub fn sets(stage: &Stage, prims: &[Prim], budget: &mut Budget) -> Result<Vec<VariantSet>, LoadError> {
    let mut all = Vec::new();
    for prim in prims {
        let chosen = stage.selections(prim);
        for (name, variants) in stage.variants(prim) {
            budget.charge("variants", variants.len().saturating_add(1), SET_BYTES)?;
            let selected = chosen.iter().find(|(set, _)| *set == name).map(|(_, variant)| variant.clone());
            all.push(VariantSet { prim: prim.path.as_str().to_owned(), name, variants, selected });
        }
    }
    Ok(all)
}

/// Opens a scene again with the variants that are asked for.
///
/// # Errors
/// If there is no such set or variant.
pub fn select(
    mut stage: Stage,
    layers: &Layers,
    name: &str,
    asked: &[(String, String)],
) -> Result<Stage, LoadError> {
    let asked: BTreeMap<&str, &str> = asked.iter().map(|(set, name)| (set.as_str(), name.as_str())).collect();
    let mut choices = Choices::new();
    // Sets come and go with the variants around them.
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for _ in 0..MAX_ROUNDS {
        let mut budget = Budget::default();
        budget.add(layers.size());
        let prims = stage.prims(&mut budget)?;
        let mut is_new = false;
        for prim in &prims {
            for (set, variants) in stage.variants(prim) {
                budget.charge("variants", variants.len().saturating_add(1), SET_BYTES)?;
                let asked = asked.get(set.as_str()).filter(|asked| variants.iter().any(|own| own == *asked));
                if let Some(asked) = asked.filter(|_| Path::is_valid_identifier(&set)) {
                    let own = choices.entry(prim.path.clone()).or_default();
                    is_new |= own.insert(set.clone(), (*asked).to_owned()).is_none();
                }
                let all = known.entry(set).or_default();
                all.extend(variants);
                all.sort();
                all.dedup();
            }
        }
        if !is_new {
            break;
        }
        let above = layers.add_above(&text_of(&choices));
        stage = Stage::open(layers.clone(), name, Some(&above))?;
    }
    for (set, variant) in asked {
        let Some(variants) = known.get(set) else {
            let sets = known.keys().map(String::as_str);
            return Err(LoadError::NoVariant(Box::new(Unknown::named("variant set", set, sets))));
        };
        if !variants.iter().any(|own| own == variant) {
            let names = variants.iter().map(String::as_str);
            return Err(LoadError::NoVariant(Box::new(Unknown::named("variant", variant, names))));
        }
    }
    Ok(stage)
}

/// A layer that selects variants.
fn text_of(choices: &Choices) -> String {
    let (mut text, mut open) = ("#usda 1.0\n".to_owned(), Vec::<&str>::new());
    // Paths below a prim come right after it: a slash sorts before all letters of names.
    let mut sorted: Vec<(Vec<&str>, &BTreeMap<String, String>)> = choices
        .iter()
        .map(|(path, own)| (path.as_str().split('/').filter(|name| !name.is_empty()).collect(), own))
        .collect();
    sorted.retain(|(names, _): &(Vec<&str>, _)| names.len() <= MAX_DEPTH);
    sorted.sort();
    for (names, own) in sorted {
        let same = names.iter().zip(&open).take_while(|(own, open)| own == open).count();
        text.extend(std::iter::repeat_n("}\n", open.len().saturating_sub(same)));
        open.truncate(same);
        let above = names.len().saturating_sub(1);
        for (place, name) in names.iter().enumerate().skip(same) {
            text.push_str(&format!("over \"{name}\""));
            if place == above {
                let quoted = |name: &String| one_line(name).replace('\\', "\\\\").replace('"', "\\\"");
                let line =
                    |(set, variant): (&String, &String)| format!("string {set} = \"{}\"\n", quoted(variant));
                text.push_str(&format!(
                    " (\nvariants = {{\n{}}}\n)",
                    own.iter().map(line).collect::<String>()
                ));
            }
            text.push_str("\n{\n");
            open.push(name);
        }
    }
    text.extend(std::iter::repeat_n("}\n", open.len()));
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use openusd::sdf::Path;

    use super::text_of;

    #[test]
    fn prims_are_nested_once() {
        let own = |set: &str, name: &str| BTreeMap::from([(set.to_owned(), name.to_owned())]);
        let at = |path: &str| Path::new(path).unwrap();
        let text = text_of(&BTreeMap::from([
            (at("/A"), own("x", "1")),
            (at("/A/B/C"), own("y", "a \"b\"")),
            (at("/A/B2"), own("z", "2")),
            (at("/D"), own("x", "3")),
        ]));
        openusd::usda::parse(&text).unwrap();
        assert_eq!(text.matches("over \"A\"").count(), 1);
        assert!(text.contains("string y = \"a \\\"b\\\"\""), "{text}");
    }
}
