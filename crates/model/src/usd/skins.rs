//! Skins: joints and weights of points, and the space in which a mesh was bound.

use glam::{DMat3, DMat4, DVec3};

use super::bindings::{self, Binding};
use super::skeletons::Skeleton;
use super::stage::{Prim, Stage};
use super::{Work, values};
use crate::gltf::StoredSet;
use crate::influences::{MAX_INFLUENCES, Prepared, RawSet, Tally, prepare};
use crate::reading::LoadError;
use crate::reading::message::counted;
use crate::{Influences, Skin, SkinningMethod};

/// The skin of a mesh.
pub struct Skinned {
    pub skin: Skin,
    /// Influences of points as the file has them; the number behind the last joint is "no joint".
    pub sets: Vec<RawSet>,
    /// The mesh's space in that of its bind pose.
    pub geometry: DMat4,
}

/// Joints and weights as lists: as many for each point, or once for all.
struct Rows {
    joints: Vec<i64>,
    weights: Vec<f64>,
    width: usize,
    is_constant: bool,
}

/// Reads the skin of a mesh; `None` if it has none.
///
/// # Errors
/// If a joint is not there, or more memory is needed than a file of this size may take.
pub fn read(
    stage: &Stage,
    prims: &[Prim],
    binding: &Binding,
    skeleton: Option<&Skeleton>,
    points: usize,
    path: &str,
    work: &mut Work<'_>,
) -> Result<Option<Skinned>, LoadError> {
    let Some(rows) = rows(stage, prims, binding) else { return Ok(None) };
    let mut refuse = |message: &str| {
        work.warnings.add("NOT_SKINNED", path, format!("{message}; it is not skinned"));
        Ok(None)
    };
    if !binding.in_root {
        return refuse("it is bound to a skeleton outside any SkelRoot");
    }
    let Some(skeleton) = skeleton else { return refuse("it has joints and weights, but no skeleton") };
    let Some(from_bind) = &skeleton.from_bind else { return refuse("its skeleton has no bind transforms") };
    let wanted = if rows.is_constant { rows.width } else { rows.width.saturating_mul(points) };
    if rows.joints.len() != wanted || rows.weights.len() != wanted {
        return refuse("its joints and weights are not as many as its points need");
    }
    if skeleton.joints.len() > usize::from(u16::MAX) {
        return refuse("its skeleton has more joints than sinew reads");
    }
    let said = |by: Option<usize>, name: &str| stage.value(prims.get(by?)?, name);
    let order = said(binding.joints, bindings::JOINTS).and_then(|names| values::texts(&names));
    // Where the mesh names its joints, these are the skin's.
    let own: Vec<Option<usize>> = match &order {
        Some(order) => order.iter().map(|name| skeleton.number(name)).collect(),
        None => (0..skeleton.joints.len()).map(Some).collect(),
    };
    let mut joints: Vec<usize> = Vec::new();
    let mut bound: Vec<DMat4> = Vec::new();
    let mut places: Vec<Option<u16>> = Vec::with_capacity(own.len());
    for number in own {
        let found = number.and_then(|number| Some((*skeleton.joints.get(number)?, *from_bind.get(number)?)));
        places.push(found.map(|_| joints.len() as u16));
        if let Some((joint, matrix)) = found {
            joints.push(joint);
            bound.push(matrix);
        }
    }
    if joints.len() > usize::from(u16::MAX) {
        return refuse("it names more joints than sinew reads");
    }
    work.budget.charge(path, points.saturating_mul(rows.width.saturating_add(4)), 24)?;
    let none = skeleton.is_in_place.then_some(joints.len() as u16);
    let sets = rows.sets(points, &places, none, path)?;
    let geometry = said(binding.geometry, bindings::GEOMETRY).and_then(|matrix| values::matrix(&matrix));
    let geometry = geometry.unwrap_or(DMat4::IDENTITY);
    if !values::is_bearable(&geometry) {
        return refuse("its geomBindTransform is not finite");
    }
    let method = said(binding.method, bindings::METHOD).and_then(|word| values::text(&word));
    // The schema's own word where the file has none.
    let method = match method.as_deref() {
        Some("dualQuaternion") => SkinningMethod::DualQuaternion,
        None | Some("classicLinear") => SkinningMethod::Linear,
        Some(_) => {
            let message = "its skinning method is unknown; classicLinear counts";
            work.warnings.add("UNKNOWN_METHOD", path, message);
            SkinningMethod::Linear
        }
    };
    let skin = Skin {
        name: binding.skeleton.as_ref().and_then(|path| path.name()).unwrap_or_default().to_owned(),
        joints,
        joint_from_bind: bound.into(),
        method: Some(method),
    };
    Ok(Some(Skinned { skin, sets, geometry }))
}

