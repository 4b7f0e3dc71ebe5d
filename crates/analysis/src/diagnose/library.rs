//! The verdict on arrays, without a file: for tests of other people's skinning.

use std::sync::Arc;

use glam::DMat4;
use sinew_model::{
    Influences, Instance, LocalTransform, Mesh, Model, Primitive, RawSet, Rig, Skin, UnknownJoint,
    prepare_influences,
};
use sinew_skinning::pose::PoseChoice;

use super::answer::{Answer, Asked, Question};
use super::ask::ask;
use super::matching::NoMatch;
use crate::vertices::{Given, Part, Stored};

/// A mesh in its bind pose and the matrices of its joints.
#[derive(Clone, Copy, Debug)]
pub struct Arrays<'a> {
    /// Positions in bind space.
    pub positions: &'a [[f32; 3]],
    /// Joints, four to a set.
    pub joints: &'a [&'a [[u16; 4]]],
    /// Weights in the joints' order.
    pub weights: &'a [&'a [[f32; 4]]],
    /// Each joint's matrix from bind space to the world: its pose times its inverse bind matrix.
    pub matrices: &'a [DMat4],
}

/// Arrays that do not fit each other.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadArrays {
    /// A list has another length than the positions.
    #[error("{what}: {len} entries for {vertices} positions")]
    Length {
        /// The list.
        what: &'static str,
        /// Its length.
        len: usize,
        /// The number of positions.
        vertices: usize,
    },
    /// A joint without a matrix has weight.
    #[error("vertex {}: joint {}, but there are {count} matrices", .joint.vertex, .joint.joint)]
    Joint {
        /// The joint.
        joint: UnknownJoint,
        /// The number of matrices.
        count: usize,
    },
    /// The skinned vertices are too few or too many.
    #[error("{0}")]
    Count(#[from] NoMatch),
}

/// Says how `made` came from the arrays: by which mode, and with which deviations.
///
/// # Errors
/// If the arrays do not fit each other.
pub fn arrays(given: &Arrays, made: &[[f64; 3]]) -> Result<Answer, BadArrays> {
    let vertices = given.positions.len();
    let fits = |what, len| {
        if len == vertices { Ok(()) } else { Err(BadArrays::Length { what, len, vertices }) }
    };
    given.joints.iter().try_for_each(|set| fits("joints", set.len()))?;
    given.weights.iter().try_for_each(|set| fits("weights", set.len()))?;
    fits("made", made.len())?;
    let model = model(given)?;
    let part = Part { positions: made.to_vec(), ..Part::default() };
    let made = Given { parts: vec![part], stored: Stored::F32 };
    let question = Question {
        model: &model,
        given: &made,
        bind: None,
        asked: Asked::At(&PoseChoice::Rest),
        expected: None,
        watch: &|_| {},
    };
    Ok(ask(&question)?)
}

/// Makes a model of one mesh, whose nodes are the joints.
pub(super) fn model(given: &Arrays) -> Result<Model, BadArrays> {
    let sets = given.joints.iter().zip(given.weights);
    let sets: Vec<RawSet> =
        sets.map(|(joints, weights)| RawSet { joints: joints.to_vec(), weights: weights.to_vec() }).collect();
    let count = given.matrices.len();
    let prepared = prepare_influences(&sets, count).map_err(|joint| BadArrays::Joint { joint, count })?;
    let primitive = Primitive {
        positions: given.positions.to_vec(),
        indices: (0..given.positions.len() as u32).collect(),
        influences: Some(Influences { ..prepared.influences }),
        unequal_sums: prepared.unequal_sums,
        first_joints: prepared.first_joints,
        ..Primitive::default()
    };
    // The last node holds the mesh.
    let rig = Rig {
        names: vec![String::new(); count + 1],
        parents: vec![None; count + 1],
        rest: given
            .matrices
            .iter()
            .map(|matrix| LocalTransform::from_matrix(*matrix))
            .chain([LocalTransform::IDENTITY])
            .collect(),
        file_index: (0..=count as u32).collect(),
        ..Rig::default()
    };
    let skin = Skin {
        joints: (0..count).collect(),
        joint_from_bind: Arc::from(vec![DMat4::IDENTITY; count]),
        ..Skin::default()
    };
    Ok(Model {
        rig,
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        skins: vec![skin],
        instances: vec![Instance { node: count, mesh: 0, skin: Some(0) }],
        ..Model::default()
    })
}
