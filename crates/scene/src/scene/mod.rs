//! A scene: everything one picture depends on, as plain data that prints itself as its command line. It must not depend
//! on how a picture is drawn.

mod arrangement;
mod change;
mod command;
mod crowd;
mod files;
mod mush;
mod retouch;
mod skinned;

use std::sync::Arc;

use crate::camera::Viewpoint;
use crate::environment::Environment;
use crate::look::{Background, Look};
use crate::overlay::{Onion, Overlays};
use crate::view::{Against, Difference, Ground, View};
use sinew_model::{Model, Period, VertexName};
use sinew_skinning::pose::{ClipMix, PoseChoice, is_called};
use sinew_skinning::posed::count_vertices;
use sinew_skinning::{Fault, Needs, Normals, SkinningMode};

pub use arrangement::{
    Arrangement, Located, MAX_BESIDE, MAX_PANES, NoWipe, Pane, Wipe, file_name, names_of_two,
};
pub use change::Change;
pub use command::AtFrame;
pub use crowd::{Crowd, Grid, LAPS, Member, NoCount, count as crowd_count};
pub use files::Files;
pub use mush::Mush;
pub use retouch::{Factors, NoFactors, Retouch, retouched};
pub use skinned::Skinned;

/// Another pose of the figure, and the word that asked for it.
#[derive(Clone, Debug, PartialEq)]
pub struct GhostPose {
    /// `bind`, `rest`, `time=SECONDS` or a pose file, as the user gave it.
    pub given: String,
    /// The pose.
    pub pose: Behind,
}

/// A pose behind the shown one.
#[derive(Clone, Debug, PartialEq)]
pub enum Behind {
    /// A pose that does not depend on the shown one.
    Pose(PoseChoice),
    /// Another time of the shown clips, in seconds.
    Time(f64),
}

/// A complete description of one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The files that it shows.
    pub files: Files,
    /// Clips that play with a clip of another name in the second file: the clip, and that name or its index.
    pub clip_pairs: Vec<(usize, String)>,
    /// The skinning mode.
    pub mode: SkinningMode,
    /// Delta mush in place of the mode, and its settings.
    pub mush: Mush,
    /// The source of the normals.
    pub normals: Normals,
    /// The processor that skins.
    pub skin: Processor,
    /// The kind of buffer with the joints' slots; `None` for the device's faster one.
    pub palette: Option<PaletteIn>,
    /// Copies of the figure on a grid, if more than one.
    pub crowd: Option<Crowd>,
    /// The pose to show.
    pub pose: PoseChoice,
    /// The injected fault, if any.
    pub inject: Option<Fault>,
    /// Camera position and projection.
    pub camera: Viewpoint,
    /// The part of the figure's motion that the camera frames.
    pub framing: Framing,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Quality, samples and background.
    pub look: Look,
    /// The surfaces' view. [`View::SkinSpace`] goes with [`PoseChoice::SkinSpace`].
    pub view: View,
    /// The overlays over the picture.
    pub overlays: Overlays,
    /// Materials with factors other than the file's.
    pub materials: Vec<Retouch>,
    /// The onion skin, if any.
    pub onion: Option<Onion>,
    /// Another pose to draw behind the figure, if any.
    pub ghost: Option<GhostPose>,
    /// The vertex whose joints the picture explains, if any.
    pub explained: Option<VertexName>,
    /// The marked vertex, if any.
    pub marked: Option<VertexName>,
    /// The other panes of the picture.
    pub arrangement: Arrangement,
    /// True to draw the view's legend, if it has one, and to name an injected fault.
    pub legend: bool,
    /// The surrounding light, in place of the studio.
    pub environment: Option<Arc<Environment>>,
}

impl Scene {
    /// Returns the scene of a pane with the other file, in its pose there. Omits everything that belongs to the first
    /// file alone.
    pub fn of_other(&self, pose: PoseChoice) -> Self {
        let view = match &self.view {
            View::Difference(Difference { against: Against::Other, .. }) => View::Shaded,
            view => view.clone(),
        };
        let model = self.files.other.as_ref().unwrap_or(&self.files.model).clone();
        let files = Files { model, other: None, ..self.files.clone() };
        let materials = Vec::new();
        Self { files, pose, view, materials, ghost: None, explained: None, marked: None, ..self.clone() }
    }

