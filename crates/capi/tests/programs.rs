//! The examples, compiled against the header and the library, and run: they give what Rust gives, and fail in words.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sinew_model::{builtin, gltf};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::skin_model;

/// Compiles an example and returns the program. The static library lies where this test's own program does.
fn compiled(folder: &Path, compiler: &str, words: &[&str], source: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = std::env::current_exe().unwrap();
    let built = own.ancestors().nth(1).unwrap();
    // The library of this build, which cargo makes for the tests of this crate.
    let library = built.join("libsinew_c.a");
    let program = folder.join(source.replace('.', "-"));
    let done = Command::new(compiler)
        .args(words)
        .args(["-Wall", "-Wextra", "-Werror", "-I"])
        .arg(here.join("include"))
        .arg(here.join("examples").join(source))
        .arg(&library)
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&program)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    program
}

fn run(program: &Path, words: &[&str]) -> Output {
    Command::new(program).args(words).output().unwrap()
}

#[test]
fn the_example_in_c_gives_the_bits_of_rust() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("character.glb");
    std::fs::write(&file, builtin::glb("character").unwrap()).unwrap();
    let file = file.to_str().unwrap();
    let skin = compiled(folder.path(), "cc", &["-std=c99", "-pedantic"], "skin.c");

    let model = gltf::load(file.as_ref()).unwrap();
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(1, 0.4));
    let twin = skin_model(&model, SkinningMode::DualQuat, &pose);
    let ours: Vec<f32> = twin.iter().flat_map(|one| one.positions.as_flattened().to_vec()).collect();
    let printed = run(&skin, &[file, "1", "0.4"]);
    assert!(printed.status.success());
    let text = String::from_utf8(printed.stdout).unwrap();
    let theirs: Vec<f32> = text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect();
    assert_eq!(ours.len(), theirs.len());
    assert!(ours.iter().zip(&theirs).all(|(a, b)| a.to_bits() == b.to_bits()));

    for (words, code, says) in [
        (vec!["nix.glb", "0", "0"], 1, "nix.glb: no such file"),
        (vec![file, "99", "0"], 2, "no clip 99"),
        (vec![file, "1", "nan"], 2, "seconds is not finite"),
    ] {
        let failed = run(&skin, &words);
        assert_eq!(failed.status.code(), Some(code), "{words:?}");
        assert!(String::from_utf8_lossy(&failed.stderr).contains(says), "{words:?}");
    }
}

#[test]
fn the_example_in_cpp_names_its_skinning() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("character.glb");
    std::fs::write(&file, builtin::glb("character").unwrap()).unwrap();
    let judge = compiled(folder.path(), "c++", &["-std=c++14"], "judge.cpp");
    let printed = run(&judge, &[file.to_str().unwrap(), "1", "0.4"]);
    assert!(printed.status.success());
    let answer: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(answer["verdict"]["mode"], "lbs");
    assert_eq!(answer["verdict"]["agrees"], true);
}
