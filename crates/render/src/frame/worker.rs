//! Posing and skinning of figures on one thread, with times.

use sinew_skinning::posed::Skinner;

/// A skinner with time measurements.
#[derive(Default)]
pub struct Worker {
    /// Poses and skins.
    pub skinner: Skinner,
    /// Time spent since the last reset.
    pub times: StageTimes,
}

/// Processor time in milliseconds for the stages of a frame, over all threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimes {
    /// Clips and nodes: poses.
    pub sample: f64,
    /// Joints: matrices and slots.
    pub palette: f64,
    /// Vertices that the CPU skins.
    pub skin: f64,
    /// Deciding about draws and recording them.
    pub record: f64,
}

impl StageTimes {
    /// Adds the times of another thread.
    pub fn add(&mut self, other: &Self) {
        let Self { sample, palette, skin, record } = other;
        self.sample += sample;
        self.palette += palette;
        self.skin += skin;
        self.record += record;
    }
}

/// Amount of work in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Figures in sight.
    pub figures: u64,
    /// Draw calls of the pass that draws the meshes.
    pub draws: u64,
    /// Skinned vertices.
    pub vertices: u64,
    /// Bytes of vertices and palettes that skinning reads and writes.
    pub bytes: u64,
}
