//! Finds the hull for framing: the outermost skinned vertices over the whole of the chosen clips and in every mode.
//! Nothing leaves the picture or jitters, and pictures of different modes align. It must not depend on cameras, or on how
//! anything is drawn.

use glam::{DVec3, Vec3};

use crate::scene::Framing;
use sinew_model::{Influences, Mesh, Model, Morphs, Period, Primitive, Rig, Span};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::{AS_TWIN, PreparedModel, skin_positions};

/// Number of sampled poses per clip; between them, vertices move little further.
const POSES: u32 = 24;

/// Number of directions in which to search for the outermost vertices. Every direction is within 14° of one of these,
/// so a round hull reaches at most 3 % further than the found points; the camera's margin is wider than that.
const DIRECTIONS: usize = 128;

/// Largest number of vertices to sample.
const MAX_VERTICES: usize = 100_000;

/// Returns the outermost vertices of the model in every sampled pose of the choice's clips.
pub fn hull(model: &Model, choice: &PoseChoice) -> Vec<DVec3> {
    hull_of(model, choice, Framing::Clip)
}

/// Returns the outermost vertices of the model in the framed poses.
pub fn hull_of(model: &Model, choice: &PoseChoice, framing: Framing) -> Vec<DVec3> {
    let thinned = thinned(model);
    let mut prepared = PreparedModel::new(&thinned).ok();
    let mut hull = Hull::new();
    let mut pose = Pose::default();
    let mut add = |choice: &PoseChoice| {
        pose.set(model, choice);
        // The bind pose, and a model without skins, give identical vertices in every mode.
        let is_same = pose.is_bind() || thinned.skins.is_empty();
        let modes = SkinningMode::ALL.into_iter().filter(|&mode| shapes_hull(mode));
        for mode in modes.take(if is_same { 1 } else { usize::MAX }) {
            // Uses the twin's bits, so that every processor frames the picture identically.
            let mut skin = |prepared: &mut PreparedModel| {
                prepared
                    .skin_each(&thinned, mode, &pose, &AS_TWIN, |primitive| hull.add(&primitive.positions))
            };
            if prepared.as_mut().is_none_or(|prepared| skin(prepared).is_err()) {
                skin_positions(&thinned, mode, &pose).iter().for_each(|positions| hull.add(positions));
            }
        }
    };
    each_pose(model, choice, framing, &mut add);
    hull.points()
}

/// Returns true if a mode's vertices count. Those of *blend* lie between others'; those of *cor* lie close to them,
/// and computing its centres takes longer than drawing the picture, as do the surroundings of *ddm*. Those of *dqs-blender* lie close to *dqs*;
/// *dqs-rigid* may draw a figure a hundred times too large, if its skin is bound in centimetres.
fn shapes_hull(mode: SkinningMode) -> bool {
    match mode {
        SkinningMode::Rigid | SkinningMode::Linear | SkinningMode::DualQuat => true,
        SkinningMode::Blended
        | SkinningMode::CenterOfRotation
        | SkinningMode::DualQuatBlender
        | SkinningMode::DualQuatRigid
        | SkinningMode::DirectDeltaMush => false,
    }
}

/// Returns the outermost joints in the framed poses. In a model without skins, nodes take the place of joints.
pub fn joints(model: &Model, choice: &PoseChoice, framing: Framing) -> Vec<DVec3> {
    let mut joints: Vec<usize> = model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    joints.sort_unstable();
    joints.dedup();
    if model.skins.is_empty() {
        joints = (0..model.rig.parents.len()).collect();
    }
    let mut hull = Hull::new();
    let mut pose = Pose::default();
    each_pose(model, choice, framing, &mut |choice| {
        pose.set(model, choice);
        let places = joints.iter().filter_map(|&joint| pose.world_from_node.get(joint));
        let places: Vec<[f32; 3]> =
            places.map(|world_from_joint| world_from_joint.w_axis.truncate().as_vec3().to_array()).collect();
        hull.add(&places);
    });
    hull.points()
}

