//! Seeds of the fuzz target of vertices: a small file of each format behind the byte that names the format.

use miniz_oxide::deflate::compress_to_vec;

/// Names and bytes.
pub fn all() -> Vec<(String, Vec<u8>)> {
    let points: Vec<u8> =
        [1_f32, -2.0, 0.5, 0.25, 4.0, -8.0].into_iter().flat_map(f32::to_le_bytes).collect();
    let whole = npy("'<f4'", "(2, 3)", &points);
    let ids = npy("'<i4'", "(2,)", &[0, 0, 0, 0, 1, 0, 0, 0]);
    let members = [("positions.npy", &whole), ("normals.npy", &whole), ("primitive.npy", &ids)];
    let ply = |format: &str, body: &[u8]| {
        let list = "element face 1\nproperty list uchar int i\n";
        let vertex = "element vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
        [format!("ply\nformat {format} 1.0\n{list}{vertex}").as_bytes(), body].concat()
    };
    let binary = [&[1, 0, 0, 0, 9][..], &points].concat();
    let pc2 = b"POINTCACHE2\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\x80\x3f\x02\0\0\0";
    let json =
        br#"{"on": "cpu", "primitives": [{"name": "a", "positions": [1, 2, 3e0], "normals": [0, 0, 1]}]}"#;
    let files: [(&str, u8, Vec<u8>); 14] = [
        ("float", 1, whole.clone()),
        ("half", 1, npy("'<f2'", "(1, 3)", &points[..6])),
        ("double", 1, npy("'<f8'", "(1, 3)", &points)),
        ("frames", 1, npy("'<f4'", "(2, 1, 3)", &points)),
        ("stored", 2, zip(&members, 0)),
        ("deflated", 2, zip(&members, 8)),
        ("by-key", 2, zip(&[("a.npy", &whole), ("b.npy", &whole)], 8)),
        ("obj", 3, b"o a\nv 1 2 3\nv 0.5 1e-3 -2\nvn 0 0 1\nvt 0 1\nf 1/1/1 2//1 -1\ng b\n".to_vec()),
        ("text-ply", 4, ply("ascii", b"1 7\n1 2 3\n4 5 6\n")),
        ("binary-ply", 4, ply("binary_big_endian", &binary)),
        ("json", 5, json.to_vec()),
        ("pc2", 6, [&pc2[..], &points].concat()),
        ("mdd", 7, [&[0, 0, 0, 2, 0, 0, 0, 1][..], &[0; 8], &points].concat()),
        ("raw", 9, points.clone()),
    ];
    files.into_iter().map(|(name, first, file)| (name.to_owned(), [vec![first], file].concat())).collect()
}

fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}\n");
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
}

/// An archive of these members, with fields of time, date and attributes that are zero.
fn zip(members: &[(&str, &Vec<u8>)], method: u8) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let packed = if method == 8 { compress_to_vec(content, 6) } else { content.to_vec() };
        let sizes = [crc(content), packed.len() as u32, content.len() as u32].map(u32::to_le_bytes).concat();
        let fields =
            [&[20, 0, 0, 0, method, 0, 0, 0, 0, 0][..], &sizes, &[name.len() as u8, 0, 0, 0]].concat();
        let start = (out.len() as u32).to_le_bytes();
        directory.extend([b"PK\x01\x02\x14\0", &fields[..], &[0; 10], &start, name.as_bytes()].concat());
        out.extend([b"PK\x03\x04", &fields[..], name.as_bytes(), &packed].concat());
    }
    let count = [members.len() as u8, 0];
    let [size, start] = [directory.len(), out.len()].map(|number| (number as u32).to_le_bytes());
    [out, directory, [b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &start, &[0; 2]].concat()].concat()
}

/// The checksum of zip, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
