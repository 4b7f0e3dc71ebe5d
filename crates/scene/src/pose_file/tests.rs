//! Round trips of pose files, and files that are not poses.

use super::*;
use sinew_model::builtin;
use sinew_skinning::pose::{Edits, PoseChoice, rotation_from_degrees};
use sinew_system::output::Inputs;

fn character() -> Model {
    gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap()
}

/// Returns the character with a face that has two morph targets.
fn with_targets() -> Model {
    let mut model = character();
    let node = model.instances[0].node;
    model.rig.weight_ends = (0..model.rig.len()).map(|at| if at < node { 0 } else { 2 }).collect();
    model.rig.rest_weights = vec![0.0; 2];
    model.meshes[model.instances[0].mesh].target_names =
        vec!["smile \"wide\"".into(), "smile \"wide\"".into()];
    model
}

fn node(model: &Model, name: &str) -> usize {
    model.rig.names.iter().position(|known| known == name).unwrap()
}

fn bits(mix: &ClipMix) -> Vec<u64> {
    let parts = |edit: &JointEdit| {
        let rotation = edit.rotation.iter().flat_map(|rotation| rotation.to_array());
        let vectors = edit.translation.iter().chain(&edit.scale).flat_map(|vector| vector.to_array());
        rotation.chain(vectors).collect::<Vec<f64>>()
    };
    let joints = mix.edits.joints().flat_map(|(_, edit)| parts(edit));
    let weights = mix.edits.weights().map(|(_, _, edit)| edit.weight);
    let blends = mix.blends.iter().map(|blend| blend.weight);
    joints.chain(weights).chain(blends).chain([mix.time_secs]).map(f64::to_bits).collect()
}

