//! Loads the character as it is, and with one change at a time, which must cause a certain error or warning.

use std::sync::Arc;

use serde_json::json;
use sinew_model::gltf::{LoadError, load_bytes};
use sinew_model::{AlphaMode, Instance, Material, Model, Property, TextureRef, Topology};

use crate::character::{self, accessor};
use crate::file::{File, floats};
use crate::sound::assert_sound;

/// Loads the character after a change.
pub fn changed(change: impl FnOnce(&mut File)) -> Result<Model, LoadError> {
    let mut character = character::new();
    change(&mut character);
    let result = load_bytes(&character.glb(), None);
    if let Ok(model) = &result {
        assert_sound(model);
    }
    result
}

/// The changed model, with its warnings as text.
pub fn warned(change: impl FnOnce(&mut File)) -> (Model, Vec<String>) {
    let model = changed(change).unwrap();
    let warnings = model.warnings.iter().map(|w| format!("{}: {}", w.path, w.message)).collect();
    (model, warnings)
}

/// The error that a change causes.
pub fn error(change: impl FnOnce(&mut File)) -> String {
    changed(change).unwrap_err().to_string()
}

const PRIMITIVE: &str = "meshes[0].primitives[0]";

#[test]
fn the_character_loads_as_it_is() {
    let (model, warnings) = warned(|_| {});
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(model.rig.names, ["hip", "knee", "body"]);
    assert_eq!(model.rig.parents, [None, Some(0), None]);
    assert_eq!(model.instances, [Instance { node: 2, mesh: 0, skin: Some(0) }]);
    assert_eq!(model.skins[0].joints, [0, 1]);
    assert_eq!(model.skins[0].joint_from_bind[1].w_axis.y, -1.0);

    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.topology, Topology::Triangles);
    assert_eq!(primitive.indices, [0, 1, 2, 0, 2, 3]);
    assert_eq!(primitive.positions[2], [1.0, 2.0, 0.0]);
    assert_eq!(primitive.normals.as_ref().unwrap()[3], [0.0, 0.0, 1.0]);
    assert_eq!(primitive.tangents.as_ref().unwrap()[0], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(primitive.texcoords[0], [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]);
    assert_eq!(primitive.colors.as_ref().unwrap()[0], [1.0, 0.0, 0.2, 1.0]);
    let span = &primitive.influences.as_ref().unwrap().spans[0];
    assert_eq!(span.joints, [[0; 4], [0, 1, 1, 1], [1; 4], [1, 0, 0, 0]]);
    assert_eq!(span.weights[3], [0.75, 0.25, 0.0, 0.0]);

    let clip = &model.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration_secs), ("bend", 2.0));
    assert_eq!((clip.channels[0].node, clip.channels[0].property), (1, Property::Rotation));
    assert_eq!(clip.channels[0].times, [0.0, 0.5, 2.0]);
    assert_eq!(clip.channels[0].values[4..8], [0.0, 0.0, 0.6, 0.8]);

    let material = &model.materials[0];
    assert_eq!(material.base_color, [0.5, 0.25, 1.0, 1.0]);
    assert_eq!((material.metallic, material.roughness), (0.0, 0.75));
    assert_eq!(material.alpha, AlphaMode::Mask(0.25));
    assert!(material.double_sided && !material.unlit);
    assert_eq!(material.base_color_texture, Some(TextureRef { picture: 0, ..TextureRef::default() }));
    assert_eq!(model.pictures[0].as_ref().unwrap().rgba[..4], [200, 100, 50, 255]);
}

#[test]
fn joints_out_of_range_name_everything() {
    let out_of_range = |c: &mut File| c.set_bytes(accessor::JOINTS, 4, &[0, 7]);
    assert_eq!(
        error(out_of_range),
        "meshes[0].primitives[0].attributes.JOINTS_0: joint 7 at vertex mesh0:0:1, but skin 0 has 2 joints"
    );
    // A joint without weight may have any number.
    let (_, warnings) = warned(|c| {
        out_of_range(c);
        c.set_float(accessor::WEIGHTS, 4, 1.0);
        c.set_float(accessor::WEIGHTS, 5, 0.0);
    });
    assert!(warnings.is_empty(), "{warnings:?}");
    // The smallest skin used with the mesh sets the limit.
    let text = error(|c| {
        c.json["skins"].as_array_mut().unwrap().push(json!({"joints": [1]}));
        c.json["nodes"].as_array_mut().unwrap().push(json!({"mesh": 0, "skin": 1}));
    });
    assert_eq!(
        text,
        "meshes[0].primitives[0].attributes.JOINTS_0: joint 1 at vertex mesh0:0:1, but skin 1 has 1 joints"
    );
}

