//! Constants of a skinning mode.

/// Constants of a mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// The name that users type: `--mode NAME`.
    pub name: &'static str,
    /// The method in a few words, for help and the window.
    pub title: &'static str,
    /// The mode's effect on a vertex, as a clause.
    pub help: &'static str,
    /// The contents of a slot's columns.
    pub slot: &'static str,
    /// The maximum distance of skinned positions from the `f64` reference, in units of the mesh's reach.
    pub bound: f64,
    /// The maximum difference between a GPU and the twin in roundings of `f32`, if the GPU fuses or divides differently.
    pub gpu_roundings: f64,
    /// True if the mode leaves out how joints scale and shear.
    pub drops_scale: bool,
    /// True for a dialect of *dqs*: the mode equals it if no joint scales or shears.
    pub is_dialect: bool,
    /// True if the mode turns vertices about their centres of rotation, which take a while to find.
    pub needs_centers: bool,
    /// True if the mode reads the smoothed surroundings of vertices, which take a while to find.
    pub needs_ddm: bool,
}

impl Facts {
    /// Returns the bound for a coordinate between a GPU that fuses or divides differently and the twin. `radius` is the
    /// largest coordinate.
    pub fn gpu_bound(&self, radius: f64) -> f64 {
        self.gpu_roundings * f64::from(f32::EPSILON) / 2.0 * (1.0 + radius)
    }
}
