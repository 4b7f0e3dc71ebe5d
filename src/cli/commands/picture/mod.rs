//! `sinew [MODEL]`: draws pictures of a model and writes them.

mod artist;
mod scene;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::image::AnimationFormat;
use crate::model::Model;
use crate::output::{Closed, Inputs};
use crate::render::{GpuModel, MAX_AT_ONCE, Renderer};
use crate::scene::{Framing, Scene};
use crate::skinning::Needs;

use crate::cli::args::PictureArgs;
use crate::cli::args::output::{Output, OutputArgs, is_jpeg, is_stream, output as destination};
use crate::cli::machine::vulkan;
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::subject::pose;
use crate::cli::subject::sequence::{Sequence, has_transparent};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;
use artist::Artist;
pub use artist::notes;
#[cfg(feature = "window")]
pub use artist::write;
#[cfg(feature = "window")]
pub use scene::scene_of_window;
pub use scene::{Other, note, other, scene};

/// Draws one picture or several and writes them; `out` names the output.
pub fn run(args: &PictureArgs, out: &Path, mut inputs: Inputs) -> Result<(), Failure> {
    let output = where_to(&args.output, out)?;
    let destination = &output;
    let prepare = move || {
        let open::Read { model, digests, files: _ } =
            open::model_and_digests(&args.subject.model, &args.subject.load, &mut inputs)?;
        prepared(args, (Arc::new(model), digests, inputs), destination)
    };
    vulkan::with_renderer_while(&args.vulkan, prepare, |renderer, ready| ready.draw(renderer, &output))
}

/// Everything that pictures of a model need, which reading it has digests and inputs of.
pub fn prepared(
    args: &PictureArgs,
    (model, digests, mut inputs): (Arc<Model>, open::Digests, Inputs),
    destination: &Output,
) -> Result<Ready, Failure> {
    let mut scene = scene(args, &model, &mut inputs)?;
    if scene.draws_mush() {
        say("note: delta mush is computed on the CPU, frame by frame, and is not real time");
    }
    let other = other(args, &scene, &model, &mut inputs)?;
    let inputs = inputs.close();
    for model in [&*model].into_iter().chain(other.as_ref().map(|other| &*other.model)) {
        find_needs(&scene, model, &inputs);
    }
    let sequence = match destination {
        Output::Still(_) => None,
        Output::Numbered(_) | Output::Animation(..) => Some(Sequence::new(&args.output, &scene, &model)?),
    };
    if sequence.as_ref().is_some_and(Sequence::plays) && args.framing.is_none() {
        scene.framing = Framing::Clip;
    }
    if let (Some(sequence), Output::Animation(_, format)) = (&sequence, destination) {
        sequence.check(*format, &scene)?;
    }
    let lossy = args.output.lossy;
    let ready = Ready { model, other, digests, inputs, scene, sequence, lossy };
    ready.check(destination)?;
    if ready.sequence.is_none() {
        pose::note_times(&args.subject.posed, args.look.ghost.as_ref(), &ready.scene.pose, &ready.model);
    }
    Ok(ready)
}

/// Finds what the modes of a scene need, unless the model has it.
pub fn find_needs(scene: &Scene, model: &Model, inputs: &Closed) {
    // The marks on a vertex show where each mode puts it.
    let explained = scene.explained.is_some();
    let all = Needs { centers: explained, ddm: explained };
    needs::prepare_needs(scene.needs().and(all), model, inputs);
}

/// Everything that pictures need besides a renderer.
pub struct Ready {
    pub model: Arc<Model>,
    /// The other of two files.
    pub other: Option<Other>,
    pub digests: open::Digests,
    pub inputs: Closed,
    pub scene: Scene,
    /// The sequence, if there is more than one picture.
    pub sequence: Option<Sequence>,
    /// The quality of lossy formats, if a flag sets it.
    pub lossy: Option<u8>,
}

impl Ready {
    /// Refuses outputs that are inputs, or cannot hold the picture.
    pub fn check(&self, output: &Output) -> Result<(), Failure> {
        tracing::info!("{}", self.scene);
        fits(output, &self.scene)?;
        for path in paths(output, self.sequence.as_ref()) {
            self.inputs.output(path)?;
        }
        Ok(())
    }

