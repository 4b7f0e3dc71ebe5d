//! Tests `sinew compare` from outside: its figures are those worked out from exported vertices, and its exit codes are
//! those that pipelines rely on.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::path::Path;

use serde_json::Value;

use crate::common;

fn compare<const N: usize>(words: [&str; N]) -> Value {
    let words = ["compare"].into_iter().chain(words).chain(["--json"]);
    serde_json::from_slice(&common::run_well(&mut common::sinew(words))).unwrap()
}

/// The positions that the `f64` reference exports.
fn exported(model: &str, mode: &str, clip: u64, time: f64) -> Vec<[f64; 3]> {
    let (clip, time) = (clip.to_string(), time.to_string());
    let words =
        ["export", model, "--mode", mode, "--clip", &clip, "--time", &time, "--on", "reference", "-o", "-"];
    let json: Value = serde_json::from_slice(&common::run_well(&mut common::sinew(words))).unwrap();
    let numbers: Vec<f64> = json["primitives"][0]["positions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_f64().unwrap())
        .collect();
    numbers.as_chunks::<3>().0.to_vec()
}

fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[test]
fn dialects_are_left_out_where_no_joint_scales() {
    let table = |words: &[&str]| {
        let words = [&["compare", "builtin:bend", "--frames", "2"], words].concat();
        let run = common::run_well(&mut common::sinew(words));
        String::from_utf8(run).unwrap()
    };
    let sentence = "dqs-blender and dqs-rigid equal dqs here: no joint scales.";
    let plain = table(&[]);
    assert!(plain.contains(sentence) && !plain.contains("  dqs-rigid"), "{plain}");
    let scaled = ["--joint-scale", "upper=1.6,1,1.6"];
    for table in [table(&scaled), table(&["--modes", "dqs,dqs-blender,dqs-rigid"])] {
        let has_row = |mode: &str| table.contains(&format!("  {mode} "));
        assert!(!table.contains(sentence), "{table}");
        assert!(["dqs", "dqs-blender", "dqs-rigid"].into_iter().all(has_row), "{table}");
    }
    let found = compare(["builtin:bend", "--frames", "2", scaled[0], scaled[1]]);
    assert_eq!(found["equal_to_dqs"], serde_json::json!(["blend"]));
}

#[test]
fn figures_are_those_of_exported_vertices() {
    let model = "builtin:bend";
    let found = compare([model, "--clip", "bend", "--time", "0.9"]);
    assert_eq!((found["model"].as_str(), found["against"].as_str()), (Some(model), Some("lbs")));
    let used: std::collections::HashSet<u32> =
        common::builtin("bend").meshes[0].primitives[0].indices.iter().copied().collect();
    assert_eq!(found["vertices"], used.len());
    let frame = &found["clips"][0]["frames"][0];
    assert_eq!((found["clips"][0]["clip"].as_u64(), frame["time"].as_f64()), (Some(0), Some(0.9)));
    let against = exported(model, "lbs", 0, 0.9);
    let modes = frame["modes"].as_array().unwrap();
    // Without shares, blend is the same as dqs; without scale, so are its dialects.
    let left_out = ["blend", "dqs-blender", "dqs-rigid"];
    assert_eq!(found["equal_to_dqs"], serde_json::json!(left_out));
    assert_eq!(modes.len(), sinew::skinning::SkinningMode::ALL.len() - left_out.len());
    for figures in modes {
        let mode = figures["mode"].as_str().unwrap();
        let skinned = exported(model, mode, 0, 0.9);
        let drawn = || (0..skinned.len()).filter(|vertex| used.contains(&(*vertex as u32)));
        let apart: Vec<f64> = drawn().map(|vertex| distance(&skinned[vertex], &against[vertex])).collect();
        let largest = apart.iter().copied().fold(0.0, f64::max);
        let mean = apart.iter().sum::<f64>() / apart.len() as f64;
        let rms = (apart.iter().map(|apart| apart * apart).sum::<f64>() / apart.len() as f64).sqrt();
        let mut sorted = apart.clone();
        sorted.sort_by(f64::total_cmp);
        let p99 = sorted[(apart.len() * 99).div_ceil(100) - 1];
        for (key, expected) in [("max_m", largest), ("mean_m", mean), ("rms_m", rms), ("p99_m", p99)] {
            let figure = figures[key].as_f64().unwrap();
            assert!((figure - expected).abs() < 1e-12, "{mode} {key}: {figure} is not {expected}");
        }
        match figures["worst"]["vertex"].as_u64() {
            Some(vertex) => {
                let vertex = vertex as usize;
                assert!((distance(&skinned[vertex], &against[vertex]) - largest).abs() < 1e-12, "{mode}");
                assert_eq!(figures["worst"]["name"], format!("node0:0:{vertex}"));
                assert!(["lower", "upper"].contains(&figures["worst"]["joint"].as_str().unwrap()));
            }
            None => assert_eq!(mode, "lbs"),
        }
    }
    // A comparison that sees nothing would pass all of the above.
    assert!(modes[2]["max_m"].as_f64().unwrap() > 0.01 && modes[2]["normal_max_deg"].as_f64().unwrap() > 1.0);
}

/// At half a turn, a vertex with equal weights is on the axis in linear blending and on the surface in the others: the
/// distance is the rod's radius.
#[test]
fn the_worst_frame_of_a_twist_is_its_end_and_has_a_command() {
    let found = compare(["builtin:twist", "--modes", "dqs", "--frames", "5"]);
    let times: Vec<f64> =
        found["clips"][0]["frames"].as_array().unwrap().iter().map(|f| f["time"].as_f64().unwrap()).collect();
    assert_eq!(times, [0.0, 0.5, 1.0, 1.5, 2.0]);
    let worst = &found["worst"][0];
    assert_eq!((worst["time"].as_f64(), worst["mode"].as_str()), (Some(2.0), Some("dqs")));
    let vertex = worst["worst"]["vertex"].as_u64().unwrap() as usize;
    let place = exported("builtin:twist", "dqs", 0, 2.0)[vertex];
    let radius = place[0].hypot(place[2]);
    let apart = worst["distance_m"].as_f64().unwrap();
    assert!((apart / radius - 1.0).abs() < 0.1, "{apart} against {radius}");
    let command = worst["command"].as_str().unwrap();
    assert!(command.starts_with("sinew builtin:twist --mode dqs --clip 0 --time 2 "), "{command}");
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("worst.png");
    let words: Vec<&str> = command.split(' ').skip(1).filter(|word| *word != "--vertex").collect();
    let (_vertex, flags) = words.split_last().unwrap();
    common::run_well(common::sinew(flags).arg("--screenshot").arg(&picture));
    assert!(picture.exists());
}

#[test]
fn every_frame_has_thirty_a_second_and_the_keys() {
    let found = compare(["builtin:character", "--clip", "walk", "--modes", "rigid"]);
    let frames = found["clips"][0]["frames"].as_array().unwrap();
    let times: Vec<f64> = frames.iter().map(|frame| frame["time"].as_f64().unwrap()).collect();
    assert!(times.is_sorted());
    let model = common::builtin("character");
    let clip = model.clips.iter().find(|clip| clip.name == "walk").unwrap();
    let has = |wanted: f64| times.iter().any(|time| (time - wanted).abs() <= 1e-5);
    for key in clip.channels.iter().flat_map(|channel| &channel.times) {
        assert!(has(f64::from(*key)), "{key}");
    }
    let length = f64::from(clip.duration_secs);
    assert!((0..=(length * 30.0) as u32).all(|step| has(f64::from(step) / 30.0)) && has(length));
}

#[test]
fn a_limit_fails_with_6_in_one_line() {
    let run = |limit| {
        let words = ["compare", "builtin:twist", "--time", "2", "--modes", "dqs", "--fail-above", limit];
        let run = common::run(&mut common::sinew(words));
        (run.code, run.err)
    };
    for wide in ["1m", "50%"] {
        assert_eq!(run(wide).0, Some(0), "{wide}");
    }
    for narrow in ["5mm", "0.5%", "0mm"] {
        let (code, said) = run(narrow);
        assert_eq!((code, said.lines().count()), (Some(6), 1), "{said}");
        assert!(said.starts_with("error: builtin:twist: dqs is ") && said.contains("node0:0:"), "{said}");
    }
    for wrong in ["5", "x", "-1mm"] {
        assert_eq!(run(wrong).0, Some(2), "{wrong}");
    }
}

#[test]
fn whoever_gets_the_first_clip_of_many_is_told_of_the_others() {
    let says = |words: &[&str]| {
        let words = [&["compare", "--frames", "2", "--modes", "dqs"], words].concat();
        let table = String::from_utf8(common::run_well(&mut common::sinew(words))).unwrap();
        table.contains("\nThis is one of 4 clips; --all-clips measures them all.\n")
    };
    assert!(says(&["builtin:character"]));
    for asked in [&["--clip", "0"][..], &["--clip", "#1"], &["--all-clips"], &["--pose", "rest"]] {
        assert!(!says(&[&["builtin:character"], asked].concat()), "{asked:?}");
    }
    assert!(!says(&["builtin:bend"]), "it has one clip");
}

#[test]
fn two_files_are_compared_by_order_or_by_surface() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(common::run(common::sinew(["builtins", "--write"]).arg(folder.path())).code, Some(0));
    let path = |name: &str| folder.path().join(name).display().to_string();
    let same = compare(["builtin:twist", &path("twist.glb")]);
    assert_eq!(same["primitives"][0]["how"], "order");
    assert_eq!(same["worst"].as_array().unwrap().len(), 0);
    let moved = nudged(Path::new(&path("twist.glb")), folder.path());
    let found = compare(["builtin:twist", &moved, "--modes", "lbs,dqs"]);
    for mode in found["clips"][0]["frames"][0]["modes"].as_array().unwrap() {
        // The whole rig stands a centimetre higher.
        for key in ["max_m", "mean_m", "p99_m"] {
            let apart = mode[key].as_f64().unwrap();
            assert!((apart - 0.01).abs() < 1e-9, "{key} {apart}");
        }
    }
    let run = common::run(&mut common::sinew(["compare", "builtin:twist", &moved, "--fail-above", "9mm"]));
    assert_eq!(run.code, Some(6), "{}", run.err);
    // A rod with another number of vertices has the same surface, but for its facets.
    let other = compare(["builtin:tube-64", "builtin:tube-65", "--modes", "lbs", "--frames", "2"]);
    assert_eq!(other["primitives"][0]["how"], "surface");
    let bind = other["clips"][0]["frames"][0]["modes"][0]["max_m"].as_f64().unwrap();
    assert!(bind < 0.01 * other["diagonal_m"].as_f64().unwrap(), "{bind}");
    let missing = common::run(&mut common::sinew(["compare", "builtin:twist", "builtin:bend"]));
    assert_eq!(
        (missing.code, missing.err.as_str()),
        (
            Some(0),
            "warning: builtin:bend: the rest pose is measured, because it has no clip 'twist', but 0 'bend'; \
             --clip 'twist=NAME' names the clip there\n"
        )
    );
}

