//! Describes the stage in words: in the title bar and in the line at the window's lower edge.

use super::state::Stage;
use sinew_scene::scene::file_name;
use sinew_scene::view::View;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;
use sinew_text::words::many;

/// Content of the line at the lower edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The file's name.
    pub file: String,
    /// Pose or clip with its time, the clock's state, the mode with the processor that skinned, and everything unusual.
    pub words: Vec<String>,
    /// True if the pose or weights have edits that are in no file.
    pub is_edited: bool,
}

impl Stage {
    /// Returns the text of the title bar.
    pub fn title(&self) -> String {
        let edited = if self.is_edited_and_unsaved() { ", edited" } else { "" };
        let [name, mode, pose] =
            [file_name(&self.scene.files.model).to_owned(), self.mode_words(), self.pose_words(1)];
        let others: String = self.unusual().iter().map(|word| format!(" - {word}")).collect();
        format!("{name} - {mode} - {pose}{edited}{others}")
    }

    /// Returns the content of the line at the lower edge.
    pub fn status(&self) -> Status {
        let mut words = vec![self.pose_words(2)];
        if matches!(self.scene.pose, PoseChoice::Clips(_)) && self.period().length() > 0.0 {
            let speed = self.clock.speed;
            words.push(match self.clock.is_running {
                false => "paused".to_owned(),
                true if speed == 1.0 => "playing".to_owned(),
                true => format!("playing {speed}×"),
            });
        }
        words.push(self.mode_words());
        words.extend(self.unusual());
        words.extend(self.chosen.map(|node| format!("joint {}", self.node_name(node))));
        if self.is_selecting || self.selected_count() > 0 {
            words.push(format!("{} selected", many(self.selected_count(), "vertex")));
        }
        words.extend(self.kept.map(|vertex| format!("vertex {}", self.vertex_name(vertex))));
        Status {
            file: file_name(&self.scene.files.model).to_owned(),
            words,
            is_edited: self.is_edited_and_unsaved(),
        }
    }

    fn is_edited_and_unsaved(&self) -> bool {
        self.has_unsaved_pose() || self.has_unsaved_weights()
    }

    fn mode_words(&self) -> String {
        let is_authored = SkinningMode::authored(&self.model) == Some(self.scene.mode);
        let authored = if is_authored { " (authored)" } else { "" };
        let words =
            format!("{}{authored} {}", self.scene.mode.name(), self.skinned.words_of(self.scene.mode));
        words.trim_end().to_owned()
    }

    /// Describes the pose, with this many digits of its time.
    fn pose_words(&self, digits: usize) -> String {
        match &self.scene.pose {
            PoseChoice::Bind => "bind".to_owned(),
            PoseChoice::Rest => "rest".to_owned(),
            PoseChoice::SkinSpace(_) => "skin space".to_owned(),
            PoseChoice::Clips(mix) => {
                let names = mix.clips.iter().filter_map(|clip| self.model.clips.get(*clip));
                let names: Vec<&str> = names.map(|clip| clip.name.as_str()).collect();
                let (time, end) = (mix.time_secs, self.period().end);
                match names.as_slice() {
                    [] => "rest".to_owned(),
                    names => format!("{} {time:.digits$} / {end:.digits$} s", names.join(" + ")),
                }
            }
        }
    }

    /// Lists differences from a shaded figure without faults.
    fn unusual(&self) -> Vec<String> {
        let fault = self.scene.inject.map(|fault| format!("injected fault: {fault}"));
        let view = (self.scene.view != View::Shaded).then(|| self.scene.view.to_string());
        fault.into_iter().chain(view).collect()
    }
}
