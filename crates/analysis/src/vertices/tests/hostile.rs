//! Small files of every format, cut at each byte and with each byte changed.

use super::*;

/// A small file of each format.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let points = || npy("(2, 3)", &floats(&POINTS));
    let ids = npy_of(1, "'<i4'", "False", "(2,)", &[0, 0, 0, 0, 1, 0, 0, 0]);
    let members = [("positions.npy", points()), ("normals.npy", points()), ("primitive.npy", ids)];
    let ply = |format: &str, body: &[u8]| {
        let header = format!(
            "ply\nformat {format} 1.0\nelement face 1\nproperty list uchar int i\nelement vertex 2\nproperty float x\n\
             property float y\nproperty float z\nend_header\n"
        );
        [header.as_bytes(), body].concat()
    };
    let binary = [&[1, 0, 0, 0, 9][..], &floats(&POINTS)].concat();
    let json = "{\"on\": \"cpu\", \"primitives\": [{\"name\": \"a\", \"positions\": [1, 2, 3e0], \"normals\": [0, 0, 1], \
                \"tangents\": null}]}";
    vec![
        ("npy", points()),
        ("npy", npy("(2, 1, 3)", &floats(&POINTS))),
        ("npz", zip(&members, 0)),
        ("npz", zip(&members, 8)),
        ("npz", zip(&[("a.npy", points()), ("b.npy", points())], 8)),
        ("obj", b"o a\nv 1 2 3\nv 0.5 1e-3 -2\nvn 0 0 1\nvt 0 1\nf 1/1/1 2//1 -1\ng b\n".to_vec()),
        ("ply", ply("ascii", b"1 7\n1 2 3\n4 5 6\n")),
        ("ply", ply("binary_little_endian", &binary)),
        ("ply", ply("binary_big_endian", &binary)),
        ("json", json.as_bytes().to_vec()),
        ("json", format!("[{json}, {json}]").into_bytes()),
        (
            "pc2",
            [&b"POINTCACHE2\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0"[..], &floats(&POINTS)].concat(),
        ),
        ("mdd", [&[0, 0, 0, 2, 0, 0, 0, 1][..], &[0; 8], &floats(&POINTS)].concat()),
        ("bin", floats(&POINTS)),
        ("gltf", br#"{"asset": {"version": "2.0"}, "nodes": [{}], "scenes": [{"nodes": [0]}]}"#.to_vec()),
    ]
}

/// Reads a file as its format and by its first bytes, and checks what comes back.
fn check(bytes: &[u8], extension: &str) {
    for frame in [None, Some(1)] {
        for layout in Layout::ALL {
            for extension in [extension, ""] {
                match read(bytes, extension, &Options { layout, frame }) {
                    Ok(given) => assert_sound(&given, bytes.len()),
                    Err(error) => {
                        let line = error.to_string();
                        assert!(
                            !line.is_empty() && !line.contains(['\n', '\x1b']) && line.len() < 6000,
                            "{line:?}"
                        );
                    }
                }
            }
        }
    }
}

fn assert_sound(given: &Given, bytes: usize) {
    let mut count = 0;
    for part in &given.parts {
        let length = part.positions.len();
        assert!(part.normals.as_ref().is_none_or(|rows| rows.len() == length));
        assert!(part.tangents.as_ref().is_none_or(|rows| rows.len() == length));
        assert!(part.texcoords.as_ref().is_none_or(|rows| rows.len() == length));
        count += length;
    }
    // Nothing here is compressed well.
    assert!(count > 0 && count <= bytes, "{count} vertices from {bytes} bytes");
    assert!(!matches!(given.stored, Stored::Decimals(step) if step.is_nan() || step < 0.0));
}

#[test]
fn no_prefix_and_no_changed_byte_does_harm() {
    for (extension, bytes) in files() {
        if extension != "gltf" {
            assert!(read_as(&bytes, extension).is_ok(), "{extension}");
        }
        for end in 0..bytes.len() {
            check(&bytes[..end], extension);
        }
        for at in 0..bytes.len() {
            for change in [0x01, 0x80, 0xff, bytes[at], bytes[at] ^ b'9', bytes[at] ^ b' '] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                check(&changed, extension);
            }
        }
    }
}
