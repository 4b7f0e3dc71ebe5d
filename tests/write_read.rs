//! What is written is what is read: a model through the writer and the loader is the same model.
//! Neither side may be told about the other here.

use sinew::model::gltf::load_bytes;
use sinew::model::gltf::write::write_glb;
use sinew::model::{Model, builtin};

fn read(bytes: &[u8]) -> Model {
    load_bytes(bytes, None).unwrap_or_else(|e| unreachable!("a file of our own does not load: {e}"))
}

#[test]
fn built_in_models_load_without_a_warning() {
    for name in ["character", "twist", "bend", "strip", "tube-2", "tube-600"] {
        let model = read(&builtin::glb(name).unwrap());
        assert_eq!(model.warnings, [], "{name}");
        assert!(!model.clips.is_empty(), "{name}");
    }
}

#[test]
fn writing_what_was_read_gives_the_same_model() {
    for name in ["character", "twist", "strip", "tube-200"] {
        let mut first = read(&builtin::glb(name).unwrap());
        let mut second = read(&write_glb(&first).unwrap());
        // Turns are normalised at every reading, which may change their last bit.
        for (a, b) in first.clips.iter_mut().zip(&mut second.clips) {
            for (a, b) in a.channels.iter_mut().zip(&mut b.channels) {
                let (a, b) = (std::mem::take(&mut a.values), std::mem::take(&mut b.values));
                assert_eq!(a.len(), b.len(), "{name}");
                assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 2e-7), "{name}");
            }
        }
        for (a, b) in first.rig.rest.drain(..).zip(second.rig.rest.drain(..)) {
            assert!(a.parent_from_node().abs_diff_eq(b.parent_from_node(), 1e-15), "{name}");
        }
        // Nodes are written in the rig's order.
        let order: Vec<u32> = (0..first.rig.len() as u32).collect();
        assert_eq!(std::mem::take(&mut second.rig.file_index), order, "{name}");
        first.rig.file_index.clear();
        // `Debug` shows every number in full, so that equal text is an equal model.
        let (first, second) = (format!("{first:?}"), format!("{second:?}"));
        let same = first.bytes().zip(second.bytes()).take_while(|(a, b)| a == b).count();
        assert!(first == second, "{name}: {:?}", second.get(same.saturating_sub(80)..same + 20));
    }
}
