//! Flags of the window.

use std::ffi::OsString;

use crate::model::{Model, VertexName};
use crate::skinning::pose::Names;
use crate::viewer::{Clock, FADE_SECS, Moving, Repeat, Start};
use crate::vulkan::Pacing;
use clap::{Args, ValueEnum};

/// The options that only a window has.
#[derive(Debug, Args)]
#[command(next_help_heading = "Window")]
pub struct WindowArgs {
    /// More models for the window's list: files, folders, or patterns such as '*.glb'
    ///
    /// The window shows the first that opens. Ctrl+PageDown goes to the next, and F3 shows the list. MODEL may be a
    /// folder or a pattern, too. Subfolders are omitted, and so are files beyond 10,000.
    #[arg(value_name = "MORE", help_heading = None::<&'static str>)]
    pub more: Vec<OsString>,

    /// Open the window with the clip paused
    #[arg(long, hide_short_help = true)]
    pub paused: bool,

    /// Playback speed in the window; negative speeds play backwards
    #[arg(long, value_name = "F", default_value_t = 1.0, allow_hyphen_values = true, hide_short_help = true, value_parser = speed)]
    pub speed: f64,

    /// Playback at the clip's end: loop, ping-pong (there and back) or once
    #[arg(
        long,
        value_enum,
        value_name = "loop|ping-pong|once",
        default_value = "loop",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub repeat: RepeatName,

    /// Cross-fade in seconds when the clip changes during playback; 0 switches at once
    #[arg(long, value_name = "SECS", default_value_t = FADE_SECS, hide_short_help = true, value_parser = fade)]
    pub fade: f64,

    /// Open the window with panel and timeline; with --screenshot, draw such a window
    #[arg(long, hide_short_help = true)]
    pub panel: bool,

    /// Hide the status line: file, clip, time and mode
    #[arg(long, hide_short_help = true)]
    pub no_status: bool,

    /// Quality while you move the view or a joint: auto, draft, plain or same [default: the panel's last setting, at
    /// first auto]
    ///
    /// auto falls back to draft or plain if a frame takes longer than 50 ms, as on software drivers, until the motion
    /// ends. same keeps --quality. Written pictures always have --quality.
    #[arg(
        long,
        value_enum,
        value_name = "auto|draft|plain|same",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub moving_quality: Option<MovingName>,

    /// Joint to choose in the panel, by name or number
    #[arg(long, value_name = "NODE", hide_short_help = true)]
    pub choose: Option<String>,

    /// Time to present a frame: at each screen refresh (on), at once (off), or the newest at each refresh (mailbox)
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
    /// The playback clock.
    fn clock(&self) -> Clock {
        let repeat = match self.repeat {
            RepeatName::Loop => Repeat::Loop,
            RepeatName::PingPong => Repeat::PingPong,
            RepeatName::Once => Repeat::Once,
        };
        Clock { is_running: !self.paused, speed: self.speed, repeat }
    }

    /// The initial state of the window; nodes and vertices named in flags must exist.
    pub fn start(&self, model: &Model, vertex: Option<VertexName>) -> Result<Start, String> {
        let choose =
            |asked: &String| Names::new(model).node(asked).map_err(|error| format!("--choose: {error}"));
        let keep = |name: VertexName| name.find(model).map_err(|error| format!("--vertex: {error}"));
        Ok(Start {
            clock: self.clock(),
            fade_secs: self.fade,
            panel: self.panel,
            status: !self.no_status,
            moving: self.moving_quality.map(Moving::from),
            chosen: self.choose.as_ref().map(choose).transpose()?,
            kept: vertex.map(keep).transpose()?,
            text: Vec::new(),
            composed: None,
        })
    }
}

/// The quality while something is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MovingName {
    /// The best that is fast enough.
    Auto,
    /// Draft.
    Draft,
    /// Plain.
    Plain,
    /// The quality at rest.
    Same,
}

impl From<MovingName> for Moving {
    fn from(name: MovingName) -> Self {
        match name {
            MovingName::Auto => Self::Auto,
            MovingName::Draft => Self::Draft,
            MovingName::Plain => Self::Plain,
            MovingName::Same => Self::Same,
        }
    }
}

/// The playback at the end of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RepeatName {
    /// Play the clip again from its start.
    Loop,
    /// Play the clip backwards, then forwards.
    PingPong,
    /// Stop at the end.
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

/// The moment at which a window shows a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Vsync {
    /// Show each picture with a refresh of the screen.
    On,
    /// Show each picture at once; it may tear.
    Off,
    /// Draw without waiting and show the newest picture at each refresh.
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
