//! A layer in the making, as a tree of prims with their properties.

use std::collections::{HashMap, HashSet};

use openusd::sdf::{ChildrenKey, Data, FieldKey, ListOp, Path, SpecType, Specifier, Value, Variability};
use openusd::tf::Token;

use crate::usd::stage::CLIPS;

/// A prim of the layer.
#[derive(Debug, Default)]
pub struct Prim {
    /// Its name, unique among its siblings.
    pub name: String,
    /// Name of its type; empty for a prim that only adds to what another place of the layer has.
    pub kind: &'static str,
    /// Its metadata.
    pub facts: Vec<(&'static str, Value)>,
    /// Its attributes and relationships.
    pub properties: Vec<Property>,
    /// The prims in it.
    pub children: Vec<Prim>,
    /// Variants of the set that chooses the clip: each a prim without a name.
    pub clips: Vec<(String, Prim)>,
}

/// An attribute or a relationship.
#[derive(Debug)]
pub struct Property {
    name: String,
    kind: SpecType,
    fields: Vec<(&'static str, Value)>,
}

impl Property {
    /// An attribute of a type, without a value.
    pub fn new(name: &str, type_name: &'static str) -> Self {
        let fields = vec![(FieldKey::TypeName.as_str(), Value::Token(Token::new(type_name)))];
        Self { name: name.to_owned(), kind: SpecType::Attribute, fields }
    }

    /// An attribute with a value.
    pub fn of(name: &str, type_name: &'static str, value: impl Into<Value>) -> Self {
        Self::new(name, type_name).with(FieldKey::Default.as_str(), value)
    }

    /// An attribute that cannot change in time.
    pub fn uniform(name: &str, type_name: &'static str, value: impl Into<Value>) -> Self {
        Self::of(name, type_name, value)
            .with(FieldKey::Variability.as_str(), Value::Variability(Variability::Uniform))
    }

    /// A relationship.
    pub fn to(name: &str, targets: Vec<Path>) -> Self {
        let targets = Value::PathListOp(ListOp::explicit(targets));
        let fields = vec![(FieldKey::TargetPaths.as_str(), targets)];
        Self { name: name.to_owned(), kind: SpecType::Relationship, fields }
    }

    /// An attribute whose value is that of another.
    pub fn connected(name: &str, type_name: &'static str, source: Path) -> Self {
        let source = Value::PathListOp(ListOp::explicit([source]));
        Self::new(name, type_name).with(FieldKey::ConnectionPaths.as_str(), source)
    }

    /// Adds a metadatum.
    pub fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.fields.push((key, value.into()));
        self
    }

    /// Adds samples, unless there are none.
    pub fn sampled(self, samples: Vec<(f64, Value)>) -> Self {
        if samples.is_empty() {
            self
        } else {
            self.with(FieldKey::TimeSamples.as_str(), Value::TimeSamples(samples))
        }
    }
}

/// A word as a value.
pub fn token(word: &str) -> Value {
    Value::Token(word.to_owned().into())
}

/// Words as a value.
pub fn tokens<'a>(words: impl IntoIterator<Item = &'a str>) -> Value {
    Value::TokenVec(words.into_iter().map(|word| word.to_owned().into()).collect())
}

impl Prim {
    /// A prim of a type.
    pub fn new(name: &str, kind: &'static str) -> Self {
        Self { name: name.to_owned(), kind, ..Self::default() }
    }

