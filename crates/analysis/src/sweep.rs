//! A sweep: one joint turned step by step about one of its axes, everything else at rest, and the result in each mode. This
//! module must not depend on Vulkan, command lines or the presentation of results.

use std::collections::BTreeMap;

use serde::Serialize;
use sinew_model::{Model, VertexIndex};
use sinew_skinning::delta_mush::Settings;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::reference_surfaces;
use sinew_skinning::{Drawn, SkinningMode, Yardstick, diagonal};

use super::deformation::{Extremes, Frame, Scratch, Shape, TooLarge, measure};
use super::measure::{Distance, distance, joint_name};
use super::metric::{At, Metric, Row, Scale};
use super::moved::{Descent, is_bent};
use super::turns::{Axis, turned};
use sinew_text::length;

/// The results of each mode at each step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    /// The joint that turns, by name or as `#NODE`.
    pub joint: String,
    /// The joint's own axis of the turn.
    pub axis: Axis,
    /// The mode that distances are measured against, or mush.
    pub against: &'static str,
    /// The settings of delta mush; omitted against a mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mush: Option<Settings>,
    /// The totals that shares of the model refer to.
    #[serde(skip)]
    pub scale: Scale,
    /// The steps, in the requested order.
    pub steps: Vec<Step>,
}

/// One angle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The joint's angle from rest.
    pub degrees: f64,
    /// The results of each mode.
    pub modes: Vec<Measures>,
}

/// The results of a mode at one angle, against the bind pose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// The mode's name.
    pub mode: &'static str,
    /// Each of [`metrics`]; null if there is nothing to measure. Cross-sections are those at the turning joint.
    #[serde(flatten)]
    pub values: BTreeMap<Metric, Option<f64>>,
    /// The joint or the closed part of a value that has one.
    pub at: BTreeMap<Metric, String>,
}

impl Measures {
    /// Returns a metric's value; `None` if there is nothing to measure.
    pub fn value(&self, metric: Metric) -> Option<f64> {
        self.values.get(&metric).copied().flatten()
    }
}

/// Returns the metrics of a sweep. Its steps are not consecutive in time, so it has none that compares frames.
pub fn metrics() -> impl Iterator<Item = Metric> {
    Metric::ALL.into_iter().filter(|metric| !metric.facts().needs_previous)
}

/// Measures every angle in every mode; calls `progress` after each angle.
///
/// # Errors
/// If the model is too large to measure shapes.
pub fn sweep(
    model: &Model,
    (node, axis): (usize, Axis),
    degrees: &[f64],
    modes: &[SkinningMode],
    against: Yardstick,
    mut progress: impl FnMut(),
) -> Result<Sweep, TooLarge> {
    let shape = Shape::new(model)?;
    let drawn = Drawn::new(model);
    let own = own_sections(model, &shape, node);
    // The file's single precision causes differences of this size.
    let diagonal_m = diagonal(model, &drawn);
    let none_m = 4.0 * f64::from(f32::EPSILON) * diagonal_m;
    let name = joint_name(model, node);
    let mut pose = Pose::default();
    let from = against.measure(model);
    let (mut other, mut skinned, mut distances) = (Vec::new(), Vec::new(), Vec::new());
    let mut scratch = Scratch::default();
    let mut step = |&degrees: &f64| {
        pose.set(model, &turned(model, node, axis, degrees));
        from.surfaces_into(model, &pose, &mut other);
        let mut of_mode = |&mode: &SkinningMode| {
            reference_surfaces(model, mode, &pose, &mut skinned);
            scratch.restart();
            let frame = measure(&shape, model, &pose, 0.0, &skinned, &mut scratch);
            let apart = distance(&drawn, &skinned, &other, &mut distances);
            let max_m = if apart.max_m < none_m { 0.0 } else { apart.max_m };
            let ratios = own.iter().map(|number| shape.section_ratio(*number, scratch.places()));
            let frame = Frame { section: Extremes::of(ratios), ..frame };
            let row = Row { frame, distance: Some(Distance { max_m, ..apart }), is_first: true };
            measures(mode, &row, &name)
        };
        let modes = modes.iter().map(&mut of_mode).collect();
        progress();
        Step { degrees, modes }
    };
    let steps = degrees.iter().map(&mut step).collect();
    let counts = shape.counts();
    let scale = Scale { diagonal_m, triangles: counts.triangles as f64, vertices: counts.vertices as f64 };
    Ok(Sweep { joint: name, axis, against: against.name(), mush: against.mush(), scale, steps })
}

