//! The model to fit, and the deformation that it is to follow.

use crate::fit::{FitError, Frames, Target, clip_of_poses, move_root, one_joint, range_of_motion};
use crate::model::{Channel, Clip, Interpolation, Model, Property};
use crate::output::{Closed, Inputs};
use crate::pairing::{Pairing, clip_name, find_clip};
use crate::skinning::SkinningMode;
use crate::skinning::pose::PoseChoice;

use crate::cli::args::FitArgs;
use crate::cli::commands::rigged::begin_at_zero;
use crate::cli::subject::pose::{self, no_clip};
use crate::cli::subject::second::{CacheMotion, second};
use crate::cli::subject::{needs, open};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;

/// A model to fit.
pub struct Subject {
    /// The model; clips of random poses come last.
    pub model: Model,
    /// The clips whose poses are fitted.
    pub clips: Vec<usize>,
    /// The clips of poses that are measured besides those that are written, and their names.
    pub beside: Vec<(usize, &'static str)>,
    /// The number of keys a second.
    pub rate: f64,
    mode: SkinningMode,
    cache: Option<Cache>,
    /// The number of clips that are written.
    written: usize,
}

/// Vertices of a point cache.
struct Cache {
    model: Model,
    times: Vec<f64>,
    clip: usize,
    pairing: Pairing,
}

/// The number of random poses of driven helpers without a flag.
const RANGE: usize = 60;

/// Minimum number of keys a second.
const MIN_RATE: f64 = 0.01;

/// The seeds of random poses, of those that are fitted and those that are kept out.
const SEEDS: [u64; 2] = [1, 2];

impl Subject {
    /// Opens the model, and the point cache if there is one.
    pub fn open(args: &FitArgs, inputs: &mut Inputs) -> Result<Self, Failure> {
        let mut model = open::model(&args.model, &args.load, inputs)?;
        open::check_kept(&model, &args.model)?;
        begin_at_zero(&mut model);
        let mode = args.mode.of(&model);
        if mode == SkinningMode::Linear && args.from.is_none() {
            let cause = "linear blending follows lbs already; --mode names another mode";
            return Err(Failure::Usage(cause.to_owned()));
        }
        // Slower keys would be beyond any time that a file can hold.
        let rate = args.fps.max(MIN_RATE);
        let mut subject =
            Self { clips: Vec::new(), beside: Vec::new(), rate, mode, cache: None, written: 0, model };
        let fault = |cause: String| Failure::Input { file: open::shown(&args.model), cause };
        if args.joints.is_some() {
            subject.model = one_joint(&subject.model, "frames");
            subject.model.frames_per_second = Some(rate);
            // Until the frames give it one, the clip ends after any of them.
            subject.model.clips.iter_mut().for_each(|clip| clip.duration_secs = 1e6);
        }
        if subject.model.clips.is_empty() && (args.from.is_some() || args.driven.is_none()) {
            return Err(fault(FitError::NoClip.to_string()));
        }
        if args.from.is_some() && args.clip.len() > 1 {
            return Err(Failure::Usage("--from has the frames of one clip; name one with --clip".to_owned()));
        }
        subject.clips = clips(args, &subject.model).map_err(fault)?;
        match args.from {
            Some(_) => subject.read_cache(args, inputs)?,
            None => subject.add_poses(args, inputs)?,
        }
        Ok(subject)
    }

    /// Reads the point cache.
    fn read_cache(&mut self, args: &FitArgs, inputs: &mut Inputs) -> Result<(), Failure> {
        let Some(from) = &args.from else { return Ok(()) };
        let first = PoseChoice::clip(self.clips.first().copied().unwrap_or_default(), 0.0);
        let motion = match args.clip.is_empty() {
            true => CacheMotion::Best(&first),
            false => CacheMotion::Given(&first),
        };
        let read = second(from, (&self.model, motion), &args.load, inputs)?;
        let Some(cache) = read.cache else {
            let cause =
                "--from takes a point cache: a .pc2, .mdd, .npy or .ply, or 'run-*.obj' for a file per frame";
            return Err(Failure::Usage(format!("{}: {cause}", open::shown(from))));
        };
        let clip = match cache.motion {
            PoseChoice::Clips(mix) => mix.clips.first().copied().unwrap_or_default(),
            _ => 0,
        };
        let pairing = Pairing::new(&self.model, &read.read.model);
        let cache = Cache { model: read.read.model, times: cache.times, clip, pairing };
        if args.joints.is_some() {
            move_root(&mut self.model, cache.frames());
        }
        self.clips = vec![clip];
        self.written = self.model.clips.len();
        self.without_morphs(clip);
        self.cache = Some(cache);
        Ok(())
    }

