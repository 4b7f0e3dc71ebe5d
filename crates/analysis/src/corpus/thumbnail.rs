//! Small pictures of rest poses for tables, drawn without Vulkan: grey, lit from the eye.

use glam::{DMat3, DVec3};
use sinew_model::{Model, Topology};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, surfaces_into};

/// Width and height of a model in a thumbnail.
pub const THUMBNAIL: [usize; 2] = [48, 64];

/// The samples of a pixel, along each side.
const SAMPLES: usize = 3;

/// The turn of the model: a little from the side and from above.
const YAW: f64 = -0.5;
const PITCH: f64 = 0.25;

/// The grey of a surface that faces the eye, and the part of it that one across has.
const LIGHT: f64 = 225.0;
const SHADOW: f64 = 0.35;

/// Draws models side by side, all within the box of the first. Returns grey and opacity of each pixel, row by row.
pub fn thumbnail(models: &[&Model]) -> Vec<[u8; 2]> {
    let samples = samples(models);
    let [width, height] = [THUMBNAIL[0] * models.len(), THUMBNAIL[1]];
    let pixel = |at: usize| {
        let (row, column) = (at / width * SAMPLES, at % width * SAMPLES);
        let own = (0..SAMPLES * SAMPLES).filter_map(|sample| {
            let (row, column) = (row + sample / SAMPLES, column + sample % SAMPLES);
            samples.get(row * width * SAMPLES + column).copied().filter(|grey| *grey > 0)
        });
        let (sum, count) = own.fold((0_usize, 0), |(sum, count), grey| (sum + usize::from(grey), count + 1));
        [sum / count.max(1), 255 * count / (SAMPLES * SAMPLES)]
            .map(|part| u8::try_from(part).unwrap_or(u8::MAX))
    };
    (0..width * height).map(pixel).collect()
}

/// Draws the samples of a thumbnail: the brightness, 0 where nothing is.
fn samples(models: &[&Model]) -> Vec<u8> {
    let [width, height] = THUMBNAIL.map(|side| SAMPLES * side);
    let mode = models.first().and_then(|model| SkinningMode::authored(model)).unwrap_or_default();
    let eye_from_world = DMat3::from_rotation_x(PITCH) * DMat3::from_rotation_y(YAW);
    let surfaces: Vec<Vec<[DVec3; 3]>> =
        models.iter().map(|model| triangles(model, mode, eye_from_world)).collect();
    let all = surfaces.first().into_iter().flatten().flatten().copied();
    let (low, high) =
        all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    let size = (high - low) / DVec3::new(width as f64 - 12.0, height as f64 - 12.0, 1.0);
    let step = size.x.max(size.y);
    let mut pixels = vec![0; models.len() * width * height];
    if !(step.is_finite() && step > 0.0) {
        return pixels;
    }
    let middle = DVec3::new(width as f64, height as f64, 0.0) / 2.0;
    let onto = |at: DVec3| {
        let at = (at - (low + high) / 2.0) / step;
        middle + DVec3::new(at.x, -at.y, at.z)
    };
    for (number, triangles) in surfaces.iter().enumerate() {
        let mut depths = vec![f64::NEG_INFINITY; width * height];
        for corners in triangles {
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
            let shade = LIGHT * (SHADOW + (1.0 - SHADOW) * normal.z.abs());
            fill(corners.map(onto), &mut depths, |at| {
                let (row, column) = (at / width, at % width);
                if let Some(pixel) = pixels.get_mut((row * models.len() + number) * width + column) {
                    *pixel = shade as u8;
                }
            });
        }
    }
    pixels
}

/// Returns the triangles of the rest pose, as the eye sees them.
fn triangles(model: &Model, mode: SkinningMode, eye_from_world: DMat3) -> Vec<[DVec3; 3]> {
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::Rest);
    let mut skinned: Vec<SkinnedPrimitive<f64>> = Vec::new();
    surfaces_into(model, mode, &pose, &mut skinned);
    let mut all = Vec::new();
    for surface in &skinned {
        let mesh = model.instances.get(surface.instance).and_then(|instance| model.meshes.get(instance.mesh));
        let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get(surface.primitive)) else { continue };
        if primitive.topology != Topology::Triangles {
            continue;
        }
        let at = |index: &u32| {
            surface.positions.get(*index as usize).map(|at| eye_from_world * DVec3::from_array(*at))
        };
        let corners = primitive.indices.chunks_exact(3).filter_map(|corners| match corners {
            [a, b, c] => Some([at(a)?, at(b)?, at(c)?]),
            _ => None,
        });
        all.extend(corners.filter(|corners| corners.iter().all(|corner| corner.is_finite())));
    }
    all
}

/// Calls a function with each pixel whose middle is in the triangle and in front of what is there.
fn fill([a, b, c]: [DVec3; 3], depths: &mut [f64], mut draw: impl FnMut(usize)) {
    let [width, height] = THUMBNAIL.map(|side| SAMPLES * side);
    let area = (b - a).truncate().perp_dot((c - a).truncate());
    if area == 0.0 {
        return;
    }
    let [low, high] = [a.min(b).min(c), a.max(b).max(c)];
    // A cast keeps these within the picture.
    let columns = low.x.max(0.0) as usize..(high.x.ceil().max(0.0) as usize).min(width);
    let rows = low.y.max(0.0) as usize..(high.y.ceil().max(0.0) as usize).min(height);
    for row in rows {
        for column in columns.clone() {
            let at = DVec3::new(column as f64 + 0.5, row as f64 + 0.5, 0.0);
            let share =
                |from: DVec3, to: DVec3| (to - from).truncate().perp_dot((at - from).truncate()) / area;
            let shares = [share(b, c), share(c, a), share(a, b)];
            if shares.iter().any(|share| *share < 0.0) {
                continue;
            }
            let depth = shares[0] * a.z + shares[1] * b.z + shares[2] * c.z;
            let place = row * width + column;
            if let Some(known) = depths.get_mut(place).filter(|known| **known < depth) {
                *known = depth;
                draw(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{builtin, gltf};

    #[test]
    fn models_stand_side_by_side_in_the_box_of_the_first() {
        let small = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
        let mut large = small.clone();
        let primitives = large.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
        let positions = primitives.flat_map(|primitive| &mut primitive.positions);
        positions.for_each(|place| *place = place.map(|part| 10.0 * part));
        let opaque = |pixels: &[[u8; 2]], of: usize, number: usize| {
            let [width, _] = THUMBNAIL;
            let own = pixels.iter().enumerate().filter(|(at, _)| at % (of * width) / width == number);
            own.filter(|(_, [_, opacity])| *opacity > 127).count()
        };
        let alone = thumbnail(&[&small]);
        assert_eq!(alone.len(), THUMBNAIL[0] * THUMBNAIL[1]);
        let both = thumbnail(&[&small, &large]);
        assert_eq!(opaque(&both, 2, 0), opaque(&alone, 1, 0), "the first looks as it does alone");
        assert!(opaque(&alone, 1, 0) > 200 && opaque(&both, 2, 1) > 2 * opaque(&both, 2, 0));
        assert!(thumbnail(&[]).is_empty());
    }
}
