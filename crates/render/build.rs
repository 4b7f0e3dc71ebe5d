//! Compiles every shader to SPIR-V in OUT_DIR and writes the typed lookup that
//! `src/interface/shaders.rs` includes.
//!
//! The build compiles `mesh.vert`, `caster.vert` and `skin.comp` once for each mode (a file in `shaders/skinning/`)
//! and each number of skinning spans; their `#include "skinning_mode.glsl"` resolves to the mode's file.
//! `#include "shared.glsl"` resolves to the numbers that Rust and shaders share (`crates/scene/src/shared.rs`, and those of
//! sinew-skinning). The lookup matches on `SkinningMode` without a wildcard, so a mode file without a variant,
//! or a variant without its file, does not compile.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use miniz_oxide::deflate::compress_to_vec_zlib;
use shaderc::{
    CompileOptions, Compiler, EnvVersion, IncludeType, OptimizationLevel, ResolvedInclude, ShaderKind,
};

#[path = "build/environment.rs"]
mod environment;
#[path = "../scene/src/shared.rs"]
mod shared;

type Result<T> = std::result::Result<T, String>;

/// Largest number of spans of four influences per vertex.
const MAX_SPANS: u32 = 4;

/// Shaders compiled once for each mode and span count.
const SKINNED: [(&str, ShaderKind); 3] = [
    ("mesh.vert", ShaderKind::Vertex),
    ("caster.vert", ShaderKind::Vertex),
    ("skin.comp", ShaderKind::Compute),
];

/// Shaders compiled once.
const PLAIN: [(&str, ShaderKind); 15] = [
    ("mesh.frag", ShaderKind::Fragment),
    ("plain.frag", ShaderKind::Fragment),
    ("rim.frag", ShaderKind::Fragment),
    ("shadow.frag", ShaderKind::Fragment),
    ("view.frag", ShaderKind::Fragment),
    ("ground.vert", ShaderKind::Vertex),
    ("ground.frag", ShaderKind::Fragment),
    ("encode.vert", ShaderKind::Vertex),
    ("encode.frag", ShaderKind::Fragment),
    ("encode_samples.frag", ShaderKind::Fragment),
    ("overlay.vert", ShaderKind::Vertex),
    ("overlay.frag", ShaderKind::Fragment),
    ("paint.vert", ShaderKind::Vertex),
    ("paint.frag", ShaderKind::Fragment),
    ("morph.comp", ShaderKind::Compute),
];

/// Vertex shaders compiled once, whose inputs depend on the mesh.
const PLACED: [&str; 2] = ["placed.vert", "placed_caster.vert"];

fn main() {
    if let Err(message) = build() {
        for line in message.lines().filter(|line| !line.trim().is_empty()) {
            println!("cargo::error={line}");
        }
        std::process::exit(1);
    }
}