    /// Removes morph targets from a clip: a cache has their motion.
    fn without_morphs(&mut self, clip: usize) {
        let name = clip_name(&self.model, clip);
        let rig = &self.model.rig;
        let zero = |node: usize| {
            let weights = rig.rest_weights.get(rig.weights_of(node))?;
            let channel = Channel {
                node,
                property: Property::Weights,
                interpolation: Interpolation::Step,
                times: vec![0.0],
                values: vec![0.0; weights.len()],
            };
            weights.iter().any(|weight| *weight != 0.0).then_some(channel)
        };
        let zeros: Vec<Channel> = (0..rig.len()).filter_map(zero).collect();
        let Some(clip) = self.model.clips.get_mut(clip) else { return };
        let count = clip.channels.len();
        clip.channels.retain(|channel| !matches!(channel.property, Property::Weights | Property::Weight(_)));
        let loses = clip.channels.len() < count || !zeros.is_empty();
        clip.channels.extend(zeros);
        if loses {
            say(&format!("note: clip {name} loses its morph targets' motion, which the frames have already"));
        }
    }

    /// Adds poses from files, and random ones.
    fn add_poses(&mut self, args: &FitArgs, inputs: &mut Inputs) -> Result<(), Failure> {
        self.written = self.model.clips.len();
        let given =
            args.poses.as_ref().map(|folder| pose::of_folder(folder, &self.model, inputs)).transpose()?;
        let usual = if args.driven.is_some() { RANGE } else { 0 };
        let poses = args.range.map_or(usual, usize::from);
        let ranges = if poses > 0 && !self.model.clips.is_empty() { &SEEDS[..] } else { &[] };
        let ranges: Vec<_> =
            ranges.iter().map(|seed| range_of_motion(&self.model, poses, *seed, self.rate)).collect();
        if let Some(given) = given {
            let clip = self.add(clip_of_poses(&self.model, &given, self.rate));
            self.clips.push(clip);
            self.beside.push((clip, "poses"));
        }
        for (number, range) in ranges.into_iter().enumerate() {
            let clip = self.add(range);
            match number {
                0 => self.clips.push(clip),
                _ => self.beside.push((clip, "range of motion")),
            }
        }
        Ok(())
    }

    fn add(&mut self, clip: Clip) -> usize {
        self.model.clips.push(clip);
        self.model.clips.len() - 1
    }

    /// Returns the deformation to follow, ready to be sampled.
    pub fn target(&self, inputs: &Closed) -> Target<'_> {
        match &self.cache {
            Some(cache) => Target::Frames(cache.frames()),
            None => {
                needs::prepare(&self.model, [self.mode], inputs);
                Target::Mode(self.mode)
            }
        }
    }

    /// Returns a fitted model without the random poses.
    pub fn written(&self, fitted: &Model) -> Model {
        let mut written = fitted.clone();
        written.clips.truncate(self.written);
        written
    }
}

impl Cache {
    fn frames(&self) -> Frames<'_> {
        Frames { model: &self.model, pairing: &self.pairing, clip: self.clip, times: &self.times }
    }
}

fn clips(args: &FitArgs, model: &Model) -> Result<Vec<usize>, String> {
    if args.clip.is_empty() {
        return Ok((0..model.clips.len()).collect());
    }
    args.clip.iter().map(|asked| find_clip(model, asked).ok_or_else(|| no_clip(model, asked))).collect()
}
