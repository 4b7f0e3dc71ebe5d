//! Renders one picture with the library: `cargo run --example render_png -- fox.glb fox.png`

use std::sync::Arc;

use sinew::image::write_png;
use sinew::model::gltf;
use sinew::render::{Renderer, open_device};
use sinew::scene::Scene;
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::vulkan::{DeviceChoice, InstanceOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (file, out) = words.next().zip(words.next()).ok_or("usage: render_png MODEL OUT.png")?;

    let model = Arc::new(gltf::load(file.as_ref())?);
    let device = open_device(&InstanceOptions::default(), &DeviceChoice::Best)?;
    let mut renderer = Renderer::new(device, None)?;
    let scene = Scene {
        mode: SkinningMode::DualQuat,
        pose: PoseChoice::clip(0, 0.5),
        size: [640, 480],
        ..Scene::new(file)
    };
    let mut gpu = renderer.upload(model)?;
    let image = renderer.picture(&mut gpu, &scene)?;
    write_png(&image, std::fs::File::create(out)?)?;
    Ok(())
}
