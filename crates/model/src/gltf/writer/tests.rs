//! Reads back the frame and the accessors of written files.

use serde_json::Value;

use crate::gltf::write_glb;
use crate::{
    Channel, Clip, Deltas, Influences, Instance, Interpolation, LocalTransform, Material, Mesh, Model,
    Morphs, Picture, Primitive, Property, Rig, Skin, Span, TextureRef, Topology,
};

fn model() -> Model {
    let primitive = Primitive {
        topology: Topology::Triangles,
        indices: vec![0, 1, 2],
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, -3.0]],
        colors: Some(vec![[51.0 / 255.0, 0.0, 1.0, 1.0]; 3]),
        texcoords: vec![vec![[0.0, 0.5]; 3]],
        influences: Some(Influences {
            spans: vec![Span { joints: vec![[1, 0, -1, 1]; 3], weights: vec![[0.25, 0.75, 0.0, 0.0]; 3] }],
        }),
        material: Some(0),
        ..Primitive::default()
    };
    Model {
        rig: Rig {
            names: vec!["root".into(), String::new()],
            parents: vec![None, Some(0)],
            rest: vec![LocalTransform::IDENTITY; 2],
            file_index: vec![0, 1],
            ..Rig::default()
        },
        meshes: vec![
            Mesh::default(),
            Mesh { name: "m".into(), primitives: vec![primitive], ..Mesh::default() },
        ],
        skins: vec![Skin {
            name: "s".into(),
            joints: vec![0, 1],
            joint_from_bind: [glam::DMat4::IDENTITY; 2].into(),
            method: Some(crate::SkinningMethod::Blended),
        }],
        instances: vec![Instance { node: 1, mesh: 1, skin: Some(0) }],
        clips: vec![Clip {
            name: "c".into(),
            duration_secs: 1.0,
            channels: vec![Channel {
                node: 1,
                property: Property::Rotation,
                interpolation: Interpolation::Linear,
                times: vec![0.0, 1.0],
                values: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            }],
        }],
        materials: vec![Material {
            base_color_texture: Some(TextureRef { picture: 1, ..TextureRef::default() }),
            unlit: true,
            ..Material::default()
        }],
        pictures: vec![None, Some(Picture { width: 1, height: 1, rgba: vec![255; 4] })],
        ..Model::default()
    }
}

fn chunks(glb: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&glb[..4], b"glTF");
    assert_eq!(word(8), glb.len());
    let json = word(12);
    assert_eq!((json % 4, &glb[16..20]), (0, b"JSON".as_slice()));
    let value = serde_json::from_slice(&glb[20..20 + json]).unwrap();
    let bin = 20 + json;
    if bin == glb.len() {
        return (value, Vec::new());
    }
    assert_eq!(&glb[bin + 4..bin + 8], b"BIN\0");
    assert_eq!(word(bin), glb.len() - bin - 8);
    (value, glb[bin + 8..].to_vec())
}

