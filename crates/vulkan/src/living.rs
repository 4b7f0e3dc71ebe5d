//! Names of live objects that were created from a device.

/// Names of all live objects, in creation order.
#[derive(Default)]
pub(super) struct Living {
    pub(super) next: u64,
    pub(super) names: std::collections::BTreeMap<u64, String>,
}
