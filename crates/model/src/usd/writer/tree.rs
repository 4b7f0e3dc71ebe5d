//! The tree of prims: one for each node that is more than a joint, with what hangs on it.

use openusd::sdf::{FieldKey, Path, Value};

use super::keys::double;
use super::motion::{OPERATIONS, parts};
use super::prim::{Names, Prim, Property, tokens};
use super::skeletons::{Skeletons, above};
use super::values::{exact, matrix};
use crate::{LocalTransform, Model};

/// The prims of nodes, in the making.
pub struct Tree {
    root: Prim,
    root_path: Path,
    root_names: Names,
    /// The prim of each node that has one, with its path and the names in it.
    nodes: Vec<Option<(Prim, Path, Names)>>,
}

impl Tree {
    /// The tree of a model below a root of this name. `moves` are nodes that clips move.
    pub fn of(model: &Model, skeletons: &Skeletons, root: Prim, moves: &[bool]) -> Option<Self> {
        let root_path = Path::abs_root().append_path(root.name.as_str()).ok()?;
        let mut tree = Self { root, root_path, root_names: Names::default(), nodes: Vec::new() };
        let shown = shown(model, skeletons);
        for node in 0..model.rig.len() {
            let parent = above(&model.rig, node);
            if !shown[node] {
                tree.nodes.push(None);
                continue;
            }
            let title = &model.rig.names[node];
            let (path, names) = tree.inside(parent);
            let name = names.unique(title, "node");
            let path = path.append_path(name.as_str()).ok()?;
            let mut prim = Prim::new(&name, "Xform");
            entitle(&mut prim, title);
            place(&mut prim, &model.rig.rest[node], moves[node]);
            tree.nodes.push(Some((prim, path, Names::default())));
        }
        Some(tree)
    }

    /// The path and the names inside the prim of a node, or of the nearest one above it that has one.
    fn inside(&mut self, node: Option<usize>) -> (Path, &mut Names) {
        match node.and_then(|node| self.nodes.get_mut(node)).and_then(Option::as_mut) {
            Some((_, path, names)) => (path.clone(), names),
            None => (self.root_path.clone(), &mut self.root_names),
        }
    }

    /// The path of a node's prim.
    pub fn path(&self, node: usize) -> Option<&Path> {
        self.nodes.get(node)?.as_ref().map(|(_, path, _)| path)
    }

    /// The path of a new prim in the prim of a node, or in the root.
    pub fn reserve(&mut self, node: Option<usize>, title: &str, otherwise: &str) -> Option<Path> {
        let (path, names) = self.inside(node);
        let name = names.unique(title, otherwise);
        path.append_path(name.as_str()).ok()
    }

    /// Puts a prim into that of a node, or into the root.
    pub fn put(&mut self, node: Option<usize>, prim: Prim) {
        self.prim(node).children.push(prim);
    }

    /// The prim of a node, or the root.
    pub fn prim(&mut self, node: Option<usize>) -> &mut Prim {
        match node.and_then(|node| self.nodes.get_mut(node)).and_then(Option::as_mut) {
            Some((prim, ..)) => prim,
            None => &mut self.root,
        }
    }

    /// The root with all below it.
    pub fn into_root(mut self, model: &Model) -> Prim {
        let mut children: Vec<Vec<Prim>> = self.nodes.iter().map(|_| Vec::new()).collect();
        let mut roots = Vec::new();
        for (node, made) in self.nodes.into_iter().enumerate().rev() {
            let Some((mut prim, ..)) = made else { continue };
            prim.children.extend(std::mem::take(&mut children[node]).into_iter().rev());
            above(&model.rig, node).map_or(&mut roots, |parent| &mut children[parent]).push(prim);
        }
        self.root.children.extend(roots.into_iter().rev());
        self.root
    }
}

/// Nodes that are prims: all that are no joints, those that carry something, and all above these.
fn shown(model: &Model, skeletons: &Skeletons) -> Vec<bool> {
    let mut shown: Vec<bool> = skeletons.is_joint.iter().map(|is_joint| !is_joint).collect();
    let rigid = model.instances.iter().filter(|instance| instance.skin.is_none());
    let carriers = rigid.map(|instance| instance.node);
    let carriers = carriers.chain(model.cameras.iter().map(|camera| camera.node));
    let carriers = carriers.chain(model.lights.iter().map(|light| light.node));
    let places = skeletons.all.iter().filter_map(|skeleton| skeleton.place);
    carriers.chain(places).for_each(|node| shown[node] = true);
    for node in (0..shown.len()).rev() {
        if let Some(parent) = above(&model.rig, node).filter(|_| shown[node]) {
            shown[parent] = true;
        }
    }
    shown
}

/// Keeps a name that is no identifier as the one that people see.
pub fn entitle(prim: &mut Prim, title: &str) {
    if !title.is_empty() && title != prim.name {
        let title = title.replace(char::is_control, " ");
        prim.facts.push((FieldKey::DisplayName.as_str(), Value::String(title)));
    }
}

/// Writes a node's transform: a translation, a rotation and a scale, unless only a matrix is exact.
fn place(prim: &mut Prim, rest: &LocalTransform, moves: bool) {
    if let (LocalTransform::Matrix(own), false) = (rest, moves) {
        let value = matrix(&glam::DMat4::from(*own));
        prim.properties.push(Property::of("xformOp:transform", "matrix4d", value));
        prim.properties.push(Property::uniform("xformOpOrder", "token[]", tokens(["xformOp:transform"])));
        return;
    }
    if *rest == LocalTransform::IDENTITY && !moves {
        return;
    }
    prim.properties.extend(OPERATIONS.iter().zip(rests(rest)).map(|((_, name, type_name), value)| {
        if moves { Property::new(name, type_name) } else { Property::of(name, type_name, value) }
    }));
    let order = tokens(OPERATIONS.map(|(_, name, _)| name));
    prim.properties.push(Property::uniform("xformOpOrder", "token[]", order));
}

/// The values of a transform's operations.
pub fn rests(rest: &LocalTransform) -> [Value; 3] {
    let (translation, rotation, scale) = parts(rest);
    [exact(translation), Value::Quatd(double(rotation.into())), exact(scale)]
}
