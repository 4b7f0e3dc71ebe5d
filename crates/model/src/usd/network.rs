//! Networks of shaders: the source of an input, along its connections.

use glam::DVec3;
use openusd::sdf::Value;

use super::stage::{Prim, Stage};
use super::values;

/// The most connections from an input to its source.
const MAX_STEPS: usize = 32;

/// The source of an input.
pub enum Source {
    /// An attribute that no other feeds.
    Attribute(Prim, String),
    /// An output of a shader.
    Output(Prim, String),
}

/// Follows an input, through interfaces of materials and groups of nodes.
pub fn source(stage: &Stage, prim: &Prim, name: &str) -> Option<Source> {
    let (mut prim, mut name) = (prim.clone(), name.to_owned());
    for _ in 0..MAX_STEPS {
        let Some(next) = stage.connection(&prim, &name) else { return Some(Source::Attribute(prim, name)) };
        let (path, property) = next.split_property()?;
        (prim, name) = (stage.prim_at(path), property.to_owned());
        if let (Some(output), "Shader") = (name.strip_prefix("outputs:"), prim.kind.as_str()) {
            return Some(Source::Output(prim, output.to_owned()));
        }
    }
    None
}

/// The value of an input that no shader computes.
pub fn value(stage: &Stage, prim: &Prim, name: &str) -> Option<Value> {
    match source(stage, prim, name)? {
        Source::Attribute(prim, name) => stage.value(&prim, &name),
        Source::Output(..) => None,
    }
}

/// A finite number of an input.
pub fn number(stage: &Stage, prim: &Prim, name: &str) -> Option<f64> {
    value(stage, prim, name).and_then(|value| values::number(&value)).filter(|number| number.is_finite())
}

/// A finite colour of an input.
pub fn color(stage: &Stage, prim: &Prim, name: &str) -> Option<DVec3> {
    value(stage, prim, name).and_then(|value| values::vector(&value)).filter(|color| color.is_finite())
}

/// A word of an input.
pub fn text(stage: &Stage, prim: &Prim, name: &str) -> Option<String> {
    value(stage, prim, name).and_then(|value| values::text(&value))
}

/// The name of the file that an input has, as the layers know it.
pub fn file(stage: &Stage, prim: &Prim, name: &str) -> Option<String> {
    match source(stage, prim, name)? {
        Source::Attribute(prim, name) => stage.asset(&prim, &name),
        Source::Output(..) => None,
    }
}

/// The name of a shader's kind.
pub fn kind(stage: &Stage, shader: &Prim) -> String {
    stage.text(shader, "info:id").unwrap_or_default()
}
