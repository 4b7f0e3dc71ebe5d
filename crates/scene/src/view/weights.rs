//! Numbers of weight views, from the influences of a vertex.

use super::facts::{Ramp, Scale, Source, Vertex};
use sinew_model::{Primitive, Skin};
use sinew_skinning::pose::{Shares, is_called};

/// The number of influences up to which colours differ.
pub const MAX_INFLUENCES: usize = 8;

/// The linear colour of a vertex without weights, in views of one number per vertex. It is darker than any number on
/// softly lit surfaces.
pub const NO_WEIGHTS: [f64; 3] = [0.02; 3];

/// The smallest visible error of a weight sum, as a power of ten.
pub const LEAST_OFF: f32 = -6.0;

/// The weight of one joint.
pub const OF_JOINT: Scale =
    Scale { title: "weight of", ticks: &SHARES, ramp: Ramp::Rising, source: Source::Model(weight_of_joint) };

/// The number of joints.
pub const INFLUENCES: Scale = Scale {
    title: "joints per vertex",
    ticks: &[
        (0.0, "0"),
        (0.125, "1"),
        (0.25, "2"),
        (0.375, "3"),
        (0.5, "4"),
        (0.625, "5"),
        (0.75, "6"),
        (0.875, "7"),
        (1.0, "8+"),
    ],
    ramp: Ramp::Rising,
    source: Source::Model(share_of_influences),
};

/// The sum of weights, as stored.
pub const SUM: Scale = Scale {
    title: "sum of weights, as stored",
    ticks: &[(0.0, "0"), (0.5 - PERCENT, "-1%"), (0.5, "1"), (0.5 + PERCENT, "+1%"), (1.0, "2+")],
    ramp: Ramp::Balance,
    source: Source::Model(imbalance_of_sum),
};

/// The share of dqs in blend.
pub const SHARE: Scale = Scale {
    title: "share of dqs in blend",
    ticks: &[(0.0, "lbs"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "dqs")],
    ramp: Ramp::Rising,
    source: Source::Shares(share_of_dqs),
};

/// The labels of a scale from 0 to 1.
const SHARES: [(f32, &str); 5] = [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")];

/// The distance of an error of 1% (10⁻²) from the middle of the scale.
const PERCENT: f32 = 0.5 * (1.0 - -2.0 / LEAST_OFF);

impl<'a> Vertex<'a> {
    /// Returns the joints and weights.
    pub fn influences(&self) -> impl Iterator<Item = (usize, f32)> + 'a {
        influences(self.primitive, self.skin, self.index)
    }

    /// Returns true if the joint with most weight is the one that the view shows.
    pub fn is_of_part(&self) -> bool {
        self.influences().next().is_some_and(|(joint, _)| self.is_shown(joint))
    }

    /// Returns true if the view shows this joint of the skin.
    fn is_shown(&self, joint: usize) -> bool {
        let node = self.skin.and_then(|skin| skin.joints.get(joint));
        node.zip(self.view.joint()).is_some_and(|(node, name)| is_called(self.rig, *node, name))
    }

    /// Returns the skin, if the vertex has weights.
    fn weighted(&self) -> Option<&'a Skin> {
        self.skin.filter(|_| self.primitive.influences.is_some())
    }
}

fn weight_of_joint(vertex: &Vertex<'_>) -> Option<f32> {
    let of_joint = vertex.influences().filter(|(joint, _)| vertex.is_shown(*joint));
    Some(of_joint.map(|(_, weight)| weight).sum())
}

fn share_of_influences(vertex: &Vertex<'_>) -> Option<f32> {
    Some(vertex.influences().count().min(MAX_INFLUENCES) as f32 / MAX_INFLUENCES as f32)
}

fn imbalance_of_sum(vertex: &Vertex<'_>) -> Option<f32> {
    vertex.weighted()?;
    let sums = &vertex.primitive.unequal_sums;
    let found = sums.binary_search_by_key(&vertex.index, |(index, _)| *index as usize);
    let sum = found.ok().and_then(|found| sums.get(found)).map_or(1.0, |(_, sum)| *sum);
    Some(imbalance(sum))
}

fn share_of_dqs(vertex: &Vertex<'_>, shares: &Shares) -> Option<f32> {
    Some(shares.of_vertex(vertex.weighted()?, vertex.primitive, vertex.index))
}

/// Returns the error of a weight sum, from −1 for 0 to 1 for 2 and more, with equal steps per power of ten.
pub fn imbalance(sum: f32) -> f32 {
    let off = sum - 1.0;
    let step = 1.0 - off.abs().log10() / LEAST_OFF;
    if off < 0.0 { -step.clamp(0.0, 1.0) } else { step.clamp(0.0, 1.0) }
}

/// Returns the joints and weights of a vertex.
pub fn influences<'a>(
    primitive: &'a Primitive,
    skin: Option<&'a Skin>,
    vertex: usize,
) -> impl Iterator<Item = (usize, f32)> + 'a {
    let spans = primitive.influences.as_ref().filter(|_| skin.is_some()).map(|influences| &influences.spans);
    spans.into_iter().flatten().flat_map(move |span| {
        let joints = span.joints.get(vertex).copied().unwrap_or([-1; 4]);
        let weights = span.weights.get(vertex).copied().unwrap_or_default();
        joints.into_iter().zip(weights).filter_map(|(joint, weight)| {
            let joint = usize::try_from(joint).ok()?;
            (weight > 0.0).then_some((joint, weight))
        })
    })
}
