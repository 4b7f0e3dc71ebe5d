//! Draws joints, the bones between them, their axes and their names. In a model without a skin, nodes take the place
//! of joints.

use glam::{DMat4, DVec2, DVec3};

use super::letters::Letters;
use super::sheet::{End, LIGHT, Layer, Sheet, ink};
use super::spots::{Bone, Spot};
use crate::view::JointColors;
use sinew_model::Model;
use sinew_skinning::pose::Pose;
use sinew_text::words::{fixed, many};

/// The largest number of drawn joints; the picture shows the number of omitted ones.
const MAX_JOINTS: usize = 4096;

/// The opacity of axes in the bind pose.
const PALE: f32 = 0.35;

/// Minimum length of an arrow, as a share of an axis.
const MIN_ARROW: f64 = 1e-3;

/// A joint in the pose.
struct Joint<'a> {
    node: usize,
    name: &'a str,
    world_from_joint: DMat4,
    /// The nearest joint above it.
    parent: Option<usize>,
    color: [u8; 3],
}

/// A model's joints, parents before children.
pub struct Skeleton<'a> {
    joints: Vec<Joint<'a>>,
    /// Number of omitted joints.
    left_out: usize,
    /// Length of an axis, in metres.
    axis: f64,
}

impl<'a> Skeleton<'a> {
    /// Collects the joints. `size` is that of the whole figure, for axes of a model without bones.
    pub(super) fn new(model: &'a Model, pose: &Pose, colors: &JointColors, size: f64) -> Self {
        let rig = &model.rig;
        let nodes = rig.parents.len();
        let mut is_joint = vec![model.skins.is_empty(); nodes];
        // In the bind pose, the mesh is where it was bound, and so are its joints.
        let mut bound: Vec<Option<DMat4>> = vec![None; if pose.is_bind() { nodes } else { 0 }];
        for skin in &model.skins {
            for (&node, joint_from_bind) in skin.joints.iter().zip(&*skin.joint_from_bind) {
                // The first skin with this joint sets its bind position.
                let Some(known) = is_joint.get_mut(node).filter(|known| !**known) else { continue };
                *known = true;
                if let Some(bound) = bound.get_mut(node) {
                    *bound = Some(joint_from_bind.inverse()).filter(DMat4::is_finite);
                }
            }
        }
        let (mut joints, mut left_out): (Vec<Joint>, _) = (Vec::new(), 0);
        // The joint of a node, or else the nearest above it.
        let mut nearest: Vec<Option<usize>> = Vec::with_capacity(nodes);
        for (node, parent) in rig.parents.iter().enumerate() {
            let above = parent.and_then(|parent| nearest.get(parent as usize).copied().flatten());
            let bound = bound.get(node).copied().flatten();
            let place = bound.or_else(|| pose.world_from_node.get(node).copied());
            let placed = place.filter(|_| is_joint.get(node).is_some_and(|is_joint| *is_joint));
            nearest.push(match placed {
                Some(_) if joints.len() >= MAX_JOINTS => {
                    left_out += 1;
                    above
                }
                Some(world_from_joint) => {
                    let name = rig.names.get(node).map_or("", String::as_str);
                    let color = colors.of(node);
                    joints.push(Joint { node, name, world_from_joint, parent: above, color });
                    Some(joints.len() - 1)
                }
                None => above,
            });
        }
        let mut lengths: Vec<f64> = joints
            .iter()
            .filter_map(|joint| Some((joint.place() - joints.get(joint.parent?)?.place()).length()))
            .filter(|length| length.is_finite() && *length > 0.0)
            .collect();
        lengths.sort_by(f64::total_cmp);
        let axis = lengths.get(lengths.len() / 2).map_or(size * 0.1, |median| median * 0.4);
        Self { joints, left_out, axis }
    }

    /// Writes the number of omitted joints, if any.
    pub(super) fn draw_count(&self, sheet: &mut Sheet, letters: &mut Letters) {
        if self.left_out > 0 {
            let text = format!("+{}", many(self.left_out, "joint"));
            let pen = sheet.keep_corner(letters, &text);
            sheet.text(letters, pen, &text);
        }
    }