    /// Says that the prim has the properties of schemas.
    pub fn apply(&mut self, schemas: &[&'static str]) {
        let schemas = ListOp::prepended(schemas.iter().map(|name| Token::new(name)));
        self.facts.push((FieldKey::ApiSchemas.as_str(), Value::TokenListOp(schemas)));
    }

    /// The prim below this one that has these names, one below the other. Missing ones are added.
    pub fn below(&mut self, names: &[String]) -> &mut Self {
        let mut prim = self;
        for name in names {
            let found = prim.children.iter().position(|child| child.name == *name);
            let at = found.unwrap_or(prim.children.len());
            if found.is_none() {
                prim.children.push(Self::new(name, ""));
            }
            prim = &mut prim.children[at];
        }
        prim
    }

    /// Takes over the properties of another prim and of all prims in it. Those of the other replace the own.
    pub fn adopt(&mut self, other: Self) {
        for property in other.properties {
            self.properties.retain(|own| own.name != property.name);
            self.properties.push(property);
        }
        for child in other.children {
            let name = child.name.clone();
            self.below(&[name]).adopt(child);
        }
    }

    /// Adds the prim and all below it to the specs of a layer.
    fn write(self, path: &Path, depth: usize, out: &mut Vec<Spec>) {
        let specifier = if self.kind.is_empty() { Specifier::Over } else { Specifier::Def };
        let mut fields = vec![(FieldKey::Specifier.as_str(), Value::Specifier(specifier))];
        if !self.kind.is_empty() {
            fields.push((FieldKey::TypeName.as_str(), Value::Token(Token::new(self.kind))));
        }
        let (path, element) = (path.clone(), self.name.clone());
        self.write_body(Spec { path, element, depth, kind: SpecType::Prim, fields }, out);
    }

    fn write_body(self, mut spec: Spec, out: &mut Vec<Spec>) {
        spec.fields.extend(self.facts);
        if let Some((first, _)) = self.clips.first() {
            let names = Value::StringListOp(ListOp::explicit([CLIPS.to_owned()]));
            spec.fields.push((FieldKey::VariantSetNames.as_str(), names));
            let chosen = Value::VariantSelectionMap(HashMap::from([(CLIPS.to_owned(), first.clone())]));
            spec.fields.push((FieldKey::VariantSelection.as_str(), chosen));
        }
        spec.list(ChildrenKey::VariantSetChildren, self.clips.iter().take(1).map(|_| CLIPS));
        spec.list(ChildrenKey::PropertyChildren, self.properties.iter().map(|one| one.name.as_str()));
        spec.list(ChildrenKey::PrimChildren, self.children.iter().map(|child| child.name.as_str()));
        let (path, depth) = (spec.path.clone(), spec.depth + 1);
        out.push(spec);
        for Property { name, kind, fields } in self.properties {
            if let Ok(path) = path.append_property(name.as_str()) {
                out.push(Spec { path, element: name, depth, kind, fields });
            }
        }
        let variant = |name: &str, kind| {
            let (path, element) = (path.append_variant_selection(CLIPS, name), format!("{{{CLIPS}={name}}}"));
            Spec { path, element, depth, kind, fields: Vec::new() }
        };
        if !self.clips.is_empty() {
            let mut set = variant("", SpecType::VariantSet);
            set.list(ChildrenKey::VariantChildren, self.clips.iter().map(|(name, _)| name.as_str()));
            out.push(set);
        }
        for (name, prim) in self.clips {
            prim.write_body(variant(&name, SpecType::Variant), out);
        }
        for child in self.children {
            if let Ok(path) = path.append_path(child.name.as_str()) {
                child.write(&path, depth, out);
            }
        }
    }

    /// A layer with this prim as its only root.
    pub fn into_layer(self, facts: Vec<(&'static str, Value)>) -> Layer {
        let kind = SpecType::PseudoRoot;
        let mut root = Spec { path: Path::abs_root(), element: String::new(), depth: 0, kind, fields: facts };
        root.fields.push((FieldKey::DefaultPrim.as_str(), token(&self.name)));
        root.list(ChildrenKey::PrimChildren, [self.name.as_str()].into_iter());
        let mut specs = vec![root];
        if let Ok(path) = Path::abs_root().append_path(self.name.as_str()) {
            self.write(&path, 1, &mut specs);
        }
        Layer(specs)
    }
}

/// The specs of a layer, each before those below it.
pub struct Layer(pub Vec<Spec>);

/// Facts of a prim, a property or a variant.
pub struct Spec {
    /// Its path.
    pub path: Path,
    /// The last part of the path.
    pub element: String,
    /// The number of parts of the path.
    pub depth: usize,
    /// Its kind.
    pub kind: SpecType,
    /// Its fields.
    pub fields: Vec<(&'static str, Value)>,
}

impl Spec {
    /// Adds a list of children, unless it is empty: OpenUSD refuses such a list.
    fn list<'a>(&mut self, key: ChildrenKey, names: impl Iterator<Item = &'a str>) {
        let mut names = names.peekable();
        if names.peek().is_some() {
            self.fields.push((key.as_str(), tokens(names)));
        }
    }
}

impl Layer {
    /// The layer as the library's data.
    pub fn into_data(self) -> Data {
        let mut data = Data::new();
        for spec in self.0 {
            let own = data.create_spec(spec.path, spec.kind);
            spec.fields.into_iter().for_each(|(key, value)| own.add(key, value));
        }
        data
    }
}

/// Names of siblings: each a valid identifier, and used once.
#[derive(Debug, Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// An identifier like a name: letters, digits and underscores.
    pub fn unique(&mut self, name: &str, otherwise: &str) -> String {
        let name = if name.is_empty() { otherwise } else { name };
        let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
        let mut word: String = name.chars().map(allowed).collect();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            word.insert(0, '_');
        }
        let mut unique = word.clone();
        for number in 1.. {
            if self.0.insert(unique.clone()) {
                break;
            }
            unique = format!("{word}_{number}");
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut names = Names::default();
        let all = ["upper_arm.R", "upper arm-R", "", "3", "Straße", "upper_arm_R_1"];
        let all = all.map(|name| names.unique(name, "node"));
        assert_eq!(all, ["upper_arm_R", "upper_arm_R_1", "node", "_3", "Stra_e", "upper_arm_R_1_1"]);
    }
}