    /// Returns every mode that the picture shows or compares with.
    pub fn modes(&self) -> Vec<SkinningMode> {
        let panes = self.panes();
        let scenes = || [self].into_iter().chain(panes.iter().map(|pane| &pane.scene));
        let measured = scenes().filter_map(|scene| match scene.view.moving()?.against {
            Against::Mode(mode) => Some(mode),
            Against::Mush | Against::Other => None,
        });
        scenes().map(|scene| scene.mode).chain(measured).collect()
    }

    /// Returns what the picture needs of the model.
    pub fn needs(&self) -> Needs {
        let panes = self.panes();
        let mut views = [&self.view].into_iter().chain(panes.iter().map(|pane| &pane.scene.view));
        let needs = Needs::of(self.modes());
        Needs { centers: needs.centers || views.any(View::has_centers), ..needs }
    }

    /// Returns the scene while the model lacks something: with another mode in place of those that need it.
    pub fn without(&self, missing: Needs, instead: SkinningMode) -> Self {
        let lacks = |mode: SkinningMode| {
            let needs = Needs::of([mode]);
            needs.centers && missing.centers || needs.ddm && missing.ddm
        };
        let known = |mode: SkinningMode| match (lacks(mode), lacks(instead)) {
            (false, _) => mode,
            (true, false) => instead,
            (true, true) => SkinningMode::DualQuat,
        };
        let mut scene = Self { mode: known(self.mode), ..self.clone() };
        match &mut scene.arrangement {
            Arrangement::Single | Arrangement::WipeOther(_) => {}
            Arrangement::Split(others) => others.iter_mut().for_each(|mode| *mode = known(*mode)),
            Arrangement::Wipe(wipe) => wipe.mode = known(wipe.mode),
            Arrangement::Storyboard(_) => scene.arrangement = Arrangement::Single,
        }
        if let View::Difference(Difference { against: Against::Mode(mode), .. }) = &mut scene.view {
            *mode = known(*mode);
        }
        if missing.centers && scene.view.has_centers() {
            scene.view = View::Wireframe;
        }
        scene
    }

    /// Returns true if some pane shows the other file or its distance to it.
    pub fn needs_other(&self) -> bool {
        let shows = |pane: &Pane| pane.is_other || pane.scene.view.is_against_other();
        self.view.is_against_other() || self.panes().iter().any(shows)
    }

    /// Returns the processor that skins. Faults of a mode's blending, delta mush and recomputed normals exist only on the CPU.
    pub fn processor(&self) -> Processor {
        let is_spoilt = self.inject.is_some_and(|fault| fault.is_in_blending(self.mode));
        match is_spoilt || self.mush.is_drawn || self.normals == Normals::Recomputed {
            true => Processor::Cpu,
            false => self.skin,
        }
    }

    /// Returns the background for the view.
    pub fn background(&self) -> Background {
        match self.view.facts().ground {
            Ground::Any => self.look.background,
            Ground::Paper => self.look.background.of_data(),
        }
    }

    /// Returns the part of the motion to frame: all of it if the picture shows other times, too.
    pub fn framed_by(&self) -> Framing {
        match self.crowd.is_some() || self.onion.is_some() || self.overlays.bounds {
            true => Framing::Clip,
            false => self.framing,
        }
    }

    /// Returns the pose of the ghost; `None` without one, and for another time of a pose without clips.
    pub fn ghost_pose(&self) -> Option<PoseChoice> {
        match (&self.ghost.as_ref()?.pose, &self.pose) {
            (Behind::Pose(pose), _) => Some(pose.clone()),
            (Behind::Time(time_secs), PoseChoice::Clips(mix)) => {
                Some(PoseChoice::Clips(ClipMix { time_secs: *time_secs, ..mix.clone() }))
            }
            (Behind::Time(_), _) => None,
        }
    }

    /// Returns the poses that the picture shows besides its own: that of the ghost, and the bind pose for gradients.
    pub fn behind(&self) -> Vec<PoseChoice> {
        self.ghost_pose().into_iter().chain(self.overlays.gradients.then_some(PoseChoice::Bind)).collect()
    }