/// Calls `look` with every framed pose: the choice's own, or samples of its clips.
pub fn each_pose(model: &Model, choice: &PoseChoice, framing: Framing, look: &mut dyn FnMut(&PoseChoice)) {
    match choice {
        PoseChoice::Clips(mix) if framing == Framing::Clip && mix.all().next().is_some() => {
            for period in periods(model, mix) {
                for step in 0..=POSES {
                    let time_secs = period.start + period.length() * f64::from(step) / f64::from(POSES);
                    look(&PoseChoice::Clips(ClipMix { time_secs, ..mix.clone() }));
                }
            }
        }
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) | PoseChoice::Clips(_) => look(choice),
    }
}

/// Returns the distinct periods of the clips. Each has separate samples, so a short clip beside a long one is sampled
/// as closely.
fn periods(model: &Model, mix: &ClipMix) -> Vec<Period> {
    let clips = mix.all().filter_map(|clip| model.clips.get(clip));
    let mut periods: Vec<Period> = clips.map(|clip| model.period_of(clip)).collect();
    periods.sort_by(|a, b| a.end.total_cmp(&b.end).then(a.start.total_cmp(&b.start)));
    periods.dedup();
    if periods.is_empty() { vec![Period::default()] } else { periods }
}

/// The outermost point in each of the [`DIRECTIONS`].
struct Hull {
    x: [f32; DIRECTIONS],
    y: [f32; DIRECTIONS],
    z: [f32; DIRECTIONS],
    reach: [f32; DIRECTIONS],
    outermost: [Option<[f32; 3]>; DIRECTIONS],
    /// Each point's index among the positions of its call.
    numbers: [usize; DIRECTIONS],
}

impl Hull {
    fn new() -> Self {
        let (mut x, mut y, mut z) = ([0.0; DIRECTIONS], [0.0; DIRECTIONS], [0.0; DIRECTIONS]);
        for (number, ((x, y), z)) in x.iter_mut().zip(&mut y).zip(&mut z).enumerate() {
            [*x, *y, *z] = direction(number).to_array();
        }
        Self {
            x,
            y,
            z,
            reach: [f32::NEG_INFINITY; DIRECTIONS],
            outermost: [None; DIRECTIONS],
            numbers: [0; DIRECTIONS],
        }
    }

    fn add(&mut self, positions: &[[f32; 3]]) {
        let finite = |position: &[f32; 3]| position.iter().all(|p| p.is_finite());
        for (number, &position) in positions.iter().enumerate().filter(|(_, position)| finite(position)) {
            let [px, py, pz] = position;
            let directions = self.x.iter().zip(&self.y).zip(&self.z);
            let reach = |((x, y), z): ((&f32, &f32), &f32)| px * x + py * y + pz * z;
            // Few points lie outside the current hull, so first test without branches whether this one lies further
            // out in any direction.
            let further =
                directions.clone().zip(&self.reach).fold(false, |any, (d, &b)| any | (reach(d) > b));
            if further {
                let found = self.reach.iter_mut().zip(&mut self.outermost).zip(&mut self.numbers);
                for (direction, ((best, outermost), its_number)) in directions.zip(found) {
                    if reach(direction) > *best {
                        *best = reach(direction);
                        (*outermost, *its_number) = (Some(position), number);
                    }
                }
            }
        }
    }

    fn points(&self) -> Vec<DVec3> {
        let mut points: Vec<DVec3> = Vec::with_capacity(DIRECTIONS);
        for position in self.outermost.iter().flatten() {
            let point = DVec3::from(position.map(f64::from));
            if !points.contains(&point) {
                points.push(point);
            }
        }
        points
    }
}

/// Returns the direction with a number: both ways along the axes, so that the bounding box is exact, then a spiral
/// from pole to pole of even density. Each step of the spiral turns by the golden angle.
fn direction(number: usize) -> Vec3 {
    let axes = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    axes.get(number).copied().unwrap_or_else(|| {
        let height = 1.0 - (2 * (number - axes.len()) + 1) as f32 / (DIRECTIONS - axes.len()) as f32;
        let around = number as f32 * 2.399_963_2;
        let radius = (1.0 - height * height).sqrt();
        Vec3::new(radius * around.cos(), height, radius * around.sin())
    })
}

