//! Skins a model on the CPU: `cargo run --example skin_on_cpu -- fox.glb 0 0.35`

use sinew_model::gltf;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::{SkinningMode, posed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().ok_or("usage: skin_on_cpu MODEL [CLIP [SECONDS]]")?;
    let clip = words.next().map_or(Ok(0), |word| word.parse())?;
    let seconds = words.next().map_or(Ok(0.0), |word| word.parse())?;

    let model = gltf::load(file.as_ref())?;
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(clip, seconds));
    for primitive in posed::skin_model(&model, SkinningMode::DualQuat, &pose) {
        for [x, y, z] in primitive.positions {
            println!("{x} {y} {z}");
        }
    }
    Ok(())
}
