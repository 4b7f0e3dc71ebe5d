//! `sinew [MODEL]` without an output: opens the window, and writes pictures and poses, reloads files and prints to the
//! terminal for it.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::terminal::signals;
use crate::environment::Environment;
use crate::image::{Image, ImageError, write_png_with};
use crate::model::gltf::{FilePart, ModelFile};
use crate::model::{Model, Warning};
use crate::output::{self, Inputs, Output, Session};
use crate::pose_file;
use crate::render::Renderer;
use crate::scene::Scene;
use crate::skinning::pose::{ClipMix, PoseChoice};
use crate::skinning::reweight::PlacedEdit;
use crate::viewer::{self, Errands, Habits, Options, Start, Stopper, Upload, ViewerError, Watched};
use crate::vulkan::Preload;

use crate::cli::args::{LoadArgs, PictureArgs, PoseSource, SubjectArgs};
use crate::cli::commands::picture;
use crate::cli::machine::vulkan;
use crate::cli::subject::clips;
use crate::cli::subject::file;
use crate::cli::subject::needs;
use crate::cli::subject::open::{self, Digests, Read};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;
use crate::cli::window::errand::Errand;
use crate::cli::window::free_names::write_beside;
use crate::cli::window::listing::{self, Listing};
use crate::cli::window::lost::{self, Lost, Save, What};
use crate::cli::window::state::State;
use crate::cli::window::thumbnails;
use crate::cli::window::watch::{Look, Watch};
use crate::cli::window::weights;

/// Shows the model until its window is closed.
pub fn run(mut args: PictureArgs, mut inputs: Inputs) -> Result<(), Failure> {
    // Keeps the driver libraries loaded until the window is closed; its instance needs them no longer than that.
    let _drivers = Preload::start();
    let look = Watch::default().look();
    let files = files(&args)?;
    let read = first(&mut args, &files, &mut inputs)?;
    let (args, file) = (&args, args.subject.model.clone());
    let scene = picture::scene_of_window(args, &read.model, &mut inputs)?;
    let other = picture::other(args, &scene, &read.model, &mut inputs)?;
    let start = start(args, &read.model)?;
    let name = scene.files.model.clone();
    #[allow(clippy::disallowed_methods, reason = "the window reads other files after it has written")]
    let session = inputs.stay_open();
    tracing::info!("{scene}");
    let (mut desk, model) = Desk::new(args, session, &look, read);
    desk.other = other.as_ref().map(|other| other.digests.clone());
    vulkan::watched(&args.vulkan.validate, |instance| {
        let options = Options {
            instance,
            device: args.vulkan.device(),
            cache: vulkan::cache_folder(),
            pacing: args.window.vsync.into(),
            start,
            habits: desk.state.layout(),
            other: other.as_ref().map(|other| Arc::clone(&other.model)),
            prepare: needs::finder(&desk.session),
            end,
            files,
            thumbnails: Some(thumbnails::maker()),
        };
        let shown = viewer::run(Arc::new(model), file, scene, options, &mut desk, stop_on_signals);
        let kept = lost::kept();
        if let Some(kept) = kept.as_ref().filter(|_| shown.is_ok()) {
            say(&format!("{kept}; the next window with this file offers it"));
        }
        shown.map_err(|error| {
            let failure = match error {
                ViewerError::Vulkan(error) => Failure::from(error).about(&name),
                error => Failure::Window(error.to_string()),
            };
            match kept {
                // One line says both.
                Some(kept) => Failure::Window(format!("{failure}; {kept}")),
                None => failure,
            }
        })
    })
}

/// The window's list of files.
fn files(args: &PictureArgs) -> Result<Vec<OsString>, Failure> {
    let model = &args.subject.model;
    if args.window.more.is_empty() && !listing::is_list(model) {
        return Ok(vec![model.clone()]);
    }
    let words: Vec<OsString> = [model].into_iter().chain(&args.window.more).cloned().collect();
    let Listing { files, faults, is_cut } = listing::list(&words);
    if let Some((word, cause)) = faults.into_iter().next() {
        open::check_command(&word)?;
        return Err(Failure::Input { file: open::shown(&word), cause });
    }
    if is_cut {
        say(&format!("warning: the list has the first {} files, and there are more", files.len()));
    }
    Ok(files)
}