/// Returns the model reduced to the data that positions its vertices, with at most about [`MAX_VERTICES`] of them.
fn thinned(model: &Model) -> Model {
    let vertices_of = |mesh: &Mesh| mesh.primitives.iter().map(|p| p.positions.len()).sum::<usize>();
    let counts: Vec<usize> = model.meshes.iter().map(vertices_of).collect();
    let drawn = model.instances.iter().filter_map(|instance| counts.get(instance.mesh));
    let step = drawn.sum::<usize>().div_ceil(MAX_VERTICES).max(1);
    let mesh = |mesh: &Mesh| Mesh {
        primitives: mesh.primitives.iter().map(|primitive| every(step, primitive)).collect(),
        ..Mesh::default()
    };
    // Callers pass the pose for skinning; only the ranges of morph weights are read from this rig.
    let rig = if model.rig.weight_ends.is_empty() { Rig::default() } else { model.rig.clone() };
    Model {
        rig,
        meshes: model.meshes.iter().map(mesh).collect(),
        skins: model.skins.clone(),
        instances: model.instances.clone(),
        ..Model::default()
    }
}

/// Keeps the positions, influences and morphs of every `step`-th vertex, and of the outermost vertices of the mesh.
fn every(step: usize, primitive: &Primitive) -> Primitive {
    let mut kept: Vec<usize> = (0..primitive.positions.len()).step_by(step).collect();
    if step > 1 {
        let mut hull = Hull::new();
        hull.add(&primitive.positions);
        kept.extend(hull.numbers);
        kept.sort_unstable();
        kept.dedup();
    }
    let span = |span: &Span| Span { joints: pick(&span.joints, &kept), weights: pick(&span.weights, &kept) };
    let influences = primitive.influences.as_ref();
    let deltas = primitive.morphs.as_ref().and_then(|morphs| morphs.positions.as_ref());
    let morphs = deltas
        .map(|deltas| Morphs { positions: Some(deltas.pick(kept.iter().copied())), ..Morphs::default() });
    Primitive {
        positions: pick(&primitive.positions, &kept),
        influences: influences.map(|all| Influences { spans: all.spans.iter().map(span).collect() }),
        morphs,
        ..Primitive::default()
    }
}

