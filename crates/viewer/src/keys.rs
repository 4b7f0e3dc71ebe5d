//! The key table, used to look up keys and to build the list behind `?`.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use sinew_skinning::SkinningMode;

/// An action of a key or a control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Skin in this mode.
    Mode(SkinningMode),
    /// Skin in the previous mode while the key is held.
    Flip,
    /// Start or stop the clock.
    Play,
    /// Switch between loop, ping-pong and once.
    Repeat,
    /// Multiply the playback speed.
    Speed(f64),
    /// Reverse the playback direction.
    Reverse,
    /// Step by this many frames of 1/30 s.
    Step(i32),
    /// Go to the next or previous key of the clip.
    StepKey(i32),
    /// Go to the end of the clip (`true`) or to its start.
    Jump(bool),
    /// Show the next or previous clip.
    Clip(i32),
    /// Show the bind pose, or return from it.
    Bind,
    /// Show the rest pose as the file stores it, or return from it.
    Rest,
    /// Switch between skinning on the CPU and on the GPU.
    Processor,
    /// Show the next or previous view.
    View(i32),
    /// Show or hide the skeleton.
    Skeleton,
    /// Show or hide the axes.
    Axes,
    /// Show or hide the names.
    Names,
    /// Show or hide the grid.
    Grid,
    /// Show or hide the bounds.
    Bounds,
    /// Show or hide the edges of triangles over their surface.
    Wireframe,
    /// Frame the chosen joint and its descendants, or everything.
    Fit,
    /// Frame everything.
    FitAll,
    /// Orbit by degrees: yaw and pitch.
    Orbit(f64, f64),
    /// Orbit around the point under the cursor from now on.
    Pivot,
    /// Look from a side: yaw and pitch in degrees.
    Side(f64, f64),
    /// Switch between parallel and perspective projection.
    Parallel,
    /// Switch between full and draft quality.
    Quality,
    /// Move the viewpoint right, up and ahead, in fractions of its distance.
    Fly(f64, f64, f64),
    /// Zoom in or out.
    Zoom(f64),
    /// Switch between single, split and wipe.
    Arrange,
    /// Change the mode that the first is compared with.
    OtherMode,
    /// Move the line of the wipe.
    Line(i32),
    /// Show or hide the onion skin.
    Onion,
    /// Show or hide the legend.
    Legend,
    /// Draw data views flat, or in a soft light.
    Flat,
    /// Switch between fading clips and changing them at once.
    Fade,
    /// Show or hide the panel.
    Panel,
    /// Choose the next or previous joint.
    Choose(i32),
    /// Turn the chosen joint about its local x, y or z axis, in either direction.
    Turn(usize, i32),
    /// Switch the handles of the chosen joint to the next tool.
    Tool,
    /// Switch the handles to the next axes.
    HandleAxes,
    /// Pin the chosen joint to its position, or release it.
    PinJoint,
    /// Swap left and right, or copy the chosen joint to the other side.
    Mirror,
    /// Copy the chosen joint, or the whole pose, as text.
    CopyPose,
    /// Paste a copied pose.
    PastePose,
    /// Discard the edits of the chosen joint.
    Reset,
    /// Discard all edits.
    ResetAll,
    /// Write the edited pose next to the model.
    SavePose,
    /// Pin or unpin the vertex under the cursor.
    Keep,
    /// Start or end selecting vertices for their weights.
    Select,
    /// Grow the selection over the surface, or shrink it.
    Grow(i32),
    /// Add to the chosen joint's weights at the selected vertices.
    Weigh(f64),
    /// Smooth the chosen joint's weights at the selected vertices.
    Smooth,
    /// Write the model with its edited weights, and the edits as a recipe.
    SaveWeights,
    /// Choose a file to show.
    Open,
    /// Show the next or previous file of the list.
    File(i32),
    /// Show or hide the list of files.
    Files,
    /// Write a picture next to the model.
    Screenshot,
    /// Copy the command line that draws this picture.
    Copy,
    /// List the keys.
    Help,
    /// Find an action, a view, a fault, a clip or a joint by name.
    Palette,
    /// Show or hide the status line.
    Status,
    /// Undo the last change.
    Undo,
    /// Redo it.
    Redo,
    /// Cancel the current action, or clear the selection.
    Leave,
    /// Close the window.
    Quit,
}

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    /// The key: a letter, or a name such as `Space`.
    pub key: &'static str,
    /// True if Ctrl is held.
    pub ctrl: bool,
    /// True if Shift is held.
    pub shift: bool,
}

