//! The positions of a skin's joints in the bind pose, and the bones between them: lines from a joint to each of its
//! children, or the joint's own point if it has none.

use glam::DVec3;

use sinew_model::{Model, Skin};

/// The maximum number of bones of one joint to read.
const MAX_BONES: usize = 64;

/// The joints of a skin in the bind pose.
#[derive(Clone, Debug, Default)]
pub struct Bones {
    /// The position of each joint; `None` if its inverse bind matrix has no inverse.
    pub positions: Vec<Option<DVec3>>,
    /// The nearest joint of the skin above each joint.
    pub parents: Vec<Option<usize>>,
    /// The joints below each joint, in the skin's order.
    pub children: Vec<Vec<usize>>,
    /// The expected range of each joint's weights: the longest bone to its parent or to a child. A joint without bones has
    /// the median of the others; infinite if there are none.
    pub reaches: Vec<f64>,
}

impl Bones {
    /// Finds the bones of a skin.
    pub fn new(model: &Model, skin: &Skin) -> Self {
        let parents = parents(model, skin);
        let mut children = vec![Vec::new(); skin.joints.len()];
        for (joint, parent) in parents.iter().enumerate() {
            if let Some(children) = parent.and_then(|parent| children.get_mut(parent)) {
                children.push(joint);
            }
        }
        let positions: Vec<Option<DVec3>> =
            (0..skin.joints.len()).map(|joint| position(skin, joint)).collect();
        let reaches = reaches(&positions, &parents);
        Self { positions, parents, children, reaches }
    }

    /// Returns the distance of a point to a joint's bones, in a straight line; `None` if the joint's position is unknown.
    pub fn distance(&self, joint: usize, from: DVec3) -> Option<f64> {
        let joint_at = self.positions.get(joint).copied().flatten()?;
        let children = self.children.get(joint).map_or(&[][..], |children| children).iter().take(MAX_BONES);
        let ends = children.filter_map(|child| self.positions.get(*child).copied().flatten());
        let nearest = ends.map(|end| to_line(from, joint_at, end)).fold(from.distance(joint_at), f64::min);
        nearest.is_finite().then_some(nearest)
    }

    /// Returns a joint's reach.
    pub fn reach(&self, joint: usize) -> f64 {
        self.reaches.get(joint).copied().unwrap_or(f64::INFINITY)
    }
}

/// Returns the distance of a point to a line between two ends.
fn to_line(from: DVec3, begin: DVec3, end: DVec3) -> f64 {
    let line = end - begin;
    let along = ((from - begin).dot(line) / line.length_squared()).clamp(0.0, 1.0);
    let nearest = if along.is_finite() { begin + line * along } else { begin };
    from.distance(nearest)
}

/// Returns the nearest joint of the skin above each joint. A node that appears twice in the skin counts as its first joint.
pub fn parents(model: &Model, skin: &Skin) -> Vec<Option<usize>> {
    let mut own: Vec<Option<usize>> = vec![None; model.rig.len()];
    for (joint, &node) in skin.joints.iter().enumerate().rev() {
        if let Some(own) = own.get_mut(node) {
            *own = Some(joint);
        }
    }
    // The nearest joint strictly above each node; parents come before children.
    let mut above: Vec<Option<usize>> = Vec::with_capacity(model.rig.len());
    for parent in &model.rig.parents {
        let parent = parent.map(|parent| parent as usize);
        let found = parent.and_then(|parent| {
            own.get(parent).copied().flatten().or_else(|| above.get(parent).copied().flatten())
        });
        above.push(found);
    }
    skin.joints.iter().map(|&node| above.get(node).copied().flatten()).collect()
}

/// Returns the position of a joint in the bind pose.
fn position(skin: &Skin, joint: usize) -> Option<DVec3> {
    let bind_from_joint = skin.joint_from_bind.get(joint)?.inverse();
    let position = bind_from_joint.w_axis.truncate() / bind_from_joint.w_axis.w;
    position.is_finite().then_some(position)
}

fn reaches(positions: &[Option<DVec3>], parents: &[Option<usize>]) -> Vec<f64> {
    let mut longest = vec![0.0_f64; positions.len()];
    for (joint, parent) in parents.iter().enumerate() {
        let Some(parent) = *parent else { continue };
        let ends = [joint, parent].map(|joint| positions.get(joint).copied().flatten());
        let [Some(a), Some(b)] = ends else { continue };
        for joint in [joint, parent] {
            if let Some(longest) = longest.get_mut(joint) {
                *longest = longest.max(a.distance(b));
            }
        }
    }
    let mut known: Vec<f64> = longest.iter().copied().filter(|length| *length > 0.0).collect();
    known.sort_by(f64::total_cmp);
    let median = known.get(known.len() / 2).copied().unwrap_or(f64::INFINITY);
    longest.into_iter().map(|length| if length > 0.0 { length } else { median }).collect()
}
