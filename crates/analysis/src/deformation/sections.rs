//! Cross-sections of the surface at the joints, and their change in poses.

use glam::DVec3;

use super::bones::{Bone, Walk, bones};
use super::frame::Place;
use super::loops::{Cutter, Knot, size};
use super::plane::{Plane, tree};
use super::points::{Corners, Points, bound_axes};
use crate::triangles::Surface;
use sinew_model::Model;
use sinew_skinning::boxes::BoxTree;

/// The maximum number of boxes, triangles and knots to visit in one model. Later joints get no section.
const MAX_STEPS: u64 = 1 << 26;

/// The cross-section at a joint: the smallest closed loop around the joint in which the plane through it, at right angles to
/// its bones, cuts the instance in the bind pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Index into the model's instances.
    pub instance: usize,
    /// Index into the model's skins.
    pub skin: usize,
    /// Index of the joint in the skin.
    pub joint: usize,
    /// Index of the joint in the rig.
    pub node: usize,
    /// The size in the bind pose, in metres: the root mean square distance of the loop from its centre. For a circle, the
    /// radius.
    pub radius: f64,
    /// A vertex beside it.
    pub vertex: Place,
}

/// The sections, prepared for measuring.
#[derive(Default)]
pub struct Sections {
    /// The sections.
    pub list: Vec<Section>,
    /// The number of joints with bones that were skipped, because the model has too much to cut.
    pub skipped: usize,
    /// The end of each section's knots; they begin at the previous one's end.
    ends: Vec<usize>,
    knots: Vec<Knot>,
}

/// Cuts each instance of a skin at the skin's joints. The corners are those of the surface's triangles.
pub fn sections(model: &Model, points: &Points, surface: &Surface, corners: &[Corners]) -> Sections {
    let mut sections = Sections::default();
    let walk = Walk::new(&model.rig);
    let bound = bound_axes(model);
    let mut of_skin: Vec<Option<Vec<Bone>>> = model.skins.iter().map(|_| None).collect();
    let mut cutter = Cutter::new(surface, &points.bind);
    let mut steps_left = MAX_STEPS;
    let instance_of = |corners: &Corners| points.drawn[corners.drawn as usize].instance;
    let mut begin = 0;
    for run in corners.chunk_by(|a, b| instance_of(a) == instance_of(b)) {
        let triangles = begin as u32..(begin + run.len()) as u32;
        begin += run.len();
        let instance = instance_of(&run[0]);
        let Some(skin) = model.instances.get(instance).and_then(|instance| instance.skin) else { continue };
        let (Some(found), Some(joints)) = (of_skin.get_mut(skin), model.skins.get(skin)) else { continue };
        let bones = found.get_or_insert_with(|| {
            let axes = bound.get(skin).copied().unwrap_or_default();
            bones(joints, &walk).into_iter().map(|bone| bone.placed(&axes)).collect()
        });
        if steps_left == 0 {
            sections.skipped += bones.len();
            continue;
        }
        let mut cut = Cut { instance, skin, points, cutter: &mut cutter, steps_left: &mut steps_left };
        let tree = tree(triangles, &surface.triangles, &points.bind);
        bones.iter().for_each(|bone| cut.at(bone, &tree, &mut sections));
    }
    sections
}

/// The data that all joints of an instance share.
struct Cut<'a, 'b> {
    instance: usize,
    skin: usize,
    points: &'a Points,
    cutter: &'a mut Cutter<'b>,
    steps_left: &'a mut u64,
}

impl Cut<'_, '_> {
    /// Adds the section at a joint, if there is one.
    fn at(&mut self, bone: &Bone, tree: &BoxTree<u32>, sections: &mut Sections) {
        if *self.steps_left == 0 {
            sections.skipped += 1;
            return;
        }
        let plane = Plane { at: bone.at, normal: bone.along };
        let (found, steps) = self.cutter.smallest_loop(tree, &plane);
        *self.steps_left = self.steps_left.saturating_sub(steps);
        let Some((knots, radius)) = found else { return };
        let Some(first) = knots.first() else { return };
        sections.list.push(Section {
            instance: self.instance,
            skin: self.skin,
            joint: bone.joint,
            node: bone.node,
            radius,
            vertex: self.points.place(first.points[usize::from(first.share > 0.5)]),
        });
        sections.knots.extend(knots);
        sections.ends.push(sections.knots.len());
    }
}

impl Sections {
    /// Returns each section's size relative to its size in the bind pose.
    pub fn ratios(&self, points: &[DVec3]) -> impl Iterator<Item = f64> {
        (0..self.list.len()).map(|number| self.ratio(number, points))
    }

    /// Returns one section's size relative to its size in the bind pose.
    pub fn ratio(&self, number: usize, points: &[DVec3]) -> f64 {
        self.list.get(number).map_or(f64::NAN, |section| size(self.knots_of(number), points) / section.radius)
    }

    /// Returns the knots of a section.
    pub fn knots_of(&self, number: usize) -> &[Knot] {
        let begin = number.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = begin.zip(self.ends.get(number).copied()).map(|(begin, end)| begin..end);
        range.and_then(|range| self.knots.get(range)).unwrap_or_default()
    }
}
