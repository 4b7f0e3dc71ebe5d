//! Compares the host's structs and vertex formats with the built shaders: offsets, strides, locations and types, read
//! from the SPIR-V. Needs no Vulkan driver.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a shader that cannot be read is a failure")]

use miniz_oxide::inflate::decompress_to_vec_zlib;
use std::io::Write;
use std::mem::offset_of;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sinew_render::{
    CropBlock, FrameBlock, LightBlock, MARK_STREAMS, MaterialBlock, PAINT_STREAMS, PALETTE_WINDOW,
    PaintBlock, PaintVertex, SpanLayout, Stream, Stretch, SurfaceBlock, shaders,
};
use sinew_scene::overlay::Mark;
use sinew_skinning::{SLOTS, SkinningMode, Slot};
use sinew_vulkan::{VertexStream, vk};
use spirv::{Member, Module, Storage};

#[path = "shader_interface/spirv.rs"]
mod spirv;

/// A member of a host struct: name, GLSL type, offset.
type HostMember = (&'static str, &'static str, usize);

/// The members of a struct with the offsets that the compiler gave them.
macro_rules! host {
    ($block:ty { $($member:ident: $shape:literal),* $(,)? }) => {
        [$((stringify!($member), $shape, offset_of!($block, $member))),*]
    };
}

const FRAME: [HostMember; 14] = host!(FrameBlock {
    clip_from_world: "mat4",
    shadow_from_world: "mat4",
    contact_from_world: "mat4",
    eye_in_world: "vec4",
    light_in_world: "vec4",
    light_color: "vec4",
    studio_from_world: "vec4",
    ground: "vec4",
    irradiance: "mat4",
    irradiance_green: "mat4",
    irradiance_blue: "mat4",
    raster: "vec4",
    light_count: "vec4",
    lights: "struct[16]",
});

const LIGHT: [HostMember; 4] =
    host!(LightBlock { place: "vec4", color: "vec4", direction: "vec4", cone: "vec4" });

const MATERIAL: [HostMember; 22] = host!(MaterialBlock {
    base_color: "vec4",
    emissive: "vec4",
    specular: "vec4",
    sheen: "vec4",
    base_color_u: "vec4",
    base_color_v: "vec4",
    metallic_roughness_u: "vec4",
    metallic_roughness_v: "vec4",
    normal_u: "vec4",
    normal_v: "vec4",
    occlusion_u: "vec4",
    occlusion_v: "vec4",
    emissive_u: "vec4",
    emissive_v: "vec4",
    metallic: "float",
    roughness: "float",
    alpha_cutoff: "float",
    opaque: "float",
    normal_scale: "float",
    occlusion_strength: "float",
    clearcoat: "float",
    clearcoat_roughness: "float",
});

const SURFACE: [HostMember; 5] =
    host!(SurfaceBlock { sides: "uint", hide_back: "uint", lightless: "uint", view: "uint", nudge: "vec2" });

const CROP: [HostMember; 1] = host!(CropBlock { crop: "vec4" });

const PAINT: [HostMember; 1] = host!(PaintBlock { scale: "vec4" });

const SPAN_LAYOUT: [HostMember; 10] = host!(SpanLayout {
    vertex_count: "uint",
    position: "uint",
    normal: "uint",
    tangent: "uint",
    joints: "uint[4]",
    weights: "uint[4]",
    share: "uint",
    center: "uint",
    slots: "uint",
    result: "uint",
});

const STRETCH: [HostMember; 9] = host!(Stretch {
    words: "uint",
    width: "uint",
    delta_width: "uint",
    packed: "uint",
    ends: "uint",
    targets: "uint",
    deltas: "uint",
    first_weight: "uint",
    weight_count: "uint",
});

/// All compiled modules in the program, by file name.
fn modules() -> Vec<(String, Vec<u8>)> {
    // The lookup that `build.rs` wrote names all of them; the folder may also hold outdated ones.
    let lookup = std::fs::read_to_string(Path::new(env!("OUT_DIR")).join("shaders.rs")).unwrap();
    let embedded = lookup.split("include_bytes!(\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let read = |path: &str| {
        let path = PathBuf::from(path);
        (
            path.file_name().unwrap().to_str().unwrap().to_owned(),
            decompress_to_vec_zlib(&std::fs::read(&path).unwrap()).unwrap(),
        )
    };
    let modules: Vec<_> = embedded.map(read).collect();
    assert!(modules.len() > SkinningMode::ALL.len() * 4, "only {} modules", modules.len());
    modules
}