/// A line of the table.
pub struct Binding {
    /// The key.
    pub chord: Chord,
    /// The action.
    pub action: Action,
    /// The description in the list of keys.
    pub words: Cow<'static, str>,
    /// The equivalent flag for a picture; empty for actions without a lasting effect.
    pub flag: Cow<'static, str>,
}

const fn key(key: &'static str) -> Chord {
    Chord { key, ctrl: false, shift: false }
}

const fn ctrl(key: &'static str) -> Chord {
    Chord { key, ctrl: true, shift: false }
}

const fn shift(key: &'static str) -> Chord {
    Chord { key, ctrl: false, shift: true }
}

const fn bind(chord: Chord, action: Action, words: &'static str, flag: &'static str) -> Binding {
    Binding { chord, action, words: Cow::Borrowed(words), flag: Cow::Borrowed(flag) }
}

/// Every key: those of the modes, then the others.
pub static BINDINGS: LazyLock<Vec<Binding>> = LazyLock::new(|| {
    let modes = SkinningMode::ALL.into_iter().zip(mode_chords()).map(|(mode, chord)| Binding {
        chord,
        action: Action::Mode(mode),
        words: mode.facts().title.into(),
        flag: format!("--mode {mode}").into(),
    });
    modes.chain(OTHERS).collect()
});

/// Returns the keys of the modes, in order: the row of digits, then the row with Ctrl.
fn mode_chords() -> impl Iterator<Item = Chord> {
    let row = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
    row.map(key).into_iter().chain(row.map(ctrl))
}

const CTRL_SHIFT_C: Chord = Chord { key: "C", ctrl: true, shift: true };

