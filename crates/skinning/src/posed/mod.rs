//! Morphs and skins a whole model on the CPU by the twins, by the fast path or by the `f64` reference, with
//! vertices in the file's order.

mod prepared;
mod shared;

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DAffine3, DMat4, DVec3};

use super::cpu;
use super::fault::{self, Fault};
use super::morph::{self, Morphed};
use super::reference::{JointMotion, Reference};
use super::twin::{Skinned, Vertices, skin, skin_by};
use super::{SkinningMode, Slot, centers, ddm_terms, matrices_into, reference, skin_of};
use crate::pose::{Pose, PoseChoice};
use sinew_model::{DdmRows, Instance, Mesh, Model, Morphs, Primitive, VertexIndex};

pub use self::prepared::{AS_TWIN, Drawn, PreparedModel, Skinner};
pub use self::shared::SharedLayout;

/// A skinned primitive of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinnedPrimitive<T> {
    /// The index of the instance.
    pub instance: usize,
    /// The index of the primitive in the instance's mesh.
    pub primitive: usize,
    /// World-space positions.
    pub positions: Vec<[T; 3]>,
    /// World-space normals, if the primitive has normals.
    pub normals: Option<Vec<[T; 3]>>,
    /// World-space tangents, if the primitive has normals and tangents.
    pub tangents: Option<Vec<[T; 4]>>,
}

impl SkinnedPrimitive<f32> {
    /// Allocates zeros for everything that the model draws.
    pub fn all_of(model: &Model) -> Vec<Self> {
        drawn(model).map(|(instance, _, number, primitive)| Self::of(primitive, instance, number)).collect()
    }

    /// Allocates zeros for a primitive of an instance.
    pub fn of(primitive: &Primitive, instance: usize, number: usize) -> Self {
        let count = primitive.positions.len();
        let tangents = primitive.normals.as_ref().and(primitive.tangents.as_ref());
        Self {
            instance,
            primitive: number,
            positions: vec![[0.0; 3]; count],
            normals: primitive.normals.as_ref().map(|_| vec![[0.0; 3]; count]),
            tangents: tangents.map(|_| vec![[0.0; 4]; count]),
        }
    }

    /// Returns the spans that the fast path writes.
    pub fn out(&mut self) -> cpu::Out<'_> {
        cpu::Out {
            positions: Some(&mut self.positions),
            normals: self.normals.as_deref_mut(),
            tangents: self.tangents.as_deref_mut(),
        }
    }
}

impl<T: Copy> SkinnedPrimitive<T> {
    /// Converts every number.
    pub fn map<U>(self, convert: impl Fn(T) -> U + Copy) -> SkinnedPrimitive<U> {
        fn each<T, U, const N: usize>(stream: Vec<[T; N]>, convert: impl Fn(T) -> U + Copy) -> Vec<[U; N]> {
            stream.into_iter().map(|vector| vector.map(convert)).collect()
        }
        SkinnedPrimitive {
            instance: self.instance,
            primitive: self.primitive,
            positions: each(self.positions, convert),
            normals: self.normals.map(|normals| each(normals, convert)),
            tangents: self.tangents.map(|tangents| each(tangents, convert)),
        }
    }
}

impl<T> SkinnedPrimitive<T> {
    /// Returns the position in a list of each instance's primitives.
    pub fn numbers(primitives: &[Self]) -> HashMap<(usize, usize), usize> {
        let key = |(number, primitive): (usize, &Self)| ((primitive.instance, primitive.primitive), number);
        primitives.iter().enumerate().map(key).collect()
    }
}

/// Returns the number of vertices that the model draws, counted once per instance. A small file may draw one mesh many
/// times, so check this before keeping them all.
pub fn count_vertices(model: &Model) -> u64 {
    let vertices = |mesh: &Mesh| mesh.primitives.iter().map(|p| p.positions.len() as u64).sum::<u64>();
    let of_mesh: Vec<u64> = model.meshes.iter().map(vertices).collect();
    let drawn = model.instances.iter().filter_map(|instance| of_mesh.get(instance.mesh));
    drawn.fold(0, |sum, vertices| sum.saturating_add(*vertices))
}

/// Returns the primitives that the model draws: instances in their order, each with its mesh's primitives.
fn drawn(model: &Model) -> impl Iterator<Item = (usize, &Instance, usize, &Primitive)> {
    model.instances.iter().enumerate().flat_map(move |(number, instance)| {
        let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
        primitives.iter().enumerate().map(move |(p, primitive)| (number, instance, p, primitive))
    })
}