/// A copy of a model whose first joint's clip-free root stands a centimetre higher.
fn nudged(file: &Path, folder: &Path) -> String {
    edited(file, &folder.join("nudged.glb"), |json| {
        let nodes = json["nodes"].as_array().unwrap().len();
        let roots = json["scenes"][0]["nodes"].clone();
        json["nodes"].as_array_mut().unwrap().push(
            serde_json::json!({ "name": "higher", "translation": [0.0, 0.01, 0.0], "children": roots }),
        );
        json["scenes"][0]["nodes"] = serde_json::json!([nodes]);
    })
}

/// A copy of a model with another JSON part.
fn edited(file: &Path, path: &Path, edit: impl FnOnce(&mut Value)) -> String {
    let bytes = std::fs::read(file).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    edit(&mut json);
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &bytes[20 + length..];
    let mut out = b"glTF".to_vec();
    out.extend(2_u32.to_le_bytes());
    out.extend(((20 + text.len() + rest.len()) as u32).to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(&text);
    out.extend(rest);
    std::fs::write(path, out).unwrap();
    path.display().to_string()
}

/// The character with other names of its clips.
fn renamed(folder: &Path, names: [&str; 4]) -> String {
    assert_eq!(common::run(common::sinew(["builtins", "--write"]).arg(folder)).code, Some(0));
    edited(&folder.join("character.glb"), &folder.join("renamed.glb"), |json| {
        for (clip, name) in json["animations"].as_array_mut().unwrap().iter_mut().zip(names) {
            clip["name"] = name.into();
        }
    })
}

/// Exporters put the rig's name in front of a clip's: that is no reason to measure nothing.
#[test]
fn clips_pair_by_name_and_what_one_file_lacks_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let new = renamed(folder.path(), ["Rig|IDLE", "walk", "greet", "a:Range-of-motion"]);
    let measured = |flags: &[&str]| {
        let words = [&["compare", "builtin:character", &new, "--json", "--frames", "1"], flags].concat();
        let words = [&words[..], &["--modes", "lbs"]].concat();
        let found: Value = serde_json::from_slice(&common::run_well(&mut common::sinew(&words))).unwrap();
        let clips = found["clips"].as_array().unwrap().iter();
        let names = clips.map(|clip| {
            assert_eq!(clip["frames"][0]["modes"][0]["max_m"], 0.0, "{clip}");
            (clip["name"].as_str().unwrap().to_owned(), clip["name_in_new"].as_str().map(str::to_owned))
        });
        (names.collect::<Vec<_>>(), found["clips_only_in"].clone())
    };
    let pair = |old: &str, new: Option<&str>| (format!("clip {old}"), new.map(|new| format!("clip {new}")));
    let idle = vec![pair("idle", Some("Rig|IDLE"))];
    let alone = serde_json::json!([["wave"], ["greet"]]);
    assert_eq!(measured(&[]), (idle.clone(), alone.clone()));
    assert_eq!(measured(&["--clip", "0"]), (idle.clone(), serde_json::json!([[], []])));
    let all = [idle, vec![pair("walk", None), pair("range-of-motion", Some("a:Range-of-motion"))]].concat();
    assert_eq!(measured(&["--all-clips"]), (all, alone));
    let waves = vec![pair("wave", Some("greet"))];
    assert_eq!(measured(&["--clip", "wave=greet"]), (waves, serde_json::json!([[], []])));
    assert_eq!(measured(&["--clip", "wave=#2", "--all-clips"]).0.len(), 4);

    for (flags, code, says) in [
        (vec!["--clip", "wave"], 0, "renamed.glb: the rest pose is measured, because it has no clip 'wave'"),
        (vec!["--clip", "wave=wink"], 1, "renamed.glb: it has no clip 'wink'"),
        (vec!["--clip", "wav=greet"], 1, "builtin:character: it has no clip 'wav=greet'"),
        (vec!["--all-clips", "--clip", "wave"], 2, "--clip takes OLD=NEW"),
    ] {
        let run = common::run(common::sinew(["compare", "builtin:character", &new]).args(&flags));
        assert_eq!((run.code, run.err.lines().count()), (Some(code), 1), "{flags:?}: {}", run.err);
        assert!(run.err.contains(says), "{flags:?}: {}", run.err);
    }
    let command = drawn_again(&[
        "builtin:character",
        "--other",
        &new,
        "--clip",
        "wave=greet",
        "--wipe",
        "other",
        "--size",
        "90x60",
    ]);
    assert!(command.contains(" --clip=2=greet "), "{command}");
}

