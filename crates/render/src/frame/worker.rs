//! What poses and skins figures on one thread, and how long that took.

use sinew_skinning::posed::Skinner;

/// A skinner with a stopwatch's results.
#[derive(Default)]
pub struct Worker {
    /// Poses and skins.
    pub skinner: Skinner,
    /// What it has spent since somebody looked.
    pub times: StageTimes,
}

/// Milliseconds that the processor spent on the stages of a frame, all threads together.
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
    /// Adds what another thread has spent.
    pub fn add(&mut self, other: &Self) {
        let Self { sample, palette, skin, record } = other;
        self.sample += sample;
        self.palette += palette;
        self.skin += skin;
        self.record += record;
    }
}

/// What a picture moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Figures in sight.
    pub figures: u64,
    /// Draw calls of the pass that draws the meshes.
    pub draws: u64,
    /// Vertices that are skinned.
    pub vertices: u64,
    /// Bytes of vertices and palettes that skinning reads and writes.
    pub bytes: u64,
}