/// The pose as instances need it, in memory reused from one instance to the next.
#[derive(Default)]
pub(super) struct Scratch {
    matrices: Vec<DMat4>,
    pub(super) slots: Vec<Slot>,
    pub(super) weights: Vec<f32>,
    pub(super) morphed: Morphed,
    /// Shares of dual quaternion skinning; empty if they are all 1.
    pub(super) shares: Vec<f32>,
    /// The terms of the mesh in *ddm*.
    pub(super) ddm: Option<Arc<DdmRows>>,
}

impl Scratch {
    pub(super) fn new(pose: &Pose) -> Self {
        let mut scratch = Self::default();
        morph::weights_into(pose, &mut scratch.weights);
        scratch
    }

    /// Prepares the matrices and weights that move a primitive of an instance, and returns the mode that skins it.
    pub(super) fn prepare(
        &mut self,
        model: &Model,
        instance: &Instance,
        primitive: &Primitive,
        mode: SkinningMode,
        pose: &Pose,
    ) -> SkinningMode {
        let mode = self.prepare_slots(model, instance, primitive.influences.is_some(), mode, pose);
        self.shares.clear();
        let skin = skin_of(model, instance, primitive.influences.is_some());
        if let (SkinningMode::Blended, Some(skin)) = (mode, skin) {
            pose.skins.shares.of_vertices_into(skin, primitive, &mut self.shares);
        }
        self.ddm = skin.filter(|_| mode.facts().needs_ddm).and_then(|_| ddm_terms::of(model, instance.mesh));
        mode
    }

    /// Prepares the matrices and slots alone.
    fn prepare_slots(
        &mut self,
        model: &Model,
        instance: &Instance,
        has_influences: bool,
        mode: SkinningMode,
        pose: &Pose,
    ) -> SkinningMode {
        let skin = skin_of(model, instance, has_influences);
        matrices_into(model, instance, skin.is_some(), pose, &mut self.matrices);
        let mode = if skin.is_some() { mode } else { SkinningMode::Rigid };
        mode.slots_into(&self.matrices, &mut self.slots);
        mode
    }
}

/// The input of a mode for a primitive's vertices besides joints and weights.
#[derive(Clone, Copy)]
pub(super) struct Own<'a> {
    shares: Option<&'a [f32]>,
    centers: Option<&'a [[f32; 3]]>,
    ddm: Option<(&'a DdmRows, usize)>,
}

impl<'a> Own<'a> {
    /// No input.
    pub(super) const NONE: Self = Self { shares: None, centers: None, ddm: None };

    /// Returns a mode's input; finds the model's centres if the mode needs them and they are not known yet.
    pub(super) fn of(
        model: &'a Model,
        instance: &Instance,
        primitive: usize,
        mode: SkinningMode,
        shares: &'a [f32],
        ddm: Option<&'a Arc<DdmRows>>,
    ) -> Self {
        let skin = instance.skin.filter(|_| mode.facts().needs_centers);
        let centers = skin.and_then(|skin| centers::of(model, skin, instance.mesh, primitive));
        let ddm = ddm.map(|rows| (&**rows, primitive));
        Self { shares: (!shares.is_empty()).then_some(shares), centers, ddm }
    }
}

/// Returns true if a skin applies to the primitive's influences.
fn is_skinned(model: &Model, instance: &Instance, primitive: &Primitive) -> bool {
    skin_of(model, instance, primitive.influences.is_some()).is_some()
}

/// Returns the vertices of a primitive of an instance: morphed, and with influences only if a skin applies to them.
pub(super) fn vertices_of<'a>(
    model: &Model,
    instance: &Instance,
    primitive: &'a Primitive,
    weights: &[f32],
    morphed: &'a mut Morphed,
    own: Own<'a>,
) -> Vertices<'a> {
    let mut vertices = morphed.vertices(primitive, morph::weights_of(&model.rig, instance, weights));
    vertices.influences = vertices.influences.filter(|_| is_skinned(model, instance, primitive));
    Vertices { shares: own.shares, centers: own.centers, ddm: own.ddm, ..vertices }
}

/// Skins a whole model by the modes' `f32` twins, with the pose's fault if it has one.
pub fn skin_model(model: &Model, mode: SkinningMode, pose: &Pose) -> Vec<SkinnedPrimitive<f32>> {
    let mut primitives = SkinnedPrimitive::all_of(model);
    skin_model_into(model, mode, pose, &mut primitives);
    primitives
}

