//! A layer in the making, as a tree of prims with their properties.

use std::collections::{HashMap, HashSet};

use openusd::sdf::{
    ChildrenKey, Data, FieldKey, ListOp, Path, SpecType, Specifier, Value, Variability,
};
use openusd::tf::Token;

use crate::usd::scene::CLIPS;

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
        let fields = vec![
            (FieldKey::Variability.as_str(), Value::Variability(Variability::Uniform)),
            (FieldKey::TargetPaths.as_str(), targets),
        ];
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
        if samples.is_empty() { self } else { self.with(FieldKey::TimeSamples.as_str(), Value::TimeSamples(samples)) }
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
            self.below(&[child.name.clone()]).adopt(child);
        }
    }

    /// Writes the prim and all below it.
    fn write(self, path: &Path, data: &mut Data) {
        let specifier = if self.kind.is_empty() { Specifier::Over } else { Specifier::Def };
        let spec = data.create_spec(path.clone(), SpecType::Prim);
        spec.add(FieldKey::Specifier, Value::Specifier(specifier));
        if !self.kind.is_empty() {
            spec.add(FieldKey::TypeName, Value::Token(Token::new(self.kind)));
        }
        self.write_body(path, data);
    }

    fn write_body(self, path: &Path, data: &mut Data) {
        if let Some(spec) = data.spec_mut(path) {
            self.facts.into_iter().for_each(|(key, value)| spec.add(key, value));
            if let Some((first, _)) = self.clips.first() {
                let names = ListOp::explicit([CLIPS.to_owned()]);
                spec.add(FieldKey::VariantSetNames, Value::StringListOp(names));
                let chosen = HashMap::from([(CLIPS.to_owned(), first.clone())]);
                spec.add(FieldKey::VariantSelection, Value::VariantSelectionMap(chosen));
                spec.add(ChildrenKey::VariantSetChildren, tokens([CLIPS]));
            }
            let names = tokens(self.properties.iter().map(|property| property.name.as_str()));
            spec.add(ChildrenKey::PropertyChildren, names);
            spec.add(ChildrenKey::PrimChildren, tokens(self.children.iter().map(|child| child.name.as_str())));
        }
        for property in self.properties {
            if let Ok(path) = path.append_property(property.name.as_str()) {
                let spec = data.create_spec(path, property.kind);
                property.fields.into_iter().for_each(|(key, value)| spec.add(key, value));
            }
        }
        if !self.clips.is_empty() {
            let set = data.create_spec(path.append_variant_selection(CLIPS, ""), SpecType::VariantSet);
            set.add(ChildrenKey::VariantChildren, tokens(self.clips.iter().map(|(name, _)| name.as_str())));
        }
        for (name, variant) in self.clips {
            let path = path.append_variant_selection(CLIPS, &name);
            data.create_spec(path.clone(), SpecType::Variant);
            variant.write_body(&path, data);
        }
        for child in self.children {
            if let Ok(path) = path.append_path(child.name.as_str()) {
                child.write(&path, data);
            }
        }
    }

    /// A layer with this prim as its only root.
    pub fn into_layer(self, facts: Vec<(&'static str, Value)>) -> Data {
        let mut data = Data::new();
        let root = data.create_spec(Path::abs_root(), SpecType::PseudoRoot);
        facts.into_iter().for_each(|(key, value)| root.add(key, value));
        root.add(FieldKey::DefaultPrim, token(&self.name));
        root.add(ChildrenKey::PrimChildren, tokens([self.name.as_str()]));
        if let Ok(path) = Path::abs_root().append_path(self.name.as_str()) {
            self.write(&path, &mut data);
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