/// Two files are compared in one mode, and with many clips the table stays short.
#[test]
fn two_files_have_a_line_for_each_clip_the_worst_first() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(common::run(common::sinew(["builtins", "--write"]).arg(folder.path())).code, Some(0));
    let old = edited(&folder.path().join("character.glb"), &folder.path().join("old.glb"), |json| {
        json["skins"][0]["extras"] = serde_json::json!({ "sinew": { "skinning": "dual quaternion" } });
    });
    let new = edited(Path::new(&old), &folder.path().join("new.glb"), |json| {
        // A walk that moves fewer joints.
        json["animations"][1]["channels"].as_array_mut().unwrap().truncate(10);
    });
    let words = ["compare", &old, &new, "--all-clips", "--frames", "3"];
    let table = String::from_utf8(common::run_well(&mut common::sinew(words))).unwrap();
    let lines: Vec<&str> = table.lines().filter(|line| line.starts_with("  clip ")).collect();
    assert_eq!(lines.len(), 4, "{table}");
    assert!(lines[0].starts_with("  clip walk  "), "{table}");
    assert!(table.starts_with(&format!("{old} against {new} in dqs: ")) && !table.contains("cor"), "{table}");

    let command = table.lines().find(|line| line.contains("--view=difference:other@")).unwrap().trim();
    assert!(command.contains(&format!(" --other={new} ")), "{command}");
    let (command, _vertex) = command.split_once(" --vertex ").unwrap();
    let picture = folder.path().join("worst.png");
    common::run_well(common::sinew(&self::words(command)[1..]).arg("--screenshot").arg(&picture));
    assert!(picture.exists());

    let run = common::run(common::sinew(words).args(["--fail-above", "1mm"]));
    assert_eq!((run.code, run.err.lines().count()), (Some(6), 1), "{}", run.err);
    let names = format!(" from {old} at ");
    assert!(run.err.starts_with(&format!("error: {new}: ")) && run.err.contains(&names), "{}", run.err);
    assert!(!run.err.contains("dqs"), "{}", run.err);

    // Modes that are asked for have a line each.
    let more = common::run_well(common::sinew(words).args(["--modes", "lbs,dqs"]));
    let more = String::from_utf8(more).unwrap();
    assert_eq!(more.lines().filter(|line| line.starts_with("  clip ")).count(), 8, "{more}");
    assert!(more.contains("  clip walk, lbs  "), "{more}");
}