    /// Returns the positions of the joints in the picture.
    pub(super) fn spots(&self, sheet: &Sheet, with_dots: bool, with_bones: bool) -> Vec<Spot> {
        let pixel = |joint: &Joint| sheet.pixel(joint.place()).map(|[x, y, _]| DVec2::new(x, y));
        let spot = |joint: &Joint| {
            let parent = joint.parent.and_then(|parent| self.joints.get(parent));
            let bone = || {
                let parent = parent.filter(|_| with_bones)?;
                Some(Bone { mover: parent.node, ends: [pixel(parent)?, pixel(joint)?] })
            };
            let dot = pixel(joint).filter(|_| with_dots);
            Spot { node: joint.node, dot, bone: bone(), name: None }
        };
        self.joints.iter().map(spot).collect()
    }

    /// Draws bones as tapering strokes, thick at the joint that moves them, and joints as dots.
    pub(super) fn draw_bones(&self, sheet: &mut Sheet) {
        let unit = sheet.unit();
        for joint in &self.joints {
            let Some(parent) = joint.parent.and_then(|parent| self.joints.get(parent)) else { continue };
            let ink = ink(parent.color, 1.0);
            let from = End { place: parent.place(), radius: 2.6 * unit, ink };
            let to = End { place: joint.place(), radius: 0.9 * unit, ink };
            sheet.rimmed_stroke(Layer::Above, from, to);
        }
        for joint in &self.joints {
            let place = joint.place();
            let dot = End { place, radius: 3.4 * unit, ink: ink(joint.color, 1.0) };
            sheet.rimmed_stroke(Layer::Above, dot, dot);
            let middle = End { place, radius: 1.2 * unit, ink: LIGHT };
            sheet.stroke(Layer::Above, middle, middle);
        }
    }

    /// Draws an arrow from each joint's place in the bind pose to its place, and its axes at both ends, pale at the first.
    pub(super) fn draw_gradients(&self, bind: &Self, sheet: &mut Sheet) {
        bind.draw_axes(sheet, PALE);
        self.draw_axes(sheet, 1.0);
        let radius = 0.8 * sheet.unit();
        for joint in &self.joints {
            let Ok(found) = bind.joints.binary_search_by_key(&joint.node, |joint| joint.node) else {
                continue;
            };
            let (from, to) = (bind.joints[found].place(), joint.place());
            let end = |place: DVec3| End { place, radius, ink: ink(joint.color, 1.0) };
            // A joint that stays has no arrow.
            let moved = to - from;
            let Some(along) = moved.try_normalize().filter(|_| moved.length() > MIN_ARROW * self.axis) else {
                continue;
            };
            sheet.stroke(Layer::Above, end(from), end(to));
            let (back, [side, other]) =
                (to - along * (self.axis * 0.25), along.any_orthonormal_pair().into());
            for aside in [side, -side, other, -other] {
                sheet.stroke(Layer::Above, end(to), end(back + aside * (self.axis * 0.1)));
            }
        }
    }

    /// Writes the columns of one joint's matrix beside it: its axes and its place.
    pub(super) fn draw_columns(&self, sheet: &mut Sheet, letters: &mut Letters, chosen: Option<usize>) {
        let Some(joint) = self.joints.iter().find(|joint| Some(joint.node) == chosen) else { return };
        let [rise, fall] = letters.rise_and_fall();
        let gap = 8.0 * sheet.unit();
        let step = rise + fall + 0.5 * gap;
        let [width, height] = sheet.size();
        let matrix = joint.world_from_joint;
        let columns =
            [("x", matrix.x_axis), ("y", matrix.y_axis), ("z", matrix.z_axis), ("place", matrix.w_axis)];
        let Some([x, y, _]) = sheet.pixel(joint.place()) else { return };
        // Beside the end of the axis that reaches farthest, one under the other.
        let ends = columns.iter().take(3).filter_map(|(_, column)| {
            sheet.pixel(joint.place() + column.truncate().normalize_or_zero() * self.axis)
        });
        let [left, right] = ends.fold([x, x], |[left, right], [end, ..]| [left.min(end), right.max(end)]);
        let [left, right, y] = [left, right, y].map(|along| along as f32);
        for (name, column) in columns {
            let [a, b, c] = column.truncate().to_array().map(|number| fixed(number, 3));
            let text = format!("{name} ({a}, {b}, {c})");
            let long = letters.width_of(&text);
            let side = |x: f32, y: f32| (0..8_u8).map(move |row| [x, y + f32::from(row) * step]);
            let sides = [right + gap, left - gap - long];
            // Where an axis leaves the picture, at its edge, with room for all rows.
            let inside = sides.map(|x| x.min(width - long).max(0.0).floor());
            let highest = y.min(height - fall - 3.0 * step - 1.0).max(rise.ceil());
            let pens = sides.into_iter().flat_map(|x| side(x, y));
            let pens = pens.chain(inside.into_iter().flat_map(|x| side(x, highest)));
            let pens = pens.chain(inside.into_iter().flat_map(|x| side(x, highest - 4.0 * step)));
            sheet.text_where_free(letters, &pens.collect::<Vec<_>>(), &text);
        }
    }

