//! Skins a file that the `gltf` crate has read: `cargo run -p sinew-skinning --example skin_gltf_document -- model.glb`

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use std::error::Error;

use sinew_model::gltf::from_gltf;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::{SkinningMode, posed};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file? (a .glb that needs no others)")?;
    let gltf::Gltf { document, blob } = gltf::Gltf::open(path)?;
    let model = from_gltf(&document, &[blob.unwrap_or_default()])?;

    let mut pose = Pose::default();
    if !model.clips.is_empty() {
        pose.set(&model, &PoseChoice::clip(0, 0.5));
    }
    for primitive in posed::skin_model(&model, SkinningMode::DualQuat, &pose) {
        let highest = primitive.positions.iter().map(|position| position[1]).fold(f32::MIN, f32::max);
        println!("{} vertices, the highest at y = {highest:.3}", primitive.positions.len());
    }
    Ok(())
}
