//! The skeletons of a layer. A skeleton has the joints of skins that share some, all nodes between these and all nodes below.
//! Its prim is in that of the nearest node above all of them, so that each joint keeps its transform.

use glam::DMat4;
use openusd::gf;

use super::prim::Names;
use crate::{Model, Rig};

/// The largest difference of two bind poses that count as the same, as a share of their numbers.
const SAME: f64 = 1e-7;

/// A skeleton.
pub struct Skeleton {
    /// The node that it lies in; `None` for the root.
    pub place: Option<usize>,
    /// Its joints, parents before children.
    pub joints: Vec<usize>,
    /// Paths of the joints.
    pub paths: Vec<String>,
    /// The matrix of each joint as it was bound; `None` where no skin says it.
    pub bind: Vec<Option<DMat4>>,
}

/// The binding of a skin to a skeleton.
#[derive(Clone, Copy)]
pub struct Bound {
    /// Index of the skeleton.
    pub skeleton: usize,
    /// The matrix from the mesh's space to that of the bind pose.
    pub geometry: DMat4,
}

/// The skeletons of a model.
#[derive(Default)]
pub struct Skeletons {
    /// All of them.
    pub all: Vec<Skeleton>,
    /// The binding of each skin; `None` for one that nothing is drawn with.
    pub bound: Vec<Option<Bound>>,
    /// Returns true for nodes that are joints of a skeleton.
    pub is_joint: Vec<bool>,
    /// The number of joints with bind matrices that have no inverse, or several.
    pub unbound: usize,
}

/// Skins that share joints.
struct Group {
    skins: Vec<usize>,
    place: Option<usize>,
}

impl Skeletons {
    /// Finds the skeletons of a model.
    pub fn of(model: &Model) -> Self {
        let mut drawn: Vec<usize> = model.instances.iter().filter_map(|instance| instance.skin).collect();
        drawn.sort_unstable();
        drawn.dedup();
        drawn.retain(|skin| model.skins.get(*skin).is_some_and(|skin| !skin.joints.is_empty()));
        let mut groups: Vec<Group> =
            drawn.into_iter().map(|skin| Group { place: None, skins: vec![skin] }).collect();
        let owners = loop {
            let (owners, pairs) = owners(model, &mut groups);
            if pairs.is_empty() {
                break owners;
            }
            join(&mut groups, pairs);
        };
        let mut skeletons = Self {
            bound: vec![None; model.skins.len()],
            is_joint: owners.iter().map(Option::is_some).collect(),
            ..Self::default()
        };
        for (number, group) in groups.iter().enumerate() {
            let joints: Vec<usize> =
                (0..model.rig.len()).filter(|node| owners[*node] == Some(number)).collect();
            skeletons.add(model, group, &joints);
        }
        skeletons
    }

    /// Adds the skeletons of a group: one, or one for each way in which its skins were bound.
    fn add(&mut self, model: &Model, group: &Group, joints: &[usize]) {
        let mut number_of = vec![None; model.rig.len()];
        for (number, joint) in joints.iter().enumerate() {
            number_of[*joint] = Some(number);
        }
        let paths = paths(&model.rig, joints, &number_of);
        let first = self.all.len();
        for skin in &group.skins {
            let own = &model.skins[*skin];
            let from_bind = own.joints.iter().zip(own.joint_from_bind.iter().copied());
            let pairs: Vec<(usize, DMat4)> =
                from_bind.filter_map(|(joint, matrix)| Some((number_of[*joint]?, matrix))).collect();
            let fitting = (first..self.all.len())
                .find_map(|skeleton| Some((skeleton, self.all[skeleton].fit(&pairs)?)));
            let (skeleton, geometry) = fitting.unwrap_or_else(|| {
                let (place, joints, paths) = (group.place, joints.to_vec(), paths.clone());
                let bind = vec![None; joints.len()];
                self.all.push(Skeleton { place, joints, paths, bind });
                (self.all.len() - 1, DMat4::IDENTITY)
            });
            self.unbound += self.all[skeleton].bind(&pairs, geometry);
            self.bound[*skin] = Some(Bound { skeleton, geometry });
        }
    }
}

impl Skeleton {
    /// The space of a mesh in which this skeleton binds its joints as a skin does; `None` if there is none.
    fn fit(&self, pairs: &[(usize, DMat4)]) -> Option<DMat4> {
        let known = |(joint, from_bind): &(usize, DMat4)| Some(self.bind[*joint]?.mul_mat4(from_bind));
        let mut spaces = pairs.iter().filter_map(known);
        let first = spaces.next().unwrap_or(DMat4::IDENTITY);
        let first = if is_same(&first, &DMat4::IDENTITY) { DMat4::IDENTITY } else { first };
        let is_usable = first.is_finite() && first.determinant() != 0.0;
        (is_usable && spaces.all(|space| is_same(&first, &space))).then_some(first)
    }

    /// Sets the bind matrices of a skin's joints; returns the number of those that cannot be set.
    fn bind(&mut self, pairs: &[(usize, DMat4)], geometry: DMat4) -> usize {
        let mut unbound = 0;
        for (joint, from_bind) in pairs {
            let bind = geometry.mul_mat4(&from_bind.inverse());
            let own = &mut self.bind[*joint];
            match own {
                Some(known) => unbound += usize::from(!is_same(known, &bind)),
                None if bind.is_finite() => *own = Some(bind),
                None => unbound += 1,
            }
        }
        unbound
    }

