//! Holds the house together where neither cargo nor clippy can: which module of the program may know which, where a
//! library may be used, and that every shader of a skinning mode has its twin. It reads sources as text.

#![allow(clippy::unwrap_used, reason = "a file of this repository that cannot be read is a failure")]

mod circles;
mod listed;
mod pages;
mod peers;
mod words;

use std::path::{Path, PathBuf};

use sinew::analysis::metric::Metric;
use sinew::analysis::report::limit_in_words;
use sinew::golden::diagnose::Suspect;
use sinew::skinning::{Fault, SkinningMode};

/// The crates, and the workspace crates that each may use outside tests. `vulkan` uses `system` only where tests make calls
/// fail.
const MAY_KNOW: [(&str, &[&str]); 18] = [
    ("assets", &[]),
    ("gltf-rules", &[]),
    ("model", &["assets", "gltf-rules"]),
    ("system", &[]),
    ("vulkan", &["system"]),
    ("skinning", &["model"]),
    ("text", &["model"]),
    ("image", &["model", "system", "text"]),
    ("analysis", &["model", "skinning", "text"]),
    ("fit", &["model", "skinning"]),
    ("conformance", &["analysis", "model", "skinning", "text"]),
    ("scene", &["image", "model", "skinning", "system", "text"]),
    ("render", &["image", "model", "scene", "skinning", "system", "vulkan"]),
    ("golden", &["image", "model", "scene", "skinning", "system", "text"]),
    ("viewer", &["image", "model", "render", "scene", "skinning", "system", "text", "vulkan"]),
    ("python", &["analysis", "image", "model", "scene", "skinning", "system"]),
    ("capi", &["analysis", "model", "skinning"]),
    (
        "sinew",
        &[
            "analysis",
            "conformance",
            "fit",
            "golden",
            "image",
            "model",
            "render",
            "scene",
            "skinning",
            "system",
            "text",
            "viewer",
            "vulkan",
        ],
    ),
];

/// Libraries that only some crates may use: a picture depends on no clock and no environment.
const ONLY_IN: [(&str, &[&str]); 2] = [
    ("std::env", &["sinew", "system", "vulkan"]),
    ("std::time", &["python", "sinew", "system", "viewer", "vulkan"]),
];

#[test]
fn crates_know_only_what_the_design_allows() {
    let mut objections = Vec::new();
    for (name, _) in MAY_KNOW {
        let manifest = folder_of(name).parent().unwrap().join("Cargo.toml");
        objections.extend(object_to_manifest(name, &std::fs::read_to_string(manifest).unwrap()));
    }
    let crates = std::fs::read_dir(root().join("crates")).unwrap().count();
    assert_eq!(crates + 3, MAY_KNOW.len(), "each crate has a place in MAY_KNOW");
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

/// The crates of ours in a manifest that the crate may not use.
fn object_to_manifest(name: &str, manifest: &str) -> Vec<String> {
    let (_, known) = MAY_KNOW.iter().find(|(known, _)| *known == name).unwrap();
    let rest = manifest.split_once("\n[dependencies]\n").unwrap().1;
    let dependencies = rest.split("\n[").next().unwrap().lines();
    let ours = dependencies.filter_map(|line| line.strip_prefix("sinew-")?.split(['.', ' ']).next());
    ours.filter(|other| !known.contains(other))
        .map(|other| format!("`{name}` may not know `{other}`"))
        .collect()
}

#[test]
fn clocks_and_environment_stay_where_they_are_allowed() {
    let mut files = 0;
    let mut objections = Vec::new();
    for (name, _) in MAY_KNOW {
        for path in files_below(&folder_of(name), "rs").iter().filter(|path| !path.ends_with("tests.rs")) {
            files += 1;
            objections.extend(object(name, path.to_str().unwrap(), &std::fs::read_to_string(path).unwrap()));
        }
    }
    assert!(files > 500 && objections.is_empty(), "{files} files\n{}", objections.join("\n"));
}

/// Lists what a file of a crate must not mention, with the line.
fn object(name: &str, file: &str, source: &str) -> Vec<String> {
    let foreign = ONLY_IN.iter().filter(|(_, homes)| !homes.contains(&name)).map(|(library, _)| *library);
    let foreign: Vec<&str> = foreign.collect();
    let program = source.split("#[cfg(test)]\nmod tests").next().unwrap();
    let mut objections = Vec::new();
    for (number, line) in program.lines().enumerate() {
        let code = line.split("//").next().unwrap();
        for library in &foreign {
            if after(code, &format!("{library}::")).next().is_some() {
                objections.push(format!("{file}:{}: `{library}` may not be used here", number + 1));
            }
        }
    }
    objections
}

/// The folder of a crate's sources.
fn folder_of(name: &str) -> PathBuf {
    match name {
        "sinew" => root().join("src"),
        "assets" | "conformance" => root().join(name).join("src"),
        _ => root().join("crates").join(name).join("src"),
    }
}

/// A module with submodules is a folder with a `mod.rs`.
#[test]
fn modules_have_one_style() {
    let mut folders = 0;
    for (name, _) in MAY_KNOW {
        for path in files_below(&folder_of(name), "rs") {
            let folder = path.with_extension("");
            folders += usize::from(path.ends_with("mod.rs"));
            assert!(!folder.is_dir(), "{} belongs into its folder, as mod.rs", path.display());
        }
    }
    assert!(folders > 80, "{folders} folders");
}

/// Returns the text after each occurrence of `start` that is not part of a longer word or path.
fn after<'a>(code: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    let begins = |at: &usize| !code[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    code.match_indices(start).map(|(at, _)| at).filter(begins).map(move |at| &code[at + start.len()..])
}

fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap()
}

#[test]
fn every_rule_objects_to_what_it_forbids() {
    let manifest = |dependency: &str| format!("[package]\n\n[dependencies]\n{dependency}\n\n[lints]\n");
    let known = object_to_manifest("analysis", &manifest("glam = \"1\"\nsinew-model.workspace = true"));
    assert_eq!(known, [""; 0]);
    for (name, dependency, expected) in [
        ("analysis", "sinew-render.workspace = true", "`analysis` may not know `render`"),
        ("golden", "sinew-render = { workspace = true }", "`golden` may not know `render`"),
        ("viewer", "sinew-analysis.workspace = true", "`viewer` may not know `analysis`"),
    ] {
        assert_eq!(object_to_manifest(name, &manifest(dependency)), [expected]);
    }
    for (name, code, is_allowed) in [
        ("render", "use std::time::Instant;", false),
        ("scene", "let x = std::env::var(\"X\");", false),
        ("viewer", "use std::time::Instant;", true),
        ("render", "// std::time::Instant in a comment", true),
        ("render", "#[cfg(test)]\nmod tests { use std::time::Instant; }", true),
    ] {
        assert_eq!(object(name, "a.rs", code).is_empty(), is_allowed, "{name} {code}");
    }
}

#[test]
fn every_mode_is_one_shader_with_its_twin() {
    let modes = SkinningMode::ALL.map(SkinningMode::stem);
    let objections = object_to_twins(&modes, &sources("shaders/skinning"), &sources("crates/skinning/src"));
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

/// Lists the faults of the modes' two folders, whose files come as stem and text.
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
            objections.push(format!("the mode {mode} has no crates/skinning/src/{mode}.rs"));
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
    // Beside the modes lie other files; a mode's is the one that blends by itself.
    let blends = |text: &str| text.contains("\npub fn blend(") || text.starts_with("pub fn blend(");
    let strays = twins.iter().filter(|(stem, text)| !is_mode(stem) && blends(text));
    objections
        .extend(strays.map(|(stem, _)| format!("crates/skinning/src/{stem}.rs is no mode's, but blends")));
    objections
}

