//! The input of the contenders: meshes, palettes and spans; and the copy that no skinning can beat.
#![allow(unsafe_code, reason = "streaming stores, for the copy that is the limit")]

use glam::{DMat4, DQuat, DVec3};
use sinew::model::Primitive;
use sinew::skinning::cpu::{Prepared, Source};
use sinew::skinning::{SkinningMode, Slot};
use std::fmt;

/// How many rigid joints a palette has, unless a table says otherwise.
pub const JOINTS: usize = 64;

/// The share of dual quaternion skinning in blend.
pub const SHARE: f32 = 0.5;

/// A vertex's centre of rotation: on the y axis.
pub fn center(position: [f32; 3]) -> [f32; 3] {
    [0.0, position[1], 0.0]
}

/// How joints follow each other along the vertices.
#[derive(Clone, Copy, PartialEq)]
pub enum Joints {
    /// As along a limb: the same joints, heaviest first, over the length of a bone.
    Coherent,
    /// The same combinations, but each vertex picks any of them.
    Shuffled,
    /// Four joints at random for each vertex.
    Random,
}

impl Joints {
    pub const ALL: [Self; 3] = [Self::Coherent, Self::Shuffled, Self::Random];
}

impl fmt::Display for Joints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Coherent => "coherent",
            Self::Shuffled => "shuffled",
            Self::Random => "random",
        })
    }
}

/// 1 positions, 2 with normals, 3 with tangents.
#[derive(Clone, Copy)]
pub struct Parts(pub usize);

impl Parts {
    pub const ALL: [Self; 3] = [Self(1), Self(2), Self(3)];

    pub fn normals(self) -> bool {
        self.0 >= 2
    }

    pub fn tangents(self) -> bool {
        self.0 >= 3
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["positions", "+ normals", "+ tangents"][self.0 - 1])
    }
}

/// Joints and weights in the form the plain loop likes: no padding.
pub enum Influences {
    One(Vec<[u16; 1]>, Vec<[f32; 1]>),
    Two(Vec<[u16; 2]>, Vec<[f32; 2]>),
    Four(Vec<[u16; 4]>, Vec<[f32; 4]>),
    Eight(Vec<[u16; 8]>, Vec<[f32; 8]>),
    Sixteen(Vec<[u16; 16]>, Vec<[f32; 16]>),
}

/// A mesh.
pub struct Workload {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub tangents: Vec<[f32; 4]>,
    pub influences: Influences,
    /// How many joints the palette has.
    pub joints: usize,
    /// Whether joints stretch, or only move rigidly.
    pub is_stretched: bool,
}

/// A linear congruential generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn number(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0
    }

    fn direction(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number() + 1e-3).normalize()
    }
}

fn influences<const K: usize>(
    dice: &mut Dice,
    (vertices, palette): (usize, usize),
    order: Joints,
) -> (Vec<[u16; K]>, Vec<[f32; K]>) {
    let mut all = (vec![], vec![]);
    for vertex in 0..vertices {
        let base = if order == Joints::Coherent { vertex * palette / vertices } else { dice.below(palette) };
        all.0.push(std::array::from_fn(|i| match order {
            Joints::Random => dice.below(palette) as u16,
            _ => ((base + i) % palette) as u16,
        }));
        // As the loader prepares them: multiples of 2⁻²⁴ with a sum of one, largest first.
        let mut weights: [u32; K] = std::array::from_fn(|_| 1 + dice.below(1 << 20) as u32);
        weights.sort_unstable_by(|a, b| b.cmp(a));
        weights[0] = (1 << 24) - weights[1..].iter().sum::<u32>();
        all.1.push(weights.map(|weight| weight as f32 / (1 << 24) as f32));
    }
    all
}

impl Workload {
    pub fn new(vertices: usize, influences_each: usize, order: Joints) -> Self {
        Self::with_joints(vertices, influences_each, order, JOINTS)
    }

