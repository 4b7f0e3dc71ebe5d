//! Programs in C and C++, compiled against header and library and run: the examples give what Rust gives, and wrong calls fail
//! in words. `scripts/sanitize.sh` runs them under valgrind.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod compilers;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use compilers::{Language, compile, compilers, run};
use sinew_model::{builtin, gltf};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::skin_model;
use tempfile::TempDir;

/// A folder with built-in models in files, and programs.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["character", "twist"] {
            std::fs::write(folder.path().join(name), builtin::glb(name).unwrap()).unwrap();
        }
        Self(folder)
    }

    /// Compiles a program of this crate with each compiler.
    fn compiled(&self, language: Language, source: &str) -> Vec<PathBuf> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        let library = built("libsinew_c.a");
        let programs = compilers(language).into_iter().map(|compiler| {
            let program = self.0.path().join(format!("{compiler}-program"));
            let words = [library.to_str().unwrap(), "-g", "-lm", "-lpthread", "-ldl", "-o"];
            compile(compiler, language, &source, &[&words[..], &[program.to_str().unwrap()]].concat());
            program
        });
        programs.collect()
    }

    /// Runs a program in the folder.
    fn run(&self, program: &Path, words: &[&str]) -> Output {
        run(program).args(words).current_dir(self.0.path()).output().unwrap()
    }
}

/// A library of this build, which cargo puts beside this crate's tests.
fn built(name: &str) -> PathBuf {
    std::env::current_exe().unwrap().with_file_name(name)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn the_example_in_c_gives_the_bits_of_rust() {
    let folder = Folder::new();
    let model = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(1, 0.4));
    for program in folder.compiled(Language::C99, "examples/skin.c") {
        for (number, mode) in SkinningMode::ALL.into_iter().enumerate() {
            let printed = folder.run(&program, &["character", "1", "0.4", &number.to_string()]);
            assert!(printed.status.success(), "{}", text(&printed.stderr));
            let numbers = text(&printed.stdout).split_ascii_whitespace().map(|word| word.parse().unwrap());
            let theirs: Vec<f32> = numbers.collect();
            let ours: Vec<f32> = skin_model(&model, mode, &pose)
                .iter()
                .flat_map(|one| one.positions.iter().zip(one.normals.as_ref().unwrap()))
                .flat_map(|(position, normal)| [*position, *normal].concat())
                .collect();
            assert_eq!(ours.len(), theirs.len());
            assert!(ours.iter().zip(&theirs).all(|(a, b)| a.to_bits() == b.to_bits()), "{mode}");
        }
        for (words, code, says) in [
            (vec!["nix.glb", "0", "0"], 1, "nix.glb: no such file"),
            (vec!["character", "99", "0"], 2, "no clip 99"),
            (vec!["character", "1", "nan"], 2, "seconds is not finite"),
            (vec!["character", "1", "0", "99"], 2, "99 is no sinew_mode"),
        ] {
            let failed = folder.run(&program, &words);
            assert_eq!(failed.status.code(), Some(code), "{words:?}");
            assert!(text(&failed.stderr).contains(says), "{words:?}");
        }
    }
}

#[test]
fn the_example_in_cpp_names_its_skinning() {
    let folder = Folder::new();
    for program in folder.compiled(Language::Cpp11, "examples/judge.cpp") {
        let printed = folder.run(&program, &["character", "1", "0.4"]);
        assert!(printed.status.success(), "{}", text(&printed.stderr));
        let answer: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
        assert_eq!(answer["verdict"]["mode"], "lbs");
        assert_eq!(answer["verdict"]["agrees"], true);
        let failed = folder.run(&program, &["nix.glb", "0", "0"]);
        assert_eq!((failed.status.code(), text(&failed.stderr)), (Some(1), "error: nix.glb: no such file\n"));
    }
}

#[test]
fn wrong_calls_fail_in_words() {
    let folder = Folder::new();
    for program in folder.compiled(Language::C99, "tests/misuse.c") {
        let modes = SkinningMode::ALL.len().to_string();
        let done = folder.run(&program, &["twist", "character", &modes]);
        assert!(done.status.success(), "{}{}", text(&done.stdout), text(&done.stderr));
        assert_eq!(text(&done.stdout), "0 wrong\n");
    }
}

/// The shared library exports the functions of the header, and nothing else.
#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_exports_the_header() {
    let header = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/include/sinew.h")).unwrap();
    let code = header.lines().filter(|line| !line.starts_with("//") && line.contains('('));
    let mut declared: Vec<&str> =
        code.filter_map(|line| line.split('(').next()?.split([' ', '*']).next_back()).collect();
    declared.retain(|name| name.starts_with("sinew_"));
    declared.sort_unstable();
    let listed =
        Command::new("nm").args(["-D", "--defined-only"]).arg(built("libsinew_c.so")).output().unwrap();
    let mut exported: Vec<&str> =
        text(&listed.stdout).lines().filter_map(|line| line.split(' ').next_back()).collect();
    exported.sort_unstable();
    assert!(declared.len() > 20);
    assert_eq!(declared, exported);
    let dynamic = Command::new("readelf").arg("-d").arg(built("libsinew_c.so")).output().unwrap();
    assert!(text(&dynamic.stdout).contains("Library soname: [libsinew_c.so]"));
}
