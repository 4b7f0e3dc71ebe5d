//! Edits the weights of each model with a locked joint: the written file has its weights to the bit, and the clips, too.

use std::collections::HashMap;
use std::path::Path;

use sinew::model::gltf::StoredWeights;
use sinew::model::{Influences, Model, Options, SUM_TOLERANCE, builtin, load_bytes, stored_weights};
use sinew::skinning::reweight::Weights;

use crate::common::{run_well, sinew};
use crate::model_files;

/// A file as it is loaded and as it is stored.
struct File {
    model: Model,
    stored: StoredWeights,
}

impl File {
    fn read(bytes: &[u8], folder: Option<&Path>) -> Self {
        let model = load_bytes(bytes, folder, &Options::default()).unwrap().model;
        let stored = stored_weights(bytes, folder, &Options::default()).unwrap();
        Self { model, stored }
    }
}

pub fn locked_weights_keep_their_bits(corpus: &Path) -> usize {
    let files = model_files(&corpus.join("models")).into_iter().map(|path| {
        let file = File::read(&std::fs::read(&path).unwrap(), path.parent());
        (path.to_str().unwrap().to_owned(), file)
    });
    let built_in = builtin::list().iter().map(|listed| {
        let name = listed.name.replace("-N", "-17");
        (format!("builtin:{name}"), File::read(&builtin::glb(&name).unwrap(), None))
    });
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new.glb");
    let (mut run, mut bits) = (0, 0);
    for (name, old) in files.chain(built_in) {
        let Some([locked, smoothed]) = busiest(&old.model) else { continue };
        let number = |node: usize| format!("#{}", old.model.rig.file_index[node]);
        let [lock, smooth] = [number(locked), format!("{}@2", number(smoothed))];
        let mut command = sinew(["weights", &name, "--lock", &lock, "--smooth", &smooth, "-o"]);
        run_well(command.arg(&out));
        let new = File::read(&std::fs::read(&out).unwrap(), None);
        bits += compare(&name, &old, &new, locked);
        if old.model.clips.iter().all(|clip| clip.first_secs() >= 0.0) {
            same_clips(&name, &old.model, &new.model);
        }
        run += 1;
    }
    println!("{bits} weights of locked joints have the bits of their files");
    run
}

/// The joint with the largest sum of weights, and the one that shares most with it.
fn busiest(model: &Model) -> Option<[usize; 2]> {
    let weights = Weights::new(model);
    let most = |sums: HashMap<usize, f64>| {
        let mut sums: Vec<(usize, f64)> = sums.into_iter().collect();
        sums.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        sums.first().map(|(node, _)| *node)
    };
    let sums = |beside: Option<usize>| {
        let mut sums: HashMap<usize, f64> = HashMap::new();
        for part in &weights.parts {
            let joints = &model.skins[part.skin].joints;
            for row in &part.rows {
                let own: Vec<(usize, f64)> =
                    row.weights().map(|(joint, weight)| (joints[joint as usize], weight)).collect();
                let share = match beside {
                    Some(beside) => {
                        own.iter().find(|(node, _)| *node == beside).map_or(0.0, |(_, weight)| *weight)
                    }
                    None => own.len() as f64,
                };
                for (node, weight) in own.iter().filter(|(node, _)| Some(*node) != beside) {
                    *sums.entry(*node).or_default() += weight * share;
                }
            }
        }
        sums
    };
    let first = most(sums(None))?;
    Some([first, most(sums(Some(first)))?])
}

/// The weights of a vertex above zero, with the numbers of their joints.
fn row(of: &Influences, vertex: usize) -> Vec<(i32, f32)> {
    let slots = (0..of.spans.len()).flat_map(|span| {
        let (joints, weights) = of.of_vertex(span, vertex);
        joints.into_iter().zip(weights)
    });
    slots.filter(|(_, weight)| *weight > 0.0).collect()
}

fn weight(row: &[(i32, f32)], joint: i32) -> u32 {
    row.iter().find(|(other, _)| *other == joint).map_or(0, |(_, weight)| weight.to_bits())
}

/// Compares a joint's weights in all vertices, as they are loaded and as they are stored. Returns the number of those stored.
fn compare(name: &str, old: &File, new: &File, node: usize) -> usize {
    let mut count = 0;
    for part in &Weights::new(&old.model).parts {
        let Some(joint) = old.model.skins[part.skin].joints.iter().position(|own| *own == node) else {
            continue;
        };
        let joint = joint as i32;
        let [was, is] = [old, new].map(|file| &file.model.meshes[part.mesh].primitives[part.primitive]);
        let [stored_was, stored_is] =
            [(old, was), (new, is)].map(|(file, of)| file.stored.of(part.mesh, of.file_index).unwrap());
        for vertex in 0..was.positions.len() {
            let loaded = [was, is].map(|of| weight(&row(of.influences.as_ref().unwrap(), vertex), joint));
            assert_eq!(loaded[0], loaded[1], "{name}: vertex {vertex} of mesh {} as loaded", part.mesh);
            let before = row(stored_was, vertex);
            let sum: f64 = before.iter().map(|(_, weight)| f64::from(*weight)).sum();
            let is_repeated = before.iter().filter(|(other, _)| *other == joint).count() > 1;
            // Loading repairs other sums, and weights below its grid are none.
            if (sum - 1.0).abs() > SUM_TOLERANCE * before.len() as f64 || is_repeated || loaded[0] == 0 {
                continue;
            }
            let stored = [weight(&before, joint), weight(&row(stored_is, vertex), joint)];
            assert_eq!(stored[0], stored[1], "{name}: vertex {vertex} of mesh {} as stored", part.mesh);
            count += 1;
        }
    }
    count
}

/// Checks that clips have the same bits.
fn same_clips(name: &str, old: &Model, new: &Model) {
    assert_eq!(old.clips.len(), new.clips.len(), "{name}");
    for (was, is) in old.clips.iter().zip(&new.clips) {
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        for channel in &is.channels {
            // The writer puts nodes in the rig's order.
            let node = new.rig.file_index[channel.node] as usize;
            let same =
                was.channels.iter().find(|other| other.node == node && other.property == channel.property);
            let Some(same) = same else { continue };
            assert_eq!(bits(&same.times), bits(&channel.times), "{name}: {} of node {node}", was.name);
            assert_eq!(bits(&same.values), bits(&channel.values), "{name}: {} of node {node}", was.name);
        }
    }
}
