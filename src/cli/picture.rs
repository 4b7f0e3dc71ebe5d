//! `sinew [MODEL]`: draws pictures of a model and writes them.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::camera::Viewpoint;
use crate::environment::Environment;
use crate::image::{
    AnimationFormat, Frames, Image, ImageError, JPEG_QUALITY, Notes, in_order, write_animation, write_jpeg,
    write_png_rows, write_png_with,
};
use crate::model::{Model, NotDrawn};
use crate::output::Inputs;
use crate::overlay::Overlays;
use crate::pairing::carried;
use crate::render::{GpuModel, MOST_AT_ONCE, Renderer, TILE};
use crate::scene::{Arrangement, Scene, visible_view};
use crate::skinning::Fault;
use crate::skinning::pose::PoseChoice;
use crate::skinning::posed::fault_shows;
use crate::view::View;
use crate::vulkan::PhysicalDevice;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::output::{Output, OutputArgs, is_jpeg, is_stream, output as destination};
use super::args::{AskedMode, PictureArgs, PictureSkinner};
use super::failure::Failure;
use super::print::say;
use super::sequence::{Sequence, has_transparent};
use super::show::{
    AUTHORED, CLIPS, COMMAND, DEVICE, DRIVER, ENVIRONMENT, FILES, MODEL, OTHER, OTHER_FILES, SOFTWARE,
};
use super::{centers, file, open, pose, storyboard, vulkan};

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
    let scene = scene(args, &model, &mut inputs)?;
    let other = other(args, &scene, &model, &mut inputs)?;
    for model in [&*model].into_iter().chain(other.as_ref().map(|other| &*other.model)) {
        find_centers(&scene, model, &inputs);
    }
    let sequence = match destination {
        Output::Still(_) => None,
        Output::Numbered(_) | Output::Animation(..) => Some(Sequence::new(&args.output, &scene, &model)?),
    };
    if let (Some(sequence), Output::Animation(_, format)) = (&sequence, destination) {
        sequence.check(*format, &scene)?;
    }
    let lossy = args.output.lossy;
    let ready = Ready { model, other, digests, inputs, scene, sequence, lossy };
    ready.check(destination)?;
    if ready.sequence.is_none() {
        pose::note_time(&args.subject.posed, &ready.scene.pose, &ready.model);
    }
    Ok(ready)
}

/// Finds the centres of rotation that a scene shows, unless the model has them.
pub fn find_centers(scene: &Scene, model: &Model, inputs: &Inputs) {
    // The marks on a vertex show where each mode puts it.
    centers::prepare_if(scene.needs_centers() || scene.explained.is_some(), model, inputs);
}

/// Everything that pictures need besides a renderer.
pub struct Ready {
    pub model: Arc<Model>,
    /// The other of two files.
    pub other: Option<Other>,
    pub digests: open::Digests,
    pub inputs: Inputs,
    pub scene: Scene,
    /// The sequence, if there is more than one picture.
    pub sequence: Option<Sequence>,
    /// The quality of formats that may lose something, if one is asked for.
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
        let mut gpu = renderer.upload_framed(Arc::clone(&self.model), &self.scene.pose)?;
        renderer.upload_other(&mut gpu, self.other.as_ref().map(|other| &other.model))?;
        self.draw_with(renderer, &mut gpu, output)
    }

    /// The same with a model that was uploaded, and the other of two files.
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
            (Output::Still(out), _) => artist.draw_to(&artist.scene.clone(), out),
            _ => Ok(()),
        };
        written.map_err(|failure| failure.about(&artist.scene.model))
    }
}

/// The outputs, or why the pictures cannot go there.
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

/// Whether a format may lose something of a picture.
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
    match width.max(height) > MOST_AT_ONCE {
        true => Err(Failure::Usage(format!(
            "--size {width}x{height}: a .jpg is at most {MOST_AT_ONCE} pixels wide and high; use .png"
        ))),
        false => Ok(()),
    }
}

