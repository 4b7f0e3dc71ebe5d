//! Names of our own in files: what the format has no word for. A skin's method is `extras.sinew.skinning`.

/// The attribute with each vertex's share of dual quaternions.
pub const SHARE: &str = "_SINEW_SHARE";
