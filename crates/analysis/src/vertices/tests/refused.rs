//! Files that are not read, and what their errors advise.

use super::*;

/// Checks that a file is refused in one line with this text.
fn refuses(bytes: &[u8], extension: &str, text: &str) {
    let error = read_as(bytes, extension).expect_err(text).to_string();
    assert!(error.contains(text) && !error.contains('\n'), "{error}");
}

#[test]
fn arrays_of_other_kinds_say_what_to_save() {
    let data = floats(&POINTS);
    let of = |descr: &str, order: &str, shape: &str| npy_of(1, descr, order, shape, &data);
    let call = "save np.ascontiguousarray(a.astype('<f4'))";
    for (bytes, text) in [
        (of("'>f4'", "False", "(2, 3)"), format!("an array of big-endian numbers (>f4); {call}")),
        (of("'<f4'", "True", "(2, 3)"), format!("an array of shape (2, 3) in Fortran order; {call}")),
        (of("'<c8'", "False", "(1, 3)"), format!("an array of type <c8; {call}")),
        (of("'<i4'", "False", "(2, 3)"), "an array of integers; save a.astype('<f4')".to_owned()),
        (of("'|O'", "False", "(2, 3)"), "an array of Python objects; save one array".to_owned()),
        (
            of("[('x', '<f4'), ('shape', '<f4')]", "False", "(3,)"),
            "an array with named fields; save np.stack([a['x'], a['y'], a['z']], axis=1)".to_owned(),
        ),
        (of("'<f4'", "False", "(6,)"), "an array of shape (6,); save it as (n, 3)".to_owned()),
        (of("'<f4'", "False", "(3, 2)"), "an array of shape (3, 2); save it as (n, 3)".to_owned()),
        (of("'<f4'", "False", "(1, 1, 2, 3)"), "an array of shape (1, 1, 2, 3); save".to_owned()),
        (of("'<f4'", "False", "(3, 3)"), "36 bytes are needed, and 24 are left".to_owned()),
        (of("'<f4'", "False", "(1, 3)"), "12 bytes follow the array of shape (1, 3)".to_owned()),
        (of("'<f4'", "False", "(99999999999, 99999999999)"), "the file is cut off".to_owned()),
        (of("'<f4'", "False", "(2, -3)"), "no readable 'shape'".to_owned()),
        (of("'<f4'", "False", "(0, 3)"), "24 bytes follow".to_owned()),
        (npy_of(1, "'<f4'", "False", "(0, 3)", &[]), "the file has no vertices".to_owned()),
        (npy_of(9, "'<f4'", "False", "(2, 3)", &data), "version 9.0 of the format".to_owned()),
        (data.clone(), "begins with \\x93NUMPY".to_owned()),
        (
            npy("(1, 4)", &floats(&[[1.0; 3], [0.5; 3]])[..16]),
            "row 0 has 0.5 in its fourth column".to_owned(),
        ),
    ] {
        refuses(&bytes, "npy", &text);
    }
    assert_eq!(
        read(&npy("(2, 3)", &data), "npy", &at(1)).unwrap_err().to_string(),
        "there is no frame 1: the file has 1, counted from 0"
    );
}

#[test]
fn archives_are_checked_before_their_arrays() {
    let points = || ("positions.npy", npy("(2, 3)", &floats(&POINTS)));
    let one = |method| zip(&[points()], method);
    refuses(
        &zip(&[points(), ("normals.npy", npy("(1, 3)", &floats(&POINTS[..1])))], 0),
        "npz",
        "normals: 1 rows for 2 positions",
    );
    refuses(
        &zip(&[points(), ("tangents.npy", npy("(2, 3)", &floats(&POINTS)))], 0),
        "npz",
        "tangents: an array of shape (2, 3); save it as (2, 4)",
    );
    refuses(
        &zip(&[points(), ("primitive.npy", npy("(6,)", &floats(&POINTS)))], 0),
        "npz",
        "primitive: an array of shape (6,); save it as integers of shape (2,)",
    );
    refuses(
        &zip(&[("a.npy", npy_of(1, "'|O'", "False", "()", b"x"))], 0),
        "npz",
        "a: an array of Python objects",
    );
    refuses(&zip(&[("a.txt", vec![0])], 0), "npz", "the file has no vertices");
    refuses(&one(12), "npz", "positions.npy: is compressed by method 12; use np.savez");
    refuses(&floats(&POINTS), "npz", "no zip archive");
    let directory = |bytes: &[u8]| bytes.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    for (offset, value, text) in [
        (8, 1, "is encrypted; save the archive without a password"),
        (16, 1, "its checksum does not match"),
        (24, 9, "bytes, but its entry says"),
    ] {
        let mut bytes = one(0);
        let at = directory(&bytes) + offset;
        bytes[at] ^= value;
        refuses(&bytes, "npz", text);
    }
    let mut large = one(0);
    let at = directory(&large) + 20;
    large[at..at + 8].fill(0xff);
    refuses(&large, "npz", "is in the zip64 format; save less than 4 GiB");
    let mut several = one(0);
    let end = several.len() - 22;
    several[end + 4] = 1;
    refuses(&several, "npz", "an archive of several parts");
    let mut noise = one(8);
    noise[63] = 0xff;
    refuses(&noise, "npz", "cannot be unpacked");
}

