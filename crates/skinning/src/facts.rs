//! Constants of a skinning mode.

/// Constants of a mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// The name that users type: `--mode NAME`.
    pub name: &'static str,
    /// The method in a few words, for help and the window.
    pub title: &'static str,
    /// What it does to a vertex, as a clause.
    pub help: &'static str,
    /// What the columns of a slot hold.
    pub slot: &'static str,
    /// How far skinned positions may be from the `f64` reference, in units of the mesh's reach.
    pub bound: f64,
    /// How many roundings of `f32` a GPU may be off the twin if it fuses or divides in its own way.
    pub gpu_roundings: f64,
    /// Whether it turns vertices about their centres of rotation, which take a while to find.
    pub needs_centers: bool,
}
