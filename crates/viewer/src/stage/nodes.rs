//! Lists for the panel: nodes in order, joints, clips and keys.

use std::collections::HashSet;

use super::state::Stage;
use sinew_model::{Skin, VertexIndex, VertexName};
use sinew_skinning::pose::{ClipMix, PoseChoice};
use sinew_text::words::many;

impl Stage {
    /// Returns a number that changes whenever another model is shown.
    pub fn model_number(&self) -> usize {
        self.shown
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.model.rig.len()
    }

    /// Returns the number of joints.
    pub fn joint_count(&self) -> usize {
        self.joints.iter().filter(|is_joint| **is_joint).count()
    }

    /// Returns true if a node is a joint of any skin.
    pub fn is_joint(&self, node: usize) -> bool {
        self.joints.get(node).copied().unwrap_or(false)
    }

    /// Returns the skins by name, each with its number of joints.
    pub fn skin_names(&self) -> Vec<String> {
        let name = |(number, skin): (usize, &Skin)| {
            let joints = many(skin.joints.len(), "joint");
            match skin.name.as_str() {
                "" => format!("skin {number}, {joints}"),
                name => format!("skin '{name}', {joints}"),
            }
        };
        self.model.skins.iter().enumerate().map(name).collect()
    }

    /// Returns the nodes that are joints of a skin.
    pub fn joints_of(&self, skin: usize) -> HashSet<usize> {
        self.model.skins.get(skin).into_iter().flat_map(|skin| &skin.joints).copied().collect()
    }

    /// Returns a node's name.
    pub fn node_name(&self, node: usize) -> String {
        match self.model.rig.names.get(node).map(String::as_str) {
            Some("") | None => {
                format!("#{}", self.model.rig.file_index.get(node).copied().unwrap_or_default())
            }
            Some(name) => name.to_owned(),
        }
    }

    /// Returns a vertex's name, in the format of `--vertex`.
    pub fn vertex_name(&self, vertex: VertexIndex) -> String {
        VertexName::of(&self.model, vertex).to_string()
    }

    /// Returns the depth of each node below its root.
    pub fn node_depths(&self) -> Vec<usize> {
        let mut depths = Vec::with_capacity(self.node_count());
        for parent in &self.model.rig.parents {
            let above = parent.and_then(|parent| depths.get(parent as usize));
            depths.push(above.map_or(0, |depth: &usize| depth.saturating_add(1)));
        }
        depths
    }

    /// Returns the position of each node in depth-first order.
    pub fn depth_first(&self) -> Vec<usize> {
        let parents = &self.model.rig.parents;
        // Children come after their parents, so summing from the end gives the sizes of subtrees.
        let mut sizes = vec![1_usize; parents.len()];
        for (node, parent) in parents.iter().enumerate().rev() {
            let size = sizes.get(node).copied().unwrap_or(0);
            if let Some(above) = parent.and_then(|parent| sizes.get_mut(parent as usize)) {
                *above += size;
            }
        }
        let mut free = vec![0_usize; parents.len()];
        let mut roots = 0;
        let mut places = Vec::with_capacity(parents.len());
        for (parent, size) in parents.iter().zip(&sizes) {
            let next = match parent.and_then(|parent| free.get_mut(parent as usize)) {
                Some(next) => next,
                None => &mut roots,
            };
            let place = *next;
            *next += size;
            if let Some(inside) = free.get_mut(places.len()) {
                *inside = place + 1;
            }
            places.push(place);
        }
        places
    }

    /// Chooses the next node in the order of the list; only joints, if there are any.
    pub fn choose_next(&mut self, by: i32) {
        let has_joints = self.joint_count() > 0;
        let places = self.depth_first();
        let mut listed: Vec<usize> =
            (0..self.node_count()).filter(|node| !has_joints || self.is_joint(*node)).collect();
        listed.sort_by_key(|node| places.get(*node).copied().unwrap_or(usize::MAX));
        let count = i64::try_from(listed.len()).unwrap_or(i64::MAX);
        if count == 0 {
            return;
        }
        let now = self.chosen.and_then(|chosen| listed.iter().position(|node| *node == chosen));
        let next = match now.and_then(|now| i64::try_from(now).ok()) {
            Some(now) => (now + i64::from(by)).rem_euclid(count),
            None if by < 0 => count - 1,
            None => 0,
        };
        self.chosen = usize::try_from(next).ok().and_then(|next| listed.get(next)).copied();
    }

    /// Returns the names of all clips.
    pub fn clip_names(&self) -> impl Iterator<Item = &str> {
        self.model.clips.iter().map(|clip| clip.name.as_str())
    }

    /// Returns the first clip of the current pose.
    pub fn clip_shown(&self) -> Option<usize> {
        match &self.scene.pose {
            PoseChoice::Clips(mix) => mix.clips.first().copied(),
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => None,
        }
    }

    /// Returns the times of all keys in some clips, unsorted.
    pub fn key_times(&self, mix: &ClipMix) -> impl Iterator<Item = f32> {
        let clips = mix.all().filter_map(|clip| self.model.clips.get(clip));
        clips.flat_map(|clip| &clip.channels).flat_map(|channel| channel.times.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::stage::tests::scene;
    use sinew_model::{LocalTransform, Model, Rig};

    /// Returns a stage with two trees; the file lists the first root's children after the second root.
    fn stage() -> Stage {
        let rig = Rig {
            names: ["a", "b", "a1", "a2", "b1", "a1x"].map(String::from).to_vec(),
            parents: vec![None, None, Some(0), Some(0), Some(1), Some(2)],
            rest: vec![LocalTransform::IDENTITY; 6],
            file_index: (0..6).collect(),
            ..Rig::default()
        };
        Stage::new(scene("tree"), Arc::new(Model { rig, ..Model::default() }))
    }

    #[test]
    fn children_follow_their_parents() {
        let mut stage = stage();
        assert_eq!(stage.depth_first(), [0, 4, 1, 3, 5, 2]);
        assert_eq!(stage.node_depths(), [0, 0, 1, 1, 1, 2]);
        let mut names = Vec::new();
        for _ in 0..7 {
            stage.choose_next(1);
            names.push(stage.node_name(stage.chosen.unwrap()));
        }
        assert_eq!(names, ["a", "a1", "a1x", "a2", "b", "b1", "a"]);
        stage.choose_next(-1);
        assert_eq!(stage.node_name(stage.chosen.unwrap()), "b1");
    }
}
