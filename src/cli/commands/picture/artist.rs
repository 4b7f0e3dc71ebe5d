//! Draws a model's pictures and writes them, each with notes on how it was made.

use std::path::{Path, PathBuf};

use crate::camera::Viewpoint;
use crate::image::{
    AnimationFormat, Frames, Image, ImageError, JPEG_QUALITY, Notes, in_order, write_apng, write_gif,
    write_jpeg, write_png_rows, write_png_with, write_video, write_webp, write_y4m,
};
use crate::output::{self, Closed, Output};
use crate::render::{GpuModel, MAX_AT_ONCE, Renderer, TILE};
use crate::scene::Scene;

use crate::cli::args::output::is_jpeg;
use crate::cli::commands::show::{
    AUTHORED, CLIPS, COMMAND, DEVICE, DRIVER, ENVIRONMENT, FILES, MODEL, OTHER, OTHER_FILES, SKINNED,
    SOFTWARE,
};
use crate::cli::subject::open;
use crate::cli::subject::sequence::Sequence;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::progress::bar;

/// Writes a picture in the format of its name.
pub fn write(image: &Image, notes: &Notes, lossy: Option<u8>, place: &Output) -> Result<(), ImageError> {
    match is_jpeg(place.path()) {
        true => output::write(place, |out| write_jpeg(image, lossy.unwrap_or(JPEG_QUALITY), notes, out)),
        false => output::write(place, |out| write_png_with(image, notes, out)),
    }
}

/// A renderer with one model.
pub struct Artist<'a> {
    pub gpu: &'a mut GpuModel,
    pub renderer: &'a mut Renderer,
    pub scene: Scene,
    pub digests: open::Digests,
    /// The digests of the other of two files.
    pub other: Option<open::Digests>,
    pub inputs: Closed,
    pub lossy: Option<u8>,
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

/// The notes that files of the renderer's last picture carry.
pub fn notes(
    digests: &open::Digests,
    other: Option<&open::Digests>,
    renderer: &Renderer,
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
    let skinned = renderer.skinned();
    // Tiles are drawn after their file's notes are written.
    let is_whole = scene.size.iter().all(|side| *side <= MAX_AT_ONCE);
    if is_whole && !skinned.by.is_empty() {
        notes.add(SKINNED, skinned.to_string());
    }
    let device = renderer.device().physical();
    notes.add(DEVICE, &device.name);
    notes.add(DRIVER, &device.driver);
    notes
}

impl Artist<'_> {
    fn notes(&self, mut command: String) -> Notes {
        if let Some(quality) = self.lossy {
            command.push_str(&format!(" --lossy {quality}"));
        }
        notes(&self.digests, self.other.as_ref(), self.renderer, (&self.scene, command))
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
    pub fn draw_to(&mut self, scene: &Scene, place: &Output) -> Result<(), Failure> {
        let out = place.path();
        if scene.size.iter().all(|side| *side <= MAX_AT_ONCE) {
            let image = self.draw(scene)?;
            let notes = self.notes(scene.to_string());
            let written = write(&image, &notes, self.lossy, place);
            return written.map_err(|cause| Failure::output(out, cause));
        }
        let notes = self.notes(scene.to_string());
        let Self { renderer, gpu, .. } = self;
        let written = output::write(place, |out| {
            write_png_rows(scene.size, &notes, out, |write| {
                renderer.draw_rows(gpu, scene, TILE, |rows| Ok::<(), Stop>(write(rows)?))
            })
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

    /// Draws the pictures of a sequence, each into a separate file.
    pub fn draw_files(&mut self, sequence: &Sequence, path: impl Fn(u32) -> PathBuf) -> Result<(), Failure> {
        let framed = self.framed(sequence);
        let bar = bar(sequence.count.into(), "pictures");
        let is_large = framed.size.iter().any(|side| *side > MAX_AT_ONCE);
        if is_large {
            for number in 0..sequence.count {
                let place = self.inputs.numbered(path(number))?;
                self.draw_to(&sequence.scene(number, &framed), &place)?;
                bar.inc(1);
            }
        } else {
            let jobs = (0..sequence.count).map(|number| {
                let scene = sequence.scene(number, &framed);
                let (image, notes) = (self.draw(&scene)?, self.notes(scene.to_string()));
                let out = path(number);
                let (place, lossy) = (self.inputs.numbered(&out)?, self.lossy);
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

    /// Draws a sequence into one file.
    pub fn draw_animation(
        &mut self,
        sequence: &Sequence,
        out: &Path,
        format: AnimationFormat,
    ) -> Result<(), Failure> {
        let framed = self.framed(sequence);
        let place = self.inputs.output(out)?;
        let Sequence { count, per_second, .. } = *sequence;
        // The notes are written before the other pictures are drawn.
        let mut first = Some(self.draw(&sequence.scene(0, &framed))?);
        let notes = self.notes(format!("{}{}", self.scene, sequence.flags));
        let bar = bar(sequence.count.into(), "pictures");
        let frames = Frames { size: framed.size, count, per_second, lossy: self.lossy };
        let draw = |number| -> Result<Image, Stop> {
            let image = match first.take() {
                Some(image) => image,
                None => self.draw(&sequence.scene(number, &framed)).map_err(Stop::Draw)?,
            };
            bar.inc(1);
            Ok(image)
        };
        let written = match format {
            AnimationFormat::Apng => {
                output::write_seekable(&place, |file| write_apng(&frames, &notes, file, draw))
            }
            AnimationFormat::Gif => output::write_seekable(&place, |file| write_gif(&frames, file, draw)),
            AnimationFormat::Webp => {
                output::write_seekable(&place, |file| write_webp(&frames, &notes, file, draw))
            }
            AnimationFormat::Y4m => output::write(&place, |out| write_y4m(&frames, out, draw)),
            AnimationFormat::Video(format) => {
                output::write_elsewhere(&place, |file| write_video(format, &frames, &notes, file, draw))
            }
        };
        bar.finish_and_clear();
        written.map_err(|stop| stop.on(out))
    }
}
