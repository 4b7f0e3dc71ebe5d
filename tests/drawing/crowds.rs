//! Crowds: every figure is the one that is drawn alone, wherever it stands and whoever skins it.

use crate::common;
use crate::proof::assert_same;

use std::sync::Arc;

use sinew::camera::Bounds;
use sinew::look::{Quality, Samples};
use sinew::model::{AlphaMode, Model};
use sinew::render::{GpuModel, Renderer};
use sinew::scene::{Crowd, Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{ClipMix, PoseChoice};

fn scene(crowd: Crowd, mode: SkinningMode) -> Scene {
    Scene { crowd: Some(crowd), ..common::scene(mode, PoseChoice::clip(0, 0.7), [192, 144]) }
}

fn draw(renderer: &mut Renderer, gpu: &mut GpuModel, scene: &Scene) -> sinew::image::Image {
    renderer.draw(gpu, scene).unwrap();
    renderer.read().unwrap()
}

/// Vertex shaders find each figure's slots and its place in the palette; the CPU writes its vertices. Of 23 figures some
/// share a draw, some groups are not full, and a tube of 300 joints has a palette for itself.
#[test]
fn the_cpu_draws_the_crowd_that_the_gpu_draws() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    for name in ["character", "twist", "tube-300", "tube-513"] {
        let model = common::builtin(name);
        let mut gpu = renderer.upload(model).unwrap();
        for (mode, quality) in
            SkinningMode::ALL.into_iter().flat_map(|mode| Quality::ALL.map(|quality| (mode, quality)))
        {
            let mut scene = scene(Crowd { count: 23, seed: 5 }, mode);
            scene.look.quality = quality;
            let [on_gpu, on_cpu, by_choice] = [Processor::Gpu, Processor::Cpu, Processor::Auto]
                .map(|skin| draw(&mut renderer, &mut gpu, &Scene { skin, ..scene.clone() }));
            let what = format!("{name} {mode} {quality:?}");
            assert_same(&on_gpu, &on_cpu, &what);
            assert_same(&on_gpu, &by_choice, &what);
        }
    }
    renderer.device().wait_idle().unwrap();
}

/// A crowd of one at the time that its clock shows is the figure itself, in the same picture.
#[test]
fn a_crowd_of_one_is_the_figure_at_its_time() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let model = common::builtin("character");
    let crowd = Crowd { count: 1, seed: 3 };
    let length = model.length_of([0].into_iter());
    let grid = crowd.grid(glam::DVec3::ONE);
    let time_secs = crowd.member(0, &grid, 0.7, length).time_secs;
    assert!((time_secs - 0.7).abs() > 0.01);
    let mut gpu = renderer.upload(model).unwrap();
    for skin in [Processor::Gpu, Processor::Cpu] {
        let one = Scene { skin, ..scene(crowd, SkinningMode::DualQuat) };
        let alone = Scene { crowd: None, pose: PoseChoice::clip(0, time_secs), ..one.clone() };
        let [crowd, alone] = [one, alone].map(|scene| draw(&mut renderer, &mut gpu, &scene));
        assert_same(&crowd, &alone, skin.name());
    }
    renderer.device().wait_idle().unwrap();
}

/// Blended surfaces of a crowd are drawn figure by figure, the farthest first; without blending the nearest come first.
#[test]
fn blended_figures_show_through_each_other() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let solid = common::builtin("twist");
    let mut blended = Model::clone(&solid);
    for material in &mut blended.materials {
        (material.alpha, material.base_color[3]) = (AlphaMode::Blend, 0.5);
    }
    let mut scene = scene(Crowd { count: 6, seed: 1 }, SkinningMode::Linear);
    scene.camera = "90,0".parse::<sinew::camera::Orbit>().unwrap().into();
    let mut pictures = Vec::new();
    for model in [Arc::clone(&solid), Arc::new(blended)] {
        let mut gpu = renderer.upload(model).unwrap();
        let [on_gpu, on_cpu] = [Processor::Gpu, Processor::Cpu]
            .map(|skin| draw(&mut renderer, &mut gpu, &Scene { skin, ..scene.clone() }));
        assert_same(&on_gpu, &on_cpu, "blended");
        pictures.push(on_gpu);
    }
    // The rods stand behind each other. Where three overlap, more of them is seen than of two.
    let middle = |picture: &sinew::image::Image| {
        let at = (72 * 192 + 96) * 4;
        picture.rgba[at..at + 3].iter().map(|channel| u32::from(*channel)).sum::<u32>()
    };
    assert_ne!(middle(&pictures[0]), middle(&pictures[1]));
    renderer.device().wait_idle().unwrap();
}

