//! Skins vertices in `f64` as a recipe says: the definition, with single steps replaced.

use std::collections::HashMap;

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3, DVec4};
use sinew_model::{LocalTransform, Morphs};
use sinew_skinning::morph::{morph_exactly, weights_of};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::reference::{self, JointMotion, Own};
use sinew_skinning::{Fault, SkinningMode, centers, ddm_terms, matrices_into};

use super::deviation::Deviation;
use super::recipe::Recipe;
use super::rounding;
use super::sampling;
use super::subject::{Part, Subject};
use super::turned::Surface;

/// A recipe prepared for one pose.
pub(super) struct Posed<'a> {
    subject: &'a Subject<'a>,
    pub(super) recipe: Recipe,
    pose: Pose,
    palettes: Vec<Palette>,
    /// The palette of each part.
    of_part: Vec<usize>,
    no_joint: JointMotion,
}

/// The joints of a skin, or a node as the only joint.
struct Palette {
    matrices: Vec<DAffine3>,
    /// The joints as modes with dual quaternions need them; empty for the others.
    motions: Vec<JointMotion>,
}

/// Influences of one vertex, in reused memory.
#[derive(Default)]
pub(super) struct Scratch {
    influences: Vec<(i32, f64)>,
}

/// A skinned vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub(super) position: DVec3,
    /// The transform that moved it.
    pub(super) b: DAffine3,
}

impl<'a> Posed<'a> {
    pub(super) fn new(subject: &'a Subject<'a>, recipe: &Recipe, choice: &PoseChoice) -> Self {
        let pose = pose(subject, recipe, choice);
        let mut palettes: Vec<Palette> = Vec::new();
        let mut known: HashMap<(usize, bool), usize> = HashMap::new();
        let is_shared = recipe.fault().is_none() && !recipe.has(Deviation::InMeshSpace);
        let of_part = subject.parts.iter().map(|part| {
            let key = match (part.skin, part.instance.skin) {
                (Some(_), Some(skin)) if is_shared => (skin, true),
                _ => (subject.model.skins.len() + part.number, part.skin.is_some()),
            };
            *known.entry(key).or_insert_with(|| {
                palettes.push(Palette::new(subject, part, recipe, &pose));
                palettes.len() - 1
            })
        });
        let of_part = of_part.collect();
        let no_joint = JointMotion::new(&DMat4::IDENTITY);
        Self { subject, recipe: recipe.clone(), pose, palettes, of_part, no_joint }
    }

    /// Skins a vertex; not finite if the model does not have it.
    pub(super) fn position(&self, vertex: usize, scratch: &mut Scratch) -> DVec3 {
        self.moved(vertex, scratch).map_or(DVec3::NAN, |moved| moved.position)
    }

    /// Skins a vertex; `None` if the model does not have it.
    pub(super) fn moved(&self, vertex: usize, scratch: &mut Scratch) -> Option<Moved> {
        let (number, part, at) = self.subject.part_of(vertex)?;
        let palette = self.palettes.get(*self.of_part.get(number)?)?;
        let stored = *part.primitive.positions.get(at)?;
        let nothing = Morphs::default();
        let morphs = part.primitive.morphs.as_ref().filter(|_| !self.pose.is_bind()).unwrap_or(&nothing);
        let weights = weights_of(&self.subject.model.rig, part.instance, &self.pose.weights);
        let morphed = DVec3::from(morph_exactly(stored, morphs.positions.as_ref(), at, weights).0);
        let still = DVec3::from(stored.map(f64::from));
        let is_still = self.recipe.has(Deviation::NoMorphs) || self.recipe.has(Deviation::MorphsAfter);
        let from = if is_still { still } else { morphed };
        let b = self.transform(part, at, from, palette, scratch);
        let mut position = b.transform_point3(from);
        if self.recipe.has(Deviation::MorphsAfter) {
            position += morphed - still;
        }
        Some(Moved { position, b })
    }

