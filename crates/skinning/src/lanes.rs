//! Numbers in `f64`, computed side by side. Nothing is fused, and a lane does not depend on its neighbours, so every processor
//! gives the bits that each number has alone.

use std::array;
use std::ops::{Add, Mul, Sub};

/// One number per lane.
#[derive(Clone, Copy)]
pub struct Lanes<const N: usize>(pub [f64; N]);

macro_rules! operators {
    ($($trait:ident $name:ident $operator:tt),*) => {
        $(impl<const N: usize> $trait for Lanes<N> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(array::from_fn(|lane| self.0[lane] $operator other.0[lane]))
            }
        })*
    };
}
operators!(Add add +, Sub sub -, Mul mul *);

impl<const N: usize> Lanes<N> {
    /// Returns the same number in every lane.
    #[inline(always)]
    pub fn all(number: f64) -> Self {
        Self([number; N])
    }

    /// Applies a function to every lane.
    #[inline(always)]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self(self.0.map(f))
    }

    /// Multiplies every lane.
    #[inline(always)]
    pub fn times(self, factor: f64) -> Self {
        self * Self::all(factor)
    }

    /// Returns the larger size of two numbers; that of `other` if one is a NaN.
    #[inline(always)]
    pub fn larger(self, other: Self) -> Self {
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        Self(array::from_fn(|lane| larger(self.0[lane].abs(), other.0[lane].abs())))
    }

    /// Selects `positive` in lanes where `self` is positive, else the other.
    #[inline(always)]
    pub fn choose(self, positive: Self, else_: Self) -> Self {
        Self(array::from_fn(|lane| if self.0[lane] > 0.0 { positive.0[lane] } else { else_.0[lane] }))
    }
}

/// Three coordinates.
pub type Vector<const N: usize> = [Lanes<N>; 3];

/// Returns the dot products.
#[inline(always)]
pub fn dot<const N: usize>(a: Vector<N>, b: Vector<N>) -> Lanes<N> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the cross products.
#[inline(always)]
pub fn cross<const N: usize>(a: Vector<N>, b: Vector<N>) -> Vector<N> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
