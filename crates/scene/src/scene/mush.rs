//! Delta mush in a picture, which is no mode because no shader has it.

use super::Scene;
use crate::view::Against;
use sinew_skinning::Yardstick;
use sinew_skinning::delta_mush::Settings;

/// Delta mush in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mush {
    /// True to draw the figure in delta mush. The mode is then that which it smooths, *lbs*.
    pub is_drawn: bool,
    /// The settings, also of a comparison with it.
    pub settings: Settings,
}

impl Scene {
    /// Returns the drawn mode, or delta mush.
    pub fn drawn(&self) -> Yardstick {
        match self.mush.is_drawn {
            true => Yardstick::Mush(self.mush.settings),
            false => self.mode.into(),
        }
    }

    /// Returns the scene in a mode.
    pub(super) fn in_mode(&self, mode: sinew_skinning::SkinningMode) -> Self {
        Self { mode, mush: Mush { is_drawn: false, ..self.mush }, ..self.clone() }
    }

    /// Returns true if a pane draws the figure in delta mush.
    pub fn draws_mush(&self) -> bool {
        self.some(|scene| scene.mush.is_drawn)
    }

    /// Returns true if a pane draws delta mush or the distance from it.
    pub(super) fn needs_mush_settings(&self) -> bool {
        let measures =
            |scene: &Self| scene.view.moving().is_some_and(|difference| difference.against == Against::Mush);
        self.some(|scene| scene.mush.is_drawn || measures(scene))
    }

    fn some(&self, is: impl Fn(&Self) -> bool) -> bool {
        is(self) || self.panes().iter().any(|pane| is(&pane.scene))
    }
}
