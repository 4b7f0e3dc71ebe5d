//! The fault of a pose, as plain data.

use super::Fault;
use glam::DMat4;

/// The fault of a pose.
#[derive(Clone, Debug)]
pub struct Spoilt {
    /// The mistake.
    pub fault: Fault,
    /// The nodes' transforms some frames before, for [`Fault::StalePalette`].
    pub earlier: Vec<DMat4>,
}
