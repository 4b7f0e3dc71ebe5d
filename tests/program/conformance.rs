//! Tests `sinew conformance` from outside: the suite as written is what it judges as right.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use crate::common::{Run, run, run_well, sinew};

/// Writes the suite, and its expected vertices as results.
pub fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let written = run(sinew(["conformance", "--write", "suite"]).current_dir(folder.path()));
    assert!(written.code == Some(0) && written.err.ends_with(" files to suite\n"), "{}", written.err);
    let results = folder.path().join("results");
    fs::create_dir(&results).unwrap();
    for entry in fs::read_dir(folder.path().join("suite/expected")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "npz") {
            fs::copy(&path, results.join(path.file_name().unwrap())).unwrap();
        }
    }
    folder
}

fn judge(folder: &Path, more: &[&str]) -> Run {
    run(sinew([&["conformance", "--judge", "results"], more].concat()).current_dir(folder))
}

#[test]
fn the_expected_vertices_pass_and_others_are_named() {
    let folder = place();
    let at = |name: &str| folder.path().join(name);
    let right = judge(folder.path(), &["--json", "--html", "right.html"]);
    assert_eq!(right.code, Some(0), "{}", right.err);
    let json: serde_json::Value = serde_json::from_slice(&right.out).unwrap();
    let rows = json["rows"].as_array().unwrap();
    assert!(rows.len() > 100 && rows.iter().all(|row| row["outcome"] == "pass"));
    assert!(!fs::read_to_string(at("right.html")).unwrap().contains("<img"));

    // A result of another mode, one of bind poses, a refused file and a broken one.
    fs::copy(at("results/influences-04.dqs.npz"), at("results/influences-04.lbs.npz")).unwrap();
    fs::remove_file(at("results/influences-05.lbs.npz")).unwrap();
    fs::write(at("results/influences-05.lbs.refused"), "five are\ntoo many").unwrap();
    fs::write(at("results/joints-u16.lbs.npz"), "PK\u{3}\u{4}").unwrap();
    fs::write(at("results/about.json"), r#"{"program": "mine & co", "version": "3"}"#).unwrap();
    let reports = ["--html", "r.html", "--junit", "r.xml", "--markdown", "r.md"];
    let wrong = judge(folder.path(), &reports);
    assert_eq!(wrong.code, Some(6), "{}", wrong.err);
    let text = String::from_utf8(wrong.out).unwrap();
    let line = |name: &str| {
        text.lines().find(|line| line.contains(name) && line.contains("lbs")).unwrap().to_owned()
    };
    assert!(line("influences-04").contains("deviates") && line("influences-04").ends_with(": dqs"), "{text}");
    assert!(line("influences-05").contains("recommended  refused: five are"), "{text}");
    assert!(
        line("joints-u16").contains("!  joints-u16") && line("joints-u16").contains("unreadable"),
        "{text}"
    );
    assert!(text.contains("mine & co 3"), "{text}");
    let [html, xml, md] = ["r.html", "r.xml", "r.md"].map(|name| fs::read_to_string(at(name)).unwrap());
    assert!(html.matches("<img").count() == 2 && html.contains("mine &amp; co"), "{}", html.len());
    assert!(xml.contains("failures=\"2\"") && md.contains("2 of "), "{md}");

    // Without Vulkan, the page has no pictures.
    let mut command = sinew(["conformance", "--judge", "results", "--html", "r.html"]);
    let blind = run(command
        .current_dir(folder.path())
        .env("VK_DRIVER_FILES", "none")
        .env("VK_ICD_FILENAMES", "none"));
    assert!(blind.code == Some(6) && blind.err.contains("without pictures"), "{}", blind.err);
    assert!(!fs::read_to_string(at("r.html")).unwrap().contains("<img"));
}

#[test]
fn nothing_of_the_users_is_overwritten() {
    let folder = place();
    let at = |name: &str| folder.path().join(name);
    let before = fs::read(at("results/influences-04.lbs.npz")).unwrap();
    for flag in ["--html", "--junit", "--markdown"] {
        let refused = judge(folder.path(), &[flag, "results/influences-04.lbs.npz"]);
        assert_eq!(refused.code, Some(2), "{}", refused.err);
        assert!(refused.err.contains("would overwrite the vertices"), "{}", refused.err);
    }
    assert_eq!(fs::read(at("results/influences-04.lbs.npz")).unwrap(), before);
    let write = |folder: &Path| run(sinew(["conformance", "--write"]).arg(folder));
    let refused = write(&at("results"));
    assert!(refused.code == Some(5) && refused.err.contains("but no suite"), "{}", refused.err);
    assert_eq!(write(&at("suite")).code, Some(0), "a suite is written again");
    assert_eq!(run(&mut sinew(["conformance", "--junit", "x.xml"])).code, Some(2));
    assert_eq!(run(sinew(["conformance", "--judge"]).arg(at("none"))).code, Some(1));
}

#[test]
fn the_list_has_every_case() {
    let list = String::from_utf8(run_well(&mut sinew(["conformance"]))).unwrap();
    let json: serde_json::Value =
        serde_json::from_slice(&run_well(&mut sinew(["conformance", "--json"]))).unwrap();
    for case in json["cases"].as_array().unwrap() {
        assert!(list.contains(case["name"].as_str().unwrap()), "{case}");
    }
}
