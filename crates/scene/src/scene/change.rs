//! A pane of a storyboard: what it changes in the scene that all panes share.

use super::{PaletteIn, Processor, Retouch, Scene};
use crate::camera::Viewpoint;
use crate::look::Look;
use crate::overlay::{Onion, Overlays};
use crate::view::View;
use sinew_model::VertexName;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::{Fault, SkinningMode};

/// What a pane changes; everything else is the scene's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// The flags that ask for it, without dashes, as in `pose=bind view=normals`.
    pub flags: String,
    /// Its caption.
    pub caption: String,
    /// Whether it shows the other file.
    pub other: bool,
    /// Its own mode.
    pub mode: Option<SkinningMode>,
    /// Its own processor.
    pub skin: Option<Processor>,
    /// Its own kind of palette.
    pub palette: Option<PaletteIn>,
    /// Its own pose.
    pub pose: Option<PoseChoice>,
    /// Clips of its pose that have another name in the other file.
    pub clip_pairs: Option<Vec<(usize, String)>>,
    /// Its own fault, or none.
    pub inject: Option<Option<Fault>>,
    /// Its own viewpoint.
    pub camera: Option<Viewpoint>,
    /// Its own look.
    pub look: Option<Look>,
    /// Its own view.
    pub view: Option<View>,
    /// Its own overlays.
    pub overlays: Option<Overlays>,
    /// Its own materials.
    pub materials: Option<Vec<Retouch>>,
    /// Its own onion skin, or none.
    pub onion: Option<Option<Onion>>,
    /// Its own vertex to explain, or none.
    pub explained: Option<Option<VertexName>>,
    /// Its own marked vertex, or none.
    pub marked: Option<Option<VertexName>>,
    /// Whether it has a legend.
    pub legend: Option<bool>,
}

impl Scene {
    /// The scene of a pane, as a single picture.
    pub(super) fn changed(&self, change: &Change) -> Self {
        let Change {
            flags: _,
            caption: _,
            // The pane says it.
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
