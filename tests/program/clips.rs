//! Tests clips from other files: what plays, what `inspect` says of it, and what is refused.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, run, run_well, sinew};
use serde_json::Value;
use sinew::image::{Image, read_png};
use sinew::model::gltf::write_glb;
use sinew::model::{LocalTransform, Model};

/// A folder with models to try, and flags that name its files.
struct Place(tempfile::TempDir);

impl Place {
    /// The built-in character without clips as `model.glb`, and its skeleton with clips as `walk.glb`.
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let whole = Model::clone(&common::builtin("character"));
        place.write("model.glb", &Model { clips: Vec::new(), ..whole.clone() });
        place.write("own.glb", &whole);
        place.write("walk.glb", &skeleton(&whole));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, model: &Model) {
        fs::write(self.path(name), write_glb(model).unwrap()).unwrap();
    }

    fn run(&self, words: &[&str]) -> Run {
        run(sinew(words).current_dir(self.0.path()))
    }

    fn text(&self, words: &[&str]) -> String {
        String::from_utf8(run_well(sinew(words).current_dir(self.0.path()))).unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.text(words)).unwrap()
    }

    /// A small picture.
    fn picture(&self, words: &[&str]) -> Image {
        let size = ["--size", "64x64", "--screenshot", "out.png"];
        self.text(&[words, &size].concat());
        read_png(&self.path("out.png")).unwrap()
    }

    #[track_caller]
    fn refuses(&self, words: &[&str], code: i32, says: &str) {
        let found = self.run(words);
        assert_eq!((found.code, found.err.as_str()), (Some(code), format!("error: {says}\n").as_str()));
    }
}

/// The nodes and clips of a model, with nothing to draw.
fn skeleton(model: &Model) -> Model {
    Model { rig: model.rig.clone(), clips: model.clips.clone(), ..Model::default() }
}

/// Gives every node another name.
fn renamed(mut model: Model, mut name: impl FnMut(&str) -> String) -> Model {
    model.rig.names.iter_mut().for_each(|own| *own = name(own));
    model
}

#[test]
fn a_borrowed_clip_draws_what_the_own_clip_draws() {
    let place = Place::new();
    let pose = ["--clip", "walk", "--time", "0.4", "--mode", "dqs"];
    let own = place.picture(&[&["own.glb"][..], &pose].concat());
    let flags = ["model.glb", "--clip-from", "walk.glb"];
    let borrowed = place.picture(&[&flags[..], &pose].concat());
    assert!(own.rgba == borrowed.rgba);
    // It is the clip that makes it so.
    let rest = place.picture(&["model.glb", "--pose", "rest"]);
    assert!(own.rgba != rest.rgba);
    // The first borrowed clip is the model's first; the picture records its origin.
    assert!(place.picture(&[&flags[..], &["--time", "0.4", "--clip", "0"]].concat()).rgba != rest.rgba);
    let shown = place.text(&["show", "out.png"]);
    assert!(shown.contains("sinew model.glb --clip-from=walk.glb --mode lbs --clip 0 --time 0.4"), "{shown}");
    assert!(shown.contains("clips SHA-256  "), "{shown}");
    // Whatever the namespace.
    let mixed =
        renamed(skeleton(&common::builtin("character")), |name| format!("mixamorig:{}", name.to_uppercase()));
    place.write("mixed.glb", &mixed);
    let mixed = ["model.glb", "--clip-from", "mixed.glb"];
    assert!(own.rgba == place.picture(&[&mixed[..], &pose].concat()).rgba);
}

