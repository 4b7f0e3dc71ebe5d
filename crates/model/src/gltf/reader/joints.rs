//! Reads the `JOINTS_n` and `WEIGHTS_n` of a primitive, and reports the repairs of their preparation.

use super::accessor::Accessors;
use super::skin::SkinUse;
use crate::gltf::json;
use crate::influences::{self, Prepared, RawSet, Repairs, Tally};
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;
use crate::reading::message::{counted, vertex_at};
use crate::reading::warnings::Warnings;
use crate::statistics::InfluenceStatistics;

/// Reads a primitive's influences; `None` where it has none that can be used.
pub fn read(
    primitive: &json::Primitive,
    path: &str,
    vertices: usize,
    skin: SkinUse,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Option<Prepared>, LoadError> {
    let (numbers, sets) = sets(primitive, path, vertices, accessors, warnings)?;
    if sets.is_empty() {
        return Ok(None);
    }
    prepare(&sets, &numbers, (path, vertices), skin, accessors.budget(), warnings).map(Some)
}

/// The sets of a primitive as stored, with the `n` of each.
pub fn sets(
    primitive: &json::Primitive,
    path: &str,
    vertices: usize,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<(Vec<usize>, Vec<RawSet>), LoadError> {
    let mut sets = Vec::new();
    let mut numbers = Vec::new();
    for number in set_numbers(primitive) {
        let joints = primitive.attributes.get(&format!("JOINTS_{number}"));
        let weights = primitive.attributes.get(&format!("WEIGHTS_{number}"));
        let (Some(joints), Some(weights)) = (joints, weights) else {
            let message = format!("has only one of JOINTS_{number} and WEIGHTS_{number}; it was left out");
            warnings.add("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", path, message);
            continue;
        };
        let joints_path = format!("{path}.attributes.JOINTS_{number}");
        let weights_path = format!("{path}.attributes.WEIGHTS_{number}");
        let joints = accessors.joints(*joints, &joints_path)?;
        same_count(joints.len(), vertices, &joints_path)?;
        let weights = accessors.floats::<4>(*weights, &weights_path)?;
        same_count(weights.len(), vertices, &weights_path)?;
        sets.push(RawSet { joints, weights });
        numbers.push(number);
    }
    Ok((numbers, sets))
}

/// Prepares sets with the numbers `numbers` for skinning; `path` is that of the primitive.
pub fn prepare(
    sets: &[RawSet],
    numbers: &[usize],
    (path, vertices): (&str, usize),
    skin: SkinUse,
    budget: &mut Budget,
    warnings: &mut Warnings,
) -> Result<Prepared, LoadError> {
    let spans = sets.len().min(influences::MAX_INFLUENCES / 4);
    budget.charge(path, vertices.saturating_mul(spans), size_of::<([i32; 4], [f32; 4])>())?;
    // At worst no vertex's weights sum to one, and none has its heaviest joint first.
    budget.charge(path, vertices, size_of::<((u32, f32), (u32, u16))>())?;
    warnings.influences(path, || InfluenceStatistics::of(sets, skin.joint_count));
    let prepared = influences::prepare(sets, skin.joint_count);
    let prepared = prepared.map_err(|unknown| LoadError::JointOutOfRange {
        path: format!("{path}.attributes.JOINTS_{}", numbers.get(unknown.set).copied().unwrap_or(0)),
        joint: unknown.joint,
        vertex: unknown.vertex,
        skin: skin.skin,
        joint_count: skin.joint_count,
    })?;
    report(&prepared.repairs, path, warnings);
    Ok(prepared)
}

/// Every attribute of a primitive must have as many elements as there are positions.
pub fn same_count(found: usize, vertices: usize, path: &str) -> Result<(), LoadError> {
    if found == vertices {
        return Ok(());
    }
    let message = format!("{found} elements, but there are {vertices} positions");
    Err(LoadError::broken("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", path, message))
}

/// The numbers `n` for which there is a `JOINTS_n` or a `WEIGHTS_n`, smallest first.
fn set_numbers(primitive: &json::Primitive) -> Vec<usize> {
    let mut numbers: Vec<usize> = primitive
        .attributes
        .keys()
        .filter_map(|name| name.strip_prefix("JOINTS_").or_else(|| name.strip_prefix("WEIGHTS_")))
        // `JOINTS_00` is another name than `JOINTS_0` and means nothing.
        .filter_map(|digits| digits.parse::<usize>().ok().filter(|number| number.to_string() == digits))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Describes the affected vertices: their number, and the first of them.
fn said_of(tally: Tally, path: &str, what: &str) -> String {
    let first = vertex_at(path, tally.first);
    format!("{} (first {first}): {what}", counted(tally.vertices, "vertex", "vertices"))
}

fn report(repairs: &Repairs, path: &str, warnings: &mut Warnings) {
    let mut add = |code: &'static str, tally: Tally, what: &str| {
        if tally.vertices > 0 {
            warnings.add(code, path, said_of(tally, path, what));
        }
    };
    add(
        "ACCESSOR_INVALID_FLOAT",
        repairs.weights_not_finite,
        "weights that are NaN or infinite, which count as 0",
    );
    add("ACCESSOR_WEIGHTS_NEGATIVE", repairs.weights_negative, "negative weights, which count as 0");
    let unequal = format!(
        "weights that do not sum to 1 (off by {:.6} at most) and were renormalised",
        repairs.most_unequal
    );
    add("ACCESSOR_WEIGHTS_NON_NORMALIZED", repairs.unequal_sums, &unequal);
    add(
        "ACCESSOR_WEIGHTS_NON_NORMALIZED",
        repairs.zero_sums,
        "no weight; the joint in the first slot gets all of it",
    );
    add("ACCESSOR_JOINTS_INDEX_DUPLICATE", repairs.repeated_joints, "a joint more than once; each was kept");
    let dropped = format!(
        "more than {} influences; the smallest were dropped, {:.2} % of the weight on average and {:.2} % at most",
        influences::MAX_INFLUENCES,
        repairs.mean_dropped * 100.0,
        repairs.most_dropped * 100.0
    );
    add("TOO_MANY_INFLUENCES", repairs.dropped, &dropped);
    let unknown = repairs.unknown_joints;
    if unknown.vertices > 0 {
        let message = said_of(unknown, path, "joints that the skin does not have, without weight");
        warnings.fault("ACCESSOR_JOINTS_INDEX_OOB", path, message);
    }
    let idle = repairs.idle_joints;
    if idle.vertices > 0 {
        let message = said_of(idle, path, "a joint other than 0 in slots without weight");
        warnings.note("ACCESSOR_JOINTS_USED_ZERO_WEIGHT", path, message);
    }
}