    pub fn with_joints(vertices: usize, influences_each: usize, order: Joints, joints: usize) -> Self {
        let mut dice = Dice(7);
        let (mut positions, mut normals, mut tangents) = (vec![], vec![], vec![]);
        for _ in 0..vertices {
            let normal = dice.direction();
            positions.push((dice.direction() * 1.8).as_vec3().to_array());
            normals.push(normal.as_vec3().to_array());
            tangents.push(normal.any_orthonormal_vector().as_vec3().extend(1.0).to_array());
        }
        let size = (vertices, joints);
        let influences = match influences_each {
            1 => {
                let (joints, weights) = influences(&mut dice, size, order);
                Influences::One(joints, weights)
            }
            2 => {
                let (joints, weights) = influences(&mut dice, size, order);
                Influences::Two(joints, weights)
            }
            4 => {
                let (joints, weights) = influences(&mut dice, size, order);
                Influences::Four(joints, weights)
            }
            8 => {
                let (joints, weights) = influences(&mut dice, size, order);
                Influences::Eight(joints, weights)
            }
            _ => {
                let (joints, weights) = influences(&mut dice, size, order);
                Influences::Sixteen(joints, weights)
            }
        };
        Self { positions, normals, tangents, influences, joints, is_stretched: false }
    }

    /// A primitive of a model; tangents are made up, and normals where it has none.
    pub fn of(primitive: &Primitive) -> Option<Self> {
        let [span] = &primitive.influences.as_ref()?.spans[..] else { return None };
        let joint = |joint: i32| u16::try_from(joint).ok();
        let joints =
            span.joints.iter().map(|&[a, b, c, d]| Some([joint(a)?, joint(b)?, joint(c)?, joint(d)?]));
        let outward = |at: &[f32; 3]| glam::Vec3::from(*at).normalize_or(glam::Vec3::Y).to_array();
        let made_up = || primitive.positions.iter().map(outward).collect();
        let normals: Vec<[f32; 3]> = primitive.normals.clone().unwrap_or_else(made_up);
        let tangent =
            |normal: &[f32; 3]| glam::Vec3::from(*normal).any_orthonormal_vector().extend(1.0).to_array();
        Some(Self {
            positions: primitive.positions.clone(),
            tangents: normals.iter().map(tangent).collect(),
            normals,
            influences: Influences::Four(joints.collect::<Option<_>>()?, span.weights.clone()),
            joints: JOINTS,
            is_stretched: false,
        })
    }

    /// Makes the joints stretch.
    pub fn stretched(self) -> Self {
        Self { is_stretched: true, ..self }
    }

    /// Lays it out for the fast path, from spans like those of a file.
    pub fn prepare(&self, parts: Parts) -> Prepared {
        let mut prepared = self.with_source(parts, Prepared::new).expect("spans of equal length");
        let shares = vec![SHARE; self.positions.len()];
        let centers: Vec<[f32; 3]> = self.positions.iter().map(|position| center(*position)).collect();
        prepared.set_shares(Some(&shares)).expect("one a vertex");
        prepared.set_centers(Some(&centers)).expect("one a vertex");
        prepared
    }

