//! Holds the house together: who may know whom, what may be used where, and that every shader of a
//! skinning mode has its twin. It reads sources as text, and must not need a Vulkan driver.
//!
//! The tables below are the rules; a new module or mode that is in none of them is an objection too.

#![allow(clippy::unwrap_used, reason = "a file of this repository that cannot be read is a failure")]

use std::path::{Path, PathBuf};

use sinew::skinning::SkinningMode;
use source::{Mention, mentions, modules};

#[path = "layers/source.rs"]
mod source;

/// Every module in the order of the data, and which of the others it may mention.
const MAY_KNOW: [(&str, &[&str]); 23] = [
    ("decoding", &[]),
    ("model", &["decoding", "srgb"]),
    ("pose", &["model", "output"]),
    ("skinning", &["model", "pose"]),
    ("camera", &["model"]),
    ("srgb", &[]),
    ("look", &["srgb"]),
    ("lighting", &["model", "pose", "camera", "look"]),
    ("view", &["model", "image", "srgb"]),
    ("overlay", &["model", "pose", "skinning", "camera", "view", "image", "srgb"]),
    ("scene", &["model", "pose", "camera", "skinning", "look", "view", "overlay", "srgb"]),
    ("framing", &["model", "pose", "skinning", "camera"]),
    ("picking", &["model", "skinning"]),
    ("analysis", &["model", "pose", "skinning"]),
    ("output", &[]),
    ("export", &["model", "pose", "skinning"]),
    ("image", &["decoding", "output", "srgb"]),
    ("golden", &["output", "image"]),
    ("vulkan", &[]),
    (
        "render",
        &[
            "model", "pose", "skinning", "camera", "scene", "framing", "look", "view", "overlay", "lighting",
            "image", "srgb", "picking", "vulkan",
        ],
    ),
    (
        "viewer",
        &[
            "model", "pose", "skinning", "camera", "scene", "framing", "look", "view", "overlay", "lighting",
            "image", "picking", "srgb", "vulkan", "render",
        ],
    ),
    (
        "cli",
        &[
            "model", "pose", "skinning", "camera", "scene", "framing", "look", "view", "overlay", "analysis",
            "output", "export", "image", "golden", "vulkan", "render", "viewer",
        ],
    ),
    ("main", &["cli"]),
];

