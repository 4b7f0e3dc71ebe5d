//! Reads animations as clips and leaves out channels that sinew cannot show.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::accessor::Accessors;
use super::node::Nodes;
use super::pointer::{self, EXTENSION, Found, Owner};
use super::sampler::{self, Keys, Wanted};
use crate::clip::{Channel, Clip, Property};
use crate::gltf::json::{Animation, ChannelTarget, Document};
use crate::reading::error::LoadError;
use crate::reading::message::quoted;
use crate::reading::warnings::Warnings;

/// Reads all animations.
pub fn read(
    document: &Document,
    nodes: &Nodes,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<Clip>, LoadError> {
    let elsewhere = BTreeMap::new();
    let mut reader = Reader { document, nodes, accessors, warnings, followers: None, elsewhere };
    let mut clips = Vec::with_capacity(document.animations.len());
    for (index, animation) in document.animations.iter().enumerate() {
        clips.push(reader.clip(animation, &format!("animations[{index}]"))?);
    }
    for (template, (path, channels)) in reader.elsewhere {
        let is_pointer = template.is_empty() || template.starts_with('/');
        let code = if is_pointer { "INCOMPLETE_EXTENSION_SUPPORT" } else { "PATTERN_MISMATCH" };
        let message = format!("{} is not animated; channels left out: {channels}", quoted(&template));
        warnings.add(code, &path, message);
    }
    Ok(clips)
}

struct Reader<'a, 'b> {
    document: &'a Document,
    nodes: &'a Nodes,
    accessors: &'a mut Accessors<'b>,
    warnings: &'a mut Warnings,
    /// For each mesh the rig's nodes that show it with the mesh's own morph weights; counted when the
    /// first channel asks.
    followers: Option<HashMap<usize, Vec<usize>>>,
    /// Pointers to properties that are not animated, by kind: the first one's path, and their number.
    elsewhere: BTreeMap<String, (String, usize)>,
}

/// Properties that the channels of one clip animate.
#[derive(Default)]
struct Taken {
    properties: HashSet<(Owner, Property)>,
    /// Owners with single weights that are animated.
    by_weight: HashSet<Owner>,
}

impl Taken {
    /// Marks a property as animated, and returns true if no part of it was before.
    fn take(&mut self, owner: Owner, property: Property) -> bool {
        let overlaps = match property {
            Property::Weights => self.by_weight.contains(&owner),
            Property::Weight(_) => {
                self.by_weight.insert(owner);
                self.properties.contains(&(owner, Property::Weights))
            }
            Property::Translation | Property::Rotation | Property::Scale => false,
        };
        !overlaps && self.properties.insert((owner, property))
    }
}

impl Reader<'_, '_> {
    fn clip(&mut self, animation: &Animation, path: &str) -> Result<Clip, LoadError> {
        sampler::check_interpolations(animation, path, self.warnings);
        // The channels of meshes come first, because a node's own weights override them.
        let (mut of_meshes, mut of_nodes) = (Vec::new(), Vec::new());
        let mut taken = Taken::default();
        for (number, channel) in animation.channels.iter().enumerate() {
            let channel_path = format!("{path}.channels[{number}]");
            let Some((owner, property)) = self.target(&channel.target, &channel_path)? else { continue };
            if !taken.take(owner, property) {
                let message = "has the target of an earlier channel and was left out";
                self.warnings.add("ANIMATION_DUPLICATE_TARGETS", &channel_path, message);
                continue;
            }
            let wanted = Wanted {
                animation: (animation, path),
                channel: &channel_path,
                sampler: channel.sampler,
                property,
                components: 0,
                plain_integers: channel.target.extensions.contains_key(EXTENSION),
            };
            match owner {
                Owner::Node(node) => of_nodes.extend(self.of_node(node, wanted)?),
                Owner::Mesh(mesh) => self.of_mesh(mesh, wanted, &mut of_meshes)?,
            }
        }
        of_meshes.extend(of_nodes);
        let ends = of_meshes.iter().filter_map(|channel: &Channel| channel.times.last());
        let duration_secs = ends.fold(0.0, |duration: f32, end| duration.max(*end));
        Ok(Clip { name: animation.name.clone(), duration_secs, channels: of_meshes })
    }

    /// Returns the property that a channel animates; `None` if clips cannot move it.
    fn target(&mut self, target: &ChannelTarget, path: &str) -> Result<Option<(Owner, Property)>, LoadError> {
        if target.extensions.contains_key(EXTENSION) {
            if target.node.is_some() {
                let message = "has both a node and a pointer; the path decides which one counts";
                let path = format!("{path}.target.node");
                self.warnings.add("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE", &path, message);
            }
            if target.path != "pointer" {
                let message = format!("is {}, but 'pointer' belongs to a pointer", quoted(&target.path));
                let path = format!("{path}.target.path");
                self.warnings.add("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH", &path, message);
            }
        }
        match pointer::find(target) {
            Found::Property(owner, property) => {
                let (kind, number, count) = match owner {
                    Owner::Node(node) => ("node", node, self.document.nodes.len()),
                    Owner::Mesh(mesh) => ("mesh", mesh, self.document.meshes.len()),
                };
                // A plain target is an error below.
                if number < count || (target.node.is_some() && target.path != "pointer") {
                    return Ok(Some((owner, property)));
                }
                let message = format!("there is no {kind} {number} (the file has {count}); it was left out");
                self.warnings.add("UNRESOLVED_REFERENCE", &pointer_path(path), message);
            }
            Found::NoPath(name) => {
                let message = format!("moves {}, which is not shown", quoted(name));
                self.warnings.add("VALUE_NOT_IN_LIST", path, message);
            }
            Found::Elsewhere(pointer) => {
                let first = || (pointer_path(path), 0_usize);
                let (_, channels) = self.elsewhere.entry(pointer::template(pointer)).or_insert_with(first);
                *channels = channels.saturating_add(1);
            }
            Found::NoPointer => {
                return Err(LoadError::invalid(pointer_path(path), "expected a JSON pointer as a string"));
            }
            // A channel without a node is for extensions to interpret.
            Found::Nothing => {}
        }
        Ok(None)
    }

    /// Reads a node's channel; `None` if it has no effect.
    fn of_node(&mut self, node: usize, wanted: Wanted<'_>) -> Result<Option<Channel>, LoadError> {
        let rig_node = self.nodes.rig_index(node, || format!("{}.target.node", wanted.channel))?;
        let mesh = self.document.nodes.get(node).and_then(|node| node.mesh);
        let property = wanted.property;
        let keys = self.keys(mesh, wanted)?;
        Ok(keys.map(|keys| channel(rig_node, property, keys)))
    }

    /// The channels of all nodes that show a mesh with the mesh's own morph weights.
    fn of_mesh(
        &mut self,
        mesh: usize,
        wanted: Wanted<'_>,
        channels: &mut Vec<Channel>,
    ) -> Result<(), LoadError> {
        let (path, property) = (pointer_path(wanted.channel), wanted.property);
        let Some(keys) = self.keys(Some(mesh), wanted)? else { return Ok(()) };
        let (document, nodes) = (self.document, self.nodes);
        let followers = self.followers.get_or_insert_with(|| followers(document, nodes));
        let followers = followers.get(&mesh).map_or(&[][..], Vec::as_slice);
        // Few bytes of a file may ask for many copies.
        let numbers = keys.times.len().saturating_add(keys.values.len());
        let bytes = numbers.saturating_mul(size_of::<f32>()).saturating_add(size_of::<Channel>());
        self.accessors.charge(&path, followers.len(), bytes)?;
        for &node in followers {
            let Keys { interpolation, times, values } = &keys;
            let keys = Keys { interpolation: *interpolation, times: times.clone(), values: values.clone() };
            channels.push(channel(node, property, keys));
        }
        Ok(())
    }

    /// The keys of a channel that moves a mesh or its node.
    fn keys(&mut self, mesh: Option<usize>, wanted: Wanted<'_>) -> Result<Option<Keys>, LoadError> {
        let targets = || mesh.map_or(0, |mesh| morph_target_count(self.document, mesh));
        let components = match wanted.property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::Weights => targets(),
            Property::Weight(target) => usize::from((target as usize) < targets()),
        };
        if components == 0 {
            self.warnings.add(
                "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS",
                wanted.channel,
                "moves morph targets that the node does not have and was left out",
            );
            return Ok(None);
        }
        sampler::read(&Wanted { components, ..wanted }, self.document, self.accessors, self.warnings)
    }
}

fn pointer_path(channel_path: &str) -> String {
    format!("{channel_path}.target.extensions.{EXTENSION}.pointer")
}

fn channel(node: usize, property: Property, keys: Keys) -> Channel {
    let Keys { interpolation, times, values } = keys;
    Channel { node, property, interpolation, times, values }
}

/// For each mesh the nodes that show it and have no morph weights of their own.
fn followers(document: &Document, nodes: &Nodes) -> HashMap<usize, Vec<usize>> {
    let mut followers: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, node) in document.nodes.iter().enumerate() {
        if let Some(mesh) = node.mesh.filter(|_| node.weights.is_empty())
            && let Ok(rig_node) = nodes.rig_index(index, String::new)
        {
            followers.entry(mesh).or_default().push(rig_node);
        }
    }
    followers
}

/// Returns the number of morph targets in a mesh; 0 if the mesh does not exist.
fn morph_target_count(document: &Document, mesh: usize) -> usize {
    let primitives = document.meshes.get(mesh).map(|mesh| &mesh.primitives);
    primitives.and_then(|primitives| primitives.first()).map_or(0, |primitive| primitive.targets.len())
}
