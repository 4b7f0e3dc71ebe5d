//! The library for C reads USD layers, text and binary alike.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(unsafe_code, reason = "the calls are C's")]

use std::io::Cursor;
use std::ptr;

use sinew_c::*;

const TRIANGLE: &str = r#"#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
)
def Mesh "Triangle"
{
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0)]
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    uniform token subdivisionScheme = "none"
}
"#;

/// The last vertex of a file.
fn last_vertex(bytes: &[u8]) -> [f32; 3] {
    let (mut model, mut pose) = (ptr::null_mut(), ptr::null_mut());
    let mut positions = [[0f32; 3]; 3];
    // SAFETY: there are so many bytes, and three vertices.
    unsafe {
        let error = ptr::null_mut();
        assert_eq!(sinew_load_bytes(bytes.as_ptr(), bytes.len(), ptr::null(), &mut model, error) as i32, 0);
        assert_eq!((sinew_primitive_count(model), sinew_primitive_vertices(model, 0)), (1, 3));
        assert_eq!(sinew_pose_rest(model, &mut pose, error) as i32, 0);
        let out = sinew_out {
            size: size_of::<sinew_out>(),
            vertices: 3,
            positions: positions.as_mut_ptr().cast(),
            positions_stride: 0,
            normals: ptr::null_mut(),
            normals_stride: 0,
            tangents: ptr::null_mut(),
            tangents_stride: 0,
            flags: 0,
        };
        assert_eq!(sinew_skin(model, pose, sinew_mode::SINEW_LBS as i32, 0, &out, error) as i32, 0);
        sinew_pose_free(pose);
        sinew_model_free(model);
    }
    positions[2]
}

#[test]
fn layers_load() {
    assert_eq!(last_vertex(TRIANGLE.as_bytes()), [0.0, 2.0, 0.0]);
    let mut binary = Cursor::new(Vec::new());
    openusd::usdc::CrateWriter::write(&openusd::usda::parse(TRIANGLE).unwrap(), &mut binary).unwrap();
    assert_eq!(last_vertex(&binary.into_inner()), [0.0, 2.0, 0.0]);
}
