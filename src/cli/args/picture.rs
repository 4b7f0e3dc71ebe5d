//! What a picture takes besides what it shows: its size, its viewpoint and its place. It must not know which
//! cameras a model has.

use clap::{Args, ValueEnum};
use sinew::model::{Model, VertexName};
use sinew::pose::Names;
use sinew::scene::Processor;
use sinew::viewer::{Clock, FADE_SECS, Repeat, Start};
use sinew::vulkan::Pacing;

use super::camera::CameraArgs;
use super::look::LookArgs;
use super::output::OutputArgs;
use super::subject::SubjectArgs;
use super::vulkan::VulkanArgs;

/// A picture of a model.
#[derive(Debug, Args)]
pub struct PictureArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// What skins the vertices: gpu (the vertex shader) or cpu
    #[arg(
        long,
        value_enum,
        value_name = "gpu|cpu",
        default_value = "gpu",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub skin: PictureSkinner,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Width and height in pixels, of the picture or of the window when it opens
    #[arg(long, value_name = "WxH", default_value = "960x720", value_parser = size)]
    pub size: Size,

    #[command(flatten)]
    pub camera: CameraArgs,

    #[command(flatten)]
    pub look: LookArgs,

    #[command(flatten)]
    pub window: WindowArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// What only a window has.
#[derive(Debug, Args)]
pub struct WindowArgs {
    /// Open the window with the clip paused
    #[arg(long, hide_short_help = true)]
    pub paused: bool,

    /// Playback speed in the window; negative plays backwards
    #[arg(long, value_name = "F", default_value_t = 1.0, allow_hyphen_values = true, hide_short_help = true, value_parser = speed)]
    pub speed: f64,

    /// What the window does at the end of the clip: loop, ping-pong (there and back) or once
    #[arg(
        long,
        value_enum,
        value_name = "loop|ping-pong|once",
        default_value = "loop",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub repeat: RepeatName,

    /// Seconds of cross-fade when the clip changes during playback; 0 switches at once
    #[arg(long, value_name = "SECS", default_value_t = FADE_SECS, hide_short_help = true, value_parser = fade)]
    pub fade: f64,

    /// Open the window with its panel and timeline; with --screenshot, draw such a window
    #[arg(long, hide_short_help = true)]
    pub panel: bool,

    /// Joint to choose in the window's panel, by name or number
    #[arg(long, value_name = "NODE", hide_short_help = true)]
    pub choose: Option<String>,

    /// Vertex to show in the window's panel, such as node5:0:1234
    ///
    /// node5:0:1234 is vertex 1234 of primitive 0 as node 5 draws it, node5.2:0:1234 as copy 2 of node 5 draws it,
    /// mesh3:0:1234 as the first node with mesh 3 draws it. In 2:0:1234 the 2 counts the drawn mesh nodes from 0.
    /// All messages name vertices this way.
    #[arg(long, value_name = "nodeN:PRIMITIVE:VERTEX", hide_short_help = true)]
    pub vertex: Option<VertexName>,

    /// When the window presents a frame: at each screen refresh (on), at once (off), or the newest frame at each
    /// refresh (mailbox)
    #[arg(
        long,
        value_enum,
        value_name = "on|off|mailbox",
        default_value = "on",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub vsync: Vsync,
}

impl WindowArgs {
    /// The clock of the clip.
    fn clock(&self) -> Clock {
        let repeat = match self.repeat {
            RepeatName::Loop => Repeat::Loop,
            RepeatName::PingPong => Repeat::PingPong,
            RepeatName::Once => Repeat::Once,
        };
        Clock { is_running: !self.paused, speed: self.speed, repeat }
    }

    /// How the window begins; nodes and vertices that are asked for have to be there.
    pub fn start(&self, model: &Model) -> Result<Start, String> {
        let choose =
            |asked: &String| Names::new(model).node(asked).map_err(|error| format!("--choose: {error}"));
        let keep = |name: &VertexName| name.find(model).map_err(|error| format!("--vertex: {error}"));
        Ok(Start {
            clock: self.clock(),
            fade_secs: self.fade,
            panel: self.panel,
            chosen: self.choose.as_ref().map(choose).transpose()?,
            kept: self.vertex.as_ref().map(keep).transpose()?,
        })
    }
}

/// What becomes of a clip at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RepeatName {
    /// It begins again.
    Loop,
    /// It goes back.
    PingPong,
    /// It stops.
    Once,
}

fn fade(text: &str) -> Result<f64, String> {
    let secs = text.parse().ok().filter(|secs: &f64| (0.0..=60.0).contains(secs));
    secs.ok_or_else(|| "expected a number of seconds from 0 to 60".to_owned())
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if speed.abs() >= 1.0 / 64.0 && speed.abs() <= 64.0 => Ok(speed),
        _ => Err("expected a speed from 1/64 to 64, or the same below 0 to play backwards".to_owned()),
    }
}

/// When a window shows what is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Vsync {
    /// With the screen.
    On,
    /// At once.
    Off,
    /// The newest, with the screen.
    Mailbox,
}

impl From<Vsync> for Pacing {
    fn from(vsync: Vsync) -> Self {
        match vsync {
            Vsync::On => Self::On,
            Vsync::Off => Self::Off,
            Vsync::Mailbox => Self::Mailbox,
        }
    }
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

fn size(text: &str) -> Result<Size, String> {
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
