//! The kernels of `skin.comp` alone, for benchmarks: vertices and palettes on the GPU, skinned without a picture and timed
//! run by run, and the device's own copy as their limit. It must not depend on models, scenes or command lines.

mod bench;
mod clock;
mod copying;
mod made_up;
mod packing;
mod slots;
mod split;
mod workload;

pub use bench::{Kernels, Traffic, UNSPLIT, Wanted};
pub use clock::{MAX_AT_ONCE, Times};
pub use copying::Copying;
pub use made_up::{MadeUp, Order};
pub use slots::SlotsIn;
pub use workload::{Outputs, Workload};
