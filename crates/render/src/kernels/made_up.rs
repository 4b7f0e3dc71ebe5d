//! Made-up vertices: no two alike, on joints that follow each other in a chosen order. Equal on every machine.

use std::str::FromStr;

use glam::{DMat4, DQuat, DVec3};

use super::workload::Workload;
use sinew_model::{Influences, Span};
use sinew_skinning::twin::Vertices;
use sinew_skinning::{SkinningMode, Slot};

/// The number of joints.
const JOINTS: u32 = 64;

/// The grid of weights, as the loader prepares them.
const WHOLE: u32 = 1 << 24;

/// The order of joints along made-up vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Joints as along a limb: the same over the length of a bone.
    Coherent,
    /// Combinations as in coherent order, but each vertex picks any of them.
    Shuffled,
    /// Any joints for each vertex.
    Random,
}

impl Order {
    /// Every order.
    pub const ALL: [Self; 3] = [Self::Coherent, Self::Shuffled, Self::Random];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Coherent => "coherent",
            Self::Shuffled => "shuffled",
            Self::Random => "random",
        }
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|order| order.name() == text);
        found.ok_or_else(|| "expected coherent, shuffled or random".to_owned())
    }
}

/// Vertices with everything that a mode reads.
pub struct MadeUp {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    influences: Influences,
    shares: Vec<f32>,
    centers: Vec<[f32; 3]>,
}

impl MadeUp {
    /// Makes vertices with 1 to 16 joints each.
    pub fn new(vertices: u32, influences: u32, order: Order) -> Self {
        let count = vertices as usize;
        let spans = (influences.clamp(1, 16) as usize).div_ceil(4);
        let span = || Span { joints: Vec::with_capacity(count), weights: Vec::with_capacity(count) };
        let mut made = Self {
            positions: Vec::with_capacity(count),
            normals: Vec::with_capacity(count),
            tangents: Vec::with_capacity(count),
            influences: Influences { spans: (0..spans).map(|_| span()).collect() },
            shares: Vec::with_capacity(count),
            centers: Vec::with_capacity(count),
        };
        let mut dice = Dice(7);
        for vertex in 0..vertices {
            let (position, normal) = (dice.direction() * 1.8, dice.direction());
            made.positions.push(position.as_vec3().to_array());
            made.normals.push(normal.as_vec3().to_array());
            made.tangents.push(normal.any_orthonormal_vector().as_vec3().extend(1.0).to_array());
            made.shares.push(dice.below(1025) as f32 / 1024.0);
            made.centers.push((position * 0.5).as_vec3().to_array());
            let base = match order {
                Order::Coherent => (u64::from(vertex) * u64::from(JOINTS) / u64::from(vertices)) as u32,
                Order::Shuffled | Order::Random => dice.below(JOINTS),
            };
            made.push_influences(&mut dice, (base, influences.clamp(1, 16), order));
        }
        made
    }

    /// Adds a vertex's joints, the heaviest first, with weights whose sum is exactly 1.
    fn push_influences(&mut self, dice: &mut Dice, (base, count, order): (u32, u32, Order)) {
        let mut weights = [0; 16];
        let (others, _) = weights.split_at_mut(count as usize);
        others.iter_mut().for_each(|weight| *weight = 1 + dice.below(1 << 20));
        others.sort_unstable_by(|a, b| b.cmp(a));
        let rest: u32 = others.iter().skip(1).sum();
        others[0] = WHOLE - rest;
        let mut joint = |place: u32| match order {
            _ if place >= count => -1,
            Order::Random => dice.below(JOINTS) as i32,
            Order::Coherent | Order::Shuffled => ((base + place) % JOINTS) as i32,
        };
        let joints: [i32; 16] = std::array::from_fn(|place| joint(place as u32));
        let weights = weights.map(|weight| weight as f32 / WHOLE as f32);
        let spans = joints.as_chunks::<4>().0.iter().zip(weights.as_chunks::<4>().0);
        for (span, (joints, weights)) in self.influences.spans.iter_mut().zip(spans) {
            span.joints.push(*joints);
            span.weights.push(*weights);
        }
    }

    /// Returns all vertices.
    pub fn workload(&self) -> Workload<'_> {
        let vertices = Vertices {
            positions: &self.positions,
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            influences: Some(&self.influences),
            shares: Some(&self.shares),
            centers: Some(&self.centers),
            ddm: None,
        };
        Workload { vertices, slots: JOINTS }
    }

    /// Returns the slots of a pose in which each joint is turned a little further than the one before, and stretched.
    pub fn palette(&self, mode: SkinningMode) -> Vec<Slot> {
        let mut dice = Dice(11);
        let mut turn = DQuat::IDENTITY;
        let mut joint = || {
            turn = (turn * DQuat::from_axis_angle(dice.direction(), 0.4)).normalize();
            let scale = DVec3::ONE + dice.direction() * 0.2;
            DMat4::from_scale_rotation_translation(scale, turn, dice.direction())
        };
        let matrices: Vec<DMat4> = (0..JOINTS).map(|_| joint()).collect();
        let mut slots = Vec::new();
        mode.slots_into(&matrices, &mut slots);
        slots
    }
}

/// A linear congruential generator, by Knuth's constants.
struct Dice(u64);

impl Dice {
    /// Returns a number below a limit above 0.
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    fn number(&mut self) -> f64 {
        f64::from(self.below(1 << 20)) / f64::from(1 << 19) - 1.0
    }

    fn direction(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number() + 1e-3).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_joints_follow_the_order() {
        for order in Order::ALL {
            for count in [1, 4, 5, 16] {
                let made = MadeUp::new(500, count, order);
                let spans = &made.influences.spans;
                assert_eq!(spans.len(), count.div_ceil(4) as usize);
                for vertex in 0..500 {
                    let of_vertex =
                        spans.iter().flat_map(|span| span.joints[vertex].iter().zip(span.weights[vertex]));
                    let used: Vec<(i32, f32)> = of_vertex
                        .map(|(joint, weight)| (*joint, weight))
                        .filter(|(joint, _)| *joint >= 0)
                        .collect();
                    assert_eq!(used.len(), count as usize);
                    assert_eq!(used.iter().map(|(_, weight)| weight).sum::<f32>(), 1.0);
                    assert!(used.iter().all(|(joint, _)| *joint < JOINTS as i32));
                    let follows = used.windows(2).all(|pair| pair[1].0 == (pair[0].0 + 1) % JOINTS as i32);
                    assert!(follows || order == Order::Random);
                }
            }
        }
        let first = |order| {
            MadeUp::new(500, 4, order).influences.spans[0].joints.iter().map(|j| j[0]).collect::<Vec<_>>()
        };
        assert!(first(Order::Coherent).is_sorted() && !first(Order::Shuffled).is_sorted());
    }
}
