//! Measures one frame against the bind pose.

use glam::{DMat3, DMat4, DVec3};

use super::facets::{Pass, Vectors, facing_into, normals_into};
use super::frame::{Extremes, Frame};
use super::jump::{Motion, Track};
use super::parts::Volumes;
use super::shape::Shape;
use super::stretch::stretch;
use sinew_model::Model;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;

/// The joints in one frame, which all modes share.
#[derive(Default)]
pub struct Moment {
    skin: Vec<DMat4>,
    transforms: Vec<DMat4>,
    joint_normals: Vec<DMat3>,
    facing: Vec<Vectors>,
    motion: Motion,
}

impl Moment {
    /// Clears the previous frame, so that the next one begins a clip.
    pub fn restart(&mut self) {
        self.motion.restart();
    }

    /// Goes on to the next frame. `shape` must be that of the model.
    pub fn advance(&mut self, shape: &Shape, model: &Model, pose: &Pose) {
        let Self { skin, transforms, joint_normals, facing, motion } = self;
        let Shape { facets, followers, .. } = shape;
        followers.transforms_into(model, pose, skin, transforms);
        normals_into(transforms, &followers.bind_from_bound, joint_normals);
        facing_into(facets, joint_normals, facing);
        motion.advance(followers, model, pose, transforms);
    }
}

/// Memory for measuring the frames of one clip in one mode, one after the other. It holds the previous frame, from which
/// jumps are measured.
#[derive(Default)]
pub struct Scratch {
    moment: Moment,
    of_mode: OfMode,
}

/// The part of [`Scratch`] that modes do not share.
#[derive(Default)]
pub struct OfMode {
    points: Vec<DVec3>,
    squares: Vec<u64>,
    volumes: Vec<f64>,
    track: Track,
}

impl OfMode {
    /// Clears the previous frame, so that the next one begins a clip.
    pub fn restart(&mut self) {
        self.track.restart();
    }
}

impl Scratch {
    /// Clears the previous frame, so that the next one begins a clip.
    pub fn restart(&mut self) {
        self.moment.restart();
        self.of_mode.restart();
    }

    /// Returns the positions of the welded points in the last frame.
    pub fn places(&self) -> &[DVec3] {
        &self.of_mode.points
    }
}

/// Measures a frame. `shape` must be that of the model, and `skinned` its vertices in this pose, in the order
/// of [`posed`](sinew_skinning::posed).
pub fn measure(
    shape: &Shape,
    model: &Model,
    pose: &Pose,
    time: f64,
    skinned: &[SkinnedPrimitive<f64>],
    scratch: &mut Scratch,
) -> Frame {
    let Scratch { moment, of_mode } = scratch;
    moment.advance(shape, model, pose);
    measure_mode(shape, moment, time, skinned, of_mode)
}

/// Runs [`measure`] for one of several modes in the same frame.
pub fn measure_mode(
    shape: &Shape,
    moment: &Moment,
    time: f64,
    skinned: &[SkinnedPrimitive<f64>],
    scratch: &mut OfMode,
) -> Frame {
    let OfMode { points, squares, volumes, track } = scratch;
    let Shape { surface, facets, followers, .. } = shape;
    let Moment { joint_normals, facing, motion, .. } = moment;
    shape.points.pose_into(skinned, points);
    let mut volumes = Volumes::new(&shape.parts, points, volumes);
    let pass =
        Pass { surface, facets, points: &shape.points, followers, places: points, joint_normals, facing };
    let turned = pass.run(&mut volumes);
    Frame {
        time,
        lost: skinned.iter().map(|skinned| lost(&skinned.positions)).sum(),
        volume: Extremes::of(volumes.ratios()),
        stretch: stretch(&shape.rods, points, squares),
        turned,
        section: Extremes::of(shape.sections.ratios(points)),
        jump: track.advance(followers, motion, skinned),
    }
}

/// Returns the number of positions that are not finite.
fn lost(positions: &[[f64; 3]]) -> usize {
    // Zero times a number is zero unless the number is not finite. One test per vertex lets the compiler vectorise.
    positions.iter().filter(|[x, y, z]| x * 0.0 + y * 0.0 + z * 0.0 != 0.0).count()
}
