//! The joints of one skin or node in a pose, decomposed once for all modes and primitives.

use crate::pose::Pose;
use crate::reference::JointMotion;
use crate::{matrices_into, palette::Whose, polar, skin_of};
use glam::DMat4;
use sinew_model::{Instance, Model};

/// A joint's numbers in the order of their sums: matrix, stretch, the sizes of both and nothing; quaternion, dual part.
pub type Numbers = [f64; 32];

/// The first number of the stretch.
pub const STRETCH: usize = 12;

/// The size of the matrix; that of the stretch follows.
pub const SIZES: usize = 21;

/// The first number of the quaternion. Numbers before it keep the sign of the weight.
pub const QUATERNION: usize = 24;

/// The first number of the dual part.
pub const DUAL: usize = 28;

/// The joints of one skin or node at a time.
#[derive(Default)]
pub struct Joints {
    whose: Option<Whose>,
    matrices: Vec<DMat4>,
    /// The joints; "no joint" is the last.
    motions: Vec<JointMotion>,
    numbers: Vec<Numbers>,
}

impl Joints {
    /// Clears everything, for another pose.
    pub fn forget(&mut self) {
        self.whose = None;
    }

    /// Prepares the joints that move a primitive of an instance.
    pub fn prepare(
        &mut self,
        model: &Model,
        (number, instance): (usize, &Instance),
        has_influences: bool,
        pose: &Pose,
    ) {
        let is_skinned = skin_of(model, instance, has_influences).is_some();
        let whose = Whose::of(number, instance, is_skinned, pose);
        if self.whose == Some(whose) {
            return;
        }
        self.whose = Some(whose);
        matrices_into(model, instance, has_influences, pose, &mut self.matrices);
        self.matrices.push(DMat4::IDENTITY);
        self.motions.clear();
        polar::decompose_each(&self.matrices, |matrix, polar| {
            self.motions.push(JointMotion::of(matrix, polar));
        });
        self.numbers.clear();
        self.numbers.extend(self.motions.iter().map(numbers));
    }

    /// Returns a joint.
    #[inline(always)]
    pub fn motion(&self, joint: u32) -> &JointMotion {
        &self.motions[self.place(joint)]
    }

    /// Returns the numbers of a joint.
    #[inline(always)]
    pub fn numbers(&self, joint: u32) -> &Numbers {
        &self.numbers[self.place(joint)]
    }

    #[inline(always)]
    fn place(&self, joint: u32) -> usize {
        (joint as usize).min(self.numbers.len() - 1)
    }
}

fn numbers(joint: &JointMotion) -> Numbers {
    let mut numbers = [0.0; 32];
    numbers[..9].copy_from_slice(&joint.m.matrix3.to_cols_array());
    numbers[9..STRETCH].copy_from_slice(&joint.m.translation.to_array());
    numbers[STRETCH..STRETCH + 9].copy_from_slice(&joint.s.to_cols_array());
    numbers[SIZES..SIZES + 2].copy_from_slice(&joint.sizes());
    numbers[QUATERNION..DUAL].copy_from_slice(&joint.q.to_array());
    numbers[DUAL..].copy_from_slice(&joint.d.to_array());
    numbers
}
