//! Crowds: every figure matches the one that is drawn alone, wherever it stands and whichever processor skins it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::proof::assert_same;
use crate::studio;

use std::sync::Arc;

use glam::{DMat4, DVec3};
use sinew::camera::Bounds;
use sinew::look::{Quality, Samples};
use sinew::model::{AlphaMode, Instance, LocalTransform, Model, Rig};
use sinew::render::{GpuModel, PaletteChoice, Renderer};
use sinew::scene::{Crowd, PaletteIn, Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{ClipMix, PoseChoice};
use sinew::vulkan::CacheFile;

fn scene(crowd: Crowd, mode: SkinningMode) -> Scene {
    Scene { crowd: Some(crowd), ..common::scene(mode, PoseChoice::clip(0, 0.7), [192, 144]) }
}

fn draw(renderer: &mut Renderer, gpu: &mut GpuModel, scene: &Scene) -> sinew::image::Image {
    renderer.draw(gpu, scene).unwrap();
    renderer.read().unwrap()
}

/// Vertex shaders find each figure's slots and its place in the palette; the CPU writes its vertices. Of 11 figures some
/// share a draw, some groups are not full, and a tube of 300 joints has a palette for itself.
#[test]
fn the_cpu_draws_the_crowd_that_the_gpu_draws() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    for (number, name) in ["character", "twist", "tube-300", "tube-513"].into_iter().enumerate() {
        let model = common::builtin(name);
        let mut gpu = renderer.upload(model).unwrap();
        // Each model in each mode and in each quality. Each pair of mode and quality occurs with some model.
        for (turn, mode) in SkinningMode::ALL.into_iter().enumerate() {
            let quality = Quality::ALL[(number + turn) % Quality::ALL.len()];
            let mut scene = scene(Crowd { count: 11, seed: 5 }, mode);
            scene.look.quality = quality;
            let mut by = |skin| draw(&mut renderer, &mut gpu, &Scene { skin, ..scene.clone() });
            let on_gpu = by(Processor::Gpu);
            for skin in [Processor::Cpu, Processor::Compute, Processor::Auto] {
                assert_same(&on_gpu, &by(skin), &format!("{name} {mode} {quality:?} {}", skin.name()));
            }
            by(Processor::Compute);
            assert_eq!(renderer.skinned().by, [(mode, Processor::Compute)], "{name} {quality:?}");
            assert!(renderer.pass_times().unwrap().iter().any(|pass| pass.pass == "skin"));
        }
    }
    renderer.device().wait_idle().unwrap();
}

/// No clip moves the targets of the face, so all figures share its morphed vertices on every processor.
#[test]
fn the_faces_of_a_crowd_are_morphed_alike() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let model = common::builtin("character");
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    let plain = scene(Crowd { count: 5, seed: 5 }, SkinningMode::Linear);
    let mut mix = ClipMix { clips: vec![0], time_secs: 0.7, ..ClipMix::default() };
    assert!(mix.edits.set_weight(&model, 0, 0, 3.0));
    let open = Scene { pose: PoseChoice::Clips(mix), ..plain.clone() };
    let mut by = |scene: &Scene, skin| draw(&mut renderer, &mut gpu, &Scene { skin, ..scene.clone() });
    let on_gpu = by(&open, Processor::Gpu);
    assert_ne!(on_gpu, by(&plain, Processor::Gpu), "the mouths are closed");
    for skin in [Processor::Cpu, Processor::Compute] {
        assert_same(&on_gpu, &by(&open, skin), skin.name());
    }
    assert_eq!(renderer.skinned().by, [(SkinningMode::Linear, Processor::Compute)]);
    renderer.device().wait_idle().unwrap();
}