#[test]
fn no_file_of_the_user_is_overwritten() {
    for words in [
        vec!["compare", "--json", "fox.glb"],
        vec!["compare", "-o", "fox.glb"],
        vec!["compare", "-o", "-"],
        vec!["compare", "-o", "a-{frame}.png"],
    ] {
        let run = common::run(&mut common::sinew(&words));
        assert_eq!((run.code, run.err.lines().count()), (Some(2), 1), "{words:?}: {}", run.err);
    }
}

#[test]
fn weights_of_a_file_are_its_own() {
    let words =
        ["compare", "builtin:bend", "builtin:bend", "--weights", "--poses", "3", "--seed", "7", "--json"];
    let found: Value = serde_json::from_slice(&common::run_well(&mut common::sinew(words))).unwrap();
    assert_eq!(
        (found["weights"]["mean"].as_f64(), found["weights"]["unmatched"].as_u64()),
        (Some(0.0), Some(0))
    );
    let poses = &found["random_poses"][0];
    assert_eq!(
        (poses["poses"].as_u64(), poses["seed"].as_u64(), poses["largest"].as_f64()),
        (Some(3), Some(7), Some(0.0))
    );
}

/// The words of a command line, which quotes only with '…'.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut is_quoted) = (vec![String::new()], false);
    for letter in command.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words.last_mut().unwrap().push(letter),
        }
    }
    words
}

