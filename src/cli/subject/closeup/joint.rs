//! The viewpoint that commands use to show one joint: near the surface that bends there, from where the bend shows.

use glam::DVec3;

use super::orbits::{around, towards};
use crate::analysis::moved::shares;
use crate::camera::{Lens, Orbit, Viewpoint};
use crate::length::rounded;
use crate::model::Model;
use crate::skinning::pose::{Pose, PoseChoice};
use crate::skinning::posed::reference_surfaces;
use crate::skinning::{Drawn, SkinningMode, diagonal};

/// A vertex turns with a joint if the joint and its descendants have this share of its weight.
const TURNS: f64 = 0.5;

/// A vertex bends at a joint if that share is neither below this nor above the rest to one.
const BENDS: f64 = 0.1;

/// The share of the bending vertices that must be in the picture: strays do not count.
const IN_SIGHT: f64 = 0.9;

/// Distance of the eye, relative to that at which the bending surface fills the picture.
const AROUND: f64 = 1.6;

/// The smallest distance of the eye, in diagonals of the model.
const NEAREST: f64 = 0.01;

/// The approximate number of sampled vertices.
const SAMPLES: usize = 20_000;

/// A joint is hidden if this share of the samples is in front of it.
const HIDDEN: f64 = 0.004;

/// Heights from which a joint may be seen, in degrees.
const PITCHES: [f64; 4] = [10.0, -30.0, 40.0, 70.0];

/// Two directions with a smaller sine between them count as one.
const STRAIGHT: f64 = 0.15;

/// Penalty for a direction opposite to the usual one; a bend in full view counts 1.
const UNUSUAL: f64 = 0.2;

/// Returns one viewpoint for all poses, in which the joint keeps its place in the picture. The camera is as near as the
/// picture still shows the surface that bends at the joint, or else the parts that turn with it. At most half of the model
/// is around it. The direction shows the joint's bend best, with nothing in front of it.
pub fn at_joint(model: &Model, node: usize, poses: &[PoseChoice], lens: Lens) -> Viewpoint {
    let drawn = Drawn::new(model);
    let size = diagonal(model, &drawn);
    let mut seen = Seen::default();
    let shares = shares(model, node, &drawn);
    let stride = shares.len().div_ceil(SAMPLES).max(1);
    let mut pose = Pose::default();
    for choice in poses {
        pose.set(model, choice);
        seen.add(model, node, &pose, (&drawn, &shares, stride));
    }
    // A millionth of the model is near enough, and short to write.
    let short = |along: f64| if along.abs() < size * 1e-6 { 0.0 } else { rounded(along) };
    let place = seen.place.filter(|_| size > 0.0);
    let Some(target) = place.map(|place| DVec3::from_array(place.to_array().map(short))) else {
        return Orbit { lens, ..Orbit::default() }.into();
    };
    let near = seen.near(target);
    let reach = near.iter().map(|at| at.distance(target)).fold(0.0, f64::max);
    let orbit = seen.best(Orbit { target: Some(target), lens, ..Orbit::default() }, target, reach);
    // From one diagonal, the usual lens sees half of the model.
    let most = size * Lens::default().tan_y() / lens.tan_y();
    let distance = if near.is_empty() { most } else { AROUND * orbit.distance_to_show(&near, [1, 1]) };
    Orbit { distance: Some(rounded(distance.min(most).max(size * NEAREST))), ..orbit }.into()
}

/// Surroundings of a joint in some poses.
#[derive(Default)]
struct Seen {
    /// Position of the joint.
    place: Option<DVec3>,
    /// Vertices that bend at it.
    bending: Vec<DVec3>,
    /// Vertices that turn with it.
    turning: Vec<DVec3>,
    /// All others of the samples.
    others: Vec<DVec3>,
    /// Directions from it: to its parent joint, and to the centre of the parts that turn with it.
    limbs: Vec<DVec3>,
}

