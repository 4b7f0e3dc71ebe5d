//! Names the skinning that made given vertices: mode, deviations from the definition, moment, axes and unit. This module
//! must not know file formats or command lines.
//!
//! Your own skinning is judged without a file, see [`arrays`]:
//!
//! ```
//! use glam::{DMat4, DVec3};
//! use sinew_analysis::diagnose::{Arrays, arrays};
//!
//! // A rod along y; the second joint turns its upper half by a right angle.
//! let positions: Vec<[f32; 3]> = (0..=20).map(|n| [0.1, n as f32 * 0.1, 0.0]).collect();
//! let weights: Vec<[f32; 4]> = (0..=20).map(|n| n as f32 / 20.0).map(|w| [1.0 - w, w, 0.0, 0.0]).collect();
//! let joints = vec![[0, 1, 0, 0]; 21];
//! let turn = DMat4::from_rotation_z(1.5);
//! let matrices = [DMat4::IDENTITY, DMat4::from_translation(DVec3::Y) * turn * DMat4::from_translation(-DVec3::Y)];
//!
//! // What your engine made: here, linear blending.
//! let made: Vec<[f64; 3]> = positions.iter().zip(&weights).map(|(p, w)| {
//!     let p = DVec3::from(p.map(f64::from));
//!     let moved = matrices.iter().zip(w).map(|(m, w)| m.transform_point3(p) * f64::from(*w));
//!     moved.sum::<DVec3>().to_array()
//! }).collect();
//!
//! let given = Arrays { positions: &positions, joints: &[&joints], weights: &[&weights], matrices: &matrices };
//! let answer = arrays(&given, &made)?;
//! assert_eq!(answer.verdict.mode, "lbs");
//! assert!(answer.verdict.agrees);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod ask;
mod common;
mod deviation;
mod directions;
mod engine;
mod fit;
mod found;
mod library;
mod made;
mod matching;
mod moment;
mod overlay;
mod placement;
mod recipe;
mod rounding;
mod sampling;
mod search;
mod sentence;
mod subject;
mod summary;
#[cfg(test)]
mod tests;
mod turned;

pub use answer::{Answer, Asked, Candidate, Expected, Matched, NotFinite, Question, Verdict, Worst};
pub use ask::ask;
pub use deviation::{Deviation, Store, Sum, UnknownDeviation};
pub use directions::Directions;
pub(crate) use fit::{Fit, Fitting};
pub use library::{Arrays, BadArrays, arrays};
pub use made::{Made, made};
pub use matching::{By, NoMatch};
pub use overlay::{overlay, positions, vertices};
pub use placement::{Placement, PlacementWords};
pub use recipe::{NoRecipe, Recipe};
pub use search::Distances;
pub use sentence::scientific;
