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
    // With nothing to measure, the input is at fault, and the reports say why.
    let none = ["compare", "builtin:twist", "builtin:bend", "--clip", "0"];
    let (code, err, xml, _) = checked(folder, &none);
    assert!(code == 1 && err.contains("it has no clip 'twist'"), "{code} {err}");
    assert!(xml.contains("name=\"clip twist\"><system-out>missing-clip: "), "{xml}");
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
    let report = ["report", "builtin:twist", "--no-pictures", "-o", "pages"];
    let with = |flags: &[&'static str]| [&report[..], flags].concat();
    assert_checked(folder, &report, 0, 0, "");
    assert_checked(folder, &with(&["--fail-on", "section_smallest"]), 6, 1, "section_smallest");
    assert_checked(folder, &with(&["--fail-on", "lost_vertices"]), 0, 0, "");
    // In a mode that the author did not mean, the same is a warning.
    let twist = edited("twist", |json| {
        json["skins"][0]["extras"] = json!({ "sinew": { "skinning": "dual quaternion" } });
    });
    fs::write(folder.join("twist.glb"), twist).unwrap();
    let report = ["report", "twist.glb", "--no-pictures", "-o", "pages", "--fail-on"];
    assert_checked(folder, &[&report[..], &["error,section_smallest"]].concat(), 0, 0, "");
    assert_checked(folder, &[&report[..], &["warning"]].concat(), 6, 3, "other_mode");
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

    // A value without a list is no part of the name, and the message says where the golden is.
    fs::remove_file(folder.join("run-dqs.png")).unwrap();
    list("\"lbs\"");
    let found = run(sinew(["golden", "."]).current_dir(folder));
    assert_eq!(found.code, Some(6), "{}", found.err);
    assert!(found.err.contains("no case uses run-lbs.png (rename it to run.png?)"), "{}", found.err);
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
