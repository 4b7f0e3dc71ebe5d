//! Splits meshes whose skins have too many joints: each part gets a separate mesh, skin and node, because all primitives of
//! a node share one skin.

use std::collections::{HashMap, HashSet};

use sinew_model::{Influences, Instance, Mesh, Model, Morphs, Owner, Primitive, PrimitiveName, Skin, Span};
use sinew_skinning::partition::{Part, most_in_one_element, partition};

use super::Piece;
use super::nodes::{add, play_along};

/// The result of splitting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The number of primitives that are now in several parts.
    pub primitives: usize,
    /// The number of parts of these primitives.
    pub parts: usize,
    /// The number of skins that had too many joints.
    pub wide_skins: usize,
    /// The number of skins that replace them.
    pub skins: usize,
    /// The number of added nodes that draw parts.
    pub nodes: usize,
}

/// A triangle, line or point alone needs more joints than a skin may have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{primitive} cannot be split for {max_joints} joints: one of its elements needs {needed}")]
pub struct TooFew {
    /// The primitive.
    pub primitive: PrimitiveName,
    /// The number of joints that it needs.
    pub needed: usize,
    /// The maximum number of joints per skin.
    pub max_joints: usize,
}

/// A mesh that replaces another one.
#[derive(Clone, Debug)]
struct Group {
    mesh: usize,
    skin: Option<usize>,
    /// True if the node moves some primitive, because joints do not.
    follows_node: bool,
    /// For each primitive, the original's index in its mesh, and its vertices; `None` if they are the same.
    primitives: Vec<(usize, Option<Vec<u32>>)>,
}

/// Splits the meshes of a model, and returns the new places of each drawn primitive's vertices.
pub(super) fn split(
    model: &mut Model,
    max_joints: Option<usize>,
    made: &mut Split,
) -> Result<Vec<Piece>, TooFew> {
    let is_wide = |skin: usize| {
        max_joints.filter(|most| model.skins.get(skin).is_some_and(|skin| skin.joints.len() > *most))
    };
    let limits: Vec<Option<usize>> =
        model.instances.iter().map(|instance| instance.skin.and_then(is_wide)).collect();
    let mut rebuilt = Rebuilt::default();
    let mut pieces = Vec::new();
    let mut instances = Vec::new();
    let mut followers = Vec::new();
    let mut first = 0;
    for (instance, most) in model.instances.clone().into_iter().zip(limits) {
        let key = (instance.mesh, instance.skin, most);
        let groups = rebuilt.groups(model, key, made)?;
        for (number, group) in groups.iter().enumerate() {
            let node =
                if number == 0 { instance.node } else { add_part(model, instance.node, group, number) };
            if number > 0 {
                followers.push((instance.node, node));
            }
            instances.push(Instance { node, mesh: group.mesh, skin: group.skin });
            for (primitive, (original, vertices)) in group.primitives.iter().enumerate() {
                pieces.push(Piece { old: first + original, node, primitive, vertices: vertices.clone() });
            }
        }
        first += model.meshes.get(instance.mesh).map_or(0, |mesh| mesh.primitives.len());
    }
    made.nodes = followers.len();
    play_along(model, &followers);
    (model.meshes, model.skins, model.instances) = (rebuilt.meshes, rebuilt.skins, instances);
    Ok(pieces)
}

fn add_part(model: &mut Model, node: usize, group: &Group, number: usize) -> usize {
    let name = match model.rig.names.get(node).filter(|name| !name.is_empty()) {
        Some(name) => format!("{name} part {}", number + 1),
        None => String::new(),
    };
    add(model, node, group.follows_node, name)
}

/// A mesh with a skin and its maximum number of joints.
type Key = (usize, Option<usize>, Option<usize>);

/// The drawn meshes and skins, each once however often it is drawn.
#[derive(Default)]
struct Rebuilt {
    meshes: Vec<Mesh>,
    skins: Vec<Skin>,
    groups: HashMap<Key, Vec<Group>>,
    kept_skins: HashMap<usize, usize>,
    wide_skins: HashSet<usize>,
    kept_meshes: HashMap<usize, usize>,
}

