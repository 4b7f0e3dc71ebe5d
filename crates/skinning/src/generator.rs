//! Random rotations that are the same on all machines: made only of integers, basic arithmetic and roots.

use glam::{DQuat, DVec3};

/// A source of random numbers: SplitMix64, as in Steele, Lea and Flood, *Fast Splittable Pseudorandom Number
/// Generators* (2014).
#[derive(Clone, Debug)]
pub struct Generator {
    state: u64,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Generator {
    /// Creates the source with this index among those of a seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut start = Self { state: seed };
        let spread = start.next();
        Self { state: spread ^ number.wrapping_mul(GOLDEN).rotate_left(17) }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        let z = self.state;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to 1, without 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a rotation about a uniformly random axis. The tangent of half its angle is between 0 and `most`.
    pub fn rotation(&mut self, most: f64) -> DQuat {
        // A point of the cube is within the ball in about one of two tries.
        let axis = loop {
            let point = DVec3::new(self.share(), self.share(), self.share()) * 2.0 - 1.0;
            let squared = point.length_squared();
            if squared <= 1.0 && squared > 1e-6 {
                break point / squared.sqrt();
            }
        };
        let tangent = axis * (self.share() * most);
        let length = (1.0 + tangent.length_squared()).sqrt();
        DQuat::from_vec4(tangent.extend(1.0) / length)
    }
}
