//! Tests that `--vertex` reads the names of vertices that any command prints.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use serde_json::Value;
use sinew::model::VertexName;

fn json(words: &[&str]) -> Value {
    serde_json::from_slice(&common::run_well(&mut common::sinew(words))).unwrap()
}

#[test]
fn what_commands_print_is_found_again() {
    for name in ["character", "strip", "tube-513"] {
        let (given, model) = (format!("builtin:{name}"), common::builtin(name));
        let find = |name: &str| name.parse::<VertexName>().unwrap().find(&model).unwrap();
        let verified = json(&["verify", &given, "--json", "--samples", "2"]);
        let report = &verified["models"][0];
        for worst in report["worst"].as_array().unwrap() {
            let index = find(worst["name"].as_str().unwrap());
            assert_eq!(Some(index.vertex as u64), worst["vertex"].as_u64());
            assert_eq!(Some(model.instances[index.instance].mesh as u64), worst["mesh"].as_u64());
        }
        for row in report["rows"].as_array().unwrap() {
            let index = find(&format!("{}:0", row["name"].as_str().unwrap()));
            let node = model.rig.file_index[model.instances[index.instance].node];
            assert_eq!(Some(u64::from(node)), row["node"].as_u64());
        }
        if name == "strip" {
            let table = common::run_well(&mut common::sinew(["verify", &given, "--samples", "2"]));
            let worst = report["worst"][0]["name"].as_str().unwrap();
            assert!(String::from_utf8(table).unwrap().contains(&format!(" r at {worst} in ")), "{worst}");
        }
        let exported = json(&["export", &given, "--on", "cpu", "-o", "-"]);
        for primitive in exported["primitives"].as_array().unwrap() {
            let last = primitive["positions"].as_array().unwrap().len() / 3 - 1;
            let name = primitive["name"].as_str().unwrap();
            assert_eq!(find(&format!("{name}:{last}")).vertex, last);
            let beyond: VertexName = format!("{name}:{}", last + 1).parse().unwrap();
            assert!(beyond.find(&model).is_err());
        }
    }
}

/// The command line that a window prints.
#[cfg(feature = "window")]
#[test]
fn a_window_prints_the_name() {
    use sinew::model::VertexIndex;
    use sinew::viewer::Start;

    let model = common::builtin("character");
    assert_eq!(Start::default().flags(&model), "");
    let index = VertexIndex { instance: 0, primitive: 0, vertex: 3000 };
    let flags = Start { kept: Some(index), ..Start::default() }.flags(&model);
    let name: VertexName = flags.strip_prefix(" --vertex ").unwrap().parse().unwrap();
    assert!(flags.starts_with(" --vertex node"), "{flags}");
    assert_eq!(name.find(&model), Ok(index));
}