    /// Returns what a moved vertex's normal and tangent are made of; `None` if the model has no normal there.
    pub(super) fn surface(&self, vertex: usize, moved: &Moved, scratch: &mut Scratch) -> Option<Surface> {
        let (number, part, at) = self.subject.part_of(vertex)?;
        let palette = self.palettes.get(*self.of_part.get(number)?)?;
        let normal = *part.primitive.normals.as_ref()?.get(at)?;
        let tangent = part.primitive.tangents.as_ref().and_then(|tangents| tangents.get(at));
        let nothing = Morphs::default();
        let is_still = self.pose.is_bind() || self.recipe.has(Deviation::NoMorphs);
        let morphs = part.primitive.morphs.as_ref().filter(|_| !is_still).unwrap_or(&nothing);
        let weights = weights_of(&self.subject.model.rig, part.instance, &self.pose.weights);
        let mut surface = Surface {
            normal: DVec3::from(morph_exactly(normal, morphs.normals.as_ref(), at, weights).0),
            tangent: tangent
                .map(|tangent| morph_exactly(*tangent, morphs.tangents.as_ref(), at, weights).0.into()),
            b3: moved.b.matrix3,
            cofactors: DMat3::ZERO,
            inverses: DMat3::ZERO,
            size: 0.0,
        };
        self.influences(part, at, palette, scratch);
        for &(joint, weight) in &scratch.influences {
            let joint = usize::try_from(joint).ok().and_then(|joint| palette.matrices.get(joint));
            let matrix = joint.map_or(DMat3::IDENTITY, |joint| joint.matrix3);
            surface.cofactors += reference::cofactor(&matrix) * weight;
            surface.inverses += matrix.inverse().transpose() * weight;
            surface.size += reference::size_of(&matrix) * weight;
        }
        Some(surface)
    }

    /// Returns the transform of a vertex.
    fn transform(
        &self,
        part: &Part,
        at: usize,
        position: DVec3,
        palette: &Palette,
        scratch: &mut Scratch,
    ) -> DAffine3 {
        let mode = self.mode_of(part);
        self.influences(part, at, palette, scratch);
        let matrix =
            |joint: i32| usize::try_from(joint).ok().and_then(|joint| palette.matrices.get(joint)).copied();
        let influences = &scratch.influences;
        match mode {
            SkinningMode::Rigid => {
                influences.first().and_then(|&(joint, _)| matrix(joint)).unwrap_or(DAffine3::IDENTITY)
            }
            SkinningMode::Linear => {
                let mut sum = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
                for &(joint, weight) in influences {
                    let m = matrix(joint).unwrap_or(DAffine3::IDENTITY);
                    sum.matrix3 += m.matrix3 * weight;
                    sum.translation += m.translation * weight;
                }
                sum
            }
            _ => {
                let motion = |joint: i32| {
                    let known = usize::try_from(joint).ok().and_then(|joint| palette.motions.get(joint));
                    known.unwrap_or(&self.no_joint)
                };
                let joints: Vec<(&JointMotion, f64)> =
                    influences.iter().map(|&(joint, weight)| (motion(joint), weight)).collect();
                match Signs::of(&self.recipe) {
                    Some(signs) => {
                        let pivot = match signs.pivot {
                            Pivot::Lowest => influences.iter().map(|(joint, _)| *joint).min().unwrap_or(-1),
                            _ => part.first_joint(at),
                        };
                        signs.blend(&joints, motion(pivot))
                    }
                    None if mode.facts().needs_ddm => {
                        let is_first = self.recipe.has(Deviation::Fault(Fault::NoJointAsZero));
                        let read = |joint: i32| motion(if is_first { joint.max(0) } else { joint });
                        self.surrounded(part, at, position, read)
                    }
                    None => reference::blended(mode, &joints, &self.own(part, at, position)).b,
                }
            }
        }
    }

