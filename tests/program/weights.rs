//! `sinew weights`: the written file against the original, by the library and by other commands, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use serde_json::Value;
use sinew::model::{Influences, Model, gltf};
use sinew::skinning::reweight::{Row, Weights};

use crate::common::{run, run_well, sinew};

fn load(path: impl AsRef<Path>) -> Model {
    gltf::load_bytes(&std::fs::read(path).unwrap(), None).unwrap()
}

fn built_in(name: &str) -> Model {
    gltf::load_bytes(&sinew::model::builtin::glb(name).unwrap(), None).unwrap()
}

fn figures(words: &[&str]) -> Value {
    let ended = run(&mut sinew(words));
    assert_eq!(ended.code, Some(0), "{words:?}: {}", ended.err);
    serde_json::from_slice(&ended.out).unwrap()
}

fn number(model: &Model, name: &str) -> i32 {
    let node = model.rig.names.iter().position(|own| own == name).unwrap();
    model.skins[0].joints.iter().position(|joint| *joint == node).unwrap() as i32
}

fn rows(model: &Model) -> Vec<Row> {
    Weights::new(model).parts.into_iter().flat_map(|part| part.rows).collect()
}

/// A joint's weights, by its name.
fn column(model: &Model, name: &str) -> Vec<u64> {
    let number = number(model, name);
    rows(model).iter().map(|row| row.weight(number).to_bits()).collect()
}

#[test]
fn locked_columns_of_the_written_file_are_equal_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new.glb").to_str().unwrap().to_owned();
    let words = ["weights", "builtin:character", "--lock", "upper_arm.L", "--lock", "spine_03"];
    let edits =
        ["--smooth", "forearm.L@6", "--add", "hand.L=-0.2", "--swap", "thigh.L,thigh.R", "--prune", "0.02"];
    let said = figures(&[&words[..], &edits, &["-o", &out, "--json"]].concat());
    let (before, after) = (built_in("character"), load(&out));
    for name in ["upper_arm.L", "spine_03"] {
        assert_eq!(column(&before, name), column(&after, name), "{name}");
    }
    for name in ["forearm.L", "hand.L", "thigh.R"] {
        assert_ne!(column(&before, name), column(&after, name), "{name}");
    }
    assert!(rows(&after).iter().all(|row| row.weights().map(|(_, weight)| weight).sum::<f64>() == 1.0));
    let edits: Vec<&str> =
        said["edits"].as_array().unwrap().iter().map(|one| one["edit"].as_str().unwrap()).collect();
    assert_eq!(
        edits,
        ["--smooth forearm.L@6", "--add hand.L=-0.2", "--swap thigh.L,thigh.R", "--prune 0.02"]
    );
    // Another command finds the same differences.
    let compared = figures(&["compare", "builtin:character", &out, "--weights", "--json"]);
    assert_eq!(said["weights"], compared["weights"]);
    let compared =
        figures(&["compare", "builtin:character", &out, "--modes", "lbs", "--clip", "walk", "--json"]);
    let walk = said["clips"].as_array().unwrap().iter().find(|clip| clip["name"] == "clip walk").unwrap();
    let [own, theirs] =
        [&walk["max_m"], &compared["worst"][0]["distance_m"]].map(|metres| metres.as_f64().unwrap());
    assert!(own > 0.01 && (own - theirs).abs() < 1e-9, "{own} {theirs}");
    let found = figures(&["inspect", &out, "--json"]);
    assert_eq!(found["warnings"], Value::Array(Vec::new()));
}

