use super::*;
use crate::pose::{Pose, PoseChoice};
use crate::{SkinningMode, posed};
use glam::{DMat4, DVec4};
use sinew_model::{DdmOddities, Influences, Primitive, Span, builtin, gltf};

const DDM: SkinningMode = SkinningMode::DirectDeltaMush;

/// A bumpy sheet of three joints, far from the origin and with a seam down the middle.
fn sheet() -> Mesh {
    let (width, height) = (7, 6);
    let mut half = [Primitive::default(), Primitive::default()];
    for (side, primitive) in half.iter_mut().enumerate() {
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        for y in 0..height {
            for x in side * 3..side * 3 + width - 3 {
                let (x, y) = (x as f32, y as f32);
                primitive.positions.push([x + 40.0, y + 0.2 * (x * 1.3).sin(), (x * y * 0.7).cos() - 30.0]);
                let (a, b) = (x / 6.0, (y / 5.0).powi(2));
                joints.push([2, 0, 1, 0]);
                weights.push([(1.0 - a) * b, a, (1.0 - a) * (1.0 - b), 0.0]);
            }
        }
        let row = width as u32 - 3;
        for y in 0..height as u32 - 1 {
            for x in 0..row - 1 {
                let a = y * row + x;
                primitive.indices.extend([a, a + 1, a + row, a + 1, a + row + 1, a + row]);
            }
        }
        primitive.influences = Some(Influences { spans: vec![Span { joints, weights }] });
    }
    Mesh { primitives: half.into(), ..Mesh::default() }
}

/// Solves `A x = b` by elimination.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs())).unwrap();
        a.swap(column, pivot);
        b.swap(column, pivot);
        for row in column + 1..n {
            let factor = a[row][column] / a[column][column];
            let pivots = a[column].clone();
            a[row].iter_mut().zip(&pivots).skip(column).for_each(|(x, pivot)| *x -= factor * pivot);
            b[row] -= factor * b[column];
        }
    }
    for row in (0..n).rev() {
        for k in row + 1..n {
            b[row] -= a[row][k] * b[k];
        }
        b[row] /= a[row][row];
    }
    b
}

/// Returns `(I + strength L)^-p x`, with L summed from the triangles in another way than the surface's.
fn smoothed(points: &[DVec3], triangles: &[[usize; 3]], (strength, p): (f64, u32), x: Vec<f64>) -> Vec<f64> {
    let n = points.len();
    let mut laplacian = vec![vec![0.0; n]; n];
    for triangle in triangles {
        for turn in 0..3 {
            let [i, j, k] = [0, 1, 2].map(|corner| triangle[(corner + turn) % 3]);
            let angle = (points[i] - points[k]).angle_between(points[j] - points[k]);
            for (a, b) in [(i, j), (j, i)] {
                laplacian[a][b] -= 1.0 / angle.tan();
                laplacian[a][a] += 1.0 / angle.tan();
            }
        }
    }
    let matrix = |row: usize| -> Vec<f64> {
        let diagonal = laplacian[row][row];
        (0..n).map(|k| f64::from(u8::from(k == row)) + strength * laplacian[row][k] / diagonal).collect()
    };
    let matrix: Vec<Vec<f64>> = (0..n).map(matrix).collect();
    (0..p).fold(x, |x, _| solve(matrix.clone(), x))
}

