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
        let mut scene = self.clone();
        set(&mut scene.mode, mode);
        set(&mut scene.skin, skin);
        set(&mut scene.palette, palette);
        set(&mut scene.pose, pose);
        set(&mut scene.clip_pairs, clip_pairs);
        set(&mut scene.inject, inject);
        set(&mut scene.camera, camera);
        set(&mut scene.look, look);
        set(&mut scene.view, view);
        set(&mut scene.overlays, overlays);
        set(&mut scene.materials, materials);
        set(&mut scene.onion, onion);
        set(&mut scene.explained, explained);
        set(&mut scene.marked, marked);
        set(&mut scene.legend, legend);
        scene
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
