//! Everything one picture depends on, as plain data that prints itself as the command line that
//! makes the same picture. It must not know how a picture is drawn.

mod arrangement;
mod command;
mod retouch;

use crate::camera::Viewpoint;
use crate::look::Look;
use crate::overlay::{Onion, Overlays};
use crate::view::View;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::posed::count_vertices;

pub use arrangement::{Arrangement, MOST_BESIDE, NoWipe, Pane, Wipe};
pub use retouch::{Factors, NoFactors, Retouch, retouched};

/// One picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The model as the user gave it: a path or `builtin:NAME`.
    pub model: String,
    /// Which of the file's scenes is shown, as the user gave it; `None` is the file's own choice.
    pub scene: Option<String>,
    /// Whether the file may name others outside its folder.
    pub allow_outside: bool,
    /// How the vertices are skinned.
    pub mode: SkinningMode,
    /// Who skins them.
    pub skin: Processor,
    /// How the joints stand.
    pub pose: PoseChoice,
    /// Where it is seen from.
    pub camera: Viewpoint,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// How it is made to look.
    pub look: Look,
    /// What is shown of the surfaces. With [`View::SkinSpace`] goes [`PoseChoice::SkinSpace`].
    pub view: View,
    /// What is laid over it.
    pub overlays: Overlays,
    /// Materials that do not look as the file has them.
    pub materials: Vec<Retouch>,
    /// Outlines of the figure at other times, where it moves.
    pub onion: Option<Onion>,
    /// Which other modes are shown with it.
    pub arrangement: Arrangement,
    /// Whether views whose colours mean something say what.
    pub legend: bool,
}

impl Scene {
    /// A model in its rest pose, as the command line draws it without flags.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            scene: None,
            allow_outside: false,
            mode: SkinningMode::default(),
            skin: Processor::default(),
            pose: PoseChoice::Rest,
            camera: Viewpoint::default(),
            size: [960, 720],
            look: Look::default(),
            view: View::default(),
            overlays: Overlays::default(),
            materials: Vec::new(),
            onion: None,
            arrangement: Arrangement::Single,
            legend: true,
        }
    }
}

/// Who skins the vertices of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processor {
    /// The vertex shader.
    #[default]
    Gpu,
    /// The modes' twins; the vertices are drawn as they come out.
    Cpu,
}

impl Processor {
    /// The other of the two.
    pub fn other(self) -> Self {
        match self {
            Self::Gpu => Self::Cpu,
            Self::Cpu => Self::Gpu,
        }
    }
}

/// The view that shows something: of a model that draws no vertices, the skeleton, whatever was asked for.
pub fn visible_view(asked: View, model: &Model) -> View {
    if count_vertices(model) == 0 { View::Skeleton } else { asked }
}