/// Reads the first file that can be read, and reports the errors of those before it.
fn first(args: &mut PictureArgs, files: &[OsString], inputs: &mut Inputs) -> Result<Read, Failure> {
    let mut failures = Vec::new();
    for file in files {
        match open::model_and_digests(file, &args.subject.load, inputs) {
            Ok(read) => {
                failures.iter().for_each(|failure| say(&format!("warning: {failure}")));
                args.change_all(|picture| picture.subject.model.clone_from(file));
                return Ok(read);
            }
            Err(failure @ Failure::Input { .. }) => failures.push(failure),
            Err(failure) => return Err(failure),
        }
    }
    let more = failures.len().saturating_sub(1);
    let none = || Failure::Usage("no model to show".to_owned());
    let first = failures.into_iter().next().ok_or_else(none)?;
    Err(if more == 0 { first } else { first.with_more(more) })
}

/// Reports the loss of the window and ends the program, before a library ends it without a message.
fn end(cause: &str) -> ! {
    let kept = lost::kept().map_or_else(String::new, |kept| format!("; {kept}"));
    let failure = Failure::Window(format!("{}{kept}", ViewerError::Window(cause.to_owned())));
    say(&format!("error: {failure}"));
    #[allow(clippy::disallowed_methods, reason = "no caller takes a failure")]
    std::process::exit(failure.exit_code().into())
}

/// The initial state of the window; nodes and vertices that flags name must exist in the model.
pub fn start(args: &PictureArgs, model: &Model) -> Result<Start, Failure> {
    let fault = |cause| Failure::Input { file: open::shown(&args.subject.model), cause };
    let start = args.window.start(model, args.look.vertex).map_err(fault)?;
    Ok(Start { text: args.text.clone(), composed: args.composed, ..start })
}

/// Ctrl+C in the terminal and SIGTERM close the window just as its close button does.
fn stop_on_signals(stopper: Stopper) {
    signals::tell(move || stopper.stop());
}

/// Runs the window's errands.
struct Desk<'a> {
    subject: &'a SubjectArgs,
    session: Session,
    digests: Digests,
    /// The digests of the other of two files, which stays with the first.
    other: Option<Digests>,
    load: LoadArgs,
    file: OsString,
    /// Recent files, and the window's layout.
    state: State,
    /// Keeps the edited pose while it is in no file.
    lost: Lost,
    /// Keeps the edits of weights likewise.
    lost_weights: Lost,
    /// The file that is being read for the window.
    errand: Option<Errand>,
    /// Watches the model's files.
    model_files: Watch,
    /// The texture files that are shown.
    pictures: HashSet<PathBuf>,
    /// The light all around that was read last.
    environment: Option<(OsString, Watch)>,
    /// The pose file, until a model other than its own is shown.
    pose_file: Option<(PathBuf, Watch)>,
}

impl<'a> Desk<'a> {
    /// Starts with a model and a pose that were read after `look`.
    fn new(args: &'a PictureArgs, session: Session, look: &Look, read: Read) -> (Self, Model) {
        let pose_file = match &args.subject.posed.pose {
            Some(PoseSource::File(path)) => {
                let mut watch = Watch::default();
                watch.follow(look, [path.clone()]);
                Some((path.clone(), watch))
            }
            Some(PoseSource::Bind | PoseSource::Rest) | None => None,
        };
        let environment = args.look.environment.clone().map(|file| {
            let mut watch = Watch::default();
            watch.follow(look, [PathBuf::from(&file)]);
            (file, watch)
        });
        let mut desk = Self {
            environment,
            subject: &args.subject,
            session,
            digests: read.digests.clone(),
            other: None,
            load: args.subject.load.clone(),
            file: OsString::new(),
            state: State::open(),
            lost: Lost::of(&args.subject.model, What::Pose),
            lost_weights: Lost::of(&args.subject.model, What::Weights),
            errand: None,
            model_files: Watch::default(),
            pictures: HashSet::new(),
            pose_file,
        };
        let Read { model, digests, files } = read;
        desk.take((&args.subject.model, args.subject.load.clone()), look, &model, (digests, &files));
        (desk, model)
    }

    /// Watches the files of a model that could not be read until it works.
    fn note_failed(&mut self, file: &OsStr, load: &LoadArgs, look: &Look) {
        // These inputs are open, so none of them is late.
        let _ = open::note(file, load, &mut self.session.inputs());
        self.wait_for(file, load, &open::files(file, load), look);
    }

    /// Returns the fault of a texture that was shown and no longer is. While a model is being written, one may be missing or
    /// incomplete.
    fn lost_picture(&self, read: &Read) -> Option<String> {
        let is_lost = |file: &&ModelFile| self.pictures.contains(&file.path) && !is_shown(&read.model, file);
        read.files.iter().filter(is_lost).find_map(|file| match file.part {
            FilePart::Picture(index) => {
                Some(format!("{}: {}", file.path.display(), picture_fault(&read.model, index)?))
            }
            FilePart::Buffer => None,
        })
    }

