//! Files of every format: their vertices, the errors of wrong ones, and the round trip of `sinew export`.

mod hostile;
mod refused;
mod round_trip;

use base64::Engine;
use miniz_oxide::deflate::compress_to_vec;

use super::{Given, Layout, Options, Part, ReadError, Stored, read};

/// Two vertices with numbers that every precision has.
const POINTS: [[f64; 3]; 2] = [[1.0, -2.0, 0.5], [0.25, 4.0, -8.0]];
const NORMALS: [[f64; 3]; 2] = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];

fn read_as(bytes: &[u8], extension: &str) -> Result<Given, ReadError> {
    read(bytes, extension, &Options::default())
}

fn at(frame: usize) -> Options {
    Options { frame: Some(frame), ..Options::default() }
}

fn floats(rows: &[[f64; 3]]) -> Vec<u8> {
    rows.as_flattened().iter().flat_map(|number| (*number as f32).to_le_bytes()).collect()
}

/// An `.npy` with this description, as Python writes dictionaries.
fn npy_of(version: u8, descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let length = header.len() as u32;
    let length =
        if version == 1 { (length as u16).to_le_bytes().to_vec() } else { length.to_le_bytes().to_vec() };
    [b"\x93NUMPY", &[version, 0][..], &length, header.as_bytes(), data].concat()
}

fn npy(shape: &str, data: &[u8]) -> Vec<u8> {
    npy_of(1, "'<f4'", "False", shape, data)
}

/// An archive of these members, as Python's `zipfile` writes it: sizes in the directory, and none in front of the content.
fn zip(members: &[(&str, Vec<u8>)], method: u16) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let packed = if method == 8 { compress_to_vec(content, 6) } else { content.clone() };
        let start = out.len() as u32;
        let (versions, zeros) = ([45, 0, 0, 0], [0; 4]);
        let crc = crc32fast::hash(content).to_le_bytes();
        let length = (name.len() as u16).to_le_bytes();
        let sizes = [packed.len() as u32, content.len() as u32].map(u32::to_le_bytes).concat();
        // The member's own header has an extra field of 20 bytes in place of the sizes.
        let own =
            [&versions[..], &method.to_le_bytes(), &zeros, &crc, &[0xff; 8], &length, &[20, 0]].concat();
        out.extend([b"PK\x03\x04", &own[..], name.as_bytes(), &[0; 20], &packed].concat());
        let entry =
            [&versions[..], &zeros[..2], &method.to_le_bytes(), &zeros, &crc, &sizes, &length].concat();
        directory
            .extend([b"PK\x01\x02", &entry[..], &[0; 12], &start.to_le_bytes(), name.as_bytes()].concat());
    }
    let count = (members.len() as u16).to_le_bytes();
    let [size, start] = [directory.len(), out.len()].map(|number| (number as u32).to_le_bytes());
    [out, directory, [b"PK\x05\x06", &[0; 4][..], &count, &count, &size, &start, &[0; 2]].concat()].concat()
}

fn whole(positions: &[[f64; 3]]) -> Part {
    Part { positions: positions.to_vec(), ..Part::default() }
}

fn assert_reads(bytes: &[u8], extension: &str, parts: &[Part], stored: Stored) {
    let given = read_as(bytes, extension).unwrap_or_else(|error| panic!("{extension}: {error}"));
    assert_eq!(given, Given { parts: parts.to_vec(), stored }, "{extension}");
}

