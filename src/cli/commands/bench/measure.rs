//! Draws the frames of a run and times them: first the run itself, frames overlapping as in a window, then some frames
//! one by one for the passes' times.

use std::sync::Arc;
use std::time::Instant;

use crate::cli::terminal::failure::Failure;
use crate::model::{Model, Period};
use crate::render::{Counts, GpuModel, Renderer, StageTimes};
use crate::scene::{Framing, PaletteIn, Scene, Skinned};
use crate::skinning::pose::PoseChoice;

/// Frames per second of the clip.
const RATE: f64 = 30.0;

/// Frames and seconds of the warm-up, whichever is longer, and never longer than some seconds.
const WARM_FRAMES: u32 = 3;
const WARM_SECS: f64 = 0.3;

/// Settings take turns after this number of frames.
const TURN: u32 = 5;

/// The maximum number of frames that are drawn one by one for the passes' times.
const MAX_SINGLE: u32 = 12;

/// A model in several settings, which take turns.
pub struct Rig<'a> {
    renderer: &'a mut Renderer,
    gpu: GpuModel,
    settings: Vec<Setting>,
    /// Period in which the clip plays.
    period: Period,
}

struct Setting {
    scene: Scene,
    /// The number of frames drawn.
    drawn: u32,
    frames_ms: Vec<f64>,
    stages: Vec<StageTimes>,
    passes: Vec<Vec<(String, f64)>>,
    counts: Counts,
    skinned: Skinned,
}

/// The cost of a setting.
pub struct Measured {
    pub scene: Scene,
    /// The buffer with its palettes.
    pub palette: PaletteIn,
    /// Milliseconds from frame to frame.
    pub frames_ms: Vec<f64>,
    /// The processor's stages of each frame.
    pub stages: Vec<StageTimes>,
    /// The passes of each frame that was drawn alone, in their order.
    pub passes: Vec<Vec<(String, f64)>>,
    pub counts: Counts,
    /// The processors that skinned its last frame.
    pub skinned: Skinned,
}

impl<'a> Rig<'a> {
    /// Uploads the model and warms up.
    pub fn new(renderer: &'a mut Renderer, model: &Arc<Model>, scenes: Vec<Scene>) -> Result<Self, Failure> {
        let gpu = renderer.upload(Arc::clone(model))?;
        let period = scenes.first().map(|scene| scene.period(model)).unwrap_or_default();
        let setting = |scene| Setting {
            // As a window plays it.
            scene: Scene { framing: Framing::Clip, ..scene },
            drawn: 0,
            frames_ms: Vec::new(),
            stages: Vec::new(),
            passes: Vec::new(),
            counts: Counts::default(),
            skinned: Skinned::default(),
        };
        let settings = scenes.into_iter().map(setting).collect();
        Ok(Self { renderer, gpu, settings, period })
    }

    /// Draws the frames of every setting.
    pub fn measure(mut self, frames: u32) -> Result<Vec<Measured>, Failure> {
        for number in 0..self.settings.len() {
            let start = Instant::now();
            let mut drawn = 0;
            while drawn < WARM_FRAMES || start.elapsed().as_secs_f64() < WARM_SECS {
                self.draw(number)?;
                drawn += 1;
            }
        }
        let mut left = frames;
        while left > 0 {
            let turn = if self.settings.len() > 1 { left.min(TURN) } else { left };
            for number in 0..self.settings.len() {
                self.turn(number, turn)?;
            }
            left -= turn;
        }
        for number in 0..self.settings.len() {
            for _ in 0..frames.min(MAX_SINGLE) {
                self.draw(number)?;
                let times = self.renderer.pass_times()?;
                let passes = times.into_iter().map(|time| (time.pass, time.millis)).collect();
                self.settings[number].passes.push(passes);
            }
            self.settings[number].counts = self.renderer.counts();
            self.settings[number].skinned = self.renderer.skinned().clone();
        }
        let measured = |setting: Setting| {
            let Setting { scene, frames_ms, stages, passes, counts, skinned, .. } = setting;
            let palette = self.renderer.palette_of(&scene);
            Measured { scene, palette, frames_ms, stages, passes, counts, skinned }
        };
        Ok(self.settings.into_iter().map(measured).collect())
    }

    /// Draws some frames of a setting, as many at a time as are in flight.
    fn turn(&mut self, number: usize, frames: u32) -> Result<(), Failure> {
        // Its first frames find nothing in flight, so that they are no faster than the rest.
        self.draw(number)?;
        self.draw(number)?;
        let mut last = Instant::now();
        for _ in 0..frames {
            self.draw(number)?;
            let now = Instant::now();
            let stages = self.renderer.stage_times();
            let setting = &mut self.settings[number];
            setting.frames_ms.push(now.duration_since(last).as_secs_f64() * 1e3);
            setting.stages.push(stages);
            last = now;
        }
        // The other settings do not wait for these.
        self.renderer.device().wait_idle()?;
        Ok(())
    }

    fn draw(&mut self, number: usize) -> Result<(), Failure> {
        let setting = &mut self.settings[number];
        let time = f64::from(setting.drawn) / RATE;
        setting.drawn = setting.drawn.wrapping_add(1);
        let is_crowd = setting.scene.crowd.is_some();
        if let PoseChoice::Clips(mix) = &mut setting.scene.pose {
            // A crowd's figures go round by themselves.
            let length = self.period.length();
            let goes_round = !is_crowd && length > 0.0;
            mix.time_secs = self.period.start + if goes_round { time.rem_euclid(length) } else { time };
        }
        self.renderer.draw(&mut self.gpu, &setting.scene)?;
        Ok(())
    }
}
