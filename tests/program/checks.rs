//! Tests what the commands that check something have in common: JUnit XML, a Markdown summary, and `--fail-on`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use serde_json::json;
use sinew::image::Image;

use crate::common::{Run, run, run_well, sinew, write_picture};
use crate::edited::edited;

/// The exit code of a check with both reports, its error line, and the reports.
fn checked(folder: &Path, words: &[&str]) -> (i32, String, String, String) {
    let [xml, summary] = ["c.xml", "c.md"].map(|name| folder.join(name));
    for old in [&xml, &summary] {
        let _ = fs::remove_file(old);
    }
    let mut command = sinew(words);
    command.arg("--junit").arg(&xml).arg("--markdown").arg(&summary);
    let Run { code, err, .. } = run(command.current_dir(folder));
    assert!(err.lines().count() <= 1, "{words:?}: {err}");
    let read = |path| fs::read_to_string(path).unwrap();
    (code.unwrap(), err, read(&xml), read(&summary))
}

/// Fails unless the check ends with this code, and its reports count as many failures.
#[track_caller]
fn assert_checked(folder: &Path, words: &[&str], code: i32, failures: usize, kind: &str) {
    let (found, err, xml, summary) = checked(folder, words);
    assert_eq!(found, code, "{words:?}: {err}");
    assert_eq!(err.is_empty(), code == 0, "{words:?}: {err}");
    assert!(xml.contains(&format!(" failures=\"{failures}\" errors=\"0\">\n")), "{words:?}: {xml}");
    assert_eq!(xml.matches("<failure ").count(), failures, "{words:?}: {xml}");
    assert_eq!(summary.matches("| ❌ |").count(), failures, "{words:?}: {summary}");
    let verdict = if failures == 0 { ": passes (" } else { " fail" };
    assert!(summary.lines().next().unwrap().contains(verdict), "{words:?}: {summary}");
    if failures > 0 {
        assert!(xml.contains(&format!("<failure type=\"{kind}\" ")), "{words:?}: {xml}");
        assert!(summary.contains(&format!(" | {}", kind.replace('_', "&#95;"))), "{words:?}: {summary}");
    }
}

#[test]
fn two_files_fail_by_distance_and_by_what_the_new_one_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let more = edited("bend", |json| {
        let mut clip = json["animations"][0].clone();
        clip["name"] = "only | here".into();
        json["animations"].as_array_mut().unwrap().push(clip);
    });
    fs::write(folder.join("more.glb"), more).unwrap();
    let higher = edited("bend", |json| {
        let (nodes, roots) = (json["nodes"].as_array().unwrap().len(), json["scenes"][0]["nodes"].clone());
        let higher = json!({ "name": "higher", "translation": [0.0, 0.01, 0.0], "children": roots });
        json["nodes"].as_array_mut().unwrap().push(higher);
        json["scenes"][0]["nodes"] = json!([nodes]);
    });
    fs::write(folder.join("higher.glb"), higher).unwrap();

    let lacks = ["compare", "more.glb", "builtin:bend", "--all-clips", "--frames", "1"];
    let with = |flags: &[&'static str]| [&lacks[..], flags].concat();
    assert_checked(folder, &lacks, 0, 0, "");
    let (_, _, xml, summary) = checked(folder, &lacks);
    assert!(xml.contains("<system-out>missing-clip: ") && summary.contains("| ⚠️ | clip only &#124; here"));
    for flags in [&["--fail-on", "missing-clip"][..], &["--fail-on", "error"], &["--fail-above", "1m"]] {
        assert_checked(folder, &with(flags), 6, 1, "missing-clip");
    }
    assert_checked(folder, &with(&["--fail-on", "new-clip,lost"]), 0, 0, "");
    // What the new file has besides is a warning.
    let gains = ["compare", "builtin:bend", "more.glb", "--frames", "1", "--fail-above", "1m"];
    assert_checked(folder, &gains, 0, 0, "");
    assert_checked(folder, &[&gains[..], &["--fail-on", "warning"]].concat(), 6, 1, "new-clip");

    let moved = ["compare", "builtin:bend", "higher.glb", "--frames", "1"];
    assert_checked(folder, &moved, 0, 0, "");
    assert_checked(folder, &[&moved[..], &["--fail-above", "9mm"]].concat(), 6, 1, "distance");
    let weights = ["compare", "builtin:bend", "builtin:bend", "--weights", "--fail-on", "warning"];
    assert_checked(folder, &weights, 0, 0, "");
    let weights = [
        "compare",
        "builtin:twist",
        "builtin:strip",
        "--weights",
        "--fail-on",
        "missing-primitive,unmatched",
    ];
    let (code, err, ..) = checked(folder, &weights);
    assert_eq!(code, 6, "{err}");
}