impl Seen {
    fn add(
        &mut self,
        model: &Model,
        node: usize,
        pose: &Pose,
        (drawn, shares, stride): (&Drawn, &[f64], usize),
    ) {
        let Some(place) = place(pose, node) else { return };
        self.place.get_or_insert(place);
        let mut skinned = Vec::new();
        reference_surfaces(model, SkinningMode::Linear, pose, &mut skinned);
        let places = skinned.iter().zip(drawn.primitives()).flat_map(|(primitive, vertices)| {
            vertices.iter().map(|vertex| primitive.positions.get(*vertex as usize))
        });
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for (at, &share) in places.zip(shares).step_by(stride) {
            let Some(at) = at.map(|at| DVec3::from_array(*at)).filter(|at| at.is_finite()) else { continue };
            if share >= TURNS {
                (sum, count) = (sum + at, count + 1.0);
                self.turning.push(at);
            } else {
                self.others.push(at);
            }
            if (BENDS..=1.0 - BENDS).contains(&share) {
                self.bending.push(at);
            }
        }
        let above = std::iter::successors(parent(model, node), |node| parent(model, *node));
        let above =
            above.filter_map(|node| self::place(pose, node)).find_map(|at| (at - place).try_normalize());
        let tip = (sum / f64::max(count, 1.0) - place).try_normalize().filter(|_| count > 0.0);
        self.limbs.extend(above.into_iter().chain(tip));
    }

    /// Returns the points that must be in the picture.
    fn near(&self, target: DVec3) -> Vec<DVec3> {
        let mut near = self.bending.clone();
        if near.is_empty() {
            return self.turning.clone();
        }
        near.sort_by(|a, b| a.distance(target).total_cmp(&b.distance(target)));
        near.truncate((near.len() as f64 * IN_SIGHT).ceil() as usize);
        near
    }

    /// The orbit with the best angles.
    fn best(&self, orbit: Orbit, target: DVec3, reach: f64) -> Orbit {
        let usual = towards(&orbit);
        let all = around(orbit, &PITCHES);
        let bends = self.bends();
        let score = |orbit: &Orbit| {
            let eye = towards(orbit);
            let shows = bends.iter().map(|bend| bend.dot(eye).abs()).sum::<f64>();
            let full = bends.iter().map(|bend| bend.length()).sum::<f64>();
            let shows = match full > 0.0 {
                true => shows / full,
                // Straight limbs are seen from the side.
                false => self.limbs.first().map_or(0.0, |limb| limb.cross(eye).length()),
            };
            shows - self.hidden(target, reach, eye) - UNUSUAL * 0.5 * (1.0 - eye.dot(usual))
        };
        let scored = all.map(|orbit| (score(&orbit), orbit));
        // Of equal ones the first, which is nearest to the usual one.
        let best = scored.reduce(|best, next| if next.0 > best.0 + 1e-9 { next } else { best });
        best.map_or(orbit, |(_, orbit)| orbit)
    }

    /// The normal of each two directions of a limb, as long as the sine between them.
    fn bends(&self) -> Vec<DVec3> {
        let pairs = self.limbs.iter().enumerate().flat_map(|(number, first)| {
            self.limbs.iter().skip(number + 1).map(move |second| first.cross(*second))
        });
        pairs.filter(|bend| bend.length() > STRAIGHT).collect()
    }

    /// Returns the obstruction between the joint and the eye, from 0 to 1; 1 hides the joint.
    fn hidden(&self, target: DVec3, reach: f64, eye: DVec3) -> f64 {
        let is_before = |at: &&DVec3| {
            let from = **at - target;
            let along = from.dot(eye);
            along > reach && (from - eye * along).length() < reach
        };
        let all = self.turning.len() + self.others.len();
        let before = self.turning.iter().chain(&self.others).filter(is_before).count();
        (before as f64 / (HIDDEN * all.max(1) as f64)).min(1.0)
    }
}