/// Runs [`skin_model`] into the memory of earlier results of the model.
pub fn skin_model_into(model: &Model, mode: SkinningMode, pose: &Pose, out: &mut [SkinnedPrimitive<f32>]) {
    let mut scratch = Scratch::new(pose);
    for ((_, instance, p, primitive), out) in drawn(model).zip(out) {
        let mode = scratch.prepare(model, instance, primitive, mode, pose);
        let Scratch { slots, weights, morphed, shares, ddm, .. } = &mut scratch;
        let own = Own::of(model, instance, p, mode, shares, ddm.as_ref());
        let vertices = vertices_of(model, instance, primitive, weights, morphed, own);
        let fault = pose.fault().filter(|fault| fault.is_in_blending(mode) && !pose.is_bind());
        let room = Skinned {
            positions: &mut out.positions,
            normals: out.normals.as_deref_mut(),
            tangents: out.tangents.as_deref_mut(),
        };
        match fault {
            Some(fault) => skin_by(|vertex| fault::blend(fault, mode, slots, vertex), &vertices, room),
            None => skin(mode, slots, &vertices, room),
        }
        if let (Some(Fault::PlainNormals), Some(normals)) = (fault, out.normals.as_deref_mut()) {
            fault::plain_normals(mode, slots, &vertices, normals);
        }
    }
}

/// Returns true if a fault moves any vertex. In some models and poses the wrong step gives the right result.
pub fn fault_shows(model: &Model, mode: SkinningMode, choice: &PoseChoice, fault: Fault) -> bool {
    is_moved(model, mode, [(choice, None), (choice, Some(fault))])
}

/// Returns true if any vertex is elsewhere in the second pose, by more than a ten-thousandth of the model's reach.
pub fn is_moved(model: &Model, mode: SkinningMode, poses: [(&PoseChoice, Option<Fault>); 2]) -> bool {
    let skinned = |(choice, fault): (&PoseChoice, Option<Fault>)| {
        let mut pose = Pose::default();
        pose.set_with(model, choice, fault);
        skin_model(model, mode, &pose)
    };
    let (right, wrong) = rayon::join(|| skinned(poses[0]), || skinned(poses[1]));
    if poses.iter().any(|(_, fault)| fault.is_some_and(Fault::is_in_normals)) {
        let normals = |skinned: &[SkinnedPrimitive<f32>]| {
            let all = skinned.iter().filter_map(|one| one.normals.clone()).flatten();
            all.flatten().collect::<Vec<f32>>()
        };
        let (right, wrong) = (normals(&right), normals(&wrong));
        return right.iter().zip(&wrong).any(|(right, wrong)| (right - wrong).abs() > 1e-3);
    }
    let right = right.iter().flat_map(|primitive| primitive.positions.as_flattened());
    let wrong = wrong.iter().flat_map(|primitive| primitive.positions.as_flattened());
    let reach = right.clone().fold(0.0, |reach: f32, at| reach.max(at.abs()));
    // A NaN position counts as moved.
    let stays = |(right, wrong): (&f32, &f32)| (right - wrong).abs() <= reach * 1e-4 || right.is_nan();
    !right.zip(wrong).all(stays)
}

/// A primitive skinned by the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// The skinned vertices.
    pub skinned: SkinnedPrimitive<f64>,
    /// The largest coordinate in the result or on the way to it.
    pub reach: f64,
    /// The reach of each vertex, in *ddm*; else empty.
    pub reaches: Vec<f64>,
    /// A measure of the conditioning of each vertex's directions; empty without normals.
    pub steadiness: Vec<f64>,
    /// True if rounding cannot turn each vertex's normal over; empty without normals.
    pub is_side_certain: Vec<bool>,
}

/// Skins a whole model by the `f64` reference.
pub fn reference_model(model: &Model, mode: SkinningMode, pose: &Pose) -> Vec<Truth> {
    let mut scratch = Scratch::new(pose);
    drawn(model).filter_map(|(at, _, p, _)| truth_of(&mut scratch, model, (at, p), mode, pose)).collect()
}

/// Skins a primitive of an instance by the `f64` reference; `None` if the model does not draw it.
pub(crate) fn reference_primitive(
    model: &Model,
    of: (usize, usize),
    mode: SkinningMode,
    pose: &Pose,
) -> Option<Truth> {
    truth_of(&mut Scratch::new(pose), model, of, mode, pose)
}