/// The definition, word by word: Ψ, Ω, and each vertex by `[Q q; pᵀ 1]`.
#[test]
fn vertices_go_where_the_definition_says() {
    let mesh = sheet();
    for (iterations, lambda, kappa, alpha) in
        [(20, 3.0, 1.0, 0.8), (3, 0.5, 0.2, 0.0), (1, 20.0, 0.0, 0.95), (0, 1.0, 1.0, 0.5)]
    {
        let settings = DdmSettings { iterations, lambda, kappa, alpha, least: 0.0, within: None };
        let rows = find(&mesh, &settings, &|_| true).unwrap();
        assert_eq!(rows.centers.len(), 42);
        let (mut points, mut weights) = (vec![DVec3::ZERO; 42], vec![[0.0; 3]; 42]);
        let mut triangles = Vec::new();
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let of = |vertex: usize| rows.points[number][vertex] as usize;
            let span = &primitive.influences.as_ref().unwrap().spans[0];
            for (vertex, position) in primitive.positions.iter().enumerate() {
                points[of(vertex)] = DVec3::from(position.map(f64::from));
                let [two, zero, one, _] = span.weights[vertex].map(f64::from);
                weights[of(vertex)] = [zero, one, two].map(|weight| weight / (zero + one + two));
            }
            triangles.extend(primitive.indices.as_chunks::<3>().0.iter().map(|t| t.map(|v| of(v as usize))));
        }
        let world_from_bind = [
            DMat4::from_rotation_x(0.4),
            DMat4::from_translation(DVec3::new(0.3, -0.2, 1.0)),
            DMat4::from_rotation_z(-0.7) * DMat4::from_rotation_y(0.3),
        ];
        let u = |k: usize| points[k].extend(1.0);
        let smooth = |strength, x| smoothed(&points, &triangles, (strength, iterations), x);
        let mut psi = vec![[DMat4::ZERO; 3]; 42];
        let mut light = vec![[0.0; 3]; 42];
        for joint in 0..3 {
            for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
                let x = (0..42).map(|k| weights[k][joint] * u(k)[row] * u(k)[column]).collect();
                for (psi, value) in psi.iter_mut().zip(smooth(lambda, x)) {
                    psi[joint].col_mut(column)[row] = value;
                }
            }
            let x = (0..42).map(|k| weights[k][joint]).collect();
            light.iter_mut().zip(smooth(kappa, x)).for_each(|(light, value)| light[joint] = value);
        }
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            for (vertex, &position) in primitive.positions.iter().enumerate() {
                let i = rows.points[number][vertex] as usize;
                let sum = psi[i].iter().fold(DVec4::ZERO, |sum, psi| sum + psi.w_axis);
                let p = (sum / sum.w).truncate().extend(1.0);
                let outer = DMat4::from_cols(p * p.x, p * p.y, p * p.z, p * p.w);
                let omega = |joint: usize| psi[i][joint] * (1.0 - alpha) + outer * (alpha * light[i][joint]);
                let all = (0..3).fold(DMat4::ZERO, |all, joint| all + world_from_bind[joint] * omega(joint));
                let all = all * (1.0 / all.w_axis.w);
                let [x, y, z] = [0, 1, 2]
                    .map(|column| all.col(column).truncate() - all.w_axis.truncate() * all.col(column).w);
                let (big, q, p) =
                    (glam::DMat3::from_cols(x, y, z), all.w_axis.truncate(), all.row(3).truncate());
                let v = DVec3::from(position.map(f64::from));
                let want = match crate::nearest_turn::exactly(&big) {
                    Some((turn, _)) => turn * (v - p) + q,
                    // Nothing is smoothed, and a point alone has no rotation: slot 0's.
                    None => {
                        DMat4::from_mat3(glam::DMat3::from_mat4(world_from_bind[2])).transform_vector3(v - p)
                            + q
                    }
                };
                let source = crate::twin::Vertices {
                    ddm: Some((&rows, number)),
                    ..crate::twin::Vertices::of(primitive)
                };
                let reference = crate::reference::skin(DDM, &world_from_bind, &source);
                assert!(iterations == 0 || crate::nearest_turn::exactly(&big).is_some());
                let apart = reference.positions[vertex].distance(want);
                assert!(apart < 2e-5, "{number}:{vertex} with {settings:?}: {apart}");
            }
        }
    }
}

fn skinned(model: &Model) -> Vec<posed::SkinnedPrimitive<f32>> {
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::clip(0, 0.4));
    posed::skin_model(model, DDM, &pose)
}

/// A model cut along every edge goes where the whole one goes, to the bit.
#[test]
fn seams_stay_closed() {
    let whole = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
    let mut cut = whole.clone();
    let primitive = &mut cut.meshes[0].primitives[0];
    let corners = std::mem::take(&mut primitive.indices);
    let of =
        |vectors: &[[f32; 3]]| corners.iter().map(|&corner| vectors[corner as usize]).collect::<Vec<_>>();
    primitive.positions = of(&primitive.positions);
    primitive.normals = primitive.normals.as_ref().map(|normals| of(normals));
    (primitive.tangents, primitive.texcoords, primitive.colors) = (None, Default::default(), None);
    for span in &mut primitive.influences.as_mut().unwrap().spans {
        span.joints = corners.iter().map(|&corner| span.joints[corner as usize]).collect();
        span.weights = corners.iter().map(|&corner| span.weights[corner as usize]).collect();
    }
    primitive.indices = (0..corners.len() as u32).collect();
    let (whole, cut) = (skinned(&whole), skinned(&cut));
    let expected: Vec<[f32; 3]> = corners.iter().map(|&corner| whole[0].positions[corner as usize]).collect();
    assert!(expected == cut[0].positions);
    // Something moved, and not as in lbs.
    let model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(0, 0.4));
    assert_ne!(posed::skin_model(&model, SkinningMode::Linear, &pose)[0].positions, whole[0].positions);
}

