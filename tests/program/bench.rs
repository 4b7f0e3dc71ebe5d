//! Tests `sinew bench` from outside: what it prints, and what it refuses. How fast anything is it does not test.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader};
use std::process::Stdio;

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
    // The record is the renderer's decision, not the flag: the CPU skins for a software driver.
    let out = run_well(sinew(SMALL).args(["--skin", "auto", "--against", "crowd=4 skin=compute", "--json"]));
    let document: Value = serde_json::from_slice(&out).unwrap();
    let skinned = document["runs"].as_array().unwrap().iter().map(|run| run["skinned"].clone());
    let expected = ["cpu", "compute"].map(|by| serde_json::json!({"lbs": [by]}));
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
        (&["--only", "frames"], "[possible values: skin]"),
        (&["--only", "skin", "--size", "32x32"], "cannot be used"),
        (&["--only", "skin", "--skin", "cpu"], "cannot be used"),
        (&["--only", "skin", "--against", "palette=ubo"], "cannot be used"),
        // A model and made-up vertices.
        (&["--only", "skin", "--vertices", "9"], "cannot be used"),
        (&["--only", "skin", "--influences", "4"], "--vertices"),
        (&["--only", "skin", "--order", "random"], "--vertices"),
        (&["-o", "chart.png"], "--only"),
        (&["--only", "skin", "-o", "chart.svg"], "ends in .png"),
    ] {
        let found = run(sinew(["bench", "builtin:strip"]).args(flags));
        assert_eq!((found.code, found.err.lines().count()), (Some(2), 1), "{flags:?}: {}", found.err);
        assert!(found.err.contains(says), "{flags:?}: {}", found.err);
    }
    assert_eq!(run(&mut sinew(["bench", "no/such.glb"])).code, Some(1));
    for (flags, says) in [
        (&["--vertices", "9"][..], "--only"),
        (&["--fast"], "--only"),
        (&["--palette", "shared"], "auto, ubo or ssbo"),
        (&["--only", "skin", "--palette", "auto"], "ubo, ssbo or shared"),
        (&["--only", "skin", "--vertices", "0"], "0 is not in"),
        (&["--only", "skin", "--vertices", "9", "--influences", "17"], "17 is not in"),
        (&["--only", "skin", "--vertices", "9", "--crowd", "2"], "cannot be used"),
        (&["--only", "skin", "--vertices", "9", "--pose", "rest"], "cannot be used"),
    ] {
        let found = run(sinew(["bench"]).args(flags));
        assert_eq!((found.code, found.err.lines().count()), (Some(2), 1), "{flags:?}: {}", found.err);
        assert!(found.err.contains(says), "{flags:?}: {}", found.err);
    }
}

/// Skinning alone, of a model.
const ALONE: [&str; 6] = ["bench", "builtin:strip", "--only", "skin", "--frames", "2"];

#[test]
fn skinning_alone_has_a_row_for_each_mode_crowd_and_output() {
    for palette in ["ubo", "ssbo", "shared"] {
        let flags = ["--modes", "lbs,cor", "--crowd", "1,70", "--palette", palette, "--fast", "--validate"];
        let text = String::from_utf8(run_well(sinew(ALONE).args(flags))).unwrap();
        let rows: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| line.starts_with("lbs") || line.starts_with("cor"))
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert!(rows.iter().all(|words| words.len() == 16), "{text}");
        let kinds: Vec<[&str; 4]> =
            rows.iter().map(|words| [words[0], words[1], words[2], words[5]]).collect();
        // It has no normals.
        let both = |mode, figures| ["exact", "fast"].map(|code| [mode, code, "positions", figures]);
        let of = |figures| ["lbs", "cor"].map(|mode| both(mode, figures)).concat();
        assert_eq!(kinds, [of("1"), of("70")].concat(), "{text}");
        let vertices = |row: &[&str]| row[6].parse::<u64>().unwrap();
        assert_eq!(vertices(&rows[4]), 70 * vertices(&rows[0]));
        // Fast kernels read four weights of two bytes less.
        let bytes = |row: &[&str]| row[12].parse::<f64>().unwrap();
        assert!((bytes(&rows[0]) - bytes(&rows[1]) - 8.0).abs() < 0.11, "{text}");
        assert!(text.contains("vkCmdCopyBuffer moves") && text.contains("copy %"), "{text}");
    }
}

