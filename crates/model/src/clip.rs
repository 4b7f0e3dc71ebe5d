//! Animation clips as key times and values per node. They must not know how they are sampled.

/// A named animation.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    /// Name; empty where the file gives none.
    pub name: String,
    /// The largest key time of all channels, in seconds.
    pub duration_secs: f32,
    /// What moves.
    pub channels: Vec<Channel>,
}

/// Keys for one property of one node.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Index into the rig.
    pub node: usize,
    /// What the keys set.
    pub property: Property,
    /// How to go from key to key.
    pub interpolation: Interpolation,
    /// Key times in seconds, strictly increasing and finite, at least one.
    pub times: Vec<f32>,
    /// Values, key after key: as many numbers a key as the property has components; three times
    /// that (in-tangent, value, out-tangent) for [`Interpolation::CubicSpline`].
    pub values: Vec<f32>,
}

/// What a channel sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Three components.
    Translation,
    /// A quaternion, x y z w.
    Rotation,
    /// Three components.
    Scale,
    /// One component for each morph target of the node's mesh.
    Weights,
    /// One component, for the morph target of that number.
    Weight(u32),
}

/// How values between two keys come about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The earlier key's value.
    Step,
    /// A straight line, or the shortest arc for rotations.
    #[default]
    Linear,
    /// A cubic Hermite spline with tangents at the keys.
    CubicSpline,
}