#[test]
fn an_archive_that_unpacks_to_too_much_is_refused_before_it_is_unpacked() {
    let bomb = zip(&[("positions.npy", npy("(5000000, 3)", &vec![0; 60_000_000]))], 8);
    assert!(bomb.len() < 1 << 20);
    refuses(&bomb, "npz", "needs more than the 2");
    // The size of a member is only a claim.
    let mut claims = zip(&[("positions.npy", npy("(2, 3)", &floats(&POINTS)))], 8);
    let at = claims.windows(4).position(|four| four == b"PK\x01\x02").unwrap() + 24;
    claims[at..at + 4].copy_from_slice(&[0, 0, 0, 0x7f]);
    refuses(&claims, "npz", "positions.npy: needs more than the 256 MiB that a file of this size may use");
}

#[test]
fn texts_name_the_line_or_the_vertex() {
    refuses(b"v 1 2 3\nv 1 2\n", "obj", "line 2: expected a number, found the end");
    refuses(b"v 1 2 x\x1b[2J\n", "obj", "line 1: expected a number, found 'x\\u{1b}[2J'");
    refuses(b"v 1 2 3\nf 1 2 1\n", "obj", "line 2: corner '2' names vertex 2, but there are 1 so far");
    refuses(b"hello\n", "", "the file has no vertices");
    let ply = |text: &str| format!("ply\nformat ascii 1.0\n{text}");
    for (text, error) in [
        (
            "element vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n",
            "element 'vertex' has no property 'z'",
        ),
        ("element face 0\nend_header\n", "it has no element 'vertex'"),
        ("element vertex 1\nproperty quad x\n", "line 4: a property of no element, or of an unknown type"),
        ("element vertex x\n", "line 3: 'x' is not a number of elements"),
        ("element vertex 1\n", "line 4: the header does not end"),
        (
            "element vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3\n4 5\n",
            "vertex 1: z: expected a number, found the end",
        ),
    ] {
        refuses(ply(text).as_bytes(), "ply", error);
    }
    refuses(b"ply\nformat binary 1.0\n", "ply", "line 2: format 'binary' is not ascii");
    let binary = "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n\
                  property float z\nend_header\n123456789";
    refuses(binary.as_bytes(), "ply", "vertex 0: z: the file is cut off: 4 bytes are needed, and 1 are left");
}

#[test]
fn other_files_say_which_counts_do_not_agree() {
    refuses(&[0; 13], "bin", "13 bytes are no whole number of vertices of 3 floats, 12 bytes each");
    let json = |lists: &str| format!("{{\"primitives\": [{{{lists}}}]}}").into_bytes();
    refuses(
        &json("\"positions\": [1, 2]"),
        "json",
        "primitives[0].positions: 2 numbers are not a multiple of 3",
    );
    refuses(
        &json("\"positions\": [1, 2, 3], \"tangents\": []"),
        "json",
        "primitives[0].tangents: 0 rows for 1 positions",
    );
    refuses(&json("\"positions\": [1, null, 3]"), "json", "invalid type: null");
    refuses(b"{\"joints\": {}}", "json", "it has no \"primitives\"");
    refuses(b"[]", "json", "the file has no vertices");
    refuses(b"{\"asset\": {}}", "", "asset");
    refuses(
        b"POINTCACHE2\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0",
        "pc2",
        "version 2; only version 1 exists",
    );
    refuses(&[0; 31], "pc2", "header: the file is cut off: 32 bytes are needed, and 31 are left");
    refuses(
        &[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0],
        "mdd",
        "1 frames of 1 vertices need 12 bytes each, but 0 bytes follow",
    );
    refuses(&[0xff; 12], "mdd", "header: the file is cut off");
    refuses(b"glTF", "glb", "");
}