#[test]
fn blocks_are_laid_out_alike_on_both_sides() {
    let (mut frames, mut palettes, mut materials, mut surfaces) = (0, 0, 0, 0);
    for (name, spirv) in modules() {
        let module = Module::read(&spirv);
        if let Some(frame) = module.block(Storage::Uniform, 0, 0) {
            assert_eq!(differences(&frame, &FRAME, size_of::<FrameBlock>()), [""; 0], "Frame in {name}");
            let light = &frame.last().unwrap().elements;
            assert_eq!(differences(light, &LIGHT, size_of::<LightBlock>()), [""; 0], "Light in {name}");
            frames += 1;
        }
        if let Some(palette) = module.block(Storage::Uniform, 0, 1) {
            let bones = Member {
                shape: format!("mat4[{SLOTS}]"),
                offset: 0,
                size: 32_768,
                array_stride: Some(64),
                matrix_stride: Some(16),
                elements: Vec::new(),
            };
            assert_eq!(palette, [bones], "SkinningBuffer in {name}");
            palettes += 1;
        }
        if let Some(material) = module.block(Storage::Uniform, 1, 0) {
            let size = size_of::<MaterialBlock>();
            assert_eq!(differences(&material, &MATERIAL, size), [""; 0], "Material in {name}");
            materials += 1;
        }
        if let Some(surface) = module.push_constants().filter(|_| {
            ["mesh.frag.spv.z", "plain.frag.spv.z", "rim.frag.spv.z", "view.frag.spv.z"]
                .contains(&name.as_str())
        }) {
            assert_eq!(
                differences(&surface, &SURFACE, size_of::<SurfaceBlock>()),
                [""; 0],
                "Surface in {name}"
            );
            surfaces += 1;
        }
    }
    let variants = SkinningMode::ALL.len() * 4;
    assert!(frames > variants, "Frame is in each mesh.vert and in mesh.frag, but found {frames} times");
    assert_eq!(palettes, 3 * variants, "SkinningBuffer is in each mesh.vert, caster.vert and skin.comp");
    // mesh.frag, plain.frag, rim.frag and view.frag have both; the shadow's shader needs only the material.
    assert_eq!((materials, surfaces), (5, 4));
    assert_eq!((SLOTS, size_of::<Slot>(), PALETTE_WINDOW), (512, 64, 32_768));
}

#[test]
fn skin_comp_reads_and_writes_what_the_host_lays_out() {
    for mode in SkinningMode::ALL {
        for spans in 1..=4 {
            let module = Module::read(&shaders::skin_comp(mode, spans).unwrap().spirv.unpack());
            let name = format!("skin.comp for {mode} with {spans} spans");
            let layout = module.push_constants().unwrap();
            assert_eq!(differences(&layout, &SPAN_LAYOUT, size_of::<SpanLayout>()), [""; 0], "{name}");
            let packed = layout.iter().filter(|member| member.shape.contains('['));
            assert!(packed.map(|member| member.array_stride).eq([Some(4); 2]), "{name}");

            let source = module.block(Storage::Buffer, 1, 0).unwrap();
            assert_eq!((source[0].shape.as_str(), source[0].array_stride), ("uint[]", Some(4)), "{name}");
            let result = module.block(Storage::Buffer, 1, 1).unwrap();
            assert_eq!((result[0].shape.as_str(), result[0].array_stride), ("float[]", Some(4)), "{name}");
        }
    }
}

#[test]
fn morph_comp_reads_and_writes_words() {
    let module = Module::read(&shaders::MORPH_COMP.unpack());
    let stretch = module.push_constants().unwrap();
    assert_eq!(differences(&stretch, &STRETCH, size_of::<Stretch>()), [""; 0]);
    for (binding, shape) in [(0, "uint[]"), (1, "float[]"), (2, "uint[]")] {
        let block = module.block(Storage::Buffer, 0, binding).unwrap();
        assert_eq!((block[0].shape.as_str(), block[0].array_stride), (shape, Some(4)), "binding {binding}");
    }
}

