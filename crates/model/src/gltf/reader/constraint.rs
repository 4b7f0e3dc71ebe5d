//! Constraints of nodes (VRMC_node_constraint).

use glam::DVec3;

use super::node::Nodes;
use super::range::{UNIT, number};
use crate::constraint::{Constraint, Follow, in_order};
use crate::gltf::json::{Document, Follows, NodeConstraint};
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::rig::Rig;

/// The maximum number of nodes above the nodes and sources of all aims of a file, in sum.
const MAX_STEPS: usize = 1 << 20;

/// Reads all constraints into the rig, in the order of their evaluation.
pub fn read(document: &Document, nodes: &mut Nodes, warnings: &mut Warnings) -> Result<(), LoadError> {
    let (mut found, mut steps) = (Vec::new(), 0usize);
    let depths = depths(&nodes.rig);
    let depth = |node: usize| depths.get(node).copied().unwrap_or_default();
    for (file_index, node) in document.nodes.iter().enumerate() {
        let Some(stored) = node.extensions.as_ref().and_then(|own| own.constraint.as_ref()) else { continue };
        let path = format!("nodes[{file_index}].extensions.VRMC_node_constraint.constraint");
        let Some((member, own, rule)) = rule(stored) else {
            let message = "has no roll, aim or rotation that is known; left out";
            warnings.add("VALUE_NOT_IN_LIST", &path, message);
            continue;
        };
        let path = format!("{path}.{member}");
        let source = nodes.rig_index(own.source, || format!("{path}.source"))?;
        let node = nodes.rig_index(file_index, || path.clone())?;
        // Each pose walks from both nodes of an aim to the root.
        if let Follow::Aim(_) = rule {
            steps = steps.saturating_add(depth(node)).saturating_add(depth(source));
            if steps > MAX_STEPS {
                warnings.add("TOO_LARGE", &path, "comes after too many others in nodes too deep; left out");
                continue;
            }
        }
        let weight = number(own.weight, UNIT, 1.0, &format!("{path}.weight"), warnings);
        found.push(Constraint { node, source, rule, weight: f64::from(weight) });
    }
    let (sorted, knotted) = in_order(&nodes.rig.parents, found);
    for constraint in knotted {
        let file_index = nodes.rig.file_index.get(constraint.node).copied().unwrap_or_default();
        let path = format!("nodes[{file_index}].extensions.VRMC_node_constraint");
        warnings.add("INVALID_DATA", &path, "depends on itself; left out");
    }
    nodes.rig.constraints = sorted;
    Ok(())
}

/// The number of nodes above each node.
fn depths(rig: &Rig) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(rig.len());
    for parent in &rig.parents {
        let above = parent.and_then(|parent| depths.get(parent as usize));
        depths.push(above.map_or(0, |above| above.saturating_add(1)));
    }
    depths
}

/// The rule of a constraint: the member that has it, and its content.
fn rule(stored: &NodeConstraint) -> Option<(&'static str, &Follows, Follow)> {
    let constraint = &stored.constraint;
    if let Some(roll) = &constraint.roll {
        let axis = match roll.roll_axis.as_deref()? {
            "X" => DVec3::X,
            "Y" => DVec3::Y,
            "Z" => DVec3::Z,
            _ => return None,
        };
        return Some(("roll", roll, Follow::Roll(axis)));
    }
    if let Some(aim) = &constraint.aim {
        let axis = match aim.aim_axis.as_deref()? {
            "PositiveX" => DVec3::X,
            "NegativeX" => DVec3::NEG_X,
            "PositiveY" => DVec3::Y,
            "NegativeY" => DVec3::NEG_Y,
            "PositiveZ" => DVec3::Z,
            "NegativeZ" => DVec3::NEG_Z,
            _ => return None,
        };
        return Some(("aim", aim, Follow::Aim(axis)));
    }
    constraint.rotation.as_ref().map(|rotation| ("rotation", rotation, Follow::Rotation))
}
