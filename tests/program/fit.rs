//! `sinew fit`: the written file, the table, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;

use crate::common::{run, run_well, sinew};

fn figures(words: &[&str]) -> Value {
    let ended = run(&mut sinew(words));
    assert_eq!(ended.code, Some(0), "{words:?}: {}", ended.err);
    serde_json::from_slice(&ended.out).unwrap()
}

/// Linear blending in the file is as far from the mode as the table says, by another command's measure.
#[test]
fn the_file_is_as_near_as_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [out, cache] = ["fitted.glb", "twist.pc2"].map(path);
    let said = figures(&["fit", "builtin:twist", "--helpers", "4", "-o", &out, "--json"]);
    assert_eq!(said["helpers"].as_array().unwrap().len(), 4);
    assert_eq!(said["mode"], "dqs");
    let row = &said["rows"][0];
    let max = |side: &str| row[side]["max_m"].as_f64().unwrap();
    assert!(max("before") > 0.19 && max("after") < 0.05, "{row}");
    run_well(&mut sinew(["bake", "builtin:twist", "--mode", "dqs", "--fps", "60", "-o", &cache]));
    let compared = figures(&["compare", &out, &cache, "--modes", "lbs", "--json"]);
    let apart = compared["worst"][0]["distance_m"].as_f64().unwrap();
    assert!((apart - max("after")).abs() < 2e-6 + 0.02 * apart, "{apart} {row}");
    // The file breaks no rule.
    let found = figures(&["inspect", &out, "--json"]);
    assert_eq!(found["warnings"], Value::Array(Vec::new()));
}

#[test]
fn what_cannot_be_fitted_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.glb");
    for (words, code, cause) in [
        (&["builtin:twist", "--mode", "lbs"][..], 2, "linear blending follows lbs already"),
        (&["builtin:twist", "--clip", "dance"], 1, "no clip"),
        (&["builtin:twist", "--helpers", "0"], 2, "--helpers"),
        (&["builtin:twist", "--helpers", "2", "--within", "1mm"], 2, "--within"),
        (&["builtin:twist", "--within", "wide"], 2, "--within"),
    ] {
        let found = run(sinew(["fit"]).args(words).arg("-o").arg(&out));
        assert_eq!(found.code, Some(code), "{words:?}: {}", found.err);
        assert!(found.err.contains(cause), "{words:?}: {}", found.err);
        assert_eq!(found.err.lines().count(), 1, "{}", found.err);
        assert!(!out.exists(), "{words:?}");
    }
}
