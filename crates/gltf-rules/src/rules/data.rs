//! Checks the numbers in accessors: finite, within the declared bounds, and fit for their use.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::notes::{AccessorFacts, Attribute, Notes};
use crate::format::buffer::{self, Buffers};
use crate::format::component::Component;
use crate::format::element_type::ElementType;
use crate::format::json::{Document, Sparse};
use crate::format::run::{Place, Run};
use crate::format::sparse::{Indices, Replacements};
use crate::sink::Sink;

/// Tolerance of a direction's length: the precision of 8-bit numbers.
const UNIT_TOLERANCE: f64 = 0.006_74;

/// Maximum number of bytes read of any file, and the addition for each byte of its buffers. Accessors may name the same bytes.
const MAX_READ: (u64, u64) = (256 << 20, 64);

/// Bytes that a replaced element counts for: it goes through a table.
const PER_REPLACED: usize = 32;

/// Accessors' elements.
pub struct Data<'a> {
    document: &'a Document,
    notes: &'a Notes,
    buffers: &'a Buffers<'a>,
    /// Bytes that may still be read.
    left: Cell<u64>,
}

/// Replaced elements with their new bytes.
type Replaced<'a> = HashMap<usize, &'a [u8]>;

impl<'a> Data<'a> {
    /// The data of a document.
    pub fn new(document: &'a Document, notes: &'a Notes, buffers: &'a Buffers<'a>) -> Self {
        let bytes = buffers.iter().flatten().map(|bytes| bytes.len() as u64).fold(0, u64::saturating_add);
        let (base, per_byte) = MAX_READ;
        let left = Cell::new(base.saturating_add(per_byte.saturating_mul(bytes)));
        Self { document, notes, buffers, left }
    }

    /// Calls `take` with each element that lies in a buffer, with its number. Elements without bytes
    /// are zeros; `true` where there are any of those.
    fn each(&self, index: usize, mut take: impl FnMut(usize, &[u8])) -> bool {
        let Some(facts) = self.notes.accessors.get(index) else { return false };
        let element_bytes = facts.element_bytes();
        if element_bytes == 0 {
            return false;
        }
        let replaced = self.replaced(index, element_bytes);
        let place = Place { offset: facts.offset, count: facts.count, element_bytes };
        let base = facts.view.and_then(|view| self.run(view, place));
        if let Some(base) = base {
            for (number, bytes) in base.elements().enumerate() {
                let bytes = if replaced.is_empty() { None } else { replaced.get(&number) }.unwrap_or(&bytes);
                take(number, bytes);
            }
        } else {
            for (number, bytes) in replaced.iter().filter(|(number, _)| **number < facts.count) {
                take(*number, bytes);
            }
        }
        base.is_none() && replaced.len() < facts.count
    }