fn bytes_of(json: &Value, bin: &[u8], accessor: &Value) -> Vec<u8> {
    let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let at = view["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(at % 4, 0);
    bin[at..at + view["byteLength"].as_u64().unwrap() as usize].to_vec()
}

#[test]
fn every_part_of_a_model_is_in_the_file() {
    let (json, bin) = chunks(&write_glb(&model()).unwrap());
    assert_eq!(json["buffers"][0]["byteLength"], bin.len());
    assert_eq!(json["scenes"][0]["nodes"], serde_json::json!([0]));
    assert_eq!(json["nodes"][0]["children"], serde_json::json!([1]));
    // The empty mesh is gone and the other one has moved up.
    assert_eq!(json["nodes"][1]["mesh"], 0);
    let primitive = &json["meshes"][0]["primitives"][0];
    let attributes = &primitive["attributes"];
    let read = |accessor: &Value| bytes_of(&json, &bin, accessor);
    assert_eq!(read(&primitive["indices"]), [0, 0, 1, 0, 2, 0]);
    assert_eq!(read(&attributes["COLOR_0"])[..4], [51, 0, 255, 255]);
    assert_eq!(read(&attributes["JOINTS_0"])[..4], [1, 0, 0, 0]);
    assert_eq!(read(&attributes["WEIGHTS_0"])[..4], 0.25f32.to_le_bytes());
    let positions = &json["accessors"][attributes["POSITION"].as_u64().unwrap() as usize];
    assert_eq!(positions["min"], serde_json::json!([0.0, 0.0, -3.0]));
    assert_eq!(positions["max"], serde_json::json!([1.0, 2.0, 0.0]));
    assert_eq!(json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"], 0);
    let picture = json["images"][0]["bufferView"].as_u64().unwrap() as usize;
    let at = json["bufferViews"][picture]["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(bin[at..at + 4], *b"\x89PNG");
    assert_eq!(json["animations"][0]["channels"][0]["target"]["node"], 1);
}

#[test]
fn colors_that_bytes_cannot_hold_stay_exact() {
    let mut model = model();
    let color = [0.123_456_79, 0.0, 1.0, 1.0];
    model.meshes[1].primitives[0].colors = Some(vec![color; 3]);
    let (json, bin) = chunks(&write_glb(&model).unwrap());
    let accessor = &json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"];
    assert_eq!(bytes_of(&json, &bin, accessor)[..16], *bytemuck::bytes_of(&color));
}

#[test]
fn targets_and_their_weights_take_the_fewer_bytes() {
    let mut model = model();
    let all = (0..3).map(|vertex| (vertex, [1.0; 3])).collect();
    let targets = [vec![(1, [0.0, 0.0, 2.0])], all, vec![]];
    model.meshes[1].primitives[0].morphs =
        Some(Morphs { positions: Deltas::new(3, &targets), ..Morphs::default() });
    model.meshes[1].target_names = vec![String::new(); 3];
    let channel = &mut model.clips[0].channels[0];
    (channel.property, channel.times) = (Property::Weights, vec![0.0, 1.0, 2.0]);
    channel.values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let (json, _) = chunks(&write_glb(&model).unwrap());
    let accessor = |number: &Value| &json["accessors"][number.as_u64().unwrap() as usize];
    let [one, whole, none] =
        [0, 1, 2].map(|target| accessor(&json["meshes"][0]["primitives"][0]["targets"][target]["POSITION"]));
    assert_eq!((&one["sparse"]["count"], one.get("bufferView")), (&Value::from(1), None));
    assert_eq!(one["max"], serde_json::json!([0.0, 0.0, 2.0]));
    assert!(whole.get("sparse").is_none() && whole.get("bufferView").is_some());
    assert!(
        none.get("sparse").is_none() && none.get("bufferView").is_none(),
        "nothing moves, nothing is stored"
    );
    let sampler = &json["animations"][0]["samplers"][0];
    let weights = accessor(&sampler["output"]);
    assert_eq!((&weights["count"], &weights["sparse"]["count"]), (&Value::from(9), &Value::from(2)));

    model.clips[0].channels[0].values = vec![0.5; 9];
    let (json, _) = chunks(&write_glb(&model).unwrap());
    let output = &json["animations"][0]["samplers"][0]["output"];
    assert!(json["accessors"][output.as_u64().unwrap() as usize].get("sparse").is_none());
}

#[test]
fn a_model_without_anything_is_still_a_file() {
    let (json, bin) = chunks(&write_glb(&Model::default()).unwrap());
    assert_eq!(json["asset"]["version"], "2.0");
    assert!(bin.is_empty());
}

#[test]
fn a_picture_with_missing_pixels_is_an_error() {
    let mut model = model();
    model.pictures[1] = Some(Picture { width: 2, height: 2, rgba: vec![0; 4] });
    let error = write_glb(&model).unwrap_err().to_string();
    assert!(error.starts_with("image 1 cannot be written as PNG"), "{error}");
}

#[test]
fn weight_on_no_joint_is_refused() {
    let mut model = model();
    assert!(write_glb(&model).is_ok(), "without weight it says nothing");
    let span = &mut model.meshes[1].primitives[0].influences.as_mut().unwrap().spans[0];
    span.weights[1] = [0.25, 0.5, 0.25, 0.0];
    let refused = write_glb(&model).unwrap_err().to_string();
    assert_eq!(refused, "vertex mesh1:0:1 has weight on no joint, which glTF cannot store");
}
