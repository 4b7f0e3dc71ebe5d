//! The composed scene: its prims, and values of their attributes. The first error of the library is kept for the end of the
//! load.

use std::cell::RefCell;

use openusd::pcp::{ArcType, Node};
use openusd::sdf::{ChildrenKey, FieldKey, Path, Specifier, TimeSampleMap, Value};
use openusd::usd::{Prim as ComposedPrim, Stage as Composed};

use super::layers::Layers;
use super::values;
use crate::reading::LoadError;
use crate::reading::budget::Budget;
use crate::reading::message::{one_line, shortened};

/// The variant set that chooses the clip.
pub const CLIPS: &str = "clip";

/// The key of the clips' names in the custom data of the prim that has their set.
pub const CLIP_NAMES: &str = "clipNames";

/// The deepest tree of prims that is read.
const MAX_DEPTH: usize = 256;

/// The most letters of the library's messages that are told.
const LONGEST: usize = 200;

/// Bytes of a prim in the library and in the rig, and of each further place that its arcs take it from.
const PRIM_BYTES: usize = 3072;
const NODE_BYTES: usize = 4096;

/// Bytes for each pair of such places, and, for those that are classes, for each of them with each pair: the library takes
/// that long to find out what a prim inherits.
const PAIR_BYTES: usize = 1024;
const TRIPLE_BYTES: usize = 128;

/// A prim that is active and defined.
#[derive(Clone, Debug)]
pub struct Prim {
    /// Its place in the scene.
    pub path: Path,
    /// Index of its parent among the prims; `None` for roots.
    pub parent: Option<usize>,
    /// Name of its type, such as `Mesh`.
    pub kind: String,
}

impl Prim {
    /// The last part of its path.
    pub fn name(&self) -> &str {
        self.path.name().unwrap_or_default()
    }
}

/// A composed scene.
pub struct Stage {
    composed: Composed,
    layers: Layers,
    name: String,
    fault: RefCell<Option<String>>,
}

impl Stage {
    /// Opens the scene whose first layer has this name, below another one.
    ///
    /// # Errors
    /// If the layer, or one below it, is broken.
    pub fn open(layers: Layers, name: &str, above: Option<&str>) -> Result<Self, LoadError> {
        let builder = Composed::builder().resolver(layers.clone());
        let composed = match above {
            Some(above) => builder.session_layer(above).open(name),
            None => builder.open(name),
        };
        let composed = composed.map_err(|error| broken(&format!("{error:#}")))?;
        Ok(Self { composed, layers, name: name.to_owned(), fault: RefCell::new(None) })
    }

    /// The scene with a variant of a root prim's set.
    ///
    /// # Errors
    /// If a layer is broken.
    pub fn with_variant(&self, prim: &Prim, set: &str, variant: &str) -> Result<Self, LoadError> {
        let above = self.layers.choose(prim.name(), set, variant);
        Self::open(self.layers.clone(), &self.name, Some(&above))
    }