#[test]
fn weights_are_repaired_with_one_warning_a_kind() {
    let (model, warnings) = warned(|c| {
        c.set_float(accessor::WEIGHTS, 1, f32::NAN);
        c.set_float(accessor::WEIGHTS, 4, 7.0);
        c.set_float(accessor::WEIGHTS, 6, -1.0);
        c.set_float(accessor::WEIGHTS, 9, 0.0);
        c.set_bytes(accessor::JOINTS, 12, &[1, 1]);
    });
    assert_eq!(
        warnings,
        [
            format!(
                "{PRIMITIVE}: 1 vertex (first mesh0:0:0): weights that are NaN or infinite, which count as 0"
            ),
            format!("{PRIMITIVE}: 1 vertex (first mesh0:0:1): negative weights, which count as 0"),
            format!(
                "{PRIMITIVE}: 1 vertex (first mesh0:0:1): weights that do not sum to 1 (off by 6.250000 at most) and were renormalised"
            ),
            format!(
                "{PRIMITIVE}: 1 vertex (first mesh0:0:2): no weight; the joint in the first slot gets all of it"
            ),
            format!("{PRIMITIVE}: 1 vertex (first mesh0:0:3): a joint more than once; each was kept"),
        ]
    );
    assert!(model.faults.iter().all(|fault| fault.code != "ACCESSOR_INVALID_FLOAT"), "{:?}", model.faults);
    let span = &model.meshes[0].primitives[0].influences.as_ref().unwrap().spans[0];
    assert_eq!(span.joints[2], [0; 4]);
}

#[test]
fn further_sets_count_as_one_list() {
    let (model, warnings) = warned(|c| {
        let weights = c.accessor("VEC4", 5121, true, 4, &[51; 16]);
        let joints = c.accessor("VEC4", 5123, false, 4, &[0; 32]);
        for set in 0..5 {
            c.primitive()["attributes"][format!("JOINTS_{set}")] = joints.into();
            c.primitive()["attributes"][format!("WEIGHTS_{set}")] = weights.into();
        }
    });
    let influences = model.meshes[0].primitives[0].influences.as_ref().unwrap();
    assert_eq!(influences.spans.len(), 4);
    assert!(warnings[2].contains("more than 16 influences"), "{warnings:?}");
    assert!(warnings[2].contains("20.00 % of the weight on average"), "{warnings:?}");
}

#[test]
fn skinning_needs_joints_weights_and_a_skin() {
    for name in ["JOINTS_0", "WEIGHTS_0"] {
        let (model, warnings) =
            warned(|c| drop(c.primitive()["attributes"].as_object_mut().unwrap().remove(name)));
        assert_eq!(warnings.len(), 1);
        assert_eq!(model.meshes[0].primitives[0].influences, None);
    }
    let (model, warnings) = warned(|c| drop(c.json["nodes"][2].as_object_mut().unwrap().remove("skin")));
    assert_eq!(warnings.len(), 1);
    assert_eq!(model.meshes[0].primitives[0].influences, None);
    assert_eq!(model.instances[0].skin, None);
    let (_, warnings) = warned(|c| c.json["nodes"][0]["skin"] = 0.into());
    assert!(warnings.is_empty(), "a skin on a node without mesh means nothing");
}

#[test]
fn broken_attributes() {
    let text = error(|c| c.set_float(accessor::POSITION, 4, f32::INFINITY));
    assert_eq!(text, format!("{PRIMITIVE}.attributes.POSITION: vertex mesh0:0:1 is not finite"));
    for name in ["NORMAL", "TEXCOORD_0", "COLOR_0", "JOINTS_0", "WEIGHTS_0", "TANGENT"] {
        let text = error(|c| {
            let at = c.primitive()["attributes"][name].as_u64().unwrap() as usize;
            c.json["accessors"][at]["count"] = 3.into();
        });
        assert_eq!(text, format!("{PRIMITIVE}.attributes.{name}: 3 elements, but there are 4 positions"));
    }
    let (model, warnings) = warned(|c| c.primitive()["attributes"] = json!({"NORMAL": accessor::NORMAL}));
    assert!(model.meshes[0].primitives.is_empty());
    assert_eq!(warnings, [format!("{PRIMITIVE}: has no POSITION and was left out")]);
}

