//! The files of `sinew export`, read again.

use super::*;
use crate::export::{Export, Format, List, Number, write};
use sinew_model::{Model, builtin, gltf};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, reference_model, skin_model};
use sinew_skinning::{Normals, SkinningMode};

const MODE: SkinningMode = SkinningMode::DualQuat;

/// A model of two primitives, of which one has neither normals nor tangents nor texture coordinates nor influences.
fn model() -> Model {
    let mut model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
    let primitives = &mut model.meshes[0].primitives;
    let count = primitives[0].positions.len();
    primitives[0].texcoords = vec![(0..count).map(|at| [at as f32 / 7.0, 0.5]).collect()];
    let mut bare = primitives[0].clone();
    (bare.normals, bare.tangents, bare.influences) = (None, None, None);
    (bare.texcoords, bare.file_index) = (Vec::new(), 1);
    primitives.push(bare);
    model
}

fn pose(model: &Model, time: f64) -> (PoseChoice, Pose) {
    let choice = PoseChoice::clip(0, time);
    let mut pose = Pose::default();
    pose.set(model, &choice);
    (choice, pose)
}

fn export<'a, T>(model: &'a Model, primitives: &'a [SkinnedPrimitive<T>], on: &'a str) -> Export<'a, T> {
    Export {
        given: "bend",
        model,
        mode: MODE,
        normals: Normals::Moved,
        pose: PoseChoice::clip(0, 1.0),
        on,
        primitives,
    }
}

fn bytes<T: Number>(export: &Export<'_, T>, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(export, format, &mut bytes).unwrap();
    bytes
}

fn wide<T: Number, const N: usize>(rows: &[[T; N]]) -> Vec<[f64; N]> {
    rows.iter().map(|row| row.map(Into::into)).collect()
}

/// Checks that each primitive comes back as it was, apart from streams that the format does not hold.
fn assert_same<T: Number>(given: &Given, primitives: &[SkinnedPrimitive<T>], tangents: bool, name: &str) {
    assert_eq!(given.parts.len(), primitives.len(), "{name}");
    for (part, primitive) in given.parts.iter().zip(primitives) {
        assert!(part.positions == wide(&primitive.positions), "{name}: positions");
        assert!(part.normals == primitive.normals.as_ref().map(|rows| wide(rows)), "{name}: normals");
        let expected = primitive.tangents.as_ref().filter(|_| tangents);
        assert!(part.tangents == expected.map(|rows| wide(rows)), "{name}: tangents");
    }
}

#[test]
fn every_format_of_export_reads_back_to_the_bit() {
    let model = model();
    let (_, pose) = pose(&model, 1.0);
    let single = skin_model(&model, MODE, &pose);
    let double: Vec<_> =
        reference_model(&model, MODE, &pose).into_iter().map(|truth| truth.skinned).collect();
    assert!(single[0].normals.is_some() && single[0].tangents.is_some() && single[1].normals.is_none());
    fn all<T: Number>(model: &Model, primitives: &[SkinnedPrimitive<T>], on: &str, stored: Stored) {
        let export = export(model, primitives, on);
        for (format, extension, tangents) in
            [(Format::Json, "json", true), (Format::Npz, "npz", true), (Format::Obj, "obj", false)]
        {
            let given = read_as(&bytes(&export, format), extension).unwrap();
            assert_eq!(given.stored, stored, "{extension}");
            assert_same(&given, primitives, tangents, extension);
        }
        let together: Vec<[f64; 3]> = primitives.iter().flat_map(|one| wide(&one.positions)).collect();
        for (format, extension) in [(Format::Npy, "npy"), (Format::Ply, "ply")] {
            let given = read_as(&bytes(&export, format), extension).unwrap();
            assert_eq!((given.stored, given.parts.len()), (stored, 1), "{extension}");
            assert!(given.parts[0].positions == together, "{extension}");
        }
    }
    all(&model, &single, "cpu", Stored::F32);
    all(&model, &double, "reference", Stored::F64);
    let export = export(&model, &single, "cpu");
    assert_same(&read_as(&bytes(&export, Format::Glb), "glb").unwrap(), &single, true, "glb");
    let given = read_as(&bytes(&export, Format::Npz), "npz").unwrap();
    assert_eq!(given.parts[0].texcoords, Some(wide(&model.meshes[0].primitives[0].texcoords[0])));
    assert_eq!(given.parts[1].texcoords, None);
    let given = read_as(&bytes(&export, Format::Json), "json").unwrap();
    assert_eq!(given.parts[0].name.as_deref().map(|name| name.starts_with("node")), Some(true));
}

#[test]
fn several_moments_are_frames() {
    let model = model();
    let frames = [0.5, 1.0, 1.5].map(|time| skin_model(&model, MODE, &pose(&model, time).1));
    for (format, extension) in [(Format::Json, "json"), (Format::Npz, "npz"), (Format::Npy, "npy")] {
        let mut list = List::new(format, frames.len()).unwrap();
        let mut bytes = Vec::new();
        for frame in &frames {
            list.add(&export(&model, frame, "cpu"), &mut bytes).unwrap();
        }
        list.end(&mut bytes).unwrap();
        for (number, frame) in frames.iter().enumerate() {
            let given = read(&bytes, extension, &at(number)).unwrap();
            match format {
                Format::Npy => {
                    let together: Vec<[f64; 3]> = frame.iter().flat_map(|one| wide(&one.positions)).collect();
                    assert!(given.parts[0].positions == together);
                }
                _ => assert_same(&given, frame, true, extension),
            }
        }
        let error = read(&bytes, extension, &at(3)).unwrap_err();
        assert!(matches!(error, ReadError::NoFrame { asked: 3, frames: 3 }), "{error}");
    }
    assert!([Format::Ply, Format::Obj, Format::Glb].iter().all(|format| List::new(*format, 2).is_none()));
}