fn truth_of(
    scratch: &mut Scratch,
    model: &Model,
    (number, p): (usize, usize),
    mode: SkinningMode,
    pose: &Pose,
) -> Option<Truth> {
    let instance = model.instances.get(number)?;
    let primitive = model.meshes.get(instance.mesh)?.primitives.get(p)?;
    let (mut unmorphed, nothing) = (Morphed::default(), Morphs::default());
    let mode = scratch.prepare(model, instance, primitive, mode, pose);
    let own = Own::of(model, instance, p, mode, &scratch.shares, scratch.ddm.as_ref());
    let vertices = vertices_of(model, instance, primitive, &[], &mut unmorphed, own);
    let morphs = primitive.morphs.as_ref().unwrap_or(&nothing);
    let weights = morph::weights_of(&model.rig, instance, &pose.weights);
    let reference = reference::skin_morphed(mode, &scratch.matrices, &vertices, morphs, weights);
    let skinned = SkinnedPrimitive {
        instance: number,
        primitive: p,
        positions: reference.positions.iter().map(|p| p.to_array()).collect(),
        normals: reference.normals.map(|normals| normals.iter().map(|n| n.to_array()).collect()),
        tangents: reference.tangents.map(|tangents| tangents.iter().map(|t| t.to_array()).collect()),
    };
    let Reference { reach, reaches, steadiness, is_side_certain, .. } = reference;
    Some(Truth { skinned, reach, reaches, steadiness, is_side_certain })
}

/// Skins the positions and normals of a whole model by the `f64` reference, into reused memory: the same numbers
/// as [`reference_model`], without tangents.
pub fn reference_surfaces(
    model: &Model,
    mode: SkinningMode,
    pose: &Pose,
    out: &mut Vec<SkinnedPrimitive<f64>>,
) {
    let mut scratch = Scratch::default();
    let mut unmorphed = Morphed::default();
    let nothing = Morphs::default();
    let mut reused = std::mem::take(out).into_iter();
    for (number, instance, p, primitive) in drawn(model) {
        let (mut positions, mut normals) = reused
            .next()
            .map_or_else(Default::default, |used| (used.positions, used.normals.unwrap_or_default()));
        let mode = scratch.prepare(model, instance, primitive, mode, pose);
        let own = Own::of(model, instance, p, mode, &scratch.shares, scratch.ddm.as_ref());
        let vertices = vertices_of(model, instance, primitive, &[], &mut unmorphed, own);
        let morphs = primitive.morphs.as_ref().unwrap_or(&nothing);
        let weights = morph::weights_of(&model.rig, instance, &pose.weights);
        let matrices = &scratch.matrices;
        reference::surface_into(mode, matrices, &vertices, morphs, weights, &mut positions, &mut normals);
        let normals = primitive.normals.is_some().then_some(normals);
        out.push(SkinnedPrimitive { instance: number, primitive: p, positions, normals, tangents: None });
    }
}

/// Distances of vertices between two modes, or from delta mush.
pub struct Distances {
    /// The vertices in the first mode.
    pub skinned: Vec<SkinnedPrimitive<f64>>,
    /// The distances in metres, for each of these primitives.
    pub metres: Vec<Vec<f64>>,
}

/// Computes [`reference_surfaces`] with the pose's fault, if it has one. Faults of blending are implemented in `f32` only.
pub fn surfaces_into(model: &Model, mode: SkinningMode, pose: &Pose, out: &mut Vec<SkinnedPrimitive<f64>>) {
    if !pose.fault().is_some_and(|fault| fault.is_in_blending(mode)) {
        return reference_surfaces(model, mode, pose, out);
    }
    let skinned = skin_model(model, mode, pose).into_iter();
    out.clear();
    out.extend(skinned.map(|own| SkinnedPrimitive { tangents: None, ..own.map(f64::from) }));
}

/// Returns a mode's input for a vertex besides joints and weights; finds the model's centres if the mode needs them and they
/// are not known yet.
pub fn own_of(model: &Model, mode: SkinningMode, pose: &Pose, index: VertexIndex) -> reference::Own {
    let mut own = reference::Own { share: 1.0, center: DVec3::ZERO, position: DVec3::ZERO };
    let Some(instance) = model.instances.get(index.instance) else { return own };
    let mesh = model.meshes.get(instance.mesh);
    let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get(index.primitive)) else { return own };
    if let Some(skin) = skin_of(model, instance, primitive.influences.is_some()) {
        own.share = f64::from(pose.skins.shares.of_vertex(skin, primitive, index.vertex));
    }
    let found = Own::of(model, instance, index.primitive, mode, &[], None).centers;
    let center = found.unwrap_or(&primitive.positions).get(index.vertex).copied().unwrap_or_default();
    own.center = DVec3::from(center.map(f64::from));
    let stored = primitive.positions.get(index.vertex).copied().unwrap_or_default();
    let morphs = primitive.morphs.as_ref().filter(|_| !pose.is_bind());
    let weights = morph::weights_of(&model.rig, instance, &pose.weights);
    let deltas = morphs.and_then(|morphs| morphs.positions.as_ref());
    own.position = DVec3::from(morph::morph_exactly(stored, deltas, index.vertex, weights).0);
    own
}