/// The bind pose is the stored mesh to the bit, whatever is dropped.
#[test]
fn the_bind_pose_is_the_stored_mesh() {
    for name in ["bend", "character"] {
        let model = gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap();
        for least in [0.0, 1e-4, 1e-2] {
            model.ddm.set(DdmSettings { least, ..DdmSettings::default() });
            let mut pose = Pose::default();
            pose.set(&model, &PoseChoice::Bind);
            assert!(pose.is_bind());
            for drawn in posed::skin_model(&model, DDM, &pose) {
                let stored = &model.meshes[0].primitives[drawn.primitive].positions;
                assert!(*stored == drawn.positions, "{name} {least}");
            }
        }
    }
}

/// Dropped terms move no vertex further than asked, and not much further between the measured poses.
#[test]
fn as_many_terms_stay_as_a_distance_needs() {
    // A sheet on three of the character's joints, which its clips turn.
    let mut model = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
    model.meshes[0] = sheet();
    let settings =
        DdmSettings { iterations: 3, lambda: 0.3, kappa: 0.1, least: 0.0, ..DdmSettings::default() };
    let all = find(&model.meshes[0], &settings, &|_| true).unwrap();
    let poses = Poses::of(&model, 0);
    assert!((100..=256).contains(&poses.count), "{}", poses.count);
    let mut before = all.terms.len();
    for within in [0.0, 0.1, 1.0] {
        model.ddm.set(DdmSettings { within: Some(within), ..settings });
        let few = of(&model, 0).unwrap();
        let apart = distance(&model.meshes[0], [&all, &few], &poses);
        assert!(apart <= within, "{apart} {within}");
        assert!(few.found == all.found && few.terms.len() <= before, "{few:?}");
        before = few.terms.len();
        let whole = model.clone();
        whole.ddm.keep(0, &model.ddm.settings(), all.clone());
        let mut pose = Pose::default();
        for step in 0..7 {
            pose.set(&model, &PoseChoice::clip(0, 0.111 * f64::from(step)));
            let [a, b] = [&model, &whole].map(|model| posed::skin_model(model, DDM, &pose));
            for (a, b) in a.iter().zip(&b).flat_map(|(a, b)| a.positions.iter().zip(&b.positions)) {
                let apart = glam::Vec3::from(*a).distance(glam::Vec3::from(*b));
                assert!(f64::from(apart) <= within * 1.5, "{apart} {within}");
            }
        }
    }
    assert!(before < all.terms.len() * 4 / 5, "{before} of {}", all.terms.len());
    // Of many clips some are measured.
    let clip = model.clips[0].clone();
    model.clips.resize(300, clip);
    let poses = Poses::of(&model, 0).count;
    assert!((128..=256).contains(&poses), "{poses}");
    // A model without clips keeps all.
    model.clips.clear();
    assert_eq!(of(&model.clone(), 0).unwrap().terms, all.terms);
}

/// Threads and their number change no bit.
#[test]
fn any_number_of_threads_finds_the_same() {
    let model = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
    let find = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| find(&model.meshes[0], &DdmSettings::default(), &|_| true).unwrap())
    };
    let alone = find(1);
    assert!(alone == find(3));
    assert_eq!(alone.oddities, DdmOddities::default());
    // The callback stops the search before long.
    assert!(super::find(&model.meshes[0], &DdmSettings::default(), &|share| share < 0.5).is_none());
}

#[test]
fn what_smoothing_cannot_use_is_counted() {
    let mut mesh = sheet();
    let primitive = &mut mesh.primitives[0];
    // A triangle of one corner twice, one on a line, a third on an edge of two, and a vertex of none.
    primitive.positions[4] = [50.0, 5.0, 1.0];
    let line = primitive.positions.len() as u32;
    primitive.positions.extend([[0.0; 3], [1.0; 3], [2.0; 3], [47.0, 9.0, 3.0], [-1.0; 3]]);
    let span = &mut primitive.influences.as_mut().unwrap().spans[0];
    span.joints.extend([[0; 4]; 5]);
    span.weights.extend([[0.5, 0.5, 0.0, 0.0]; 5]);
    primitive.indices.extend([0, 0, 1, line, line + 1, line + 2, 1, 5, line + 3]);
    let rows = find(&mesh, &DdmSettings::default(), &|_| true).unwrap();
    assert_eq!(rows.oddities, DdmOddities { degenerate: 2, loose: 4, non_manifold: 1, too_many: 0 });
    // What is loose goes where lbs takes it.
    let row = rows.of(0, line as usize + 4).unwrap();
    assert_eq!((row.center, row.terms.len()), ([-1.0; 3], 1));
    assert_eq!((row.terms[0].weight, row.terms[0].products), (1.0, [0.0; 6]));
}

