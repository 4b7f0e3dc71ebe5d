//! Runs sinew under validation: no error, no warning, nothing left behind, whatever it draws.
//!
//! How much the layer sees depends on its version: 1.3.239 does not follow the attachments of dynamic
//! rendering, so only newer ones report a barrier missing before the next frame.

use std::sync::Arc;

use sinew::model::Model;
use sinew::render::Renderer;
use sinew::scene::{Crowd, Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::vulkan::VulkanError;

use crate::common::{builtin, open, scene};
use crate::done_in_a_watched_process;
use crate::models::everything;

#[test]
fn every_model_in_every_mode_leaves_no_message() {
    if done_in_a_watched_process("clean::every_model_in_every_mode_leaves_no_message") {
        return;
    }
    let device = open();
    let messages = Arc::clone(device.messages());
    let mut renderer = Renderer::new(Arc::clone(&device), None).unwrap();
    let names = ["character", "twist", "bend", "strip", "tube-2", "tube-512", "tube-513"];
    let mut models: Vec<(&str, Arc<Model>)> = names.map(|name| (name, builtin(name))).to_vec();
    models.push(("everything", Arc::new(everything())));
    models.push(("nothing", Arc::new(Model::default())));
    for (name, model) in models {
        let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
        let clip = PoseChoice::clip(0, 0.5);
        for pose in [&PoseChoice::Bind, &clip, &PoseChoice::Rest] {
            for mode in SkinningMode::ALL {
                for skin in
                    [Processor::Gpu, Processor::Gpu, Processor::Cpu, Processor::Compute, Processor::Compute]
                {
                    let scene = Scene { skin, ..scene(mode, pose.clone(), [64, 64]) };
                    renderer.draw(&mut gpu, &scene).unwrap();
                }
                for count in [3, 3, 40] {
                    let crowd = Some(Crowd { count, seed: 1 });
                    let scene = scene(mode, pose.clone(), [64, 64]);
                    renderer.draw(&mut gpu, &Scene { skin: Processor::Compute, crowd, ..scene }).unwrap();
                }
                renderer.skin(&mut gpu, mode, pose).unwrap();
            }
        }
        for size in [[1, 1], [200, 40], [64, 64]] {
            renderer.draw(&mut gpu, &scene(SkinningMode::Linear, clip.clone(), size)).unwrap();
            let image = renderer.read().unwrap();
            assert_eq!([image.width, image.height], size);
            assert_eq!(image.rgba.len() as u32, size[0] * size[1] * 4);
        }
        let passes = renderer.pass_times().unwrap();
        assert!(passes.iter().all(|pass| pass.millis >= 0.0) && !passes.is_empty(), "{passes:?}");
        device.wait_idle().unwrap();
        drop(gpu);
        assert_eq!((messages.errors(), messages.warnings()), (vec![], vec![]), "{name}");
    }
    drop(renderer);
    device.close();
    assert_eq!((messages.errors(), messages.warnings()), (vec![], vec![]), "at the end");
}

/// The renderer refuses a frame it cannot draw by name, and draws the next one.
#[test]
fn a_picture_beyond_the_limit_is_refused_and_the_next_one_drawn() {
    let device = open();
    let messages = Arc::clone(device.messages());
    let mut renderer = Renderer::new(Arc::clone(&device), None).unwrap();
    let mut gpu = renderer.upload(builtin("strip")).unwrap();
    let mut draw = |size: [u32; 2]| {
        renderer.draw(&mut gpu, &scene(SkinningMode::Linear, PoseChoice::Rest, size))?;
        renderer.read()
    };
    draw([16, 16]).unwrap();
    let limits = &device.physical().limits;
    let most = limits.max_framebuffer_width.min(limits.max_image_dimension2_d);
    for (size, side) in [([most + 1, 16], "width"), ([16, most + 1], "height"), ([u32::MAX; 2], "width")] {
        let error = draw(size).unwrap_err();
        assert!(matches!(error, VulkanError::Limit { .. }), "{error}");
        let text = error.to_string();
        for part in [side, "picture", &most.to_string(), &device.physical().name] {
            assert!(text.contains(part), "does not say '{part}': {text}");
        }
        assert_eq!(draw([16, 16]).unwrap().rgba.len(), 16 * 16 * 4);
    }
    drop((renderer, gpu));
    device.close();
    assert_eq!((messages.errors(), messages.warnings()), (vec![], vec![]));
}