/// The names of the functions a GLSL file defines: `type name(…) {` at the start of a line.
fn glsl_functions(source: &str) -> Vec<&str> {
    let definition = |line: &'_ str| line.ends_with('{') && !line.starts_with([' ', '#', '/', '}']);
    let lines = source.lines().filter(|line| definition(line));
    lines.filter_map(|line| line.split_once('(')?.0.split_once(' ').map(|(_, name)| name)).collect()
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
    assert!(objections(&["a"], &shaders, &[]).contains("crates/skinning/src/a.rs"));
    assert!(objections(&[], &shaders, &[]).contains("a.glsl is no mode"));
    assert!(objections(&[], &[], &twins).contains("a.rs is no mode"));
    assert!(objections(&["a"], &shaders, &[source("a", "pub fn blend() {}")]).contains("`dot4`"));
}

/// The page of measures has the row that the facts of a metric make.
#[test]
fn every_metric_has_its_row_in_the_docs() {
    let page = std::fs::read_to_string(root().join("docs/concepts/measures.md")).unwrap();
    for metric in Metric::ALL {
        let limit = limit_in_words(metric).unwrap_or_else(|| "no fault".to_owned()).replace('\u{2019}', "'");
        let row = format!("| `{}` | {} | {limit} |", metric.name(), metric.facts().title);
        assert!(page.contains(&row), "docs/concepts/measures.md needs the row\n{row}");
    }
}

#[test]
fn every_fault_has_a_section_with_a_picture_in_the_docs() {
    let page = std::fs::read_to_string(root().join("docs/concepts/symptoms.md")).unwrap();
    let section = |name: &str| {
        let rest = page.split_once(&format!("\n### {name}\n")).map(|(_, rest)| rest);
        // A line of a file in a block may begin with "#".
        let rest = rest.and_then(|rest| rest.split("\n## ").next()).unwrap_or_default();
        rest.split("\n### ").next().unwrap_or_default()
    };
    for name in Suspect::all().map(|suspect| suspect.symptom().name) {
        let picture = format!("](../pictures/symptom-{name}.png)");
        for part in [picture.as_str(), "**See:**", "**Cause:**", "**Cure:**", "```sh\nsinew "] {
            assert!(section(name).contains(part), "docs/concepts/symptoms.md has no {part} of {name}");
        }
    }
    for name in Fault::ALL.map(Fault::name) {
        let commands = ["--inject ", "--split inject="].map(|flag| format!("{flag}{name} "));
        let is_drawn = commands.iter().any(|command| section(name).contains(command));
        assert!(is_drawn, "no command of docs/concepts/symptoms.md draws {name}");
    }
}

#[test]
fn every_link_in_the_docs_leads_to_a_file() {
    let mut pages: Vec<PathBuf> = ["assets", "docs", "crates", "tools", "benches"]
        .map(|folder| files_below(&root().join(folder), "md"))
        .concat();
    pages.extend(std::fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()));
    pages.retain(|page| page.extension().is_some_and(|found| found == "md"));
    let broken: Vec<String> = pages
        .iter()
        .flat_map(|page| {
            let text = std::fs::read_to_string(page).unwrap();
            let links = text.split("](").skip(1).map(|rest| rest.split([')', '#']).next().unwrap());
            let files = links.filter(|link| !link.is_empty() && !link.starts_with("https:"));
            let broken = files.filter(|link| !page.parent().unwrap().join(link).exists());
            broken.map(|link| format!("{}: {link}", page.display())).collect::<Vec<_>>()
        })
        .collect();
    assert!(pages.len() > 10 && broken.is_empty(), "{}", broken.join("\n"));
}

/// A test that ran the program in another way would leave its traces in the user's folders.
#[test]
fn tests_run_the_program_by_one_helper() {
    let others = [
        "Xvfb",
        "dbus-daemon",
        "ffmpeg",
        "id",
        "kill",
        "mkfifo",
        "python3",
        "setpriv",
        "sh",
        "sha256sum",
        "spirv-val",
        "sway",
        "swaymsg",
        "timeout",
        "xclip",
    ];
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
    let texts = files.iter().filter(|path| !path.ends_with("house/main.rs"));
    let objections: Vec<String> = texts
        .flat_map(|path| object(path.to_str().unwrap(), &std::fs::read_to_string(path).unwrap()))
        .collect();
    assert!(files.len() > 40 && objections.is_empty(), "{}", objections.join("\n"));
    for planted in [
        "Command::new(env!(\"CARGO_BIN_EXE_sinew\"))",
        "Command::new(common::PROGRAM)",
        "Command::new(\"target/debug/sinew\")",
        "small(\"/nonexistent/out.png\")",
    ] {
        assert!(!object("tests/program/cli.rs", planted).is_empty(), "{planted}");
    }
}

/// Each call of Vulkan that may fail can be made to, for the tests of what follows.
#[test]
fn every_call_that_may_fail_has_a_hook() {
    let folder = root().join("crates/vulkan/src");
    let hooks = std::fs::read_to_string(folder.join("faults.rs")).unwrap();
    let has_hook = |name: &str| hooks.contains(&format!("    {name}("));
    let mut names = Vec::new();
    for path in files_below(&folder, "rs") {
        let text = std::fs::read_to_string(path).unwrap();
        names.extend(text.split(".named(\"").skip(1).map(|rest| word(rest).to_owned()));
    }
    names.extend(["vkCreateInstance", "vkAllocateMemory", "vkMapMemory"].map(str::to_owned));
    // One for each window system.
    names.retain(|name| name != "vkCreateSurfaceKHR");
    let lacking: Vec<&String> = names.iter().filter(|name| !has_hook(name)).collect();
    assert!(names.len() > 30 && lacking.is_empty(), "{lacking:?} of {}", names.len());
    assert!(!has_hook("vkDestroyDevice"));
    println!("{} calls have hooks", names.len());
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
