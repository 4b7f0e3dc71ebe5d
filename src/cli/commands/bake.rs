//! `sinew bake`: writes every frame of a clip, as one mode skins it, for programs that do not have that mode.

use std::path::{Path, PathBuf};

#[cfg(feature = "usd")]
use crate::export::bake::MAX_BYTES;
use crate::export::bake::{Cache, Frames, NoFrames, Targets, TooLarge, times};
#[cfg(feature = "usd")]
use crate::export::still_model;
use crate::export::{Export, ExportError, Format, write, write_obj};
use crate::model::Model;
#[cfg(feature = "usd")]
use crate::model::usd::{self, Form};
use crate::output::{self, Closed, Inputs, Output, Overwrite};
use crate::pairing::clip_name;
use crate::skinning::pose::PoseChoice;
use crate::skinning::posed::{SkinnedPrimitive, count_vertices};
use crate::words::many;
use indicatif::ProgressBar;

use crate::cli::args::BakeArgs;
use crate::cli::args::output::{Numbered, numbered};
use crate::cli::commands::materials::Materials;
#[cfg(feature = "usd")]
use crate::cli::commands::materials::write_all;
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::subject::pose;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::frames::Stop;
use crate::cli::terminal::print::say;
use crate::cli::terminal::progress::bar;

/// Skins every frame and writes them.
pub fn run(args: &BakeArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.subject.model);
    let kind = Kind::of(&args.output)?;
    let model = open::model(&args.subject.model, &args.subject.load, &mut inputs)?;
    open::check_kept(&model, &args.subject.model)?;
    let motion = pose::pose(&args.subject.posed, &args.subject.model, &model, &mut inputs)?;
    let inputs = inputs.close();
    let no_frames = |cause: NoFrames| {
        let hint = if cause == NoFrames::NoClip { "; 'sinew export' writes a single pose" } else { "" };
        Failure::Usage(format!("{given}: {cause}{hint}"))
    };
    let times = times(&model, &motion, args.fps).map_err(no_frames)?;
    let places = kind.places(&args.output, times.len());
    let places: Vec<Output> =
        places.into_iter().map(|path| kind.output(&inputs, path)).collect::<Result<_, _>>()?;
    let materials = kind.materials(&model, &inputs)?;
    let mode = args.subject.mode.of(&model);
    needs::prepare(&model, [mode], &inputs);
    let skinned = (mode, args.normals.normals);
    let frames = Frames::new(&model, skinned, &motion).map_err(|error| Failure::from(error).about(&given))?;
    let bar = bar(times.len() as u64, "frames");
    let mut job = Job { args, given, model: &model, motion, times, frames, bar };
    match (kind, places.as_slice()) {
        (Kind::Glb, [place]) => job.glb(place),
        (Kind::Cache(cache), [place]) => job.cache(cache, place),
        #[cfg(feature = "usd")]
        (Kind::Usd(form), [place]) => job.usd(form, place, &inputs),
        (Kind::Each { format, .. }, places) => job.each(format, materials.as_ref(), places),
        _ => Ok(()),
    }?;
    job.bar.finish_and_clear();
    Ok(())
}

/// The kind of file to write.
enum Kind {
    Glb,
    Cache(Cache),
    /// A USD file with points that move.
    #[cfg(feature = "usd")]
    Usd(Form),
    /// A file for each frame.
    Each {
        format: Format,
        names: Numbered,
    },
}

impl Kind {
    fn of(path: &Path) -> Result<Self, Failure> {
        let wrong = |cause: &str| Failure::Usage(format!("{}: {cause}", path.display()));
        let names = path.to_str().map_or(Ok(None), numbered).map_err(|cause| wrong(&cause))?;
        let is_outside = |name: &std::ffi::OsStr| !name.to_string_lossy().contains("{frame");
        if names.is_some() && path.file_name().is_none_or(is_outside) {
            return Err(wrong("{frame} must be in the file's name, not in a folder's"));
        }
        match (names, Format::of(path), Cache::of(path)) {
            (None, Some(Format::Glb), _) => Ok(Self::Glb),
            (None, _, Some(cache)) => Ok(Self::Cache(cache)),
            #[cfg(feature = "usd")]
            (None, ..) if let Some(form) = Form::of(path) => Ok(Self::Usd(form)),
            (Some(names), Some(format @ (Format::Obj | Format::Ply)), _) => Ok(Self::Each { format, names }),
            _ => {
                let more = if cfg!(feature = "usd") { ", .mdd or .usdc" } else { " or .mdd" };
                Err(wrong(&format!(
                    "expected a file that ends in .glb, .pc2{more}, or a name with {{frame}} that ends in .obj or .ply"
                )))
            }
        }
    }

    /// The files of this number of frames, without materials.
    fn places(&self, path: &Path, frames: usize) -> Vec<PathBuf> {
        match self {
            Self::Each { names, .. } => {
                let count = u32::try_from(frames).unwrap_or(u32::MAX);
                (0..count).map(|number| names.path(number, count)).collect()
            }
            _ => vec![path.to_owned()],
        }
    }

    /// The output at a place. Only the name of a single file is the user's own.
    fn output(&self, inputs: &Closed, path: PathBuf) -> Result<Output, Overwrite> {
        match self {
            Self::Each { .. } => inputs.numbered(path),
            _ => inputs.output(path),
        }
    }

    /// The materials that all frames share.
    fn materials<'a>(&self, model: &'a Model, inputs: &Closed) -> Result<Option<Materials<'a>>, Failure> {
        match self {
            Self::Each { format: Format::Obj, names } => {
                Materials::of(model, &names.without_number("materials"), inputs)
            }
            _ => Ok(None),
        }
    }
}