/// Findings fail them only where the flags say so.
#[test]
fn weights_and_reports_fail_where_the_flags_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Its last joints have weights too small for 8 bits.
    let weights = ["inspect", "builtin:tube-12", "--weights"];
    let with = |flags: &[&'static str]| [&weights[..], flags].concat();
    assert_checked(folder, &weights, 0, 0, "");
    assert_checked(folder, &with(&["--fail-on", "error,leak"]), 0, 0, "");
    for flags in [&["--strict"][..], &["--fail-on", "tiny"], &["--fail-on", "warning"]] {
        assert_checked(folder, &with(flags), 6, 1, "tiny");
    }
    assert_checked(folder, &["inspect", "builtin:bend", "--weights", "--strict"], 0, 0, "");

    // The twist collapses in linear blending, which is what a file without a word means.
    let modes = "rigid,lbs,dqs,cor";
    let report = ["report", "builtin:twist", "--modes", modes, "--no-pictures", "-o", "pages"];
    let with = |flags: &[&'static str]| [&report[..], flags].concat();
    assert_checked(folder, &report, 0, 0, "");
    assert_checked(folder, &with(&["--fail-on", "section_smallest"]), 6, 1, "section_smallest");
    assert_checked(folder, &with(&["--fail-on", "lost_vertices"]), 0, 0, "");
    // In a mode that the author did not mean, the same is a warning.
    let twist = edited("twist", |json| {
        json["skins"][0]["extras"] = json!({ "sinew": { "skinning": "dual quaternion" } });
    });
    fs::write(folder.join("twist.glb"), twist).unwrap();
    let report = ["report", "twist.glb", "--modes", modes, "--no-pictures", "-o", "pages", "--fail-on"];
    assert_checked(folder, &[&report[..], &["error,section_smallest"]].concat(), 0, 0, "");
    assert_checked(folder, &[&report[..], &["warning"]].concat(), 6, 3, "other_mode");
    // A metric by its earlier name; rigid skinning folds the tube.
    let tube = edited("tube-4", |json| {
        json["skins"][0]["extras"] = json!({ "sinew": { "skinning": "rigid" } });
    });
    fs::write(folder.join("tube.glb"), tube).unwrap();
    let report = ["report", "tube.glb", "--no-pictures", "-o", "pages", "--fail-on"];
    for name in ["turned_triangles", "turned"] {
        assert_checked(folder, &[&report[..], &[name]].concat(), 6, 1, "turned_triangles");
    }
}

#[test]
fn pictures_and_proofs_have_reports() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let picture = |name: &str, level: u8, width: u32| {
        let rgba = [level, 9, 9, 255].repeat(width as usize * 8);
        write_picture(&Image { width, height: 8, rgba }, &folder.join(name));
    };
    picture("a.png", 1, 8);
    picture("b.png", 2, 8);
    picture("c.png", 1, 9);
    assert_checked(folder, &["diff", "a.png", "a.png"], 0, 0, "");
    assert_checked(folder, &["diff", "a.png", "b.png"], 6, 1, "differs");
    assert_checked(folder, &["diff", "a.png", "c.png"], 6, 1, "resized");
    assert_checked(folder, &["diff", "a.png", "b.png", "--channel", "1"], 0, 0, "");

    assert_checked(folder, &["verify", "builtin:strip"], 0, 0, "");
    let (code, err, xml, _) = checked(folder, &["verify", "gone.glb", "builtin:strip"]);
    assert_eq!(code, 1, "{err}");
    assert!(xml.contains(" errors=\"1\">") && xml.contains("<error type=\"unread\" "), "{xml}");
    assert!(xml.matches("<testcase ").count() > 3, "{xml}");

    let flags = ["builtin:bend", "--time", "1", "--camera=20,10,3"];
    let look =
        ["--size", "160x120", "--background", "#60b070", "--quality", "draft", "--no-legend", "--screenshot"];
    let drawn = |more: &[&str]| drop(run_well(sinew(flags).args(more).args(look).arg(folder.join("d.png"))));
    let like = [&["diagnose"], &flags[..], &["--like", "d.png"]].concat();
    drawn(&[]);
    assert_checked(folder, &[&like[..], &["--fail-on", "error"]].concat(), 0, 0, "");
    drawn(&["--inject", "transposed"]);
    assert_checked(folder, &like, 0, 0, "");
    assert_checked(folder, &[&like[..], &["--fail-on", "error"]].concat(), 6, 1, "transposed");
}

