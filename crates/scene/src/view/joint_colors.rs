//! Chooses a colour for each joint, so that adjacent joints never have similar hues. It must not depend on how colours
//! get onto vertices.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::weights::influences;
use sinew_image::hue;
use sinew_model::{Model, Primitive, Skin, Topology};

/// The smallest number of hues; with fewer, most joints would look alike.
const MIN_HUES: usize = 6;

/// Joint colours. Adjacent joints have distant hues; joints with equal hues are not adjacent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointColors {
    /// The hue of each node in degrees, and its colour; `None` for nodes that are not joints.
    of_nodes: Vec<Option<(f32, [u8; 3])>>,
    /// Number of hues before variation.
    hues: usize,
}

impl JointColors {
    /// Colours the joints of a model; in a model without skins, its nodes.
    pub fn new(model: &Model) -> Self {
        let beside = neighbours(model);
        let joints = joints(model);
        let mut classes = color(&beside, &joints);
        let used = classes.iter().flatten().max().map_or(0, |last| last + 1);
        let hues = used.max(MIN_HUES);
        balance(&mut classes, &beside, hues);
        // Number of earlier joints with the same hue.
        let mut before = vec![0_usize; hues];
        let of_nodes = classes.into_iter().map(|class| {
            let class = class?;
            let earlier = before.get_mut(class)?;
            let varied = variation(class, *earlier, hues);
            *earlier += 1;
            Some(varied)
        });
        Self { of_nodes: of_nodes.collect(), hues }
    }

    /// Returns the colour of a node, in sRGB; grey if it is not a joint.
    pub fn of(&self, node: usize) -> [u8; 3] {
        self.of_nodes.get(node).copied().flatten().map_or([128; 3], |(_, color)| color)
    }

    /// Returns the hue of a joint, in degrees of Oklab.
    pub fn degrees(&self, node: usize) -> Option<f32> {
        self.of_nodes.get(node).copied().flatten().map(|(degrees, _)| degrees)
    }

    /// Returns the smallest difference between the hues of adjacent joints, in degrees.
    pub fn least_apart(&self) -> f32 {
        360.0 / self.hues as f32 * (1.0 - 2.0 * SWAY)
    }
}

/// Largest variation of a hue to either side, in steps from hue to hue.
const SWAY: f32 = 0.12;

/// Returns the hue and the colour of a joint after `earlier` others of the same hue.
fn variation(class: usize, earlier: usize, hues: usize) -> (f32, [u8; 3]) {
    let sway = [0.0, SWAY, -SWAY].get(earlier / 3 % 3).copied().unwrap_or(0.0);
    // The first classes are the most frequent, so they are across the circle from each other.
    let place = class / 2 + class % 2 * hues.div_ceil(2);
    let degrees = (place as f32 + sway) * 360.0 / hues as f32 + 30.0;
    let lightness = [0.70, 0.60, 0.80].get(earlier % 3).copied().unwrap_or(0.70);
    (degrees.rem_euclid(360.0), hue(degrees, lightness))
}

/// Returns the nodes that are joints of some skin, each once; without skins, all nodes.
fn joints(model: &Model) -> Vec<usize> {
    let nodes = model.rig.parents.len();
    if model.skins.is_empty() {
        return (0..nodes).collect();
    }
    let named: BTreeSet<usize> = model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    named.into_iter().filter(|&joint| joint < nodes).collect()
}

/// Returns the adjacent joints of each node: parent and children, joints that share a vertex with it, and joints with
/// the largest weight at another corner of a triangle.
pub fn neighbours(model: &Model) -> Vec<BTreeSet<usize>> {
    let nodes = model.rig.parents.len();
    let mut beside = vec![BTreeSet::new(); nodes];
    let mut is_joint = vec![false; nodes];
    for joint in joints(model) {
        is_joint[joint] = true;
    }
    // The joint of a node, or else the nearest above it.
    let mut nearest: Vec<Option<usize>> = Vec::with_capacity(nodes);
    for (node, parent) in model.rig.parents.iter().enumerate() {
        let above = parent.and_then(|parent| nearest.get(parent as usize).copied().flatten());
        match is_joint[node] {
            true => {
                above.into_iter().for_each(|above| join(&mut beside, node, above));
                nearest.push(Some(node));
            }
            false => nearest.push(above),
        }
    }
    let mut seen = BTreeSet::new();
    for instance in &model.instances {
        let skin = instance.skin.and_then(|skin| model.skins.get(skin));
        // Instances of a mesh share its weights.
        if let (Some(skin), true) = (skin, seen.insert((instance.mesh, instance.skin))) {
            let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            primitives.iter().for_each(|primitive| join_by_surface(&mut beside, primitive, skin));
        }
    }
    beside
}