impl Rebuilt {
    fn groups(&mut self, model: &Model, key: Key, made: &mut Split) -> Result<Vec<Group>, TooFew> {
        if let Some(groups) = self.groups.get(&key) {
            return Ok(groups.clone());
        }
        let (mesh, skin, most) = key;
        let groups = match (model.meshes.get(mesh), skin.and_then(|skin| model.skins.get(skin)), most) {
            (None, ..) => Vec::new(),
            (Some(found), Some(joints), Some(most)) => {
                if skin.is_some_and(|skin| self.wide_skins.insert(skin)) {
                    made.wide_skins += 1;
                }
                let owner = Owner::Mesh(mesh);
                self.narrow(owner, found, joints, most, made)?
            }
            (Some(found), ..) => vec![self.keep(model, (mesh, found), skin)],
        };
        self.groups.insert(key, groups.clone());
        Ok(groups)
    }

    /// Keeps a mesh and a skin unchanged.
    fn keep(&mut self, model: &Model, (number, mesh): (usize, &Mesh), skin: Option<usize>) -> Group {
        let primitives = (0..mesh.primitives.len()).map(|primitive| (primitive, None)).collect();
        let mesh = *self.kept_meshes.entry(number).or_insert_with(|| {
            self.meshes.push(numbered(mesh.clone()));
            self.meshes.len() - 1
        });
        let skin = skin.filter(|_| self.meshes.get(mesh).is_some_and(is_skinned));
        let skin = skin.and_then(|skin| Some((skin, model.skins.get(skin)?)));
        let skin = skin.map(|(number, skin)| {
            *self.kept_skins.entry(number).or_insert_with(|| {
                self.skins.push(skin.clone());
                self.skins.len() - 1
            })
        });
        // It keeps its node.
        Group { mesh, skin, follows_node: true, primitives }
    }

    /// Splits a mesh into parts of at most `most` joints.
    fn narrow(
        &mut self,
        owner: Owner,
        mesh: &Mesh,
        skin: &Skin,
        most: usize,
        made: &mut Split,
    ) -> Result<Vec<Group>, TooFew> {
        let mut bins: Vec<Bin> = Vec::new();
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let needed = most_in_one_element(primitive);
            if needed > most {
                let primitive = PrimitiveName { owner, primitive: primitive.file_index };
                return Err(TooFew { primitive, needed, max_joints: most });
            }
            // A part without elements would draw nothing.
            let parts: Vec<Part> =
                partition(primitive, most).into_iter().filter(|part| !part.indices.is_empty()).collect();
            if parts.len() > 1 {
                made.primitives += 1;
                made.parts += parts.len();
            }
            for part in parts {
                Bin::with_room(&mut bins, &part.joints, most).parts.push((number, part));
            }
        }
        Ok(bins.into_iter().map(|bin| self.put(bin, mesh, skin, made)).collect())
    }

    /// Makes a mesh of the parts that share a skin.
    fn put(&mut self, bin: Bin, mesh: &Mesh, skin: &Skin, made: &mut Split) -> Group {
        let primitive = |(number, part): &(usize, Part)| {
            mesh.primitives.get(*number).map(|primitive| bin.primitive(primitive, part)).unwrap_or_default()
        };
        let found = numbered(Mesh {
            name: mesh.name.clone(),
            primitives: bin.parts.iter().map(primitive).collect(),
            target_names: mesh.target_names.clone(),
        });
        let skin = is_skinned(&found).then(|| {
            made.skins += 1;
            self.skins.push(bin.skin(skin));
            self.skins.len() - 1
        });
        let follows_node = found.primitives.iter().any(|primitive| primitive.influences.is_none());
        self.meshes.push(found);
        let primitives = bin.parts.into_iter().map(|(number, part)| (number, Some(part.vertices)));
        Group { mesh: self.meshes.len() - 1, skin, follows_node, primitives: primitives.collect() }
    }
}

/// Returns true if joints move any of the mesh; the format allows a skin only then.
fn is_skinned(mesh: &Mesh) -> bool {
    mesh.primitives.iter().any(|primitive| primitive.influences.is_some())
}