/// Reads all metrics; `joint` is the name of the one that turns.
fn measures(mode: SkinningMode, row: &Row, joint: &str) -> Measures {
    let mut found = Measures { mode: mode.name(), values: BTreeMap::new(), at: BTreeMap::new() };
    for metric in metrics() {
        let value = row.value(metric);
        found.values.insert(metric, value.map(|(value, _)| value));
        let place = value.and_then(|(_, at)| match at {
            At::Section(_) => Some(joint.to_owned()),
            At::Part(number) | At::Volume(number, _) => Some(format!("part {number}")),
            At::Surface | At::Vertex(_) | At::Vertices(_) => None,
        });
        found.at.extend(place.map(|place| (metric, place)));
    }
    found
}

/// Describes the sweep in a sentence, by its step nearest to a right angle: `90° about z: lbs keeps 89 % of the section, dqs
/// 97 %.` It reports cross-sections, or else volumes, or else distances.
pub fn sentence(sweep: &Sweep, modes: &[SkinningMode]) -> Option<String> {
    let off = |step: &&Step| (step.degrees.abs() - 90.0).abs();
    let step = sweep.steps.iter().min_by(|a, b| off(a).total_cmp(&off(b)))?;
    let named = |measures: &&Measures| modes.iter().any(|mode| mode.name() == measures.mode);
    let clauses = |number: &dyn Fn(&Measures) -> Option<String>, verb: &str, of: &str| {
        let found = step.modes.iter().filter(named);
        let found = found.filter_map(|measures| Some((measures.mode, number(measures)?)));
        let clause = |(at, (mode, number)): (usize, (&str, String))| match at {
            0 => format!("{mode} {verb} {number} {of}"),
            _ => format!("{mode} {number}"),
        };
        let clauses: Vec<String> = found.enumerate().map(clause).collect();
        (!clauses.is_empty()).then(|| clauses.join(", "))
    };
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let section = |measures: &Measures| measures.value(Metric::SectionSmallest).map(percent);
    let volume = |measures: &Measures| measures.value(Metric::VolumeSmallest).map(percent);
    let apart = |measures: &Measures| {
        measures.value(Metric::Distance).filter(|_| measures.mode != sweep.against).map(length::shown)
    };
    let what = clauses(&section, "keeps", "of the section")
        .or_else(|| clauses(&volume, "keeps", "of the volume"))
        .or_else(|| clauses(&apart, "is", &format!("from {}", sweep.against)))?;
    Some(format!("{}° about {}: {what}.", length::digits(step.degrees), sweep.axis))
}