#[test]
fn overlay_and_paint_read_what_is_laid_out() {
    let overlay = Module::read(&shaders::OVERLAY_VERT.unpack());
    assert_eq!(differences(&overlay.push_constants().unwrap(), &CROP, size_of::<CropBlock>()), [""; 0]);
    reads_corners(&overlay, &shaders::OVERLAY_FRAG.unpack(), &MARK_STREAMS, size_of::<Mark>());
    let paint = Module::read(&shaders::PAINT_VERT.unpack());
    assert_eq!(differences(&paint.push_constants().unwrap(), &PAINT, size_of::<PaintBlock>()), [""; 0]);
    reads_corners(&paint, &shaders::PAINT_FRAG.unpack(), &PAINT_STREAMS, size_of::<PaintVertex>());
}

/// The streams fill all `size` bytes of a corner, and the fragment shader reads all outputs.
fn reads_corners(module: &Module, fragment: &[u8], streams: &[(VertexStream, usize)], size: usize) {
    let inputs = module.locations(Storage::Input);
    assert_eq!(inputs.len(), streams.len());
    let mut end = 0;
    for &(stream, offset) in streams {
        let (shape, bytes) = shape_of(stream.format);
        assert_eq!((inputs[&stream.location].as_str(), offset), (shape, end), "location {}", stream.location);
        end = offset + bytes as usize;
        assert_eq!(stream.stride as usize, size);
    }
    assert_eq!(end, size);
    assert_eq!(Module::read(fragment).locations(Storage::Input), module.locations(Storage::Output));
}

/// Optimized SPIR-V has no names, so compare the order with the source.
#[test]
fn members_are_named_alike_on_both_sides() {
    let declared = |file: &str, block: &str| -> Vec<(String, String)> {
        let source =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap();
        let (_, body) = source.split_once(&format!("{block} {{")).unwrap();
        let lines = body.split('}').next().unwrap().lines().filter_map(|line| line.split_once(';'));
        let member =
            |line: &str| line.trim().split_once(' ').map(|(ty, name)| (name.to_owned(), ty.to_owned()));
        lines.filter_map(|(line, _)| member(line)).collect()
    };
    let host = |members: &[HostMember]| -> Vec<(String, String)> {
        members.iter().map(|&(name, shape, _)| (name.to_owned(), shape.to_owned())).collect()
    };
    // GLSL writes array sizes after the name.
    let arrays_behind = |members: &[HostMember]| -> Vec<(String, String)> {
        let behind = |(name, ty): (String, String)| match ty.split_once('[') {
            Some((element, length)) => (format!("{name}[{length}"), element.to_owned()),
            None => (name, ty),
        };
        host(members).into_iter().map(behind).collect()
    };
    let mut frame = arrays_behind(&FRAME);
    *frame.last_mut().unwrap() = ("lights[MAX_LIGHTS]".to_owned(), "Light".to_owned());
    assert_eq!(declared("shaders/include/frame.glsl", "uniform Frame"), frame);
    assert_eq!(declared("shaders/include/frame.glsl", "struct Light"), host(&LIGHT));
    assert_eq!(declared("shaders/include/surface.glsl", "uniform Material"), host(&MATERIAL));
    assert_eq!(declared("shaders/include/surface_block.glsl", "uniform Surface"), host(&SURFACE));
    assert_eq!(declared("shaders/overlay.vert", "uniform Crop"), host(&CROP));
    assert_eq!(declared("shaders/paint.vert", "uniform Size"), host(&PAINT));
    assert_eq!(declared("shaders/morph.comp", "uniform Stretch"), host(&STRETCH));
    assert_eq!(declared("shaders/skin.comp", "uniform Layout"), arrays_behind(&SPAN_LAYOUT));
}