    /// A root prim with a set for clips, and its variants.
    pub fn clip_variants<'a>(&self, prims: &'a [Prim]) -> Option<(&'a Prim, Vec<String>)> {
        let roots = prims.iter().filter(|prim| prim.parent.is_none());
        let mut sets = roots.filter_map(|prim| {
            let (_, mut variants) = self.variants(prim).into_iter().find(|(set, _)| set == CLIPS)?;
            // A layer names the one that it chooses in quotes.
            variants.retain(|name| !name.contains(['"', '\\', '\n', '\r']));
            Some((prim, variants))
        });
        sets.next()
    }

    /// The bytes of all layers.
    pub fn size(&self) -> usize {
        self.layers.size()
    }

    /// The names of clips, as a root prim lists them; none for files of other programs.
    pub fn clip_names(&self) -> Vec<String> {
        let names = |name: &openusd::tf::Token| {
            let prim = self.composed.prim(Path::abs_root().append_path(name.as_str()).ok()?);
            match self.kept(prim.custom_data()).flatten()? {
                Value::Dictionary(mut all) => values::texts(&all.remove(CLIP_NAMES)?),
                _ => None,
            }
        };
        let prims = self.kept(self.composed.root_prims()).unwrap_or_default();
        prims.iter().find_map(names).unwrap_or_default()
    }

    /// The name of a prim that people see.
    pub fn title(&self, prim: &Prim) -> String {
        let stack = self.kept(self.composed.prim(&prim.path).prim_stack()).unwrap_or_default();
        let shown = stack.iter().find_map(|(layer, path)| {
            let layer = self.composed.layer(layer)?;
            let name = layer.data().try_field(path, FieldKey::DisplayName.as_str()).ok()??;
            values::text(&name)
        });
        shown.filter(|name| !name.is_empty()).unwrap_or_else(|| prim.name().to_owned())
    }

    /// All prims, parents before children.
    ///
    /// # Errors
    /// If there are more or deeper ones than a file of this size may have.
    pub fn prims(&self, budget: &mut Budget) -> Result<Vec<Prim>, LoadError> {
        let mut prims: Vec<Prim> = Vec::new();
        let mut open: Vec<(Path, Option<usize>, usize)> = vec![(Path::abs_root(), None, 0)];
        while let Some((path, parent, depth)) = open.pop() {
            let own = match path.is_abs_root() {
                true => None,
                false => {
                    let prim = self.composed.prim(&path);
                    // Those above are active and defined.
                    let is_defined = self.kept(prim.specifier()).flatten() == Some(Specifier::Def);
                    if !is_defined || !self.kept(prim.is_active()).unwrap_or(false) {
                        continue;
                    }
                    budget.charge("prims", 1, self.bytes(&prim))?;
                    let kind = self.kept(prim.type_name()).flatten();
                    let kind = kind.map(|kind| kind.as_str().to_owned()).unwrap_or_default();
                    prims.push(Prim { path: path.clone(), parent, kind });
                    prims.len().checked_sub(1)
                }
            };
            if depth > MAX_DEPTH {
                return Err(broken(&format!("its prims are more than {MAX_DEPTH} deep")));
            }
            let names = match own {
                None => self.kept(self.composed.root_prims()),
                Some(_) => self.kept(self.composed.prim(&path).child_names()),
            };
            for name in names.unwrap_or_default().iter().rev() {
                if let Ok(child) = path.append_path(name.as_str()) {
                    open.push((child, own, depth.saturating_add(1)));
                }
            }
        }
        Ok(prims)
    }

    /// Bytes that the library takes for a prim, more for one that it makes of several places.
    fn bytes(&self, prim: &ComposedPrim) -> usize {
        if !self.kept(prim.has_composition_arc()).unwrap_or(true) {
            return PRIM_BYTES;
        }
        let Some(graph) = self.kept(prim.prim_index().graph()) else { return PRIM_BYTES };
        let nodes = graph.nodes().count().saturating_sub(1);
        let is_class = |node: &&Node| matches!(node.arc(), ArcType::Inherit | ArcType::Specialize);
        let classes = graph.nodes().filter(is_class).count();
        let triples = classes.saturating_mul(classes).saturating_mul(TRIPLE_BYTES);
        let others = nodes.saturating_mul(PAIR_BYTES).saturating_add(triples).saturating_add(NODE_BYTES);
        nodes.saturating_mul(others).saturating_add(PRIM_BYTES)
    }

    /// The prim at a path. It may be one that is not there.
    pub fn prim_at(&self, path: Path) -> Prim {
        let kind = self.kept(self.composed.prim(&path).type_name()).flatten();
        Prim { path, parent: None, kind: kind.map(|kind| kind.as_str().to_owned()).unwrap_or_default() }
    }

    /// The first attribute that one is connected to.
    pub fn connection(&self, prim: &Prim, name: &str) -> Option<Path> {
        let attribute = self.composed.prim(&prim.path).attribute(name);
        self.kept(attribute.connections()).unwrap_or_default().into_iter().next()
    }

    /// The name of an attribute's file, as the layers know it.
    pub fn asset(&self, prim: &Prim, name: &str) -> Option<String> {
        let file = match self.layers.naming(|| self.value(prim, name))? {
            Value::AssetPath(file) => file,
            // Text has files at times in such arrays.
            Value::AssetPathVec(files) => files.into_iter().next()?,
            _ => return None,
        };
        (!file.is_empty()).then(|| file.resolved_path().unwrap_or(file.asset_path()).to_owned())
    }

    /// An attribute's value: its default, or its first sample without one.
    pub fn value(&self, prim: &Prim, name: &str) -> Option<Value> {
        let attribute = self.composed.prim(&prim.path).attribute(name);
        let value = self.kept(attribute.get::<Value>()).flatten().filter(is_value);
        value.or_else(|| self.samples(prim, name).into_iter().next().map(|(_, value)| value))
    }

    /// An attribute's samples at finite times, in order.
    pub fn samples(&self, prim: &Prim, name: &str) -> TimeSampleMap {
        let attribute = self.composed.prim(&prim.path).attribute(name);
        let samples = self.kept(attribute.time_samples()).flatten().unwrap_or_default();
        let mut samples: TimeSampleMap =
            samples.into_iter().filter(|(time, value)| time.is_finite() && is_value(value)).collect();
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        samples.dedup_by(|b, a| a.0 == b.0);
        samples
    }

    /// The times of an attribute's samples.
    pub fn times(&self, prim: &Prim, name: &str) -> Vec<f64> {
        let attribute = self.composed.prim(&prim.path).attribute(name);
        let mut times = self.kept(attribute.time_sample_times()).unwrap_or_default();
        times.retain(|time| time.is_finite());
        times
    }

    /// An attribute's metadata.
    pub fn facet(&self, prim: &Prim, name: &str, key: &str) -> Option<Value> {
        let attribute = self.composed.prim(&prim.path).attribute(name);
        self.kept(attribute.get_metadata::<Value>(key)).flatten()
    }

    /// A word of an attribute.
    pub fn text(&self, prim: &Prim, name: &str) -> Option<String> {
        values::text(&self.value(prim, name)?)
    }

    /// A prim's variant sets with the names of their variants.
    pub fn variants(&self, prim: &Prim) -> Vec<(String, Vec<String>)> {
        let mut sets: Vec<(String, Vec<String>)> = Vec::new();
        for (layer, path) in self.kept(self.composed.prim(&prim.path).prim_stack()).unwrap_or_default() {
            let Some(layer) = self.composed.layer(&layer) else { continue };
            let names = |path: &Path, key: ChildrenKey| {
                let value = layer.data().try_field(path, key.as_str()).ok().flatten();
                value.and_then(|value| values::texts(&value)).unwrap_or_default()
            };
            for set in names(&path, ChildrenKey::VariantSetChildren) {
                let variants = names(&path.append_variant_selection(&set, ""), ChildrenKey::VariantChildren);
                match sets.iter_mut().find(|(known, _)| *known == set) {
                    Some((_, known)) => {
                        let new: Vec<String> =
                            variants.into_iter().filter(|own| !known.contains(own)).collect();
                        known.extend(new);
                    }
                    None => sets.push((set, variants)),
                }
            }
        }
        sets
    }

    /// Numbers of copies that a prim's metadata leaves out.
    pub fn inactive(&self, prim: &Prim) -> Vec<i64> {
        let stack = self.kept(self.composed.prim(&prim.path).prim_stack()).unwrap_or_default();
        let list = |(layer, path): &(String, Path)| {
            let layer = self.composed.layer(layer)?;
            match layer.data().try_field(path, "inactiveIds").ok().flatten()?.as_ref() {
                Value::Int64ListOp(list) => Some(list.flatten()),
                _ => None,
            }
        };
        stack.iter().find_map(list).unwrap_or_default()
    }

    /// A prim's selected variants: names of sets and variants.
    pub fn selections(&self, prim: &Prim) -> Vec<(String, String)> {
        self.kept(self.composed.prim(&prim.path).variant_sets().get_all_variant_selections())
            .unwrap_or_default()
    }

    /// Names of a prim's properties.
    pub fn properties(&self, prim: &Prim) -> Vec<String> {
        let names = self.kept(self.composed.prim(&prim.path).property_names()).unwrap_or_default();
        names.iter().map(|name| name.as_str().to_owned()).collect()
    }

    /// Paths that a relationship names.
    pub fn targets(&self, prim: &Prim, name: &str) -> Vec<Path> {
        self.kept(self.composed.prim(&prim.path).relationship(name).targets()).unwrap_or_default()
    }

    /// Returns true if a relationship is there, even with no targets.
    pub fn has_targets(&self, prim: &Prim, name: &str) -> bool {
        self.kept(self.composed.prim(&prim.path).relationship(name).has_authored_targets()).unwrap_or(false)
    }

    /// A number or a word about the whole scene.
    pub fn metadata(&self, key: &str) -> Option<Value> {
        self.kept(self.composed.stage_metadata(key)).flatten()
    }

    /// Units of time in a second.
    pub fn rate(&self) -> f64 {
        Some(self.composed.time_codes_per_second())
            .filter(|rate| rate.is_finite() && *rate > 0.0)
            .unwrap_or(24.0)
    }

    /// First and last time of the scene, if the file names them.
    pub fn range(&self) -> Option<[f64; 2]> {
        let [start, end] = [self.composed.start_time_code(), self.composed.end_time_code()];
        (self.composed.has_authored_time_code_range() && start.is_finite() && end.is_finite() && start <= end)
            .then_some([start, end])
    }

    /// The first error of the library in reading values.
    pub fn fault(&self) -> Option<LoadError> {
        self.fault.borrow().as_deref().map(broken)
    }

    /// Errors of the composition, a line each.
    pub fn oddities(&self) -> Vec<String> {
        self.composed.composition_errors().iter().map(|error| line(&error.to_string())).collect()
    }

    fn kept<T>(&self, result: Result<T, impl std::fmt::Display>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault.borrow_mut().get_or_insert(format!("{error:#}"));
                None
            }
        }
    }
}

fn is_value(value: &Value) -> bool {
    !matches!(value, Value::None | Value::ValueBlock)
}

/// An error of a file that cannot be read.
pub fn broken(message: &str) -> LoadError {
    LoadError::broken("BROKEN_FILE", "", format!("cannot be read as USD: {}", line(message)))
}

/// A message of the library in one line of bearable length.
fn line(message: &str) -> String {
    // The library quotes what it could not read, whole.
    let message: String = message.chars().take(LONGEST).collect();
    shortened(&one_line(&message)).into_owned()
}
