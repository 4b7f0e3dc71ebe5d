//! Names of the objects that were made from a device.

/// The names of all living objects, in the order they were made.
#[derive(Default)]
pub(super) struct Living {
    pub(super) next: u64,
    pub(super) names: std::collections::BTreeMap<u64, String>,
}