#[test]
fn a_block_that_differs_is_objected_to() {
    let member = |shape: &str, offset, size| Member {
        shape: shape.to_owned(),
        offset,
        size,
        array_stride: None,
        matrix_stride: shape.starts_with("mat").then_some(16),
        elements: Vec::new(),
    };
    let host: [HostMember; 3] = [("a", "mat4", 0), ("b", "vec4", 64), ("c", "float", 80)];
    let same = [member("mat4", 0, 64), member("vec4", 64, 16), member("float", 80, 4)];
    assert_eq!(differences(&same, &host, 84), [""; 0]);
    assert!(!differences(&same, &host, 96).is_empty(), "four bytes too many");
    assert!(!differences(&same[..2], &host, 84).is_empty(), "a member too few");
    for (number, wrong) in
        [(0, member("mat3", 0, 48)), (1, member("vec4", 68, 16)), (2, member("uint", 80, 4))]
    {
        let mut block = same.clone();
        block[number] = wrong;
        assert!(!differences(&block, &host, 84).is_empty(), "member {number}");
    }
    let by_four = [Member { matrix_stride: Some(4), ..same[0].clone() }, same[1].clone(), same[2].clone()];
    assert!(!differences(&by_four, &host, 84).is_empty(), "a matrix packed to nothing");
}

#[test]
fn vertex_inputs_are_the_streams() {
    use Stream::{Color, Joints, Normal, Position, Tangent, Texcoord, Texcoord1};
    for mode in SkinningMode::ALL {
        for spans in 1..=4 {
            let shader = shaders::mesh_vert(mode, spans).unwrap();
            let inputs = Module::read(&shader.spirv.unpack()).locations(Storage::Input);
            let name = format!("mesh.vert for {mode} with {spans} spans");

            let mut expected = vec![Position, Normal, Texcoord, Tangent, Color, Texcoord1];
            match mode {
                // The heaviest joint comes first, and its weight does not matter.
                SkinningMode::Rigid => expected.push(Joints),
                SkinningMode::Linear
                | SkinningMode::DualQuat
                | SkinningMode::DualQuatBlender
                | SkinningMode::DualQuatRigid => {
                    expected.extend(Stream::SKINNING[..spans].as_flattened());
                }
                SkinningMode::Blended => {
                    expected.extend(Stream::SKINNING[..spans].as_flattened());
                    expected.push(Stream::Share);
                }
                SkinningMode::CenterOfRotation => {
                    expected.extend(Stream::SKINNING[..spans].as_flattened());
                    expected.push(Stream::Center);
                }
                // The share is the number of the vertex's point, and only vertices without one have a joint.
                SkinningMode::DirectDeltaMush => expected.extend([Joints, Stream::Share]),
            }
            // A shadow caster needs nothing that only lighting uses.
            let is_cast = |stream: &Stream| ![Normal, Tangent].contains(stream);
            let caster = shaders::caster_vert(mode, spans).unwrap();
            let mut cast: Vec<u32> = expected.iter().copied().filter(is_cast).map(Stream::location).collect();
            cast.sort_unstable();
            assert_eq!(caster.inputs, cast, "the lookup for caster.vert for {mode} with {spans} spans");

            expected.sort_by_key(|stream| stream.location());
            let locations: Vec<u32> = expected.iter().map(|stream| stream.location()).collect();
            assert_eq!(inputs.keys().copied().collect::<Vec<_>>(), locations, "{name}");
            assert_eq!(shader.inputs, locations, "the lookup for {name}");
            for stream in expected {
                let (shape, bytes) = shape_of(stream.format());
                assert_eq!(inputs[&stream.location()], shape, "{stream:?} in {name}");
                assert_eq!(stream.size(), bytes, "{stream:?}");
            }
        }
        for spans in [0, 5] {
            assert!(shaders::mesh_vert(mode, spans).is_none(), "{spans} spans");
        }
    }
}

/// The contract with other programs: the documentation has these numbers.
#[test]
fn locations_are_the_documented_ones() {
    use Stream::{Joints, Normal, Position, Texcoord, Weights};
    let documented = [Position, Normal, Texcoord, Joints, Weights].map(Stream::location);
    assert_eq!(documented, [0, 1, 2, 3, 4]);
    let mut all = Stream::ALL.map(Stream::location).to_vec();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), Stream::ALL.len(), "two streams share a location");
}