fn text(mix: &ClipMix, model: &Model) -> String {
    let mut text = Vec::new();
    write(mix, model, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_pose_is_read_back_to_the_last_bit() {
    let model = with_targets();
    let mut edits = Edits::default();
    let face = model.instances[0].node;
    for (number, joint) in model.skins[0].joints.iter().enumerate() {
        let angle = 0.1 + number as f64;
        let rotation = rotation_from_degrees([angle * 7.3, -angle.exp(), 1e-9 * angle]);
        // Each joint sets a different combination of parts.
        let vector = DVec3::new(angle / 3.0, -1e-30 * angle, angle.exp());
        if number % 7 != 3 && number % 7 != 4 {
            assert!(edits.set_rotation(&model, *joint, rotation));
        }
        if number % 7 > 2 {
            assert!(edits.set_translation(&model, *joint, vector));
        }
        if number % 4 == 0 {
            assert!(edits.set_scale(&model, *joint, vector / 7.0));
        }
    }
    for (target, weight) in [(0, 0.1 + 0.2), (1, -1e-310)] {
        assert!(edits.set_weight(&model, face, target, weight));
    }
    let blends = vec![Blend { clip: 0, weight: 1.0 / 3.0 }, Blend { clip: 2, weight: f64::EPSILON }];
    let mix = ClipMix { clips: vec![1, 0], blends, time_secs: 0.1 * 3.0, edits, ..ClipMix::default() };
    let written = text(&mix, &model);
    let read = parse(written.as_bytes(), &model).unwrap();
    assert_eq!(read, mix);
    assert_eq!(bits(&read), bits(&mix));
    assert_eq!(text(&read, &model), written);
    // Once more through a file.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pose.json");
    save(&Inputs::none().close().output(&path).unwrap(), &mix, &model).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
    assert_eq!(load(&path, &model).unwrap(), mix);
    // An empty pose, too.
    let nothing = ClipMix::default();
    assert_eq!(text(&nothing, &model), "{\n  \"sinew-pose\": 2\n}\n");
    assert_eq!(parse(text(&nothing, &model).as_bytes(), &model).unwrap(), nothing);
}

#[test]
fn numbers_are_read_to_the_nearest_there_is() {
    // 9007199254740993 lies between two `f64`; a parser that multiplies digits up gets the longest of these one
    // ulp wrong.
    let model = with_targets();
    let mut state = 1_u64;
    for _ in 0..2000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let weight = f64::from_bits(state >> 12 | 1023 << 52) * 10.0_f64.powi((state % 60) as i32 - 30);
        let mut mix = ClipMix::default();
        assert!(mix.edits.set_weight(&model, model.instances[0].node, 0, weight));
        let read = parse(text(&mix, &model).as_bytes(), &model).unwrap();
        assert_eq!(bits(&read), bits(&mix), "{weight:e}");
    }
}

#[test]
fn a_file_is_what_a_person_would_write() {
    let model = character();
    let written = r##"{
        "sinew-pose": 1,
        "over": {"clips": ["walk"], "blends": [{"clip": "idle", "weight": 0.3}], "time": 0.4},
        "joints": {"head": {"rotation": [0, 0, 0.707, 0.707]}, "#3": {"rotation": [0, 0, 0, -1]}}
    }"##;
    let mix = parse(written.as_bytes(), &model).unwrap();
    assert_eq!((mix.clips.as_slice(), mix.time_secs), (&[1][..], 0.4));
    assert_eq!(mix.blends, [Blend { clip: 0, weight: 0.3 }]);
    let third = model.rig.file_index.iter().position(|index| *index == 3).unwrap();
    let rotation = |node| mix.edits.joint(node).and_then(|edit| edit.rotation);
    assert_eq!(rotation(third), Some(-DQuat::IDENTITY));
    let turned = rotation(node(&model, "head")).unwrap();
    assert!((turned - rotation_from_degrees([0.0, 0.0, 90.0])).length() < 1e-15);
    // Without clips, there is no time.
    let rest = parse(br#"{"sinew-pose": 1, "over": null, "joints": {}}"#, &model).unwrap();
    assert_eq!(PoseChoice::Clips(rest), PoseChoice::Clips(ClipMix::default()));
}

#[test]
fn what_is_no_pose_is_an_error_that_says_where_and_what() {
    let model = with_targets();
    let face = format!("#{}", model.rig.file_index[model.instances[0].node]);
    let joints = |inner: &str| format!(r#"{{"sinew-pose": 1, "joints": {{{inner}}}}}"#);
    let morphs = |inner: &str| format!(r#"{{"sinew-pose": 1, "morphs": {{{inner}}}}}"#);
    let over = |inner: &str| format!(r#"{{"sinew-pose": 1, "over": {{{inner}}}}}"#);
    let cases: Vec<(String, &[&str])> = vec![
        (String::new(), &["expected a JSON object"]),
        ("glTF".into(), &["expected a JSON object"]),
        ("[]".into(), &["expected a JSON object"]),
        ("{".into(), &["EOF"]),
        ("{}".into(), &["missing field `sinew-pose`"]),
        (r#"{"sinew-pose": 1} x"#.into(), &["trailing"]),
        (
            r#"{"sinew-pose": 3, "bones": 5}"#.into(),
            &["sinew-pose: expected version 1 to 2, found version 3"],
        ),
        (r#"{"sinew-pose": 0}"#.into(), &["sinew-pose: expected version 1 to 2, found version 0"]),
        (r#"{"sinew-pose": "1"}"#.into(), &["sinew-pose: ", "expected u64"]),
        (r#"{"sinew-pose": -1}"#.into(), &["sinew-pose: ", "expected u64"]),
        (r#"{"sinew-pose": 1, "sinew-pose": 1}"#.into(), &["duplicate field"]),
        (r#"{"sinew-pose": 1, "joint": {}}"#.into(), &["unknown field `joint`", "`joints`"]),
        (r#"{"sinew-pose": 1, "joints": 5}"#.into(), &["joints: ", "integer `5`", "an object"]),
        (r#"{"sinew-pose": 1, "joints": [1]}"#.into(), &["joints: ", "an object"]),
        (joints(r#""head": 5"#), &["joints.head: ", "integer `5`"]),
        (
            joints(r#""head": {}"#),
            &["joints.head: expected a rotation, a translation or a scale, found none"],
        ),
        (joints(r#""head": {"scale": [1, 1]}"#), &["joints.head.scale", "invalid length 2"]),
        (joints(r#""head": {"translation": [1, 1e39, 0]}"#), &["joints.head.translation", "32 bits", "1e39"]),
        (joints(r#""head": {"rotation": [0, 0, 1]}"#), &["joints.head.rotation: ", "length 3", "length 4"]),
        (joints(r#""head": {"rotation": [0, 0, 0, 0, 1]}"#), &["joints.head.rotation"]),
        (joints(r#""head": {"rotation": [0, 0, "x", 1]}"#), &["joints.head.rotation[2]: ", "\"x\"", "f64"]),
        (joints(r#""head": {"rotation": [0, 0, NaN, 1]}"#), &["joints.head.rotation"]),
        (joints(r#""head": {"rotation": [0, 0, 1e999, 1]}"#), &["number out of range"]),
        (
            joints(r#""head": {"rotation": [0, 0, 0, 0]}"#),
            &["joints.head.rotation: ", "length 0", "length 1"],
        ),
        (joints(r#""head": {"rotation": [1, 1, 1, 1]}"#), &["joints.head.rotation: ", "length 2"]),
        (joints(r#""head": {"rotation": [1e300, 0, 0, 1]}"#), &["joints.head.rotation: ", "length"]),
        (
            joints(r#""head": {"rotation": [0, 0, 0, 1], "size": 2}"#),
            &["joints.head", "unknown field `size`"],
        ),
        (
            joints(r#""haed": {"rotation": [0, 0, 0, 1]}"#),
            &["joints.haed: the model has no node 'haed'; did you mean 'head'?"],
        ),
        (joints(r##""#999": {"rotation": [0, 0, 0, 1]}"##), &["joints.#999: the model has no node '#999'"]),
        (
            joints(r#""head": {"rotation": [0, 0, 0, 1]}, "head": {"rotation": [0, 0, 0, 1]}"#),
            &["joints.head: ", "earlier"],
        ),
        (morphs(r#""head": {"smile": 1}"#), &["morphs.head.smile: the model has no morph target 'smile'"]),
        (morphs(r#""unknown": {}"#), &["morphs.unknown: the model has no node 'unknown'"]),
        (morphs(&format!(r##""{face}": {{"#0": 1, "0": 1}}"##)), &["morphs.", ".0: ", "earlier"]),
        (
            morphs(&format!(r##""{face}": {{"#0": 1e39}}"##)),
            &["#0: expected a weight", "found 1e39", "32 bits"],
        ),
        (morphs(&format!(r##""{face}": {{"#0": null}}"##)), &["#0: ", "null", "f64"]),
        (morphs(&format!(r##""{face}": {{"#2": 1}}"##)), &["no morph target '#2'"]),
        (morphs(&format!(r#""{face}": {{"smile \"wide\"": 1}}"#)), &["more than one morph target", "'#0'"]),
        (over(""), &["over: ", "missing field `clips`"]),
        (over(r#""clips": []"#), &["over.clips: expected at least one clip", "found 0", "rest pose"]),
        (over(r#""clips": [1]"#), &["over.clips[0]: ", "integer `1`", "a string"]),
        (over(r#""clips": ["wlak"]"#), &["over.clips[0]: the model has no clip 'wlak'"]),
        (
            over(r#""clips": ["walk"], "blends": [{"clip": "idle", "weight": 1.5}]"#),
            &["over.blends[0].weight: expected a weight from 0 to 1, found 1.5"],
        ),
        (over(r#""clips": ["walk"], "blends": [{"clip": "x", "weight": 1}]"#), &["over.blends[0].clip: "]),
        (over(r#""clips": ["walk"], "time": "soon""#), &["over.time: "]),
        (
            over(&format!(r#""clips": ["walk"{}]"#, r#", "walk""#.repeat(1000))),
            &["at most 1000 clips", "found 1001"],
        ),
        (format!(r#"{{"sinew-pose": 1, "joints": {}}}"#, "[".repeat(100)), &["joints: "]),
        (format!(r#"{{"sinew-pose": {}}}"#, "{\"a\":".repeat(100_000)), &["sinew-pose"]),
    ];
    for (file, says) in cases {
        let short: String = file.chars().take(100).collect();
        let Err(error) = parse(file.as_bytes(), &model) else { panic!("{short} is a pose") };
        let error = error.to_string();
        assert!(!error.contains('\n') && error.len() < 400, "{error}");
        for text in says {
            assert!(error.contains(text), "{short}: '{text}' is not in: {error}");
        }
    }
    assert!(parse(b"{\"sinew-pose\": 1, \"joints\": {\"\xff\": 1}}", &model).is_err());
}

/// The parser's message and path contain text from the file.
#[test]
fn long_texts_are_not_repeated_whole() {
    let model = character();
    let long = "x\\n".repeat(100_000);
    let texts = [
        format!("{{\"sinew-pose\": \"{long}\"}}"),
        format!("{{\"sinew-pose\": 2, \"{long}\": 1}}"),
        format!("{{\"sinew-pose\": 2, \"joints\": {{\"{long}\": 1}}}}"),
    ];
    for text in &texts {
        let error = parse(text.as_bytes(), &model).unwrap_err().to_string();
        assert!(error.len() < 4000 && !error.contains('\n'), "{error:.200}");
    }
    println!("{} texts of 300,000 bytes are refused in one line each", texts.len());
}

#[test]
fn files_that_are_too_long_or_not_there_are_errors() {
    let model = character();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pose.json");
    let missing = load(&path, &model).unwrap_err();
    assert!(missing.is_missing() && missing.to_string() == "no such file", "{missing}");
    assert!(!load(folder.path(), &model).unwrap_err().is_missing());
    std::fs::File::create(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
    assert_eq!(load(&path, &model).unwrap_err().to_string(), "larger than 16 MiB");
}

#[test]
fn what_cannot_be_read_back_is_not_written() {
    let model = character();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pose.json");
    let walk = ClipMix { clips: vec![1], ..ClipMix::default() };
    let blends = |clip, weight| vec![Blend { clip, weight }];
    for mix in [
        ClipMix { clips: vec![99], ..ClipMix::default() },
        ClipMix { time_secs: f64::NAN, ..walk.clone() },
        ClipMix { blends: blends(99, 0.5), ..walk.clone() },
        ClipMix { blends: blends(0, f64::INFINITY), ..walk },
        ClipMix { blends: blends(0, 0.5), ..ClipMix::default() },
    ] {
        let saved = save(&Inputs::none().close().output(&path).unwrap(), &mix, &model);
        assert_eq!(saved.unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