fn build() -> Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let folder = root.join("../../shaders");
    // A folder covers all its files, includes and future ones among them.
    println!("cargo::rerun-if-changed=../../shaders");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=../scene/src/shared.rs");
    println!("cargo::rerun-if-changed=../scene/src/environment/prefilter.rs");

    check_view(&read(&folder.join("view.frag"))?)?;
    let modes = stems(&folder.join("skinning"))?;
    let compiler = Compiler::new().map_err(|error| format!("shaderc does not start: {error}"))?;
    let mut lookup = String::new();
    for (file, kind) in SKINNED {
        let function = file.replace('.', "_");
        let _ = writeln!(
            lookup,
            "/// `shaders/{file}` for a mode and a number of skinning spans, 1 to {MAX_SPANS}."
        );
        let _ = writeln!(lookup, "pub fn {function}(mode: SkinningMode, spans: usize) -> Option<Shader> {{");
        let _ = writeln!(lookup, "    match mode {{");
        for mode in &modes {
            let _ = writeln!(lookup, "        SkinningMode::{} => match spans {{", camel(mode));
            for spans in 1..=MAX_SPANS {
                let spirv = out.join(format!("{file}.{mode}.{spans}.spv.z"));
                let words = compile(&compiler, &folder, file, kind, Some((mode, spans)), &spirv)?;
                let inputs = input_locations(&words);
                let _ = writeln!(
                    lookup,
                    "            {spans} => Some(Shader {{ spirv: Packed(include_bytes!({spirv:?})), inputs: &{inputs:?} }}),"
                );
            }
            let _ = writeln!(lookup, "            _ => None,\n        }},");
        }
        let _ = writeln!(lookup, "    }}\n}}\n");
    }
    for (file, kind) in PLAIN {
        let spirv = out.join(format!("{file}.spv.z"));
        compile(&compiler, &folder, file, kind, None, &spirv)?;
        let name = file.replace('.', "_").to_uppercase();
        let _ = writeln!(
            lookup,
            "/// `shaders/{file}`.\npub const {name}: Packed = Packed(include_bytes!({spirv:?}));\n"
        );
    }
    for file in PLACED {
        let spirv = out.join(format!("{file}.spv.z"));
        let words = compile(&compiler, &folder, file, ShaderKind::Vertex, None, &spirv)?;
        let name = file.replace('.', "_").to_uppercase();
        let inputs = input_locations(&words);
        let _ = writeln!(
            lookup,
            "/// `shaders/{file}`.\npub const {name}: Shader = Shader {{ spirv: Packed(include_bytes!({spirv:?})), inputs: &{inputs:?} }};\n"
        );
    }
    write_studio(&out)?;
    let target = out.join("shaders.rs");
    fs::write(&target, lookup).map_err(|error| format!("{}: {error}", target.display()))
}

/// Checks that the switch of `view.frag` has a case for everything that surfaces may show.
fn check_view(source: &str) -> Result<()> {
    let mut constants = shared::Shows::ALL.iter().map(|shows| shows.constant());
    match constants.find(|constant| !source.contains(&format!("case {constant}:"))) {
        Some(constant) => {
            Err(format!("shaders/view.frag has no `case {constant}:` (crates/scene/src/shared.rs)"))
        }
        None => Ok(()),
    }
}

/// Writes the light of the studio: the mirror images as bytes, and a module with their constants.
fn write_studio(out: &Path) -> Result<()> {
    let images = out.join("studio.z");
    // A zero follows each number, because lavapipe reads several 32-bit words at once.
    let numbers = environment::mirror_images();
    let words: Vec<u8> = numbers.chunks_exact(2).flat_map(|half| [half[0], half[1], 0, 0]).collect();
    pack(&words, &images)?;
    let irradiance = environment::irradiance(environment::studio).map(|number| number as f32);
    let text = format!(
        "/// Points across the largest level of the mirror images.\npub const FACE: u32 = {};\n\n\
         /// Number of levels, from roughness 0 to 1.\npub const LEVELS: u32 = {};\n\n\
         /// Six faces a level, half precision, with zeros in a second channel.\npub const MIRROR_IMAGES: Packed = Packed(include_bytes!({images:?}));\n\n\
         /// The light on a matt surface as nine numbers.\npub const IRRADIANCE: [f32; 9] = {irradiance:?};\n",
        environment::FACE,
        environment::LEVELS,
    );
    let module = out.join("studio.rs");
    fs::write(&module, text).map_err(|error| format!("{}: {error}", module.display()))
}

/// Writes bytes as a zlib stream, which is a third of SPIR-V.
fn pack(bytes: &[u8], path: &Path) -> Result<()> {
    fs::write(path, compress_to_vec_zlib(bytes, 9)).map_err(|error| format!("{}: {error}", path.display()))
}