/// Returns the mesh with its primitives numbered as in the file.
fn numbered(mut mesh: Mesh) -> Mesh {
    mesh.primitives.iter_mut().enumerate().for_each(|(number, primitive)| primitive.file_index = number);
    mesh
}

/// Parts that share a skin.
#[derive(Default)]
struct Bin {
    /// The joints in the original skin, each with its index in this one.
    joints: Vec<u32>,
    numbers: HashMap<u32, i32>,
    parts: Vec<(usize, Part)>,
}

impl Bin {
    /// Returns the first bin that has the joints, or room for them.
    fn with_room<'a>(bins: &'a mut Vec<Self>, joints: &[u32], most: usize) -> &'a mut Self {
        let has_room = |bin: &Self| {
            let new = joints.iter().filter(|joint| !bin.numbers.contains_key(joint)).count();
            bin.joints.len() + new <= most
        };
        let place = bins.iter().position(has_room).unwrap_or_else(|| {
            bins.push(Self::default());
            bins.len() - 1
        });
        let bin = &mut bins[place];
        for &joint in joints {
            bin.numbers.entry(joint).or_insert_with(|| {
                bin.joints.push(joint);
                bin.joints.len() as i32 - 1
            });
        }
        bin
    }

    fn skin(&self, original: &Skin) -> Skin {
        let joints = self.joints.iter().map(|joint| *joint as usize);
        let of = |joint: usize| Some((*original.joints.get(joint)?, *original.joint_from_bind.get(joint)?));
        let (joints, joint_from_bind): (_, Vec<_>) = joints.filter_map(of).unzip();
        let joint_from_bind = joint_from_bind.into();
        Skin { name: original.name.clone(), joints, joint_from_bind, method: original.method }
    }

    /// Returns the part as a primitive with this skin's joints.
    fn primitive(&self, original: &Primitive, part: &Part) -> Primitive {
        let picked = || part.vertices.iter().map(|vertex| *vertex as usize);
        let morphs = original.morphs.as_ref().map(|morphs| Morphs {
            positions: morphs.positions.as_ref().map(|deltas| deltas.pick(picked())),
            normals: morphs.normals.as_ref().map(|deltas| deltas.pick(picked())),
            tangents: morphs.tangents.as_ref().map(|deltas| deltas.pick(picked())),
            texcoords: (morphs.texcoords.iter())
                .map(|set| set.as_ref().map(|deltas| deltas.pick(picked())))
                .collect(),
            colors: morphs.colors.as_ref().map(|deltas| deltas.pick(picked())),
        });
        Primitive {
            indices: part.indices.clone(),
            positions: part.gather(&original.positions),
            normals: original.normals.as_ref().map(|normals| part.gather(normals)),
            tangents: original.tangents.as_ref().map(|tangents| part.gather(tangents)),
            texcoords: original.texcoords.iter().map(|set| part.gather(set)).collect(),
            colors: original.colors.as_ref().map(|colors| part.gather(colors)),
            influences: original.influences.as_ref().map(|influences| self.influences(influences, part)),
            morphs,
            unequal_sums: Vec::new(),
            first_joints: Vec::new(),
            shares: original.shares.as_ref().map(|shares| part.gather(shares)),
            control_points: original.control_points.as_ref().map(|points| part.gather(points)),
            ..*original
        }
    }

    fn influences(&self, original: &Influences, part: &Part) -> Influences {
        let joint = |slot: i16| {
            let joint = usize::try_from(slot).ok().and_then(|slot| part.joints.get(slot));
            joint.and_then(|joint| self.numbers.get(joint)).copied().unwrap_or(-1)
        };
        let span = |(number, slots): (usize, &Vec<[i16; 4]>)| Span {
            joints: slots.iter().map(|slots| slots.map(joint)).collect(),
            weights: (part.vertices.iter())
                .map(|vertex| original.of_vertex(number, *vertex as usize).1)
                .collect(),
        };
        Influences { spans: part.spans.iter().enumerate().map(span).collect() }
    }
}
