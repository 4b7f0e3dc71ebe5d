//! Groups the keys by topic for the list behind `?`, and describes the mouse's actions.

use super::keys::Action;

/// Topic of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Modes and comparisons.
    Modes,
    /// Clips and time.
    Playing,
    /// View of the figure.
    Look,
    /// Camera and framing.
    Viewpoint,
    /// Joints, poses and vertices.
    Joints,
    /// Weights of vertices.
    Weights,
    /// Files and the window itself.
    Window,
}

impl Topic {
    /// Every topic, in the order of the list.
    pub const ALL: [Self; 7] =
        [Self::Modes, Self::Playing, Self::Look, Self::Viewpoint, Self::Joints, Self::Weights, Self::Window];

    /// Returns the heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Modes => "Modes and comparing",
            Self::Playing => "Playing",
            Self::Look => "View",
            Self::Viewpoint => "Viewpoint",
            Self::Joints => "Joints and vertices",
            Self::Weights => "Weights",
            Self::Window => "Files and window",
        }
    }
}

/// Returns the topic of an action.
pub fn topic(action: Action) -> Topic {
    match action {
        Action::Mode(_)
        | Action::Flip
        | Action::Arrange
        | Action::OtherMode
        | Action::Line(_)
        | Action::Processor => Topic::Modes,
        Action::Play
        | Action::Repeat
        | Action::Speed(_)
        | Action::Reverse
        | Action::Step(_)
        | Action::StepKey(_)
        | Action::Jump(_)
        | Action::Clip(_)
        | Action::Fade => Topic::Playing,
        Action::View(_)
        | Action::Skeleton
        | Action::Axes
        | Action::Names
        | Action::Grid
        | Action::Bounds
        | Action::Quality
        | Action::Onion
        | Action::Flat
        | Action::Wireframe
        | Action::Legend => Topic::Look,
        Action::Fit
        | Action::FitAll
        | Action::Orbit(..)
        | Action::Pivot
        | Action::Side(..)
        | Action::Parallel
        | Action::Fly(..)
        | Action::Zoom(_) => Topic::Viewpoint,
        Action::Bind
        | Action::Rest
        | Action::Choose(_)
        | Action::Turn(..)
        | Action::Reset
        | Action::ResetAll
        | Action::Tool
        | Action::HandleAxes
        | Action::PinJoint
        | Action::Mirror
        | Action::CopyPose
        | Action::PastePose
        | Action::SavePose
        | Action::Keep => Topic::Joints,
        Action::Select | Action::Grow(_) | Action::Weigh(_) | Action::Smooth | Action::SaveWeights => {
            Topic::Weights
        }
        Action::Panel
        | Action::Status
        | Action::Palette
        | Action::Open
        | Action::File(_)
        | Action::Files
        | Action::Screenshot
        | Action::Copy
        | Action::Help
        | Action::Undo
        | Action::Redo
        | Action::Leave
        | Action::Quit => Topic::Window,
    }
}

/// Mouse gestures and their effects.
pub const MOUSE: [[&str; 2]; 11] = [
    ["drag", "orbit"],
    ["Shift and drag", "pan; also with another button"],
    ["wheel, pinch", "zoom to the cursor"],
    ["two fingers", "orbit; with Shift pan, with Ctrl zoom"],
    ["click", "choose the marked joint; with the panel open, pin the vertex"],
    ["double click", "frame the marked joint, or orbit around this point"],
    ["click or drag, after F4", "select vertices; Shift adds, Ctrl removes, the middle button orbits"],
    ["drag a handle", "turn, move or scale the chosen joint, or reach with it"],
    ["drag the line", "move the wipe"],
    ["drag the panel's edge", "make the panel wider"],
    ["drop a file", "open it"],
];