/// The camera frames all figures, and those out of its sight are not drawn.
#[test]
fn a_crowd_is_framed_and_culled() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let model = common::builtin("character");
    let mut gpu = renderer.upload(model).unwrap();
    let mut scene = scene(Crowd { count: 100, seed: 0 }, SkinningMode::Linear);
    scene.look.samples = Some(Samples::One);
    let picture = draw(&mut renderer, &mut gpu, &scene);
    assert_eq!(renderer.counts().figures, 100);
    // Nothing touches the edges.
    let background = &picture.rgba[..4];
    let edge = |x: usize, y: usize| &picture.rgba[(y * 192 + x) * 4..][..4] == background;
    assert!((0..192).all(|x| edge(x, 0) && edge(x, 143)) && (0..144).all(|y| edge(0, y) && edge(191, y)));
    assert!(picture.rgba.chunks(4).filter(|pixel| *pixel != background).count() > 1000);

    let hull: Vec<glam::DVec3> = gpu.hull(&scene.pose).to_vec();
    let size = {
        let bounds = Bounds::around(&hull);
        bounds.max - bounds.min
    };
    scene.camera = format!("30,10,{}", size.length() * 2.0).parse::<sinew::camera::Orbit>().unwrap().into();
    let near = draw(&mut renderer, &mut gpu, &scene);
    let seen = renderer.counts().figures;
    assert!((2..80).contains(&seen), "{seen}");
    // Leaving figures out changes nothing: the same camera without culling, which shadows forbid.
    scene.look.quality = Quality::Full;
    draw(&mut renderer, &mut gpu, &scene);
    assert_eq!(renderer.counts().figures, 100);
    assert!(near.rgba != picture.rgba);
    renderer.device().wait_idle().unwrap();
}

/// A pose that stays is skinned once; one that changes is not taken for it.
#[test]
fn still_crowds_are_kept_until_they_change() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let mut gpu = renderer.upload(common::builtin("character")).unwrap();
    let mut fresh = Renderer::new(common::open(), None).unwrap();
    let mut fresh_gpu = fresh.upload(common::builtin("character")).unwrap();
    let rest = |mode| Scene {
        pose: PoseChoice::Rest,
        skin: Processor::Cpu,
        ..scene(Crowd { count: 4, seed: 0 }, mode)
    };
    let raised = {
        let mut mix = ClipMix::default();
        mix.edits.shares.set_all(0.5);
        PoseChoice::Clips(mix)
    };
    let scenes = [
        rest(SkinningMode::Linear),
        rest(SkinningMode::Linear),
        rest(SkinningMode::Linear),
        Scene { crowd: Some(Crowd { count: 5, seed: 0 }), ..rest(SkinningMode::Linear) },
        Scene { pose: raised, ..rest(SkinningMode::Blended) },
        Scene { pose: PoseChoice::Bind, ..rest(SkinningMode::Blended) },
        rest(SkinningMode::Rigid),
    ];
    for (number, scene) in scenes.iter().enumerate() {
        let kept = draw(&mut renderer, &mut gpu, scene);
        // A single figure between them takes the place of all that was kept.
        let alone = Scene { crowd: None, pose: PoseChoice::clip(0, 0.1 * number as f64), ..scene.clone() };
        draw(&mut fresh, &mut fresh_gpu, &alone);
        draw(&mut fresh, &mut fresh_gpu, &alone);
        assert_same(&kept, &draw(&mut fresh, &mut fresh_gpu, scene), &format!("scene {number}"));
    }
    renderer.device().wait_idle().unwrap();
    fresh.device().wait_idle().unwrap();
}