#[test]
fn normals_without_direction_are_made_anew() {
    let (model, warnings) = warned(|c| {
        c.set_float(accessor::NORMAL, 5, 0.0);
        c.set_float(accessor::NORMAL, 6, f32::NAN);
    });
    assert!(warnings[0].contains("2 normals (first mesh0:0:1)"), "{warnings:?}");
    assert_eq!(model.meshes[0].primitives[0].normals, Some(vec![[0.0, 0.0, 1.0]; 4]));
    let (model, _) = warned(|c| c.set_bytes(accessor::NORMAL, 0, &[0; 48]));
    assert_eq!(model.meshes[0].primitives[0].normals, None);
    assert_eq!(model.meshes[0].primitives[0].tangents, None, "tangents need normals");
}

#[test]
fn other_streams_are_repaired() {
    let (model, warnings) = warned(|c| {
        c.set_float(accessor::TANGENT, 3, 0.0);
        let mut colors = [0.5; 12];
        colors[4] = f32::NAN;
        let colors = c.accessor("VEC3", 5126, false, 4, &floats(&colors));
        c.primitive()["attributes"]["COLOR_0"] = colors.into();
    });
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.tangents, None);
    assert_eq!(primitive.colors.as_ref().unwrap()[..2], [[0.5, 0.5, 0.5, 1.0], [1.0; 4]]);
    assert!(warnings[0].contains("1 tangent (first mesh0:0:0)"), "{warnings:?}");
    assert!(warnings[1].contains("1 colour (first mesh0:0:1)"), "{warnings:?}");
}

#[test]
fn indices() {
    let text = error(|c| c.set_bytes(accessor::INDICES, 6, &[4]));
    assert_eq!(text, format!("{PRIMITIVE}.indices: vertex 4 at 3, but there are 4 vertices"));
    let text = error(|c| c.set_bytes(accessor::INDICES, 6, &[0xff, 0xff]));
    assert!(text.starts_with(&format!("{PRIMITIVE}.indices: 65535 at 3 would restart")), "{text}");
    // Even if such a vertex exists.
    let text = error(|c| {
        let positions = c.accessor("VEC3", 5126, false, 256, &[0; 3072]);
        let indices = c.accessor("SCALAR", 5121, false, 3, &[0, 254, 255]);
        *c.primitive() = json!({"attributes": {"POSITION": positions}, "indices": indices});
    });
    assert!(text.starts_with(&format!("{PRIMITIVE}.indices: 255 at 2 would restart")), "{text}");
    let (model, warnings) = warned(|c| {
        c.primitive().as_object_mut().unwrap().remove("indices");
        c.primitive()["mode"] = 5.into();
    });
    assert_eq!(model.meshes[0].primitives[0].indices, [0, 1, 2, 1, 3, 2]);
    assert!(warnings.is_empty());
    let (model, warnings) = warned(|c| c.json["accessors"][accessor::INDICES]["count"] = 5.into());
    assert_eq!(model.meshes[0].primitives[0].indices, [0, 1, 2]);
    assert_eq!(warnings, [format!("{PRIMITIVE}: the last 2 indices do not make a whole triangle")]);
    let (model, warnings) = warned(|c| c.json["accessors"][accessor::INDICES]["count"] = 2.into());
    assert!(model.meshes[0].primitives.is_empty());
    assert_eq!(warnings.len(), 2);
    assert_eq!(error(|c| c.primitive()["mode"] = 7.into()), format!("{PRIMITIVE}.mode: 7 is not a mode"));
}

