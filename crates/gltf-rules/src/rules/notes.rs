//! Data from a file's JSON for rules that involve several places.

use std::collections::BTreeMap;

use super::noun::Noun;
use super::step::Step;
use crate::format::component::Component;
use crate::format::element_type::ElementType;
use crate::format::json::Document;

/// Number of objects of a kind, and the ones that are referred to.
#[derive(Clone, Debug, Default)]
struct Things {
    count: Option<usize>,
    used: Vec<bool>,
    /// References met before the things were counted.
    later: Vec<(usize, String)>,
}

/// An accessor as the JSON describes it.
#[derive(Clone, Debug, Default)]
pub struct AccessorFacts {
    pub view: Option<usize>,
    pub offset: usize,
    /// The code in the file, which may be invalid.
    pub component_type: usize,
    pub count: usize,
    /// The element type; `None` if the file's is invalid.
    pub element: Option<ElementType>,
    pub normalized: bool,
    pub min: Option<Vec<f64>>,
    pub max: Option<Vec<f64>>,
}

impl AccessorFacts {
    /// The type of a component, where it is one.
    pub fn component(&self) -> Option<Component> {
        Component::from_code(self.component_type)
    }

    /// The type of an element and of its components, and whether these are fractions.
    pub fn format(&self) -> (Option<ElementType>, Option<Component>, bool) {
        (self.element, self.component(), self.normalized)
    }

    /// Returns the name of the element type for messages; empty if it is invalid.
    pub fn element_name(&self) -> &'static str {
        self.element.map_or("", ElementType::name)
    }

    /// Bytes a component; four where it is of no type.
    pub fn component_bytes(&self) -> usize {
        self.component().map_or(4, Component::size)
    }

    /// Bytes an element; none where it is of no type.
    pub fn element_bytes(&self) -> usize {
        self.element.map_or(0, |element| element.bytes(self.component().unwrap_or(Component::F32)))
    }
}

/// A buffer view as the JSON describes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewFacts {
    pub buffer: usize,
    pub offset: usize,
    pub length: usize,
    pub stride: Option<usize>,
    pub target: Option<usize>,
}

/// An image as the JSON describes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImageFacts {
    pub mime: Option<&'static str>,
    pub view: Option<usize>,
}

/// An attribute of a primitive, or of one of its morph targets.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub mesh: usize,
    pub primitive: usize,
    pub target: Option<usize>,
    pub name: String,
    pub accessor: usize,
}

impl Attribute {
    /// Returns the path in the file.
    pub fn path(&self) -> String {
        let Self { mesh, primitive, name, .. } = self;
        let list = self.target.map_or_else(|| "attributes".to_owned(), |target| format!("targets[{target}]"));
        format!("meshes[{mesh}].primitives[{primitive}].{list}.{name}")
    }
}

/// A texture that a material uses.
#[derive(Clone, Copy, Debug)]
pub struct TextureFacts {
    pub material: usize,
    /// The property that it is the value of.
    pub member: &'static str,
    pub texcoord: usize,
}

/// A material that a primitive has in some variants of the file.
#[derive(Clone, Debug)]
pub struct Mapping {
    pub mesh: usize,
    pub primitive: usize,
    pub material: Option<usize>,
    pub variants: Vec<usize>,
    /// Path in the file.
    pub place: String,
}

/// Everything that the walk keeps.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    pub accessors: Vec<AccessorFacts>,
    pub views: Vec<ViewFacts>,
    pub images: Vec<ImageFacts>,
    /// Declared length of each buffer.
    pub buffers: Vec<usize>,
    /// In the file's order, so that those of a primitive follow each other.
    pub attributes: Vec<Attribute>,
    pub textures: Vec<TextureFacts>,
    /// In the file's order, so that those of a primitive follow each other.
    pub mappings: Vec<Mapping>,
    /// Lengths of the weights of meshes and of nodes.
    pub mesh_weights: BTreeMap<usize, usize>,
    pub node_weights: BTreeMap<usize, usize>,
    /// Skins that name a skeleton, and which node that is.
    pub skeletons: Vec<(usize, usize)>,
    /// Extensions met, each with the first place.
    pub extensions: BTreeMap<(String, &'static str), String>,
    things: [Things; Noun::ALL.len()],
}

impl Notes {
    /// Creates the notes of a document whose lists have been counted.
    pub fn new(document: &Document) -> Self {
        let mut notes = Self::default();
        for (noun, count) in [
            (Noun::Accessor, document.accessors.len()),
            (Noun::Buffer, document.buffers.len()),
            (Noun::View, document.buffer_views.len()),
            (Noun::Image, document.images.len()),
            (Noun::Material, document.materials.len()),
            (Noun::Mesh, document.meshes.len()),
            (Noun::Node, document.nodes.len()),
            (Noun::Scene, document.scenes.len()),
            (Noun::Skin, document.skins.len()),
            (Noun::Texture, document.textures.len()),
        ] {
            notes.count(noun, count);
        }
        notes
    }

    /// Keeps how many there are.
    pub fn count(&mut self, noun: Noun, count: usize) {
        if let Some(things) = self.things.get_mut(noun as usize) {
            things.count = Some(count);
            things.used.resize(count, false);
        }
    }

    /// Marks an object as referenced, and returns the number of its kind, if known.
    pub fn refer(&mut self, noun: Noun, index: usize) -> Option<usize> {
        let things = self.things.get_mut(noun as usize)?;
        if let Some(used) = things.used.get_mut(index) {
            *used = true;
        }
        things.count
    }

    /// Keeps a reference until the things are counted.
    pub fn refer_later(&mut self, noun: Noun, index: usize, place: String) {
        if let Some(things) = self.things.get_mut(noun as usize) {
            things.later.push((index, place));
        }
    }

    /// References kept for later that lead nowhere: what to, the place, and how many there are.
    pub fn unresolved(&mut self) -> Vec<(Noun, usize, String, usize)> {
        let mut out = Vec::new();
        for (noun, things) in Noun::ALL.into_iter().zip(&mut self.things) {
            let count = things.count.unwrap_or(0);
            for (index, place) in std::mem::take(&mut things.later) {
                match things.used.get_mut(index) {
                    Some(used) => *used = true,
                    None => out.push((noun, index, place, count)),
                }
            }
        }
        out
    }

    /// Paths of things that nothing refers to.
    pub fn unused(&self) -> impl Iterator<Item = String> {
        let lists = Noun::ALL.into_iter().zip(&self.things);
        lists.filter_map(|(noun, things)| Some((noun.list()?, things))).flat_map(|(list, things)| {
            let unused = things.used.iter().enumerate().filter(|(_, used)| !**used);
            unused.map(move |(index, _)| format!("{list}[{index}]"))
        })
    }

    /// Keeps the first place of an extension of an object.
    pub fn extension(&mut self, name: &str, object: &'static str, place: String) {
        self.extensions.entry((name.to_owned(), object)).or_insert(place);
    }

    /// Keeps an attribute; those that are not a mesh's are only references.
    pub fn attribute(&mut self, at: [Option<usize>; 3], first: Option<&Step>, name: String, accessor: usize) {
        let [Some(mesh), Some(primitive), target] = at else { return };
        if matches!(first, Some(Step::Known("meshes"))) {
            self.attributes.push(Attribute { mesh, primitive, target, name, accessor });
        }
    }

    /// The attributes of each primitive: the mesh, the primitive, its own and those of its targets.
    pub fn primitives(&self) -> impl Iterator<Item = &[Attribute]> {
        self.attributes.chunk_by(|a, b| (a.mesh, a.primitive) == (b.mesh, b.primitive))
    }
}