/// Returns the transform of one vertex by the `f64` reference, in a mode that reads its surroundings; `None` if the model
/// does not draw it, or has none for it.
pub fn surrounded_transform(
    model: &Model,
    mode: SkinningMode,
    pose: &Pose,
    index: VertexIndex,
) -> Option<DAffine3> {
    let instance = model.instances.get(index.instance)?;
    let primitive = model.meshes.get(instance.mesh)?.primitives.get(index.primitive)?;
    let mut scratch = Scratch::default();
    let mode = scratch.prepare(model, instance, primitive, mode, pose);
    let rows = scratch.ddm.as_ref().filter(|_| mode.facts().needs_ddm)?;
    let row = rows.of(index.primitive, index.vertex)?;
    let joints: Vec<JointMotion> = scratch.matrices.iter().map(JointMotion::new).collect();
    let none = JointMotion::new(&DMat4::IDENTITY);
    let position = own_of(model, mode, pose, index).position;
    let joint = |number| reference::joint_of(&joints, &none, number);
    Some(reference::turn_with_surroundings(&row, position, joint).b)
}

/// Returns the position of one vertex by the `f64` reference; `None` if the model does not draw it, or the position is not
/// finite.
pub fn reference_vertex(
    model: &Model,
    mode: SkinningMode,
    pose: &Pose,
    vertex: VertexIndex,
) -> Option<DVec3> {
    let mut place = None;
    reference_vertices(model, mode, pose, &[vertex], |_, found| place = found);
    place
}

/// Computes [`reference_vertex`] for several vertices, and passes them to `each` with their positions in the list. It is
/// fast if those of one primitive follow each other.
pub fn reference_vertices(
    model: &Model,
    mode: SkinningMode,
    pose: &Pose,
    vertices: &[VertexIndex],
    mut each: impl FnMut(usize, Option<DVec3>),
) {
    let mut scratch = Scratch::default();
    let mut number = 0;
    for run in vertices.chunk_by(|a, b| (a.instance, a.primitive) == (b.instance, b.primitive)) {
        let first = number;
        number += run.len();
        let Some((instance, p, primitive)) = run.first().and_then(|index| {
            let instance = model.instances.get(index.instance)?;
            let primitive = model.meshes.get(instance.mesh)?.primitives.get(index.primitive)?;
            Some((instance, index.primitive, primitive))
        }) else {
            (first..number).for_each(|number| each(number, None));
            continue;
        };
        let mut unmorphed = Morphed::default();
        let mode = scratch.prepare(model, instance, primitive, mode, pose);
        let own = Own::of(model, instance, p, mode, &scratch.shares, scratch.ddm.as_ref());
        let source = vertices_of(model, instance, primitive, &[], &mut unmorphed, own);
        let nothing = Morphs::default();
        let morphs = primitive.morphs.as_ref().unwrap_or(&nothing);
        let weights = morph::weights_of(&model.rig, instance, &pose.weights);
        let vertices = run.iter().map(|index| index.vertex);
        let mut numbers = first..number;
        reference::positions_of(mode, &scratch.matrices, &source, (morphs, weights), vertices, |place| {
            if let Some(number) = numbers.next() {
                each(number, place.filter(|place| place.is_finite()));
            }
        });
    }
}

/// Returns the positions of a whole model, by the modes' `f32` twins; these are enough for bounds.
pub fn skin_positions(model: &Model, mode: SkinningMode, pose: &Pose) -> Vec<Vec<[f32; 3]>> {
    let mut scratch = Scratch::new(pose);
    let skinned = |(_, instance, p, primitive): (usize, &Instance, usize, &Primitive)| {
        let mode = scratch.prepare(model, instance, primitive, mode, pose);
        let Scratch { slots, weights, morphed, shares, ddm, .. } = &mut scratch;
        let own = Own::of(model, instance, p, mode, shares, ddm.as_ref());
        let mut vertices = vertices_of(model, instance, primitive, weights, morphed, own);
        vertices.normals = None;
        let mut positions = vec![[0.0; 3]; vertices.positions.len()];
        skin(mode, slots, &vertices, Skinned { positions: &mut positions, ..Skinned::default() });
        positions
    };
    drawn(model).map(skinned).collect()
}