/// Connects the joints that share a vertex of a primitive, and those with the largest weight at the corners of a
/// triangle.
fn join_by_surface(beside: &mut [BTreeSet<usize>], primitive: &Primitive, skin: &Skin) {
    let vertices = primitive.positions.len();
    let mut leaders: Vec<Option<usize>> = Vec::with_capacity(vertices);
    let mut nodes: Vec<usize> = Vec::new();
    for vertex in 0..vertices {
        nodes.clear();
        let mut leader: Option<(usize, f32)> = None;
        for (joint, weight) in influences(primitive, Some(skin), vertex) {
            let Some(&node) = skin.joints.get(joint).filter(|node| **node < beside.len()) else { continue };
            for &other in &nodes {
                join(beside, node, other);
            }
            nodes.push(node);
            if leader.is_none_or(|(_, most)| weight > most) {
                leader = Some((node, weight));
            }
        }
        leaders.push(leader.map(|(node, _)| node));
    }
    if primitive.topology != Topology::Triangles {
        return;
    }
    let leads = |corner: u32| leaders.get(corner as usize).copied().flatten();
    let (triangles, _) = primitive.indices.as_chunks::<3>();
    for &[a, b, c] in triangles {
        for (one, other) in [(a, b), (b, c), (c, a)] {
            if let (Some(one), Some(other)) = (leads(one), leads(other)) {
                join(beside, one, other);
            }
        }
    }
}

fn join(beside: &mut [BTreeSet<usize>], one: usize, other: usize) {
    if one != other && !beside.get(one).is_some_and(|known| known.contains(&other)) {
        for (from, to) in [(one, other), (other, one)] {
            if let Some(known) = beside.get_mut(from) {
                known.insert(to);
            }
        }
    }
}

/// Gives each joint the smallest class that no adjacent joint has. The joint with the fewest free classes comes next
/// (Brélaz, *New Methods to Color the Vertices of a Graph*, 1979).
fn color(beside: &[BTreeSet<usize>], joints: &[usize]) -> Vec<Option<usize>> {
    let mut classes: Vec<Option<usize>> = vec![None; beside.len()];
    let mut taken: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); beside.len()];
    let rank = |joint: usize, taken: &[BTreeSet<usize>]| {
        (
            taken.get(joint).map_or(0, BTreeSet::len),
            beside.get(joint).map_or(0, BTreeSet::len),
            Reverse(joint),
        )
    };
    let mut next: BinaryHeap<_> = joints.iter().map(|&joint| rank(joint, &taken)).collect();
    while let Some((_, _, Reverse(joint))) = next.pop() {
        let (Some(class), Some(used)) = (classes.get_mut(joint), taken.get(joint)) else { continue };
        // An outdated entry: the joint already has a class.
        if class.is_some() {
            continue;
        }
        let free = (0..).find(|number| !used.contains(number)).unwrap_or(0);
        *class = Some(free);
        for &other in beside.get(joint).into_iter().flatten() {
            let is_open = classes.get(other).is_some_and(Option::is_none);
            if is_open && taken.get_mut(other).is_some_and(|taken| taken.insert(free)) {
                next.push(rank(other, &taken));
            }
        }
    }
    classes
}

/// Moves joints to rarer classes that no adjacent joint has, so that all hues are used.
fn balance(classes: &mut [Option<usize>], beside: &[BTreeSet<usize>], hues: usize) {
    let mut sizes = vec![0_usize; hues];
    for class in classes.iter().flatten() {
        if let Some(size) = sizes.get_mut(*class) {
            *size += 1;
        }
    }
    for joint in 0..classes.len() {
        let Some(class) = classes.get(joint).copied().flatten() else { continue };
        let around: BTreeSet<usize> = beside
            .get(joint)
            .into_iter()
            .flatten()
            .filter_map(|other| classes.get(*other).copied().flatten())
            .collect();
        let own = sizes.get(class).copied().unwrap_or(0);
        let free = sizes.iter().enumerate().filter(|(number, _)| !around.contains(number));
        let Some((rarest, &size)) = free.min_by_key(|(number, size)| (**size, *number)) else { continue };
        if size + 1 < own {
            sizes[class] -= 1;
            sizes[rarest] += 1;
            classes[joint] = Some(rarest);
        }
    }
}
