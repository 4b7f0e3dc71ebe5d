//! Checks scenes, skins, and the nodes and animations that use them.

use super::links::{Links, Use};
use super::notes::Notes;
use crate::format::component::Component;
use crate::format::element_type::ElementType;
use crate::format::json::{Document, Node, Primitive, Scene};
use crate::format::parents::parents;
use crate::sink::Sink;

/// For each node the root above it, and where it is in a depth-first order of all.
struct Forest {
    parents: Vec<Option<usize>>,
    roots: Vec<usize>,
    /// A node's descendants are those from its own number to its last, without the last.
    number: Vec<usize>,
    last: Vec<usize>,
}

impl Forest {
    fn new(nodes: &[Node]) -> Option<Self> {
        let parents = parents(nodes).ok()?;
        let mut forest = Self {
            roots: vec![usize::MAX; nodes.len()],
            number: vec![0; nodes.len()],
            last: vec![0; nodes.len()],
            parents,
        };
        let mut next = 0_usize;
        // A node is met twice: going down, and, marked, going up again.
        let mut stack: Vec<(usize, bool)> = Vec::new();
        let is_root = |index: &usize| forest.parents.get(*index).is_some_and(Option::is_none);
        stack.extend((0..nodes.len()).filter(is_root).map(|index| (index, false)));
        while let Some((index, done)) = stack.pop() {
            if done {
                put(&mut forest.last, index, next);
                continue;
            }
            let parent = forest.parents.get(index).copied().flatten();
            let root = parent.and_then(|parent| forest.roots.get(parent).copied()).unwrap_or(index);
            put(&mut forest.roots, index, root);
            put(&mut forest.number, index, next);
            next = next.saturating_add(1);
            stack.push((index, true));
            stack.extend(nodes.get(index)?.children.iter().map(|child| (*child, false)));
        }
        Some(forest)
    }

    fn root(&self, node: usize) -> Option<usize> {
        self.roots.get(node).copied()
    }

    fn is_below(&self, node: usize, above: usize) -> bool {
        let (Some(node), Some(first), Some(last)) =
            (self.number.get(node), self.number.get(above), self.last.get(above))
        else {
            return false;
        };
        (first..last).contains(&node)
    }
}

fn put(list: &mut [usize], index: usize, value: usize) {
    if let Some(slot) = list.get_mut(index) {
        *slot = value;
    }
}

/// Checks scenes, skins and the nodes that have them.
pub fn check(document: &Document, notes: &Notes, links: &mut Links<'_>, warnings: &mut dyn Sink) {
    let Some(forest) = Forest::new(&document.nodes) else { return };
    for (index, scene) in document.scenes.iter().enumerate() {
        for (number, root) in scene.nodes.iter().enumerate() {
            if let Some(parent) = forest.parents.get(*root).copied().flatten() {
                let path = format!("scenes[{index}].nodes[{number}]");
                let message = format!("node {root} is not a root but a child of node {parent}");
                warnings.fault("SCENE_NON_ROOT_NODE", &path, message);
            }
        }
    }
    let mut skin_roots = Vec::with_capacity(document.skins.len());
    for (index, skin) in document.skins.iter().enumerate() {
        let path = format!("skins[{index}]");
        let mut roots = skin.joints.iter().filter_map(|joint| forest.root(*joint));
        let root = roots.next();
        let has_root = roots.all(|other| Some(other) == root);
        if !has_root {
            warnings.fault("SKIN_NO_COMMON_ROOT", &format!("{path}.joints"), "joints have no common root");
        }
        skin_roots.push(root.filter(|_| has_root));
        if let Some(accessor) = skin.inverse_bind_matrices {
            links.accessor(accessor, Use::Matrices, &format!("{path}.inverseBindMatrices"), warnings);
        }
    }
    for &(skin, skeleton) in &notes.skeletons {
        let joints = document.skins.get(skin).map_or(&[][..], |skin| &skin.joints);
        if joints.iter().any(|joint| !forest.is_below(*joint, skeleton)) {
            let message = format!("not all joints are below node {skeleton}");
            warnings.fault("SKIN_SKELETON_INVALID", &format!("skins[{skin}].skeleton"), message);
        }
    }
    for (index, node) in document.nodes.iter().enumerate() {
        check_node(document, &forest, &skin_roots, (index, node), warnings);
    }
}

