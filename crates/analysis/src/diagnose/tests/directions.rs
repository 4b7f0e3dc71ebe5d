//! Normals and tangents made on purpose are named right.

use glam::{DMat3, DQuat, DVec3, DVec4};
use sinew_skinning::pose::ClipMix;
use sinew_skinning::posed::skin_model;
use sinew_skinning::world_from_bind;

use super::*;

/// Returns a pose in which joints scale unevenly.
fn scaled(model: &Model, clip: usize, time: f64) -> PoseChoice {
    let mut mix = ClipMix { clips: vec![clip], time_secs: time, ..ClipMix::default() };
    for (number, node) in model.skins[0].joints.iter().enumerate() {
        let scale = [DVec3::new(1.3, 0.8, 1.0), DVec3::new(0.9, 1.0, 1.4)][number % 2];
        mix.edits.set_scale(model, *node, scale);
    }
    PoseChoice::Clips(mix)
}

/// Returns vertices with their directions, rounded to single precision.
fn directed(model: &Model, recipe: &str, choice: &PoseChoice) -> Given {
    let mut parts = vertices(model, &recipe.parse().unwrap(), choice);
    for part in &mut parts {
        let Part { positions, normals, tangents, .. } = part;
        let numbers = [
            normals.as_mut().map(|rows| rows.as_flattened_mut()),
            tangents.as_mut().map(|rows| rows.as_flattened_mut()),
        ];
        let numbers = numbers.into_iter().flatten().flatten().chain(positions.as_flattened_mut());
        numbers.for_each(|number| *number = f64::from(*number as f32));
    }
    Given { parts, stored: Stored::F32 }
}

#[test]
fn directions_as_defined_are_those_of_the_reference() {
    let model = model("character");
    let choice = scaled(&model, 0, 0.33);
    let mut pose = Pose::default();
    pose.set(&model, &choice);
    for mode in SkinningMode::ALL {
        let reference = reference_model(&model, mode, &pose);
        let ours = vertices(&model, &Recipe::of(mode), &choice);
        let mut tangents = 0;
        for (ours, truth) in ours.iter().zip(&reference) {
            let apart =
                |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let truth = &truth.skinned;
            let [a, b] = [ours.normals.as_ref(), truth.normals.as_ref()].map(Option::unwrap);
            assert!(apart(a.as_flattened(), b.as_flattened()) < 1e-9, "{mode}");
            let (Some(a), Some(b)) = (&ours.tangents, &truth.tangents) else { continue };
            assert!(apart(a.as_flattened(), b.as_flattened()) < 1e-9, "{mode}");
            tangents += a.len();
        }
        assert!(tangents > 0 && ours.len() == reference.len());
    }
}

/// Makes lbs with the formulas of its faults, which the engine does not share.
#[test]
fn deviations_of_directions_are_what_their_names_say() {
    let model = model("bend");
    let choice = scaled(&model, 0, 0.7);
    let mut pose = Pose::default();
    pose.set(&model, &choice);
    let matrices: Vec<DMat3> =
        world_from_bind(&model.skins[0], &pose).into_iter().map(DMat3::from_mat4).collect();
    let primitive = &model.meshes[0].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    let (normals, tangents) = (primitive.normals.as_ref().unwrap(), primitive.tangents.as_ref().unwrap());
    let blended = |vertex: usize, of: &dyn Fn(DMat3) -> DMat3| {
        let (joints, weights) = influences.of_vertex(0, vertex);
        let terms = joints
            .iter()
            .zip(weights)
            .map(|(joint, weight)| of(matrices[*joint as usize]) * f64::from(weight));
        terms.fold(DMat3::ZERO, |sum, term| sum + term)
    };
    let inverse = |m: DMat3| m.inverse().transpose();
    let rotation = |m: DMat3| {
        // The nearest rotation: the mean of a matrix and its inverse transpose, again and again.
        let mean = |r: DMat3| (r + inverse(r)) * 0.5;
        DMat3::from_quat(DQuat::from_mat3(&(0..40).fold(m, |r, _| mean(r))))
    };
    let of_normal = |name: &str, vertex: usize| {
        let n = DVec3::from(normals[vertex].map(f64::from));
        let b3 = blended(vertex, &|m| m);
        match name {
            "lbs,plain-normals" => (b3 * n).normalize(),
            "lbs,blended-cofactors" => (blended(vertex, &|m| inverse(m) * m.determinant()) * n).normalize(),
            "lbs,blended-inverses" => (blended(vertex, &inverse) * n).normalize(),
            "lbs,rotated-normals" => rotation(b3) * n,
            "lbs,unskinned-normals" => n,
            "lbs,unnormalised-normals" => b3 * n,
            _ => (inverse(b3) * n).normalize(),
        }
    };
    let of_tangent = |name: &str, vertex: usize| {
        let t = DVec4::from(tangents[vertex].map(f64::from));
        let (b3, along) = (blended(vertex, &|m| m), t.truncate());
        let n = of_normal("lbs", vertex);
        let plain = (b3 * along).normalize();
        match name {
            "lbs,unorthogonalised-tangents" => plain.extend(t.w),
            "lbs,tangents-as-normals" => (inverse(b3) * along).normalize().extend(t.w),
            "lbs,rotated-tangents" => (rotation(b3) * along).extend(t.w),
            "lbs,unskinned-tangents" => t,
            "lbs,unnormalised-tangents" => (b3 * along).extend(t.w),
            "lbs,handedness-flipped" => (plain - n * n.dot(plain)).normalize().extend(-t.w),
            "lbs,handedness-one" => (plain - n * n.dot(plain)).normalize().extend(1.0),
            "lbs,handedness-zero" => (plain - n * n.dot(plain)).normalize().extend(0.0),
            _ => (plain - n * n.dot(plain)).normalize().extend(t.w),
        }
    };
    for deviation in std::iter::once(None).chain(Deviation::of_directions().map(Some)) {
        let name = deviation.map_or("lbs".to_owned(), |deviation| format!("lbs,{deviation}"));
        let made = vertices(&model, &name.parse().unwrap(), &choice).remove(0);
        let is_normal = Deviation::of_normals().map(Some).contains(&deviation);
        for (vertex, (normal, tangent)) in
            made.normals.unwrap().iter().zip(made.tangents.unwrap()).enumerate()
        {
            let apart = DVec3::from(*normal).distance(of_normal(&name, vertex));
            assert!(apart < 1e-6, "{name}: {apart}");
            // Beside another normal, tangents are others.
            let apart = DVec4::from(tangent).distance(of_tangent(&name, vertex));
            assert!(is_normal || apart < 1e-6, "{name}: {apart}");
        }
    }
}

