//! Animation clips: key times and values per node.

/// A named animation.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    /// Name; empty if the file gives none.
    pub name: String,
    /// The largest key time of all channels, in seconds.
    pub duration_secs: f32,
    /// One channel per animated property.
    pub channels: Vec<Channel>,
}

impl Clip {
    /// The smallest key time of all channels, in seconds.
    pub fn first_secs(&self) -> f32 {
        let first = self.channels.iter().filter_map(|channel| channel.times.first().copied());
        first.reduce(f32::min).unwrap_or(0.0)
    }
}

/// The keys of one property of one node.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Index into the rig.
    pub node: usize,
    /// The animated property.
    pub property: Property,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
    /// Key times in seconds, strictly increasing and finite; at least one.
    pub times: Vec<f32>,
    /// Values, key after key: one number per component of the property, or three (in-tangent, value, out-tangent) for
    /// [`Interpolation::CubicSpline`].
    pub values: Vec<f32>,
}

/// The property that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Three components.
    Translation,
    /// A quaternion, x y z w.
    Rotation,
    /// Three components.
    Scale,
    /// One component per morph target of the node's mesh.
    Weights,
    /// One component, for the morph target with this index.
    Weight(u32),
}

/// How to interpolate between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds the earlier key's value.
    Step,
    /// Linear interpolation; along the shortest arc for rotations.
    #[default]
    Linear,
    /// A cubic Hermite spline with tangents at the keys.
    CubicSpline,
}
