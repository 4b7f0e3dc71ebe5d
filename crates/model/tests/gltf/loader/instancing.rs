//! Tests copies of a mesh below a node, from every kind of accessor to the final vertices.

use glam::{DMat4, DQuat, DVec3};
use serde_json::json;
use sinew_model::gltf::{LoadError, load_bytes};
use sinew_model::{Instance, LocalTransform, Model};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::{SkinningMode, posed};

use crate::character;
use crate::file::{File, floats};
use crate::sound::assert_sound;

/// The unskinned character on a translated node, with instancing attributes from `change`.
fn copies(change: impl FnOnce(&mut File) -> serde_json::Value) -> Result<Model, LoadError> {
    let mut character = character::new();
    let attributes = change(&mut character);
    let node = character.json["nodes"][2].as_object_mut().unwrap();
    node.remove("skin");
    node.insert("translation".into(), json!([0, 0, 5]));
    node.insert("extensions".into(), json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}}));
    for name in ["JOINTS_0", "WEIGHTS_0"] {
        character.primitive()["attributes"].as_object_mut().unwrap().remove(name);
    }
    character.json["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
    let model = load_bytes(&character.glb(), None);
    if let Ok(model) = &model {
        assert_sound(model);
    }
    model
}

#[test]
fn every_copy_is_an_instance_below_its_node() {
    let model = copies(|c| {
        let translations = c.accessor("VEC3", 5126, false, 2, &floats(&[1.0, 2.0, 3.0, -1.0, 0.0, 0.0]));
        // A quarter turn about y and no turn, as normalized 16-bit integers.
        let turns: [i16; 8] = [0, 23170, 0, 23170, 0, 0, 0, 32767];
        let turns: Vec<u8> = turns.iter().flat_map(|x| x.to_le_bytes()).collect();
        let rotations = c.accessor("VEC4", 5122, true, 2, &turns);
        let scales = c.accessor("VEC3", 5126, false, 2, &floats(&[2.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
        let ids = c.accessor("SCALAR", 5123, false, 2, &[1, 0, 2, 0]);
        json!({"TRANSLATION": translations, "ROTATION": rotations, "SCALE": scales, "_ID": ids})
    })
    .unwrap();
    assert_eq!(model.warnings, []);
    // The node's own mesh is not drawn in addition.
    assert_eq!(model.instances, [3, 4].map(|node| Instance { node, mesh: 0, skin: None }),);
    assert_eq!(model.rig.file_index, [0, 1, 2, 2, 2]);
    assert_eq!(model.rig.names[2..], ["body"; 3]);

    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::Rest);
    let expected = DMat4::from_scale_rotation_translation(
        DVec3::new(2.0, 1.0, 1.0),
        DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2),
        DVec3::new(1.0, 2.0, 8.0),
    );
    assert!(pose.world_from_node[3].abs_diff_eq(expected, 1e-12), "{}", pose.world_from_node[3]);

    // The square's corner (1, 2, 0): doubled in width, turned to −z, moved by the copy and the node.
    let skinned = posed::skin_model(&model, SkinningMode::Linear, &pose);
    let corner = skinned.iter().map(|primitive| primitive.positions[2]).collect::<Vec<_>>();
    for (found, expected) in corner.iter().zip([[1.0, 4.0, 6.0], [0.0, 2.0, 5.0]]) {
        let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 1e-6, "{found:?}, not {expected:?}");
    }
}

#[test]
fn copies_of_eight_bits_and_of_nothing_but_a_count() {
    let model = copies(|c| {
        // Not a unit quaternion, but only by rounding: no warning.
        let rotations = c.accessor("VEC4", 5120, true, 1, &[90, 0, 0, 90]);
        json!({"ROTATION": rotations})
    })
    .unwrap();
    assert_eq!(model.warnings, []);
    let LocalTransform::Trs { rotation, .. } = model.rig.rest[3] else { panic!("a matrix") };
    assert!(rotation.abs_diff_eq(DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2), 1e-12));

    let model = copies(|c| json!({"_ID": c.accessor("SCALAR", 5126, false, 3, &floats(&[0.0; 3]))})).unwrap();
    assert_eq!((model.instances.len(), model.rig.rest[3]), (3, LocalTransform::IDENTITY));

    let model = copies(|c| json!({"TRANSLATION": c.accessor("VEC3", 5126, false, 0, &[])})).unwrap();
    assert!(model.instances.is_empty(), "no copies are none");
}

#[test]
fn copies_at_fault() {
    let path = "nodes[2].extensions.EXT_mesh_gpu_instancing.attributes";
    let error = |change: fn(&mut File) -> serde_json::Value| copies(change).unwrap_err().to_string();
    let text = error(|c| {
        let translations = c.accessor("VEC3", 5126, false, 2, &floats(&[0.0; 6]));
        let scales = c.accessor("VEC3", 5126, false, 1, &floats(&[1.0; 3]));
        json!({"TRANSLATION": translations, "SCALE": scales})
    });
    assert_eq!(text, format!("{path}.TRANSLATION: 2 elements, but SCALE has 1"));
    let text =
        error(|c| json!({"TRANSLATION": c.accessor("VEC3", 5126, false, 1, &floats(&[0.0, f32::NAN, 0.0]))}));
    assert_eq!(text, format!("{path}.TRANSLATION: copy 0 is not finite"));
    let text = error(|_| json!({"SCALE": 99}));
    assert!(text.starts_with(&format!("{path}.SCALE: there is no accessor 99")), "{text}");
    let text = error(|c| json!({"SCALE": c.accessor("VEC2", 5126, false, 1, &floats(&[1.0; 2]))}));
    assert!(text.starts_with(&format!("{path}.SCALE: accessor 11 is VEC2")), "{text}");
    // Zeros need no bytes in the file, but their copies need memory.
    let text = error(|c| {
        c.json["accessors"][0] = json!({"componentType": 5126, "type": "VEC3", "count": 1_u64 << 32});
        json!({"TRANSLATION": 0})
    });
    assert_eq!(
        text,
        format!("{path}: 4294967296 elements need more than the 256 MiB that a file of this size may use")
    );

    let model = copies(|c| {
        json!({"ROTATION": c.accessor("VEC4", 5126, false, 2, &floats(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]))})
    })
    .unwrap();
    assert_eq!(model.warnings.len(), 1);
    assert_eq!(model.warnings[0].code, "ROTATION_NON_UNIT");
    assert_eq!(model.warnings[0].message, "2 of 2 were not unit quaternions and were normalised");
    let model = copies(|_| json!({})).unwrap();
    assert_eq!((model.instances.len(), model.warnings.len()), (1, 1));
}

#[test]
fn a_skinned_mesh_is_drawn_once() {
    let mut character = character::new();
    let translations = character.accessor("VEC3", 5126, false, 3, &floats(&[0.0; 9]));
    character.json["nodes"][2]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": translations}}});
    let model = load_bytes(&character.glb(), None).unwrap();
    assert_sound(&model);
    assert_eq!((model.instances.len(), model.rig.len(), model.warnings.len()), (1, 3, 1));
    assert_eq!(model.warnings[0].code, "NODE_SKINNED_MESH_LOCAL_TRANSFORMS");
}