/// A crowd of one at the time that its clock shows is the figure itself, in the same picture.
#[test]
fn a_crowd_of_one_is_the_figure_at_its_time() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let model = common::builtin("character");
    let crowd = Crowd { count: 1, seed: 3 };
    let period = model.period_of_all([0].into_iter());
    let grid = crowd.grid(glam::DVec3::ONE);
    let time_secs = crowd.member(0, &grid, 0.7, period).time_secs;
    assert!((time_secs - 0.7).abs() > 0.01);
    let mut gpu = renderer.upload(model).unwrap();
    for skin in [Processor::Gpu, Processor::Cpu, Processor::Compute] {
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
        let [on_gpu, on_cpu, by_compute] = [Processor::Gpu, Processor::Cpu, Processor::Compute]
            .map(|skin| draw(&mut renderer, &mut gpu, &Scene { skin, ..scene.clone() }));
        assert_same(&on_gpu, &on_cpu, "blended");
        assert_same(&on_gpu, &by_compute, "blended, compute");
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

/// The compute shader skins as many figures of a crowd as its result holds, the vertex shader the others: solid and
/// blended, in the order of their distance. Its result grows and shrinks with the crowd, and follows the mode.
#[test]
fn a_crowd_beyond_the_result_is_skinned_by_both_shaders() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let solid = common::builtin("twist");
    let primitive = &solid.meshes[0].primitives[0];
    assert_eq!((solid.instances.len(), solid.meshes[0].primitives.len()), (1, 1));
    let streams = [primitive.normals.is_some(), primitive.tangents.is_some()];
    let bytes = 12 + streams.iter().zip([12, 16]).map(|(has, size)| u64::from(*has) * size).sum::<u64>();
    // Room for nine figures and some more bytes.
    renderer.limit_crowd_bytes(primitive.positions.len() as u64 * bytes * 9 + 1000);
    let mut blended = Model::clone(&solid);
    for material in &mut blended.materials {
        (material.alpha, material.base_color[3]) = (AlphaMode::Blend, 0.5);
    }
    let (lbs, dqs) = (SkinningMode::Linear, SkinningMode::DualQuat);
    for (model, counts) in [(solid, [40, 7, 21]), (Arc::new(blended), [5, 40, 2])] {
        let mut gpu = renderer.upload(model).unwrap();
        for (count, mode) in counts.into_iter().zip([lbs, lbs, dqs]) {
            let scene = scene(Crowd { count, seed: 2 }, mode);
            let mut by = |skin| draw(&mut renderer, &mut gpu, &Scene { skin, ..scene.clone() });
            assert_same(&by(Processor::Gpu), &by(Processor::Compute), &format!("{count} {mode}"));
            let mut expected = vec![(mode, Processor::Compute)];
            expected.extend((count > 9).then_some((mode, Processor::Gpu)));
            assert_eq!(renderer.skinned().by, expected, "{count}");
        }
    }
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

/// Vertices of a crowd that the compute shader skins go when they are far too large for many pictures, or for as long
/// unused, and at once when a single figure is drawn. The pictures stay the same.
#[test]
fn spare_vertices_of_crowds_are_freed() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let mut gpu = renderer.upload(common::builtin("twist")).unwrap();
    let by = |count, skin| {
        let small = common::scene(SkinningMode::Linear, PoseChoice::clip(0, 0.7), [16, 12]);
        Scene { crowd: Some(Crowd { count, seed: 5 }), skin, ..small }
    };
    // The bytes after each picture.
    let mut after = |scene: &Scene, pictures: u32| -> Vec<u64> {
        let picture = |_| {
            renderer.draw(&mut gpu, scene).unwrap();
            gpu.crowd_bytes()
        };
        (0..pictures).map(picture).collect()
    };
    let (many, few) = (by(40, Processor::Compute), by(3, Processor::Compute));
    let large = after(&many, 1)[0];
    // A picture with all figures between those with few keeps it.
    assert_eq!(after(&few, 9), [large; 9]);
    assert_eq!(after(&many, 1), [large]);
    let shrinking = after(&few, 121);
    assert_eq!(shrinking[..119], [large; 119], "it is kept for a while");
    let small = shrinking[119];
    assert!(small > 0 && 4 * small < large && shrinking[120] == small, "{small} of {large}");
    // Other processors use none.
    assert_eq!(after(&many, 1), [large]);
    let unused = after(&by(40, Processor::Gpu), 120);
    assert_eq!((unused[118], unused[119]), (large, 0));
    assert_eq!(after(&many, 1), [large]);
    assert_eq!(after(&Scene { crowd: None, ..many.clone() }, 1), [0]);
    let expected = draw(&mut renderer, &mut gpu, &by(3, Processor::Gpu));
    assert_same(&draw(&mut renderer, &mut gpu, &few), &expected, "few");
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

/// Nodes that share a mesh are instances of one draw, and look as those that do not: solid and blended, mirrored, in the
/// same place, more of them than a palette has slots, in every kind of view.
#[test]
fn instances_look_like_nodes_with_meshes_of_their_own() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let shared = |blended: bool| {
        let mut model = studio::square(DMat4::IDENTITY, studio::matte());
        (model.rig, model.instances) = (Rig::default(), Vec::new());
        for number in 0..530u32 {
            let place =
                DVec3::new(f64::from(number % 23), f64::from(number / 23), f64::from(number % 7) * 0.3);
            // Some stand where another one does, and some are mirrored.
            let place = if number % 50 == 0 { DVec3::ZERO } else { place };
            let mirrored = if number % 3 == 0 { -1.0 } else { 1.0 };
            let world =
                DMat4::from_translation(place) * DMat4::from_scale(DVec3::new(0.4 * mirrored, 0.4, 0.4));
            model.rig.names.push(String::new());
            model.rig.parents.push(None);
            model.rig.rest.push(LocalTransform::from_matrix(world));
            model.rig.file_index.push(number);
            model.rig.weight_ends.push(0);
            model.instances.push(Instance { node: number as usize, mesh: 0, skin: None });
        }
        let material = &mut model.materials[0];
        material.double_sided = false;
        if blended {
            (material.alpha, material.base_color) = (AlphaMode::Blend, [0.9, 0.4, 0.1, 0.5]);
        }
        model
    };
    let mut most = 0;
    for blended in [false, true] {
        let together = shared(blended);
        let mut apart = together.clone();
        for (number, instance) in apart.instances.iter_mut().enumerate() {
            instance.mesh = number;
        }
        apart.meshes = vec![together.meshes[0].clone(); apart.instances.len()];
        let [mut together, mut apart] =
            [together, apart].map(|model| renderer.upload(Arc::new(model)).unwrap());
        for view in ["shaded", "normals", "weights", "wireframe", "difference:dqs"] {
            for quality in [Quality::Full, Quality::Plain] {
                let mut scene = common::scene(SkinningMode::Linear, PoseChoice::Rest, [160, 160]);
                (scene.view, scene.look.quality) = (view.parse().unwrap(), quality);
                scene.camera = "20,15".parse::<sinew::camera::Orbit>().unwrap().into();
                let one_by_one = draw(&mut renderer, &mut apart, &scene);
                let many = renderer.counts().draws;
                let instanced = draw(&mut renderer, &mut together, &scene);
                assert_same(&instanced, &one_by_one, &format!("{view} {quality:?}, blended: {blended}"));
                if !blended && view == "shaded" {
                    assert!(many == 530 && renderer.counts().draws <= 3, "{many}");
                    most = most.max(many);
                }
            }
        }
    }
    assert_eq!(most, 530);
    renderer.device().wait_idle().unwrap();
}