/// Each edit against its definition, vertex by vertex, on the vertices that `--where` chooses and on no other.
#[test]
fn every_edit_is_what_its_help_says() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new.glb").to_str().unwrap().to_owned();
    let before = built_in("character");
    let [forearm, hand] = ["forearm.L", "hand.L"].map(|name| number(&before, name));
    let is_near = |weight: f64, wanted: f64| (weight - wanted).abs() < 1e-6;
    type Holds<'a> = &'a dyn Fn(&Row, &Row) -> bool;
    let cases: [(&str, &str, Holds); 7] = [
        ("replace", "hand.L=forearm.L", &|old, new| {
            new.weight(hand) == 0.0 && is_near(new.weight(forearm), old.weight(forearm) + old.weight(hand))
        }),
        ("swap", "hand.L,forearm.L", &|old, new| {
            new.weight(hand) == old.weight(forearm) && new.weight(forearm) == old.weight(hand)
        }),
        ("add", "hand.L=+0.125", &|old, new| is_near(new.weight(hand), (old.weight(hand) + 0.125).min(1.0))),
        ("set", "hand.L=0.25", &|_, new| is_near(new.weight(hand), 0.25)),
        ("prune", "0.3", &|old, new| {
            old.weights().all(|(joint, weight)| {
                let goes = weight < 0.3 && Some(joint) != old.heaviest();
                (new.weight(joint) == 0.0) == goes
            })
        }),
        ("max-influences", "1", &|old, new| new.weight(old.heaviest().unwrap()) == 1.0),
        ("smooth", "forearm.L@1", &|old, new| {
            new.weight(forearm) != 0.0 && (new.weight(forearm) - old.weight(forearm)).abs() < 0.2
        }),
    ];
    for (kind, value, holds) in cases {
        let flag = format!("--{kind}");
        let said = figures(&[
            "weights",
            "builtin:character",
            &flag,
            value,
            "--where",
            "joint:hand.L",
            "--where",
            "part:forearm.L",
            "-o",
            &out,
            "--json",
        ]);
        let (old, new) = (rows(&before), rows(&load(&out)));
        let mut counts = [0, 0];
        for (old, new) in old.iter().zip(&new) {
            if old.weight(hand) > 0.0 && old.heaviest() == Some(forearm) {
                assert!(holds(old, new), "{kind} {value}: {old:?} {new:?}");
                counts = [counts[0] + 1, counts[1] + u64::from(old != new)];
            } else {
                assert_eq!(old, new, "{kind} {value}");
            }
        }
        let edit = &said["edits"][0];
        assert_eq!(
            [&edit["vertices"], &edit["changed"]].map(|count| count.as_u64().unwrap()),
            counts,
            "{kind}"
        );
        assert!(counts[1] > 100, "{kind}: {counts:?}");
    }
}

/// Writes the character with faults: a patch of the left forearm that the left foot moves too.
fn write_spoilt(path: &Path) {
    let mut model = built_in("character");
    let foot = number(&model, "foot.L");
    let before = rows(&model);
    let primitive = &mut model.meshes[0].primitives[0];
    let is_spoilt = |place: &[f32; 3]| {
        let apart = [place[0] - 0.48, place[1] - 1.15, place[2] + 0.05].map(|x| x * x);
        apart.iter().sum::<f32>() < 0.0016
    };
    let spoilt = before.iter().zip(&primitive.positions).map(|(row, place)| {
        let mut row: Vec<(i32, f64)> = row.weights().collect();
        if is_spoilt(place) {
            row.iter_mut().for_each(|(_, weight)| *weight *= 0.75);
            row.push((foot, 0.25));
        }
        row
    });
    primitive.influences = Some(Influences::from_rows(spoilt.collect::<Vec<_>>().into_iter()));
    std::fs::write(path, gltf::write_glb(&model).unwrap()).unwrap();
}

#[test]
fn faults_that_inspect_finds_are_gone_after_the_fix() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [spoilt, mended, copied] = ["spoilt.glb", "mended.glb", "copied.glb"].map(path);
    write_spoilt(Path::new(&spoilt));
    let far = |file: &str| {
        let found = figures(&["inspect", file, "--weights", "--json"]);
        let findings = found["weights"]["findings"].as_array().unwrap().clone();
        findings
            .iter()
            .filter(|one| one["kind"] == "far")
            .map(|one| one["count"].as_u64().unwrap())
            .sum::<u64>()
    };
    let before = far(&spoilt);
    assert!(before > 10, "{before}");
    let said = figures(&["weights", &spoilt, "--fix", "-o", &mended, "--json"]);
    assert_eq!(said["edits"][0]["faults"]["far"]["before"].as_u64(), Some(before));
    assert_eq!(said["edits"][0]["faults"]["far"]["after"].as_u64(), Some(0));
    assert_eq!(far(&mended), 0);
    // As it was before it was spoilt, but for rounding.
    let apart = |file: &str| {
        let compared = figures(&["compare", "builtin:character", file, "--weights", "--json"]);
        compared["weights"]["largest"].as_f64().unwrap()
    };
    assert!(apart(&spoilt) > 0.49 && apart(&mended) < 1e-6, "{} {}", apart(&spoilt), apart(&mended));
    run_well(&mut sinew(["weights", &spoilt, "--copy", "builtin:character", "-o", &copied]));
    assert_eq!(apart(&copied), 0.0);
}

