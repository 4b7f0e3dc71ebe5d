//! Suspected causes of a figure that looks wrong, and the likeness of the outlines of two pictures. This module must not
//! depend on drawing.

mod outline;

#[cfg(test)]
mod tests;

pub use outline::{Outline, likeness};

use sinew_model::Model;
use sinew_scene::scene::Scene;
use sinew_scene::view::View;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::posed::is_moved;
use sinew_skinning::{Fault, Symptom};

/// A possible state of the figure in a picture: right, or wrong in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspect {
    /// Nothing is wrong.
    Right,
    /// No palette.
    Bind,
    /// No clip.
    Rest,
    /// Inverse bind matrices alone.
    SkinSpace,
    /// A fault in one step of skinning.
    Fault(Fault),
}

impl Suspect {
    /// Returns every state that a picture may show.
    pub fn all() -> impl Iterator<Item = Self> {
        let poses = [Self::Right, Self::Bind, Self::Rest, Self::SkinSpace];
        poses.into_iter().chain(Fault::ALL.map(Self::Fault))
    }

    /// Returns the state's symptom.
    pub const fn symptom(self) -> &'static Symptom {
        match self {
            Self::Right => &Symptom {
                name: "right",
                looks: "as it should",
                cause: "nothing is wrong in this pose",
                cure: "try other poses; some faults show only in a few",
            },
            Self::Bind => &Symptom {
                name: "bind",
                looks: "the figure stands as its mesh is stored, often with arms half raised, and never moves",
                cause: "no palette is applied: the vertex shader ignores joints and weights",
                cure: "check that the shader multiplies by the palette, and that joints and weights are bound",
            },
            Self::Rest => &Symptom {
                name: "rest",
                looks: "the figure stands as its nodes are stored, often with arms straight out, and never moves",
                cause: "the palette is applied, but no clip has moved the joints",
                cure: "check that the clip is sampled, that its channels find their nodes, and that the palette is made \
                       after that",
            },
            Self::SkinSpace => &Symptom {
                name: "skin-space",
                looks: "a blob about the origin: all parts overlap",
                cause: "the palette holds the inverse bind matrices without the joints' world matrices",
                cure: "multiply each inverse bind matrix by its joint's world matrix: world_from_joint * inverse_bind",
            },
            Self::Fault(fault) => fault.symptom(),
        }
    }

    /// Returns the scene in this state.
    pub fn scene(self, right: &Scene) -> Scene {
        let scene = right.clone();
        match self {
            Self::Right => scene,
            Self::Bind => Scene { pose: PoseChoice::Bind, ..scene },
            Self::Rest => Scene { pose: PoseChoice::Rest, ..scene },
            Self::SkinSpace => Scene { pose: PoseChoice::SkinSpace(None), view: View::SkinSpace, ..scene },
            Self::Fault(fault) => Scene { inject: Some(fault), ..scene },
        }
    }

    /// Returns true if this state moves anything in the scene.
    pub fn shows(self, model: &Model, right: &Scene) -> bool {
        match self {
            Self::Right => true,
            // No outline has it.
            Self::Fault(fault) if fault.is_in_normals() => false,
            Self::Bind | Self::Rest | Self::SkinSpace | Self::Fault(_) => {
                let shown = self.scene(right);
                is_moved(model, right.mode, [(&right.pose, None), (&shown.pose, shown.inject)])
            }
        }
    }
}