/// Numbers that are none stay with their vertices.
#[test]
fn a_mesh_of_too_many_terms_follows_single_joints() {
    let model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
    let (mesh, settings) = (&model.meshes[0], DdmSettings::default());
    let all = find(mesh, &settings, &|_| true).unwrap();
    assert_eq!(find_at_most(all.found, mesh, &settings, &|_| true), Some(all.clone()));
    let few = find_at_most(all.found - 1, mesh, &settings, &|_| true).unwrap();
    assert_eq!(
        (few.oddities.too_many, few.terms.len(), few.centers.len()),
        (all.found, all.ends.len(), all.ends.len())
    );
    model.ddm.keep(0, &settings, few);
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(0, 1.0));
    let [followed, rigid] = [SkinningMode::DirectDeltaMush, SkinningMode::Rigid]
        .map(|mode| posed::skin_model(&model, mode, &pose));
    for (a, b) in followed.iter().zip(&rigid).flat_map(|(a, b)| a.positions.iter().zip(&b.positions)) {
        let apart = [0, 1, 2].map(|axis| (a[axis] - b[axis]).abs());
        assert!(apart.into_iter().all(|apart| apart < 1e-5), "{a:?} {b:?}");
    }
}

#[test]
fn an_infinite_vertex_spoils_itself_alone() {
    let mut mesh = sheet();
    let without = find(&mesh, &DdmSettings::default(), &|_| true).unwrap();
    let primitive = &mut mesh.primitives[0];
    primitive.positions.extend([[f32::NAN; 3], [f32::INFINITY, 0.0, 0.0]]);
    let span = &mut primitive.influences.as_mut().unwrap().spans[0];
    span.joints.extend([[0; 4]; 2]);
    span.weights.extend([[1.0, 0.0, 0.0, 0.0]; 2]);
    primitive.indices.extend([0, 1, 24, 1, 25, 2]);
    let rows = find(&mesh, &DdmSettings::default(), &|_| true).unwrap();
    for vertex in 0..24 {
        assert_eq!(rows.of(0, vertex), without.of(0, vertex), "{vertex}");
    }
}

/// Rows of another program for models of the corpus, in a pose of each.
#[test]
fn the_corpus_goes_where_another_program_puts_it() {
    let Some(corpus) = std::env::var_os("SINEW_CORPUS").map(std::path::PathBuf::from) else {
        println!("NOT RUN: terms of ddm on the corpus, because SINEW_CORPUS names no folder");
        return;
    };
    let mut count = 0;
    for name in ["Fox", "RiggedFigure"] {
        let Ok(text) = std::fs::read_to_string(corpus.join(format!("../truth/{name}.ddm.json"))) else {
            continue;
        };
        let truth: serde_json::Value = serde_json::from_str(&text).unwrap();
        let bytes = std::fs::read(corpus.join(format!("models/{name}/{name}.glb"))).unwrap();
        let model = gltf::load_bytes(&bytes, None).unwrap();
        let mut pose = Pose::default();
        let clip = truth["clip"].as_u64().unwrap() as usize;
        pose.set(&model, &PoseChoice::clip(clip, truth["time"].as_f64().unwrap()));
        for (least, bound) in [(0.0, 2e-7), (DdmSettings::default().least, 2e-5)] {
            model.ddm.set(DdmSettings { least, ..DdmSettings::default() });
            let found = posed::reference_model(&model, DDM, &pose);
            for (primitive, found) in truth["primitives"].as_array().unwrap().iter().zip(&found) {
                let want = primitive["positions"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap());
                let want: Vec<f64> = want.collect();
                let r = want.iter().fold(0.0, |r: f64, x| r.max(x.abs()));
                let found = found.skinned.positions.as_flattened();
                assert_eq!(found.len(), want.len());
                let apart = found.iter().zip(&want).map(|(a, b)| (a - b).abs());
                assert!(apart.clone().all(f64::is_finite), "{name}");
                let apart = apart.fold(0.0, f64::max) / r;
                assert!(apart < bound, "{name} without terms below {least}: {apart:e} of the size");
            }
        }
        count += 1;
    }
    assert_eq!(count, 2, "the corpus has no truth beside it");
    println!("ddm: {count} models go where another program puts them");
}
