//! Tests of every metric: on a figure that it must find, on the same figure at rest, and by its names.

use std::collections::HashSet;

use glam::DVec3;
use sinew_model::Model;
use sinew_skinning::pose::Pose;
use sinew_skinning::{Drawn, SkinningMode};

use super::*;
use crate::deformation::tests::{SIDES, cube, grid, model, skin, tube, twisting, with_joints};
use crate::deformation::{Scratch, Shape, measure};
use crate::measure::distance;

/// A motion of vertices from rest.
type Motion = fn(DVec3) -> DVec3;

/// Returns a model, a motion of its vertices, and the value that the metric must then have.
fn figure(metric: Metric) -> (Model, Motion, f64) {
    let tube = || model(vec![with_joints(tube(0.25), twisting)], &[0.0, 1.0]);
    let cube = || model(vec![cube(&SIDES)], &[]);
    let sheet = |joints: [i32; 2]| {
        let of = |_| ([joints[0], joints[1], 0, 0], [0.75, 0.25, 0.0, 0.0]);
        model(vec![with_joints(grid(4), of)], &[0.0, 1.0])
    };
    match metric {
        Metric::SectionSmallest => (tube(), |p| p * DVec3::new(0.5, 1.0, 0.5), 0.5),
        Metric::SectionLargest => (tube(), |p| p * DVec3::new(2.0, 1.0, 2.0), 2.0),
        Metric::VolumeSmallest => (cube(), |p| p * DVec3::new(-1.0, 1.0, 1.0), -1.0),
        Metric::VolumeLargest => (cube(), |p| p * 2.0, 8.0),
        Metric::StretchP1 => (cube(), |p| p * DVec3::new(1.0, 0.25, 1.0), 0.25),
        Metric::StretchP50 => (cube(), |p| p * 3.0, 3.0),
        Metric::StretchP99 => (cube(), |p| p * DVec3::new(1.0, 4.0, 1.0), 4.0),
        // The first corner passes the line between the other two of its triangle.
        Metric::TurnedTriangles => {
            (sheet([0, 1]), |p| if p == DVec3::ZERO { DVec3::new(1.5, 1.2, 0.0) } else { p }, 1.0)
        }
        // No joint explains the motion of a vertex without a joint.
        Metric::Jump => (sheet([-1, -1]), |p| p + DVec3::Z * (0.25 * p.x * p.y), 4.0),
        Metric::Distance => (cube(), |p| p + DVec3::new(3.0, 4.0, 0.0) * p.z, 5.0),
        Metric::LostVertices => (cube(), |p| if p == DVec3::ONE { DVec3::NAN } else { p }, 3.0),
    }
}

/// Measures a frame of moved vertices after one at rest.
fn row(model: &Model, by: Motion) -> Row {
    let pose = Pose::rest(&model.rig);
    let rest = skin(model, SkinningMode::Rigid, &pose);
    let mut moved = rest.clone();
    for position in moved.iter_mut().flat_map(|skinned| &mut skinned.positions) {
        *position = by(DVec3::from_array(*position)).to_array();
    }
    let (shape, mut scratch) = (Shape::new(model).unwrap(), Scratch::default());
    measure(&shape, model, &pose, 0.0, &rest, &mut scratch);
    let frame = measure(&shape, model, &pose, 0.1, &moved, &mut scratch);
    let distance = distance(&Drawn::new(model), &moved, &rest, &mut Vec::new());
    Row { frame, distance: Some(distance), is_first: false }
}

#[test]
fn each_metric_finds_its_figure_and_nothing_at_rest() {
    for metric in Metric::ALL {
        let (model, by, expected) = figure(metric);
        let value = |row: &Row| row.value(metric).unwrap_or_else(|| panic!("{metric:?} has no value")).0;
        assert!(metric.deviation(expected) > 0.1, "{metric:?}: {expected} is a good value");
        let found = value(&row(&model, by));
        assert!((found - expected).abs() < 1e-9, "{metric:?} reads {found}, not {expected}");
        let mut still = row(&model, |p| p);
        let best = value(&still);
        assert!(metric.deviation(best) <= 1e-9, "{metric:?} reads {best} at rest");
        // Without a previous frame only a pose has a value.
        still.is_first = true;
        assert_eq!(still.value(metric).is_none(), metric.facts().needs_previous, "{metric:?}");
    }
}

#[test]
fn names_are_read_and_so_are_earlier_ones() {
    let mut names = HashSet::new();
    for metric in Metric::ALL {
        let Facts { name, old, .. } = metric.facts();
        for given in [name].into_iter().chain(*old) {
            assert!(names.insert(given), "{given} is the name of two metrics");
            assert_eq!(given.parse(), Ok(metric));
            assert_eq!(serde_json::from_value::<Metric>((*given).into()).unwrap(), metric);
        }
        assert_eq!(serde_json::to_value(metric).unwrap(), *name);
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        assert!(name.chars().all(is_plain), "{name} needs quotes in CSV or HTML");
    }
    assert_eq!("bulge".parse::<Metric>(), Err(NoMetric { given: "bulge".to_owned() }));
}