    /// Joints that rest elsewhere than they were bound, unless their scales need more digits than animations store. Blender
    /// has joints that no animation names where they were bound.
    pub fn away(&self, rig: &Rig) -> Vec<usize> {
        let is_away = |(joint, bind): (&usize, &Option<DMat4>)| {
            let rest = rig.rest[*joint].parent_from_node();
            let parent = above(rig, *joint).and_then(|parent| self.number(parent));
            let above = parent.map_or(Some(DMat4::IDENTITY), |parent| self.bind[parent]);
            let bound = above?.inverse().mul_mat4(bind.as_ref()?);
            let (scale, ..) = rest.to_scale_rotation_translation();
            let is_short =
                |number: f64| (gf::f16::from_f64(number).to_f64() - number).abs() <= 1e-6 * number.abs();
            let is_storable = scale.to_array().into_iter().all(is_short);
            (is_storable && !is_same(&rest, &bound)).then_some(*joint)
        };
        self.joints.iter().zip(&self.bind).filter_map(is_away).collect()
    }

    /// The index of a node among the joints.
    pub fn number(&self, node: usize) -> Option<usize> {
        self.joints.binary_search(&node).ok()
    }
}

fn is_same(a: &DMat4, b: &DMat4) -> bool {
    let size = b.to_cols_array().iter().fold(1.0f64, |most, number| most.max(number.abs()));
    a.abs_diff_eq(*b, SAME * size)
}

/// The group of each node that is a joint, and pairs of groups that share some. Sets the places of groups.
fn owners(model: &Model, groups: &mut [Group]) -> (Vec<Option<usize>>, Vec<(usize, usize)>) {
    let rig = &model.rig;
    let mut depth = vec![0usize; rig.len()];
    for node in 0..rig.len() {
        depth[node] = above(rig, node).map_or(0, |parent| depth[parent] + 1);
    }
    let (mut owners, mut pairs) = (vec![None; rig.len()], Vec::new());
    let mut is_below = vec![false; rig.len()];
    for (number, group) in groups.iter_mut().enumerate() {
        let joints = || group.skins.iter().flat_map(|skin| &model.skins[*skin].joints);
        let parents = joints().map(|joint| above(rig, *joint));
        group.place = parents.reduce(|a, b| common(rig, &depth, a?, b?)).flatten();
        for joint in joints() {
            is_below[*joint] = true;
            let mut at = Some(*joint);
            while let Some(node) = at.filter(|_| at != group.place) {
                match owners[node] {
                    Some(owner) if owner == number => break,
                    Some(owner) => {
                        pairs.push((owner, number));
                        break;
                    }
                    None => owners[node] = Some(number),
                }
                at = above(rig, node);
            }
        }
    }
    for node in 0..rig.len() {
        let Some(parent) = above(rig, node).filter(|parent| is_below[*parent]) else { continue };
        is_below[node] = true;
        match (owners[node], owners[parent]) {
            (Some(own), Some(above)) if own != above => pairs.push((above, own)),
            (None, above) => owners[node] = above,
            _ => {}
        }
    }
    (owners, pairs)
}

/// Joins groups that are paired.
fn join(groups: &mut Vec<Group>, pairs: Vec<(usize, usize)>) {
    let mut of: Vec<usize> = (0..groups.len()).collect();
    for (a, b) in pairs {
        let (a, b) = (of[a], of[b]);
        of.iter_mut().filter(|of| **of == a.max(b)).for_each(|of| *of = a.min(b));
    }
    let mut joined: Vec<Group> = Vec::new();
    let mut place_of = vec![None; groups.len()];
    for (number, group) in std::mem::take(groups).into_iter().enumerate() {
        match place_of[of[number]] {
            Some(place) => {
                let joined: &mut Group = &mut joined[place];
                joined.skins.extend(group.skins);
            }
            None => {
                place_of[of[number]] = Some(joined.len());
                joined.push(group);
            }
        }
    }
    *groups = joined;
}

/// A node's parent.
pub fn above(rig: &Rig, node: usize) -> Option<usize> {
    rig.parents[node].map(|parent| parent as usize)
}

/// The nearest node that has both below it, or is one of them.
fn common(rig: &Rig, depth: &[usize], a: usize, b: usize) -> Option<usize> {
    let (mut a, mut b) = (Some(a), Some(b));
    while a != b {
        let deep = |node: Option<usize>| node.map_or(0, |node| depth[node] + 1);
        if deep(a) >= deep(b) { a = above(rig, a?) } else { b = above(rig, b?) }
    }
    a
}

/// Paths of joints. No two have the same last name, by which Blender knows them.
fn paths(rig: &Rig, joints: &[usize], number_of: &[Option<usize>]) -> Vec<String> {
    let mut names = Names::default();
    let mut paths: Vec<String> = Vec::new();
    for joint in joints {
        let parent = above(rig, *joint).and_then(|parent| number_of[parent]);
        let name = names.unique(&rig.names[*joint], "joint");
        paths.push(parent.map_or(name.clone(), |parent| format!("{}/{name}", paths[parent])));
    }
    paths
}
