//! Compares direct delta mush with libigl's, if `make peers` has installed that.
//!
//! libigl's Cholesky factorisation reads one triangle of `I + λL`, as if that were symmetric. It is where the cotangents at
//! each vertex have the same sum, and only there are libigl's terms those of the paper. Its use of terms has no such limit.

use std::path::Path;

use sinew::model::gltf::{self, write_glb};
use sinew::model::{Influences, Model, Span, builtin};

use crate::{numpy, peers};

/// The models of the corpus whose terms libigl uses.
const NAMES: [&str; 3] = ["Fox", "RiggedFigure", "CesiumMan"];

/// The maximum distance from libigl as a share of the size: of vertices in `f64` by the terms, which are stored in `f32`.
const SAME: f64 = 1e-6;

/// Returns true if libigl is installed.
pub fn is_there() -> bool {
    let mut import = peers::process(&numpy::python());
    numpy::python().exists()
        && import.args(["-c", "import igl"]).output().is_ok_and(|out| out.status.success())
}

pub fn libigl_moves_vertices_as_ddm_does(corpus: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let same = folder.join("same.glb");
    let faces = folder.join("faces.json");
    let made = with_same_sums();
    std::fs::write(&same, write_glb(&made).unwrap()).unwrap();
    std::fs::write(&faces, serde_json::to_string(&made.meshes[0].primitives[0].indices).unwrap()).unwrap();
    let files: Vec<_> = NAMES
        .iter()
        .map(|name| corpus.join(format!("models/{name}/{name}.glb")))
        .chain([same.clone()])
        .collect();
    let files: Vec<_> = files.iter().filter(|file| file.is_file()).collect();
    for file in &files {
        let model = file.to_str().unwrap();
        numpy::export_terms(folder, model, "least=0");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/libigl.py");
        let mut process = peers::process(&numpy::python());
        process.arg(script).current_dir(folder);
        if **file == same {
            process.arg(&faces);
        }
        let out = process.output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let found: Vec<f64> = serde_json::from_slice(&out.stdout).unwrap();
        println!("{model}: {found:?}");
        assert!(found[0] < SAME, "{model}: {found:?}");
        if let [_, inside_out, apart, terms] = found[..] {
            assert!(inside_out == 0.0 && apart < SAME && terms < SAME, "{model}: {found:?}");
        }
    }
    files.len()
}

/// Returns the built-in character with bands of triangles around its joints in place of its mesh. The vertices of a band are
/// alike.
fn with_same_sums() -> Model {
    let mut model = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
    let (mut positions, mut indices, mut joints, mut weights) = (vec![], vec![], vec![], vec![]);
    let mut random = 1u32;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as f32 / 16_777_216.0
    };
    for (band, around) in [3u16, 4, 7, 24, 60].into_iter().enumerate() {
        let first = positions.len() as u32;
        for vertex in 0..2 * around {
            let angle = f64::from(vertex) * std::f64::consts::PI / f64::from(around);
            let height = 0.3 * band as f64 + 0.12 * f64::from(vertex % 2);
            positions.push([(0.2 * angle.cos()) as f32, height as f32, (0.2 * angle.sin()) as f32]);
            let own = [next(), next(), next(), next()];
            let sum: f32 = own.iter().sum();
            weights.push(own.map(|weight| weight / sum));
            joints.push([0, 1, 2, 3].map(|slot| 4 * band as i32 + slot));
        }
        let count = 2 * u32::from(around);
        for a in 0..count {
            let [b, c] = [(a + 1) % count, (a + 2) % count];
            indices.extend(if a % 2 == 0 { [a, b, c] } else { [a, c, b] }.map(|corner| first + corner));
        }
    }
    model.meshes.truncate(1);
    model.instances.retain(|instance| instance.mesh == 0);
    model.instances.truncate(1);
    let primitives = &mut model.meshes[0].primitives;
    primitives.truncate(1);
    let primitive = &mut primitives[0];
    primitive.influences = Some(Influences { spans: vec![Span { joints, weights }] });
    (primitive.positions, primitive.indices) = (positions, indices);
    (primitive.normals, primitive.tangents, primitive.colors) = (None, None, None);
    (primitive.texcoords, primitive.morphs, primitive.shares) = (vec![], None, None);
    primitive.material = None;
    model
}