/// Slots are the same in either kind of buffer: of one figure, of a crowd, and of more instances than one draw has.
#[test]
fn storage_palettes_draw_the_same_pictures() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let mut gpu = renderer.upload(common::builtin("character")).unwrap();
    for mode in SkinningMode::ALL {
        for crowd in [None, Some(Crowd { count: 30, seed: 3 })] {
            let pose = PoseChoice::clip(0, 0.3);
            let by = |palette| Scene {
                skin: Processor::Gpu,
                crowd,
                palette: Some(palette),
                ..common::scene(mode, pose.clone(), [96, 96])
            };
            let [uniform, storage] = [PaletteIn::Uniform, PaletteIn::Storage]
                .map(|palette| draw(&mut renderer, &mut gpu, &by(palette)));
            assert_same(&storage, &uniform, &format!("{mode} {crowd:?}"));
        }
    }
    let mut model = studio::square(DMat4::IDENTITY, studio::matte());
    (model.rig, model.instances) = (Rig::default(), Vec::new());
    for number in 0..5000u32 {
        let place = DVec3::new(f64::from(number % 70), f64::from(number / 70), 0.0);
        model.rig.names.push(String::new());
        model.rig.parents.push(None);
        model.rig.rest.push(LocalTransform::from_matrix(DMat4::from_translation(place)));
        model.rig.file_index.push(number);
        model.rig.weight_ends.push(0);
        model.instances.push(Instance { node: number as usize, mesh: 0, skin: None });
    }
    let mut gpu = renderer.upload(Arc::new(model)).unwrap();
    let mut drawn = Vec::new();
    let pictures = [PaletteIn::Uniform, PaletteIn::Storage].map(|palette| {
        let scene = Scene {
            palette: Some(palette),
            ..common::scene(SkinningMode::Linear, PoseChoice::Rest, [160, 160])
        };
        let picture = draw(&mut renderer, &mut gpu, &scene);
        drawn.push(renderer.counts().draws);
        picture
    });
    assert_same(&pictures[1], &pictures[0], "instances");
    assert_eq!(drawn, [10, 3], "512 or 2048 of 5000 are a draw");
    renderer.device().wait_idle().unwrap();
}