const OTHERS: [Binding; 96] = [
    bind(key("Space"), Action::Flip, "previous mode while held", "--mode"),
    bind(key("P"), Action::Play, "play or pause", "--paused"),
    bind(key("L"), Action::Repeat, "loop, ping-pong or once", "--repeat"),
    bind(key("]"), Action::Speed(2.0), "play twice as fast", "--speed"),
    bind(key("["), Action::Speed(0.5), "play half as fast", "--speed"),
    bind(key("R"), Action::Reverse, "reverse playback", "--speed"),
    bind(key("."), Action::Step(1), "one frame forward", "--time"),
    bind(key(","), Action::Step(-1), "one frame back", "--time"),
    bind(shift("."), Action::StepKey(1), "next key of the clip", "--time"),
    bind(shift(","), Action::StepKey(-1), "previous key of the clip", "--time"),
    bind(key("Home"), Action::Jump(false), "start of the clip", "--time"),
    bind(key("End"), Action::Jump(true), "end of the clip", "--time"),
    bind(key("PageDown"), Action::Clip(1), "next clip", "--clip"),
    bind(key("PageUp"), Action::Clip(-1), "previous clip", "--clip"),
    bind(key("B"), Action::Bind, "bind pose on or off", "--pose bind"),
    bind(shift("B"), Action::Rest, "rest pose on or off", "--pose rest"),
    bind(key("C"), Action::Processor, "next processor for skinning: auto, gpu, compute, cpu", "--skin"),
    bind(key("V"), Action::View(1), "next view", "--view"),
    bind(shift("V"), Action::View(-1), "previous view", "--view"),
    bind(key("J"), Action::Skeleton, "skeleton", "--overlay skeleton"),
    bind(key("X"), Action::Axes, "joint axes", "--overlay axes"),
    bind(key("N"), Action::Names, "joint names", "--overlay names"),
    bind(key("G"), Action::Grid, "grid", "--overlay grid"),
    bind(key("M"), Action::Bounds, "bounds", "--overlay bounds"),
    bind(shift("L"), Action::Wireframe, "wireframe over the surface", "--overlay wireframe"),
    bind(key("F"), Action::Fit, "frame the chosen joint, or everything", "--camera"),
    bind(shift("F"), Action::FitAll, "frame everything", "--camera"),
    bind(key("Z"), Action::Pivot, "orbit around the point under the cursor", "--target"),
    bind(key("Numpad4"), Action::Orbit(-15.0, 0.0), "orbit left", "--camera"),
    bind(key("Numpad6"), Action::Orbit(15.0, 0.0), "orbit right", "--camera"),
    bind(key("Numpad8"), Action::Orbit(0.0, 15.0), "orbit up", "--camera"),
    bind(key("Numpad2"), Action::Orbit(0.0, -15.0), "orbit down", "--camera"),
    bind(key("Numpad1"), Action::Side(0.0, 0.0), "front view", "--camera front"),
    bind(key("Numpad3"), Action::Side(90.0, 0.0), "right view", "--camera right"),
    bind(key("Numpad7"), Action::Side(0.0, 90.0), "top view", "--camera top"),
    bind(ctrl("Numpad1"), Action::Side(180.0, 0.0), "back view", "--camera back"),
    bind(ctrl("Numpad3"), Action::Side(-90.0, 0.0), "left view", "--camera left"),
    bind(ctrl("Numpad7"), Action::Side(0.0, -90.0), "bottom view", "--camera bottom"),
    bind(key("Numpad5"), Action::Parallel, "orthographic or perspective", "--ortho"),
    bind(key("Q"), Action::Quality, "full, draft or plain quality", "--quality"),
    bind(key("W"), Action::Fly(0.0, 0.0, 0.05), "move forward", "--target"),
    bind(key("S"), Action::Fly(0.0, 0.0, -0.05), "move back", "--target"),
    bind(key("A"), Action::Fly(-0.05, 0.0, 0.0), "move left", "--target"),
    bind(key("D"), Action::Fly(0.05, 0.0, 0.0), "move right", "--target"),
    bind(key("E"), Action::Fly(0.0, 0.05, 0.0), "move up", "--target"),
    bind(shift("E"), Action::Fly(0.0, -0.05, 0.0), "move down", "--target"),
    bind(key("+"), Action::Zoom(0.8), "zoom in", "--camera"),
    bind(key("-"), Action::Zoom(1.25), "zoom out", "--camera"),
    bind(
        key("K"),
        Action::Arrange,
        "single, split with one mode, split with all, or wipe",
        "--split, --wipe",
    ),
    bind(shift("K"), Action::OtherMode, "change the second mode", "--split, --wipe"),
    bind(key("ArrowLeft"), Action::Line(-1), "move the wipe left", "--wipe"),
    bind(key("ArrowRight"), Action::Line(1), "move the wipe right", "--wipe"),
    bind(key("O"), Action::Onion, "onion skin", "--onion"),
    bind(key("U"), Action::Legend, "show or hide the legend", "--no-legend"),
    bind(shift("U"), Action::Flat, "views of data: flat or softly lit", "--flat"),
    bind(key("H"), Action::Fade, "cross-fade between clips on or off", "--fade"),
    bind(key("I"), Action::Panel, "show or hide the panel and timeline", "--panel"),
    bind(shift("I"), Action::Status, "show or hide the status line", "--no-status"),
    bind(key("ArrowDown"), Action::Choose(1), "choose the next joint", "--choose"),
    bind(key("ArrowUp"), Action::Choose(-1), "choose the previous joint", "--choose"),
    bind(key("F5"), Action::Turn(0, 1), "turn the chosen joint about its x", "--joint"),
    bind(shift("F5"), Action::Turn(0, -1), "turn it the other way", "--joint"),
    bind(key("F6"), Action::Turn(1, 1), "turn it about its y", "--joint"),
    bind(shift("F6"), Action::Turn(1, -1), "turn it the other way", "--joint"),
    bind(key("F7"), Action::Turn(2, 1), "turn it about its z", "--joint"),
    bind(shift("F7"), Action::Turn(2, -1), "turn it the other way", "--joint"),
    bind(key("Y"), Action::Tool, "handles: turn, move, scale or reach", ""),
    bind(shift("Y"), Action::HandleAxes, "axes of the handles: local, parent or world", ""),
    bind(shift("P"), Action::PinJoint, "pin or unpin the chosen joint", ""),
    bind(shift("M"), Action::Mirror, "mirror the pose, or the chosen joint to the other side", "--joint"),
    bind(CTRL_SHIFT_C, Action::CopyPose, "copy the chosen joint, or the pose, as text", ""),
    bind(ctrl("V"), Action::PastePose, "paste a joint or a pose", "--joint"),
    bind(key("F8"), Action::Reset, "reset the chosen joint", "--joint"),
    bind(shift("F8"), Action::ResetAll, "reset all edits", "--joint, --morph"),
    bind(ctrl("P"), Action::SavePose, "save the edited pose beside the model", "--pose FILE"),
    bind(key("T"), Action::Keep, "pin or unpin the vertex under the cursor", "--vertex"),
    bind(key("F4"), Action::Select, "select vertices for their weights, on or off", ""),
    bind(key("F9"), Action::Grow(1), "grow the selection", ""),
    bind(shift("F9"), Action::Grow(-1), "shrink the selection", ""),
    bind(key("F10"), Action::Weigh(0.1), "add 0.1 to the chosen joint's weights", ""),
    bind(shift("F10"), Action::Weigh(-0.1), "take 0.1 from the chosen joint's weights", ""),
    bind(key("F11"), Action::Smooth, "smooth the chosen joint's weights", ""),
    bind(ctrl("E"), Action::SaveWeights, "save the edited weights beside the model", ""),
    bind(ctrl("O"), Action::Open, "open a file", ""),
    bind(ctrl("PageDown"), Action::File(1), "next file of the list", ""),
    bind(ctrl("PageUp"), Action::File(-1), "previous file of the list", ""),
    bind(key("F3"), Action::Files, "show or hide the list of files", ""),
    bind(ctrl("S"), Action::Screenshot, "save a picture beside the model", "--screenshot"),
    bind(ctrl("C"), Action::Copy, "copy the command line for this picture", ""),
    bind(key("?"), Action::Help, "show or hide the list of keys", ""),
    bind(key("F1"), Action::Help, "show or hide the list of keys", ""),
    bind(ctrl("K"), Action::Palette, "find an action, view, fault, clip, joint or quality by name", ""),
    bind(ctrl("Z"), Action::Undo, "undo", ""),
    bind(Chord { key: "Z", ctrl: true, shift: true }, Action::Redo, "redo", ""),
    bind(key("Escape"), Action::Leave, "cancel a drag, or clear the selection", ""),
    bind(ctrl("Q"), Action::Quit, "close the window", ""),
];