    /// Also watches the files that the current file names now.
    fn wait_for(&mut self, file: &OsStr, load: &LoadArgs, files: &[ModelFile], look: &Look) {
        if file == self.file {
            self.model_files.add(look, watched(file, load, files));
        }
    }

    /// Makes a model the current one.
    fn take(
        &mut self,
        (file, load): (&OsStr, LoadArgs),
        look: &Look,
        model: &Model,
        (digests, files): (Digests, &[ModelFile]),
    ) {
        self.model_files.follow(look, watched(file, &load, files));
        if file != self.file {
            self.lost = Lost::of(file, What::Pose);
            self.lost_weights = Lost::of(file, What::Weights);
        }
        (self.digests, self.load, self.file) = (digests, load, file.to_owned());
        self.pictures = files.iter().filter(|file| is_shown(model, file)).map(|f| f.path.clone()).collect();
        self.state.remember(file, &self.session.closed());
    }
}

/// The files to watch for a model and for clips from elsewhere; a built-in one or one from a pipe has none.
fn watched(file: &OsStr, load: &LoadArgs, files: &[ModelFile]) -> Vec<PathBuf> {
    let own = file::is_file(file).then(|| PathBuf::from(file));
    let clips = clips::files(load).into_iter().map(|(path, _)| path);
    own.into_iter().chain(files.iter().map(|file| file.path.clone())).chain(clips).collect()
}

/// Returns true if a file is a texture that could be decoded.
fn is_shown(model: &Model, file: &ModelFile) -> bool {
    match file.part {
        FilePart::Picture(index) => model.pictures.get(index).is_some_and(Option::is_some),
        FilePart::Buffer => false,
    }
}

/// Why a texture of a model could not be decoded.
fn picture_fault(model: &Model, index: usize) -> Option<&str> {
    let path = format!("images[{index}]");
    let found = model.warnings.iter().find(|warning| warning.path.starts_with(&path));
    // After the semicolon, the message names the replacement.
    found
        .map(|Warning { message, .. }| message.rsplit_once("; ").map_or(message.as_str(), |(cause, _)| cause))
}