/// Scenes that name no buffer take the one that the cache's entry says is faster, and the picture is the same. Without a
/// usable entry, a software driver takes the uniform buffer.
#[test]
fn the_cache_chooses_the_buffer_of_palettes() {
    let device = common::open();
    let version = env!("CARGO_PKG_VERSION");
    let key = &device.physical().cache_key;
    let folder = tempfile::tempdir().unwrap();
    let file = CacheFile::new(folder.path(), "palettes", device.physical(), b"sinewub1", 1 << 10);
    let crowd = Some(Crowd { count: 30, seed: 3 });
    let scene = Scene {
        skin: Processor::Gpu,
        crowd,
        ..common::scene(SkinningMode::Linear, PoseChoice::clip(0, 0.3), [96, 96])
    };
    let mut drawn = Vec::new();
    for (entry, expected, ratio) in [
        (None, PaletteIn::Uniform, None),
        (Some(format!("{version}\n{key}\n0.68\n")), PaletteIn::Storage, Some(0.68)),
        (Some(format!("{version}\n{key}\n1.25\n")), PaletteIn::Uniform, Some(1.25)),
        (Some(format!("0.0.0\n{key}\n0.68\n")), PaletteIn::Uniform, None),
        (Some(format!("{version}\n{key}x\n0.68\n")), PaletteIn::Uniform, None),
        (Some("0.68".to_owned()), PaletteIn::Uniform, None),
    ] {
        entry.iter().for_each(|text| file.save(text.as_bytes()));
        let known = PaletteChoice::known(device.physical(), Some(folder.path()));
        assert_eq!(known, Some(PaletteChoice { buffer: expected, ratio }), "{entry:?}");
        let mut renderer = Renderer::new(Arc::clone(&device), Some(folder.path())).unwrap();
        let mut gpu = renderer.upload(common::builtin("character")).unwrap();
        let picture = draw(&mut renderer, &mut gpu, &scene);
        let count = renderer.counts().draws;
        let named = Scene { palette: Some(expected), ..scene.clone() };
        assert_same(&draw(&mut renderer, &mut gpu, &named), &picture, &format!("{entry:?}"));
        assert_eq!(renderer.counts().draws, count, "{entry:?}");
        drawn.push((picture, count));
        renderer.device().wait_idle().unwrap();
    }
    assert_ne!(drawn[1].1, drawn[0].1, "figures share draws in other groups");
    drawn.iter().for_each(|(picture, _)| assert_same(picture, &drawn[0].0, "another buffer"));
}

/// A measurement is kept in the cache, for later renderers, too. A folder that cannot be written is no error.
#[test]
fn a_measured_choice_of_palettes_is_kept() {
    let device = common::open();
    let folder = tempfile::tempdir().unwrap();
    let known = || PaletteChoice::known(device.physical(), Some(folder.path()));
    assert_eq!(known().unwrap().ratio, None);
    let mut renderer = Renderer::new(Arc::clone(&device), Some(folder.path())).unwrap();
    let measured = renderer.measure_palettes().unwrap();
    assert!(measured.ratio.is_some_and(|ratio| ratio > 0.0 && ratio.is_finite()), "{measured:?}");
    assert_eq!(known(), Some(measured));
    let scene = Scene::new("test");
    assert_eq!(renderer.palette_of(&scene), measured.buffer);
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut renderer = Renderer::new(Arc::clone(&device), Some(&file)).unwrap();
    renderer.measure_palettes().unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), b"");
}