#[test]
fn broken_directions_are_counted_and_never_agree() {
    let model = model("bend");
    let choice = PoseChoice::clip(0, 0.7);
    let ask = |given: &Given| ask_of(&model, given, Asked::At(&choice));
    let right = directed(&model, "lbs,unskinned-tangents", &choice);
    let answer = ask(&right);
    assert_eq!(answer.recipe.to_string(), "lbs,unskinned-tangents", "{}", answer.verdict.sentence);
    assert_eq!(answer.verdict.faults, ["unskinned-tangents"]);

    // One number that is not finite does not hide the way of the others.
    let mut lost = right.clone();
    lost.parts[0].tangents.as_mut().unwrap()[9][1] = f64::NAN;
    lost.parts[0].normals.as_mut().unwrap()[3] = [f64::INFINITY, 0.0, 0.0];
    let Answer { normals, tangents, verdict, .. } = ask(&lost);
    let (normals, tangents) = (normals.unwrap(), tangents.unwrap());
    assert_eq!((&*normals.faults, normals.agrees, normals.not_finite), (&[][..], false, 1));
    assert_eq!(
        (&*tangents.faults, tangents.agrees, tangents.not_finite),
        (&[Deviation::UnskinnedTangents][..], false, 1)
    );
    assert_eq!((normals.of - normals.right, tangents.of - tangents.right), (1, 1));
    assert!(verdict.agrees && verdict.faults.is_empty(), "an uncertain fault is none of the verdict");
    assert!(verdict.sentence.contains("No known way makes these tangents"), "{}", verdict.sentence);

    type Break = fn(usize) -> [f64; 4];
    let kinds: [(Break, usize); 4] = [
        (|_| [f64::NAN; 4], 1),
        (|_| [0.0; 4], 0),
        (|_| [1e300, 0.0, 0.0, 1.0], 0),
        (|vertex| [(vertex as f64).sin(), (vertex as f64).cos(), 0.0, 1.0], 0),
    ];
    for (broken, is_lost) in kinds {
        let mut given = right.clone();
        let rows = given.parts[0].tangents.as_mut().unwrap();
        rows.iter_mut().enumerate().for_each(|(vertex, row)| *row = broken(vertex));
        let tangents = ask(&given).tangents.unwrap();
        assert!(!tangents.agrees && tangents.right < tangents.of / 10, "{tangents:?}");
        assert_eq!(tangents.not_finite, is_lost * tangents.of);
        assert!(tangents.max.is_finite() && tangents.rms.is_finite(), "{tangents:?}");
    }

    // Without directions in the model or in the file there is nothing to say.
    let mut bare = model.clone();
    bare.meshes[0].primitives[0].normals = None;
    let answer = ask_of(&bare, &right, Asked::At(&choice));
    assert!(answer.verdict.agrees && answer.normals.is_none() && answer.tangents.is_none());
}

