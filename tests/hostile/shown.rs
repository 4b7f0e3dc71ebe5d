//! Models that load but make little sense, taken through everything before the graphics card.

use serde_json::json;

use crate::breaking::{Random, break_json, flip_bytes};
use crate::builtins::rounds;
use crate::character::{self, accessor};
use crate::file::{File, floats, glb};
use crate::judge::judge;
use crate::show::show;

/// Shows the character after a change; the model must still load.
fn shown(change: impl FnOnce(&mut File)) {
    let mut character = character::new();
    change(&mut character);
    show(&judge(&character.glb()).unwrap());
}

#[test]
fn huge_and_tiny_positions() {
    for value in [f32::MAX, f32::MIN, 1e38, 3e37, 1e-38, 1e-45, 0.0] {
        shown(|c| (0..12).for_each(|at| c.set_float(accessor::POSITION, at, value)));
        shown(|c| (0..12).step_by(5).for_each(|at| c.set_float(accessor::POSITION, at, value)));
        shown(|c| c.set_float(accessor::POSITION, 4, value));
    }
}

#[test]
fn huge_and_tiny_transforms() {
    for scale in [3e38, 1e38, 1e19, 1e-19, 1e-38, 1e-45, 0.0, -1.0] {
        for node in 0..3 {
            shown(|c| c.json["nodes"][node]["scale"] = json!([scale, scale, scale]));
            shown(|c| c.json["nodes"][node]["scale"] = json!([scale, 1, 1]));
            shown(|c| c.json["nodes"][node]["translation"] = json!([scale, -scale, 1]));
            let matrix = json!([scale, scale, 1, 0, scale, 0, 0, 0, 1, 0, scale, 0, scale, 0, 0, 1]);
            if node != 1 {
                shown(|c| c.json["nodes"][node]["matrix"] = matrix);
            }
        }
        shown(|c| c.set_float(accessor::MATRICES, 0, scale as f32));
        shown(|c| c.set_float(accessor::MATRICES, 13, scale as f32));
        shown(|c| (0..32).for_each(|at| c.set_float(accessor::MATRICES, at, scale as f32)));
        // The result of the clip.
        shown(|c| {
            let values = c.accessor("VEC3", 5126, false, 3, &floats(&[scale as f32; 9]));
            c.json["animations"][0]["samplers"]
                .as_array_mut()
                .unwrap()
                .push(json!({"input": 9, "output": values}));
            for path in ["scale", "translation"] {
                let channel = json!({"sampler": 1, "target": {"node": 1, "path": path}});
                c.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
            }
        });
    }
    // Chains whose product overflows in the end.
    shown(|c| {
        let nodes = c.json["nodes"].as_array_mut().unwrap();
        for link in 3..40 {
            nodes.push(json!({"scale": [1e38, 1e38, 1e38], "children": [link + 1]}));
        }
        nodes.push(json!({"scale": [1e38, 1e38, 1e38], "mesh": 0, "skin": 0}));
        nodes.push(json!({"scale": [1e-38, 1e38, 0], "mesh": 0}));
        c.json["scenes"][0]["nodes"] = json!([2, 0, 3, 41]);
        c.json["skins"][0]["joints"] = json!([40, 39]);
    });
}

#[test]
fn nothing_to_show() {
    shown(|c| c.json["meshes"][0]["primitives"] = json!([]));
    shown(|c| c.json["scenes"][0]["nodes"] = json!([]));
    shown(|c| {
        for name in ["nodes", "scenes", "scene", "skins", "animations"] {
            c.json.as_object_mut().unwrap().remove(name);
        }
    });
    shown(|c| drop(c.primitive()["attributes"].as_object_mut().unwrap().remove("POSITION")));
    shown(|c| c.json["accessors"][accessor::INDICES]["count"] = json!(2));
    shown(|c| c.json["animations"][0]["channels"] = json!([]));
    for mode in 0..7 {
        shown(|c| c.primitive()["mode"] = mode.into());
    }
}

#[test]
fn names_that_speak_to_terminals() {
    shown(|c| {
        for place in ["nodes", "meshes", "animations", "materials"] {
            c.json[place][0]["name"] = "line\nbreak\u{1b}[31m\u{2028}\r\"\\".into();
        }
    });
}

#[test]
fn whatever_loads_can_be_shown() {
    let character = character::new();
    let mut seen = 0;
    for seed in 1..=rounds() {
        let random = &mut Random::new(seed);
        let (mut json, mut binary) = (character.json.clone(), character.binary.clone());
        if seed % 4 == 0 {
            break_json(&mut json, random);
        } else {
            flip_bytes(&mut binary, random);
        }
        if let Ok(model) = judge(&glb(json.to_string().as_bytes(), &binary)) {
            let result = std::panic::catch_unwind(|| show(&model));
            assert!(result.is_ok(), "seed {seed}");
            seen += 1;
        }
    }
    assert!(seen > rounds() / 4, "only {seen} loaded");
}