    /// Returns the transform of a vertex by its surroundings.
    fn surrounded<'b>(
        &self,
        part: &Part,
        at: usize,
        position: DVec3,
        motion: impl Fn(i32) -> &'b JointMotion,
    ) -> DAffine3 {
        let rows = ddm_terms::of(self.subject.model, part.instance.mesh);
        let row = rows.as_ref().and_then(|rows| rows.of(part.in_mesh, at));
        row.map_or(DAffine3::IDENTITY, |row| reference::turn_with_surroundings(&row, position, motion).b)
    }

    /// Returns the mode that moves a part: a node alone moves rigidly.
    fn mode_of(&self, part: &Part) -> SkinningMode {
        if part.skin.is_some() { self.recipe.mode } else { SkinningMode::Rigid }
    }

    /// Returns the input of the mode besides joints and weights.
    fn own(&self, part: &Part, at: usize, position: DVec3) -> Own {
        let stored = part.primitive.positions.get(at).copied().unwrap_or_default();
        let of_model =
            || part.skin.map(|skin| f64::from(self.pose.skins.shares.of_vertex(skin, part.primitive, at)));
        let share = self.recipe.share.or_else(of_model).unwrap_or(1.0);
        let skin = part.instance.skin.filter(|_| self.recipe.mode.facts().needs_centers);
        let centers =
            skin.and_then(|skin| centers::of(self.subject.model, skin, part.instance.mesh, part.in_mesh));
        let center = centers.and_then(|centers| centers.get(at)).copied().unwrap_or(stored);
        Own { share, center: DVec3::from(center.map(f64::from)), position }
    }

    /// Lists the influences of a vertex as the recipe has them.
    fn influences(&self, part: &Part, at: usize, palette: &Palette, scratch: &mut Scratch) {
        let out = &mut scratch.influences;
        out.clear();
        if part.skin.is_none() {
            out.push((0, 1.0));
            return;
        }
        out.extend(part.influences(at).iter().map(|&(joint, weight)| (joint, f64::from(weight))));
        for deviation in &self.recipe.deviations {
            match *deviation {
                Deviation::EightBitJoints => out.iter_mut().for_each(|(joint, _)| *joint &= 0xff),
                Deviation::Fault(Fault::NoJointAsZero) => {
                    out.iter_mut().for_each(|(joint, _)| *joint = (*joint).max(0))
                }
                Deviation::Cut { most, is_renormalised } => {
                    out.truncate(usize::from(most));
                    let sum: f64 = out.iter().map(|(_, weight)| *weight).sum();
                    if is_renormalised && sum > 0.0 {
                        out.iter_mut().for_each(|(_, weight)| *weight /= sum);
                    }
                }
                Deviation::Rounded(store, sum) => rounding::weights(store, sum, out),
                Deviation::StoredSums => {
                    let sum = part.stored_sum(at);
                    out.iter_mut().for_each(|(_, weight)| *weight *= sum);
                }
                Deviation::WeightlessAtOrigin if part.stored_sum(at) == 0.0 => {
                    out.iter_mut().for_each(|(_, weight)| *weight = 0.0);
                }
                Deviation::WeightlessToJointZero if part.stored_sum(at) == 0.0 => {
                    out.clear();
                    out.push((0, 1.0));
                }
                _ => {}
            }
        }
        debug_assert!(palette.motions.is_empty() || palette.motions.len() == palette.matrices.len());
    }
}

impl Palette {
    fn new(subject: &Subject, part: &Part, recipe: &Recipe, pose: &Pose) -> Self {
        let model = subject.model;
        let mut matrices = Vec::new();
        matrices_into(model, part.instance, part.skin.is_some(), pose, &mut matrices);
        for deviation in &recipe.deviations {
            match *deviation {
                Deviation::OtherSkin(skin) if !pose.is_bind() => {
                    let Some((own, other)) = part.skin.zip(model.skins.get(usize::from(skin))) else {
                        continue;
                    };
                    let binds = other.joint_from_bind.iter().chain(std::iter::repeat(&DMat4::IDENTITY));
                    for ((matrix, node), bind) in matrices.iter_mut().zip(&own.joints).zip(binds) {
                        *matrix = pose.world_from_node.get(*node).copied().unwrap_or(DMat4::IDENTITY) * *bind;
                    }
                }
                Deviation::InMeshSpace => {
                    let world = pose.world_from_node.get(part.instance.node).copied();
                    let mesh_from_world = world.unwrap_or(DMat4::IDENTITY).inverse();
                    matrices.iter_mut().for_each(|matrix| *matrix = mesh_from_world * *matrix);
                }
                Deviation::ScaleDropped => matrices.iter_mut().for_each(|matrix| *matrix = rigid(matrix)),
                Deviation::HalfPalette => {
                    let half =
                        |matrix: &DMat4| DMat4::from_cols_array(&matrix.to_cols_array().map(rounding::half));
                    matrices.iter_mut().for_each(|matrix| *matrix = half(matrix));
                }
                _ => {}
            }
        }
        let needs_motions = !matches!(recipe.mode, SkinningMode::Rigid | SkinningMode::Linear);
        let motions = matrices.iter().filter(|_| needs_motions && part.skin.is_some()).map(JointMotion::new);
        Self {
            motions: motions.collect(),
            matrices: matrices.iter().map(|m| DAffine3::from_mat4(*m)).collect(),
        }
    }
}

