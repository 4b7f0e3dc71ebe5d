//! Overlays that help to read a picture: skeleton, axes, names, grid, bounds and legends, as strokes and text at
//! pixels of the picture. It must not depend on how these are drawn onto the picture.

mod bars;
mod boxes;
mod caption;
mod centers;
mod chart;
mod fault;
mod grid;
mod influences;
mod legend;
mod letters;
mod marker;
mod onion;
mod seen;
mod sheet;
mod skeleton;
mod spots;

use std::fmt;
use std::str::FromStr;

use glam::DVec3;

pub use bars::{Bar, draw_bars};
pub use caption::Caption;
pub use chart::{COLORS, Chart, Curve, draw as draw_charts, draw_text};
pub use letters::Letters;
pub use onion::{Ghost, NoOnion, Onion};
pub use sheet::{Mark, Sheet};
pub use spots::{Bone, Spot, joint_at};

use crate::camera::{Bounds, Camera};
use crate::view::{JointColors, Legend};
use sinew_model::Model;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::probe::Probe;
use sinew_skinning::{Fault, SkinningMode};

/// The overlays of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Joints, and bones from each to its children.
    pub skeleton: bool,
    /// The x, y and z axes of each joint.
    pub axes: bool,
    /// An arrow from each joint's place in the bind pose to its place, and its axes at both.
    pub gradients: bool,
    /// The names of the joints.
    pub names: bool,
    /// Squares on the ground; [`Subject::ground`] sets their extent.
    pub grid: bool,
    /// The bounding box of the figure, and the one of its whole motion.
    pub bounds: bool,
    /// The edges of the triangles, over their surface; the renderer draws them.
    pub wireframe: bool,
}

/// Error for text that names no overlay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected one or more of skeleton, axes, gradients, names, grid, bounds and wireframe, separated by commas"
)]
pub struct NoOverlay;

impl Overlays {
    /// Returns true if no overlay is on.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    fn named(&mut self) -> [(&'static str, &mut bool); 7] {
        let Self { skeleton, axes, gradients, names, grid, bounds, wireframe } = self;
        [
            ("skeleton", skeleton),
            ("axes", axes),
            ("gradients", gradients),
            ("names", names),
            ("grid", grid),
            ("bounds", bounds),
            ("wireframe", wireframe),
        ]
    }
}

impl FromStr for Overlays {
    type Err = NoOverlay;

    fn from_str(text: &str) -> Result<Self, NoOverlay> {
        let mut overlays = Self::default();
        for word in text.split(',') {
            let mut named = overlays.named().into_iter();
            let (_, asked) = named.find(|(name, _)| *name == word.trim()).ok_or(NoOverlay)?;
            *asked = true;
        }
        Ok(overlays)
    }
}

impl fmt::Display for Overlays {
    /// Writes the text that [`Overlays::from_str`] reads; an empty text for no overlays.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut overlays = *self;
        let asked = overlays.named().into_iter().filter(|(_, asked)| **asked).map(|(name, _)| name);
        f.write_str(&asked.collect::<Vec<_>>().join(","))
    }
}