#[test]
fn own_clips_keep_their_names_and_numbers() {
    let place = Place::new();
    let flags = ["own.glb", "--clip-from", "walk.glb", "--clip-from", "walk.glb"];
    let report = place.json(&[&["inspect", "--json"][..], &flags].concat());
    let own: Vec<&str> =
        report["clips"].as_array().unwrap().iter().map(|clip| clip["name"].as_str().unwrap()).collect();
    let plays = |file: usize| {
        let clips = report["clips_from"][file]["clips"].as_array().unwrap();
        clips.iter().map(|clip| clip["plays_as"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(plays(0), own.iter().map(|name| format!("{name} (walk.glb)")).collect::<Vec<_>>());
    assert_eq!(plays(1), own.iter().map(|name| format!("{name} (walk.glb) 2")).collect::<Vec<_>>());
    place.picture(&[&flags[..], &["--clip", "walk (walk.glb) 2"]].concat());
}

#[test]
fn inspect_says_what_matches() {
    let place = Place::new();
    let mut other = skeleton(&common::builtin("character"));
    let first = other.clips[0].channels[0].node;
    other.rig.names[first] = "someone".to_owned();
    place.write("other.glb", &other);
    let flags = ["inspect", "model.glb", "--clip-from", "other.glb", "--no-guess"];
    let report = place.json(&[&flags[..], &["--json"]].concat());
    let found = &report["clips_from"][0];
    assert_eq!(found["file"], "other.glb");
    let count = |key: &str| found[key].as_u64().unwrap();
    assert!(count("moving") > 5 && count("moving_matched") == count("moving") - 1, "{found}");
    for pair in found["pairs"].as_array().unwrap() {
        assert_eq!((&pair["by"], &pair["joint"]), (&"name".into(), &pair["follows"]));
        assert!(pair["rest_degrees"].as_f64().unwrap() < 1e-4, "{pair}");
    }
    assert_eq!(found["unmatched_in_file"][0]["name"], "someone");
    let clip = &found["clips"][0];
    assert!(clip["as_is"].as_u64().unwrap() > 0, "{clip}");
    let text = place.text(&flags);
    let moving = (count("moving_matched"), count("moving"));
    let head = format!("other.glb on model.glb: {} of its {} moving nodes matched\n", moving.0, moving.1);
    assert!(text.starts_with(&head), "{text}");
    for line in ["\njoints of other.glb without a match\n  someone\n", "\nclips of other.glb\n  "] {
        assert!(text.contains(line), "{text}");
    }
    // Without the flag, the summary is unchanged.
    assert!(place.text(&["inspect", "model.glb"]).starts_with("model.glb\n"));
}

/// Every command that poses a model accepts borrowed clips.
#[test]
fn all_commands_play_them() {
    let place = Place::new();
    let flags = ["model.glb", "--clip-from", "walk.glb", "--clip", "walk"];
    let words = |command: &'static str, more: &[&'static str]| [&[command], &flags[..], more].concat();
    let own = ["explain", "own.glb", "--clip", "walk", "--time", "0.4", "--vertex", "331", "--json"];
    let explained = place.json(&words("explain", &["--time", "0.4", "--vertex", "331", "--json"]));
    assert_eq!(explained["modes"], place.json(&own)["modes"]);
    assert!(!explained["modes"].is_null());
    let compared = place.text(&words("compare", &[]));
    assert!(compared.contains("sinew model.glb --clip-from=walk.glb "), "{compared}");
    place.text(&words("palette", &["--json"]));
    place.text(&words("export", &["--on", "cpu", "-o", "out.obj"]));
    let verified =
        place.json(&["verify", "model.glb", "--clip-from", "walk.glb", "--samples", "2", "--json"]);
    let rows = verified["models"][0]["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["pose"].as_str().unwrap().contains("walk")), "{rows:?}");
    // Paths in a list begin at its folder.
    fs::create_dir(place.path("list")).unwrap();
    let case = "[[case]]\nname = \"a\"\nmodel = \"../model.glb\"\nclip-from = \"../walk.glb\"\n\
                clip = \"walk\"\ntime = 0.4\nsize = \"32x32\"\n";
    fs::write(place.path("list/golden.toml"), case).unwrap();
    place.text(&["golden", "list", "--update"]);
    place.text(&["golden", "list"]);
}

#[test]
fn a_map_names_what_names_do_not_say() {
    let place = Place::new();
    let whole = common::builtin("character");
    let numbers: Vec<String> = whole.rig.names.clone();
    let number = |name: &str| numbers.iter().position(|known| known == name).unwrap();
    place.write("coded.glb", &renamed(skeleton(&whole), |name| format!("Bone.{:03}", number(name))));
    let line = |name: &String| format!("\"Bone.{:03}\" = \"{name}\"\n", number(name));
    let map: String = numbers.iter().filter(|name| !name.is_empty()).map(line).collect();
    fs::write(place.path("map.toml"), format!("# left: theirs\n{map}")).unwrap();
    let flags = ["model.glb", "--clip-from", "coded.glb"];
    let found = place.run(&[&flags[..], &["--no-guess", "--screenshot", "out.png"]].concat());
    let (code, says) = (found.code, found.err);
    assert!(code == Some(1) && says.starts_with("error: coded.glb: none of its "), "{says}");
    let pose = ["--clip", "walk", "--time", "0.4"];
    let mapped = [&flags[..], &["--joint-map", "map.toml"], &pose].concat();
    let own = place.picture(&[&["own.glb"][..], &pose].concat());
    assert!(own.rgba == place.picture(&mapped).rgba);
    let shown = place.text(&["show", "out.png"]);
    assert!(shown.contains(" --clip-from=coded.glb --joint-map=map.toml "), "{shown}");
}

/// The built-in character under names of Mixamo, in other proportions.
fn mixamo() -> Model {
    let mut model = skeleton(&common::builtin("character"));
    let mixamo = |name: &str| {
        let (bone, side) = match name.rsplit_once('.') {
            Some((bone, "L")) => (bone, "Left"),
            Some((bone, _)) => (bone, "Right"),
            None => (name, ""),
        };
        let bone = match bone {
            "hips" => "Hips",
            "spine" => "Spine",
            "chest" => "Spine1",
            "neck" => "Neck",
            "head" => "Head",
            "shoulder" => "Shoulder",
            "upper_arm" => "Arm",
            "forearm" | "lower_arm" => "ForeArm",
            "hand" => "Hand",
            "thigh" | "upper_leg" => "UpLeg",
            "shin" | "lower_leg" => "Leg",
            "foot" => "Foot",
            "toe" | "toes" => "ToeBase",
            _ => return name.to_owned(),
        };
        format!("mixamorig:{side}{bone}")
    };
    model.rig.names.iter_mut().for_each(|name| *name = mixamo(name));
    model
}

/// Bones of another scheme, or without names, play what the own clip plays; a line says what was guessed.
#[test]
fn joints_match_without_help() {
    let place = Place::new();
    place.write("mixamo.glb", &mixamo());
    let mut number = 0;
    let coded = renamed(skeleton(&common::builtin("character")), |_| {
        number += 1;
        format!("Bone.{number:03}")
    });
    place.write("coded.glb", &coded);
    let pose = ["--clip", "walk", "--time", "0.4"];
    let own = place.picture(&[&["own.glb"][..], &pose].concat());
    // The shape of the tree tells no fingers.
    for (file, by, is_whole) in [("mixamo.glb", "humanoid", true), ("coded.glb", "shape", false)] {
        let flags = ["model.glb", "--clip-from", file];
        let inspect = |more: &[&str]| {
            let found = place.run(&[&["inspect", "--json"], &flags[..], more].concat());
            assert_eq!(found.code, Some(0), "{}", found.err);
            serde_json::from_slice::<Value>(&found.out).unwrap()["clips_from"][0].clone()
        };
        let found = &inspect(&["--write-joint-map", "map.toml"]);
        let matched = found["moving_matched"].as_u64().unwrap();
        assert!(matched == if is_whole { found["moving"].as_u64().unwrap() } else { 22 }, "{found}");
        let count =
            |by: &str| found["pairs"].as_array().unwrap().iter().filter(|pair| pair["by"] == by).count();
        let guessed = ["words", "humanoid", "shape"].map(count).iter().sum::<usize>();
        let drawn = [&flags[..], &pose, &["--size", "64x64", "--screenshot", "out.png"]].concat();
        let says = place.run(&drawn).err;
        let is_own = || own.rgba == read_png(&place.path("out.png")).unwrap().rgba;
        assert_eq!(is_own(), is_whole, "{file}");
        let note = format!("note: {file}: {guessed} joints matched by guesses (");
        let kind = format!("{} by {by}", count(by));
        assert!(guessed > 5 && says.contains(&note) && says.contains(&kind), "{says}");
        assert_eq!(says.lines().count(), 1 + usize::from(!is_whole), "{says}");
        assert!(says.contains("--write-joint-map MAP.toml"), "{says}");
        // The written map gives the same matches.
        let again = &inspect(&["--joint-map", "map.toml"]);
        let matches = |report: &Value| {
            let pairs = report["pairs"].as_array().unwrap();
            pairs
                .iter()
                .map(|pair| [&pair["joint"], &pair["follows"]].map(Value::to_string))
                .collect::<Vec<_>>()
        };
        assert_eq!(matches(found), matches(again));
        assert!(again["pairs"].as_array().unwrap().iter().all(|pair| pair["by"] == "map"), "{again}");
        for key in ["unmatched", "unmatched_in_file", "clips"] {
            assert_eq!(found[key], again[key]);
        }
        let says = place.run(&[&drawn[..], &["--joint-map", "map.toml"]].concat());
        assert_eq!((says.code, says.err.contains("note:"), says.err.is_empty()), (Some(0), false, is_whole));
        assert_eq!(is_own(), is_whole, "{file}");
    }
    // Names alone find nothing, and a map of several files is one.
    let flags = ["model.glb", "--clip-from", "coded.glb", "--no-guess", "--screenshot", "out.png"];
    assert_eq!(place.run(&flags).code, Some(1));
    let both = ["model.glb", "--clip-from", "coded.glb", "--clip-from", "mixamo.glb"];
    let written = place.run(&[&["inspect", "--write-joint-map", "both.toml"], &both[..]].concat());
    assert_eq!(written.code, Some(0), "{}", written.err);
    let mapped = [&["inspect", "--json", "--no-guess", "--joint-map", "both.toml"], &both[..]].concat();
    let mapped = &place.json(&mapped)["clips_from"];
    assert_eq!([0, 1].map(|file: usize| mapped[file]["moving_matched"].as_u64()), [Some(22), Some(52)]);
    let alone = place.run(&["inspect", "model.glb", "--write-joint-map", "x.toml"]);
    assert_eq!(alone.code, Some(2), "{}", alone.err);
    assert!(!place.path("x.toml").exists());
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line() {
    let place = Place::new();
    let whole = common::builtin("character");
    place.write("still.glb", &Model { clips: Vec::new(), ..skeleton(&whole) });
    let picture = |more: &[&'static str]| {
        [&["model.glb", "--screenshot", "out.png"][..], more].concat().into_iter().collect::<Vec<_>>()
    };
    let still = picture(&["--clip-from", "still.glb"]);
    place.refuses(&still, 1, "still.glb: it has no clips to play");
    let missing = picture(&["--clip-from", "missing.glb"]);
    let others = "there is 'model.glb', 'own.glb', 'still.glb' and 1 more";
    place.refuses(&missing, 1, &format!("missing.glb: no such file; {others}"));
    let map = picture(&["--clip-from", "walk.glb", "--joint-map", "missing.toml"]);
    place.refuses(&map, 1, "missing.toml: no such file");
    let alone = picture(&["--joint-map", "map.toml"]);
    place.refuses(&alone, 2, "--joint-map needs --clip-from, whose joints it names");
    for (map, says) in [
        ("hips = 3", "line 1: expected \"hips\" = \"joint of the model\", both in quotes"),
        ("nobody = \"head\"", "\"nobody\": walk.glb: the model has no node 'nobody'"),
        ("head = \"hea\"", "\"head\" = \"hea\": the model has no node 'hea'; did you mean 'head'?"),
    ] {
        fs::write(place.path("map.toml"), map).unwrap();
        let words = picture(&["--clip-from", "walk.glb", "--joint-map", "map.toml"]);
        place.refuses(&words, 1, &format!("map.toml: {says}"));
    }
    // Most of what moves has no match: it still plays, with a word of warning.
    let mut kept = 0;
    let some = renamed(skeleton(&whole), |name| {
        kept += 1;
        if name == "head" { name.to_owned() } else { format!("x{kept}") }
    });
    place.write("some.glb", &some);
    let found = place.run(&picture(&["--clip-from", "some.glb", "--no-guess"]));
    assert_eq!(found.code, Some(0), "{}", found.err);
    assert!(found.err.starts_with("warning: some.glb: 1 of its "), "{}", found.err);
    assert!(found.err.contains("'sinew inspect model.glb --clip-from some.glb' lists both sides"));
}

#[test]
fn no_output_overwrites_them() {
    let place = Place::new();
    fs::write(place.path("map.toml"), "").unwrap();
    for name in ["walk.glb", "map.toml"] {
        fs::copy(place.path(name), place.path(&format!("{name}.png"))).unwrap();
    }
    let flags = ["model.glb", "--clip-from", "walk.glb.png", "--joint-map", "map.toml.png"];
    let bytes = |name: &str| fs::read(place.path(name)).unwrap();
    let before = [bytes("walk.glb.png"), bytes("map.toml.png")];
    for (file, role) in [("walk.glb.png", "the file of clips"), ("map.toml.png", "the joint map")] {
        let says = format!("{file}: the output would overwrite {role}");
        place.refuses(&[&flags[..], &["--screenshot", file]].concat(), 2, &says);
        let exported = file.replace(".png", ".obj");
        hard_link(&place, file, &exported);
        let says = format!("{exported}: the output would overwrite {role} {file}");
        place.refuses(&[&["export"], &flags[..], &["-o", &exported]].concat(), 2, &says);
    }
    assert_eq!(before, [bytes("walk.glb.png"), bytes("map.toml.png")]);
}

fn hard_link(place: &Place, from: &str, to: &str) {
    let [from, to]: [&Path; 2] = [&place.path(from), &place.path(to)];
    fs::hard_link(from, to).unwrap();
}

/// A rig twice as large plays at its own size: its bones keep their length.
#[test]
fn a_larger_rig_stays_as_large() {
    let place = Place::new();
    let mut large = Model::clone(&common::builtin("character"));
    for local in &mut large.rig.rest {
        if let LocalTransform::Trs { translation, .. } = local {
            *translation *= 2.0;
        }
    }
    large.clips.clear();
    place.write("large.glb", &large);
    let report = place.json(&["inspect", "large.glb", "--clip-from", "walk.glb", "--json"]);
    for pair in report["clips_from"][0]["pairs"].as_array().unwrap() {
        let ratio = pair["length_ratio"].as_f64();
        assert!(ratio.is_none_or(|ratio| (ratio - 2.0).abs() < 1e-4), "{pair}");
    }
}