/// Compiles one shader for one mode, writes it to `spirv` and returns its words.
fn compile(
    compiler: &Compiler,
    folder: &Path,
    file: &str,
    kind: ShaderKind,
    mode: Option<(&String, u32)>,
    spirv: &Path,
) -> Result<Vec<u32>> {
    let source = read(&folder.join(file))?;
    let mut options = CompileOptions::new().map_err(|error| format!("shaderc does not start: {error}"))?;
    // SPIR-V 1.5 under Vulkan 1.3: 1.6 would emit LocalSizeId, which needs maintenance4.
    options.set_target_env(shaderc::TargetEnv::Vulkan, EnvVersion::Vulkan1_3 as u32);
    options.set_target_spirv(shaderc::SpirvVersion::V1_5);
    options.set_optimization_level(OptimizationLevel::Performance);
    options.set_warnings_as_errors();
    if let Some((_, spans)) = mode {
        options.add_macro_definition("SPANS", Some(&spans.to_string()));
    }
    options.set_include_callback(move |name, _: IncludeType, _, _| {
        let path = match (name, mode) {
            ("skinning_mode.glsl", Some((mode, _))) => format!("skinning/{mode}.glsl"),
            _ => format!("include/{name}"),
        };
        let content = match name {
            "shared.glsl" => shared_glsl()?,
            _ => read(&folder.join(&path))?,
        };
        Ok(ResolvedInclude { resolved_name: format!("shaders/{path}"), content })
    });
    let compiled = compiler
        .compile_into_spirv(&source, kind, &format!("shaders/{file}"), "main", Some(&options))
        .map_err(|error| error.to_string())?;
    let words = without_second_size(compiled.as_binary());
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    pack(&bytes, spirv)?;
    Ok(words)
}

/// The compiler says how large work groups are by `LocalSize`, and again by a constant that it decorates as the built-in
/// `WorkgroupSize`. The second way is deprecated, which validation layers complain of, and nothing reads it.
fn without_second_size(words: &[u32]) -> Vec<u32> {
    const HEADER: usize = 5;
    const DECORATE: u32 = 71;
    const BUILT_IN: u32 = 11;
    const WORKGROUP_SIZE: u32 = 25;
    let (header, mut rest) = words.split_at(HEADER.min(words.len()));
    let mut kept = header.to_vec();
    while let [first, ..] = rest {
        // The upper half says how long an instruction is, the lower one which it is.
        let length = (*first as usize >> 16).clamp(1, rest.len());
        let (instruction, after) = rest.split_at(length);
        match instruction {
            [first, _, BUILT_IN, WORKGROUP_SIZE] if first & 0xffff == DECORATE => {}
            _ => kept.extend_from_slice(instruction),
        }
        rest = after;
    }
    kept
}

/// The numbers that shaders share with Rust: the modes' and the renderer's.
fn shared_glsl() -> Result<String> {
    let modes =
        env::var("DEP_SINEW_SKINNING_GLSL").map_err(|error| format!("sinew-skinning's numbers: {error}"))?;
    Ok(format!("#ifndef SINEW_SHARED\n#define SINEW_SHARED\n{modes}\n{}#endif\n", shared::glsl()))
}

/// The locations of the inputs left after optimisation, sorted: those that a vertex shader really reads, so
/// that no list by hand says which modes need which streams.
fn input_locations(words: &[u32]) -> Vec<u32> {
    const OP_VARIABLE: u32 = 59;
    const OP_DECORATE: u32 = 71;
    const STORAGE_CLASS_INPUT: u32 = 1;
    const DECORATION_LOCATION: u32 = 30;
    let mut inputs = Vec::new();
    let mut locations = Vec::new();
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let (instruction, after) = rest.split_at((first as usize >> 16).clamp(1, rest.len()));
        match *instruction {
            [op, _, id, STORAGE_CLASS_INPUT, ..] if op & 0xffff == OP_VARIABLE => inputs.push(id),
            [op, id, DECORATION_LOCATION, location] if op & 0xffff == OP_DECORATE => {
                locations.push((id, location));
            }
            _ => {}
        }
        rest = after;
    }
    locations.retain(|(id, _)| inputs.contains(id));
    let mut locations: Vec<u32> = locations.into_iter().map(|(_, location)| location).collect();
    locations.sort_unstable();
    locations
}

/// The file names in a folder without `.glsl`, sorted.
fn stems(folder: &Path) -> Result<Vec<String>> {
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut stems = Vec::new();
    for entry in fs::read_dir(folder).map_err(fault)? {
        let name = entry.map_err(fault)?.file_name();
        if let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(".glsl")) {
            stems.push(stem.to_owned());
        }
    }
    stems.sort();
    Ok(stems)
}

/// `dual_quat` → `DualQuat`.
fn camel(stem: &str) -> String {
    stem.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
