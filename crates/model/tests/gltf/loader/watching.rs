//! Tests that whoever waits for a model is told how far it is, and may stop.

use sinew_model::builtin;
use sinew_model::gltf::load_bytes_with;

use crate::told;

/// A file of one mesh is told of in many steps, too, and each of them can be the last.
#[test]
fn one_mesh_is_read_in_steps_and_stops_at_each() {
    let glb = builtin::glb("bend").unwrap();
    let (model, shares) = told::at_each_step(|options| load_bytes_with(&glb, None, options));
    assert_eq!((model.meshes.len(), model.meshes[0].primitives.len()), (1, 1));
    assert!(shares.first() == Some(&0.0), "{shares:?}");
    assert!(shares.iter().filter(|share| (0.1..0.9).contains(*share)).count() > 3, "{shares:?}");
}
