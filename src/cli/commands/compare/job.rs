//! A comparison: its parts, and the loop over its frames.

use std::io;
use std::sync::Arc;

use super::matched::Matched;
use super::motions::{self, Motion};
use crate::analysis::measure::{
    Files, Frame, MotionApart, Plan, Summary, Worst, compare_files, compare_prepared, motion_apart,
};
use crate::cli::args::CompareArgs;
use crate::cli::subject::open::Digests;
use crate::cli::subject::second::CacheOf;
use crate::cli::terminal::progress::bar;
use crate::length;
use crate::model::Model;
use crate::model::unknown::nearest;
use crate::pairing::Pairing;
use crate::scene;
use crate::skinning::Drawn;
use crate::skinning::distinct::Distinct;
use crate::skinning::surfaces::Surfaces;
use crate::view::{Against, Difference};

/// Everything that is compared.
pub struct Job<'a> {
    pub args: &'a CompareArgs,
    pub given: String,
    pub model: &'a Arc<Model>,
    pub drawn: Drawn,
    /// The model prepared for the reference.
    pub surfaces: Surfaces,
    pub plan: Plan,
    /// Modes of the plan, and those left out because they equal dqs.
    pub measured: Distinct,
    pub motions: Vec<Motion>,
    pub diagonal_m: f64,
    /// The file to compare with; `None` compares modes of one.
    pub other: Option<Other>,
}

/// The second of two files.
pub struct Other {
    pub given: String,
    pub model: Arc<Model>,
    pub digests: Digests,
    /// Facts about a point cache; `None` for a model.
    pub cache: Option<CacheOf>,
    pub pairing: Pairing,
    /// The model prepared for the reference.
    pub surfaces: Surfaces,
    /// Differences at rest.
    pub matched: Matched,
    /// Clips that have another name in this file, as the user gave them.
    pub clip_pairs: Vec<(usize, String)>,
    /// Names of clips that only one of the files has, of those that were to be measured.
    pub clips_alone: [Vec<String>; 2],
    /// Names of its clips without a partner.
    pub unpaired: Vec<String>,
    /// The clip that it lacks, in words, if it has none of the clips to measure. Then the rest pose is measured instead.
    pub lacks: Option<String>,
}

/// The number of listed worst places.
pub const MAX_WORST: usize = 10;

/// A step of measuring motions.
pub enum Step<'a> {
    /// A motion begins.
    Motion(usize, &'a Motion),
    /// A frame is measured.
    Frame { frame: Frame, is_first: bool },
    /// The motion has ended.
    MotionDone,
}

impl Job<'_> {
    /// The file that is checked: the new one of two.
    pub fn checked(&self) -> &str {
        self.other.as_ref().map_or(&self.given, |other| &other.given)
    }

    /// A command-line flag that pairs a clip of the first file with the nearest name among clips without a partner.
    pub fn pairing_flag(&self, missing: &str) -> Option<String> {
        let near = nearest(missing, self.other.as_ref()?.unpaired.iter().map(String::as_str))?;
        Some(format!("--clip '{missing}={near}'"))
    }

    /// The motion's name in the other file, if it is another one.
    pub fn name_there(&self, motion: &Motion) -> Option<String> {
        let name = motions::name(&self.other.as_ref()?.model, motion.other.as_ref()?);
        (name != motion.name).then_some(name)
    }

    /// Returns the name of the baseline: a mode, or the other file.
    pub fn against(&self) -> &str {
        self.other.as_ref().map_or(self.plan.against.name(), |other| &other.given)
    }

    /// Returns true if the normals of both sides are those of their files.
    pub fn has_normals(&self) -> bool {
        let cache = self.other.as_ref().and_then(|other| other.cache.as_ref());
        cache.is_none_or(|cache| cache.facts.has_normals)
    }

    /// Clips that have another name in the other file, as the user gave them.
    pub fn clip_pairs(&self) -> Vec<(usize, String)> {
        self.other.as_ref().map_or_else(Vec::new, |other| other.clip_pairs.clone())
    }

    /// The view that shows the difference; its colours end at this distance, rounded up.
    pub fn difference(&self, top_m: f64) -> Difference {
        let against = match &self.other {
            None => self.plan.against.into(),
            Some(_) => Against::Other,
        };
        let top_m = length::round_up_finely(top_m);
        Difference { against, top_m: Some(top_m).filter(|top| *top > 0.0) }
    }

    /// Returns the causes of a worst place's difference in two files; `None` for one file.
    pub fn motion_apart(&self, worst: &Worst) -> Option<MotionApart> {
        let (other, motion) = (self.other.as_ref()?, self.motions.get(worst.motion)?);
        Some(motion_apart(self.files(other, motion), worst.time, worst.vertex))
    }

    /// Returns the settings of delta mush, for a scene in a mode.
    pub fn mush(&self) -> scene::Mush {
        scene::Mush { is_drawn: false, settings: self.plan.against.mush().unwrap_or_default() }
    }

    /// Returns the files for a scene.
    pub fn given_files(&self) -> scene::Files {
        let other = self.other.as_ref().map(|other| other.given.clone());
        scene::Files { other, ..self.args.load.files(self.given.clone()) }
    }

    /// Two files in a motion.
    fn files<'a>(&'a self, other: &'a Other, motion: &'a Motion) -> Files<'a> {
        Files {
            models: [self.model, &other.model],
            surfaces: [&self.surfaces, &other.surfaces],
            motions: [&motion.choice, motion.other.as_ref().unwrap_or(&motion.choice)],
            pairing: &other.pairing,
            new_mode: None,
        }
    }

    /// Measures every frame of every motion; `each` is called for every step.
    pub fn frames(&self, each: &mut dyn FnMut(Step) -> io::Result<()>) -> io::Result<Summary> {
        let mut summary = Summary::default();
        let bar = bar(self.motions.iter().map(|motion| motion.times.seconds.len() as u64).sum(), "frames");
        for (number, motion) in self.motions.iter().enumerate() {
            summary.start(&self.plan.modes);
            each(Step::Motion(number, motion))?;
            let mut is_first = true;
            let times = &motion.times.seconds;
            let add = |frame| {
                summary.add(self.model, &frame);
                each(Step::Frame { frame, is_first: std::mem::take(&mut is_first) })?;
                bar.inc(1);
                Ok::<(), io::Error>(())
            };
            match &self.other {
                None => {
                    let subject = (&**self.model, &self.surfaces);
                    compare_prepared(subject, &self.drawn, &self.plan, &motion.choice, times, add)?;
                }
                Some(other) => {
                    compare_files(self.files(other, motion), &self.plan.modes, times, add)?;
                }
            }
            each(Step::MotionDone)?;
        }
        bar.finish_and_clear();
        Ok(summary)
    }
}
