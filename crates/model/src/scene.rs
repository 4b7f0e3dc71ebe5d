//! The scenes of a file, as lists of root nodes.

/// One scene of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneRoots {
    /// Name; empty if the file gives none.
    pub name: String,
    /// Indices of its root nodes in [`Rig`](super::Rig), in the file's order.
    pub roots: Vec<usize>,
}
