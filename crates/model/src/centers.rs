//! Room for centres of rotation, which a model gets when a skinning mode first asks for them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The centres of a mesh's vertices in bind space, primitive by primitive.
pub type MeshCenters = Vec<Vec<[f32; 3]>>;

/// The centres by skin and mesh; they are set once.
///
/// A copy starts empty, because its mesh may be changed.
#[derive(Debug, Default)]
pub struct Centers(OnceLock<BTreeMap<(usize, usize), MeshCenters>>);

impl Centers {
    /// The centres, if they have been set.
    pub fn get(&self) -> Option<&BTreeMap<(usize, usize), MeshCenters>> {
        self.0.get()
    }

    /// The centres; if they are not set yet, `find` is called for them. Other threads wait for it.
    pub fn get_or_find(
        &self,
        find: impl FnOnce() -> BTreeMap<(usize, usize), MeshCenters>,
    ) -> &BTreeMap<(usize, usize), MeshCenters> {
        self.0.get_or_init(find)
    }
}

impl Clone for Centers {
    fn clone(&self) -> Self {
        Self::default()
    }
}