/// Conditions choose before the first edit, and an edit before the repair is repaired, too.
#[test]
fn edits_after_one_another_have_the_same_vertices() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new.glb").to_str().unwrap().to_owned();
    let said = figures(&[
        "weights",
        "builtin:character",
        "--replace",
        "hand.L=forearm.L",
        "--smooth",
        "forearm.L@2",
        "--where",
        "joint:hand.L",
        "-o",
        &out,
        "--json",
    ]);
    assert_eq!(said["edits"][0]["vertices"], said["edits"][1]["vertices"]);
    let said = figures(&[
        "weights",
        "builtin:character",
        "--add",
        "foot.L=+0.25",
        "--fix",
        "--where",
        "sphere:0.48,1.15,-0.05,0.04",
        "-o",
        &out,
        "--json",
    ]);
    let [add, fix] = [0, 1].map(|edit| said["edits"][edit]["changed"].as_u64().unwrap());
    assert!(add > 10 && fix == add, "{add} {fix}");
    assert!(said["weights"]["largest"].as_f64().unwrap() < 1e-6, "as before");
    let said = figures(&["weights", "builtin:character", "--add", "hand.L=+0.2", "-o", &out, "--json"]);
    let before = built_in("character");
    let hand = number(&before, "hand.L");
    let moved = rows(&before).iter().filter(|row| row.weight(hand) > 0.0).count() as u64;
    assert_eq!(said["edits"][0]["vertices"].as_u64(), Some(moved));
}

/// Locks hold through a USD file, too.
#[cfg(feature = "usd")]
#[test]
fn locked_columns_stay_in_a_usd_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new.usda").to_str().unwrap().to_owned();
    let words = [
        "weights",
        "builtin:strip",
        "--add",
        "upper=+0.125",
        "--where",
        "sphere:0,1,0,0.6",
        "-o",
        &out,
        "--json",
    ];
    let said = figures(&words);
    assert!(said["edits"][0]["changed"].as_u64().unwrap() > 0, "{said}");
    let compared = figures(&["compare", "builtin:strip", &out, "--weights", "--json"]);
    assert_eq!(said["weights"]["largest"], compared["weights"]["largest"]);
    assert!((said["weights"]["largest"].as_f64().unwrap() - 0.25).abs() < 1e-6, "{said}");
}

#[test]
fn a_recipe_repeats_the_edits_on_the_next_export() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [first, recipe, export, second] = ["first.glb", "recipe.json", "export.glb", "second.glb"].map(path);
    write_spoilt(&folder.path().join("old.glb"));
    let at = |words: &[&str]| {
        let mut command = sinew(words);
        command.current_dir(folder.path());
        run_well(&mut command)
    };
    at(&[
        "weights",
        "builtin:character",
        "--copy",
        "old.glb",
        "--smooth",
        "hand.L@3",
        "--lock",
        "head",
        "--where",
        "sphere:0.5,1.15,-0.05,0.3",
        "--write-recipe",
        "recipe.json",
        "-o",
        "first.glb",
    ]);
    run_well(&mut sinew(["convert", "builtin:character", "-o", &export]));
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = sinew(["weights", &export, "--recipe", &recipe, "-o", &second]);
    run_well(command.current_dir(elsewhere.path()));
    assert_eq!(rows(&load(&first)), rows(&load(&second)));
    assert_ne!(rows(&load(&first)), rows(&built_in("character")));
    // Edits of the command line come after those of the recipe, and both are written.
    at(&[
        "weights",
        "export.glb",
        "--recipe",
        "recipe.json",
        "--prune",
        "0.1",
        "--write-recipe",
        "more.json",
        "-o",
        "c.glb",
    ]);
    let groups: Value = serde_json::from_slice(&std::fs::read(path("more.json")).unwrap()).unwrap();
    assert_eq!(groups["groups"][1], serde_json::json!({"edits": ["prune 0.1"]}));
    assert_eq!(groups["groups"][0]["lock"], serde_json::json!(["head"]));
}

