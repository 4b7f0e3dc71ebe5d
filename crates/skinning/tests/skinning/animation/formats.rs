//! The number formats a sampler may use, and odd but harmless samplers.

use serde_json::json;
use sinew_model::{Interpolation, LocalTransform, Property};
use sinew_skinning::pose::{Pose, PoseChoice};

use crate::animation::moving::*;

/// The values of a channel whose output is these bytes, and the warnings.
fn read(path: &str, kind: &str, component: u32, normalized: bool, bytes: &[u8]) -> (Vec<f32>, Vec<String>) {
    let mut file = moving(&[(node(0, path), TIMES)]);
    let one_key = file.floats("SCALAR", &[0.0]);
    let components = if kind == "VEC4" { 4 } else { 2 };
    let size = match component {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        _ => 4,
    };
    let count = if kind == "SCALAR" { 2 } else { 1 };
    assert_eq!(bytes.len(), components * size);
    let output = file.accessor(kind, component, normalized, count, bytes);
    file.json["animations"][0]["samplers"][0] = json!({"input": one_key, "output": output});
    let (mut channels, warnings) = file.channels();
    (channels.remove(0).values, warnings)
}

fn bytes<const N: usize>(numbers: impl IntoIterator<Item = [u8; N]>) -> Vec<u8> {
    numbers.into_iter().flatten().collect()
}

/// The divisors are those of the glTF specification's table for animations: 127, 255, 32767, 65535.
#[test]
fn normalised_integers_are_fractions() {
    let signed = bytes([0, -32768, 16384, 32767_i16].map(i16::to_le_bytes));
    let unsigned = bytes([65535, 13107_u16].map(u16::to_le_bytes));
    for (component, bytes, expected) in [
        (5120, vec![127, 0x80], [1.0, -1.0]),
        (5121, vec![51, 255], [0.2, 1.0]),
        (5122, signed[2..6].to_vec(), [-1.0, 16384.0 / 32767.0]),
        (5123, unsigned, [1.0, 0.2]),
    ] {
        assert_eq!(read("weights", "SCALAR", component, true, &bytes), (expected.to_vec(), vec![]));
    }

    // Rotations come out at length one: (0, 0, 0.6, 0.8) as near as the integers come to it.
    for (component, bytes, unit) in [
        (5120, vec![0, 0, 76, 102], 127.0),
        (5121, vec![0, 0, 153, 204], 255.0),
        (5122, bytes([0, 0, 19660, 26214_i16].map(i16::to_le_bytes)), 32767.0),
        (5123, bytes([0, 0, 39321, 52428_u16].map(u16::to_le_bytes)), 65535.0),
    ] {
        let (values, warnings) = read("rotation", "VEC4", component, true, &bytes);
        for (value, expected) in values.iter().zip([0.0, 0.0, 0.6, 0.8]) {
            assert!((value - expected).abs() < 0.5 / unit, "{component}: {values:?}");
        }
        // Eight bits resolve about a thousandth of the length.
        let coarse = warnings.iter().all(|w| w.contains("NON_NORMALIZED_QUATERNION"));
        assert!(coarse && (warnings.is_empty() || unit == 127.0), "{component}: {warnings:?}");
    }
    // A negative number, and the smallest there is.
    let (values, _) =
        read("rotation", "VEC4", 5122, true, &bytes([0, -32768, 0, 0_i16].map(i16::to_le_bytes)));
    assert_eq!(values, [0.0, -1.0, 0.0, 0.0]);
}

#[test]
fn integers_that_are_not_normalised_are_warned_of() {
    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT animations[0].samplers[0].output: ";
    let (values, warnings) = read("weights", "SCALAR", 5121, false, &[1, 3]);
    assert_eq!(values, [1.0, 3.0]);
    assert!(warnings.len() == 1 && warnings[0].starts_with(code), "{warnings:?}");

    for (path, normalized) in [("translation", true), ("scale", false)] {
        let mut file = moving(&[(node(0, path), VECTORS)]);
        let output = file.accessor("VEC3", 5121, normalized, 3, &[255, 0, 0, 255, 0, 0, 255, 0, 0]);
        file.json["animations"][0]["samplers"][0]["output"] = output.into();
        let (channels, warnings) = file.channels();
        assert_eq!(channels[0].values[0], if normalized { 1.0 } else { 255.0 });
        assert!(warnings.len() == 1 && warnings[0].starts_with(code), "{warnings:?}");
    }

    let mut file = moving(&[(node(0, "translation"), VECTORS)]);
    let input = file.accessor("SCALAR", 5121, false, 3, &[0, 1, 5]);
    file.json["animations"][0]["samplers"][0]["input"] = input.into();
    let (channels, warnings) = file.channels();
    assert_eq!(channels[0].times, [0.0, 1.0, 5.0]);
    let code = "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT animations[0].samplers[0].input: ";
    assert!(warnings.len() == 1 && warnings[0].starts_with(code), "{warnings:?}");
}