fn place(pose: &Pose, node: usize) -> Option<DVec3> {
    let place = pose.world_from_node.get(node)?.w_axis.truncate();
    place.is_finite().then_some(place)
}

fn parent(model: &Model, node: usize) -> Option<usize> {
    model.rig.parents.get(node).copied().flatten().map(|parent| parent as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::turns::{Axis, turned};
    use crate::model::{builtin, gltf};

    /// The orbit around a joint that turns about an axis.
    fn orbit(model: &Model, joint: &str, axis: Axis, lens: Lens) -> Orbit {
        let node = model.rig.names.iter().position(|name| name == joint).unwrap();
        let poses = [0.0, 45.0, 90.0].map(|degrees| turned(model, node, axis, degrees));
        match at_joint(model, node, &poses, lens) {
            Viewpoint::Orbit(orbit) => orbit,
            Viewpoint::InFile { .. } => panic!("{joint}"),
        }
    }

    fn builtin(name: &str) -> Model {
        gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
    }

    /// The distance for a joint by its name, in diagonals of the model.
    fn distance(model: &Model, joint: &str, lens: Lens) -> f64 {
        orbit(model, joint, Axis::X, lens).distance.unwrap() / diagonal(model, &Drawn::new(model))
    }

    #[test]
    fn a_joint_fills_the_picture_however_large_what_hangs_on_it_is() {
        let model = builtin("character");
        let usual = |joint| distance(&model, joint, Lens::default());
        let [finger, elbow, knee] = ["index_02.R", "forearm.R", "shin.R"].map(usual);
        assert!((0.01..0.1).contains(&finger), "{finger}");
        assert!((0.1..0.4).contains(&elbow) && (0.1..0.5).contains(&knee), "{elbow} {knee}");
        // A joint that moves no vertex has half of the model around it.
        let mut model = builtin("strip");
        let size = diagonal(&model, &Drawn::new(&model));
        model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].joints.fill([0; 4]);
        let joint = model.rig.names[model.skins[0].joints[1]].clone();
        let found = orbit(&model, &joint, Axis::Z, Lens::default()).distance.unwrap();
        assert!((found / size - 1.0).abs() < 1e-3, "{found} {size}");
    }

    #[test]
    fn a_bend_is_seen_along_its_axis_and_nothing_is_before_it() {
        let model = builtin("character");
        for joint in ["forearm.R", "forearm.L", "shin.R", "shin.L", "hand.L"] {
            for axis in Axis::ALL {
                let node = model.rig.names.iter().position(|name| name == joint).unwrap();
                let poses = [0.0, 45.0, 90.0].map(|degrees| turned(&model, node, axis, degrees));
                let mut seen = Seen::default();
                let drawn = Drawn::new(&model);
                let shares = shares(&model, node, &drawn);
                let mut pose = Pose::default();
                for choice in &poses {
                    pose.set(&model, choice);
                    seen.add(&model, node, &pose, (&drawn, &shares, 1));
                }
                let target = seen.place.unwrap();
                let eye = towards(&orbit(&model, joint, axis, Lens::default()));
                let near = seen.near(target);
                let reach = near.iter().map(|at| at.distance(target)).fold(0.0, f64::max);
                assert!(seen.hidden(target, reach, eye) < 0.5, "{joint} {axis}");
                let bends = seen.bends();
                let shows: f64 = bends.iter().map(|bend| bend.normalize().dot(eye).abs()).sum();
                assert!(bends.is_empty() || shows > 0.6 * bends.len() as f64, "{joint} {axis}: {shows}");
            }
        }
    }

    #[test]
    fn a_wider_lens_sees_the_same_from_nearer() {
        let model = builtin("character");
        let wide = Lens { fov_degrees: 56.0, parallel: false };
        for joint in ["index_02.R", "thigh.R"] {
            let [usual, wide] = [Lens::default(), wide].map(|lens| distance(&model, joint, lens));
            assert!(wide < 0.65 * usual, "{joint}: {wide} {usual}");
        }
    }
}