    /// Draws and writes everything.
    pub fn draw(self, renderer: &mut Renderer, output: &Output) -> Result<(), Failure> {
        let about = |error| Failure::from(error).about(&self.scene.files.model);
        let mut gpu = renderer.upload_framed(Arc::clone(&self.model), &self.scene).map_err(about)?;
        renderer.upload_other(&mut gpu, self.other.as_ref().map(|other| &other.model)).map_err(about)?;
        self.draw_with(renderer, &mut gpu, output)
    }

    /// Draws and writes everything, with a model and the other of two files already uploaded.
    pub fn draw_with(
        self,
        renderer: &mut Renderer,
        gpu: &mut GpuModel,
        output: &Output,
    ) -> Result<(), Failure> {
        let Self { model: _, other, digests, inputs, scene, sequence, lossy } = self;
        let other = other.map(|other| other.digests);
        let mut artist = Artist { renderer, gpu, scene, digests, other, inputs, lossy };
        let written = match (output, &sequence) {
            (Output::Numbered(names), Some(sequence)) => {
                artist.draw_files(sequence, |number| names.path(number, sequence.count))
            }
            (Output::Animation(out, format), Some(sequence)) => artist.draw_animation(sequence, out, *format),
            (Output::Still(out), _) => artist.draw_to(&artist.scene.clone(), &artist.inputs.output(out)?),
            _ => Ok(()),
        };
        written.map_err(|failure| failure.about(&artist.scene.files.model))
    }
}

/// The outputs, or the reason that the pictures cannot be written there.
pub fn where_to(args: &OutputArgs, out: &Path) -> Result<Output, Failure> {
    let named = |cause: String| Failure::Usage(format!("--screenshot {}: {cause}", out.display()));
    if out == Path::new("-") && std::io::stdout().is_terminal() {
        return Err(named("this is a terminal; send the picture to a file or a program".to_owned()));
    }
    let destination = destination(out).map_err(named)?;
    if args.lossy.is_some() && !may_lose(&destination) {
        return Err(Failure::Usage(
            "--lossy is for .jpg and .webp; all other formats lose nothing".to_owned(),
        ));
    }
    match destination {
        Output::Still(path) if args.asks_for_sequence() => match is_stream(&path) {
            true => Ok(Output::Animation(path, AnimationFormat::Y4m)),
            false => Err(named(
                "a sequence needs a name that contains {frame}, or one of an animation, such as \
                                run.webp or run.mp4"
                    .to_owned(),
            )),
        },
        output => Ok(output),
    }
}

/// Returns true if a format may be lossy.
fn may_lose(output: &Output) -> bool {
    match output {
        Output::Still(path) => is_jpeg(path),
        Output::Numbered(names) => is_jpeg(&names.path(0, 1)),
        Output::Animation(_, format) => *format == AnimationFormat::Webp,
    }
}

/// Refuses pictures that a JPEG cannot hold.
pub fn fits(output: &Output, scene: &Scene) -> Result<(), Failure> {
    let is_animation = matches!(output, Output::Animation(..));
    if is_animation || !may_lose(output) {
        return Ok(());
    }
    let [width, height] = scene.size;
    if has_transparent(scene) {
        let cause = "--background transparent: .jpg has no transparent pixels; use .png or .webp";
        return Err(Failure::Usage(cause.to_owned()));
    }
    match width.max(height) > MAX_AT_ONCE {
        true => Err(Failure::Usage(format!(
            "--size {width}x{height}: a .jpg is at most {MAX_AT_ONCE} pixels wide and high; use .png"
        ))),
        false => Ok(()),
    }
}

/// Every file that will be written.
fn paths(output: &Output, sequence: Option<&Sequence>) -> Vec<PathBuf> {
    match (output, sequence) {
        (Output::Still(path) | Output::Animation(path, _), _) => vec![path.clone()],
        (Output::Numbered(names), Some(Sequence { count, .. })) => {
            (0..*count).map(|number| names.path(number, *count)).collect()
        }
        (Output::Numbered(_), None) => Vec::new(),
    }
}
