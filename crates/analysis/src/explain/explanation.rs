//! The contents of a vertex's explanation.

use serde::Serialize;

use super::changes::Loading;
use crate::palette::{Columns, Transforms, by_name};
use sinew_skinning::SkinningMode;

/// The explanation of one vertex in one pose.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The name, in the form that `--vertex` accepts.
    pub vertex: String,
    /// The mesh, by the file's index.
    pub mesh: Named,
    /// Index of the primitive in the file's mesh.
    pub primitive: usize,
    /// Index of the vertex in the primitive.
    pub index: usize,
    /// The node that draws the mesh, by the file's index.
    pub node: Named,
    /// The skin or the node that moves the vertex.
    pub mover: Mover,
    /// True if the pose is the bind pose, which ignores joints and morph targets.
    pub is_bind_pose: bool,
    /// The vertex as the file stores it.
    pub stored: Stored32,
    /// The vertex after morph targets; `None` if they do not move it.
    pub morphed: Option<Place>,
    /// The joints that move it, heaviest first; without a skin its node, alone.
    pub influences: Vec<Influence>,
    /// A sentence on its weight on "no joint"; `None` without such a weight.
    #[serde(skip)]
    pub no_joint: Option<String>,
    /// Its position in each mode, simplest mode first.
    pub modes: Vec<Moved>,
    /// The modes that are left out, because they equal *dqs* for this vertex.
    pub equal_to_dqs: Vec<&'static str>,
    /// A sentence on them; `None` if no dialect of *dqs* is left out.
    #[serde(skip)]
    pub left_out: Option<String>,
    /// The input of *blend* and *cor* for the vertex besides its influences; `None` without a skin.
    pub own: Option<OwnNumbers>,
    /// The blend of dual quaternions; `None` without a skin.
    pub dual_quaternions: Option<DualQuaternions>,
    /// The changes during loading.
    pub loading: Loading,
    /// The way from the blended matrix to a pixel; `None` until a camera looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<Screen>,
}

/// The way of a vertex from the bind pose to a pixel in one mode. Each matrix times the vector before it gives the next one.
#[derive(Clone, Debug, Serialize)]
pub struct Screen {
    /// The mode.
    #[serde(serialize_with = "by_name")]
    pub mode: SkinningMode,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// The vertex after morph targets, before any joint moves it.
    pub bind: Option<[f64; 4]>,
    /// The mode's blend of the joints' matrices; in *lbs*, the sum of weight times `world_from_bind`.
    pub world_from_bind: Option<Columns>,
    /// The vertex in the world.
    pub world: Option<[f64; 4]>,
    /// The inverse of the camera's transform.
    pub view_from_world: Option<Columns>,
    /// The vertex as the camera sees it: right, up and towards the eye.
    pub view: Option<[f64; 4]>,
    /// The projection.
    pub clip_from_view: Option<Columns>,
    /// The vertex in the space in which triangles are clipped.
    pub clip: Option<[f64; 4]>,
    /// Normalised device coordinates: `clip` divided by its w. Depth is 1 near the camera.
    pub ndc: Option<[f64; 3]>,
    /// The pixel, from the upper left corner; `None` for a vertex behind the camera.
    pub pixel: Option<[f64; 2]>,
}

/// An object of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The index in the file.
    pub number: usize,
    /// The name; empty if it has none.
    pub name: String,
}

/// The skin or the node that moves a vertex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Mover {
    /// The joints of a skin.
    Skin(Named),
    /// The node that draws it; influences have no effect.
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

/// A joint or node that moves the vertex.
#[derive(Clone, Debug, Serialize)]
pub struct Influence {
    /// The joint's index in the skin; −1 for "no joint", `None` without a skin.
    pub joint: Option<i32>,
    /// The node's index in the file; `None` for "no joint".
    pub node: Option<u32>,
    /// The name; empty if it has none.
    pub name: String,
    /// The weight in use, from 0 to 1.
    pub weight: f64,
    /// The vertex's position by it alone, with the full weight.
    pub alone: Option<[f64; 3]>,
    /// The distance from there to the vertex in the bind pose, as the skin draws that at rest.
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
    /// True if the two are half a turn apart within rounding, so that the sign stays.
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
    /// The determinant of `A`, the growth of volumes; below zero if it mirrors.
    pub determinant: Option<f64>,
}

/// The vertex's position in a mode, by the `f64` reference.
#[derive(Clone, Debug, Serialize)]
pub struct Moved {
    /// The mode.
    #[serde(serialize_with = "by_name")]
    pub mode: SkinningMode,
    /// The vertex.
    #[serde(flatten)]
    pub place: Place,
    /// The distance to its position in each of the other modes.
    pub distances: Vec<Distance>,
}

/// A vertex's input in the modes that need more than influences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OwnNumbers {
    /// The share of dual quaternion skinning in *blend*, from 0 to 1.
    pub blend_share: f64,
    /// The centre of rotation of *cor* in the mesh's space; the vertex itself if no triangle is similar.
    pub center: [f64; 3],
    /// The centre as linear blending moves it.
    pub center_placed: Option<[f64; 3]>,
}

/// The distance to the vertex's position in another mode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distance {
    /// The other mode.
    #[serde(serialize_with = "by_name")]
    pub mode: SkinningMode,
    /// The distance.
    pub distance: Option<f64>,
}

/// The blend of a vertex's quaternions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DualQuaternions {
    /// The length of the sum before it is divided by it: 1 if all joints turn alike, near 0 if they cancel.
    pub length: Option<f64>,
    /// True if they cancel, so that the first influence's replace them.
    pub is_cancelled: bool,
    /// True if some influence is half a turn from the first.
    pub has_tie: bool,
}
