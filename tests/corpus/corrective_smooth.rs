//! Compares delta mush with Blender's *Corrective Smooth* on real models in their clips, if `make peers` has installed Blender.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use glam::DVec3;
use serde::Deserialize;
use sinew::model::gltf::{self, write_glb};
use sinew::model::{Model, builtin};
use sinew::skinning::delta_mush::{Settings, Weights};
use sinew::skinning::pose::PoseChoice;
use sinew::skinning::posed::SkinnedPrimitive;
use sinew::skinning::{SkinningMode, Yardstick};

use crate::peers;
use crate::proven::posed;

/// The models: of the corpus by their files, and built-in.
const CORPUS: [&str; 5] = [
    "Fox/Fox.glb",
    "CesiumMan/CesiumMan.glb",
    "RiggedFigure/RiggedFigure.glb",
    "RiggedSimple/RiggedSimple.glb",
    "maya_dual_quaternion/maya_dual_quaternion.glb",
];
const BUILT_IN: [&str; 3] = ["character", "twist", "bend"];

/// The moments of the first clip, as shares of it.
const MOMENTS: [f64; 2] = [0.3, 0.65];

/// The maximum distance from Blender, which computes in `f32`, as a share of the largest coordinate.
const SAME: f64 = 1e-5;

/// On meshes of some dozens of points, more smoothing leaves so little that the frames are Blender's rounding.
const SETTINGS: [Settings; 4] = [
    Settings { iterations: 5, factor: 0.5, weights: Weights::Uniform },
    Settings { iterations: 10, factor: 0.5, weights: Weights::Uniform },
    Settings { iterations: 10, factor: 0.5, weights: Weights::Lengths },
    Settings { iterations: 20, factor: 0.5, weights: Weights::Lengths },
];

/// A mesh as Blender deforms it.
#[derive(Deserialize)]
struct Made {
    /// The number of vertices before those at one place became one.
    count: usize,
    /// The first vertex at each place.
    first: Vec<usize>,
    /// Coordinates without smoothing.
    blended: Vec<f64>,
    /// Coordinates in each of the settings.
    results: Vec<Vec<f64>>,
}

pub fn blender_smooths_as_delta_mush_does(corpus: &Path) -> usize {
    let Some(python) = peers::blender() else { return 0 };
    let folder = tempfile::tempdir().unwrap();
    let mut models = Vec::new();
    for file in CORPUS {
        let model = gltf::load(&corpus.join("models").join(file)).unwrap();
        models.extend(at_moments(
            &model,
            Path::new(file).file_stem().unwrap().to_str().unwrap(),
            folder.path(),
        ));
    }
    for name in BUILT_IN {
        let model = gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap();
        models.extend(at_moments(&model, name, folder.path()));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/corrective_smooth.py");
    let settings = serde_json::to_string(&SETTINGS).unwrap();
    peers::run(peers::process(&python).arg(script).arg(settings).args(&models));
    let (mut compared, mut faults) = (0, Vec::new());
    for path in &models {
        let name = path.file_stem().unwrap().to_string_lossy();
        let (count, found) = compare(path);
        compared += count;
        for (settings, [off, moved]) in SETTINGS.iter().zip(found) {
            println!("{name}: {off:.1e} of r from Blender, {moved:.1e} from lbs, {settings}, {count} points");
            if off > SAME || moved < 20.0 * SAME {
                faults.push(format!("{name}, {settings}: {off:e}, and {moved:e} from lbs"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!(
        "{} settings of {} moments of {} models, {compared} points each",
        SETTINGS.len(),
        models.len(),
        CORPUS.len() + BUILT_IN.len()
    );
    models.len()
}

/// Writes a model at moments of its first clip, as its rest pose.
fn at_moments(model: &Model, name: &str, folder: &Path) -> Vec<PathBuf> {
    let write = |share: f64| {
        let period = model.period_of_all([0].into_iter());
        let mut still = model.clone();
        still.rig.rest = posed(model, &PoseChoice::clip(0, period.at(share))).locals;
        still.clips.clear();
        let path = folder.join(format!("{name}-{share}.glb"));
        std::fs::write(&path, write_glb(&still).unwrap()).unwrap();
        path
    };
    MOMENTS.map(write).into()
}

/// Returns the number of points, and for each of the settings the largest distances from Blender and from linear blending, as
/// shares of the largest coordinate.
fn compare(path: &Path) -> (usize, Vec<[f64; 2]>) {
    let model = gltf::load(path).unwrap();
    let made: Vec<Made> =
        serde_json::from_slice(&std::fs::read(path.with_extension("json")).unwrap()).unwrap();
    let pose = posed(&model, &PoseChoice::Rest);
    let skinned = |yardstick: Yardstick| {
        let mut skinned = Vec::new();
        yardstick.measure(&model).surfaces_into(&model, &pose, &mut skinned);
        of_meshes(&model, &skinned)
    };
    let plain = skinned(SkinningMode::Linear.into());
    let counts: Vec<usize> = made.iter().map(|made| made.count).collect();
    assert_eq!(counts, plain.iter().map(Vec::len).collect::<Vec<_>>(), "{}", path.display());
    let r = plain.iter().flatten().map(|place| place.abs().max_element()).fold(0.0, f64::max);
    let furthest = |found: &[Vec<DVec3>], of: &dyn Fn(&Made) -> &Vec<f64>| {
        let pairs = found.iter().zip(&made).flat_map(|(found, made)| {
            let want = of(made).as_chunks::<3>().0.iter().map(|want| DVec3::from(*want));
            made.first.iter().map(|first| found[*first]).zip(want).collect::<Vec<_>>()
        });
        pairs.map(|(found, want)| found.distance(want)).fold(0.0, f64::max) / r
    };
    let blended = furthest(&plain, &|made| &made.blended);
    assert!(blended < SAME, "{}: lbs is {blended:e} of r from Blender", path.display());
    let each = SETTINGS.iter().enumerate().map(|(number, settings)| {
        let found = skinned(Yardstick::Mush(*settings));
        [furthest(&found, &|made| &made.results[number]), furthest(&plain, &|made| &made.results[number])]
    });
    let each = each.collect();
    (made.iter().map(|made| made.first.len()).sum(), each)
}

/// Returns the vertices of each instance that triangles use.
fn of_meshes(model: &Model, skinned: &[SkinnedPrimitive<f64>]) -> Vec<Vec<DVec3>> {
    let places = |own: &SkinnedPrimitive<f64>| -> Vec<DVec3> {
        let primitive = &model.meshes[model.instances[own.instance].mesh].primitives[own.primitive];
        let used: BTreeSet<u32> = primitive.indices.iter().copied().collect();
        used.into_iter().map(|vertex| DVec3::from(own.positions[vertex as usize])).collect()
    };
    let of = |instance| skinned.iter().filter(|own| own.instance == instance).flat_map(places).collect();
    (0..model.instances.len()).map(of).collect()
}
