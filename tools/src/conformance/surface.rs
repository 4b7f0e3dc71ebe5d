//! Rigs about normals, tangents and triangles.

use super::gltf::Gltf;
use super::tube::{AROUND, Tube, unit};
use super::{CASE, File, Recipe};

const TANGENT: (&str, &str) = (
    "XYZW vertex tangents where the XYZ portion is normalized, and the W component is a sign value (-1 or +1) indicating \
     handedness of the tangent basis",
    "glTF 2.0, 3.7.2.1",
);
const FLAT: (&str, &str) = (
    "When normals are not specified, client implementations MUST calculate flat normals and the provided tangents (if present) \
     MUST be ignored.",
    "glTF 2.0, 3.7.2.1",
);
const DEGENERATE: (&str, &str) = (
    "Mesh geometry SHOULD NOT contain degenerate lines or triangles, i.e., lines or triangles that use the same vertex more \
     than once per topology primitive.",
    "glTF 2.0, 3.7.2.1",
);

pub fn all() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "tangents",
            tests: "tangents of both handednesses",
            why: "Tangents move as directions and not as normals, and keep their sign.",
            source: TANGENT,
            modes: super::TURNING,
            file: File::Glb(|| tangents(Tube::new(3, 2)).file()),
            ..CASE
        },
        Recipe {
            name: "tangents-scaled",
            tests: "tangents of both handednesses on a joint with unequal scale",
            why: "A tangent takes the matrix, a normal its inverse transpose; they must stay perpendicular.",
            source: TANGENT,
            made_for: &[("lbs", &["plain-normals"])],
            file: File::Glb(|| {
                let mut file = tangents(Tube::new(3, 2)).file();
                let scales = [[1.0; 3], [1.5, 1.0, 0.75], [2.0, 0.75, 0.5]];
                let target = (super::tube::JOINT + 2, "scale");
                super::assembly::animate(
                    &mut file,
                    0,
                    target,
                    &super::tube::TIMES,
                    scales.as_flattened(),
                    "LINEAR",
                );
                file
            }),
            ..CASE
        },
        Recipe {
            name: "normals-none",
            tests: "a mesh without normals",
            why: "Engines make flat normals, which doubles vertices: positions must not change by that.",
            source: FLAT,
            file: File::Glb(|| Tube { normals: None, ..Tube::new(3, 2) }.file()),
            ..CASE
        },
        Recipe {
            name: "triangles-degenerate",
            tests: "triangles that use a vertex twice, or three vertices on a line",
            why: "They have no area, so code that derives normals or tangents from them divides by zero.",
            source: DEGENERATE,
            file: File::Glb(degenerate),
            ..CASE
        },
    ]
}

/// Tangents around the tube on one half and against it on the other, so that both signs of w occur. No triangle crosses.
fn tangents(mut tube: Tube) -> Tube {
    let normals = tube.normals.iter().flatten();
    let around = normals.enumerate().map(|(vertex, [x, _, z])| {
        let sign = if vertex / AROUND < 4 { 1.0 } else { -1.0 };
        let [tx, _, tz] = unit([-sign * f64::from(*z), 0.0, sign * f64::from(*x)]);
        [tx as f32, 0.0, tz as f32, sign as f32]
    });
    tube.tangents = Some(around.collect());
    let crosses = |corners: &[u16]| {
        let above = corners.iter().filter(|vertex| usize::from(**vertex) / AROUND < 4).count();
        above % 3 != 0
    };
    tube.triangles =
        tube.triangles.chunks_exact(3).filter(|corners| !crosses(corners)).flatten().copied().collect();
    tube
}

fn degenerate() -> Gltf {
    let mut tube = Tube::new(3, 2);
    let ring = AROUND as u16;
    // Twice the same vertex, thrice, and an edge's vertex with the two on its straight continuation.
    tube.triangles.extend([0, 0, 1, 5, 5, 5, 0, ring, 2 * ring]);
    tube.file()
}
