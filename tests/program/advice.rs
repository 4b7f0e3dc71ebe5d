//! Tests that errors teach: each names what was found, what exists and what to type, in one line.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use sinew::model::{builtin, gltf};

use crate::cli::assert_fails;
use crate::common::{run, sinew};

/// The error for a USD file that ends early.
const USD: &str = match cfg!(feature = "usd") {
    true => "scene.usda: cannot be read as USD",
    false => "and so can a build with 'cargo build --release --features usd'",
};

/// A folder as people have them.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    let glb = builtin::glb("strip").unwrap();
    write("fox.glb", &glb);
    write("models/box.glb", &glb);
    write("models/Hero.FBX", b"");
    write("sit.json", b"{}");
    write("shot.png", b"");
    write("scene.blend", b"BLENDER-v279");
    write("scene.dae", b"<?xml version='1.0'?>\n<COLLADA version='1.4.1'>");
    write("scene.usda", b"#usda 1.0\ndef Mesh");
    write("scene.zip", b"PK\x03\x04");
    write(
        "parts.gltf",
        br#"{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 1, "uri": "parts.bin"}]}"#,
    );
    let mut still = gltf::load_bytes(&glb, None).unwrap();
    still.clips.clear();
    write("still.glb", &gltf::write_glb(&still).unwrap());
    folder
}

#[test]
fn a_newcomers_mistakes_are_answered() {
    let folder = folder();
    let table: &[(&[&str], i32, &str)] = &[
        // Files.
        (&["fxo.glb"], 1, "fxo.glb: no such file; did you mean 'fox.glb'?"),
        (&["fox"], 1, "fox: no such file; did you mean 'fox.glb'?"),
        (&["Fox.gltf"], 1, "Fox.gltf: no such file; did you mean 'fox.glb'?"),
        (&["models/bx.glb"], 1, "did you mean 'models/box.glb'?"),
        (&["models/zebra.glb"], 1, "no such file; there is 'models/Hero.FBX', 'models/box.glb'"),
        (&["modles/box.glb"], 1, "no such file; there is no folder 'modles'"),
        (&["inspect", "models"], 1, "it is a folder: name a file in it, such as 'models/Hero.FBX'"),
        (&["scene.blend"], 1, "a Blender file; sinew reads glTF 2.0 (.gltf, .glb)"),
        (&["scene.dae"], 1, "a Collada file; sinew reads glTF 2.0 (.gltf, .glb)"),
        (&["scene.usda"], 1, USD),
        (&["scene.zip"], 1, "a ZIP archive, not a model (unpack it first)"),
        (&["parts.gltf"], 1, "'parts.bin': no such file; a .gltf needs the files that it names beside it"),
        (&["fox.glb", "--pose", "sti.json"], 1, "no such file; did you mean 'sit.json'?"),
        (&["fox.glb", "--clip-from", "fx.glb"], 1, "fx.glb: no such file; did you mean 'fox.glb'?"),
        // Names in the model.
        (&["builtin:character", "--clip", "Walk"], 1, "(did you mean 'walk'?), but 0 "),
        (&["builtin:character", "--joint", "hed=0,0,1"], 1, "did you mean 'head'?"),
        (&["builtin:character", "--joint", "arm.L=0,0,1"], 1, "did you mean '"),
        (&["builtin:character", "--joint", "zzz=0,0,1"], 1, "'sinew inspect MODEL --joints' lists them"),
        (&["builtin:character", "--camera", "Front"], 2, "did you mean 'front'?"),
        (&["builtin:character", "--camera", "frnt"], 2, "did you mean 'front'?"),
        (
            &["still.glb", "--clip", "walk"],
            1,
            "no clips at all; --clip-from FILE plays those of another file",
        ),
        // Words of flags.
        (&["fox.glb", "--mode", "linear"], 2, "linear blend skinning is 'lbs'"),
        (&["fox.glb", "--mode", "dualquat"], 2, "dual quaternion skinning is 'dqs'"),
        (&["fox.glb", "--view", "wire"], 2, "did you mean 'wireframe'?"),
        (&["fox.glb", "--tiem", "1"], 2, "a similar argument exists: '--time'"),
        (&["fox.glb", "--fail-above", "1mm"], 2, "--fail-above is a flag of 'sinew compare'"),
        (&["fox.glb", "--time", "0,5"], 2, "expected a number of seconds, such as 0.35"),
        (&["fox.glb", "--joint", "head"], 2, "such as elbow=0,0,45"),
        // Outputs.
        (&["fox.glb", "--screenshot", "a.bmp"], 2, "sinew cannot write .bmp; use .png, .jpg,"),
        (&["fox.glb", "--screenshot", "a"], 2, "expected a file that ends in .png, .jpg,"),
        (
            &["fox.glb", "--screenshot", "out/new/a.png"],
            5,
            "there is no folder 'out/new'; 'mkdir -p out/new' makes it",
        ),
        (&["export", "fox.glb", "-o", "out/a.json"], 5, "there is no folder 'out'; 'mkdir -p out' makes it"),
        (
            &["export", "fox.glb", "-o", "a.fbx"],
            2,
            "expected a file that ends in .json, .ply, .obj, .glb, .npy or .npz",
        ),
        // Pictures.
        (&["show", "x.png"], 1, "x.png: no such file; there is 'shot.png'"),
        (&["show", "fox.glb"], 1, "fox.glb: it is not a PNG, JPEG or WebP"),
        (&["diff", "shto.png", "shot.png"], 1, "shto.png: no such file; did you mean 'shot.png'?"),
        // Commands.
        (&["verfy"], 2, "no such file 'verfy'; did you mean the command 'verify'?"),
        (&["explain", "fox.glb"], 2, "--vertex <VERTEX>|--pixel <X,Y>"),
    ];
    for (words, code, says) in table {
        let mut command = sinew(*words);
        let is_picture = !["inspect", "export", "explain", "show", "diff"].contains(&words[0])
            && !words.contains(&"--screenshot");
        if is_picture {
            command.args(["--size", "8x8", "--screenshot", "a.png"]);
        }
        assert_fails(command.current_dir(folder.path()), *code, &[says]);
    }
}

/// Valid flags that may not do what the user meant cause a note.
#[test]
fn surprises_are_noted() {
    let folder = folder();
    let note = |words: &[&str]| {
        let mut command = sinew(words);
        command.args(["--size", "8x8", "--screenshot", "a.png"]).current_dir(folder.path());
        let found = run(&mut command);
        assert_eq!(found.code, Some(0), "{}", found.err);
        found.err
    };
    assert_eq!(
        note(&["builtin:bend", "--time", "9"]),
        "note: --time 9 is after the end of the clip; its last key holds (it takes 2.000 s)\n"
    );
    assert!(
        note(&["builtin:bend", "--time=-1"]).contains("before the start of the clip; its first key holds")
    );
    assert_eq!(note(&["builtin:bend", "--time", "2"]), "");
    assert_eq!(
        note(&["builtin:bend", "--time", "1", "--ghost", "time=9"]),
        "note: --ghost time=9 is after the end of the clip; its last key holds (it takes 2.000 s)\n"
    );
    assert_eq!(note(&["builtin:bend", "--ghost", "time=2"]), "");
    std::fs::write(folder.path().join("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    if cfg!(feature = "fbx") {
        let said = note(&["flat.obj", "--mode", "dqs"]);
        assert_eq!(said, "note: flat.obj: it has no skin, so every mode draws the same\n");
        assert_eq!(note(&["flat.obj"]), "");
    }
}
