//! Finds each node's parent and refuses graphs that are not forests.

use super::error::FormatError;
use super::json::Node;

/// Each node's parent. A child that does not exist or has two parents is an error.
pub fn parents(nodes: &[Node]) -> Result<Vec<Option<usize>>, FormatError> {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for (number, child) in node.children.iter().enumerate() {
            let path = || format!("nodes[{index}].children[{number}]");
            match parents.get_mut(*child) {
                Some(slot @ None) => *slot = Some(index),
                Some(Some(other)) => {
                    let message = format!("node {child} is already a child of node {other}");
                    return Err(FormatError::broken("NODE_PARENT_OVERRIDE", path(), message));
                }
                None => return Err(FormatError::no_such(&path(), "node", *child, nodes.len())),
            }
        }
    }
    Ok(parents)
}
