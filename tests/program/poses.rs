//! Tests edited poses from outside: flags and pose files in every command that takes a pose, and the command line in a
//! picture's notes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::file;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Run, run, run_well, sinew};
use file::File;
use serde_json::{Value, json};
use sinew::image::{Notes, read_png};

/// The name of the joint, which needs quoting in a shell.
const MAST: &str = "it's a=mast";

/// A mast at (0, 1, 0) with a flag on top: a triangle that a morph target stretches to (3, 0, 0). A clip puts the mast
/// at (0, 2, 0), turns it about y and stretches the flag.
fn flag() -> File {
    let mut file = File::new(json!({
        "asset": {"version": "2.0"},
        "nodes": [
            {"name": MAST, "translation": [0, 1, 0], "children": [1]},
            {"name": "flag", "translation": [0, 1, 0], "mesh": 0},
            {"name": "twin"}, {"name": "twin"}
        ],
        "meshes": [{"extras": {"targetNames": ["drawn out"]}, "primitives": [{}]}],
        "animations": [{"name": "wave", "channels": [], "samplers": []}]
    }));
    let positions = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let moves = file.floats("VEC3", &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    *file.primitive() = json!({"attributes": {"POSITION": positions}, "targets": [{"POSITION": moves}]});
    file.json["accessors"][positions]["min"] = json!([0, 0, 0]);
    file.json["accessors"][positions]["max"] = json!([1, 1, 0]);
    file.json["accessors"][moves]["min"] = json!([0, 0, 0]);
    file.json["accessors"][moves]["max"] = json!([2, 0, 0]);
    let time = file.floats("SCALAR", &[0.0, 1.0]);
    file.json["accessors"][time]["min"] = json!([0]);
    file.json["accessors"][time]["max"] = json!([1]);
    let places = file.floats("VEC3", &[0.0, 2.0, 0.0, 0.0, 2.0, 0.0]);
    let turns = file.floats("VEC4", &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let weights = file.floats("SCALAR", &[1.0, 1.0]);
    for (number, (node, path, output)) in
        [(0, "translation", places), (0, "rotation", turns), (1, "weights", weights)].into_iter().enumerate()
    {
        let animation = &mut file.json["animations"][0];
        let channel = json!({"sampler": number, "target": {"node": node, "path": path}});
        animation["channels"].as_array_mut().unwrap().push(channel);
        animation["samplers"].as_array_mut().unwrap().push(json!({"input": time, "output": output}));
    }
    file
}

/// A folder with the flag and a pose file.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(pose: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("flag.glb"), flag().glb()).unwrap();
        std::fs::write(folder.path().join("pose.json"), pose.to_string()).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn sinew(&self, arguments: &[&str]) -> Command {
        let mut command = sinew(arguments);
        command.current_dir(self.folder.path());
        command
    }

    /// The corners of the flag in world space, concatenated.
    fn corners(&self, flags: &[&str]) -> Vec<f64> {
        let document = self.export(flags);
        let numbers = document["primitives"][0]["positions"].as_array().unwrap();
        numbers.iter().map(|number| number.as_f64().unwrap()).collect()
    }

    fn export(&self, flags: &[&str]) -> Value {
        let mut command = self.sinew(&["export", "flag.glb", "--on", "reference", "-o", "-"]);
        serde_json::from_slice(&run_well(command.args(flags))).unwrap()
    }

    fn draw(&self, flags: &[&str], out: &str) -> Vec<u8> {
        let mut command = self.sinew(&["flag.glb", "--size", "64x48", "--screenshot", out]);
        assert!(run_well(command.args(flags)).is_empty());
        std::fs::read(self.path(out)).unwrap()
    }

    #[track_caller]
    fn assert_fails(&self, flags: &[&str], code: i32, says: &[&str]) {
        for start in [&["flag.glb", "--screenshot", "out.png"][..], &["export", "flag.glb", "-o", "out.obj"]]
        {
            let Run { code: found, out, err } = run(self.sinew(start).args(flags));
            assert_eq!((found, out.len(), err.lines().count()), (Some(code), 0, 1), "{flags:?}: {err}");
            for text in says {
                assert!(err.contains(text), "{flags:?} does not say '{text}': {err}");
            }
        }
        assert!(!self.path("out.png").exists() && !self.path("out.obj").exists());
    }
}

#[track_caller]
fn assert_near(found: &[f64], want: [f64; 9]) {
    let far = found.iter().zip(want).any(|(found, want)| (found - want).abs() > 1e-12);
    assert!(found.len() == 9 && !far, "{found:?} is not {want:?}");
}

fn pose() -> Value {
    json!({
        "sinew-pose": 1,
        "joints": {MAST: {"rotation": [0, 0, 0.707, 0.707]}},
        "morphs": {"flag": {"drawn out": 0.5}}
    })
}

#[test]
fn joints_and_morph_targets_stand_as_they_are_told() {
    let place = Place::new(&pose());
    let quarter = format!("--joint={MAST}=0,0,90");
    // As stored: the mast's top is at (0, 2, 0).
    let rest = place.corners(&["--pose", "rest"]);
    assert_near(&rest, [0.0, 2.0, 0.0, 1.0, 2.0, 0.0, 0.0, 3.0, 0.0]);
    // A quarter turn about z at (0, 1, 0): the top is at (-1, 1, 0), x points up and y to the left.
    let turned = [-1.0, 1.0, 0.0, -1.0, 2.0, 0.0, -2.0, 1.0, 0.0];
    assert_near(&place.corners(&["--pose", "rest", &quarter]), turned);
    // Half of the target's offset of two.
    let drawn_out = [-1.0, 1.0, 0.0, -1.0, 3.0, 0.0, -2.0, 1.0, 0.0];
    assert_near(&place.corners(&["--pose", "rest", &quarter, "--morph", "drawn out=0.5"]), drawn_out);
    assert_near(&place.corners(&["--pose", "pose.json"]), drawn_out);
    // Flags override the file.
    assert_near(&place.corners(&["--pose", "pose.json", "--morph", "flag:#0=0"]), turned);
    let back = [0.0, 2.0, 0.0, 2.0, 2.0, 0.0, 0.0, 3.0, 0.0];
    assert_near(&place.corners(&["--pose", "pose.json", "--joint", "#0=0,0,0,1"]), back);
    // On top of the clip: it lifts the mast by one, but neither turns it nor stretches the flag.
    let lifted = [-1.0, 2.0, 0.0, -1.0, 4.0, 0.0, -2.0, 2.0, 0.0];
    assert_near(&place.corners(&["--pose", "pose.json", "--clip", "wave"]), lifted);
    assert_near(&place.corners(&[&quarter, "--morph=drawn out=0.5"]), lifted);
    // x, then y, then z. The x axis goes to −z about y, and z leaves it there; the y axis goes to z about x, to x about
    // y and to y about z.
    let all = format!("--joint={MAST}=90,90,90");
    assert_near(&place.corners(&["--pose", "rest", &all]), [0.0, 2.0, 0.0, 0.0, 2.0, -1.0, 0.0, 3.0, 0.0]);
}

#[test]
fn a_pose_file_may_have_clips_which_flags_replace() {
    let mut with_clips = pose();
    with_clips["over"] = json!({"clips": ["wave"], "blends": [{"clip": "#0", "weight": 0.5}], "time": 0.25});
    let place = Place::new(&with_clips);
    let told = |flags: &[&str]| {
        let document = place.export(flags);
        (document["clip"].clone(), document["time"].as_f64().unwrap(), document.get("blend").cloned())
    };
    let half = json!([{"clip": 0, "weight": 0.5}]);
    assert_eq!(told(&["--pose", "pose.json"]), (json!(0), 0.25, Some(half.clone())));
    assert_eq!(told(&["--pose", "pose.json", "--time", "0.75"]), (json!(0), 0.75, Some(half)));
    assert_eq!(told(&["--pose", "pose.json", "--clip", "0", "-c", "0"]), (json!([0, 0]), 0.25, None));
    let blend = json!([{"clip": 0, "weight": 1.0}]);
    assert_eq!(told(&["--pose", "pose.json", "--blend-clip", "0@1"]), (json!(0), 0.25, Some(blend)));
    // The export lists the edits, in the words of a pose file.
    let document = place.export(&["--pose", "pose.json"]);
    assert_eq!(document["morphs"], json!({"flag": {"drawn out": 0.5}}));
    let rotation = document["joints"][MAST]["rotation"].as_array().unwrap();
    assert!((rotation[2].as_f64().unwrap() - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-15);
    assert_eq!(place.export(&["--clip", "wave"]).get("joints"), None);
}

/// Draws with a command line as a shell parses it, and returns the picture.
fn by_shell(place: &Place, line: &str, out: &str) -> Vec<u8> {
    let line = line.strip_prefix("sinew ").unwrap();
    let mut shell = common::at_home("sh");
    shell.arg("-c").arg(format!("\"$0\" {line} --screenshot {out}")).arg(common::PROGRAM);
    assert!(run_well(shell.current_dir(place.folder.path())).is_empty());
    std::fs::read(place.path(out)).unwrap()
}

fn command(path: &Path) -> String {
    Notes::read(path).unwrap().get("Command").unwrap().to_owned()
}

/// The command line in a picture's notes makes the same picture with the same notes: rotations lose no bit.
#[test]
#[cfg(unix)]
fn the_printed_line_makes_the_same_picture() {
    let mut odd = pose();
    odd["joints"][MAST] = json!({"rotation": [0.1, 0.7 / 3.0, -1e-300, 0.9671]});
    odd["morphs"]["flag"]["drawn out"] = json!(0.1 + 0.2);
    for (number, over) in [Value::Null, json!({"clips": ["wave"], "time": 0.1 + 0.2})].into_iter().enumerate()
    {
        odd["over"] = over;
        let place = Place::new(&odd);
        let edited = place.draw(&["--pose", "pose.json"], "edited.png");
        let line = command(&place.path("edited.png"));
        assert!(line.contains(" --morph='flag:drawn out=0.30000000000000004'"), "{line}");
        assert!(line.contains(r" --joint='it'\''s a=mast=0."), "{line}");
        assert_eq!(line.contains(" --pose rest "), number == 0, "{line}");
        assert!(
            by_shell(&place, &line, "again.png") == edited,
            "another picture, or another command: {line}"
        );
        let plain: &[&str] =
            if number == 0 { &["--pose", "rest"] } else { &["--time", "0.30000000000000004"] };
        place.draw(plain, "plain.png");
        let rgba = |name: &str| read_png(&place.path(name)).unwrap().rgba;
        assert!(rgba("plain.png") != rgba("edited.png"));
    }
}

#[test]
fn a_case_of_a_list_may_have_a_pose_of_its_own() {
    let place = Place::new(&pose());
    let list = "[defaults]\nmodel = \"flag.glb\"\nsize = \"48x48\"\n\
        [[case]]\nname = \"file\"\npose = \"pose.json\"\n\
        [[case]]\nname = \"flags\"\npose = \"rest\"\njoint = [\"#0=0,0,90\"]\nmorph = [\"flag:#0=0.5\"]\n\
        [[case]]\nname = \"plain\"\npose = \"rest\"\n\
        [[case]]\nname = \"panes\"\nsize = \"64x48\"\nsplit = [\"pose=pose.json\", \"pose=rest\"]\n";
    std::fs::write(place.path("golden.toml"), list).unwrap();
    // From another folder: the path is relative to the list's folder.
    let mut bless = sinew(["golden"]);
    run_well(bless.arg(place.folder.path()).arg("--update").env_remove("UPDATE_GOLDEN"));
    let rgba = |name: &str| read_png(&place.path(name)).unwrap().rgba;
    assert!(rgba("file.png") == rgba("flags.png") && rgba("file.png") != rgba("plain.png"));
    place.draw(&["--split", "pose=pose.json", "--split", "pose=rest"], "drawn.png");
    assert!(rgba("panes.png") == rgba("drawn.png"));
    let conflict = "[[case]]\nname = \"a\"\nmodel = \"flag.glb\"\npose = \"bind\"\njoint = [\"#0=0,0,90\"]\n";
    std::fs::write(place.path("golden.toml"), conflict).unwrap();
    let Run { code, err, .. } = run(sinew(["golden"]).arg(place.folder.path()));
    assert!(code == Some(1) && err.contains("golden.toml:1: case 'a': '--pose bind'"), "{err}");
}

#[test]
fn what_cannot_be_posed_is_said_in_one_line() {
    let place = Place::new(&pose());
    place.assert_fails(
        &["--pose", "bidn"],
        1,
        &["error: bidn: no such file; there is 'pose.json' (--pose takes bind, rest or a pose file)"],
    );
    place.assert_fails(&["--pose", "./bind"], 1, &["error: ./bind: no such file"]);
    place.assert_fails(&["--pose", "."], 1, &["error: .: not a regular file"]);
    place.assert_fails(&["--pose", "flag.glb"], 1, &["error: flag.glb: ", "expected a JSON object"]);
    std::fs::write(place.path("rest"), r#"{"sinew-pose": 1, "joints": 5}"#).unwrap();
    place.assert_fails(&["--pose", "./rest"], 1, &["error: ./rest: joints: ", "integer `5`", "an object"]);
    std::fs::write(place.path("far"), r#"{"sinew-pose": 1, "morphs": {"flag": {"drawn": 1}}}"#).unwrap();
    place.assert_fails(
        &["--pose", "far"],
        1,
        &["error: far: morphs.flag.drawn: the model has no morph target 'drawn'"],
    );
    // These need the model, so the input is wrong.
    place.assert_fails(
        &["--joint", "falg=0,0,90"],
        1,
        &["flag.glb: --joint: the model has no node 'falg'; did you mean 'flag'?"],
    );
    place.assert_fails(&["--joint", "twin=0,0,90"], 1, &["more than one node is called 'twin'", "'#2'"]);
    place.assert_fails(&["--joint", "#4=0,0,90"], 1, &["no node '#4'"]);
    place.assert_fails(
        &["--morph", "flag:#1=1"],
        1,
        &["flag.glb: --morph: the model has no morph target '#1'"],
    );
    place.assert_fails(&["--morph", "smile=1"], 1, &["no morph target 'smile'"]);
    // These errors show without a model.
    place.assert_fails(&["--joint", "flag"], 2, &["NAME=X,Y,Z"]);
    place.assert_fails(
        &["--joint", "flag=0,0,0,0"],
        2,
        &["expected a quaternion of length 1, found length 0"],
    );
    place.assert_fails(&["--joint", "flag=0,0,1e999"], 2, &["NAME=X,Y,Z"]);
    place.assert_fails(&["--morph", "smile=NaN"], 2, &["such as smile=0.5"]);
    place.assert_fails(&["--pose", ""], 2, &["--pose"]);
    place.assert_fails(&["--pose", "bind", "--joint", "flag=0,0,90"], 2, &["--pose bind", "--joint"]);
    place.assert_fails(&["--pose", "bind", "--morph", "drawn out=1"], 2, &["--pose bind", "--morph"]);
    place.assert_fails(&["--pose", "rest", "--time", "1"], 2, &["--pose rest", "--time"]);
    // The file has no clips that a time could apply to.
    place.assert_fails(&["--pose", "pose.json", "--time", "1"], 2, &["--time", "pose.json", "--clip"]);
    place.assert_fails(
        &["--pose", "pose.json", "--blend-clip", "0"],
        2,
        &["--blend-clip", "pose.json", "--clip"],
    );
    let Run { code, err, .. } =
        run(&mut place.sinew(&["flag.glb", "--pose", "pose.json", "--fps", "5", "--screenshot", "a.gif"]));
    assert!(code == Some(2) && err.contains("a pose without a clip"), "{err}");
}

/// A turn from rest is the joint's rotation at rest, then the turn about its own axes.
#[test]
fn turns_begin_at_rest() {
    let exported = |model: &str, words: &[&str]| {
        let all = ["export", model, "--mode", "lbs", "-o", "-"];
        let found: Value = serde_json::from_slice(&run_well(sinew(all).args(words))).unwrap();
        let places = found["primitives"][0]["positions"].as_array().unwrap().iter();
        places.map(|number| number.as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // The robot's joints have no rotation at rest.
    let turned = exported("builtin:robot", &["--pose", "rest", "--turn", "forearm.L=0,-90,0"]);
    assert_eq!(turned, exported("builtin:robot", &["--pose", "rest", "--joint", "forearm.L=0,-90,0"]));
    let rest = exported("builtin:character", &["--pose", "rest"]);
    let still = ["--clip", "wave", "--time", "1.2", "--turn", "forearm.R=0,0,0"];
    assert!(apart(&rest, &exported("builtin:character", &["--pose", "rest", still[4], still[5]])) < 1e-6);
    assert!(apart(&rest, &exported("builtin:character", &still[..4])) > 0.1);
    for (words, code) in [
        (&["--pose", "bind", "--turn", "forearm.R=0,0,9"][..], 2),
        (&["--turn", "forearm.Q=0,0,9"], 1),
        (&["--turn", "forearm.R=0,0"], 2),
    ] {
        let ended = run(sinew(["export", "builtin:character", "-o", "-"]).args(words));
        assert_eq!((ended.code, ended.err.lines().count()), (Some(code), 1), "{}", ended.err);
    }
}

/// Another pose's outlines need a pose that is there.
#[test]
fn ghosts_are_poses() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let small = ["--size", "64x64", "--screenshot"];
    std::fs::write(
        path("a.json"),
        r#"{"sinew-pose": 2, "joints": {"head": {"rotation": [0, 0, 0.6, 0.8]}}}"#,
    )
    .unwrap();
    let mut pictures = Vec::new();
    for (number, words) in
        [&[][..], &["--ghost", "bind"], &["--ghost", "time=1.5"], &["--ghost", &path("a.json")]]
            .iter()
            .enumerate()
    {
        let out = path(&format!("{number}.png"));
        run_well(sinew(["--clip", "wave", "--time", "0.5"]).args(*words).args(small).arg(&out));
        let picture = read_png(out.as_ref()).unwrap();
        assert!(!pictures.contains(&picture.rgba), "{words:?}");
        pictures.push(picture.rgba);
    }
    for (words, code, cause) in [
        (&["--ghost", "gone.json"][..], 1, "bind, rest or a pose file"),
        (&["--ghost", "time=x"], 2, "time=SECONDS"),
        (&["--pose", "rest", "--ghost", "time=1"], 2, "no clip plays"),
        (&["--crowd", "3", "--ghost", "bind"], 2, "one figure"),
    ] {
        let ended = run(sinew(words).args(small).arg(path("no.png")));
        assert_eq!((ended.code, ended.err.lines().count()), (Some(code), 1), "{}", ended.err);
        assert!(ended.err.contains(cause), "{}", ended.err);
    }
}

/// A driven shape has its weight in poses without keys, too, and a weight by hand comes before it.
#[test]
fn corrective_shapes_follow_turned_joints() {
    let is_morphed = |words: &[&str]| {
        let out = run_well(sinew(["explain", "builtin:elbow", "--vertex", "3953"]).args(words));
        String::from_utf8(out).unwrap().contains("morphed")
    };
    let turned = ["--turn", "upper=0,0,-90"];
    assert!(is_morphed(&turned) && is_morphed(&["--time", "1"]));
    assert!(is_morphed(&[&["--pose", "rest"][..], &turned].concat()));
    assert!(!is_morphed(&[]) && !is_morphed(&["--turn", "upper=0,0,90"]));
    assert!(!is_morphed(&[&["--morph", "corrective=0"][..], &turned].concat()));
}