#[test]
fn skins() {
    assert!(error(|c| c.json["skins"][0]["joints"] = json!([])).starts_with("skins[0].joints: "));
    let text = error(|c| c.json["skins"][0]["joints"] = json!([0, 9]));
    assert_eq!(text, "skins[0].joints[1]: there is no node 9 (the file has 3)");
    let text = error(|c| c.json["accessors"][accessor::MATRICES]["count"] = 1.into());
    assert_eq!(text, "skins[0].inverseBindMatrices: 1 matrices for 2 joints");
    let text = error(|c| c.set_float(accessor::MATRICES, 17, f32::NAN));
    assert_eq!(text, "skins[0].inverseBindMatrices: matrix 1 is not finite");
    let text = error(|c| c.json["accessors"][accessor::MATRICES]["type"] = "VEC4".into());
    assert_eq!(text, "skins[0].inverseBindMatrices: accessor 8 is VEC4, but must be MAT4");
    let (_, warnings) = warned(|c| c.json["skins"][0]["joints"] = json!([1, 1]));
    assert_eq!(warnings, ["skins[0].joints: 2 joints, but only 1 different nodes"]);
    let (model, warnings) =
        warned(|c| drop(c.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices")));
    assert!(warnings.is_empty());
    assert_eq!(*model.skins[0].joint_from_bind, [glam::DMat4::IDENTITY; 2]);
}

#[test]
fn a_skin_of_many_joints_is_not_refused() {
    let joints: Vec<usize> = (0..5000).map(|joint| joint % 2).collect();
    let (model, _) = warned(|c| c.json["skins"][0] = json!({"joints": joints}));
    assert_eq!(model.skins[0].joints.len(), 5000);
}

/// A thousand skins of the same skeleton take the matrices of one; what is wrong with them is said of each.
#[test]
fn skins_share_their_matrices() {
    let five = |c: &mut File| {
        let (first, mut without) = (c.json["skins"][0].clone(), c.json["skins"][0].clone());
        without.as_object_mut().unwrap().remove("inverseBindMatrices");
        let mut fewer = first.clone();
        fewer["joints"] = json!([1]);
        c.json["skins"] = json!([first.clone(), first, without.clone(), without, fewer]);
        // The last number of the first column, which is 0 in a matrix that moves and turns.
        c.set_float(accessor::MATRICES, 3, 1.0);
    };
    let (model, warnings) = warned(five);
    let matrices = |skin: usize| &model.skins[skin].joint_from_bind;
    assert!(Arc::ptr_eq(matrices(0), matrices(1)) && Arc::ptr_eq(matrices(2), matrices(3)));
    assert_eq!([0, 2, 4].map(|skin| matrices(skin).len()), [2, 2, 1]);
    assert_eq!((matrices(2)[1], matrices(4)[0]), (glam::DMat4::IDENTITY, matrices(0)[0]));
    let said = |skin: usize| {
        let path = format!("skins[{skin}].inverseBindMatrices");
        format!("{path}: 1 matrices have a last row other than 0 0 0 1; it was replaced")
    };
    assert_eq!(warnings, [said(0), said(1), said(4)]);
}

#[test]
fn materials_that_say_little() {
    let mut materials = [json!({}), json!({"pbrMetallicRoughness": {}}), json!({"alphaMode": "OPAQUE"})];
    for material in &mut materials {
        let (model, _) = warned(|c| c.json["materials"][0] = material.take());
        assert_eq!(model.materials, [Material::default()]);
    }
    let alpha =
        |mode: &str| warned(|c| c.json["materials"][0] = json!({"alphaMode": mode})).0.materials[0].alpha;
    assert_eq!(alpha("BLEND"), AlphaMode::Blend);
    assert_eq!(alpha("MASK"), AlphaMode::Mask(0.5));
}

#[test]
fn materials_that_are_not_quite_right() {
    let (model, warnings) = warned(|c| {
        c.json["materials"][0] = json!({
            "pbrMetallicRoughness": {"baseColorFactor": [2, -1, 0, 1], "metallicFactor": 1e300,
                "baseColorTexture": {"index": 0, "texCoord": 3, "extensions": {"KHR_texture_transform": {}}}},
            "emissiveFactor": [1e300, 4, -1], "alphaMode": "GLOW", "extensions": {"KHR_materials_unlit": {}},
        });
    });
    let material = &model.materials[0];
    assert_eq!((material.base_color, material.metallic), ([1.0, 0.0, 0.0, 1.0], 1.0));
    assert_eq!(material.emissive, [65504.0, 4.0, 0.0]);
    assert!(material.unlit && !material.double_sided);
    assert_eq!(
        warnings,
        [
            "materials[0].pbrMetallicRoughness.baseColorFactor: 2.0 is not within 0 to 1",
            "materials[0].pbrMetallicRoughness.metallicFactor: 1e300 is not within 0 to 1",
            "materials[0].emissiveFactor: 1e300 is not within 0 to 1",
            "materials[0].alphaMode: 'GLOW' is not an alpha mode; shown opaque",
            &format!("{PRIMITIVE}.material: uses TEXCOORD_3, which the primitive does not have"),
        ]
    );
    assert!(
        error(|c| c.primitive()["material"] = 1.into()).ends_with("there is no material 1 (the file has 1)")
    );
    assert!(error(|c| c.json["textures"][0]["source"] = 5.into()).starts_with("textures[0].source: "));
    let texture =
        "materials[0].pbrMetallicRoughness.baseColorTexture.index: there is no texture 0 (the file has 0)";
    assert_eq!(error(|c| c.json["textures"] = json!([])), texture);
}

#[test]
fn pictures_at_fault_are_warnings() {
    for image in [
        json!({}),
        json!({"uri": "data:image/png;base64,AAAA"}),
        json!({"uri": "data:image/png;base64,*"}),
        json!({"bufferView": 99}),
        json!({"bufferView": 0}),
        json!({"uri": "skin.png"}),
    ] {
        let (model, warnings) = warned(|c| c.json["images"][0] = image.clone());
        assert_eq!((warnings.len(), &model.pictures[..]), (1, &[None][..]), "{image}");
        assert!(warnings[0].starts_with("images[0]"), "{warnings:?}");
        let again = ["IO_ERROR", "INVALID_URI", "IMAGE_UNRECOGNIZED_FORMAT", "IMAGE_DATA_INVALID"];
        let again = model.faults.iter().find(|fault| again.contains(&fault.code));
        assert!(again.is_none(), "{image}: {again:?}");
        assert_eq!(model.materials[0].base_color_texture, None);
    }
    let (_, warnings) = warned(|c| drop(c.json["textures"][0].as_object_mut().unwrap().remove("source")));
    assert_eq!(warnings, ["textures[0]: has no PNG, JPEG, WebP or KTX2 as its source; shown without"]);
}

#[test]
fn buffers_and_views_that_are_not_quite_right() {
    let (_, warnings) = warned(|c| c.json["buffers"][0]["byteLength"] = 100_000.into());
    assert!(
        warnings[0].starts_with("buffers[0].byteLength: says 100000 bytes, but has only "),
        "{warnings:?}"
    );
    let (_, warnings) = warned(|c| c.json["bufferViews"][0]["byteStride"] = 0.into());
    assert!(warnings.is_empty(), "{warnings:?}");
    let (_, warnings) = warned(|c| {
        let attributes = c.primitive()["attributes"].as_object_mut().unwrap();
        attributes.insert("JOINTS_01".into(), 99.into());
        attributes.insert("WEIGHTS_x".into(), 99.into());
    });
    assert!(warnings.is_empty(), "{warnings:?}");
    let text = error(|c| c.json["bufferViews"][0]["buffer"] = 1.into());
    assert_eq!(text, "bufferViews[0].buffer: there is no buffer 1 (the file has 1)");
}

#[test]
fn claims_larger_than_the_file() {
    let text = error(|c| {
        c.json["accessors"][accessor::POSITION] = json!({"componentType": 5126, "type": "VEC3", "count": 4e9})
    });
    assert_eq!(
        text,
        "accessors[0].count: 4000000000 elements that the file does not store need, with all others, \
         more than 4 MiB"
    );
    // Many reads of small accessors must not exceed the limit in sum either.
    let text = error(|c| {
        let positions = c.accessor("VEC3", 5126, false, 100_000, &[0; 1_200_000]);
        c.json["meshes"][0]["primitives"] = vec![json!({"attributes": {"POSITION": positions}}); 300].into();
    });
    assert!(text.contains("need more than the 329 MiB"), "{text}");
}

#[test]
fn a_file_that_only_counts_is_empty_but_valid() {
    let model = load_bytes(br#"{"asset": {"version": "2.0"}}"#, None).unwrap();
    assert_sound(&model);
    assert!(model.rig.is_empty() && model.instances.is_empty() && model.warnings.is_empty());
}