/// Returns the indices of the sections at a joint, without those through another limb.
fn own_sections(model: &Model, shape: &Shape, node: usize) -> Vec<usize> {
    let descent = Descent::new(model);
    let at_node = shape.sections().iter().enumerate().filter(|(_, section)| section.node == node);
    let is_own = |number: &usize| {
        let cut = shape.points_of_section(*number).into_iter().map(|(_, place)| VertexIndex::from(place));
        is_bent(model, (&descent, node), cut)
    };
    at_node.map(|(number, _)| number).filter(is_own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat4, DQuat};
    use sinew_model::{LocalTransform, builtin, gltf};

    #[test]
    fn a_twisted_rod_narrows_in_linear_blending_alone() {
        let model = gltf::load_bytes(&builtin::glb("twist").unwrap(), None).unwrap();
        let node = model.rig.names.iter().position(|name| name == "upper").unwrap();
        let modes = SkinningMode::ALL;
        let against = SkinningMode::Linear;
        let mut heard = 0;
        let angles = [0.0, 90.0, 150.0];
        let found = sweep(&model, (node, Axis::Y), &angles, &modes, against.into(), || heard += 1).unwrap();
        assert_eq!((found.joint.as_str(), found.axis, heard), ("upper", Axis::Y, 3));
        for (step, degrees) in found.steps.iter().zip(angles) {
            assert_eq!(step.degrees, degrees);
            let section = |mode: SkinningMode| {
                let found = step.modes.iter().find(|measures| measures.mode == mode.name()).unwrap();
                found.value(Metric::SectionSmallest).unwrap()
            };
            // The ring at the joint has equal weights, so its radius is that of the chord's middle.
            let expected = (degrees / 2.0).to_radians().cos();
            assert!(
                (section(SkinningMode::Linear) - expected).abs() < 1e-3,
                "{degrees}: {}",
                section(against)
            );
            assert!((section(SkinningMode::DualQuat) - 1.0).abs() < 1e-3, "{degrees}");
        }
        assert!(found.steps[2].modes[2].value(Metric::Distance).unwrap() > 0.1);
    }

    #[test]
    fn a_sentence_tells_of_the_right_angle() {
        let model = gltf::load_bytes(&builtin::glb("twist").unwrap(), None).unwrap();
        let node = model.rig.names.iter().position(|name| name == "upper").unwrap();
        let modes = [SkinningMode::Linear, SkinningMode::DualQuat];
        let told = |model: &Model, degrees: &[f64], modes: &[SkinningMode]| {
            let found = sweep(
                model,
                (node, Axis::Y),
                degrees,
                &SkinningMode::ALL,
                SkinningMode::Linear.into(),
                || (),
            );
            sentence(&found.unwrap(), modes)
        };
        let steps = [0.0, 30.0, 90.0, 180.0];
        let text = "90° about y: lbs keeps 71 % of the section, dqs 100 %.";
        assert_eq!(told(&model, &steps, &modes).as_deref(), Some(text));
        assert_eq!(
            told(&model, &[0.0, -80.0], &modes[1..]).as_deref(),
            Some("-80° about y: dqs keeps 100 % of the section.")
        );
        // Without a closed surface there are only distances.
        let mut open = model.clone();
        open.meshes[0].primitives[0].indices.truncate(30);
        let text = told(&open, &steps, &modes).unwrap();
        assert!(text.starts_with("90° about y: dqs is ") && text.ends_with(" from lbs."), "{text}");
        assert_eq!(told(&model, &[], &modes), None);
    }
    #[test]
    fn a_section_is_that_of_the_joint_that_turns() {
        let mut model = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
        // At rest as it is bound, where no mode moves anything.
        let skin = model.skins[0].clone();
        let bound = |node: usize| {
            let joint = skin.joints.iter().position(|joint| *joint == node);
            joint.map_or(DMat4::IDENTITY, |joint| skin.joint_from_bind[joint].inverse())
        };
        for &node in &skin.joints {
            let above = model.rig.parents[node].map_or(DMat4::IDENTITY, |parent| bound(parent as usize));
            let LocalTransform::Trs { rotation, .. } = &mut model.rig.rest[node] else { panic!("a matrix") };
            *rotation = DQuat::from_mat4(&(above.inverse() * bound(node))).normalize();
        }
        let modes = [SkinningMode::Linear];
        let of = |name: &str| {
            let node = model.rig.names.iter().position(|known| known == name).unwrap();
            sweep(&model, (node, Axis::X), &[0.0, 90.0], &modes, SkinningMode::DualQuat.into(), || ())
                .unwrap()
        };
        for name in ["shin.L", "forearm.R", "thigh.R"] {
            let found = of(name);
            for step in &found.steps {
                let at = &step.modes[0].at;
                assert_eq!((&*at[&Metric::SectionSmallest], &*at[&Metric::SectionLargest]), (name, name));
            }
            assert!(found.steps[1].modes[0].value(Metric::SectionSmallest).unwrap() < 0.99, "{found:?}");
            // The rounding of the rest pose is not a distance.
            assert_eq!(found.steps[0].modes[0].value(Metric::Distance), Some(0.0));
        }
    }
}