/// Writes a picture in the format of its name.
pub fn write(
    image: &Image,
    notes: &Notes,
    lossy: Option<u8>,
    place: &crate::output::Output,
) -> Result<(), ImageError> {
    match is_jpeg(place.path()) {
        true => write_jpeg(image, lossy.unwrap_or(JPEG_QUALITY), notes, place),
        false => write_png_with(image, notes, place),
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

/// A renderer with one model.
struct Artist<'a> {
    gpu: &'a mut GpuModel,
    renderer: &'a mut Renderer,
    scene: Scene,
    digests: open::Digests,
    /// Those of the other of two files.
    other: Option<open::Digests>,
    inputs: Inputs,
    lossy: Option<u8>,
}

/// Why writing a file stopped.
enum Stop {
    Draw(Failure),
    Write(ImageError),
}

impl Stop {
    fn on(self, out: &Path) -> Failure {
        match self {
            Self::Draw(failure) => failure,
            Self::Write(cause) => Failure::output(out, cause),
        }
    }
}

impl From<ImageError> for Stop {
    fn from(error: ImageError) -> Self {
        Self::Write(error)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Write(error.into())
    }
}

impl From<crate::vulkan::VulkanError> for Stop {
    fn from(error: crate::vulkan::VulkanError) -> Self {
        Self::Draw(error.into())
    }
}

/// The notes that picture files carry.
pub fn notes(
    digests: &open::Digests,
    other: Option<&open::Digests>,
    device: &PhysicalDevice,
    (scene, command): (&Scene, String),
) -> Notes {
    let mut notes = Notes::default();
    notes.add(SOFTWARE, concat!("sinew ", env!("CARGO_PKG_VERSION")));
    notes.add(COMMAND, command);
    if let Some(mode) = digests.authored {
        notes.add(AUTHORED, mode.name());
    }
    notes.add(MODEL, &digests.model);
    if let Some(files) = &digests.files {
        notes.add(FILES, files);
    }
    if let Some(other) = other {
        notes.add(OTHER, &other.model);
        if let Some(files) = &other.files {
            notes.add(OTHER_FILES, files);
        }
    }
    if let Some(clips) = &digests.clips {
        notes.add(CLIPS, clips);
    }
    if let Some(environment) = &scene.environment {
        notes.add(ENVIRONMENT, &environment.digest);
    }
    notes.add(DEVICE, &device.name);
    notes.add(DRIVER, &device.driver);
    notes
}

impl Artist<'_> {
    fn notes(&self, mut command: String) -> Notes {
        if let Some(quality) = self.lossy {
            command.push_str(&format!(" --lossy {quality}"));
        }
        notes(&self.digests, self.other.as_ref(), self.renderer.device().physical(), (&self.scene, command))
    }

    fn draw(&mut self, scene: &Scene) -> Result<Image, Failure> {
        self.renderer.draw(self.gpu, scene)?;
        let image = self.renderer.read()?;
        for time in self.renderer.pass_times()? {
            tracing::info!("pass {}: {:.3} ms on the GPU", time.pass, time.millis);
        }
        Ok(image)
    }

    /// Draws one picture, at once or in tiles, and writes it.
    fn draw_to(&mut self, scene: &Scene, out: &Path) -> Result<(), Failure> {
        let notes = self.notes(scene.to_string());
        if scene.size.iter().all(|side| *side <= MOST_AT_ONCE) {
            let image = self.draw(scene)?;
            let written = write(&image, &notes, self.lossy, &self.inputs.output(out)?);
            return written.map_err(|cause| Failure::output(out, cause));
        }
        let Self { renderer, gpu, inputs, .. } = self;
        let written = write_png_rows(scene.size, &notes, &inputs.output(out)?, |write| {
            renderer.draw_rows(gpu, scene, TILE, |rows| Ok::<(), Stop>(write(rows)?))
        });
        written.map_err(|stop| stop.on(out))
    }

    /// The scene that all pictures of a sequence start from.
    fn framed(&mut self, sequence: &Sequence) -> Scene {
        let camera = match &self.scene.camera {
            Viewpoint::Orbit(orbit) => orbit.facing(self.gpu.broad_side(&self.scene)).into(),
            camera @ Viewpoint::InFile { .. } => camera.clone(),
        };
        let camera = sequence.viewpoint(&camera, self.gpu.hull_of(&self.scene), self.scene.size);
        Scene { camera, ..self.scene.clone() }
    }

    fn draw_files(
        &mut self,
        sequence: &Sequence,
        path: impl Fn(u32) -> std::path::PathBuf,
    ) -> Result<(), Failure> {
        let framed = self.framed(sequence);
        let bar = bar(sequence.count);
        let is_large = framed.size.iter().any(|side| *side > MOST_AT_ONCE);
        if is_large {
            for number in 0..sequence.count {
                self.draw_to(&sequence.scene(number, &framed), &path(number))?;
                bar.inc(1);
            }
        } else {
            let jobs = (0..sequence.count).map(|number| {
                let scene = sequence.scene(number, &framed);
                let (image, notes) = (self.draw(&scene)?, self.notes(scene.to_string()));
                let out = path(number);
                let (place, lossy) = (self.inputs.output(&out)?, self.lossy);
                bar.inc(1);
                Ok(move || {
                    let written = write(&image, &notes, lossy, &place);
                    written.map_err(|cause| Failure::output(&out, cause))
                })
            });
            in_order(jobs, |written| written)?;
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn draw_animation(
        &mut self,
        sequence: &Sequence,
        out: &Path,
        format: AnimationFormat,
    ) -> Result<(), Failure> {
        let framed = self.framed(sequence);
        let notes = self.notes(format!("{}{}", self.scene, sequence.flags));
        let bar = bar(sequence.count);
        let place = self.inputs.output(out)?;
        let Sequence { count, per_second, .. } = *sequence;
        let frames = Frames { size: framed.size, count, per_second, lossy: self.lossy };
        let written = write_animation(format, &frames, &notes, &place, |number| -> Result<Image, Stop> {
            let image = self.draw(&sequence.scene(number, &framed)).map_err(Stop::Draw)?;
            bar.inc(1);
            Ok(image)
        });
        bar.finish_and_clear();
        written.map_err(|stop| stop.on(out))
    }
}

/// A progress bar; it shows only on a terminal.
fn bar(count: u32) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count.into()), ProgressDrawTarget::stderr());
    // If the template fails to parse, the default bar remains.
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} pictures, {eta} left");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