#[test]
fn the_fragment_shader_reads_what_each_vertex_shader_writes() {
    let read = Module::read(&shaders::MESH_FRAG.unpack()).locations(Storage::Input);
    assert!(!read.is_empty());
    for mode in SkinningMode::ALL {
        for spans in 1..=4 {
            let shader = shaders::mesh_vert(mode, spans).unwrap();
            assert_eq!(
                Module::read(&shader.spirv.unpack()).locations(Storage::Output),
                read,
                "{mode} with {spans} spans"
            );
            let caster = Module::read(&shaders::caster_vert(mode, spans).unwrap().spirv.unpack());
            let holes = Module::read(&shaders::SHADOW_FRAG.unpack()).locations(Storage::Input);
            assert_eq!(caster.locations(Storage::Output), holes, "a caster, {mode} with {spans} spans");
        }
    }
    let [mesh, caster] = [shaders::mesh_vert, shaders::caster_vert]
        .map(|shader| Module::read(&shader(SkinningMode::Rigid, 1).unwrap().spirv.unpack()));
    for (placed, skinned) in [(shaders::PLACED_VERT, mesh), (shaders::PLACED_CASTER_VERT, caster)] {
        let module = Module::read(&placed.spirv.unpack());
        assert_eq!(module.locations(Storage::Output), skinned.locations(Storage::Output));
        let skinning = Stream::SKINNING.as_flattened();
        assert!(skinning.iter().all(|stream| !placed.inputs.contains(&stream.location())));
    }
}

/// Tools that read the modules need not know more than SPIR-V 1.5, which has no `LocalSizeId`.
#[test]
fn no_module_is_newer_than_spirv_1_5() {
    const LOCAL_SIZE_ID: u32 = 38;
    for (name, spirv) in modules() {
        let module = Module::read(&spirv);
        assert!(!module.execution_modes.contains(&LOCAL_SIZE_ID), "{name}");
        assert!(module.version <= (1, 5), "{name} is SPIR-V {:?}", module.version);
    }
}

#[test]
fn every_module_is_valid() {
    for (name, spirv) in modules() {
        let verdict = validate(&spirv);
        assert!(verdict.is_ok(), "{name}: {}", verdict.unwrap_err());
    }
    // The validator works: it rejects a module that ends within an instruction.
    let whole = shaders::MESH_FRAG.unpack();
    assert!(validate(&whole[..whole.len() - 4]).is_err());
}

/// The verdict of spirv-val on a module.
fn validate(spirv: &[u8]) -> Result<(), String> {
    let mut child = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.3", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("spirv-val: {error}; install it (Debian/Ubuntu: apt install spirv-tools)")
        });
    child.stdin.take().unwrap().write_all(spirv).unwrap();
    let output = child.wait_with_output().unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Differences between a block in a shader and a host struct of `size` bytes.
fn differences(block: &[Member], host: &[HostMember], size: usize) -> Vec<String> {
    let mut differences = Vec::new();
    if block.len() != host.len() {
        differences.push(format!("{} members, but {} on the host", block.len(), host.len()));
    }
    for (member, &(name, shape, offset)) in block.iter().zip(host) {
        if member.shape != shape || member.offset as usize != offset {
            differences.push(format!(
                "{} at {}, but `{name}` is {shape} at {offset} on the host",
                member.shape, member.offset
            ));
        }
        if member.shape.starts_with("mat") && member.matrix_stride != Some(16) {
            differences.push(format!("the columns of `{name}` are {:?} bytes apart", member.matrix_stride));
        }
    }
    let end = block.last().map_or(0, |last| (last.offset + last.size) as usize);
    if end != size {
        differences.push(format!("{end} bytes, but {size} on the host"));
    }
    differences
}

/// A vertex format's type in the shader, and its size in bytes.
fn shape_of(format: vk::Format) -> (&'static str, u32) {
    match format {
        vk::Format::R32_SFLOAT => ("float", 4),
        vk::Format::R32G32_SFLOAT => ("vec2", 8),
        vk::Format::R32G32B32_SFLOAT => ("vec3", 12),
        vk::Format::R32G32B32A32_SFLOAT => ("vec4", 16),
        vk::Format::R16G16B16A16_UNORM => ("vec4", 8),
        vk::Format::R8G8B8A8_UNORM => ("vec4", 4),
        vk::Format::R16G16B16A16_SINT => ("ivec4", 8),
        other => panic!("no stream should be {other:?}"),
    }
}
