//! The selection of vertices and the edits of their weights, as undo keeps them.

use std::sync::Arc;

use sinew_skinning::reweight::{PlacedEdit, Places};

/// The selected places, and the edits of weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weighed {
    pub places: Places,
    pub edits: Arc<Vec<PlacedEdit>>,
}