#[test]
fn made_up_vertices_are_skinned_in_all_modes_to_the_bit() {
    let chart = std::env::temp_dir().join(format!("sinew-bench-{}.png", std::process::id()));
    let mut command = sinew(["bench", "--only", "skin", "--vertices", "700", "--frames", "2", "--json"]);
    command.args(["--influences", "3,9", "--order", "coherent,random"]).arg("-o").arg(&chart);
    let document: Value = serde_json::from_slice(&run_well(&mut command)).unwrap();
    let picture = std::fs::read(&chart).unwrap();
    std::fs::remove_file(&chart).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    assert!(document["device"].is_string() && document["driver"].is_string() && document["only"] == "skin");
    let is_positive = |value: &Value| value.as_f64().is_some_and(|number| number > 0.0);
    assert!(is_positive(&document["copy_gb_per_s"]) && is_positive(&document["copy_ms"]["median"]));
    let runs = document["runs"].as_array().unwrap();
    // Made-up vertices have no triangles, from which terms come.
    let all = sinew::skinning::SkinningMode::ALL.into_iter().filter(|mode| !mode.facts().needs_ddm);
    let modes: Vec<&str> = all.map(sinew::skinning::SkinningMode::name).collect();
    assert_eq!(runs.len(), modes.len() * 3 * 4);
    for run in runs {
        assert!(modes.contains(&run["mode"].as_str().unwrap()));
        // The host's clock is that of a software driver.
        assert_eq!(
            (&run["vertices"], &run["figures"], &run["clock"]),
            (&700.into(), &1.into(), &"host".into())
        );
        let keys = ["vertices_per_s", "ns_per_vertex", "bytes_per_vertex", "gb_per_s", "share_of_copy"];
        for key in keys.into_iter().chain(["cpu_ns_per_vertex"]) {
            assert!(is_positive(&run[key]), "{key}: {run}");
        }
        assert!(run["ms"]["median"].as_f64() <= run["ms"]["p95"].as_f64());
        assert_eq!(
            (&run["runs"], &run["palette_bytes"], &run["differing"]),
            (&2.into(), &4096.into(), &0.into())
        );
        let compared = 700
            * match run["outputs"].as_str().unwrap() {
                "positions" => 3,
                "normals" => 6,
                _ => 10,
            };
        assert_eq!(run["compared"], compared, "{run}");
    }
    let bytes = |influences: u64, mode: &str| {
        let is_it = |run: &&Value| {
            run["influences"] == influences && run["mode"] == mode && run["outputs"] == "positions"
        };
        runs.iter().find(is_it).unwrap()["bytes_per_vertex"].as_f64().unwrap() - 4096.0 / 700.0
    };
    // Two positions, spans of 20 bytes, the first span's joints, a centre, a share.
    let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
    assert!(
        close(bytes(3, "lbs"), 44.0) && close(bytes(9, "dqs"), 84.0),
        "{} {}",
        bytes(3, "lbs"),
        bytes(9, "dqs")
    );
    assert!(close(bytes(9, "rigid"), 28.0) && close(bytes(3, "cor"), 56.0) && close(bytes(3, "blend"), 48.0));
}

/// The terms of a mesh are read once for all figures, and made-up vertices have none.
#[test]
fn kernels_read_the_terms_of_a_model() {
    let flags = ["bench", "builtin:bend", "--only", "skin", "--modes", "lbs,ddm", "--frames", "1"];
    let document: Value =
        serde_json::from_slice(&run_well(sinew(flags).args(["--crowd", "1,3", "--fast", "--json"]))).unwrap();
    let runs = document["runs"].as_array().unwrap();
    let of = |mode: &str, figures: u32| {
        let is_it = |run: &&Value| {
            run["mode"] == mode
                && run["figures"] == figures
                && run["outputs"] == "normals"
                && run["exactness"] == "exact"
        };
        let run = runs.iter().find(is_it).unwrap();
        assert_eq!(run["differing"], 0, "{run}");
        run["bytes_per_vertex"].as_f64().unwrap()
    };
    let [alone, three] = [1, 3].map(|figures| of("ddm", figures) - of("lbs", figures));
    assert!(alone > 50.0 && three < alone / 2.0, "{alone} {three}");
    let refused = run(&mut sinew(["bench", "--only", "skin", "--vertices", "9", "--modes", "ddm"]));
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--vertices makes no triangles, which ddm needs"), "{}", refused.err);
}

/// A byte has 255 joints and "no joint".
#[test]
fn joints_take_a_byte_where_they_fit() {
    let bytes = |model: &str| {
        let flags = ["bench", model, "--only", "skin", "--modes", "lbs", "--frames", "1", "--json"];
        let document: Value = serde_json::from_slice(&run_well(&mut sinew(flags))).unwrap();
        let run = &document["runs"][0];
        assert_eq!((&run["outputs"], &run["differing"]), (&"positions".into(), &0.into()));
        let number = |key: &str| run[key].as_f64().unwrap();
        number("bytes_per_vertex") - number("palette_bytes") / number("vertices")
    };
    let [narrow, wide] = ["builtin:tube-255", "builtin:tube-256"].map(bytes);
    assert!((wide - narrow - 4.0).abs() < 1e-6, "{narrow} {wide}");
}

#[test]
fn a_stopped_run_has_printed_what_it_measured() {
    let cases: [(&[&str], &str); 3] = [
        (&["bench", "--only", "skin", "--modes", "lbs", "--vertices", "100,3000000", "--frames", "2"], "lbs"),
        (
            &["bench", "--only", "skin", "--modes", "lbs", "--vertices", "100,3000000", "--json"],
            "\"differing\"",
        ),
        (&["bench", "builtin:strip", "--size", "32x32", "--frames", "3", "--crowd", "1,100000"], "lbs"),
    ];
    for (words, sign) in cases {
        let mut running = sinew(words).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(running.stdout.take().unwrap()).lines();
        let found = lines.by_ref().map(|line| line.unwrap()).find(|line| line.trim_start().starts_with(sign));
        // The second row takes seconds.
        let is_running = running.try_wait().unwrap().is_none();
        running.kill().unwrap();
        running.wait().unwrap();
        assert!(found.is_some() && is_running, "{words:?}: {found:?}");
    }
}