/// A golden keeps its name when its list of values gets shorter, and one without a case is a finding.
#[test]
fn goldens_without_a_case_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let list = |modes: &str| {
        let case = format!(
            "[[case]]\nname = \"run\"\nmodel = \"builtin:bend\"\nsize = \"32x32\"\ntime = 1\nmode = {modes}\n"
        );
        fs::write(folder.join("golden.toml"), case).unwrap();
    };
    list("[\"lbs\", \"dqs\"]");
    run_well(sinew(["golden", ".", "--update"]).current_dir(folder));
    assert_checked(folder, &["golden", "."], 0, 0, "");

    list("[\"lbs\"]");
    let orphan = "warning: .: no case uses run-dqs.png\n";
    let found = run(sinew(["golden", ".", "--json"]).current_dir(folder));
    assert_eq!((found.code, found.err.as_str()), (Some(0), orphan));
    let json: serde_json::Value = serde_json::from_slice(&found.out).unwrap();
    assert_eq!((&json["passed"], &json["orphans"]), (&json!(1), &json!(["run-dqs.png"])));
    let (code, _, xml, summary) = checked(folder, &["golden", "."]);
    assert!(code == 0 && xml.contains("<system-out>orphan: no case uses it"), "{xml}");
    assert!(summary.contains("| ⚠️ | run-dqs.png | orphan"), "{summary}");
    let strict = run(sinew(["golden", ".", "--fail-on", "orphan"]).current_dir(folder));
    let error = "error: .: run-dqs.png: orphan: no case uses it\n";
    assert_eq!((strict.code, strict.err), (Some(6), format!("{orphan}{error}")));

    // A value without a list is no part of the name: the golden with the very value in its name is taken, no other.
    list("\"lbs\"");
    let found = run(sinew(["golden", "."]).current_dir(folder));
    assert_eq!((found.code, found.err.as_str()), (Some(0), orphan));
    list("\"rigid\"");
    let found = run(sinew(["golden", "."]).current_dir(folder));
    assert_eq!(found.code, Some(6), "{}", found.err);
    assert!(found.err.contains("no case uses run-dqs.png, run-lbs.png\n"), "{}", found.err);
    assert!(folder.join("run-lbs.png").is_file());
}