/// What may be used only in the named places (a folder or file of `src/`), or nowhere at all.
/// `name!` is a macro, `.name` a method, `name::` a crate, anything else a path or a keyword.
const ONLY_IN: [(&str, &[&str]); 55] = [
    // Vulkan has one home; everything unsafe is there or in the file of SIMD instructions.
    ("ash::", &["vulkan"]),
    ("gpu_allocator::", &["vulkan"]),
    ("unsafe", &["vulkan", "skinning/cpu/simd"]),
    // A library is known where its job is.
    ("clap::", &["cli"]),
    ("tracing_subscriber::", &["cli"]),
    ("anyhow::", &["cli", "main"]),
    ("serde::", &["model/gltf", "pose/file", "analysis", "export", "cli"]),
    ("serde_json::", &["model/gltf", "pose/file", "export", "cli"]),
    ("png::", &["decoding", "image", "model/gltf"]),
    ("gif::", &["image"]),
    ("image_webp::", &["decoding", "image"]),
    ("zune_jpeg::", &["decoding"]),
    ("indicatif::", &["cli"]),
    ("sha2::", &["model/gltf"]),
    ("draco_core::", &["model/gltf"]),
    ("toml::", &["golden"]),
    ("ab_glyph::", &["overlay"]),
    ("epaint_default_fonts::", &["overlay"]),
    ("winit::", &["viewer"]),
    ("ash_window::", &["vulkan"]),
    ("raw_window_handle::", &["vulkan", "viewer"]),
    ("ctrlc::", &["cli"]),
    ("egui::", &["viewer"]),
    ("egui_winit::", &["viewer"]),
    ("arboard::", &["viewer"]),
    // The surroundings are the program's business, and a picture depends on no clock.
    ("std::env", &["cli"]),
    ("std::time", &["viewer", "cli", "vulkan/timestamps"]),
    ("std::process::exit", &[]),
    ("println!", &[]),
    ("eprintln!", &[]),
    // Files are written, renamed and removed only where an `Output` is asked for, which `Inputs` gives for what the
    // run has not read; the cache of pipelines is the program's own.
    ("File::create", &["output", "vulkan/pipeline_cache"]),
    ("File::create_new", &["output"]),
    ("File::options", &["output"]),
    ("OpenOptions", &["output"]),
    ("fs::write", &["output"]),
    ("fs::copy", &["output"]),
    ("fs::rename", &["output", "vulkan/pipeline_cache"]),
    ("fs::remove_file", &["output", "vulkan/pipeline_cache"]),
    ("fs::hard_link", &["output"]),
    ("Inputs::none", &["cli/mod"]),
    // What reads a file that the user names is called where it is noted among the inputs.
    ("File::open", &["image", "model/gltf"]),
    ("fs::read", &["golden", "vulkan/pipeline_cache"]),
    ("fs::read_to_string", &["golden", "cli/recent"]),
    ("gltf::load", &["cli/open"]),
    ("gltf::load_with", &["cli/open"]),
    ("gltf::inspect", &["cli/open"]),
    ("gltf::read_file", &["cli/open"]),
    ("gltf::read_file_of", &["pose/file"]),
    ("file::load", &["cli/pose"]),
    ("read_png", &["image", "cli/diff", "cli/golden"]),
    // What a file or a driver does is a typed error; a broken invariant is an `assert!` with a message.
    (".unwrap", &[]),
    (".expect", &[]),
    ("panic!", &[]),
    ("todo!", &[]),
    ("dbg!", &[]),
];