/// Returns the matrix with its rotation and translation alone.
fn rigid(matrix: &DMat4) -> DMat4 {
    let m = DAffine3::from_mat4(*matrix);
    let rotation = sinew_skinning::polar::decompose(m.matrix3).rotation;
    DMat4::from_rotation_translation(rotation, m.translation)
}

/// Sets the pose as the recipe does.
fn pose(subject: &Subject, recipe: &Recipe, choice: &PoseChoice) -> Pose {
    let model = subject.model;
    let mut pose = Pose::default();
    pose.set_with(model, choice, recipe.fault());
    let clip = sampling::clip_of(model, choice);
    for deviation in &recipe.deviations {
        match (deviation, clip) {
            (Deviation::NodeScaleIgnored, _) if *choice != PoseChoice::Bind => {
                sampling::without_scale(model, &mut pose);
            }
            (_, Some(clip)) => sampling::apply(model, clip, choice.time_secs(), *deviation, &mut pose),
            _ => {}
        }
    }
    pose
}

/// Another way to blend dual quaternions.
#[derive(Clone, Copy)]
struct Signs {
    pivot: Pivot,
    is_normalised: bool,
    is_scaled_after: bool,
}

#[derive(Clone, Copy)]
enum Pivot {
    Heaviest,
    File,
    Lowest,
    Sum,
    None,
}

impl Signs {
    /// Returns the recipe's way, if it is another.
    fn of(recipe: &Recipe) -> Option<Self> {
        let right = Self { pivot: Pivot::Heaviest, is_normalised: true, is_scaled_after: false };
        recipe.deviations.iter().find_map(|deviation| match deviation {
            Deviation::Fault(Fault::NoNormalise) => Some(Self { is_normalised: false, ..right }),
            Deviation::Fault(Fault::NoAntipodal) => Some(Self { pivot: Pivot::None, ..right }),
            Deviation::PivotFirst => Some(Self { pivot: Pivot::File, ..right }),
            Deviation::PivotLowest => Some(Self { pivot: Pivot::Lowest, ..right }),
            Deviation::PivotSum => Some(Self { pivot: Pivot::Sum, ..right }),
            Deviation::ScaleAfter => Some(Self { is_scaled_after: true, ..right }),
            _ => None,
        })
    }

    fn blend(&self, joints: &[(&JointMotion, f64)], pivot: &JointMotion) -> DAffine3 {
        let zero = DQuat::from_vec4(DVec4::ZERO);
        let (mut q, mut d, mut s) = (zero, zero, DMat3::ZERO);
        let heaviest = joints.first().map_or(pivot, |(joint, _)| *joint);
        for &(joint, weight) in joints {
            let toward = match self.pivot {
                Pivot::Heaviest => heaviest.q,
                Pivot::File | Pivot::Lowest => pivot.q,
                Pivot::Sum => q,
                Pivot::None => joint.q,
            };
            let signed = if joint.q.dot(toward) < 0.0 { -weight } else { weight };
            q += joint.q * signed;
            d += joint.d * signed;
            s += joint.s * weight;
        }
        let length = q.length();
        if self.is_normalised && length > 1e-12 {
            (q, d) = (q / length, d / length);
        }
        let rotation = unnormalised_rotation(q);
        let matrix3 = if self.is_scaled_after { s * rotation } else { rotation * s };
        DAffine3 { matrix3, translation: (d * q.conjugate()).xyz() * 2.0 }
    }
}

/// Returns the matrix that the usual formula makes of a quaternion, whatever its length.
fn unnormalised_rotation(q: DQuat) -> DMat3 {
    let (x, y, z, w) = (q.x, q.y, q.z, q.w);
    DMat3::from_cols(
        DVec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        DVec3::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        DVec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    )
}

/// Returns true if a node's transform has scale.
pub(super) fn is_scaled(local: &LocalTransform) -> bool {
    match local {
        LocalTransform::Trs { scale, .. } => (*scale - DVec3::ONE).abs().max_element() > 1e-6,
        LocalTransform::Matrix(_) => false,
    }
}