/// The scene that the flags ask for.
pub fn scene(args: &PictureArgs, model: &Model, inputs: &mut Inputs) -> Result<Scene, Failure> {
    let arrangement = storyboard::arrangement(args, model, inputs, &single)?;
    let scene = Scene { arrangement, ..single(args, model, inputs)? };
    match (&args.look.other, scene.needs_other()) {
        (None, true) => {
            return Err(Failure::Usage("'other' stands for a second file; name it with --other".to_owned()));
        }
        (Some(_), false) => {
            return Err(Failure::Usage(
                "--other needs --split other, --wipe other or --view difference:other".to_owned(),
            ));
        }
        (Some(_), true) | (None, false) => {}
    }
    note_hidden_faults(&scene, model);
    // lbs is what there would be without a word, and in every printed command line.
    if matches!(args.subject.mode, AskedMode::Mode(mode) if mode != crate::skinning::SkinningMode::Linear)
        && model.skins.is_empty()
        && !model.instances.is_empty()
    {
        say(&format!("note: {}: it has no skin, so every mode draws the same", scene.model));
    }
    Ok(scene)
}

/// Says which faults no pane shows.
fn note_hidden_faults(scene: &Scene, model: &Model) {
    let panes: Vec<Scene> = match scene.panes() {
        panes if panes.is_empty() => vec![scene.clone()],
        panes => panes.into_iter().filter(|pane| !pane.is_other).map(|pane| pane.scene).collect(),
    };
    for fault in Fault::ALL {
        let with: Vec<&Scene> = panes.iter().filter(|pane| pane.inject == Some(fault)).collect();
        if with.is_empty() || with.iter().any(|pane| fault_shows(model, pane.mode, &pane.pose, fault)) {
            continue;
        }
        let because = match fault.only_in().filter(|mode| with.iter().all(|pane| pane.mode != *mode)) {
            Some(mode) => format!("; it is a fault of {mode} alone"),
            None => String::new(),
        };
        say(&format!("note: --inject {fault} changes nothing in this pose of {}{because}", scene.model));
    }
}

/// The other of two files.
pub struct Other {
    pub model: Arc<Model>,
    pub digests: open::Digests,
}