/// Returns the binding of a key.
pub fn look_up(key: &str, ctrl: bool, shift: bool) -> Option<&'static Binding> {
    let named =
        |binding: &&Binding| binding.chord.key.eq_ignore_ascii_case(key) && binding.chord.ctrl == ctrl;
    let exact = BINDINGS.iter().find(|binding| named(binding) && binding.chord.shift == shift);
    // Keys that the table does not distinguish by Shift match with or without it, since keyboards differ.
    let two_ways = || BINDINGS.iter().filter(named).count() > 1;
    exact.or_else(|| BINDINGS.iter().find(|binding| named(binding) && !two_ways()))
}

impl fmt::Display for Chord {
    /// Writes the chord as keyboards label it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ctrl = if self.ctrl { "Ctrl+" } else { "" };
        let shift = if self.shift { "Shift+" } else { "" };
        write!(f, "{ctrl}{shift}{}", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        for (number, binding) in BINDINGS.iter().enumerate() {
            let Chord { key, ctrl, shift } = binding.chord;
            let found = look_up(key, ctrl, shift).unwrap();
            assert_eq!((found.action, &found.words), (binding.action, &binding.words), "{key}");
            let twins = BINDINGS.iter().skip(number + 1).filter(|other| other.chord == binding.chord);
            assert_eq!(twins.count(), 0, "{key}");
        }
    }

    #[test]
    fn every_mode_has_a_key_and_so_would_twenty() {
        for mode in SkinningMode::ALL {
            assert!(BINDINGS.iter().any(|binding| binding.action == Action::Mode(mode)), "{mode}");
        }
        let chords: Vec<Chord> = mode_chords().collect();
        assert_eq!(chords.len(), 20);
        for (number, chord) in chords.iter().enumerate() {
            assert!(!chords[..number].contains(chord), "{chord}");
            assert!(OTHERS.iter().all(|other| other.chord != *chord), "{chord}");
        }
    }

    #[test]
    fn keys_are_found_as_keyboards_send_them() {
        let action = |key, ctrl, shift| look_up(key, ctrl, shift).map(|binding| binding.action);
        // Some keyboards need Shift for these, some do not.
        assert_eq!(action("?", false, true), Some(Action::Help));
        assert_eq!(action("+", false, true), Some(Action::Zoom(0.8)));
        assert_eq!(action("b", false, false), Some(Action::Bind));
        assert_eq!(action("B", false, true), Some(Action::Rest));
        assert_eq!(action("s", true, false), Some(Action::Screenshot));
        assert_eq!(action("s", false, false), Some(Action::Fly(0.0, 0.0, -0.05)));
        assert_eq!(action("Y", false, true), Some(Action::HandleAxes));
        assert_eq!(action("ß", false, false), None);
    }

    /// The documentation lists every key.
    #[test]
    fn every_key_is_documented() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/keys.md");
        let text = std::fs::read_to_string(path).unwrap();
        let (_, keys) = text.split_once("## The keys").unwrap();
        for Binding { chord, words, .. } in BINDINGS.iter() {
            let is_listed = keys.contains(&format!("`{}`", chord.key));
            assert!(is_listed, "docs/reference/keys.md does not list {chord}: {words}");
        }
        let modes = SkinningMode::names(", ");
        assert!(keys.contains(&modes), "docs/reference/keys.md does not list the modes: {modes}");
    }
}