#[test]
fn a_picture_of_panels_tells_how_it_was_made() {
    let command = drawn_again(&["compare", "builtin:bend", "--modes", "lbs,dqs", "--size", "200x200"]);
    assert!(command.contains("'mode=dqs view=difference:lbs@"), "{command}");
}

#[test]
fn a_picture_of_two_files_tells_how_it_was_made() {
    let files = ["builtin:tube-64", "builtin:tube-65"];
    let command = drawn_again(&[
        "compare", files[0], files[1], "--modes", "lbs,dqs", "--time", "1", "--size", "300x200",
    ]);
    assert!(
        command.contains("--other=builtin:tube-65 ") && command.contains("'mode=dqs other'"),
        "{command}"
    );
    for (flags, arrangement) in [
        (["--split", "other"], "--split=mode=lbs --split='mode=lbs other'"),
        (["--wipe", "other@0.25"], "--wipe other@0.25"),
        (["--view", "difference:other@0.1m"], "--view=difference:other@0.1m"),
    ] {
        let size = ["--size", "200x200", "--time", "1"];
        let whole = [vec![files[0], "--other", files[1]], flags.to_vec(), size.to_vec()].concat();
        let command = drawn_again(&whole);
        assert!(command.contains(arrangement), "{command}");
    }
}