fn pick<T: Copy>(elements: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().filter_map(|&number| elements.get(number)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat4;
    use sinew_model::{Channel, Clip, Deltas, Instance, Interpolation, LocalTransform, Property};
    use sinew_skinning::pose::Blend;

    /// Returns a ball of radius one with evenly spread vertices.
    fn ball(vertices: usize) -> Model {
        let point = |number: usize| {
            let height = 1.0 - (2 * number + 1) as f32 / vertices as f32;
            let (sin, cos) = (number as f32 * 0.7).sin_cos();
            let radius = (1.0 - height * height).sqrt();
            [radius * cos, height, radius * sin]
        };
        let positions = (0..vertices).map(point).collect();
        let rest = vec![LocalTransform::from_matrix(DMat4::IDENTITY)];
        Model {
            rig: Rig {
                names: vec![String::new()],
                parents: vec![None],
                rest,
                file_index: vec![0],
                ..Rig::default()
            },
            meshes: vec![Mesh {
                primitives: vec![Primitive { positions, ..Primitive::default() }],
                ..Mesh::default()
            }],
            instances: vec![Instance { node: 0, mesh: 0, skin: None }],
            ..Model::default()
        }
    }

    #[test]
    fn hulls_reach_almost_as_far_as_the_vertices() {
        for vertices in [5_000, 3 * MAX_VERTICES] {
            let points = hull(&ball(vertices), &PoseChoice::Rest);
            for number in 0..1000 {
                let (sin, cos) = (f64::from(number) * 0.37).sin_cos();
                let height = f64::from(number).sin();
                let across = (1.0 - height * height).sqrt();
                let direction = DVec3::new(across * cos, height, across * sin);
                let reach = points.iter().map(|point| point.dot(direction)).fold(f64::MIN, f64::max);
                assert!((0.96..1.001).contains(&reach), "{vertices} vertices reach {reach} to {direction}");
            }
        }
    }

    #[test]
    fn every_clip_of_the_choice_is_looked_at_closely() {
        // A long clip along x; a short one that rises briefly halfway; a third, blended, along -z.
        let clip = |times: &[f32], values: &[f32], property| {
            let (times, values) = (times.to_vec(), values.to_vec());
            let channel = Channel { node: 0, property, interpolation: Interpolation::Linear, times, values };
            let duration_secs = channel.times.last().copied().unwrap_or_default();
            Clip { name: String::new(), duration_secs, channels: vec![channel] }
        };
        let mut model = ball(100);
        model.clips = vec![
            clip(&[0.0, 1000.0], &[0.0, 0.0, 0.0, 8.0, 0.0, 0.0], Property::Translation),
            clip(&[0.0, 0.5, 1.0], &[1.0, 1.0, 1.0, 1.0, 6.0, 1.0, 1.0, 1.0, 1.0], Property::Scale),
            clip(&[0.0, 4.0], &[0.0, 0.0, 0.0, 0.0, 0.0, -8.0], Property::Translation),
        ];
        let reach = |choice: &PoseChoice| {
            let points = hull(&model, choice);
            let furthest = |axis: DVec3| points.iter().map(|point| point.dot(axis)).fold(f64::MIN, f64::max);
            [DVec3::X, DVec3::Y, DVec3::NEG_Z].map(|axis| furthest(axis).round())
        };
        let mix = |clips: &[usize], blends: &[Blend]| {
            PoseChoice::Clips(ClipMix {
                clips: clips.to_vec(),
                blends: blends.to_vec(),
                ..ClipMix::default()
            })
        };
        assert_eq!(reach(&mix(&[0], &[])), [9.0, 1.0, 1.0]);
        assert_eq!(reach(&mix(&[0, 1], &[])), [9.0, 6.0, 1.0]);
        assert_eq!(reach(&mix(&[1, 0], &[])), [9.0, 6.0, 1.0]);
        // Halfway from 6 to 1, and half of 8, plus the radius.
        let half = Blend { clip: 2, weight: 0.5 };
        assert_eq!(reach(&mix(&[1], &[half])), [1.0, 3.0, 5.0]);
    }

    #[test]
    fn what_targets_move_out_is_in_the_picture() {
        for vertices in [5_000, 3 * MAX_VERTICES] {
            let mut model = ball(vertices);
            let far = vec![(0, [0.0, 9.0, 0.0])];
            model.meshes[0].primitives[0].morphs =
                Some(Morphs { positions: Deltas::new(vertices, &[far]), ..Morphs::default() });
            let reach = |model: &Model, choice: &PoseChoice| {
                hull(model, choice).into_iter().map(|point| point.y).fold(f64::MIN, f64::max)
            };
            (model.rig.rest_weights, model.rig.weight_ends) = (vec![0.5], vec![1]);
            assert!((5.49..5.51).contains(&reach(&model, &PoseChoice::Rest)));
            assert!(reach(&model, &PoseChoice::Bind) < 1.01);
            model.rig.rest_weights = vec![0.0];
            assert!(reach(&model, &PoseChoice::Rest) < 1.01);
        }
    }

    #[test]
    fn thinning_keeps_what_stands_out() {
        let mut model = ball(3 * MAX_VERTICES);
        model.meshes[0].primitives[0].positions[7] = [0.0, 9.0, 0.0];
        let count: usize = thinned(&model).meshes[0].primitives[0].positions.len();
        assert!((MAX_VERTICES..MAX_VERTICES + DIRECTIONS).contains(&count), "{count} vertices");
        assert!(hull(&model, &PoseChoice::Rest).contains(&DVec3::new(0.0, 9.0, 0.0)));
    }
}
