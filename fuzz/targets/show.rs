//! Takes small models that load through everything before the graphics card: posing, framing, every way of
//! skinning, measuring and writing.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;
#[path = "../../tests/hostile/show.rs"]
mod show;

mod parts;

use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};
use sinew::model::Model;
use sinew::model::gltf::load_bytes;

/// The most vertices drawn in all, so that one input takes little time.
const MAX_VERTICES: usize = 500;

fn vertices(model: &Model) -> usize {
    let of_mesh =
        |mesh: usize| model.meshes[mesh].primitives.iter().map(|p| p.positions.len() + p.indices.len());
    model.instances.iter().flat_map(|instance| of_mesh(instance.mesh)).sum()
}

fuzz_target!(|input: &[u8]| -> Corpus {
    match load_bytes(&parts::to_glb(input), None) {
        Ok(model) if vertices(&model) <= MAX_VERTICES && model.rig.len() <= 200 => {
            show::show(&model);
            Corpus::Keep
        }
        _ => Corpus::Reject,
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    parts::mutate(data, size, max_size, seed)
});
