//! The composed scene: its prims, and values of their attributes. The first error of the library is kept for the end of the
//! load.

use std::cell::RefCell;
use std::collections::BTreeMap;

use openusd::sdf::{Path, TimeSampleMap, Value};
use openusd::usd::{AttributeQuery, PrimPredicate, Stage as Composed, TimeCode};

use super::layers::Layers;
use super::values;
use crate::reading::LoadError;
use crate::reading::budget::Budget;
use crate::reading::message::{one_line, shortened};

/// The deepest tree of prims that is read.
const MAX_DEPTH: usize = 256;

/// The most letters of the library's messages that are told.
const LONGEST: usize = 200;

/// Bytes of a prim in the library and in the rig, and of each further place that its arcs take it from.
const PRIM_BYTES: usize = 3072;
const NODE_BYTES: usize = 4096;

/// Bytes for each pair of such places.
const PAIR_BYTES: usize = 1024;

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
    /// The last prim whose values at times were asked for. A value would otherwise take the time of all samples.
    queries: RefCell<(Path, BTreeMap<String, AttributeQuery>)>,
    fault: RefCell<Option<String>>,
}

impl Stage {
    /// Opens the scene whose first layer has this name.
    ///
    /// # Errors
    /// If the layer, or one below it, is broken.
    pub fn open(layers: Layers, name: &str) -> Result<Self, LoadError> {
        let composed = Composed::builder().resolver(layers).open(name);
        let composed = composed.map_err(|error| broken(&format!("{error:#}")))?;
        Ok(Self { composed, queries: RefCell::default(), fault: RefCell::new(None) })
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
                    let status = self.kept(self.composed.prim_status(&path));
                    if !status.is_some_and(|status| PrimPredicate::DEFAULT.matches(status)) {
                        continue;
                    }
                    let graph = self.kept(self.composed.prim(&path).prim_index().graph());
                    let nodes = graph.map_or(0, |graph| graph.nodes().count().saturating_sub(1));
                    let pairs = nodes.saturating_mul(nodes).saturating_mul(PAIR_BYTES);
                    let bytes = nodes.saturating_mul(NODE_BYTES).saturating_add(pairs);
                    budget.charge("prims", 1, bytes.saturating_add(PRIM_BYTES))?;
                    let kind = self.kept(self.composed.prim(&path).type_name()).flatten();
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

    /// An attribute's value: its default, or its first sample without one.
    pub fn value(&self, prim: &Prim, name: &str) -> Option<Value> {
        let attribute = self.composed.prim(&prim.path).attribute(name);
        let value = self.kept(attribute.get::<Value>()).flatten().filter(is_value);
        value.or_else(|| self.samples(prim, name).into_iter().next().map(|(_, value)| value))
    }

    /// An attribute's value at a time, interpolated.
    pub fn value_at(&self, prim: &Prim, name: &str, time: f64) -> Option<Value> {
        let (path, queries) = &mut *self.queries.borrow_mut();
        if *path != prim.path {
            (*path, *queries) = (prim.path.clone(), BTreeMap::new());
        }
        let query = queries
            .entry(name.to_owned())
            .or_insert_with(|| self.composed.prim(&prim.path).attribute(name).query());
        self.kept(query.get_at::<Value>(TimeCode::new(time))).flatten().filter(is_value)
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
