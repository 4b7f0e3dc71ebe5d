//! Interactive changes of the arrangement: split and wipe, their modes and the line.

use super::state::Stage;
use sinew_scene::framing::each_pose;
use sinew_scene::scene::{Arrangement, Framing, Wipe};
use sinew_scene::view::{Against, Difference, View};
use sinew_skinning::SkinningMode;
use sinew_skinning::distinct::{self, Distinct};

impl Stage {
    /// Returns the first mode for comparisons: the previous one.
    pub fn other_mode(&self) -> SkinningMode {
        self.before
    }

    /// Returns every view without a parameter, then the differences: to the mode that the window compares with, the
    /// other file, and the other modes.
    pub fn views(&self) -> Vec<View> {
        let other_file = self.scene.files.other.as_ref().map(|_| Against::Other);
        let [other, own] = [self.before, self.scene.mode];
        let others = SkinningMode::ALL.into_iter().filter(|mode| ![other, own].contains(mode)).chain([own]);
        let modes = [other].into_iter().chain(others).map(Against::Mode);
        let differences = other_file.into_iter().chain(modes);
        let differences = differences.map(|against| View::Difference(Difference { against, top_m: None }));
        View::all().into_iter().chain(differences).collect()
    }

    /// Moves the line of a wipe.
    pub fn move_line(&mut self, at: f64) {
        if let Arrangement::Wipe(Wipe { at: line, .. }) | Arrangement::WipeOther(line) =
            &mut self.scene.arrangement
        {
            *line = (at * 1000.0).round().clamp(0.0, 1000.0) / 1000.0;
        }
    }

    /// Switches to the next arrangement: single, split with one mode, split with all, wipe.
    pub(super) fn arrange(&mut self) {
        let other = match &self.scene.arrangement {
            Arrangement::Single | Arrangement::WipeOther(_) | Arrangement::Storyboard(_) => self.before,
            Arrangement::Split(others) => others.first().copied().unwrap_or(self.before),
            Arrangement::Wipe(wipe) => wipe.mode,
        };
        self.scene.arrangement = match &self.scene.arrangement {
            Arrangement::Single => Arrangement::Split(vec![other]),
            Arrangement::Split(others) if others.len() == 1 => {
                let mut scales = false;
                each_pose(&self.model, &self.scene.pose, Framing::Clip, &mut |choice| {
                    scales = scales || distinct::scales(&self.model, [choice.clone()]);
                });
                let all = Distinct::new(&self.scene.pose.shares(), scales).modes;
                Arrangement::Split(all.into_iter().filter(|mode| *mode != self.scene.mode).collect())
            }
            Arrangement::Split(_) => Arrangement::Wipe(Wipe { mode: other, at: 0.5 }),
            Arrangement::Wipe(_) | Arrangement::WipeOther(_) | Arrangement::Storyboard(_) => {
                Arrangement::Single
            }
        };
    }

    /// Moves each compared mode on to the next.
    pub(super) fn change_other(&mut self) {
        let next = |mode: SkinningMode| {
            let all = SkinningMode::ALL;
            let now = all.iter().position(|other| *other == mode).unwrap_or(0);
            all.get((now + 1) % all.len()).copied().unwrap_or(mode)
        };
        match &mut self.scene.arrangement {
            Arrangement::Single | Arrangement::WipeOther(_) | Arrangement::Storyboard(_) => {}
            Arrangement::Split(others) => others.iter_mut().for_each(|mode| *mode = next(*mode)),
            Arrangement::Wipe(wipe) => wipe.mode = next(wipe.mode),
        }
    }
}
