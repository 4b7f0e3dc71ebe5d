//! Tests `sinew bench` from outside: what it prints, and what it refuses. How fast anything is it does not test.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::{run, run_well, sinew};
use serde_json::Value;

/// A run that takes little.
const SMALL: [&str; 6] = ["bench", "builtin:strip", "--size", "32x32", "--frames", "3"];

#[test]
fn the_table_has_a_line_a_run() {
    let out = run_well(sinew(SMALL).args(["--modes", "lbs,dqs", "--crowd", "1,5", "--skin", "gpu"]));
    let text = String::from_utf8(out).unwrap();
    let runs: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("lbs") || line.starts_with("dqs"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let kinds: Vec<[&str; 2]> = runs.iter().map(|words| [words[0], words[1]]).collect();
    assert_eq!(kinds, [["lbs", "1"], ["lbs", "5"], ["dqs", "1"], ["dqs", "5"]]);
    // mode, figures, pose (two words), processor and ten figures.
    assert!(runs.iter().all(|words| words.len() == 15 && words[4] == "gpu"), "{text}");
    assert!(text.contains("GB/s") && text.contains("frame ms"), "{text}");
}

#[test]
fn json_has_every_key() {
    let out = run_well(sinew(SMALL).args(["--crowd", "3", "--pose", "rest", "--quality", "plain", "--json"]));
    let document: Value = serde_json::from_slice(&out).unwrap();
    assert!(document["device"].is_string() && document["driver"].is_string());
    assert!(document["copy_gb_per_s"].as_f64().unwrap() > 0.0);
    let [run] = document["runs"].as_array().unwrap().as_slice() else { panic!("{document}") };
    assert_eq!(run["mode"], "lbs");
    assert_eq!(run["crowd"], 3);
    assert_eq!(run["pose"], "rest");
    assert_eq!(run["skin"], "auto");
    let by = run["skinned"]["lbs"][0].as_str().unwrap();
    assert!(["cpu", "gpu"].contains(&by), "{run}");
    assert_eq!(run["quality"], "plain");
    assert_eq!(run["size"], serde_json::json!([32, 32]));
    assert_eq!(run["msaa"], 1);
    assert_eq!(run["frames"], 3);
    let positive = |value: &Value| value.as_f64().is_some_and(|number| number > 0.0);
    assert!(positive(&run["frame_ms"]["median"]) && positive(&run["frame_ms"]["p95"]), "{run}");
    assert!(run["frame_ms"]["median"].as_f64() <= run["frame_ms"]["p95"].as_f64());
    for stage in ["sample", "palette", "skin", "record"] {
        assert!(run["cpu_ms"][stage].as_f64().is_some_and(|millis| millis >= 0.0), "{run}");
    }
    assert!(positive(&run["gpu_ms"]["mesh"]) && positive(&run["vertices_per_s"]), "{run}");
    assert!(positive(&run["draws"]) && run["figures"] == 3);
}

#[test]
fn settings_take_turns() {
    let mut command = sinew(SMALL);
    command.args(["--against", "skin=gpu mode=dqs crowd=4"]);
    let text = String::from_utf8(run_well(&mut command)).unwrap();
    assert!(text.contains("\nlbs ") && text.contains("\ndqs "), "{text}");
    assert!(text.contains("skin=gpu mode=dqs crowd=4: ") && text.contains(" times as long"), "{text}");
    let document: Value = serde_json::from_slice(&run_well(command.arg("--json"))).unwrap();
    let runs = document["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &runs[1]["skin"], &runs[1]["crowd"]), (2, &"gpu".into(), &4.into()));
    assert_eq!(runs[1]["skinned"], serde_json::json!({"dqs": ["gpu"]}));
    // The record is the renderer's decision, not the flag: vertex shaders skin crowds.
    let out = run_well(sinew(SMALL).args(["--skin", "compute", "--against", "crowd=4", "--json"]));
    let document: Value = serde_json::from_slice(&out).unwrap();
    let skinned = document["runs"].as_array().unwrap().iter().map(|run| run["skinned"].clone());
    let expected = ["compute", "gpu"].map(|by| serde_json::json!({"lbs": [by]}));
    assert_eq!(skinned.collect::<Vec<_>>(), expected);
}

#[test]
fn what_it_does_not_know_is_usage() {
    for (flags, says) in [
        (&["--crowd", "0"][..], "from 1 to 100000"),
        (&["--modes", "smooth"], "smooth"),
        (&["--against", "screenshot=a.png"], "the keys are mode"),
        (&["--size", "0x0"], "WIDTHxHEIGHT"),
        (&["--frames", "0"], "0 is not in"),
        (&["--clip", "0", "--pose", "rest"], "cannot be used"),
    ] {
        let found = run(sinew(["bench", "builtin:strip"]).args(flags));
        assert_eq!((found.code, found.err.lines().count()), (Some(2), 1), "{flags:?}: {}", found.err);
        assert!(found.err.contains(says), "{flags:?}: {}", found.err);
    }
    assert_eq!(run(&mut sinew(["bench", "no/such.glb"])).code, Some(1));
}
