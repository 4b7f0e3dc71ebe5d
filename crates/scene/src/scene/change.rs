//! A pane of a storyboard: its changes to the scene that all panes share.

use super::{PaletteIn, Processor, Retouch, Scene};
use crate::camera::Viewpoint;
use crate::look::Look;
use crate::overlay::{Onion, Overlays};
use crate::view::View;
use sinew_model::VertexName;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::{Fault, SkinningMode};

/// The changes of a pane; everything else is the scene's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// The flags for these changes, without dashes, as in `pose=bind view=normals`.
    pub flags: String,
    /// The pane's caption.
    pub caption: String,
    /// True if the pane shows the other file.
    pub other: bool,
    /// Skinning mode.
    pub mode: Option<SkinningMode>,
    /// Processor that skins.
    pub skin: Option<Processor>,
    /// Kind of palette.
    pub palette: Option<PaletteIn>,
    /// Pose of the pane.
    pub pose: Option<PoseChoice>,
    /// Clips of its pose that have another name in the other file.
    pub clip_pairs: Option<Vec<(usize, String)>>,
    /// Injected fault, or none.
    pub inject: Option<Option<Fault>>,
    /// Viewpoint of the pane.
    pub camera: Option<Viewpoint>,
    /// Quality, samples and background.
    pub look: Option<Look>,
    /// View of its surfaces.
    pub view: Option<View>,
    /// Overlays over the pane.
    pub overlays: Option<Overlays>,
    /// Edited materials.
    pub materials: Option<Vec<Retouch>>,
    /// Onion skin, or none.
    pub onion: Option<Option<Onion>>,
    /// Vertex to explain, or none.
    pub explained: Option<Option<VertexName>>,
    /// Marked vertex, or none.
    pub marked: Option<Option<VertexName>>,
    /// True to draw a legend.
    pub legend: Option<bool>,
}

impl Scene {
    /// Returns the scene of a pane, as a single picture.
    pub(super) fn changed(&self, change: &Change) -> Self {
        let Change {
            flags: _,
            caption: _,
            // The pane has this flag.
            other: _,
            mode,
            skin,
            palette,
            pose,
            clip_pairs,
            inject,
            camera,
            look,
            view,
            overlays,
            materials,
            onion,
            explained,
            marked,
            legend,
        } = change.clone();
        fn or<T: Clone>(change: Option<T>, whole: &T) -> T {
            change.unwrap_or_else(|| whole.clone())
        }
        Self {
            files: self.files.clone(),
            clip_pairs: or(clip_pairs, &self.clip_pairs),
            mode: or(mode, &self.mode),
            skin: or(skin, &self.skin),
            palette: or(palette, &self.palette),
            crowd: self.crowd,
            pose: or(pose, &self.pose),
            inject: or(inject, &self.inject),
            camera: or(camera, &self.camera),
            framing: self.framing,
            size: self.size,
            look: or(look, &self.look),
            view: or(view, &self.view),
            overlays: or(overlays, &self.overlays),
            materials: or(materials, &self.materials),
            onion: or(onion, &self.onion),
            explained: or(explained, &self.explained),
            marked: or(marked, &self.marked),
            arrangement: self.arrangement.clone(),
            legend: or(legend, &self.legend),
            environment: self.environment.clone(),
        }
    }
}
