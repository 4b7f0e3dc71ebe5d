//! Avatars (VRM): their authors, their bones by human names, and their expressions.

/// An avatar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Avatar {
    /// Version of VRM, `0` or `1.0`.
    pub version: String,
    /// Name of the avatar.
    pub name: String,
    /// Its authors.
    pub authors: Vec<String>,
    /// Name or address of its licence.
    pub licence: Option<String>,
    /// Human bones by VRM 1's name, such as `leftUpperArm`, with their nodes in [`Rig`](crate::Rig).
    pub bones: Vec<(String, usize)>,
    /// Its expressions.
    pub expressions: Vec<Expression>,
    /// The number of groups of springs, which do not swing here.
    pub springs: usize,
    /// The number of materials with toon shading, which is not drawn.
    pub toon_materials: usize,
}

/// An expression: weights of several morph targets under one name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// Its name.
    pub name: String,
    /// True for an expression that VRM names.
    pub is_preset: bool,
    /// Each morph target: the node that has it, its index, and its weight in the full expression.
    pub targets: Vec<(usize, usize, f64)>,
}