#[test]
fn npy_has_all_headers_types_and_shapes() {
    let data = floats(&POINTS);
    for version in 1..=3 {
        let bytes = npy_of(version, "'<f4'", "False", "(2, 3)", &data);
        assert_reads(&bytes, "NPY", &[whole(&POINTS)], Stored::F32);
        assert_reads(&bytes, "", &[whole(&POINTS)], Stored::F32);
    }
    let doubles: Vec<u8> = POINTS.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_reads(&npy_of(1, "'<f8'", "False", "(2, 3)", &doubles), "npy", &[whole(&POINTS)], Stored::F64);
    let halves: Vec<u8> =
        [0x3c00_u16, 0xc000, 0x3800, 0x3400, 0x4400, 0xc800].into_iter().flat_map(u16::to_le_bytes).collect();
    assert_reads(&npy_of(1, "'<f2'", "False", "(2, 3)", &halves), "npy", &[whole(&POINTS)], Stored::F16);

    let six = [POINTS[0], NORMALS[0], POINTS[1], NORMALS[1]];
    let with_normals = Part { normals: Some(NORMALS.to_vec()), ..whole(&POINTS) };
    assert_reads(&npy("(2, 6)", &floats(&six)), "npy", &[with_normals], Stored::F32);
    let four: Vec<u8> =
        POINTS.iter().flat_map(|point| [&floats(&[*point])[..], &1_f32.to_le_bytes()].concat()).collect();
    assert_reads(&npy("(2, 4)", &four), "npy", &[whole(&POINTS)], Stored::F32);

    let frames = npy("(2, 1, 3)", &data);
    assert_reads(&frames, "npy", &[whole(&POINTS[..1])], Stored::F32);
    assert_eq!(read(&frames, "npy", &at(1)).unwrap().parts, [whole(&POINTS[1..])]);
    let odd = floats(&[[f64::NAN, f64::INFINITY, 0.0]]);
    let kept = read_as(&npy("(1, 3)", &odd), "npy").unwrap().parts[0].positions[0];
    assert!(kept[0].is_nan() && kept[1] == f64::INFINITY);
}

#[test]
fn npz_has_streams_by_key_or_a_part_for_each_array() {
    let texcoords: Vec<u8> = [0.5_f32, 0.25, 0.0, 1.0].into_iter().flat_map(f32::to_le_bytes).collect();
    let tangents = [&floats(&NORMALS)[..], &floats(&NORMALS)[..8]].concat();
    let numbers = |numbers: [i32; 2]| numbers.into_iter().flat_map(i32::to_le_bytes).collect::<Vec<_>>();
    let mut members = vec![
        ("faces.npy", npy_of(1, "'<i4'", "False", "(2,)", &numbers([0, 1]))),
        ("positions.npy", npy("(2, 3)", &floats(&POINTS))),
        ("normals.npy", npy("(2, 3)", &floats(&NORMALS))),
        ("tangents.npy", npy("(2, 4)", &tangents)),
        ("texcoords.npy", npy("(2, 2)", &texcoords)),
    ];
    let part = Part {
        normals: Some(NORMALS.to_vec()),
        tangents: Some(vec![[1.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0]]),
        texcoords: Some(vec![[0.5, 0.25], [0.0, 1.0]]),
        ..whole(&POINTS)
    };
    for method in [0, 8] {
        assert_reads(&zip(&members, method), "npz", std::slice::from_ref(&part), Stored::F32);
        assert_reads(&zip(&members, method), "", std::slice::from_ref(&part), Stored::F32);
    }
    // Each primitive is a part, and has no normals where they are NaN.
    members.push(("primitive.npy", npy_of(1, "'<i4'", "False", "(2,)", &numbers([0, 1]))));
    members[2].1 = npy("(2, 3)", &floats(&[[f64::NAN; 3], NORMALS[1]]));
    let given = read_as(&zip(&members, 0), "npz").unwrap();
    assert_eq!(given.parts.len(), 2);
    assert_eq!(given.parts[0].normals, None);
    assert_eq!(given.parts[1].normals, Some(vec![NORMALS[1]]));

    let one = |at: usize| npy("(1, 3)", &floats(&POINTS[at..=at]));
    let named = |name: &str, at: usize| Part { name: Some(name.to_owned()), ..whole(&POINTS[at..=at]) };
    let half = npy_of(2, "'<f2'", "False", "(1, 3)", &[0, 0x3c, 0, 0xc0, 0, 0x38]);
    let archive = zip(&[("head.npy", one(1)), ("notes.txt", vec![1]), ("arm.npy", half)], 8);
    assert_reads(&archive, "npz", &[named("head", 1), named("arm", 0)], Stored::F16);
}