#[test]
fn another_file_needs_a_place_and_the_clip() {
    let one = ["builtin:twist", "--screenshot", "-", "--size", "8x8"];
    for (flags, code, error) in [
        (
            vec!["--other", "builtin:bend"],
            2,
            "error: --other needs --split other, --wipe other or --view difference:other\n",
        ),
        (vec!["--wipe", "other"], 2, "error: 'other' stands for a second file; name it with --other\n"),
        (
            vec!["--view", "difference:other"],
            2,
            "error: 'other' stands for a second file; name it with --other\n",
        ),
        (
            vec!["--wipe", "other", "--other", "builtin:bend"],
            1,
            "error: builtin:bend: it has no clip 'twist', but 0 'bend'; --clip 'twist=NAME' names the clip there\n",
        ),
    ] {
        let run = common::run(common::sinew(one).args(&flags));
        assert_eq!((run.code, run.err.as_str()), (Some(code), error), "{flags:?}");
    }
}

/// Runs a command that writes a picture, and the command that the picture holds: both draw the same. Returns the latter.
fn drawn_again(words: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (picture, again) = (folder.path().join("panels.png"), folder.path().join("again.png"));
    let flag = if words[0] == "compare" { "-o" } else { "--screenshot" };
    common::run_well(common::sinew(words).arg(flag).arg(&picture));
    let shown = common::run_well(common::sinew(["show", "--json"]).arg(&picture));
    let shown: Value = serde_json::from_slice(&shown).unwrap();
    let command = shown["command"].as_str().unwrap().to_owned();
    common::run_well(common::sinew(&self::words(&command)[1..]).arg("--screenshot").arg(&again));
    assert_eq!(sinew::image::read_png(&picture).unwrap(), sinew::image::read_png(&again).unwrap());
    command
}