#[test]
fn kinds_are_checked_and_reports_are_two_files() {
    let folder = tempfile::tempdir().unwrap();
    for (words, says) in [
        (
            vec!["inspect", "builtin:bend", "--fail-on", "leek"],
            "--fail-on leek: expected error, warning, leak,",
        ),
        (vec!["compare", "builtin:bend", "--fail-on", "distance"], "--fail-above"),
        (vec!["inspect", "builtin:bend", "--junit", "a.xml", "--markdown", "a.xml"], "a.xml are one file"),
        (vec!["report", "--merge", "a", "-o", "b", "--junit", "a.xml"], "cannot be used with"),
    ] {
        let Run { code, err, .. } = run(sinew(&words).current_dir(folder.path()));
        assert!(code == Some(2) && err.lines().count() == 1 && err.contains(says), "{words:?}: {err}");
    }
    // No report goes over what the run reads.
    let glb = sinew::model::builtin::glb("bend").unwrap();
    for command in ["inspect", "verify", "compare", "report"] {
        let model = folder.path().join("m.xml");
        fs::write(&model, &glb).unwrap();
        let more: &[&str] = if command == "report" { &["--no-pictures", "-o", "r"] } else { &[] };
        let mut words = sinew([command, "m.xml", "--junit", "m.xml"]);
        let Run { code, err, .. } = run(words.args(more).current_dir(folder.path()));
        assert_eq!(code, Some(2), "{command}: {err}");
        assert!(err.contains("would overwrite the model"), "{command}: {err}");
        assert!(glb == fs::read(&model).unwrap(), "{command}");
    }
}

/// A clip that one side lacks is a finding among others, also if no clip is left to measure.
#[test]
fn without_a_common_clip_the_rest_pose_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let nudged = |clips: &[&str]| {
        edited("bend", |json| {
            let clip = json["animations"][0].clone();
            let named = clips.iter().map(|name| {
                let mut clip = clip.clone();
                clip["name"] = (*name).into();
                clip
            });
            json["animations"] = named.collect();
            if clips.is_empty() {
                json.as_object_mut().unwrap().remove("animations");
            }
            let (nodes, roots) =
                (json["nodes"].as_array().unwrap().len(), json["scenes"][0]["nodes"].clone());
            let higher = json!({ "name": "higher", "translation": [0.0, 0.01, 0.0], "children": roots });
            json["nodes"].as_array_mut().unwrap().push(higher);
            json["scenes"][0]["nodes"] = json!([nodes]);
        })
    };
    for (name, clips) in
        [("none.glb", &[][..]), ("other.glb", &["bends", "fall"]), ("both.glb", &["A|bend", "B|bend"])]
    {
        fs::write(folder.join(name), nudged(clips)).unwrap();
        for asked in [&["--all-clips"][..], &["--clip", "bend"], &[]] {
            let words =
                [&["compare", "builtin:bend", name, "--modes", "lbs", "--json", "f.json"], asked].concat();
            for (gate, code) in [
                (&[][..], 0),
                (&["--fail-on", "missing-clip"], 6),
                (&["--fail-on", "error"], 6),
                (&["--fail-above", "1m"], 6),
                (&["--fail-above", "1mm"], 6),
                (&["--fail-on", "missing-primitive"], 0),
            ] {
                let words = [&words[..], gate, &["--junit", "c.xml"]].concat();
                let Run { code: found, out, err } = run(sinew(&words).current_dir(folder));
                assert_eq!(found, Some(code), "{words:?}: {err}");
                let why =
                    format!("warning: {name}: the rest pose is measured, because it has no clip 'bend'");
                assert!(err.starts_with(&why), "{words:?}: {err}");
                let table = String::from_utf8(out).unwrap();
                assert!(table.contains("  clips missing in the new file: 'bend'\n"), "{table}");
                assert!(
                    table.contains("so the rest pose is measured\n") && table.contains("\n  rest pose "),
                    "{table}"
                );
                let json: serde_json::Value =
                    serde_json::from_slice(&fs::read(folder.join("f.json")).unwrap()).unwrap();
                let measured = &json["clips"][0];
                assert_eq!(
                    (&measured["name"], &measured["clip"]),
                    (&"rest pose".into(), &serde_json::Value::Null)
                );
                let apart = measured["frames"][0]["modes"][0]["max_m"].as_f64().unwrap();
                assert!((apart - 0.01).abs() < 1e-6, "{apart}");
                assert_eq!(json["clips_only_in"][0], json!(["bend"]));
                let xml = fs::read_to_string(folder.join("c.xml")).unwrap();
                let missing = xml.lines().find(|line| line.contains("name=\"clip bend\"")).unwrap();
                assert!(missing.contains("missing-clip: missing in the new file"), "{missing}");
                let is_advised = missing.contains("--clip &#39;bend=bends&#39;")
                    || missing.contains("--clip 'bend=bends'");
                assert_eq!(is_advised, name == "other.glb", "{missing}");
            }
        }
    }
    // A clip without a name pairs by number, whichever file has it.
    let nameless = edited("bend", |json| {
        json["animations"][0].as_object_mut().unwrap().remove("name");
    });
    fs::write(folder.join("nameless.glb"), nameless).unwrap();
    for files in [["builtin:bend", "nameless.glb"], ["nameless.glb", "builtin:bend"]] {
        let words =
            [&["compare"], &files[..], &["--all-clips", "--fail-above", "1mm", "--frames", "2"]].concat();
        let Run { code, err, .. } = run(sinew(&words).current_dir(folder));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{words:?}");
    }
}