/// A mirror turns the handedness over; one that does not is named.
#[test]
fn directions_in_other_axes_are_those_of_the_figure() {
    let model = model("bend");
    let choice = PoseChoice::clip(0, 0.7);
    let mut given = directed(&model, "dqs", &choice);
    let part = &mut given.parts[0];
    part.positions.iter_mut().for_each(|[x, ..]| *x *= -1.0);
    part.normals.iter_mut().flatten().for_each(|[x, ..]| *x *= -1.0);
    part.tangents.iter_mut().flatten().for_each(|[x, ..]| *x *= -1.0);
    let answer = ask_of(&model, &given, Asked::At(&choice));
    assert!(answer.matched.placement.is_mirrored && answer.normals.unwrap().agrees);
    assert_eq!(answer.recipe.to_string(), "dqs,handedness-flipped", "{}", answer.verdict.sentence);
    given.parts[0].tangents.iter_mut().flatten().for_each(|[.., w]| *w *= -1.0);
    let answer = ask_of(&model, &given, Asked::At(&choice));
    assert_eq!(answer.recipe.to_string(), "dqs", "{}", answer.verdict.sentence);
}

/// Parts without normals do not hide those of the others.
#[test]
fn directions_of_some_parts_are_examined() {
    let mut model = model("bend");
    let again = model.meshes[0].primitives[0].clone();
    model.meshes[0].primitives.push(again);
    let choice = PoseChoice::clip(0, 0.7);
    let mut given = directed(&model, "dqs,unskinned-normals", &choice);
    given.parts[0].normals = None;
    let normals = ask_of(&model, &given, Asked::At(&choice)).normals.unwrap();
    let of = given.parts[1].positions.len();
    assert_eq!(
        (normals.of, normals.agrees, &*normals.faults),
        (of, true, &[Deviation::UnskinnedNormals][..])
    );
}

/// A gate fails for directions that are not as it says, and for those that it asks for and does not see.
#[test]
fn expected_directions_are_compared() {
    let model = model("bend");
    let choice = scaled(&model, 0, 0.7);
    let told = |made: &str, expected: &str| {
        let mut given = directed(&model, made, &choice);
        if made == "lbs" {
            given.parts[0].tangents = None;
        }
        let expected: Recipe = expected.parse().unwrap();
        let asked = Asked::At(&choice);
        let question = Question {
            model: &model,
            given: &given,
            bind: None,
            asked,
            expected: Some(&expected),
            watch: &|_| {},
        };
        let expected = ask(&question).unwrap().expected.unwrap();
        (expected.normals, expected.tangents)
    };
    let (yes, no) = (Some(true), Some(false));
    assert_eq!(told("lbs", "lbs"), (yes, None));
    assert_eq!(told("lbs", "lbs,unskinned-tangents"), (yes, no));
    assert_eq!(told("lbs,plain-normals,handedness-zero", "lbs"), (no, no));
    assert_eq!(told("lbs,plain-normals,handedness-zero", "lbs,plain-normals"), (yes, no));
    assert_eq!(told("lbs,plain-normals,handedness-zero", "lbs,plain-normals,handedness-zero"), (yes, yes));
}

/// Arithmetic in single precision makes normals and tangents as defined, also where a twist flattens the surface.
#[test]
fn single_precision_agrees_with_the_definition() {
    for (name, clip, time) in [("twist", 0, 2.0), ("twist", 0, 1.4), ("bend", 0, 1.0), ("character", 1, 0.35)]
    {
        let model = model(name);
        let choice = PoseChoice::clip(clip, time);
        let mut pose = Pose::default();
        pose.set(&model, &choice);
        for mode in SkinningMode::ALL.into_iter().filter(|mode| !mode.facts().needs_centers) {
            let wide = |rows: Vec<[f32; 3]>| rows.into_iter().map(|row| row.map(f64::from)).collect();
            let parts = skin_model(&model, mode, &pose).into_iter().map(|made| Part {
                positions: wide(made.positions),
                normals: made.normals.map(wide),
                tangents: made.tangents.map(|rows| rows.into_iter().map(|row| row.map(f64::from)).collect()),
                ..Part::default()
            });
            let given = Given { parts: parts.collect(), stored: Stored::F32 };
            let answer = ask_of(&model, &given, Asked::At(&choice));
            let found = [answer.normals, answer.tangents].map(Option::unwrap);
            println!("{name} {mode}: {:.1e} {:.1e}", found[0].max, found[1].max);
            assert!(answer.verdict.agrees && answer.verdict.faults.is_empty(), "{}", answer.verdict.sentence);
            assert!(
                found.iter().all(|found| found.agrees && found.faults.is_empty()),
                "{name} {mode}: {found:?}"
            );
        }
    }
}