#[test]
fn obj_has_a_vertex_for_each_v_and_a_part_for_each_object() {
    let text = "# by hand\no one two\nv 1 -2 0.5\nv 0.25 4 -8\nvn 1 0 0\nvn 0 -1 0\nvt 0.5 0.25\nvt 0 1\ng skin\n\
                f 1/2/1 2/1/2 2/1/2\no three\nv 0 0 3\nv 1 2 3\nf 3//1 -1//1 -1//2\n";
    let one = Part {
        name: Some("one two".to_owned()),
        normals: Some(NORMALS.to_vec()),
        texcoords: Some(vec![[0.0, 1.0], [0.5, 0.25]]),
        ..whole(&POINTS)
    };
    // The last vertex has two normals.
    let other = Part { name: Some("three".to_owned()), ..whole(&[[0.0, 0.0, 3.0], [1.0, 2.0, 3.0]]) };
    assert_reads(text.as_bytes(), "obj", &[one.clone(), other.clone()], Stored::Decimals(0.1));
    assert_reads(text.as_bytes(), "", &[one, other], Stored::Decimals(0.1));
    let points = "v 1.000000 -2.0 0.5\nv 0.25 4 -8\nvn 1 0 0\nvn 0 -1 0\np 1 2\n";
    let by_number = Part { normals: Some(NORMALS.to_vec()), ..whole(&POINTS) };
    assert_reads(points.as_bytes(), "obj", &[by_number], Stored::Decimals(1e-6));
    let groups = "g a\nv 1 -2 0.5\ng b\nv 0.25 4 -8\n";
    let names = read_as(groups.as_bytes(), "obj").unwrap().parts.into_iter().map(|part| part.name);
    assert_eq!(names.collect::<Vec<_>>(), [Some("a".to_owned()), Some("b".to_owned())]);
}

#[test]
fn ply_is_text_or_binary_in_either_order() {
    let header = |format: &str, number: &str| {
        format!(
            "ply\r\nformat {format} 1.0\ncomment by hand\nelement material 1\nproperty list uchar short ids\n\
             property uchar kind\nelement vertex 2\nproperty {number} x\nproperty {number} y\nproperty uchar red\n\
             property {number} z\nproperty list uchar int more\nproperty float nx\nproperty float ny\n\
             property float nz\nproperty float s\nproperty float t\nelement face 7\nproperty list uchar int i\n\
             end_header\n"
        )
    };
    let part = Part {
        normals: Some(NORMALS.to_vec()),
        texcoords: Some(vec![[0.5, 0.25], [0.0, 1.0]]),
        ..whole(&POINTS)
    };
    let body = "2 7 8 3\n1 -2 255 0.5 1 9 1 0 0 0.5 0.25\n0.25 4 0 -8 0 0 -1 0 0 1\n";
    let text = header("ascii", "float") + body;
    assert_reads(text.as_bytes(), "ply", std::slice::from_ref(&part), Stored::Decimals(0.1));
    for (format, is_big) in [("binary_little_endian", false), ("binary_big_endian", true)] {
        for (number, stored) in
            [("float", Stored::F32), ("double", Stored::F64), ("int16", Stored::Decimals(1.0))]
        {
            let mut bytes = header(format, number).into_bytes();
            let mut put = |value: &[u8]| match is_big {
                true => bytes.extend(value.iter().rev()),
                false => bytes.extend(value),
            };
            [&[2][..], &[7, 0], &[8, 0], &[3]].into_iter().for_each(&mut put);
            let coordinate = |value: f64| match number {
                "float" => (value as f32).to_le_bytes().to_vec(),
                "double" => value.to_le_bytes().to_vec(),
                _ => (value as i16).to_le_bytes().to_vec(),
            };
            for vertex in 0..2 {
                let [x, y, z] = POINTS[vertex].map(coordinate);
                [&x[..], &y, &[255], &z, &[1], &[9, 0, 0, 0]].into_iter().for_each(&mut put);
                let rest = [&NORMALS[vertex][..], &part.texcoords.as_ref().unwrap()[vertex]].concat();
                rest.iter().for_each(|number| put(&(*number as f32).to_le_bytes()));
            }
            let positions = part.positions.iter();
            let whole_numbers = || positions.map(|point| point.map(f64::trunc)).collect();
            let part = match number {
                "int16" => Part { positions: whole_numbers(), ..part.clone() },
                _ => part.clone(),
            };
            assert_reads(&bytes, "ply", &[part], stored);
        }
    }
}

