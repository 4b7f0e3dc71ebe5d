//! Flags of a picture: its subject, size, viewpoint, look and output.

use crate::scene::{self, Crowd, Framing, PaletteIn, Processor, crowd_count};
use clap::{Args, ValueEnum};

use super::camera::CameraArgs;
use super::look::LookArgs;
use super::mush::MushArgs;
use super::normals::NormalsArgs;
use super::output::OutputArgs;
use super::split::PaneArgs;
use super::subject::{SubjectArgs, all_picture_modes, picture_mode, picture_mode_help};
use super::vulkan::VulkanArgs;
#[cfg(feature = "window")]
use super::window::WindowArgs;

/// A picture of a model.
#[derive(Debug, Args)]
#[command(mut_arg("mode", |flag| flag.value_parser(picture_mode()).help(picture_mode_help()).long_help(all_picture_modes())))]
pub struct PictureArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,

    #[command(flatten)]
    pub mush: MushArgs,

    #[command(flatten)]
    pub normals: NormalsArgs,

    /// Processor that skins the vertices: a vertex shader (gpu), a compute shader (compute), Rust (cpu), or the fastest
    /// (auto)
    ///
    /// The picture is the same. The compute shader skins once for all passes, and leaves crowds to the vertex shader.
    /// auto takes the CPU on a software driver. On other devices it takes the compute shader for pictures with shadows,
    /// and the vertex shader for those without.
    #[arg(
        long,
        help_heading = "Mode",
        value_enum,
        value_name = "auto|gpu|compute|cpu",
        default_value = "auto",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub skin: PictureSkinner,

    /// Buffer with the joints' slots for vertex shaders: a uniform buffer of 512 (ubo), a storage buffer (ssbo), or the
    /// faster (auto)
    ///
    /// The picture is the same. With a storage buffer, a crowd takes fewer draws. auto measures both once per GPU and
    /// driver; 'sinew devices' shows the result. On a software driver, auto takes ubo.
    #[arg(
        long,
        help_heading = "Mode",
        value_name = "auto|ubo|ssbo",
        value_parser = scene::palette,
        default_value = "auto",
        hide_short_help = true
    )]
    // By its full path, which clap does not take for an optional flag.
    pub palette: std::option::Option<PaletteIn>,

    #[command(flatten)]
    pub look: LookArgs,

    /// Draw N figures on a grid, each with a different start and speed in the clip
    #[arg(long, help_heading = "Look", value_name = "N", value_parser = crowd_count, hide_short_help = true)]
    pub crowd: Option<u32>,

    /// Seed of a crowd's starts and speeds [default: 0]
    #[arg(long, help_heading = "Look", value_name = "S", requires = "crowd", hide_short_help = true)]
    pub seed: Option<u64>,

    #[command(flatten)]
    pub camera: CameraArgs,

    /// Frame the figure at the picture's time (time), or over its whole clips (clip)
    ///
    /// The default is time for a single picture, and clip for animations, windows and storyboards of several times. Both
    /// fit the figure in every mode. Onion skins, bounds and crowds always use clip.
    #[arg(long, help_heading = "Viewpoint", value_name = "time|clip", hide_short_help = true)]
    pub framing: Option<Framing>,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Width and height of picture or window, in pixels
    #[arg(long, help_heading = "Output", value_name = "WxH", default_value = "960x720", value_parser = size)]
    pub size: Size,

    #[cfg(feature = "window")]
    #[command(flatten)]
    pub window: WindowArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,

    /// Paragraphs beside the picture in a window.
    #[arg(skip)]
    pub text: Vec<String>,

    /// Size of the picture for which the viewpoint was chosen, if the window has another.
    #[arg(skip)]
    pub composed: Option<Size>,

    /// The panes of a storyboard.
    #[arg(skip)]
    pub panes: Vec<PaneArgs>,
}

impl PictureArgs {
    /// The crowd that the flags ask for.
    pub fn crowd(&self) -> Option<Crowd> {
        self.crowd.map(|count| Crowd { count, seed: self.seed.unwrap_or(0) })
    }

    /// Changes the flags of the whole and of each pane.
    pub fn change_all(&mut self, change: impl Fn(&mut Self)) {
        change(self);
        self.panes.iter_mut().for_each(|pane| change(&mut pane.picture));
    }
}

/// The processor that skins a picture's vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureSkinner {
    /// The fastest.
    Auto,
    /// The vertex shader.
    Gpu,
    /// The compute shader, once for all passes that draw the figure.
    Compute,
    /// The shaders' operations in Rust.
    Cpu,
}

impl From<PictureSkinner> for Processor {
    fn from(skinner: PictureSkinner) -> Self {
        match skinner {
            PictureSkinner::Auto => Self::Auto,
            PictureSkinner::Gpu => Self::Gpu,
            PictureSkinner::Compute => Self::Compute,
            PictureSkinner::Cpu => Self::Cpu,
        }
    }
}

/// Width and height.
pub type Size = [u32; 2];

/// Parses a size.
pub fn size(text: &str) -> Result<Size, String> {
    let side = |side: &str| side.parse::<u32>().ok().filter(|&side| side > 0);
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| "expected WIDTHxHEIGHT in pixels, such as 960x720".to_owned())
        .and_then(|size| match size.map(u64::from) {
            [width, height] if width.max(height) > 65_535 || width * height > 1 << 30 => {
                Err("a picture has at most 65535 pixels a side and 2^30 in all".to_owned())
            }
            _ => Ok(size),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("960x720"), Ok([960, 720]));
        assert_eq!(size("32768x32768"), Ok([32768, 32768]));
        assert_eq!(size("65535x16384"), Ok([65535, 16384]));
        for wrong in
            ["", "960", "0x10", "10x0", "-1x5", "axb", "1x2x3", "99999999999x1", "65536x1", "32769x32768"]
        {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