    fn run(&self, view: usize, place: Place) -> Option<Run<'a>> {
        let view = buffer::view(self.document, self.buffers, view, "").ok()?;
        (place.offset <= view.bytes.len()).then(|| Run::new(&view, place))
    }

    /// Returns true if the bytes of an accessor's view are missing. That is a finding by itself.
    fn is_missing(&self, facts: &AccessorFacts) -> bool {
        facts.view.is_some_and(|view| buffer::view(self.document, self.buffers, view, "").is_err())
    }

    /// Returns true if a compressed stream has the values of an attribute. A reader may have unpacked it.
    fn is_in_stream(&self, attribute: &Attribute) -> bool {
        let mesh = self.document.meshes.get(attribute.mesh);
        let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get(attribute.primitive)) else {
            return false;
        };
        let draco = primitive.extensions.as_ref().and_then(|extensions| extensions.draco.as_ref());
        let accessor = primitive.attributes.get(&attribute.name);
        let accessor = accessor.and_then(|accessor| self.document.accessors.get(*accessor));
        draco.is_some_and(|draco| draco.attributes.contains_key(&attribute.name))
            || accessor.is_some_and(|accessor| accessor.is_decoded)
    }

    /// Counts the bytes of an accessor before they are read, and returns true if they may be.
    fn take(&self, accessor: usize, path: &str, warnings: &mut dyn Sink) -> bool {
        let Some(facts) = self.notes.accessors.get(accessor) else { return true };
        let length = |view: usize| self.notes.views.get(view).map_or(0, |view| view.length);
        let stored = facts.count.saturating_mul(facts.element_bytes()).min(facts.view.map_or(0, length));
        let replaced = self.sparse(accessor).map_or(0, |it| it.count.min(length(it.indices.buffer_view)));
        let bytes = stored.saturating_add(replaced.saturating_mul(PER_REPLACED)) as u64;
        let left = self.left.get().checked_sub(bytes);
        self.left.set(left.unwrap_or(0));
        if left.is_none() {
            let message = "numbers from here on are not checked: accessors name the same bytes too often";
            warnings.fault("TOO_LARGE", path, message);
        }
        left.is_some()
    }

    fn sparse(&self, accessor: usize) -> Option<&'a Sparse> {
        self.document.accessors.get(accessor)?.sparse.as_deref()
    }

    fn indices(&self, sparse: &Sparse) -> Option<Indices<'a>> {
        let component = Component::from_code(sparse.indices.component_type).filter(|it| it.is_index())?;
        let offset = sparse.indices.byte_offset.unwrap_or(0);
        let place = Place { offset, count: sparse.count, element_bytes: component.size() };
        Some(Indices { component, run: self.run(sparse.indices.buffer_view, place)? })
    }

    fn replaced(&self, accessor: usize, element_bytes: usize) -> Replaced<'a> {
        let replacements = || {
            let sparse = self.sparse(accessor)?;
            let offset = sparse.values.byte_offset.unwrap_or(0);
            let place = Place { offset, count: sparse.count, element_bytes };
            let values = self.run(sparse.values.buffer_view, place)?;
            Some(Replacements { indices: self.indices(sparse)?, values })
        };
        let pairs = replacements().into_iter().flat_map(Replacements::pairs);
        pairs.map(|(index, bytes)| (index as usize, bytes)).collect()
    }

    /// Checks rules of every accessor.
    pub fn check(&self, warnings: &mut dyn Sink) {
        let users = self.users();
        for (index, facts) in self.notes.accessors.iter().enumerate() {
            let Some(component) = facts.component() else { continue };
            let path = format!("accessors[{index}]");
            if !self.take(index, &path, warnings) {
                return;
            }
            self.check_sparse(index, &path, warnings);
            let is_stored = facts.view.is_some() || self.sparse(index).is_some();
            if !is_stored || self.is_missing(facts) {
                continue;
            }
            if component == Component::F32 || facts.min.is_some() || facts.max.is_some() {
                let user = users.get(&index).copied();
                self.check_bounds((index, facts, user), component, &path, warnings);
            }
        }
    }

    /// The first attribute that each accessor is.
    fn users(&self) -> HashMap<usize, &'a Attribute> {
        let mut users = HashMap::new();
        for attribute in &self.notes.attributes {
            users.entry(attribute.accessor).or_insert(attribute);
        }
        users
    }

    fn check_sparse(&self, accessor: usize, path: &str, warnings: &mut dyn Sink) {
        let Some(indices) = self.sparse(accessor).and_then(|sparse| self.indices(sparse)) else { return };
        let mut before: Option<u32> = None;
        for (number, index) in indices.numbers().enumerate() {
            let path = || format!("{path}.sparse.indices");
            if before.is_some_and(|before| index <= before) {
                let message = format!("index {index} at {number} is not above the one before");
                warnings.fault("ACCESSOR_SPARSE_INDICES_NON_INCREASING", &path(), message);
            }
            let count = self.notes.accessors.get(accessor).map_or(0, |facts| facts.count);
            if index as usize >= count {
                let message = format!("index {index} at {number}, but there are {count} elements");
                warnings.fault("ACCESSOR_SPARSE_INDEX_OOB", &path(), message);
            }
            before = Some(index);
        }
    }

    fn check_bounds(
        &self,
        (index, facts, user): (usize, &AccessorFacts, Option<&Attribute>),
        component: Component,
        path: &str,
        warnings: &mut dyn Sink,
    ) {
        let found = match component {
            // Nearly all of a file's bytes are floats, and this is where they are read.
            Component::F32 => self.extremes(index, facts, component.size(), |bytes| match bytes {
                [a, b, c, d] => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
                _ => 0.0,
            }),
            other => self.extremes(index, facts, other.size(), |bytes| other.read(bytes).unwrap_or_default()),
        };
        let Extremes { low, high, not_finite } = found;
        // A warning about a repaired attribute covers its accessor.
        let code = "ACCESSOR_INVALID_FLOAT";
        let is_said = || user.is_some_and(|user| warnings.warns(code, &user.path()));
        if let Some(first) = not_finite.filter(|_| !is_said()) {
            let message = format!("element {first} is not finite");
            warnings.fault(code, path, message);
        }
        // Columns of small matrices have gaps that the loop above does not know.
        let width = facts.element.map_or(0, ElementType::width);
        if facts.element_bytes() != component.size().saturating_mul(width) {
            return;
        }
        // The float nearest to a decimal number in the file may differ from it.
        let as_stored =
            |value: f64| if component == Component::F32 { f64::from(value as f32) } else { value };
        for (bound, declared, found, codes, beyond) in [
            (
                "min",
                &facts.min,
                &low,
                ["ACCESSOR_MIN_MISMATCH", "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND"],
                f64::lt as fn(&f64, &f64) -> bool,
            ),
            (
                "max",
                &facts.max,
                &high,
                ["ACCESSOR_MAX_MISMATCH", "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND"],
                f64::gt as fn(&f64, &f64) -> bool,
            ),
        ] {
            let pairs = declared.iter().flatten().map(|value| as_stored(*value)).zip(found).enumerate();
            let off = pairs.filter(|(_, (declared, found))| declared != *found);
            for (at, (declared, found)) in off {
                let path = format!("{path}.{bound}[{at}]");
                let [mismatch, outside] = codes;
                let code = if beyond(found, &declared) { outside } else { mismatch };
                warnings.fault(code, &path, format!("says {declared}, but elements have {found}"));
            }
        }
    }

    /// The smallest and largest of each of an element's numbers.
    fn extremes(
        &self,
        index: usize,
        facts: &AccessorFacts,
        size: usize,
        read: impl Fn(&[u8]) -> f64,
    ) -> Extremes {
        if let Some(found) = self.plain_extremes(index, facts) {
            return found;
        }
        let width = facts.element.map_or(0, ElementType::width);
        let mut low = vec![f64::INFINITY; width];
        let mut high = vec![f64::NEG_INFINITY; width];
        let mut not_finite: Option<usize> = None;
        let has_zeros = self.each(index, |number, bytes| {
            for (bytes, (low, high)) in bytes.chunks_exact(size).zip(low.iter_mut().zip(&mut high)) {
                let value = read(bytes);
                if value < *low {
                    *low = value;
                }
                if value > *high {
                    *high = value;
                }
                if !value.is_finite() {
                    not_finite.get_or_insert(number);
                }
            }
        });
        if has_zeros {
            low.iter_mut().for_each(|low| *low = low.min(0.0));
            high.iter_mut().for_each(|high| *high = high.max(0.0));
        }
        Extremes { low, high, not_finite }
    }

    /// Finds the extremes of tightly packed, finite floats, which are nearly all bytes of most files.
    fn plain_extremes(&self, index: usize, facts: &AccessorFacts) -> Option<Extremes> {
        let numbers = self.plain_floats(index, facts)?;
        match facts.element?.width() {
            1 => extremes_of::<1>(numbers),
            2 => extremes_of::<2>(numbers),
            3 => extremes_of::<3>(numbers),
            4 => extremes_of::<4>(numbers),
            _ => None,
        }
    }

    /// Returns all numbers of an accessor, if these are tightly packed floats without replacements.
    fn plain_floats(&self, index: usize, facts: &AccessorFacts) -> Option<&'a [[u8; 4]]> {
        let is_replaced = self.document.accessors.get(index)?.sparse.is_some();
        if facts.component() != Some(Component::F32) || is_replaced {
            return None;
        }
        let place = Place { offset: facts.offset, count: facts.count, element_bytes: facts.element_bytes() };
        Some(self.run(facts.view?, place)?.tight()?.as_chunks().0)
    }

    /// Checks an accessor's numbers against its uses.
    pub fn check_uses(&self, warnings: &mut dyn Sink) {
        let mut done = BTreeSet::new();
        for attribute in self.notes.attributes.iter().filter(|attribute| attribute.target.is_none()) {
            let rule = match attribute.name.as_str() {
                "NORMAL" => Rule::Unit,
                "TANGENT" => Rule::UnitAndSign,
                "COLOR_0" => Rule::Clamped,
                _ => continue,
            };
            if done.insert((attribute.accessor, rule)) {
                if !self.take(attribute.accessor, &attribute.path(), warnings) {
                    return;
                }
                self.check_use(attribute, rule, warnings);
            }
        }
    }

    fn check_use(&self, attribute: &Attribute, rule: Rule, warnings: &mut dyn Sink) {
        let index = attribute.accessor;
        let Some(facts) = self.notes.accessors.get(index).filter(|facts| !self.is_missing(facts)) else {
            return;
        };
        if facts.view.is_none() && self.is_in_stream(attribute) {
            return;
        }
        let Some(component) = facts.component() else { return };
        let is_direction = facts.element.is_some_and(|element| element.width() == 3);
        if rule == Rule::Unit && is_direction && self.plain_floats(index, facts).is_some_and(are_plainly_unit)
        {
            return;
        }
        let mut wrong = [Found::default(), Found::default()];
        let [first, second] = &mut wrong;
        let has_zeros = self.each(index, |number, bytes| {
            let mut values = [0.0; 4];
            for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(component.size())) {
                let read = component.read(bytes).unwrap_or_default();
                *value = if facts.normalized { component.fraction(read) } else { read };
            }
            let [x, y, z, w] = values;
            match rule {
                Rule::Unit | Rule::UnitAndSign => {
                    let length = (x * x + y * y + z * z).sqrt();
                    first.add_if((length - 1.0).abs() > UNIT_TOLERANCE, number);
                    second.add_if(rule == Rule::UnitAndSign && w.abs() != 1.0, number);
                }
                Rule::Clamped => {
                    let outside = values.iter().any(|value| !(0.0..=1.0).contains(value) && !value.is_nan());
                    first.add_if(outside && component == Component::F32, number);
                }
            }
        });
        first.add_if(has_zeros && rule != Rule::Clamped, 0);
        let (code, what) = match rule {
            Rule::Unit | Rule::UnitAndSign => ("ACCESSOR_VECTOR3_NON_UNIT", "are not of length 1"),
            Rule::Clamped => ("ACCESSOR_NON_CLAMPED", "are not from 0 to 1"),
        };
        first.say(code, attribute, what, warnings);
        second.say("ACCESSOR_INVALID_SIGN", attribute, "have a sign other than 1 and -1", warnings);
    }
}

