//! Positions of joints in a picture, for pointing at them: dots, bones and names, in pixels. It must not depend on what a
//! click does with a joint.

use glam::DVec2;

/// The position of a joint in a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spot {
    /// The joint's node.
    pub node: usize,
    /// The pixel of its dot, if that is drawn and visible.
    pub dot: Option<DVec2>,
    /// The bone that ends at the joint.
    pub bone: Option<Bone>,
    /// The rectangle of its name: left, top, right, bottom.
    pub name: Option<[f32; 4]>,
}

/// A bone in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// The joint that moves it: the one at its thick end.
    pub mover: usize,
    /// Ends of the bone, the mover's first.
    pub ends: [DVec2; 2],
}

/// Returns the joint at a pixel: the nearest dot within `reach`, or else a name, or else the nearest bone within half
/// of it.
pub fn joint_at(spots: &[Spot], pixel: DVec2, reach: f64) -> Option<usize> {
    let dots = spots.iter().filter_map(|spot| Some((spot.node, spot.dot?.distance(pixel))));
    let bones = spots.iter().filter_map(|spot| spot.bone);
    let bones = bones.map(|bone| (bone.mover, distance_to_piece(pixel, bone.ends)));
    let is_in = |[left, top, right, bottom]: [f32; 4]| {
        let (x, y) = (pixel.x as f32, pixel.y as f32);
        (left..=right).contains(&x) && (top..=bottom).contains(&y)
    };
    let named = || spots.iter().find(|spot| spot.name.is_some_and(is_in)).map(|spot| spot.node);
    nearest(dots, reach).or_else(named).or_else(|| nearest(bones, reach * 0.5))
}

fn nearest(all: impl Iterator<Item = (usize, f64)>, reach: f64) -> Option<usize> {
    let nearest = all.filter(|(_, away)| *away <= reach).min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map(|(node, _)| node)
}

fn distance_to_piece(point: DVec2, [from, to]: [DVec2; 2]) -> f64 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared().max(1e-12);
    point.distance(from + along * share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a bone from joint 3 at (100, 100) to joint 7 at (200, 100), each with its name to the right.
    fn spots() -> Vec<Spot> {
        let spot = |node, x: f32, bone| Spot {
            node,
            dot: Some(DVec2::new(f64::from(x), 100.0)),
            bone,
            name: Some([x + 6.0, 92.0, x + 40.0, 106.0]),
        };
        let bone = Bone { mover: 3, ends: [DVec2::new(100.0, 100.0), DVec2::new(200.0, 100.0)] };
        vec![spot(3, 100.0, None), spot(7, 200.0, Some(bone))]
    }

    #[test]
    fn dots_names_and_bones_are_pointed_at() {
        let spots = spots();
        let at = |x: f64, y: f64| joint_at(&spots, DVec2::new(x, y), 6.0);
        assert_eq!((at(102.0, 103.0), at(197.0, 100.0)), (Some(3), Some(7)));
        // A name is wider than the reach of its dot.
        assert_eq!((at(238.0, 95.0), at(241.0, 95.0)), (Some(7), None));
        // A bone belongs to the joint that moves it, even near its other end.
        assert_eq!((at(160.0, 102.5), at(190.0, 98.0), at(160.0, 104.0)), (Some(3), Some(3), None));
        assert_eq!((at(f64::NAN, 100.0), at(-50.0, 100.0)), (None, None));
        assert_eq!(joint_at(&[], DVec2::ZERO, 6.0), None);
    }

    #[test]
    fn what_is_not_drawn_is_not_pointed_at() {
        let mut spots = spots();
        for spot in &mut spots {
            (spot.dot, spot.bone) = (None, None);
        }
        assert_eq!(joint_at(&spots, DVec2::new(100.0, 100.0), 6.0), None);
        assert_eq!(joint_at(&spots, DVec2::new(120.0, 100.0), 6.0), Some(3), "its name");
    }
}
