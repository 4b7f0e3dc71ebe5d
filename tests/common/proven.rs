//! Proves one model: every mode on the GPU against the CPU and the reference.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use crate::common;

use sinew::analysis::verify::{Report, Samples, verify};
use sinew::model::Model;
use sinew::render::Renderer;
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Pose, PoseChoice};

/// Fewer times per clip than `sinew verify` checks, which would take a test too long; tests/program/verify_times.rs covers
/// those, and `make soak` sets `SINEW_SAMPLES`.
pub fn samples() -> Samples {
    let asked = std::env::var("SINEW_SAMPLES").ok();
    Samples::AtMost(asked.map_or(8, |count| count.parse().unwrap()))
}

pub fn renderer() -> Renderer {
    Renderer::new(common::open(), None).unwrap()
}

pub fn check(renderer: &mut Renderer, name: &str, model: Arc<Model>) -> Report {
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    assert!(renderer.is_exact(), "the tests run on a software driver");
    type Failure = Box<dyn std::error::Error>;
    let skin = |mode, pose: &PoseChoice| renderer.skin(&mut gpu, mode, pose).map_err(Failure::from);
    let report: Report = verify(&model, &SkinningMode::ALL, true, samples(), skin, |_, _| ()).unwrap();
    for row in &report.rows {
        assert_eq!(row.faults, Vec::<String>::new(), "{name}: {} {}", row.mode, row.pose);
        assert!(row.figures.gpu_twin.components >= 3 * row.figures.vertices as u64, "{name} was compared");
    }
    report
}

pub fn posed(model: &Model, choice: &PoseChoice) -> Pose {
    let mut pose = Pose::default();
    pose.set(model, choice);
    pose
}
