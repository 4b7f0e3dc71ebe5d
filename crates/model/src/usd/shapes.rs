//! Blend shapes. Each shape, and each in-between of it, becomes a morph target. A shape's weight determines those of both
//! of them that are next to it.

use std::collections::HashMap;

use glam::DVec3;
use openusd::sdf::Path;

use super::Work;
use super::stage::{Prim, Stage};
use super::values;
use crate::reading::LoadError;

/// A morph target: offsets of points.
pub struct Target {
    pub name: String,
    pub offsets: Vec<(u32, DVec3)>,
    pub normals: Vec<(u32, DVec3)>,
    /// The shape's name, which has a weight.
    pub shape: String,
    /// The shape's weights at which a target is whole, in order, with 0 for none.
    pub keys: Vec<f64>,
    /// The own among them.
    pub key: f64,
}

impl Target {
    /// The target's weight where the shape has this one: a line from key to key, and on beyond the last.
    pub fn weight(&self, shape: f64) -> f64 {
        let upper = self.keys.partition_point(|key| *key <= shape);
        let upper = upper.clamp(1, self.keys.len().saturating_sub(1).max(1));
        let key = |at: usize| self.keys.get(at).copied().unwrap_or(1.0);
        let (low, high) = (key(upper.saturating_sub(1)), key(upper));
        let part = if high > low { (shape - low) / (high - low) } else { 0.0 };
        let weight = if self.key == high {
            part
        } else if self.key == low {
            1.0 - part
        } else {
            0.0
        };
        if (weight as f32).is_finite() { weight } else { 0.0 }
    }
}

/// Reads all shapes of a mesh.
///
/// # Errors
/// If they need more memory than a file of this size may take.
pub fn read(
    stage: &Stage,
    prims: &[Prim],
    numbers: &HashMap<Path, usize>,
    mesh: &Prim,
    work: &mut Work<'_>,
) -> Result<Vec<Target>, LoadError> {
    let names = stage.value(mesh, "skel:blendShapes").and_then(|names| values::texts(&names));
    let Some(names) = names else { return Ok(Vec::new()) };
    let mut targets = Vec::new();
    for (name, path) in names.into_iter().zip(stage.targets(mesh, "skel:blendShapeTargets")) {
        let Some(prim) = numbers.get(&path).and_then(|number| prims.get(*number)) else {
            let message = "a blend shape is not there; it is left out";
            work.warnings.add("MISSING_BLEND_SHAPE", mesh.path.as_str(), message);
            continue;
        };
        let points = stage.value(prim, "pointIndices").and_then(|points| values::integers(&points));
        let list = |name: &str| -> Vec<(u32, DVec3)> {
            let offsets = stage.value(prim, name).and_then(|offsets| values::vectors(&offsets));
            let offsets = offsets.unwrap_or_default().into_iter();
            match &points {
                Some(points) => points
                    .iter()
                    .zip(offsets)
                    .filter_map(|(point, offset)| Some((u32::try_from(*point).ok()?, offset)))
                    .collect(),
                None => (0..).zip(offsets).collect(),
            }
        };
        let mut own = vec![(name.clone(), 1.0, list("offsets"), list("normalOffsets"))];
        for property in stage.properties(prim) {
            let Some(short) = property.strip_prefix("inbetweens:").filter(|rest| !rest.contains(':')) else {
                continue;
            };
            let weight = stage.facet(prim, &property, "weight").and_then(|weight| values::number(&weight));
            let weight = weight.filter(|weight| weight.is_finite() && *weight != 0.0 && *weight != 1.0);
            let Some(weight) = weight else { continue };
            let normals = list(&format!("{property}:normalOffsets"));
            own.push((format!("{name}.{short}"), weight, list(&property), normals));
        }
        let mut keys: Vec<f64> = own.iter().map(|(_, key, ..)| *key).chain([0.0]).collect();
        keys.sort_by(f64::total_cmp);
        for (title, key, offsets, normals) in own {
            let size = size_of::<(u32, DVec3)>();
            work.budget.charge("shapes", offsets.len().saturating_add(normals.len()), size)?;
            let (shape, keys) = (name.clone(), keys.clone());
            targets.push(Target { name: title, offsets, normals, shape, keys, key });
        }
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn in_betweens_are_reached_in_lines() {
        let keys = [-0.5, 0.0, 0.5, 1.0];
        let target = |key| Target {
            name: String::new(),
            offsets: Vec::new(),
            normals: Vec::new(),
            shape: String::new(),
            keys: keys.to_vec(),
            key,
        };
        let weights = |shape| [-0.5, 0.5, 1.0].map(|key| target(key).weight(shape));
        assert_eq!(weights(0.0), [0.0; 3]);
        assert_eq!(weights(0.25), [0.0, 0.5, 0.0]);
        assert_eq!(weights(0.75), [0.0, 0.5, 0.5]);
        assert_eq!(weights(1.5), [0.0, -1.0, 2.0]);
        assert_eq!(weights(-0.25), [0.5, 0.0, 0.0]);
        assert_eq!(weights(-1.0), [2.0, 0.0, 0.0]);
        let plain = Target { keys: vec![0.0, 1.0], ..target(1.0) };
        assert_eq!([-1.0, 0.5, 2.0].map(|shape| plain.weight(shape)), [-1.0, 0.5, 2.0]);
    }
}
