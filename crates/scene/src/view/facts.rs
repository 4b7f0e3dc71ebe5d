//! Constants of a view.

use super::View;
use crate::shared::Shows;
use sinew_image::{balance, glow, heat};
use sinew_model::{Primitive, Rig, Skin};
use sinew_skinning::pose::Shares;

/// Constants of a view.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The name that users type: `--view NAME`.
    pub name: &'static str,
    /// The name with its parameter, if it has one: `joint:NAME`.
    pub form: &'static str,
    /// The meaning of its colours, as a clause.
    pub help: &'static str,
    /// Content of its surfaces.
    pub surface: Surface,
    /// Content besides its surfaces.
    pub besides: Besides,
    /// Pose of the figure.
    pub pose: Posed,
    /// Background of the picture.
    pub ground: Ground,
}

/// Content of a view's surfaces.
#[derive(Clone, Copy, Debug)]
pub enum Surface {
    /// Materials in their light.
    Light,
    /// No surfaces.
    Hidden,
    /// Edges of triangles on paper.
    Edges,
    /// A value that `view.frag` computes for each fragment, without a legend.
    Computed(Shows),
    /// Colours of each vertex's joints, mixed by weight. The legend lists the joints.
    Joints,
    /// Triangles whose vertices all have most weight on one joint, in its colour.
    Part,
    /// A number per vertex, with its scale as the legend.
    Numbers(Scale),
    /// A distance per vertex that changes with the pose. The legend is [`Difference::legend`](super::Difference::legend).
    Distances,
}

/// Content of a view besides its surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Besides {
    /// Overlays of the scene alone.
    Nothing,
    /// Joints and bones.
    Skeleton,
    /// Centres of rotation.
    Centers,
}

/// Pose of a view's figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posed {
    /// The scene's pose.
    Asked,
    /// The pose of inverse bind matrices alone.
    SkinSpace,
}

/// Background of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// The scene's background, for surfaces that could not be told from paper.
    Any,
    /// Paper in place of the studio.
    Paper,
}

/// A number per vertex, and its scale.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// The name of the number. The view's parameter follows it.
    pub title: &'static str,
    /// Shares of the scale with their labels, in rising order.
    pub ticks: &'static [(f32, &'static str)],
    /// Colours of the scale.
    pub ramp: Ramp,
    /// Source of the numbers.
    pub source: Source,
}

/// Colours of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ramp {
    /// From dark for 0 to pale for 1.
    Rising,
    /// From blue for −1 over grey to orange for 1.
    Balance,
}

/// Source of a vertex's number; `None` is a vertex without weights.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The model.
    Model(fn(&Vertex<'_>) -> Option<f32>),
    /// The model and the shares of the pose. New shares make new colours.
    Shares(fn(&Vertex<'_>, &Shares) -> Option<f32>),
}

/// A vertex whose number a view shows.
#[derive(Clone, Copy, Debug)]
pub struct Vertex<'a> {
    /// The view, with its parameter.
    pub view: &'a View,
    /// The model's rig.
    pub rig: &'a Rig,
    /// The skin, if one moves the primitive.
    pub skin: Option<&'a Skin>,
    /// The primitive.
    pub primitive: &'a Primitive,
    /// The index of the vertex.
    pub index: usize,
}

impl Facts {
    /// Returns true if a parameter follows the name.
    pub fn has_parameter(&self) -> bool {
        self.form != self.name
    }
}

impl Surface {
    /// Returns true if each vertex has its own colour.
    pub fn is_by_vertex(&self) -> bool {
        match self {
            Self::Joints | Self::Part | Self::Numbers(_) | Self::Distances => true,
            Self::Light | Self::Hidden | Self::Edges | Self::Computed(_) => false,
        }
    }

    /// Returns the content that `view.frag` draws; `flat` is true if surfaces are not softly lit.
    pub fn shows(&self, flat: bool) -> Shows {
        match self {
            Self::Computed(shows) => *shows,
            Self::Edges => Shows::Lines,
            Self::Part if flat => Shows::FlatPart,
            Self::Part => Shows::Part,
            Self::Joints if flat => Shows::Joints,
            Self::Joints => Shows::LitJoints,
            Self::Numbers(_) | Self::Distances if !flat => Shows::LitColors,
            Self::Light | Self::Hidden | Self::Numbers(_) | Self::Distances => Shows::Colors,
        }
    }

    /// Returns the content of the edges of triangles over it.
    pub fn edges(&self) -> Shows {
        match self {
            Self::Light => Shows::Edges,
            Self::Part => Shows::EdgesOfPart,
            Self::Joints | Self::Numbers(_) | Self::Distances => Shows::EdgesOfColors,
            Self::Hidden | Self::Edges | Self::Computed(_) => Shows::Lines,
        }
    }
}

impl Scale {
    /// Returns the colour of a number, in sRGB.
    pub fn color(&self, number: f32, flat: bool) -> [u8; 3] {
        match self.ramp {
            Ramp::Rising => scale(flat)(number),
            Ramp::Balance => balance(number),
        }
    }
}

/// Returns the scale of numbers from 0 to 1. It begins at a dark violet on softly lit surfaces, and at black on flat
/// ones.
pub fn scale(flat: bool) -> fn(f32) -> [u8; 3] {
    if flat { heat } else { glow }
}