const IDENTITY: [f64; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

/// Returns true if there are joints and weights, and as many sets of both, numbered from 0.
fn has_whole_sets(primitive: &Primitive) -> bool {
    let attributes = &primitive.attributes;
    let count = |kind: &str| attributes.keys().filter(|name| name.starts_with(kind)).count();
    let sets = count("JOINTS_");
    let is_whole = |set: usize| {
        ["JOINTS", "WEIGHTS"].iter().all(|kind| attributes.contains_key(&format!("{kind}_{set}")))
    };
    sets > 0 && count("WEIGHTS_") == sets && (0..sets).all(is_whole)
}

fn check_node(
    document: &Document,
    forest: &Forest,
    skin_roots: &[Option<usize>],
    (index, node): (usize, &Node),
    warnings: &mut dyn Sink,
) {
    let path = format!("nodes[{index}]");
    let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { return };
    let primitives = document.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.primitives);
    if primitives.iter().any(|primitive| !has_whole_sets(primitive)) {
        let message =
            format!("has a skin, but mesh {mesh} has primitives without whole sets of joints and weights");
        warnings.fault("NODE_SKIN_WITH_NON_SKINNED_MESH", &path, message);
    }
    let is_root = forest.parents.get(index).is_some_and(Option::is_none);
    if !is_root {
        let message = "has a skin and a parent, whose transform does not move the mesh";
        warnings.note("NODE_SKINNED_MESH_NON_ROOT", &path, message);
    }
    let is_moved = node.matrix.as_deref().is_some_and(|matrix| *matrix != IDENTITY)
        || node.translation.as_deref().is_some_and(|t| *t != [0.0; 3])
        || node.rotation.as_deref().is_some_and(|r| *r != [0.0, 0.0, 0.0, 1.0])
        || node.scale.as_deref().is_some_and(|s| *s != [1.0; 3]);
    if is_moved {
        let message = "has a skin and a transform, which does not move the mesh";
        warnings.note("NODE_SKINNED_MESH_LOCAL_TRANSFORMS", &path, message);
    }
    let (Some(Some(joints)), Some(own)) = (skin_roots.get(skin), forest.root(index)) else { return };
    let shows = |scene: &Scene| {
        let lists = |root| scene.nodes.contains(root);
        let shows_node = scene.nodes.iter().any(|root| forest.is_below(index, *root)) || lists(&own);
        shows_node && !scene.nodes.iter().any(|root| root == joints)
    };
    if joints != &own && document.scenes.iter().any(shows) {
        let message = format!("a scene shows it, but not the joints of skin {skin} below node {joints}");
        warnings.fault("NODE_SKIN_NO_SCENE", &path, message);
    }
}

/// Checks what samplers of animations refer to.
pub fn check_animations(document: &Document, notes: &Notes, links: &mut Links<'_>, warnings: &mut dyn Sink) {
    for (index, animation) in document.animations.iter().enumerate() {
        for (number, sampler) in animation.samplers.iter().enumerate() {
            let path = format!("animations[{index}].samplers[{number}]");
            let (input, output) = (format!("{path}.input"), format!("{path}.output"));
            links.accessor(sampler.input, Use::Times, &input, warnings);
            links.accessor(sampler.output, Use::Values, &output, warnings);
            let Some(facts) = notes.accessors.get(sampler.input) else { continue };
            if facts.format() != (Some(ElementType::Scalar), Some(Component::F32), false) {
                let message = "key times must be floats";
                warnings.fault("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", &input, message);
            }
            if facts.min.is_none() || facts.max.is_none() {
                let message = format!("accessor {} has no min and max", sampler.input);
                warnings.fault("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", &input, message);
            }
            if sampler.interpolation.as_deref() == Some("CUBICSPLINE") && facts.count < 2 {
                let message = "a spline needs two keys";
                warnings.fault("ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", &input, message);
            }
        }
        for (number, channel) in animation.channels.iter().enumerate() {
            let path = format!("animations[{index}].channels[{number}].sampler");
            let Some(sampler) = animation.samplers.get(channel.sampler) else {
                let message = format!("the animation has no sampler {}", channel.sampler);
                warnings.fault("UNRESOLVED_REFERENCE", &path, message);
                continue;
            };
            let Some(facts) = notes.accessors.get(sampler.output) else { continue };
            let component = facts.component();
            let is_float = component == Some(Component::F32) && !facts.normalized;
            let is_fraction = facts.normalized && component.is_some_and(Component::is_small);
            let is_allowed = match channel.target.path.as_str() {
                "translation" | "scale" => facts.element == Some(ElementType::Vec3) && is_float,
                "rotation" => facts.element == Some(ElementType::Vec4) && (is_float || is_fraction),
                "weights" => facts.element == Some(ElementType::Scalar) && (is_float || is_fraction),
                _ => true,
            };
            if !is_allowed {
                let message = format!(
                    "accessor {} is {} of component type {}, which {} may not be",
                    sampler.output,
                    facts.element_name(),
                    facts.component_type,
                    channel.target.path
                );
                warnings.fault("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", &path, message);
            }
        }
    }
}
