//! Tests that whoever waits for a model is told how far it is, and may stop.

use std::sync::{Arc, Mutex};

use sinew_model::gltf::load_bytes_with;
use sinew_model::{LoadError, Options, Watch, builtin};

/// A file of one mesh is told of in many steps, too, and each of them can be the last.
#[test]
fn one_mesh_is_read_in_steps_and_stops_at_each() {
    let glb = builtin::glb("bend").unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let stopped_after = |most: usize| {
        let told = Arc::clone(&told);
        told.lock().unwrap().clear();
        let watch = Watch::new(move |share| {
            let mut told = told.lock().unwrap();
            told.push(share);
            told.len() <= most
        });
        load_bytes_with(&glb, None, &Options { watch, ..Options::default() })
    };
    let model = stopped_after(usize::MAX).unwrap();
    assert_eq!((model.meshes.len(), model.meshes[0].primitives.len()), (1, 1));
    let shares = told.lock().unwrap().clone();
    assert!(shares.is_sorted() && shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    assert!(shares.first() == Some(&0.0) && shares.last().is_some_and(|last| *last > 0.8), "{shares:?}");
    assert!(shares.iter().filter(|share| (0.1..0.9).contains(*share)).count() > 3, "{shares:?}");
    for most in 0..shares.len() {
        assert!(matches!(stopped_after(most), Err(LoadError::Stopped)), "after {most}");
    }
}