/// The printed command shows the difference, also on the side that is turned from the usual eye.
#[test]
fn the_command_of_a_worst_place_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["character", "twist"] {
        let old = common::builtin(name);
        let write = |file: &str, model: &sinew::model::Model| {
            let path = folder.path().join(file);
            let model = sinew::model::Model { scenes: Vec::new(), scene: None, ..model.clone() };
            std::fs::write(&path, sinew::model::gltf::write_glb(&model).unwrap()).unwrap();
            path.display().to_string()
        };
        let mut new = sinew::model::Model::clone(&old);
        // The vertex furthest from the usual eye, which is in front, on the right and above, at about half the height.
        let positions = &mut new.meshes[0].primitives[0].positions;
        let heights = positions.iter().map(|position| position[1]);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        let is_middle = |position: &&mut [f32; 3]| (0.4..0.6).contains(&((position[1] - low) / (high - low)));
        let depth = |position: &[f32; 3]| position[0] + 2.0 * position[2];
        let back =
            positions.iter_mut().filter(is_middle).min_by(|a, b| depth(a).total_cmp(&depth(b))).unwrap();
        back[2] -= 0.01 * (high - low);
        let (old, new) = (write("old.glb", &old), write("new.glb", &new));
        let run =
            common::run_well(&mut common::sinew(["compare", &old, &new, "--pose", "rest", "--modes", "lbs"]));
        let table = String::from_utf8(run).unwrap();
        let command = table.lines().find(|line| line.trim().starts_with("sinew ")).unwrap().trim();
        let picture = |other: &str, marks: bool| {
            let path = folder.path().join("picture.png");
            let mut words: Vec<String> = words(command);
            let at = words.iter().position(|word| word.starts_with("--other=")).unwrap();
            words[at] = format!("--other={other}");
            if !marks {
                words.truncate(words.iter().position(|word| word == "--vertex").unwrap());
            }
            common::run_well(common::sinew(&words[1..]).arg("--screenshot").arg(&path));
            sinew::image::read_png(&path).unwrap()
        };
        let differing = |a: &sinew::image::Image, b: &sinew::image::Image| -> Vec<bool> {
            a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4)).map(|(a, b)| a != b).collect()
        };
        // Against itself, nothing has the colour of a difference; the marker covers some.
        let colored = differing(&picture(&new, false), &picture(&old, false));
        let marker = differing(&picture(&new, true), &picture(&new, false));
        let shown = colored.iter().zip(&marker).filter(|(colored, marker)| **colored && !**marker).count();
        assert!(shown > 200, "{name}: {shown} pixels of {command}");
    }
}

/// The rows of a comparison's table: mode and largest distance.
fn nearest(words: &[&str]) -> (String, String) {
    let run = common::run(&mut common::sinew(["compare"].iter().chain(words)));
    assert_eq!(run.code, Some(0), "{words:?}: {}", run.err);
    let stdout = String::from_utf8(run.out).unwrap();
    let line = stdout.lines().find(|line| line.contains("nearest is")).map(str::to_owned);
    (line.unwrap_or_else(|| panic!("{words:?}: {stdout}")), run.err)
}

