//! Clips of the character, with one change at a time.

use serde_json::json;
use sinew_model::{Interpolation, LocalTransform};

use crate::character::accessor;
use crate::file::floats;
use crate::loader::cases::{error, warned};

#[test]
fn key_times() {
    let input = "animations[0].samplers[0].input";
    for (at, value, cause) in [
        (1, 0.0, "the time of key 1 is not after that of key 0"),
        (2, 0.25, "the time of key 2 is not after that of key 1"),
        (2, f32::NAN, "the time of key 2 is not finite"),
        (2, f32::INFINITY, "the time of key 2 is not finite"),
    ] {
        assert_eq!(error(|c| c.set_float(accessor::TIMES, at, value)), format!("{input}: {cause}"));
    }
    let (model, warnings) = warned(|c| c.set_float(accessor::TIMES, 0, -1.0));
    assert_eq!(warnings, [format!("{input}: has keys before time 0")]);
    assert_eq!(model.clips[0].channels[0].times[0], -1.0);
    let (model, warnings) = warned(|c| c.json["accessors"][accessor::TIMES]["count"] = 0.into());
    assert!(model.clips[0].channels.is_empty());
    assert_eq!(warnings.len(), 1);
}

#[test]
fn a_clip_is_as_long_as_its_longest_channel() {
    let (model, _) = warned(|c| {
        let times = c.accessor("SCALAR", 5126, false, 1, &floats(&[1.5]));
        c.json["animations"][0]["samplers"]
            .as_array_mut()
            .unwrap()
            .push(json!({"input": times, "output": 10}));
        let mut channel = c.json["animations"][0]["channels"][0].clone();
        channel["sampler"] = 1.into();
        channel["target"]["node"] = 0.into();
        c.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    });
    assert_eq!((model.clips[0].channels.len(), model.clips[0].duration_secs), (2, 2.0));
    let (model, _) = warned(|c| c.set_bytes(accessor::TIMES, 0, &floats(&[-3.0, -2.0, -1.0])));
    assert_eq!(model.clips[0].duration_secs, 0.0);
}

#[test]
fn key_values() {
    let output = "animations[0].samplers[0].output";
    let text = error(|c| c.json["accessors"][accessor::ROTATIONS]["count"] = 2.into());
    assert_eq!(text, format!("{output}: 8 numbers, but 3 keys need 12"));
    let text = error(|c| c.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into());
    assert_eq!(text, format!("{output}: 12 numbers, but 3 keys need 36"));
    let text = error(|c| c.set_float(accessor::ROTATIONS, 5, f32::NAN));
    assert_eq!(text, format!("{output}: the value of key 1 is not finite"));
    let text = error(|c| c.json["animations"][0]["channels"][0]["target"]["path"] = "scale".into());
    assert_eq!(text, format!("{output}: accessor 10 is VEC4, but must be VEC3"));

    let (model, warnings) = warned(|c| {
        c.set_float(accessor::ROTATIONS, 3, 2.0);
        c.set_bytes(accessor::ROTATIONS, 32, &[0; 16]);
    });
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(model.clips[0].channels[0].values[..4], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(model.clips[0].channels[0].values[8..], [0.0, 0.0, 0.0, 1.0]);

    let (model, warnings) = warned(|c| {
        c.json["accessors"][accessor::TIMES]["count"] = 1.into();
        c.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into();
        c.set_float(accessor::ROTATIONS, 3, 2.0);
    });
    let warning =
        "animations[0].samplers[0].input: has one key, but a spline needs two; its value is constant";
    assert_eq!(warnings, [warning]);
    let channel = &model.clips[0].channels[0];
    assert_eq!((channel.interpolation, channel.values[3]), (Interpolation::CubicSpline, 2.0));

    let (model, warnings) = warned(|c| {
        let rotations = c.accessor("VEC4", 5122, true, 3, &[0, 0, 0, 0, 0, 0, 0xff, 0x7f].repeat(3));
        c.json["animations"][0]["samplers"][0]["output"] = rotations.into();
    });
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(model.clips[0].channels[0].values, [0.0, 0.0, 0.0, 1.0].repeat(3));
}

#[test]
fn channels_that_cannot_be_shown_are_left_out() {
    let (model, warnings) =
        warned(|c| c.json["animations"][0]["channels"][0]["target"] = json!({"path": "rotation"}));
    assert!(model.clips[0].channels.is_empty() && warnings.is_empty());
    for path in ["pointer", "weights"] {
        let (model, warnings) =
            warned(|c| c.json["animations"][0]["channels"][0]["target"]["path"] = path.into());
        assert!(model.clips[0].channels.is_empty());
        assert_eq!(warnings.len(), 1);
    }
    let (model, warnings) = warned(|c| {
        let channel = c.json["animations"][0]["channels"][0].clone();
        c.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    });
    assert_eq!((model.clips[0].channels.len(), warnings.len()), (1, 1));
}

#[test]
fn clips_never_move_a_matrix() {
    let matrix = json!({"matrix": [2,0,0,0, 0,2,0,0, 0,0,2,0, 0,1,0,1]});
    let (model, warnings) = warned(|c| c.json["nodes"][1] = matrix.clone());
    assert!(matches!(model.rig.rest[1], LocalTransform::Trs { .. }));
    assert_eq!(
        warnings,
        ["nodes[1].matrix: belongs to a node that clips move; split into translation, rotation and scale"]
    );
    let (model, warnings) = warned(|c| c.json["nodes"][2]["matrix"] = matrix["matrix"].clone());
    assert!(matches!(model.rig.rest[2], LocalTransform::Matrix(_)));
    assert!(warnings.is_empty());
}