/// A difference of weights is named once, and rounding is no difference.
#[test]
fn findings_of_two_files_say_no_word_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = sinew::model::Model::clone(&crate::common::builtin("bend"));
    let write = |name: &str, model: &sinew::model::Model| {
        let model = sinew::model::Model { scenes: Vec::new(), scene: None, ..model.clone() };
        fs::write(folder.path().join(name), sinew::model::gltf::write_glb(&model).unwrap()).unwrap();
    };
    write("same.glb", &model);
    let numbers = model.meshes[0].primitives[0].positions.as_flattened_mut();
    let least = numbers.iter_mut().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
    let before = *least;
    *least += 1e-10;
    assert_ne!(before, *least);
    write("rounded.glb", &model);
    let words = ["compare", "same.glb", "rounded.glb", "--frames", "9"];
    let table = String::from_utf8(run(sinew(words).current_dir(folder.path())).out).unwrap();
    let clean = "\nNothing is apart by more than rounding, a billionth of the diagonal.\n";
    assert!(table.ends_with(clean) && !table.contains("Worst"), "{table}");

    let weights = &mut model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].weights;
    weights.iter_mut().for_each(|weights| weights.swap(0, 1));
    write("new.glb", &model);
    let words = ["compare", "same.glb", "new.glb", "--weights", "--fail-on", "weights"];
    let Run { code, err, .. } = run(sinew(words).current_dir(folder.path()));
    assert_eq!(code, Some(6), "{err}");
    assert!(err.starts_with("error: new.glb: influences: weights: they differ by "), "{err}");
}

/// The check of a report is as strict as that of weights, and says what it found.
#[test]
fn a_strict_report_fails_by_any_problem() {
    let folder = tempfile::tempdir().unwrap();
    for (model, flags, code, says) in [
        ("builtin:twist", &["--modes", "lbs,cor"][..], 0, "builtin:twist: 3 problems, the worst: lbs "),
        (
            "builtin:twist",
            &["--modes", "lbs,cor", "--strict"],
            6,
            "builtin:twist: 3 problems, the worst: lbs ",
        ),
        ("builtin:twist", &["--modes", "dqs", "--strict"], 0, "builtin:twist: no problems\n"),
    ] {
        let words = [&["report", model, "-o", "r", "--no-pictures"], flags].concat();
        let Run { code: found, out, err } = run(sinew(&words).current_dir(folder.path()));
        let out = String::from_utf8(out).unwrap();
        assert!(found == Some(code) && out.starts_with(says), "{words:?}: {found:?} {out} {err}");
        assert_eq!(out.lines().count(), 1, "{out}");
        assert_eq!(err.is_empty(), code == 0, "{err}");
    }
}