impl Errands for Desk<'_> {
    fn recent(&self) -> Vec<OsString> {
        self.state.recent_besides(&self.file)
    }

    fn list(&self, names: &[OsString]) -> Result<Vec<OsString>, String> {
        let names: Vec<OsString> = names.iter().map(|name| from_home(name)).collect();
        let Listing { files, faults, .. } = listing::list(&names);
        match faults.into_iter().next() {
            Some((name, cause)) if files.is_empty() => Err(format!("{}: {cause}", open::shown(&name))),
            _ => Ok(files),
        }
    }

    fn beside(&self) -> Vec<OsString> {
        listing::beside(&self.file)
    }

    fn begin(&mut self, file: &OsStr) {
        self.give_up();
        let look = self.model_files.look();
        let mut load = self.load.clone();
        if file != self.file {
            // These were meant for another file.
            (load.scene, load.joint_map) = (None, None);
            load.clip_from.clear();
            load.no_guess = false;
        }
        self.errand = Some(Errand::begin(file, &load, look, self.session.inputs()));
    }

    fn begin_again(&mut self) {
        self.give_up();
        let look = self.model_files.look();
        let mut errand = Errand::begin(&self.file, &self.load, look, self.session.inputs());
        errand.is_again = true;
        self.errand = Some(errand);
    }

    fn share(&self) -> f64 {
        self.errand.as_ref().map_or(0.0, Errand::share)
    }

    fn is_read(&self) -> bool {
        self.errand.as_ref().is_some_and(Errand::is_done)
    }

    fn end(&mut self, upload: &mut Upload<'_>) -> Option<Result<Arc<Model>, String>> {
        let mut errand = self.errand.take()?;
        let is_again = errand.is_again;
        let (file, load) = (std::mem::take(&mut errand.file), std::mem::take(&mut errand.load));
        let look = std::mem::replace(&mut errand.look, Watch::default().look());
        Some(match errand.end() {
            Ok(read) => {
                if let Some(error) = self.lost_picture(&read).filter(|_| is_again) {
                    self.wait_for(&file, &load, &read.files, &look);
                    return Some(Err(error));
                }
                let Read { model, digests, files } = read;
                let model = Arc::new(model);
                if let Err(cause) = upload(&model) {
                    self.note_failed(&file, &load, &look);
                    return Some(Err(format!("{}: {cause}", open::shown(&file))));
                }
                if file != self.file {
                    self.pose_file = None;
                }
                open::warn(&file, &model);
                self.take((&file, load), &look, &model, (digests, &files));
                Ok(model)
            }
            Err(error) => {
                self.note_failed(&file, &load, &look);
                Err(error)
            }
        })
    }

    fn give_up(&mut self) {
        if let Some(errand) = self.errand.take() {
            errand.give_up();
        }
    }

    fn environment(&mut self, file: &OsStr) -> Result<Environment, String> {
        let is_known = self.environment.as_ref().is_some_and(|(known, _)| known == file);
        let mut watch =
            self.environment.take().filter(|_| is_known).map_or_else(Watch::default, |(_, watch)| watch);
        let look = watch.look();
        let read = crate::cli::subject::file::environment(file, &mut self.session.inputs())
            .map_err(|failure| failure.to_string());
        watch.follow(&look, [PathBuf::from(file)]);
        self.environment = Some((file.to_owned(), watch));
        read
    }

    fn read_pose(&mut self, model: &Model) -> Option<Result<PoseChoice, String>> {
        let (path, watch) = self.pose_file.as_mut()?;
        watch.follow(&watch.look(), [path.clone()]);
        let pose = crate::cli::subject::pose::pose(
            &self.subject.posed,
            &self.subject.model,
            model,
            &mut self.session.inputs(),
        );
        Some(pose.map_err(|failure| failure.to_string()))
    }

    fn changed(&mut self) -> Option<Watched> {
        let pose = self.pose_file.as_ref().map(|(_, watch)| watch);
        match self.model_files.has_changed() {
            true => Some(Watched::Model),
            false if pose.is_some_and(Watch::has_changed) => Some(Watched::Pose),
            false => {
                let environment = self.environment.as_ref();
                environment.is_some_and(|(_, watch)| watch.has_changed()).then_some(Watched::Environment)
            }
        }
    }

    fn write_picture(
        &mut self,
        scene: &Scene,
        picture: &Image,
        renderer: &Renderer,
    ) -> Result<String, String> {
        let other = self.other.as_ref().filter(|_| scene.needs_other());
        let notes = picture::notes(&self.digests, other, renderer, (scene, scene.to_string()));
        write_beside((&scene.files.model, "", "png"), &self.session.closed(), |output| {
            output::write(output, |out| write_png_with(picture, &notes, out)).map_err(|error| match error {
                ImageError::Io(error) => error,
                error => io::Error::other(error),
            })
        })
    }

    fn write_pose(&mut self, file: &str, mix: &ClipMix, model: &Model) -> Result<String, String> {
        write_beside((file, "-pose", "json"), &self.session.closed(), |output| {
            pose_file::save(output, mix, model)
        })
    }

    fn write_weights(&mut self, file: &str, edits: &[PlacedEdit], model: &Model) -> Result<String, String> {
        // Without it, unchanged weights are written as they were loaded.
        let original = open::loaded_and_stored(&self.file, &self.load, &mut self.session.inputs()).ok();
        weights::write(file, edits, model, original.as_ref(), &self.session.closed())
    }

    fn say(&mut self, text: &str) {
        say(text);
    }

    fn keep_habits(&mut self, habits: &Habits) {
        self.state.keep_layout(habits, &self.session.closed());
    }

    fn lost(&mut self, model: &Model) -> Option<ClipMix> {
        self.lost.find(|path| lost::pose(path, model))
    }

    fn forget(&mut self) {
        self.lost.forget();
        self.lost_weights.forget();
    }

    fn keep(&mut self, mix: Option<&ClipMix>, model: &Model) -> Result<(), String> {
        let save = |mix: &ClipMix, to: &Output| pose_file::save(to, mix, model);
        let save = mix.map(|mix| move |to: &Output| save(mix, to));
        let kept = self.lost.keep(save.as_ref().map(|save| save as Save<'_>), &self.session.closed());
        kept.map_err(|error| error.to_string())
    }

    fn lost_weights(&mut self) -> Vec<PlacedEdit> {
        self.lost_weights.find(weights::load).unwrap_or_default()
    }

    fn keep_weights(&mut self, edits: &[PlacedEdit]) -> Result<(), String> {
        let save = |to: &Output| weights::save(to, edits);
        let save = (!edits.is_empty()).then_some(&save as Save<'_>);
        self.lost_weights.keep(save, &self.session.closed()).map_err(|error| error.to_string())
    }
}

/// A name that begins with the home folder, as shells write it.
fn from_home(name: &OsStr) -> OsString {
    let below = name.to_str().and_then(|name| name.strip_prefix("~/"));
    let home = std::env::var_os("HOME").filter(|_| !Path::new(name).exists());
    match (home, below) {
        (Some(home), Some(below)) => Path::new(&home).join(below).into_os_string(),
        _ => name.to_owned(),
    }
}
