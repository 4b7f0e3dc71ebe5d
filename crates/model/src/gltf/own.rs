//! Sinew's extensions of files, for data without a standard name. A skin's method is `extras.sinew.skinning`, and the
//! drivers of a node's morph weights are `extras.sinew.drivers`.

/// The attribute with each vertex's share of dual quaternions.
pub const SHARE: &str = "_SINEW_SHARE";