#[test]
fn caches_have_frames_in_their_byte_order() {
    let numbers = |order: fn(f32) -> [u8; 4]| -> Vec<u8> {
        POINTS.as_flattened().iter().flat_map(|number| order(*number as f32)).collect()
    };
    let size = |number: u32| number.to_le_bytes();
    let pc2 = [b"POINTCACHE2\0", &[size(1), size(1), [0; 4], [0; 4], size(2)].concat()[..]].concat();
    let pc2 = [pc2, numbers(f32::to_le_bytes)].concat();
    let mdd = [&[0, 0, 0, 2, 0, 0, 0, 1][..], &[0; 8], &numbers(f32::to_be_bytes)].concat();
    for (bytes, extension) in [(&pc2, "pc2"), (&mdd, "mdd"), (&pc2, ""), (&mdd, "")] {
        assert_reads(bytes, extension, &[whole(&POINTS[..1])], Stored::F32);
        assert_eq!(read(bytes, extension, &at(1)).unwrap().parts, [whole(&POINTS[1..])]);
        assert!(matches!(read(bytes, extension, &at(2)), Err(ReadError::NoFrame { asked: 2, frames: 2 })));
    }
}

/// Length and times distinguish a point cache without a magic number from raw numbers.
#[test]
fn raw_numbers_are_not_taken_for_a_cache() {
    // Two begins with the bytes of the count 64; so many vertices are as long as 64 frames of 64 points.
    let count = (8 + 64 * 4 + 64 * 64 * 12) / 12;
    let raw = floats(&(0..count).map(|number| [2.0, 2.0, f64::from(number)]).collect::<Vec<_>>());
    assert_eq!(read(&raw, "mdd", &at(0)).unwrap().parts[0].positions.len(), 64);
    assert_eq!(read(&raw, "", &at(0)).unwrap().parts[0].positions.len(), count as usize);
    let nothing = [0; 24];
    assert_eq!(read(&nothing, "", &at(0)).unwrap().parts[0].positions.len(), 2);
}

#[test]
fn raw_numbers_have_the_layout_that_the_caller_names() {
    for extension in ["bin", "raw", "F32", "dat", "", "-"] {
        assert_reads(&floats(&POINTS), extension, &[whole(&POINTS)], Stored::F32);
    }
    let six = floats(&[POINTS[0], NORMALS[0], POINTS[1], NORMALS[1]]);
    let options = Options { layout: "xyz,nxnynz".parse().unwrap(), frame: None };
    let part = Part { normals: Some(NORMALS.to_vec()), ..whole(&POINTS) };
    assert_eq!(read(&six, "bin", &options).unwrap().parts, [part]);
    assert!(Layout::ALL.iter().all(|layout| layout.to_string().parse() == Ok(*layout)));
    assert!("zyx".parse::<Layout>().is_err());
}

#[test]
fn glb_gives_the_stored_vertices() {
    let bytes = sinew_model::builtin::glb("strip").unwrap();
    let model = sinew_model::gltf::load_bytes(&bytes, None).unwrap();
    let primitive = &model.meshes[0].primitives[0];
    for extension in ["glb", "gltf", ""] {
        let given = read_as(&bytes, extension).unwrap();
        assert_eq!((given.parts.len(), given.stored), (1, Stored::F32));
        let [part] = &given.parts[..] else { panic!() };
        assert!(part.name.as_ref().unwrap().starts_with("node"));
        let wide: Vec<[f64; 3]> = primitive.positions.iter().map(|row| row.map(f64::from)).collect();
        assert_eq!(part.positions, wide);
    }

    // A node's transform is not part of them, and each node that draws the mesh has a part.
    let data = floats(&[POINTS[0], POINTS[1], NORMALS[0]]);
    let moved = format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0, 1]}}],
        "nodes": [{{"mesh": 0, "translation": [1, 2, 3]}}, {{"mesh": 0, "scale": [2, 2, 2]}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}], "bufferViews": [{{"buffer": 0, "byteLength": 36}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0.25, -2, -8],
        "max": [1, 4, 0.5]}}],
        "buffers": [{{"byteLength": 36, "uri": "data:application/octet-stream;base64,{}"}}]}}"#,
        base64::prelude::BASE64_STANDARD.encode(&data)
    );
    let given = read_as(moved.as_bytes(), "gltf").unwrap();
    assert_eq!(given.parts.len(), 2);
    for (part, name) in given.parts.iter().zip(["node0:0", "node1:0"]) {
        assert_eq!(part.name.as_deref(), Some(name));
        assert_eq!(part.positions, [POINTS[0], POINTS[1], NORMALS[0]]);
    }
    assert!(matches!(
        read(moved.as_bytes(), "gltf", &at(1)),
        Err(ReadError::NoFrame { asked: 1, frames: 1 })
    ));
}
