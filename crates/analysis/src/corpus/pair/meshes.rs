//! Meshes, skins, weights, morph targets, normals, streams and materials of corresponding primitives.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};
use sinew_model::{Material, Model, Primitive};
use sinew_skinning::pairing::{Found, Pair};
use sinew_skinning::skin_of;
use sinew_text::words::many;

use super::sides::{SHOWS, Sides, listed};
use crate::corpus::asset::{Asset, Figure, Kind, Place};
use crate::weights::compare;

/// The sum of |Δw| of a vertex from which weights are others; 8 bits for each of four weights round less.
const OTHER_WEIGHTS: f64 = 0.05;

/// The mean angle of normals from which they are others, in degrees.
const OTHER_NORMALS: f64 = 4.0;

/// The difference of a colour or factor from which a material is another.
const OTHER_FACTOR: f32 = 0.03;

/// Names meshes that only one file has, and vertices elsewhere on the mesh. Returns true if there are such vertices.
pub fn missing(sides: &Sides<'_>, asset: &mut Asset) -> bool {
    let [gone, added] = &sides.pairing.alone;
    let count = sides.pairing.names.len();
    for (names, like, words) in [(gone, "gone", "gone"), (added, "added", "only in the new file")] {
        if !names.is_empty() {
            let text = listed(names.iter().map(String::as_str));
            let size = names.len() as f64 / (names.len() + count) as f64;
            asset.add(Kind::Mesh, like, format!("{} {words}: {text}", many(names.len(), "primitive")), size);
        }
    }
    let pairs = sides.pairing.names.iter();
    let worst = pairs.max_by(|a, b| a.bind_p99_m.total_cmp(&b.bind_p99_m));
    let worst = worst.filter(|pair| pair.bind_p99_m > SHOWS * sides.size_m);
    if let Some(pair) = worst {
        let share = pair.bind_p99_m / sides.size_m.max(f64::MIN_POSITIVE);
        let words =
            format!("{}: vertices up to {:.1} % of the size off the old surface", pair.new, 100.0 * share);
        asset.add(Kind::Shape, "", words, share);
    }
    worst.is_some()
}

/// Compares skins and weights. Returns true if weights differ.
pub fn weights(sides: &Sides<'_>, asset: &mut Asset) -> bool {
    let [old, new] = sides.models;
    let found = [old, new].map(Found::all);
    let is_skinned = |side: usize, number: usize| {
        let found = found[side].get(number)?;
        let instance = sides.models[side].instances.get(found.instance)?;
        Some(skin_of(sides.models[side], instance, found.primitive.influences.is_some()).is_some())
    };
    let lost = sides
        .pairing
        .pairs
        .iter()
        .filter(|pair| is_skinned(0, pair.old) == Some(true) && is_skinned(1, pair.new) == Some(false));
    let names: Vec<&str> =
        lost.filter_map(|pair| found[0].get(pair.old)).map(|found| mesh_name(old, found)).collect();
    if !names.is_empty() {
        let words = format!(
            "no joints move {} any more: {}",
            many(names.len(), "primitive"),
            listed(names.iter().copied())
        );
        asset.add(Kind::Skin, "lost", words, names.len() as f64);
        return true;
    }
    let apart = compare(old, new);
    let (Some(mean), Some(largest)) = (apart.mean, apart.largest) else { return false };
    asset.set(Figure::WeightsL1, mean);
    asset.set(Figure::WeightsL1Max, largest);
    let is_rounded = sides.pairing.grids.iter().any(|grid| grid.rounds_weights(largest));
    if largest <= OTHER_WEIGHTS || is_rounded {
        return false;
    }
    let joints = apart.joints.iter().map(|joint| joint.name.as_str()).collect::<Vec<_>>();
    let words = format!(
        "weights differ by up to {largest:.2} per vertex, most of {}",
        listed(joints.iter().copied())
    );
    let place = Place { vertex: apart.worst.clone(), ..Place::default() };
    asset.add_at(Kind::Weights, "", words, largest, Some(place));
    true
}

fn mesh_name<'a>(model: &'a Model, found: &Found<'_>) -> &'a str {
    let instance = model.instances.get(found.instance);
    let name = instance.and_then(|instance| model.meshes.get(instance.mesh)).map_or("", |mesh| &mesh.name);
    if name.is_empty() { "a mesh without a name" } else { name }
}