/// The smallest and largest numbers of an accessor, and its first element with one that is none.
struct Extremes {
    low: Vec<f64>,
    high: Vec<f64>,
    not_finite: Option<usize>,
}

/// Returns true if all directions are so close to length one that rounding makes no difference.
fn are_plainly_unit(numbers: &[[u8; 4]]) -> bool {
    let is_off = |direction: &[[u8; 4]; 3]| {
        let [x, y, z] = direction.map(f32::from_le_bytes);
        let squared = x * x + y * y + z * z;
        squared.is_nan() || (squared - 1.0).abs() >= 0.01
    };
    let (directions, _) = numbers.as_chunks::<3>();
    directions
        .par_chunks(1 << 16)
        .all(|some| !some.iter().fold(false, |any, direction| any | is_off(direction)))
}

/// The extremes of elements of `N` numbers; `None` if one is not finite.
fn extremes_of<const N: usize>(numbers: &[[u8; 4]]) -> Option<Extremes> {
    let fold = |elements: &[[[u8; 4]; N]]| {
        let (mut low, mut high, mut sum) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N], [0.0f32; N]);
        for element in elements {
            let element = element.map(f32::from_le_bytes);
            for (((low, high), sum), value) in low.iter_mut().zip(&mut high).zip(&mut sum).zip(element) {
                *low = if value < *low { value } else { *low };
                *high = if value > *high { value } else { *high };
                // Stays 0 as long as all are finite.
                *sum += value * 0.0;
            }
        }
        (low, high, sum.iter().all(|sum| *sum == 0.0))
    };
    let nothing = || ([f32::INFINITY; N], [f32::NEG_INFINITY; N], true);
    let both = |a: ([f32; N], [f32; N], bool), b: ([f32; N], [f32; N], bool)| {
        let mut found = a;
        for ((low, high), (more_low, more_high)) in
            found.0.iter_mut().zip(&mut found.1).zip(b.0.iter().zip(b.1))
        {
            (*low, *high) = (low.min(*more_low), high.max(more_high));
        }
        (found.0, found.1, a.2 && b.2)
    };
    let (elements, _) = numbers.as_chunks::<N>();
    let (low, high, is_finite) = elements.par_chunks(1 << 16).map(fold).reduce(nothing, both);
    let exact = |values: [f32; N]| values.map(f64::from).to_vec();
    is_finite.then(|| Extremes { low: exact(low), high: exact(high), not_finite: None })
}

/// A use's requirements for numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    /// Three numbers of length one.
    Unit,
    /// Three numbers of length one, and a sign.
    UnitAndSign,
    /// Numbers from zero to one.
    Clamped,
}

/// Elements that break a rule.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    count: usize,
    first: usize,
}

impl Found {
    fn add_if(&mut self, wrong: bool, number: usize) {
        if wrong {
            if self.count == 0 {
                self.first = number;
            }
            self.count = self.count.saturating_add(1);
        }
    }

    fn say(&self, code: &'static str, attribute: &Attribute, what: &str, warnings: &mut dyn Sink) {
        if self.count > 0 {
            let Attribute { mesh, primitive, .. } = attribute;
            let Self { count, first } = self;
            let message = format!("{count} elements (first mesh{mesh}:{primitive}:{first}) {what}");
            warnings.fault(code, &attribute.path(), message);
        }
    }
}
