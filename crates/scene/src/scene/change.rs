//! A pane of a storyboard: its changes to the scene that all panes share.

use super::{GhostPose, Mush, PaletteIn, Processor, Retouch, Scene};
use crate::camera::Viewpoint;
use crate::look::Look;
use crate::overlay::{Onion, Overlays};
use crate::view::View;
use sinew_model::VertexName;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::{Fault, Normals, SkinningMode};

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
    /// Delta mush, and its settings.
    pub mush: Option<Mush>,
    /// Source of the normals.
    pub normals: Option<Normals>,
    /// Processor that skins.
    pub skin: Option<Processor>,
    /// Kind of palette, or the faster one.
    pub palette: Option<Option<PaletteIn>>,
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
    /// Another pose under the shown one, or none.
    pub ghost: Option<Option<GhostPose>>,
    /// Vertex to explain, or none.
    pub explained: Option<Option<VertexName>>,
    /// Marked vertex, or none.
    pub marked: Option<Option<VertexName>>,
    /// True to draw a legend.
    pub legend: Option<bool>,
}

impl Scene {
    /// Returns the changes that make a pane's scene from this one. A field in `stated` keeps the pane's value, even one
    /// that is equal here.
    ///
    /// # Errors
    /// With the field that differs though all panes share it.
    pub fn change_to(&self, pane: &Self, stated: &[&str]) -> Result<Change, &'static str> {
        // A new field does not compile until it is a change, or `_` and in `shared_apart`.
        let Self {
            files: _,
            clip_pairs,
            mode,
            mush,
            normals,
            skin,
            palette,
            crowd: _,
            pose,
            inject,
            camera,
            framing: _,
            size: _,
            look,
            view,
            overlays,
            materials,
            onion,
            ghost,
            explained,
            marked,
            arrangement: _,
            legend,
            environment: _,
        } = pane;
        if let Some(field) = self.shared_apart(pane) {
            return Err(field);
        }
        let is_stated = |field: &str| stated.contains(&field);
        // A view of joint space is its pose, too.
        let is_posed = is_stated("pose") || matches!(pose, PoseChoice::SkinSpace(_));
        Ok(Change {
            mode: differing(is_stated("mode"), mode, &self.mode),
            mush: differing(is_stated("mush"), mush, &self.mush),
            normals: differing(is_stated("normals"), normals, &self.normals),
            skin: differing(is_stated("skin"), skin, &self.skin),
            palette: differing(is_stated("palette"), palette, &self.palette),
            pose: differing(is_posed, pose, &self.pose),
            clip_pairs: differing(is_stated("pose"), clip_pairs, &self.clip_pairs),
            inject: differing(is_stated("inject"), inject, &self.inject),
            camera: differing(is_stated("camera"), camera, &self.camera),
            look: differing(is_stated("look"), look, &self.look),
            view: differing(is_stated("view"), view, &self.view),
            overlays: differing(is_stated("overlays"), overlays, &self.overlays),
            materials: differing(is_stated("materials"), materials, &self.materials),
            onion: differing(is_stated("onion"), onion, &self.onion),
            ghost: differing(is_stated("ghost"), ghost, &self.ghost),
            explained: differing(is_stated("explained"), explained, &self.explained),
            marked: differing(is_stated("marked"), marked, &self.marked),
            legend: differing(is_stated("legend"), legend, &self.legend),
            ..Change::default()
        })
    }

    /// Returns the first of the fields that all panes share in which two scenes differ.
    fn shared_apart(&self, pane: &Self) -> Option<&'static str> {
        let shared = [
            ("other", pane.files == self.files),
            ("crowd", pane.crowd == self.crowd),
            ("framing", pane.framing == self.framing),
            ("size", pane.size == self.size),
            ("split", pane.arrangement == self.arrangement),
            ("environment", pane.environment == self.environment),
        ];
        shared.into_iter().find_map(|(field, is_same)| (!is_same).then_some(field))
    }

    /// Returns the scene of a pane, as a single picture.
    pub(super) fn changed(&self, change: &Change) -> Self {
        let Change {
            flags: _,
            caption: _,
            // The pane has this flag.
            other: _,
            mode,
            mush,
            normals,
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
            ghost,
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
            mush: or(mush, &self.mush),
            normals: or(normals, &self.normals),
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
            ghost: or(ghost, &self.ghost),
            explained: or(explained, &self.explained),
            marked: or(marked, &self.marked),
            arrangement: self.arrangement.clone(),
            legend: or(legend, &self.legend),
            environment: self.environment.clone(),
        }
    }
}

/// Returns the pane's value if it is stated, or differs from the whole's.
fn differing<T: Clone + PartialEq>(is_stated: bool, pane: &T, whole: &T) -> Option<T> {
    (is_stated || pane != whole).then(|| pane.clone())
}