/// Compares normals, streams, morph targets and materials.
pub fn surfaces(sides: &Sides<'_>, asset: &mut Asset) {
    let [old, new] = sides.models;
    let found = [old, new].map(Found::all);
    let (mut angles, mut count) = (0.0, 0_usize);
    let mut notes: BTreeMap<(Kind, &'static str), Vec<&str>> = BTreeMap::new();
    for pair in &sides.pairing.pairs {
        let (Some(a), Some(b)) = (found[0].get(pair.old), found[1].get(pair.new)) else { continue };
        let name = mesh_name(old, a);
        let mut note = |kind, what| notes.entry((kind, what)).or_default().push(name);
        if a.primitive.normals.is_some() && b.primitive.normals.is_none() {
            note(Kind::Normals, "gone");
        } else {
            let (sum, of) = turned(pair, a.primitive, b.primitive);
            (angles, count) = (angles + sum, count.saturating_add(of));
        }
        if a.primitive.texcoords.len() > b.primitive.texcoords.len() && is_textured(old, a.primitive) {
            note(Kind::Streams, "texture coordinates gone");
        }
        if a.primitive.colors.is_some() && b.primitive.colors.is_none() {
            note(Kind::Streams, "vertex colours gone");
        }
        if a.primitive.morphs.is_some() && b.primitive.morphs.is_none() {
            note(Kind::Morphs, "gone");
        }
        let [mine, theirs] = [(old, a), (new, b)].map(|(model, found)| look(model, found.primitive));
        if let Some(what) = mine.differs(&theirs) {
            note(Kind::Materials, what);
        }
    }
    for ((kind, what), mut names) in notes {
        names.dedup();
        asset.add(kind, what, format!("{what}: {}", listed(names.iter().copied())), names.len() as f64);
    }
    let mean = (angles / count.max(1) as f64).to_degrees();
    if mean > OTHER_NORMALS {
        let like = if mean > 135.0 { "turned over" } else { "others" };
        asset.add(Kind::Normals, like, format!("normals differ by {mean:.0}° on average"), mean);
    }
    let targets = |model: &Model| model.meshes.iter().map(|mesh| mesh.target_names.len()).max().unwrap_or(0);
    let [had, has] = [targets(old), targets(new)];
    if has > 0 && had > has {
        let words = format!("{} gone", many(had - has, "morph target"));
        asset.add(Kind::Morphs, "some gone", words, (had - has) as f64);
    }
}

/// Returns the sum of the angles between the stored normals of a pair, in radians, and their number.
fn turned(pair: &Pair, old: &Primitive, new: &Primitive) -> (f64, usize) {
    let (Some(old), Some(new)) = (&old.normals, &new.normals) else { return (0.0, 0) };
    let new: Vec<[f64; 3]> = new.iter().map(|normal| normal.map(f64::from)).collect();
    let new_from_old = DMat3::from_mat4(pair.new_from_old);
    let turn =
        if new_from_old.determinant() == 0.0 { DMat3::IDENTITY } else { new_from_old.inverse().transpose() };
    let (mut sum, mut count) = (0.0, 0_usize);
    for (vertex, spot) in &pair.spots {
        let (Some(a), Some(b)) = (old.get(*vertex as usize), spot.on(&new)) else { continue };
        let a = (turn * DVec3::from_array(a.map(f64::from))).normalize_or_zero();
        let angle = a.dot(b.normalize_or_zero()).clamp(-1.0, 1.0).acos();
        if angle.is_finite() {
            (sum, count) = (sum + angle, count.saturating_add(1));
        }
    }
    (sum, count)
}

fn is_textured(model: &Model, primitive: &Primitive) -> bool {
    let material = primitive.material.and_then(|material| model.materials.get(material));
    material.is_some_and(|material| material.base_color_texture.is_some() || material.normal.is_some())
}

/// The visible part of a material that every format has.
struct Look {
    material: Material,
    /// True if a picture gives the base colour.
    has_picture: bool,
}

impl Look {
    fn differs(&self, other: &Self) -> Option<&'static str> {
        let far = |a: &[f32], b: &[f32]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > OTHER_FACTOR);
        let (a, b) = (&self.material, &other.material);
        let has_lost = self.has_picture && !other.has_picture;
        match () {
            () if has_lost => Some("texture gone"),
            () if a.normal.is_some() && b.normal.is_none() => Some("normal map gone"),
            // A colour may have moved into a picture, as into a palette of all materials.
            () if self.has_picture == other.has_picture && far(&a.base_color, &b.base_color) => {
                Some("another colour")
            }
            () if a.metallic != b.metallic && far(&[a.metallic], &[b.metallic]) => Some("another metalness"),
            () if std::mem::discriminant(&a.alpha) != std::mem::discriminant(&b.alpha) => {
                Some("another use of alpha")
            }
            () => None,
        }
    }
}

fn look(model: &Model, primitive: &Primitive) -> Look {
    let material = primitive.material.and_then(|material| model.materials.get(material));
    let material = material.cloned().unwrap_or_default();
    let texture = material.base_color_texture.as_ref();
    let has_picture =
        texture.is_some_and(|texture| matches!(model.pictures.get(texture.picture), Some(Some(_))));
    Look { material, has_picture }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_may_move_into_a_picture_but_not_out_of_it() {
        let look = |red: f32, has_picture: bool| Look {
            material: Material { base_color: [red, 0.5, 0.5, 1.0], ..Material::default() },
            has_picture,
        };
        for (old, new, found) in [
            ((0.1, false), (1.0, false), Some("another colour")),
            ((0.1, true), (1.0, true), Some("another colour")),
            ((0.1, false), (1.0, true), None),
            ((0.1, true), (1.0, false), Some("texture gone")),
            ((0.1, true), (0.1, true), None),
        ] {
            assert_eq!(look(old.0, old.1).differs(&look(new.0, new.1)), found, "{old:?} {new:?}");
        }
    }
}
