//! A file's scenes as lists of roots: which nodes a scene shows.
//! It must not know what hangs on the nodes.

/// One scene of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneRoots {
    /// Name; empty where the file gives none.
    pub name: String,
    /// Indices into [`Rig`](super::Rig) of the nodes it lists, in its order.
    pub roots: Vec<usize>,
}