#[test]
fn spline_keys_that_are_no_rotations_are_kept_and_warned_of() {
    let mut file = moving(&[(node(2, "rotation"), ROTATIONS)]);
    // Tangents may have any length; the first key's value is twice too long, the second's is right.
    let spline = file.floats(
        "VEC4",
        &[
            [9.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 2.0],
            [0.0; 4], // in, value, out
            [0.0; 4],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 7.0, 0.0, 0.0],
        ]
        .concat(),
    );
    let input = file.floats("SCALAR", &[0.0, 1.0]);
    let interpolation = "CUBICSPLINE";
    file.json["animations"][0]["samplers"][0] =
        json!({"input": input, "output": spline, "interpolation": interpolation});
    let (channels, warnings) = file.channels();
    assert_eq!(channels[0].values[4..8], [0.0, 0.0, 0.0, 2.0]);
    let code =
        "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION animations[0].samplers[0].output: 1 key";
    assert!(warnings.len() == 1 && warnings[0].starts_with(code), "{warnings:?}");
    // Half way the spline is at (0, 0, ½, 1), of which only the direction counts.
    let mut pose = Pose::default();
    pose.set(&file.load().unwrap(), &PoseChoice::clip(0, 0.5));
    let LocalTransform::Trs { rotation, .. } = pose.locals[2] else { panic!("a matrix") };
    let want = glam::DQuat::from_xyzw(0.0, 0.0, 0.2_f64.sqrt(), 0.8_f64.sqrt());
    assert!((rotation - want).length() < 1e-15, "{rotation}");
}

#[test]
fn splines_of_one_key_hold_it_and_are_warned_of() {
    let mut file = moving(&[(node(2, "translation"), VECTORS)]);
    let input = file.floats("SCALAR", &[1.0]);
    file.json["animations"][0]["samplers"][0]["input"] = input.into();
    file.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into();
    let model = file.load().unwrap();
    let code = "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS";
    assert_eq!(model.warnings.iter().filter(|warning| warning.code == code).count(), 1);
    let channel = &model.clips[0].channels[0];
    assert_eq!(
        (channel.property, channel.interpolation),
        (Property::Translation, Interpolation::CubicSpline)
    );
    let mut pose = Pose::default();
    for time_secs in [0.0, 1.0, 9.0] {
        pose.set(&model, &PoseChoice::clip(0, time_secs));
        // The value, between its tangents.
        assert_eq!(pose.world_from_node[2].w_axis.to_array(), [2.0, 4.0, 6.0, 1.0]);
    }
}

/// Both channels share the sampler, whose keys go from (1, 2, 3) to (2, 4, 6) in the first second.
#[test]
fn an_unknown_interpolation_is_linear_and_warned_of_once() {
    let mut file = moving(&[(node(0, "translation"), VECTORS), (node(2, "translation"), VECTORS)]);
    file.json["animations"][0]["channels"][1]["sampler"] = 0.into();
    file.json["animations"][0]["samplers"][0]["interpolation"] = "SMOOTH\n".into();
    let (channels, warnings) = file.channels();
    let place = "VALUE_NOT_IN_LIST animations[0].samplers[0].interpolation";
    assert_eq!(warnings, [format!("{place}: 'SMOOTH\\n' is not an interpolation; read as LINEAR")]);
    assert_eq!(
        channels.iter().map(|channel| channel.interpolation).collect::<Vec<_>>(),
        [Interpolation::Linear; 2]
    );
    let mut pose = Pose::default();
    pose.set(&file.load().unwrap(), &PoseChoice::clip(0, 0.5));
    assert_eq!(pose.world_from_node[2].w_axis.to_array(), [1.5, 3.0, 4.5, 1.0]);

    // A sampler that no channel uses gives a warning as well.
    let mut file = moving(&[(node(0, "translation"), VECTORS)]);
    let unused = json!({"input": TIMES, "output": VECTORS, "interpolation": "linear"});
    file.json["animations"][0]["samplers"].as_array_mut().unwrap().push(unused);
    let place = "VALUE_NOT_IN_LIST animations[0].samplers[1].interpolation";
    assert_eq!(file.channels().1, [format!("{place}: 'linear' is not an interpolation; read as LINEAR")]);

    // Linear keys have no tangents, so this is too many numbers, and the next is too few.
    let mut file = moving(&[(node(0, "translation"), VECTORS)]);
    file.json["animations"][0]["samplers"][0]["interpolation"] = "CUBIC".into();
    let spline = file.floats("VEC3", &[0.0; 27]);
    file.json["animations"][0]["samplers"][0]["output"] = spline.into();
    let (_, warnings) = file.channels();
    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
    assert!(warnings.len() == 2 && warnings[1].starts_with(code), "{warnings:?}");
    let short = file.floats("VEC3", &[0.0; 6]);
    file.json["animations"][0]["samplers"][0]["output"] = short.into();
    assert_eq!(file.load().unwrap_err().code(), code);
}
