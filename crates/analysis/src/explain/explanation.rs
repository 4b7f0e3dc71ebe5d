//! What an explanation of a vertex holds.

use serde::Serialize;

use super::changes::Loading;
use crate::palette::{Transforms, by_name};
use sinew_skinning::SkinningMode;

/// Everything about one vertex in one pose.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The name, as `--vertex` takes it.
    pub vertex: String,
    /// The mesh, by the file's number.
    pub mesh: Named,
    /// Index of the primitive in the file's mesh.
    pub primitive: usize,
    /// Index of the vertex in the primitive.
    pub index: usize,
    /// The node that draws the mesh, by the file's number.
    pub node: Named,
    /// What moves the vertex.
    pub mover: Mover,
    /// True if the pose is the bind pose, which leaves joints and morph targets out.
    pub is_bind_pose: bool,
    /// The vertex as the file stores it.
    pub stored: Stored32,
    /// The vertex after morph targets; `None` where they move nothing.
    pub morphed: Option<Place>,
    /// What moves it, heaviest first; without a skin its node, alone.
    pub influences: Vec<Influence>,
    /// Where each mode puts it, simplest mode first.
    pub modes: Vec<Moved>,
    /// What *blend* and *cor* know of the vertex besides its influences; `None` without a skin.
    pub own: Option<OwnNumbers>,
    /// How dual quaternions blend; `None` without a skin.
    pub dual_quaternions: Option<DualQuaternions>,
    /// What loading changed.
    pub loading: Loading,
}

/// A thing of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The number in the file.
    pub number: usize,
    /// The name; empty if it has none.
    pub name: String,
}

/// What moves a vertex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Mover {
    /// The joints of a skin.
    Skin(Named),
    /// The node that draws it; influences mean nothing.
    Node,
}

/// A position and a normal as the file stores them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stored32 {
    /// The position.
    pub position: Option<[f32; 3]>,
    /// The normal, if the primitive has normals.
    pub normal: Option<[f32; 3]>,
}

/// A position and a normal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Place {
    /// The position.
    pub position: Option<[f64; 3]>,
    /// The normal, if the primitive has normals.
    pub normal: Option<[f64; 3]>,
}

/// One of what moves the vertex.
#[derive(Clone, Debug, Serialize)]
pub struct Influence {
    /// The joint's number in the skin; −1 for "no joint", `None` without a skin.
    pub joint: Option<i32>,
    /// The node's number in the file; `None` for "no joint".
    pub node: Option<u32>,
    /// The name; empty if it has none.
    pub name: String,
    /// The weight in use, from 0 to 1.
    pub weight: f64,
    /// Where it alone would put the vertex, with all the weight.
    pub alone: Option<[f64; 3]>,
    /// The distance from there to the vertex in the bind pose, where the skin draws that at rest.
    pub alone_from_bind: Option<f64>,
    /// The sign of its quaternion in dual quaternion skinning; `None` without a skin.
    pub sign: Option<Sign>,
    /// The matrices.
    #[serde(flatten)]
    pub transforms: Transforms,
    /// The parts of its `world_from_bind`.
    pub motion: Motion,
}

/// The sign that a joint's quaternion gets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sign {
    /// The dot product with the quaternion of the first influence, the pivot.
    pub dot: Option<f64>,
    /// True if the sign is flipped.
    pub is_flipped: bool,
    /// True if the two are half a turn apart as far as rounding can tell, so that the sign stays.
    pub is_tie: bool,
}

/// A joint's `world_from_bind = [A | b]`, split as dual quaternion skinning does: `A = R S`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Motion {
    /// The unit quaternion of `R`.
    pub rotation: Option<[f64; 4]>,
    /// The dual part, `½ (b, 0) q`.
    pub dual: Option<[f64; 4]>,
    /// The symmetric `S`, as three columns.
    pub stretch: Option<[[f64; 3]; 3]>,
    /// The determinant of `A`: how much volumes grow; below zero if it mirrors.
    pub determinant: Option<f64>,
}

/// Where a mode puts the vertex, by the `f64` reference.
#[derive(Clone, Debug, Serialize)]
pub struct Moved {
    /// The mode.
    #[serde(serialize_with = "by_name")]
    pub mode: SkinningMode,
    /// The vertex.
    #[serde(flatten)]
    pub place: Place,
    /// How far each of the other modes puts it.
    pub distances: Vec<Distance>,
}

/// A vertex's own numbers in the modes that have some.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OwnNumbers {
    /// How much of dual quaternion skinning *blend* takes, from 0 to 1.
    pub blend_share: f64,
    /// The centre of rotation of *cor* in the mesh's own space; the vertex itself where no triangle is like it.
    pub center: [f64; 3],
    /// Where linear blending takes the centre.
    pub center_placed: Option<[f64; 3]>,
}

/// How far another mode puts the vertex.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distance {
    /// The other mode.
    #[serde(serialize_with = "by_name")]
    pub mode: SkinningMode,
    /// The distance.
    pub distance: Option<f64>,
}

/// How the quaternions of a vertex blend.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DualQuaternions {
    /// The length of the sum before it is divided by it: 1 where all joints turn alike, near 0 where they cancel.
    pub length: Option<f64>,
    /// True if they cancel, so that the first influence's are taken instead.
    pub is_cancelled: bool,
    /// True if some influence is half a turn from the first.
    pub has_tie: bool,
}