    /// Hands on the spans as a file has them.
    pub fn with_source<R>(&self, parts: Parts, take: impl FnOnce(&Source<'_>) -> R) -> R {
        match &self.influences {
            Influences::One(joints, weights) => self.spans(joints, weights, parts, take),
            Influences::Two(joints, weights) => self.spans(joints, weights, parts, take),
            Influences::Four(joints, weights) => self.spans(joints, weights, parts, take),
            Influences::Eight(joints, weights) => self.spans(joints, weights, parts, take),
            Influences::Sixteen(joints, weights) => self.spans(joints, weights, parts, take),
        }
    }

    fn spans<const K: usize, R>(
        &self,
        joints: &[[u16; K]],
        weights: &[[f32; K]],
        parts: Parts,
        take: impl FnOnce(&Source<'_>) -> R,
    ) -> R {
        let slot = |span: usize, i: usize| (span * 4 + i).min(K - 1);
        let joints_of = |span: usize| -> Vec<[i32; 4]> {
            joints.iter().map(|j| [0, 1, 2, 3].map(|i| i32::from(j[slot(span, i)]))).collect()
        };
        let weights_of = |span: usize| -> Vec<[f32; 4]> {
            weights
                .iter()
                .map(|w| [0, 1, 2, 3].map(|i| w.get(span * 4 + i).copied().unwrap_or(0.0)))
                .collect()
        };
        let spans: Vec<_> = (0..K.div_ceil(4)).map(|span| (joints_of(span), weights_of(span))).collect();
        let joints: Vec<&[[i32; 4]]> = spans.iter().map(|span| &span.0[..]).collect();
        let weights: Vec<&[[f32; 4]]> = spans.iter().map(|span| &span.1[..]).collect();
        take(&Source {
            positions: &self.positions,
            normals: parts.normals().then_some(&self.normals),
            tangents: parts.tangents().then_some(&self.tangents),
            joints: &joints,
            weights: &weights,
        })
    }

    /// A pose of joints, each turned a little further than the one before.
    pub fn matrices(&self) -> Vec<DMat4> {
        let mut dice = Dice(11);
        let mut turn = DQuat::IDENTITY;
        let joint = |_| {
            turn = (turn * DQuat::from_axis_angle(dice.direction(), 0.4)).normalize();
            let scale = if self.is_stretched { DVec3::ONE + dice.direction() * 0.2 } else { DVec3::ONE };
            DMat4::from_scale_rotation_translation(scale, turn, dice.direction())
        };
        (0..self.joints).map(joint).collect()
    }

    /// The same as slots.
    pub fn slots(&self, mode: SkinningMode) -> Vec<Slot> {
        self.matrices().iter().map(|matrix| mode.slot(matrix)).collect()
    }
}

/// The spans for the results.
#[derive(Clone)]
pub struct Spans {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub tangents: Vec<[f32; 4]>,
}

impl Spans {
    pub fn new(vertices: usize) -> Self {
        Self {
            positions: vec![[1.0; 3]; vertices],
            normals: vec![[1.0; 3]; vertices],
            tangents: vec![[1.0; 4]; vertices],
        }
    }

    /// Whether both are the same but for rounding.
    pub fn is_near(&self, other: &Self, parts: Parts) -> bool {
        fn near(a: &[f32], b: &[f32]) -> bool {
            a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3)
        }
        near(self.positions.as_flattened(), other.positions.as_flattened())
            && (!parts.normals() || near(self.normals.as_flattened(), other.normals.as_flattened()))
            && (!parts.tangents() || near(self.tangents.as_flattened(), other.tangents.as_flattened()))
    }
}

/// Copies on one thread or two, through the cache or past it.
pub fn copy(pool: &rayon::ThreadPool, threads: usize, from: &[f32], to: &mut [f32], streamed: bool) {
    let copy = |to: &mut [f32], from: &[f32]| {
        if streamed { streamed_copy(to, from) } else { to.copy_from_slice(from) }
    };
    if threads == 1 {
        return copy(to, from);
    }
    let middle = from.len() / 2 / 16 * 16;
    let (from_a, from_b) = from.split_at(middle);
    let (to_a, to_b) = to.split_at_mut(middle);
    pool.install(|| rayon::join(|| copy(to_a, from_a), || copy(to_b, from_b)));
}

/// Copies past the cache, if stable Rust has instructions for it on this processor.
fn streamed_copy(to: &mut [f32], from: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_loadu_ps, _mm_sfence, _mm_stream_ps};
        let head = to.as_ptr().align_offset(64).min(to.len());
        let (to_head, to) = to.split_at_mut(head);
        let (from_head, from) = from.split_at(head);
        to_head.copy_from_slice(from_head);
        let (to, to_tail) = to.as_chunks_mut::<16>();
        let (from, from_tail) = from.as_chunks::<16>();
        to_tail.copy_from_slice(from_tail);
        for (to, from) in to.iter_mut().zip(from) {
            for i in 0..4 {
                // SAFETY: SSE is part of x86-64; `to` starts on a cache line, and four times four
                // numbers are sixteen.
                unsafe { _mm_stream_ps(to.as_mut_ptr().add(i * 4), _mm_loadu_ps(from.as_ptr().add(i * 4))) };
            }
        }
        // SAFETY: SSE is part of x86-64.
        unsafe { _mm_sfence() };
    }
    #[cfg(not(target_arch = "x86_64"))]
    to.copy_from_slice(from);
}
