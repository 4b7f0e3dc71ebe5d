//! Interactive camera control.

use glam::{DVec2, DVec3};

use super::state::Stage;
use sinew_scene::camera::{Bounds, Lens, Orbit, Viewpoint};
use sinew_skinning::pose::Pose;

impl Stage {
    /// Notes that the viewpoint was chosen for a picture of this size.
    pub fn compose(&mut self, size: [u32; 2]) {
        let shown = std::mem::replace(&mut self.scene.size, size);
        self.composed = Some(self.pane_aspect());
        self.resize(shown);
    }

    /// Changes the size of the picture. If its panes are narrower than those for which the viewpoint was chosen, the camera
    /// steps back, so that they show as much from left to right.
    pub fn resize(&mut self, size: [u32; 2]) {
        let before = self.narrowness();
        self.scene.size = size.map(|side| side.max(1));
        let factor = self.narrowness() / before;
        if factor == 1.0 {
            return;
        }
        if let Viewpoint::Orbit(Orbit { distance: Some(distance), .. }) = &mut self.scene.camera {
            *distance *= factor;
        }
        // The user has not moved it.
        if let Some(history) = &mut self.history {
            history.now.scene.camera.clone_from(&self.scene.camera);
        }
    }

    /// Returns how many times narrower a pane is than one for which the viewpoint was chosen, and 1 for a wider one.
    fn narrowness(&self) -> f64 {
        self.composed.map_or(1.0, |aspect| (aspect / self.pane_aspect()).max(1.0))
    }

    fn pane_aspect(&self) -> f64 {
        let [width, height] = self.scene.pane_size().map(|side| f64::from(side.max(1)));
        width / height
    }

    /// Moves a point to the centre of the picture, at an unchanged distance.
    pub fn turn_around(&mut self, place: DVec3) {
        self.steer(|orbit, _| Orbit { target: Some(place), ..orbit });
    }

    /// Orbits by a drag in pixels.
    pub fn drag(&mut self, pixels: DVec2) {
        self.steer(|orbit, size| orbit.dragged(pixels, size));
    }

    /// Moves the picture along with the cursor.
    pub fn pan(&mut self, pixels: DVec2) {
        self.steer(|orbit, size| orbit.panned(pixels, size));
    }

    /// Zooms towards the point at a pixel, or away from it.
    pub fn zoom(&mut self, factor: f64, pixel: DVec2) {
        let pixel = self.scene.locate(pixel).pixel;
        self.steer(|orbit, size| orbit.zoomed(factor, pixel, size));
    }

    fn steer(&mut self, steer: impl FnOnce(Orbit, [u32; 2]) -> Orbit) {
        let size = self.scene.pane_size();
        let orbit = self.orbit().facing(self.broad_side);
        self.scene.camera = steer(orbit.settled(&self.points, size), size).into();
    }

    /// Returns the current orbit; a camera of the file is replaced by the default orbit.
    pub(super) fn orbit(&self) -> Orbit {
        match &self.scene.camera {
            Viewpoint::Orbit(orbit) => *orbit,
            Viewpoint::InFile { .. } => Orbit::default(),
        }
    }

    /// Frames the chosen joint and its descendants; everything if none is chosen.
    pub(super) fn fit_chosen(&mut self) {
        let Some(chosen) = self.chosen else { return self.fit_all() };
        let mut pose = Pose::default();
        pose.set(&self.model, &self.scene.pose);
        let mut hangs = vec![false; self.model.rig.len()];
        let mut points = Vec::new();
        let nodes = self.model.rig.parents.iter().zip(&pose.world_from_node).enumerate();
        for (node, (parent, world_from_node)) in nodes {
            let above = parent.is_some_and(|parent| hangs.get(parent as usize) == Some(&true));
            if let Some(hangs) = hangs.get_mut(node) {
                *hangs = above || node == chosen;
                points.extend(hangs.then(|| world_from_node.w_axis.truncate()));
            }
        }
        let mut all = Bounds::EMPTY;
        self.points.iter().for_each(|&point| all.add(point));
        let all = all.or_unit();
        // Room for flesh around the bones: a twentieth of the whole diagonal to each side.
        let around = (all.max - all.min).length() * 0.05;
        let corner = |at: DVec3, n: u32| {
            let sign = |bit: u32| if n >> bit & 1 == 0 { -around } else { around };
            at + DVec3::new(sign(0), sign(1), sign(2))
        };
        let corners: Vec<DVec3> = points.iter().flat_map(|&at| (0..8).map(move |n| corner(at, n))).collect();
        let (size, orbit) = (self.scene.pane_size(), self.orbit().facing(self.broad_side));
        self.scene.camera = Orbit { target: None, distance: None, ..orbit }.settled(&corners, size).into();
    }

    /// Frames everything.
    pub(super) fn fit_all(&mut self) {
        self.scene.camera = Orbit { target: None, distance: None, ..self.orbit() }.into();
    }

    /// Orbits by degrees.
    pub(super) fn turn_view(&mut self, yaw: f64, pitch: f64) {
        self.steer(|orbit, _| Orbit {
            yaw_degrees: orbit.yaw_degrees + yaw,
            pitch_degrees: (orbit.pitch_degrees + pitch).clamp(-90.0, 90.0),
            auto: false,
            ..orbit
        });
    }

    /// Looks from a side.
    pub(super) fn look_from(&mut self, yaw_degrees: f64, pitch_degrees: f64) {
        self.scene.camera = Orbit { yaw_degrees, pitch_degrees, auto: false, ..self.orbit() }.into();
    }

    pub(super) fn toggle_parallel(&mut self) {
        let orbit = self.orbit();
        let lens = Lens { parallel: !orbit.lens.parallel, ..orbit.lens };
        self.scene.camera = Orbit { lens, ..orbit }.into();
    }

    /// Moves the viewpoint by fractions of its distance.
    pub(super) fn fly(&mut self, right: f64, up: f64, ahead: f64) {
        self.steer(|orbit, _| orbit.flown(DVec3::new(right, up, ahead)));
    }

    pub(super) fn zoom_to_middle(&mut self, factor: f64) {
        let [width, height] = self.scene.pane_size().map(f64::from);
        self.zoom(factor, DVec2::new(width, height) * 0.5);
    }

    /// Fixes the current viewpoint, independent of changes of the hull.
    pub(super) fn settle(&mut self) {
        if let Viewpoint::Orbit(_) = self.scene.camera {
            self.steer(|orbit, _| orbit);
        }
    }
}