    /// Draws x, y and z in red, green and blue.
    pub(super) fn draw_axes(&self, sheet: &mut Sheet, alpha: f32) {
        let radius = 1.1 * sheet.unit();
        let colors = [[232, 62, 62], [80, 190, 80], [72, 120, 245]];
        for joint in &self.joints {
            let axes =
                [joint.world_from_joint.x_axis, joint.world_from_joint.y_axis, joint.world_from_joint.z_axis];
            for (axis, color) in axes.into_iter().zip(colors) {
                // Only the direction: stretch would make some axes too short to see.
                let Some(along) = axis.truncate().try_normalize() else { continue };
                let end = |place: DVec3| End { place, radius, ink: ink(color, alpha) };
                let (from, to) = (end(joint.place()), end(joint.place() + along * self.axis));
                sheet.rimmed_stroke(Layer::Above, from, to);
            }
        }
    }

    /// Writes names beside joints where there is room, and the number of omitted ones.
    pub(super) fn draw_names(&self, sheet: &mut Sheet, letters: &mut Letters) {
        let [rise, fall] = letters.rise_and_fall();
        let [width, height] = sheet.size();
        let gap = 6.0 * sheet.unit();
        // Reserves the room for that number first.
        let said = sheet.keep_corner(letters, &format!("+{} names", self.joints.len()));
        let mut crowded = 0_usize;
        for (number, joint) in self.joints.iter().enumerate().filter(|(_, joint)| !joint.name.is_empty()) {
            let Some([x, y, _]) = sheet.pixel(joint.place()) else { continue };
            let [x, y] = [x as f32, y as f32];
            if !(0.0..width).contains(&x) || !(0.0..height).contains(&y) {
                continue;
            }
            let name = letters.name(joint.name);
            let long = letters.width_of(&name);
            let middle = y + (rise - fall) * 0.5;
            let pens = [
                [x + gap, middle],
                [x - gap - long, middle],
                [x - long * 0.5, y - gap - fall],
                [x - long * 0.5, y + gap + rise],
                [x + gap, y - gap],
                [x + gap, y + gap + rise],
            ];
            let rect = sheet.text_where_free(letters, &pens, &name);
            if rect.is_none() {
                crowded += 1;
            }
            if let Some(spot) = sheet.spots.get_mut(number) {
                spot.name = rect;
            }
        }
        if crowded > 0 {
            sheet.text(letters, said, &format!("+{}", many(crowded, "name")));
        }
    }
}

impl Joint<'_> {
    fn place(&self) -> DVec3 {
        self.world_from_joint.w_axis.truncate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::{Camera, Orbit};

    #[test]
    fn all_columns_have_their_text_wherever_the_axes_end() {
        let size = [300, 360];
        let orbit: Orbit = "0,0,10".parse().unwrap();
        let camera = Camera::new(&orbit, &[DVec3::splat(-1.0), DVec3::splat(1.0)], size);
        let mut letters = Letters::default();
        let places = [-2.6, -1.9, 0.0, 1.9, 2.6].into_iter();
        for place in places.clone().flat_map(|x| places.clone().map(move |y| DVec3::new(x, y, 0.0))) {
            let world_from_joint = DMat4::from_translation(place);
            let joint = Joint { node: 3, name: "", world_from_joint, parent: None, color: [0; 3] };
            let skeleton = Skeleton { joints: vec![joint], left_out: 0, axis: 1.0 };
            let mut sheet = Sheet::new(&camera, size, 0.0, &mut letters);
            skeleton.draw_columns(&mut sheet, &mut letters, Some(3));
            // Each has a plate.
            assert_eq!(sheet.written().len(), 2 * 4, "{place}");
            let is_inside =
                |rect: &[f32; 4]| rect[0] >= 0.0 && rect[1] >= 0.0 && rect[2] <= 300.0 && rect[3] <= 360.0;
            assert!(sheet.written().iter().all(is_inside), "{place}: {:?}", sheet.written());
        }
    }
}
