//! Flags of `sinew explain` and `sinew palette`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::model::VertexName;
use clap::{ArgGroup, Args};

use super::camera::CameraArgs;
use super::output::png;
use super::picture::{Size, size};
use super::subject::{AskedMode, LoadArgs, PoseArgs, asked_mode};
use super::vulkan::VulkanArgs;

/// `sinew explain`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true))]
pub struct ExplainArgs {
    /// A glTF, FBX, OBJ or USD file, builtin:NAME ('sinew builtins' lists them), or - for standard input
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    #[command(flatten)]
    pub posed: PoseArgs,

    /// Vertex to explain, such as node5:0:1234, or 1234 if the model draws one primitive
    #[arg(long, value_name = "VERTEX", group = "which", value_parser = vertex)]
    pub vertex: Option<VertexChoice>,

    /// Explain the vertex nearest to this pixel of the picture that the other flags make
    #[arg(long, value_name = "X,Y", group = "which", value_parser = pixel)]
    pub pixel: Option<[f64; 2]>,

    #[arg(long, short, value_name = "MODE", default_value = "authored", hide_possible_values = true,
        value_parser = asked_mode(),
        help = "Skinning mode of the picture")]
    pub mode: AskedMode,

    /// Width and height of the picture, in pixels
    #[arg(long, value_name = "WxH", default_value = "960x720", value_parser = size)]
    pub size: Size,

    #[command(flatten)]
    pub camera: CameraArgs,

    /// Write a picture of the skeleton and of the vertex by each joint alone, with lines to its skinned position
    #[arg(long, short, value_name = "OUT.png", value_parser = png)]
    pub output: Option<PathBuf>,

    /// Print the result as JSON (docs/reference/json.md explains the keys)
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// `sinew palette`
#[derive(Debug, Args)]
pub struct PaletteArgs {
    /// A glTF, FBX, OBJ or USD file, builtin:NAME ('sinew builtins' lists them), or - for standard input
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    #[arg(long, short, value_name = "MODE", default_value = "authored", hide_possible_values = true,
        value_parser = asked_mode(),
        help = "Skinning mode whose slots to print")]
    pub mode: AskedMode,

    #[command(flatten)]
    pub posed: PoseArgs,

    /// Print the result as JSON (docs/reference/json.md explains the keys)
    #[arg(long)]
    pub json: bool,
}

/// The `--vertex` value, not yet looked up in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexChoice {
    /// By its name.
    Named(VertexName),
    /// By its number in the only primitive.
    Bare(usize),
}

fn vertex(text: &str) -> Result<VertexChoice, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match is_number.then(|| text.parse()) {
        Some(Ok(number)) => Ok(VertexChoice::Bare(number)),
        _ => text
            .parse()
            .map(VertexChoice::Named)
            .map_err(|error: crate::model::NoVertexName| error.to_string()),
    }
}

fn pixel(text: &str) -> Result<[f64; 2], String> {
    let side = |text: &str| text.trim().parse().ok().filter(|side: &f64| side.is_finite() && *side >= 0.0);
    text.split_once(',')
        .and_then(|(x, y)| Some([side(x)?, side(y)?]))
        .ok_or_else(|| "expected X,Y in pixels from the upper left corner, such as 480,360".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_names_or_numbers() {
        assert_eq!(vertex("280"), Ok(VertexChoice::Bare(280)));
        assert_eq!(vertex("node5:1:280"), Ok(VertexChoice::Named("node5:1:280".parse().unwrap())));
        for wrong in ["", "-1", "node5", "99999999999999999999999", "1.5"] {
            assert!(vertex(wrong).is_err(), "{wrong}");
        }
        assert_eq!(pixel("10, 20.5"), Ok([10.0, 20.5]));
        for wrong in ["", "1", "1,-2", "a,b", "1,2,3", "inf,1"] {
            assert!(pixel(wrong).is_err(), "{wrong}");
        }
    }
}
