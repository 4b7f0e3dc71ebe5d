//! Finds the joints that flags name: by name, or by number such as `#12`.

use crate::model::Model;
use crate::skinning::pose::{NameError, Names, OnlyJoint};

/// A joint by name or number.
pub fn joint(asked: &str, model: &Model) -> Result<OnlyJoint, NameError> {
    let names = Names::new(model);
    let node = names.joint(asked)?;
    Ok(OnlyJoint { node, name: names.node_name(node), steps: None })
}

/// A joint, and after a last @ the number of transforms that move its vertices.
pub fn only_joint(asked: &str, model: &Model) -> Result<OnlyJoint, NameError> {
    let steps = asked.rsplit_once('@').filter(|(_, steps)| steps.bytes().all(|byte| byte.is_ascii_digit()));
    let steps = steps.and_then(|(name, steps)| Some((name, steps.parse().ok()?)));
    match (joint(asked, model), steps) {
        (Err(NameError::Unknown { .. }), Some((name, steps))) => {
            Ok(OnlyJoint { steps: Some(steps), ..joint(name, model)? })
        }
        (found, _) => found,
    }
}

/// Describes an unknown name, with the command that lists the known ones.
pub fn taught(error: &NameError) -> String {
    match error {
        NameError::Unknown { what: "node", nearest: None, .. } => {
            format!("{error}; 'sinew inspect MODEL --joints' lists them")
        }
        NameError::Unknown { .. } | NameError::Ambiguous { .. } | NameError::NoJoint { .. } => {
            error.to_string()
        }
    }
}