#[test]
fn what_cannot_be_edited_is_refused_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let out = path("new.glb");
    std::fs::write(path("bad.json"), r#"{"groups": [{"edits": ["smooth elbow"]}]}"#).unwrap();
    std::fs::write(path("cut.json"), r#"{"groups": [{"edits""#).unwrap();
    std::fs::write(path("none.json"), r#"{"groups": []}"#).unwrap();
    std::fs::write(path("lost.json"), r#"{"groups": [{"edits": ["fix", "smooth heed@1"]}]}"#).unwrap();
    let [bad, cut, none, lost] = ["bad.json", "cut.json", "none.json", "lost.json"].map(path);
    let cases: [(&[&str], i32, &str); 15] = [
        (&[], 2, "nothing to do"),
        (&["--lock", "head"], 2, "--lock and --where are for the edits"),
        (&["--smooth", "heed@2"], 1, "did you mean 'head'?"),
        (&["--set", "head=0.5", "--lock", "head"], 1, "'head' is locked"),
        (&["--set", "head=1.5"], 2, "expected JOINT=W"),
        (
            &["--prune", "0.1", "--where", "sphere:9,9,9,1"],
            1,
            "no vertex is chosen by --where sphere:9,9,9,1",
        ),
        (&["--prune", "0.1", "--where", "ball:1"], 2, "expected part:JOINT"),
        (&["--prune", "0.1", "--where", "mesh:coat"], 1, "called 'coat'"),
        (&["--recipe", &bad], 1, "groups[0].edits[0]: expected JOINT@N"),
        (&["--recipe", &cut], 1, "EOF while parsing"),
        (&["--recipe", &none], 1, "none.json: the recipe has no edits"),
        (&["--recipe", &lost], 1, "lost.json: groups[0].edits[1]: the model has no node 'heed'"),
        (&["--copy", "-", "--write-recipe", "a.json"], 2, "--write-recipe cannot name the model of --copy -"),
        (&["--add", "hips=+0.1", "--where", "part:head", "--where", "part:hips"], 1, "no vertex is chosen"),
        (&["--fix", "--write-recipe", "recipe.txt"], 2, "expected a file that ends in .json"),
    ];
    for (words, code, cause) in cases {
        let ended = run(sinew(["weights", "builtin:character", "-o", &out]).args(words));
        assert_eq!(ended.code, Some(code), "{words:?}: {}", ended.err);
        assert!(ended.err.contains(cause) && ended.out.is_empty(), "{words:?}: {}", ended.err);
        assert!(!Path::new(&out).exists(), "{words:?}");
    }
    let ended = run(&mut sinew(["weights", "builtin:character", "--fix", "-o", "new.obj"]));
    assert!(
        ended.code == Some(2) && ended.err.contains("'sinew weights' writes a file that ends in .glb"),
        "{}",
        ended.err
    );
    // A model without joints.
    let still = path("still.glb");
    let mut model = built_in("bend");
    model.skins.clear();
    model.instances.iter_mut().for_each(|instance| instance.skin = None);
    model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).for_each(|one| one.influences = None);
    std::fs::write(&still, gltf::write_glb(&model).unwrap()).unwrap();
    let ended = run(&mut sinew(["weights", &still, "--fix", "-o", &out]));
    assert!(ended.code == Some(1) && ended.err.contains("there are no weights to edit"), "{}", ended.err);
}

/// Each edit that changes nothing, with the reason in its row of the table.
#[test]
fn edits_that_change_nothing_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new.glb").to_str().unwrap().to_owned();
    let cases: [(&[&str], &str); 11] = [
        (&["--set", "root=0.1"], "'root' moves no vertex yet; choose vertices with --where"),
        (&["--add", "root=+0.1"], "'root' moves no vertex yet; choose vertices with --where"),
        (&["--add", "root=-0.1", "--where", "part:head"], "the joint moves none of these vertices"),
        (&["--set", "root=0", "--where", "part:head"], "the joint has this weight already"),
        (&["--smooth", "root@2"], "the joint has equal weights there"),
        (&["--replace", "root=head"], "the first joint moves none of these vertices"),
        (
            &["--swap", "root,toe.L", "--where", "part:head"],
            "both joints have the same weights there, or none",
        ),
        (&["--prune", "0"], "no joint has a weight below 0"),
        (&["--max-influences", "16"], "no vertex has more than 16"),
        (&["--copy", "builtin:character"], "the weights are the same there"),
        (&["--fix", "--where", "part:toe.L"], "no faults"),
    ];
    for (words, why) in cases {
        let said = run_well(sinew(["weights", "builtin:character", "-o", &out]).args(words));
        let said = String::from_utf8(said).unwrap();
        let row = said.lines().find(|line| line.contains(" changed  ")).unwrap_or_default();
        assert!(row.contains("0 vertices changed") && row.contains(why), "{words:?}: {said}");
    }
}