#[test]
fn every_source_file_keeps_the_rules() {
    let mut objections = Vec::new();
    let files = files_below(&root().join("src"), "rs");
    assert!(files.len() > 50, "only {} files found", files.len());
    for path in files {
        let file = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        // A module of its own for tests is no part of the program.
        if !file.ends_with("/tests.rs") {
            objections.extend(object(&file, &std::fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

#[test]
fn every_mode_is_one_shader_with_its_twin() {
    let modes = SkinningMode::ALL.map(SkinningMode::stem);
    let objections = object_to_twins(&modes, &sources("shaders/skinning"), &sources("src/skinning"));
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

/// The sensitivity test: each rule is shown something it must object to.
#[test]
fn every_rule_objects_to_what_it_forbids() {
    let planted = [
        ("src/model/mesh.rs", "use crate::vulkan::Buffer;", "may not know `vulkan`"),
        ("src/pose.rs", "fn f() { crate::render::open_device(); }", "may not know `render`"),
        ("src/skinning/mod.rs", "use crate::{model::Skin, render::{Stream}};", "may not know `render`"),
        ("src/camera.rs", "use super::pose::Pose;", "may not know `pose`"),
        ("src/framing.rs", "use crate::image::Image;", "may not know `image`"),
        ("src/scene.rs", "use super::framing;", "may not know `framing`"),
        ("src/image/png.rs", "use super::super::scene::Scene;", "may not know `scene`"),
        ("src/golden/mod.rs", "use crate::render::Renderer;", "may not know `render`"),
        ("src/vulkan/buffer.rs", "use crate::model::Mesh;", "may not know `model`"),
        ("src/render/mod.rs", "use crate::cli::Failure;", "may not know `cli`"),
        ("src/main.rs", "use sinew::vulkan::Device;", "may not know `vulkan`"),
        ("src/sound.rs", "", "is in no layer"),
        ("src/render/target.rs", "use ash::vk;", "`ash::`"),
        ("src/render/target.rs", "fn f() { unsafe { g() } }", "`unsafe`"),
        ("src/model/mod.rs", "use gpu_allocator::MemoryLocation;", "`gpu_allocator::`"),
        ("src/scene.rs", "#[derive(clap::Parser)] struct S;", "`clap::`"),
        ("src/render/mod.rs", "tracing_subscriber::fmt().init();", "`tracing_subscriber::`"),
        ("src/model/mod.rs", "fn f() -> anyhow::Result<()> {}", "`anyhow::`"),
        ("src/scene.rs", "#[derive(serde::Serialize)] struct S;", "`serde::`"),
        ("src/overlay/mod.rs", "use crate::render::Renderer;", "may not know `render`"),
        ("src/view.rs", "use ab_glyph::FontRef;", "`ab_glyph::`"),
        ("src/render/mod.rs", "fn f() { ash_window::g(); }", "`ash_window::`"),
        ("src/render/mod.rs", "use raw_window_handle::HasWindowHandle;", "`raw_window_handle::`"),
        ("src/viewer/mod.rs", "fn f() { ctrlc::g(); }", "`ctrlc::`"),
        ("src/cli/mod.rs", "use epaint_default_fonts::HACK_REGULAR;", "`epaint_default_fonts::`"),
        ("src/render/mod.rs", "use ::png::Encoder;", "`png::`"),
        ("src/model/mesh.rs", "use serde_json::Value;", "`serde_json::`"),
        ("src/render/mod.rs", "use winit::window::Window;", "`winit::`"),
        ("src/cli/mod.rs", "use egui::Context;", "`egui::`"),
        ("src/cli/mod.rs", "fn f() { egui_winit::State::new(); }", "`egui_winit::`"),
        ("src/cli/viewer.rs", "use arboard::Clipboard;", "`arboard::`"),
        ("src/render/mod.rs", "use draco_core::Mesh;", "`draco_core::`"),
        ("src/render/mod.rs", "use gif::Frame;", "`gif::`"),
        ("src/cli/picture.rs", "use image_webp::WebPEncoder;", "`image_webp::`"),
        ("src/image/png.rs", "use zune_jpeg::JpegDecoder;", "`zune_jpeg::`"),
        ("src/render/mod.rs", "use indicatif::ProgressBar;", "`indicatif::`"),
        ("src/cli/open.rs", "use sha2::Sha256;", "`sha2::`"),
        ("src/cli/golden.rs", "use toml::Table;", "`toml::`"),
        ("src/model/gltf/mod.rs", "let home = std::env::var(\"HOME\");", "`std::env`"),
        ("src/pose.rs", "use std::{fmt, time::Instant};", "`std::time`"),
        ("src/cli/diff.rs", "fn f() { std::fs::File::create(path); }", "`File::create`"),
        ("src/cli/diff.rs", "use std::fs::File; fn f() { File::create_new(path); }", "`File::create_new`"),
        ("src/vulkan/pipeline_cache.rs", "fn f() { fs::File::options(); }", "`File::options`"),
        ("src/golden/report.rs", "use std::fs::OpenOptions;", "`OpenOptions`"),
        ("src/cli/export.rs", "fn f() { std::fs::write(path, text); }", "`fs::write`"),
        ("src/cli/builtins.rs", "use std::fs; fn f() { fs::copy(a, b); }", "`fs::copy`"),
        ("src/image/png.rs", "fn f() { std::fs::rename(a, b); }", "`fs::rename`"),
        ("src/golden/report.rs", "fn f() { fs::remove_file(path); }", "`fs::remove_file`"),
        ("src/cli/viewer.rs", "fn f() { std::fs::hard_link(a, b); }", "`fs::hard_link`"),
        ("src/cli/picture.rs", "fn f() { sinew::output::Inputs::none().output(path); }", "`Inputs::none`"),
        ("src/cli/pose.rs", "fn f() { std::fs::File::open(path); }", "`File::open`"),
        ("src/cli/show.rs", "fn f() { fs::read(path); }", "`fs::read`"),
        ("src/cli/show.rs", "fn f() { std::fs::read_to_string(path); }", "`fs::read_to_string`"),
        ("src/cli/export.rs", "fn f() { sinew::model::gltf::load(path); }", "`gltf::load`"),
        (
            "src/cli/picture.rs",
            "use sinew::model::gltf; fn f() { gltf::load_with(path, o); }",
            "`gltf::load_with`",
        ),
        ("src/cli/inspect.rs", "fn f() { gltf::inspect(path, o); }", "`gltf::inspect`"),
        ("src/cli/verify.rs", "fn f() { gltf::read_file(path); }", "`gltf::read_file`"),
        ("src/cli/verify.rs", "fn f() { gltf::read_file_of(path, 9); }", "`gltf::read_file_of`"),
        ("src/cli/viewer.rs", "fn f() { pose::file::load(path, model); }", "`file::load`"),
        ("src/cli/show.rs", "use sinew::image::read_png;", "`read_png`"),
        ("src/cli/mod.rs", "std::process::exit(3)", "`std::process::exit`"),
        ("src/cli/mod.rs", "println!(\"{x}\");", "`println!`"),
        ("src/render/mod.rs", "eprintln!(\"{x}\");", "`eprintln!`"),
        ("src/cli/mod.rs", "let a = b\n    .unwrap();", "`.unwrap`"),
        ("src/cli/mod.rs", "a.expect(\"b\");", "`.expect`"),
        ("src/vulkan/mod.rs", "panic!();", "`panic!`"),
        ("src/vulkan/mod.rs", "fn f() { todo!() }", "`todo!`"),
        ("src/vulkan/mod.rs", "dbg!(1);", "`dbg!`"),
        // What comes after the tests still counts.
        ("src/pose.rs", "#[cfg(test)]\nmod tests { fn f() {} }\nuse ash::vk;", "`ash::`"),
    ];
    for (file, planted, expected) in planted {
        let source = format!("//! Holds this. It must not know that.\n{planted}");
        let objections = object(file, &source).join("\n");
        assert!(objections.contains(expected), "{file} may say {planted:?}: {objections:?}");
        assert!(objections.starts_with(&format!("{file}:")), "{objections}");
    }
    for (rule, _) in
        ONLY_IN.iter().filter(|(rule, _)| !["anyhow", "png", "serde", "tracing_subscriber"].contains(rule))
    {
        assert!(
            planted.iter().any(|(.., expected)| expected.trim_matches('`') == *rule),
            "{rule} is not planted"
        );
    }
    for undocumented in
        ["", "// No doc.\n", "//! One sentence only.\n", "use std::fmt;\n//! Too late. Far too late.\n"]
    {
        assert!(object("src/pose.rs", undocumented).join("").contains("two sentences"), "{undocumented:?}");
    }
}

#[test]
fn the_rules_leave_alone_what_they_allow() {
    let allowed = [
        ("src/pose.rs", "// ash::vk and .unwrap() in a comment\n/* panic!() /* nested */ */"),
        (
            "src/pose.rs",
            "const S: &str = \"use ash::vk; \\\" .unwrap()\"; const R: &str = r#\"\"panic!()\"#;",
        ),
        ("src/pose.rs", "const Q: char = '\"'; const E: char = '\\''; fn f<'ash>(a: &'ash str) {}"),
        ("src/pose.rs", "#[cfg(test)]\nmod tests { fn f() { a.unwrap(); } }"),
        ("src/pose.rs", "#[cfg(test)]\nmod tests;\nfn f() {}"),
        ("src/pose.rs", "a.unwrap_or(b); if panic != c { assert!(d, \"e\") }"),
        ("src/vulkan/mod.rs", "use ash::vk; fn f() { unsafe { g() } }"),
        ("src/model/gltf/json.rs", "use serde_json::Value; use super::super::Model; use crate::model::Rig;"),
        ("src/cli/mod.rs", "use sinew::render::Renderer; use super::Failure; writeln!(out, \"{x}\");"),
    ];
    for (file, code) in allowed {
        let source = format!("//! Holds this. It must not know that.\n{code}");
        assert_eq!(object(file, &source), [""; 0], "{code}");
    }
}

/// A test that ran the program in another way would leave its traces in the user's folders.
#[test]
fn tests_run_the_program_by_one_helper() {
    let others = ["Xvfb", "kill", "mkfifo", "sha256sum", "spirv-val", "timeout"];
    let object = |file: &str, text: &str| {
        let mut objections = Vec::new();
        if !file.ends_with("common/mod.rs") {
            let mut commands =
                text.split("Command::new(").skip(1).map(|rest| rest.split(')').next().unwrap());
            let is_known = |word: &str| {
                // A test's own binary again, and the programs that a test looks for.
                let again = ["std::env::current_exe(", "program"].contains(&word);
                again || others.iter().any(|other| word == format!("\"{other}\""))
            };
            objections
                .extend(commands.find(|word| !is_known(word)).map(|word| format!("{file}: runs {word}")));
            if text.contains("CARGO_BIN_EXE") {
                objections.push(format!("{file}: names the program's file"));
            }
        }
        // Folders that are the same for all tests, or may be there on some machine.
        let foreign = ["/tmp", "/nonexistent", "/var"].map(|folder| format!("\"{folder}"));
        objections.extend(foreign.iter().filter(|f| text.contains(*f)).map(|f| format!("{file}: {f}")));
        objections
    };
    let files = files_below(&root().join("tests"), "rs");
    let texts = files.iter().filter(|path| !path.ends_with("layers.rs"));
    let objections: Vec<String> = texts
        .flat_map(|path| object(path.to_str().unwrap(), &std::fs::read_to_string(path).unwrap()))
        .collect();
    assert!(files.len() > 50 && objections.is_empty(), "{}", objections.join("\n"));
    for planted in [
        "Command::new(env!(\"CARGO_BIN_EXE_sinew\"))",
        "Command::new(common::PROGRAM)",
        "Command::new(\"target/debug/sinew\")",
        "small(\"/nonexistent/out.png\")",
    ] {
        assert!(!object("tests/cli.rs", planted).is_empty(), "{planted}");
    }
}

#[test]
fn missing_twins_are_objected_to() {
    let source = |stem: &str, text: &str| (stem.to_owned(), text.to_owned());
    let shader = "float dot4(vec4 a) {\n}\nAffine blend(ivec4 joints[SPANS], vec4 weights[SPANS]) {\n}\n";
    let twin = "fn dot4(a: [f32; 4]) -> f32 {}\npub fn blend(slots: &[Slot]) -> Affine {}";
    let (shaders, twins) =
        ([source("a", shader)], [source("a", twin), source("helper", "pub fn other() {}")]);
    assert_eq!(object_to_twins(&["a"], &shaders, &twins), [""; 0]);

    let objections =
        |modes: &[&str], shaders: &[_], twins: &[_]| object_to_twins(modes, shaders, twins).join("\n");
    assert!(objections(&["a", "b"], &shaders, &twins).contains("shaders/skinning/b.glsl"));
    assert!(objections(&["a"], &shaders, &[]).contains("src/skinning/a.rs"));
    assert!(objections(&[], &shaders, &[]).contains("a.glsl is no mode"));
    assert!(objections(&[], &[], &twins).contains("a.rs is no mode"));
    assert!(objections(&["a"], &shaders, &[source("a", "pub fn blend() {}")]).contains("`dot4`"));
}

/// What is wrong with a source file, one line each.
fn object(file: &str, source: &str) -> Vec<String> {
    let module = modules(file).first().map_or_else(|| file.to_owned(), |module| (*module).to_owned());
    let may_know = MAY_KNOW.iter().find(|(name, _)| *name == module);
    let mut objections = Vec::new();
    if may_know.is_none() && module != "lib" {
        objections.push(format!("{file}: `{module}` is in no layer of tests/layers.rs"));
    }
    if doc_sentences(source) < 2 {
        objections
            .push(format!("{file}: must open with two sentences: what it holds, and what it must not know"));
    }
    for Mention { line, path } in mentions(file, source) {
        let ours = path.strip_prefix("crate::").map(|path| path.split("::").next().unwrap_or(path));
        let known = |ours: &str| ours == module || may_know.is_some_and(|(_, others)| others.contains(&ours));
        // Only what is a module of ours: the crate's root holds nothing else.
        let is_module = |ours: &str| MAY_KNOW.iter().any(|(name, _)| *name == ours);
        if let Some(ours) = ours.filter(|ours| is_module(ours) && !known(ours)) {
            objections.push(format!("{file}:{line}: `{module}` may not know `{ours}` ({path})"));
        }
        for (what, places) in ONLY_IN {
            let used = match what.ends_with("::") {
                true => path.starts_with(what),
                // However much of the way to it is spelled out.
                false => {
                    path == what
                        || path.starts_with(&format!("{what}::"))
                        || path.ends_with(&format!("::{what}"))
                }
            };
            let inside = |place: &&str| {
                file.starts_with(&format!("src/{place}/")) || file == format!("src/{place}.rs")
            };
            if used && !places.iter().any(inside) {
                objections.push(match places {
                    [] => format!("{file}:{line}: `{what}` may be used nowhere"),
                    _ => format!("{file}:{line}: `{what}` may be used only in {}", places.join(" and ")),
                });
            }
        }
    }
    objections
}

/// What is wrong with the modes' two folders, whose files come as stem and text.
fn object_to_twins(modes: &[&str], shaders: &[(String, String)], twins: &[(String, String)]) -> Vec<String> {
    let find = |all: &[(String, String)], stem: &str| {
        all.iter().find(|(name, _)| name == stem).map(|(_, text)| text.clone())
    };
    let mut objections = Vec::new();
    for mode in modes {
        let (shader, twin) = (find(shaders, mode), find(twins, mode));
        if shader.is_none() {
            objections.push(format!("the mode {mode} has no shaders/skinning/{mode}.glsl"));
        }
        if twin.is_none() {
            objections.push(format!("the mode {mode} has no src/skinning/{mode}.rs"));
        }
        for name in shader.iter().flat_map(|shader| glsl_functions(shader)) {
            if !twin.as_ref().is_some_and(|twin| twin.contains(&format!("fn {name}("))) {
                objections.push(format!("`{name}` of shaders/skinning/{mode}.glsl is not in its twin"));
            }
        }
    }
    let is_mode = |stem: &str| modes.contains(&stem);
    let strays = shaders.iter().filter(|(stem, _)| !is_mode(stem));
    objections.extend(strays.map(|(stem, _)| format!("shaders/skinning/{stem}.glsl is no mode's")));
    // In src/skinning lie other files too; a mode's is the one that blends by itself.
    let blends = |text: &str| text.contains("\npub fn blend(") || text.starts_with("pub fn blend(");
    let strays = twins.iter().filter(|(stem, text)| !is_mode(stem) && blends(text));
    objections.extend(strays.map(|(stem, _)| format!("src/skinning/{stem}.rs is no mode's, but blends")));
    objections
}

/// The names of the functions a GLSL file defines: `type name(…) {` at the start of a line.
fn glsl_functions(source: &str) -> Vec<&str> {
    let definition = |line: &'_ str| line.ends_with('{') && !line.starts_with([' ', '#', '/', '}']);
    let lines = source.lines().filter(|line| definition(line));
    lines.filter_map(|line| line.split_once('(')?.0.split_once(' ').map(|(_, name)| name)).collect()
}

/// How many sentences the `//!` doc has that a file must open with.
fn doc_sentences(source: &str) -> usize {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.iter().filter(|word| word.ends_with(['.', '!', '?'])).count()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files with the extension in a folder and below, sorted.
fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Stem and text of each source file of a folder.
fn sources(folder: &str) -> Vec<(String, String)> {
    let extension = if folder.starts_with("shaders") { "glsl" } else { "rs" };
    let read = |path: PathBuf| {
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap())
    };
    files_below(&root().join(folder), extension).into_iter().map(read).collect()
}
