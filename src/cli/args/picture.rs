//! What a picture takes besides what it shows: its size, its viewpoint and its place. It must not know which
//! cameras a model has.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sinew::camera::{NoViewpoint, Orbit};
use sinew::scene::Processor;

use super::subject::SubjectArgs;
use super::vulkan::VulkanArgs;

/// A picture of a model.
#[derive(Debug, Args)]
pub struct PictureArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// Who skins the vertices: gpu (the vertex shader) or cpu
    #[arg(long, value_enum, value_name = "gpu|cpu", default_value = "gpu", hide_possible_values = true)]
    pub skin: PictureSkinner,

    /// Write the picture to this PNG file, or to standard output for -
    #[arg(long, short, value_name = "OUT.png")]
    pub screenshot: Option<PathBuf>,

    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "960x720", value_parser = size)]
    pub size: Size,

    /// Viewpoint: auto, front, back, left, right, top, bottom, "YAW,PITCH[,DISTANCE]", or a camera
    ///
    /// YAW in degrees around the vertical (0 front, 90 from the right), PITCH above the horizontal,
    /// DISTANCE in metres from the middle of the model. Without a distance everything the clip does
    /// just fits. Write --camera=-30,10 for a negative yaw. Other words are names of cameras of the
    /// file, then of the nodes they hang on; a number alone is the camera's number in the file.
    #[arg(long, value_name = "VIEW", default_value = "auto", allow_hyphen_values = true, value_parser = camera)]
    pub camera: CameraChoice,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// Who skins a picture's vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureSkinner {
    /// The vertex shader.
    Gpu,
    /// The modes' twins.
    Cpu,
}

impl From<PictureSkinner> for Processor {
    fn from(skinner: PictureSkinner) -> Self {
        match skinner {
            PictureSkinner::Gpu => Self::Gpu,
            PictureSkinner::Cpu => Self::Cpu,
        }
    }
}

/// Width and height.
pub type Size = [u32; 2];

/// What a picture is seen through, as far as the words say.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraChoice {
    /// A look at the model.
    Orbit(Orbit),
    /// A camera of the file, if it has one that is called so.
    Named(String),
}

/// Words for viewpoints go before names of cameras; two numbers and more can be no name.
fn camera(text: &str) -> Result<CameraChoice, NoViewpoint> {
    let is_numbers = text.contains(',') && text.split(',').all(|part| part.trim().parse::<f64>().is_ok());
    match text.parse() {
        Ok(orbit) => Ok(CameraChoice::Orbit(orbit)),
        Err(error) if text.is_empty() || is_numbers => Err(error),
        Err(_) => Ok(CameraChoice::Named(text.to_owned())),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let side = |side: &str| side.parse::<u32>().ok().filter(|&side| side > 0);
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| "expected width x height in pixels, such as 960x720".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("960x720"), Ok([960, 720]));
        for wrong in ["", "960", "0x10", "10x0", "-1x5", "axb", "1x2x3", "99999999999x1"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_for_viewpoints_go_before_cameras() {
        let orbit = |text: &str| CameraChoice::Orbit(text.parse().unwrap());
        for text in ["auto", "front", "12,5", "-30,10,4"] {
            assert_eq!(camera(text), Ok(orbit(text)));
        }
        for text in ["1", "-1", "Camera.001", "Front", "a,b", "top left", "1, 2, b"] {
            assert_eq!(camera(text), Ok(CameraChoice::Named(text.to_owned())));
        }
        for text in ["", "0,91", "nan,0", "1,2,3,4", "0,0,-1"] {
            assert_eq!(camera(text), Err(NoViewpoint), "{text}");
        }
    }
}
