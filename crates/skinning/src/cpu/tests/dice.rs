//! Random meshes and palettes, the same in every run.

use glam::{DMat4, DQuat, DVec3};
use sinew_model::{Influences, Primitive, Span};

/// Reproducible pseudo-random numbers (a linear congruential generator).
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    pub fn number(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0
    }

    pub fn direction(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number() + 1e-3).normalize()
    }
}

/// The order of joints along the vertices.
#[derive(Clone, Copy, Debug)]
pub enum Joints {
    /// Long runs of equal joints.
    Coherent,
    /// A handful of combinations, in any order.
    Shuffled,
    /// Different joints for each vertex.
    Random,
}

/// The number of joints of a palette.
const PALETTE: usize = 23;

/// Returns joints that turn, stretch and mirror.
pub fn palette(dice: &mut Dice) -> Vec<DMat4> {
    let joint = |_| {
        let turn = DQuat::from_axis_angle(dice.direction(), dice.number() * 3.0);
        let mut scale = DVec3::ONE + DVec3::new(dice.number(), dice.number(), dice.number()) * 0.4;
        if dice.below(4) == 0 {
            scale.y = -scale.y;
        }
        DMat4::from_scale_rotation_translation(scale, turn, dice.direction())
    };
    (0..PALETTE).map(joint).collect()
}

/// Returns vertices with up to so many influences, their joints in an order.
pub fn primitive(dice: &mut Dice, count: usize, order: Joints, influences: usize) -> Primitive {
    let spans = influences.div_ceil(4);
    let mut out = Primitive::default();
    let (mut normals, mut tangents) = (vec![], vec![]);
    let mut all = vec![Span::default(); spans];
    for vertex in 0..count {
        out.positions.push(dice.direction().as_vec3().to_array());
        normals.push(dice.direction().as_vec3().to_array());
        let handedness = if dice.below(2) == 0 { 1.0 } else { -1.0 };
        tangents.push(dice.direction().as_vec3().extend(handedness).to_array());
        let group = match order {
            Joints::Coherent => vertex * 7 / count.max(40),
            Joints::Shuffled => dice.below(5),
            Joints::Random => dice.below(usize::MAX >> 1),
        };
        let used = if matches!(order, Joints::Random) { 1 + dice.below(influences) } else { influences };
        let mut weights: Vec<u32> = (0..used).map(|_| 1 + dice.below(1 << 16) as u32).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        // On the loader's grid, with a sum of one.
        weights[0] = (1 << 24) - weights[1..].iter().sum::<u32>();
        for (i, span) in all.iter_mut().enumerate() {
            let slot = |k: usize| i * 4 + k;
            let joint = |k| ((group + slot(k).min(used - 1) * 5) % PALETTE) as i32;
            span.joints.push([0, 1, 2, 3].map(joint));
            let weight = |k| weights.get(slot(k)).map_or(0.0, |&w| w as f32 / (1 << 24) as f32);
            span.weights.push([0, 1, 2, 3].map(weight));
        }
    }
    out.normals = Some(normals);
    out.tangents = Some(tangents);
    out.influences = Some(Influences { spans: all });
    out
}