#[test]
fn vertices_of_other_programs_are_measured_against_each_mode() {
    let folder = tempfile::tempdir().unwrap();
    let model = "builtin:character";
    let file = |name: &str| folder.path().join(name).display().to_string();
    for (mode, rate, name) in
        [("dqs", "24", "dqs.pc2"), ("lbs", "30", "lbs.mdd"), ("cor", "25", "cor-{frame:03}.obj")]
    {
        let name = file(name);
        let words = ["bake", model, "--clip", "wave", "--mode", mode, "--fps", rate, "-o", &name];
        common::run_well(&mut common::sinew(words));
        // No clip is named, so it is found.
        let names = match name.contains("{frame:03}") {
            true => vec![name.replace("{frame:03}", "*"), name.replace("{frame:03}", "{frame}")],
            false => vec![name],
        };
        for name in names {
            let (line, note) = nearest(&[model, &name]);
            assert!(line.contains(&format!("nearest is {mode}: at most ")), "{line}");
            assert!(line.contains("µm") || line.contains("nm"), "{line}");
            assert!(note.contains("of clip wave") && note.contains("matched by order"), "{note}");
            assert_eq!(note.contains(&format!("at {rate} a second")), !name.ends_with(".mdd"), "{note}");
        }
    }
    let cache = file("dqs.pc2");
    let run = common::run(&mut common::sinew(["compare", model, &cache, "--modes", "dqs,lbs", "--json"]));
    let found: Value = serde_json::from_slice(&run.out).unwrap();
    let facts = &found["cache"];
    assert_eq!((facts["frames_per_second"].as_f64(), facts["matched"].as_str()), (Some(24.0), Some("order")));
    assert_eq!((facts["axes"].as_str(), facts["unit"].as_str()), (Some("x y z"), Some("m")));
    // Frames are measured at their own times, and lbs is as far from the cache as it is from dqs.
    let [clip] = found["clips"].as_array().unwrap().as_slice() else { panic!("{found}") };
    let frames = clip["frames"].as_array().unwrap();
    for (number, frame) in frames.iter().enumerate() {
        let time = frame["time"].as_f64().unwrap();
        assert!((time - number as f64 / 24.0).abs() < 1e-9, "{time}");
    }
    let time = frames[9]["time"].as_f64().unwrap().to_string();
    let modes = compare([model, "--clip", "wave", "--time", &time, "--modes", "lbs", "--against", "dqs"]);
    let against_dqs = modes["clips"][0]["frames"][0]["modes"][0]["max_m"].as_f64().unwrap();
    let lbs = frames[9]["modes"].as_array().unwrap().iter().find(|figures| figures["mode"] == "lbs").unwrap();
    let against_cache = lbs["max_m"].as_f64().unwrap();
    assert!(
        against_dqs > 1e-3 && (against_dqs - against_cache).abs() < 2e-6,
        "{against_dqs} {against_cache}"
    );

    let code = |words: &[&str]| {
        let run = common::run(&mut common::sinew(["compare", model].iter().chain(words)));
        (run.code, run.err.lines().last().unwrap_or_default().to_owned())
    };
    assert_eq!(code(&[&cache, "--modes", "dqs", "--fail-above", "0.01mm"]).0, Some(0));
    assert_eq!(code(&[&cache, "--modes", "lbs", "--fail-above", "0.01mm"]).0, Some(6));
    for (words, error) in [
        (&[cache.as_str(), "--all-clips"][..], "--all-clips cannot be used with a point cache"),
        (&[cache.as_str(), "--weights"], "--weights cannot be used with a point cache"),
        (&[cache.as_str(), "--pose", "rest"], "frames, but no clip plays"),
        (&[&file("other-*.obj")], "no file has such a name; expected numbers, as in other-12.obj"),
        (&[&file("none/a-*.obj")], "there is no folder"),
        (&[&file("none.pc2")], "no such file; there is"),
    ] {
        let (code, said) = code(words);
        assert!(matches!(code, Some(1 | 2)) && said.contains(error), "{words:?}: {code:?} {said}");
    }
    let bytes = std::fs::read(&cache).unwrap();
    std::fs::write(&cache, &bytes[..bytes.len() / 2]).unwrap();
    let (status, said) = code(&[&cache]);
    assert!(status == Some(1) && said.contains("bytes follow the header"), "{said}");
}

#[test]
fn pictures_show_vertices_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let cache = file("dqs.pc2");
    common::run_well(&mut common::sinew(["bake", "builtin:bend", "--mode", "dqs", "-o", &cache]));
    // Distances from the cache, and from the model itself, as colours.
    let draw = |mode: &str, other: &str| {
        let out = file(&format!("{mode}.png"));
        let size = ["--time", "1", "--size", "96x96", "--no-legend", "--screenshot", &out];
        let words = ["builtin:bend", "--mode", mode, "--other", other, "--view", "difference:other@20mm"];
        let run = common::run(&mut common::sinew(words.iter().chain(&size)));
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(run.err.contains("61 frames of clip bend at 30 a second"), other == cache, "{}", run.err);
        sinew::image::read_png(Path::new(&out)).unwrap()
    };
    let coloured = |mode: &str| {
        let [theirs, own] = [&cache, "builtin:bend"].map(|other| draw(mode, other));
        sinew::image::Difference::between(&own, &theirs).unwrap().pixels_beyond(8)
    };
    assert_eq!(coloured("dqs"), 0);
    assert!(coloured("lbs") > 100);
}