    /// Returns the joint that the picture is about, if it shows one alone.
    pub fn chosen_joint(&self, model: &Model) -> Option<usize> {
        let only = match &self.pose {
            PoseChoice::SkinSpace(only) => only.as_ref(),
            PoseChoice::Clips(mix) => mix.only_joint.as_ref(),
            PoseChoice::Bind | PoseChoice::Rest => None,
        };
        let joints = || model.skins.iter().flat_map(|skin| skin.joints.iter().copied());
        let named = |name: &String| joints().find(|joint| is_called(&model.rig, *joint, name));
        self.view.joint().and_then(named).or(only.map(|only| only.node))
    }

    /// Returns the period of the clips; 0 to 0 without clips.
    pub fn period(&self, model: &Model) -> Period {
        match &self.pose {
            PoseChoice::Clips(mix) => model.period_of_all(mix.all()),
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => Period::default(),
        }
    }

    /// Returns a model in its rest pose, as the command line draws it without further flags.
    pub fn new(files: impl Into<Files>) -> Self {
        Self {
            files: files.into(),
            clip_pairs: Vec::new(),
            mode: SkinningMode::default(),
            mush: Mush::default(),
            normals: Normals::default(),
            skin: Processor::default(),
            palette: None,
            crowd: None,
            pose: PoseChoice::Rest,
            inject: None,
            camera: Viewpoint::default(),
            framing: Framing::default(),
            size: [960, 720],
            look: Look::default(),
            view: View::default(),
            overlays: Overlays::default(),
            materials: Vec::new(),
            onion: None,
            ghost: None,
            explained: None,
            marked: None,
            arrangement: Arrangement::Single,
            legend: true,
            environment: None,
        }
    }
}

/// The processor that skins the vertices of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processor {
    /// Automatic choice of the fastest. On a software driver: the CPU. Else the compute shader if several passes draw
    /// the figure or a crowd is large, and the vertex shader if not. The picture is identical.
    #[default]
    Auto,
    /// The vertex shader.
    Gpu,
    /// The compute shader, once for all passes.
    Compute,
    /// The modes' twins on the CPU; the GPU draws their vertices.
    Cpu,
}

impl Processor {
    /// Every choice.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Gpu, Self::Compute, Self::Cpu];

    /// Returns the next choice in turn.
    pub fn next(self) -> Self {
        match self {
            Self::Auto => Self::Gpu,
            Self::Gpu => Self::Compute,
            Self::Compute => Self::Cpu,
            Self::Cpu => Self::Auto,
        }
    }

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Gpu => "gpu",
            Self::Compute => "compute",
            Self::Cpu => "cpu",
        }
    }
}

/// The part of a figure's motion to frame, in every mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// The pose at the picture's time.
    #[default]
    Time,
    /// Every pose of its clips, so that pictures of different times align.
    Clip,
}

impl Framing {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Clip => "clip",
        }
    }

    /// Returns true if two poses have the same framing.
    pub fn is_same(self, a: &PoseChoice, b: &PoseChoice) -> bool {
        match self {
            Self::Time => a == b,
            Self::Clip => a.is_same_motion(b),
        }
    }
}

impl std::str::FromStr for Framing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = [Self::Time, Self::Clip].into_iter().find(|framing| framing.name() == text);
        found.ok_or_else(|| "expected time or clip".to_owned())
    }
}

/// The kind of buffer from which vertex shaders read the joints' slots. The picture is identical.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaletteIn {
    /// A uniform buffer. A draw sees 512 of its slots, so a crowd takes many draws.
    Uniform,
    /// A storage buffer of any length.
    Storage,
}

impl PaletteIn {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "ubo",
            Self::Storage => "ssbo",
        }
    }
}

/// Parses the flag `--palette`.
///
/// # Errors
/// With the names that it takes.
pub fn palette(text: &str) -> Result<Option<PaletteIn>, &'static str> {
    let named =
        || [PaletteIn::Uniform, PaletteIn::Storage].into_iter().find(|palette| palette.name() == text);
    match text {
        "auto" => Ok(None),
        _ => named().map(Some).ok_or("expected auto, ubo or ssbo"),
    }
}

/// Returns the view to show: the skeleton for a model without vertices, else the requested one.
pub fn visible_view(asked: View, model: &Model) -> View {
    if count_vertices(model) == 0 { View::Skeleton } else { asked }
}