struct Job<'a> {
    args: &'a BakeArgs,
    given: String,
    model: &'a Model,
    motion: PoseChoice,
    times: Vec<f64>,
    frames: Frames<'a>,
    bar: ProgressBar,
}

impl Job<'_> {
    /// Skins a frame and passes it on.
    fn frame(
        &mut self,
        number: usize,
        take: impl FnOnce(&Export<'_, f32>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Some(&time) = self.times.get(number) else { return Ok(()) };
        let skinned =
            self.frames.skin(time).map_err(|error| Stop::Frame(Failure::from(error).about(&self.given)))?;
        let export = self.export(time, &skinned);
        if let Some(place) = export.not_finite() {
            let cause = format!("{place} is not finite after skinning, at {time} s");
            return Err(Stop::Frame(Failure::Input { file: self.given.clone(), cause }));
        }
        take(&export)?;
        self.bar.inc(1);
        Ok(())
    }

    fn export<'b>(&'b self, time: f64, primitives: &'b [SkinnedPrimitive<f32>]) -> Export<'b, f32> {
        Export {
            given: &self.given,
            model: self.model,
            mode: self.args.subject.mode.of(self.model),
            normals: self.args.normals.normals,
            pose: self.frames.at(time),
            on: "cpu",
            primitives,
        }
    }

    fn glb(&mut self, place: &Output) -> Result<(), Failure> {
        let written = output::write(place, |out| {
            let mut targets = None;
            let times = self.times.clone();
            for number in 0..times.len() {
                let too_large = |error: TooLarge| Stop::Frame(Failure::Usage(format!("{error}")));
                self.frame(number, |export| match &mut targets {
                    None => {
                        targets = Some(Targets::new(export, &times).map_err(too_large)?);
                        Ok(())
                    }
                    Some(targets) => targets.push(export).map_err(too_large),
                })?;
            }
            let Some(targets) = targets else { return Ok(()) };
            self.warn(targets.mirrored());
            let Model { materials, pictures, .. } = self.model;
            let glb = targets.glb(&self.name(), materials.clone(), pictures.clone());
            Ok::<(), Stop>(out.write_all(&glb.map_err(ExportError::from)?)?)
        });
        written.map_err(|stop| stop.on(place))
    }

    /// The names of the clips.
    fn name(&self) -> String {
        let PoseChoice::Clips(mix) = &self.motion else { return String::new() };
        let names: Vec<String> = mix.all().map(|clip| clip_name(self.model, clip)).collect();
        names.join(" + ")
    }

    fn warn(&self, mirrored: usize) {
        if mirrored > 0 {
            let vertices = many(mirrored, "vertex");
            say(&format!(
                "warning: {}: the clip mirrors the tangents of {vertices}, which morph targets cannot",
                self.given
            ));
        }
    }

    #[cfg(feature = "usd")]
    fn usd(&mut self, form: Form, place: &Output, inputs: &Closed) -> Result<(), Failure> {
        let start = self.times.first().copied().unwrap_or_default();
        let times = self.times.iter().map(|time| time - start).collect();
        let (mut frames, mut first) = (usd::Frames { times, rate: self.args.fps, frames: Vec::new() }, None);
        let count = self.times.len();
        for number in 0..count {
            let pushed = self.frame(number, |export| {
                let still = still_model(export);
                frames.push(&still);
                let too_large = || {
                    Stop::Frame(Failure::Usage(format!(
                        "{count} frames need more than {} MiB of points; choose fewer by --fps, or write .pc2 or .mdd",
                        MAX_BYTES >> 20
                    )))
                };
                let size = frames.size() / frames.frames.len().max(1) * count;
                first.get_or_insert(still);
                if size > MAX_BYTES { Err(too_large()) } else { Ok(()) }
            });
            pushed.map_err(|stop| stop.on(place))?;
        }
        let Some(still) = first else { return Ok(()) };
        let Model { materials, pictures, .. } = self.model;
        let still = Model { materials: materials.clone(), pictures: pictures.clone(), ..still };
        let stem = place.path().file_stem().unwrap_or_default().to_string_lossy();
        let written = usd::write_points(&still, &frames, form, &stem);
        let written = written.map_err(|error| Failure::output(place.path(), error))?;
        for loss in &written.losses {
            say(&format!("warning: {}: USD cannot hold {loss}", place.path().display()));
        }
        write_all(place, &written.bytes, &written.pictures, inputs)
    }

    fn cache(&mut self, cache: Cache, place: &Output) -> Result<(), Failure> {
        let written = output::write(place, |out| {
            // At most 2²⁵: `open::check_kept`.
            let points = usize::try_from(count_vertices(self.model)).unwrap_or(usize::MAX);
            cache.begin(points, &self.times, out)?;
            for number in 0..self.times.len() {
                self.frame(number, |export| Ok(cache.frame(export.primitives, out)?))?;
            }
            Ok::<(), Stop>(())
        });
        written.map_err(|stop| stop.on(place))
    }

    fn each(
        &mut self,
        format: Format,
        materials: Option<&Materials<'_>>,
        places: &[Output],
    ) -> Result<(), Failure> {
        for (number, place) in places.iter().enumerate() {
            let mut written = || {
                if let Some(materials) = materials.filter(|_| number == 0) {
                    materials.write().map_err(Stop::Frame)?;
                }
                self.frame(number, |export| {
                    output::write(place, |out| match materials {
                        Some(materials) => Ok(write_obj(export, &materials.library, out)?),
                        None => Ok(write(export, format, out)?),
                    })
                })
            };
            output::together(&mut written, Stop::at).map_err(|stop| stop.on(place))?;
        }
        Ok(())
    }
}