/// The subject of the overlays.
pub struct Subject<'a> {
    /// The model.
    pub model: &'a Model,
    /// The pose of the model.
    pub pose: &'a Pose,
    /// The colours of its joints, if anything shows them.
    pub joints: &'a JointColors,
    /// The camera of the whole picture.
    pub camera: &'a Camera,
    /// Width and height of the whole picture in pixels.
    pub size: [u32; 2],
    /// The share of the picture, from the top, in which the background is dark.
    pub dark_above: f64,
    /// The centre of the ground, and its radius.
    pub ground: (DVec3, f64),
    /// The bounds of the figure in its pose, if requested.
    pub bounds: Option<Bounds>,
    /// The bounds of its whole motion.
    pub motion: Bounds,
    /// The view's legend, if it is to be drawn.
    pub legend: Option<&'a Legend>,
    /// The pane's caption.
    pub caption: Option<&'a Caption>,
    /// The injected fault, if any, and the figure that has it; no primitives if its place is not to be checked.
    pub fault: Option<(Fault, &'a [SkinnedPrimitive<f32>])>,
    /// The vertex to explain, and the mode of the picture.
    pub explained: Option<(&'a Probe, SkinningMode)>,
    /// The point of the marked vertex, and its name.
    pub marked: Option<(DVec3, String)>,
    /// True to show every vertex's centre of rotation.
    pub centers: bool,
    /// The joint that the picture is about, if it is about one.
    pub chosen: Option<usize>,
    /// The figure at other times and in other poses.
    pub ghosts: &'a [Ghost],
}

impl Subject<'_> {
    /// Draws the overlays; `letters` caches glyphs between pictures.
    pub fn draw(&self, overlays: Overlays, letters: &mut Letters) -> Sheet {
        let mut sheet = Sheet::new(self.camera, self.size, self.dark_above, letters);
        for ghost in self.ghosts {
            onion::draw(&mut sheet, self.model, self.camera.eye_in_world, ghost);
        }
        let caption = self.caption.and_then(|caption| caption::draw(&mut sheet, letters, caption));
        if let Some(fault) = self.fault {
            fault::draw(&mut sheet, letters, self.model, fault);
        }
        if let Some(legend) = self.legend {
            legend::draw(&mut sheet, letters, legend, caption);
        }
        if overlays.grid {
            grid::draw(&mut sheet, letters, self.ground);
        }
        if overlays.bounds {
            boxes::draw(&mut sheet, letters, self.bounds, self.motion);
        }
        if overlays.skeleton || overlays.axes || overlays.gradients || overlays.names {
            let size = (self.motion.max - self.motion.min).length();
            let skeleton = skeleton::Skeleton::new(self.model, self.pose, self.joints, size);
            sheet.spots = skeleton.spots(
                &sheet,
                overlays.skeleton || overlays.axes || overlays.gradients,
                overlays.skeleton,
            );
            skeleton.draw_count(&mut sheet, letters);
            if overlays.skeleton {
                skeleton.draw_bones(&mut sheet);
            }
            if overlays.gradients {
                let mut bind = Pose::default();
                bind.set(self.model, &PoseChoice::Bind);
                let bind = skeleton::Skeleton::new(self.model, &bind, self.joints, size);
                skeleton.draw_gradients(&bind, &mut sheet);
            }
            if overlays.axes {
                skeleton.draw_axes(&mut sheet, 1.0);
                skeleton.draw_columns(&mut sheet, letters, self.chosen);
            }
            if overlays.names {
                skeleton.draw_names(&mut sheet, letters);
            }
        }
        if self.centers {
            centers::draw(&mut sheet, self.model, self.pose, self.joints);
        }
        if let Some((probe, mode)) = self.explained {
            if self.centers || mode.facts().needs_centers {
                centers::draw_line(&mut sheet, probe, mode);
            }
            influences::draw(&mut sheet, letters, (self.model, self.joints), probe, mode);
        }
        if let Some((at, name)) = &self.marked {
            marker::draw(&mut sheet, letters, *at, self.camera.eye_in_world, name);
        }
        sheet.complete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlays_are_read_and_printed() {
        let all = Overlays {
            skeleton: true,
            axes: true,
            gradients: true,
            names: true,
            grid: true,
            bounds: true,
            wireframe: true,
        };
        assert_eq!("skeleton,axes,gradients,names,grid,bounds,wireframe".parse(), Ok(all));
        assert_eq!(all.to_string().parse(), Ok(all));
        let two = Overlays { names: true, grid: true, ..Overlays::default() };
        assert_eq!(("grid, names".parse(), two.to_string()), (Ok(two), "names,grid".to_owned()));
        assert!(Overlays::default().is_empty() && !two.is_empty());
        for wrong in ["", "skeleton,", "Grid", "bones"] {
            assert_eq!(wrong.parse::<Overlays>(), Err(NoOverlay), "{wrong}");
        }
    }
}
