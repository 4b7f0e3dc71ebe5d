//! Drivers of morph weights: `extras.sinew.drivers` of a node.

use std::collections::BTreeSet;

use glam::DVec3;

use super::node::Nodes;
use crate::driver::Driver;
use crate::gltf::json::{Document, StoredDriver};
use crate::reading::warnings::Warnings;

/// Reads the drivers of all nodes into the rig, which has its weights. Those that are not valid are left out, each with a warning.
pub fn read(document: &Document, nodes: &mut Nodes, warnings: &mut Warnings) {
    let mut found = Vec::new();
    let mut driven = BTreeSet::new();
    for (file_index, node) in document.nodes.iter().enumerate() {
        for (number, stored) in node.drivers.iter().enumerate() {
            let is_first = |driver: Driver| match driven.insert((driver.node, driver.target)) {
                true => Ok(driver),
                false => Err(SECOND),
            };
            match driver(stored, file_index, nodes).and_then(is_first) {
                Ok(driver) => found.push(driver),
                Err(cause) => {
                    let path = format!("nodes[{file_index}].extras.sinew.drivers[{number}]");
                    warnings.add("INVALID_DATA", &path, format!("{cause}; left out"));
                }
            }
        }
    }
    nodes.rig.drivers = found;
}

/// The fault of a second driver of a target.
const SECOND: &str = "drives a target that another one drives";

fn driver(stored: &StoredDriver, file_index: usize, nodes: &Nodes) -> Result<Driver, &'static str> {
    let node_at = |file: usize| nodes.rig_index(file, String::new).ok();
    let node = node_at(file_index).ok_or("is on no node")?;
    let target = one(&stored.target).filter(|target| *target < nodes.rig.weights_of(node).len());
    let target = target.ok_or("has no target of the node's mesh")?;
    let joint = one(&stored.joint).and_then(node_at).ok_or("has no joint")?;
    let axis =
        <[f64; 3]>::try_from(&stored.axis[..]).ok().and_then(|axis| DVec3::from_array(axis).try_normalize());
    let axis = axis.ok_or("has no axis of three numbers")?;
    let (degrees, weights) = (&stored.degrees, &stored.weights);
    let is_finite = |number: &f64| (*number as f32).is_finite();
    let is_ascending = degrees.iter().zip(degrees.iter().skip(1)).all(|(a, b)| a < b);
    let is_table = !degrees.is_empty() && degrees.len() == weights.len();
    if !is_table || !is_ascending || !degrees.iter().chain(weights).all(is_finite) {
        return Err("has no table of ascending degrees and as many weights");
    }
    let keys = degrees.iter().zip(weights).map(|(degrees, weight)| [*degrees, *weight]).collect();
    Ok(Driver { node, target, joint, axis, keys })
}

/// Returns the only number, if it is an index.
fn one(numbers: &[f64]) -> Option<usize> {
    match numbers {
        [number] if number.fract() == 0.0 && (0.0..4e9).contains(number) => Some(*number as usize),
        _ => None,
    }
}