/// Reads the other of two files, in which the scene's pose must exist.
pub fn other(
    args: &PictureArgs,
    scene: &Scene,
    model: &Model,
    inputs: &mut Inputs,
) -> Result<Option<Other>, Failure> {
    let Some(given) = &args.look.other else { return Ok(None) };
    let open::Read { model: other, digests, files: _ } =
        open::model_and_digests(given, &args.subject.load, inputs)?;
    open::check_size(&other, given, open::MOST_KEPT)?;
    for scene in [scene.clone()].into_iter().chain(scene.panes().into_iter().map(|pane| pane.scene)) {
        carried(&scene.pose, model, &other)
            .map_err(|cause| Failure::Input { file: open::shown(given), cause })?;
    }
    Ok(Some(Other { model: Arc::new(other), digests }))
}

/// Refuses what is about one figure where there is a crowd.
fn fits_crowd(args: &PictureArgs, view: &View, overlays: Overlays) -> Result<(), Failure> {
    let of_one = |what: &str| {
        Err(Failure::Usage(format!("--crowd cannot be used with {what}: that shows one figure")))
    };
    match (view, overlays) {
        (View::Skeleton | View::Centers | View::Difference(_), _) => of_one(&format!("--view {view}")),
        _ if overlays != (Overlays { grid: overlays.grid, ..Overlays::default() }) => {
            of_one("this --overlay")
        }
        _ if args.look.onion.is_some() => of_one("--onion"),
        _ if args.look.explain.is_some() => of_one("--explain"),
        _ => Ok(()),
    }
}

/// The light all around that the flags ask for.
fn environment(args: &PictureArgs, inputs: &mut Inputs) -> Result<Option<Arc<Environment>>, Failure> {
    let Some(file) = &args.look.environment else { return Ok(None) };
    file::environment(file, inputs).map(|environment| Some(Arc::new(environment)))
}

/// The scene without other panes.
fn single(args: &PictureArgs, model: &Model, inputs: &mut Inputs) -> Result<Scene, Failure> {
    let overlays = args.look.overlay.unwrap_or_default();
    // The CPU computes the bounds, skins a figure for each outline of the onion skin, and finds whether faults show.
    let most = match args.skin {
        PictureSkinner::Gpu | PictureSkinner::Compute | PictureSkinner::Auto
            if !overlays.bounds && args.look.onion.is_none() && args.look.inject.is_none() =>
        {
            open::MOST_DRAWN
        }
        PictureSkinner::Gpu | PictureSkinner::Compute | PictureSkinner::Auto | PictureSkinner::Cpu => {
            open::MOST_KEPT
        }
    };
    open::check_size(model, &args.subject.model, most)?;
    let asked = open::view(args, model)?;
    if args.crowd.is_some() {
        fits_crowd(args, &asked, overlays)?;
    }
    let view = visible_view(asked.clone(), model);
    if view != asked {
        let shown = match model.rig.is_empty() {
            false => "it has no mesh; showing its skeleton",
            true => "it has neither meshes nor nodes; there is nothing to show",
        };
        say(&format!("warning: {}: {shown}", open::shown(&args.subject.model)));
    }
    if let Some(name) = &args.look.explain {
        let fault = |error: NotDrawn| Failure::Input {
            file: open::shown(&args.subject.model),
            cause: format!("--explain: {error}"),
        };
        name.find(model).map_err(fault)?;
    }
    // Always parse the pose: names in it must exist even if the view replaces it.
    let pose = match (&view, pose::pose(&args.subject.posed, &args.subject.model, model, inputs)?) {
        (View::SkinSpace, _) => PoseChoice::SkinSpace(None),
        (View::SpaceOf(joint), _) => {
            let only = pose::joint(joint, model).map_err(|cause| Failure::Input {
                file: open::shown(&args.subject.model),
                cause: format!("--view: {cause}"),
            })?;
            PoseChoice::SkinSpace(Some(only))
        }
        (_, pose) => pose,
    };
    Ok(Scene {
        other: args.look.other.as_ref().map(|other| open::shown(other)),
        mode: args.subject.mode.of(model),
        skin: args.skin.into(),
        palette: args.palette,
        crowd: args.crowd(),
        camera: open::viewpoint(&args.camera, &args.subject.model, model, &pose)?,
        pose,
        inject: args.look.inject,
        size: args.size,
        look: (&args.look).into(),
        view,
        overlays,
        materials: open::materials(args, model)?,
        onion: args.look.onion,
        explained: args.look.explain,
        arrangement: Arrangement::Single,
        legend: !args.look.no_legend,
        environment: environment(args, inputs)?,
        ..args.subject.load.scene(open::shown(&args.subject.model))
    })
}