fn rows(stage: &Stage, prims: &[Prim], binding: &Binding) -> Option<Rows> {
    let (indices, weights) = (prims.get(binding.indices?)?, prims.get(binding.weights?)?);
    let joints = values::integers(&stage.value(indices, bindings::INDICES)?)?;
    let list = values::numbers(&stage.value(weights, bindings::WEIGHTS)?)?;
    let word = |key: &str| stage.facet(indices, bindings::INDICES, key);
    let width = word("elementSize").and_then(|size| values::number(&size)).unwrap_or(1.0);
    let is_constant = word("interpolation").and_then(|word| values::text(&word)).as_deref() != Some("vertex");
    Some(Rows { joints, weights: list, width: width.max(1.0) as usize, is_constant })
}

impl Rows {
    /// The influences of all points in sets of four. `none` is the number of "no joint", if there may be any.
    fn sets(
        &self,
        points: usize,
        places: &[Option<u16>],
        none: Option<u16>,
        path: &str,
    ) -> Result<Vec<RawSet>, LoadError> {
        let mut sets = vec![RawSet::default(); self.width.div_ceil(4)];
        for point in 0..points {
            let first = if self.is_constant { 0 } else { point.saturating_mul(self.width) };
            for (number, set) in sets.iter_mut().enumerate() {
                let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
                for (slot, (joint, weight)) in joints.iter_mut().zip(&mut weights).enumerate() {
                    let at = number.saturating_mul(4).saturating_add(slot);
                    if at >= self.width {
                        break;
                    }
                    let at = first.saturating_add(at);
                    let own = self.weights.get(at).copied().unwrap_or(0.0) as f32;
                    let index = self.joints.get(at).copied().unwrap_or(0);
                    let place =
                        usize::try_from(index).ok().and_then(|index| places.get(index)).copied().flatten();
                    match place.or(none.filter(|_| index == -1 && own != 0.0)) {
                        Some(place) => (*joint, *weight) = (place, own),
                        None if own == 0.0 => {}
                        None => {
                            let message =
                                format!("point {point} has weight for joint {index}, which is not there");
                            return Err(LoadError::broken("ACCESSOR_JOINTS_INDEX_OOB", path, message));
                        }
                    }
                }
                set.joints.push(joints);
                set.weights.push(weights);
            }
        }
        Ok(sets)
    }
}

impl Skinned {
    /// The influences of points, repaired.
    pub fn influences(&self, path: &str, work: &mut Work<'_>) -> Option<Influences> {
        let none = self.skin.joints.len();
        let Prepared { mut influences, repairs, .. } = prepare(&self.sets, none.saturating_add(1)).ok()?;
        for joint in influences.spans.iter_mut().flat_map(|span| span.joints.as_flattened_mut()) {
            *joint = if usize::try_from(*joint) == Ok(none) { -1 } else { *joint };
        }
        let mut warn = |code, tally: Tally, what: &str| {
            if tally.vertices > 0 {
                let points = counted(tally.vertices, "point", "points");
                work.warnings.add(code, path, format!("{points} (first {}) {what}", tally.first));
            }
        };
        let what = "with weights that are NaN or infinite, which count as 0";
        warn("ACCESSOR_INVALID_FLOAT", repairs.weights_not_finite, what);
        warn(
            "ACCESSOR_WEIGHTS_NEGATIVE",
            repairs.weights_negative,
            "with negative weights, which count as 0",
        );
        warn(
            "ACCESSOR_WEIGHTS_NON_NORMALIZED",
            repairs.unequal_sums,
            "with weights that do not sum to 1, scaled",
        );
        let what = format!("with more than {MAX_INFLUENCES} influences; the smallest were dropped");
        warn("TOO_MANY_INFLUENCES", repairs.dropped, &what);
        Some(influences)
    }

    /// A point's joints and weights as the file has them.
    pub fn stored(&self, point: usize) -> Vec<StoredSet> {
        let row = |(number, set): (usize, &RawSet)| {
            Some(StoredSet { number, joints: *set.joints.get(point)?, weights: *set.weights.get(point)? })
        };
        self.sets.iter().enumerate().filter_map(row).collect()
    }

    /// A point of the mesh in the space of the bind pose.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.geometry.transform_point3(point)
    }

    /// Returns true if the bind pose is a mirror image of the mesh.
    pub fn mirrors(&self) -> bool {
        DMat3::from_mat4(self.geometry).determinant() < 0.0
    }

    /// An offset of a point in the space of the bind pose.
    pub fn offset(&self, offset: DVec3) -> DVec3 {
        self.geometry.transform_vector3(offset)
    }

    /// A normal in the space of the bind pose, of any length.
    pub fn normal(&self, normal: DVec3) -> DVec3 {
        let matrix = DMat3::from_mat4(self.geometry);
        let turned = matrix.inverse().transpose().mul_vec3(normal);
        if turned.is_finite() { turned.normalize_or_zero() } else { normal }
    }
}
