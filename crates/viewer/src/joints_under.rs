//! Finds the joint under the cursor, and its marks in the picture. Drawn parts can be pointed at: dots and bones with
//! the skeleton, dots with the axes, names with the names.

use glam::DVec2;

use super::ui::PaneMarks;
use sinew_render::Renderer;
use sinew_scene::overlay::Spot;
use sinew_scene::scene::Scene;

/// Distance in points within which the cursor points at a joint's dot; for a bone, half of that.
const REACH: f64 = 6.0;

/// Returns the joint that the last picture of a scene shows at a pixel; `points` is the number of pixels per point.
pub fn joint_at(renderer: &Renderer, scene: &Scene, pixel: DVec2, points: f64) -> Option<usize> {
    renderer.joint_at(scene, pixel, REACH * points)
}

/// Returns the marks of a joint in each pane of the last picture.
pub fn marks(spots: &[Vec<Spot>], scene: &Scene, node: usize) -> Vec<PaneMarks> {
    let panes = scene.panes();
    if panes.is_empty() {
        let all = [DVec2::ZERO, size(scene.size)];
        return spots.first().map(|spots| marks_in(spots, node, DVec2::ZERO, all)).into_iter().collect();
    }
    let own = panes.iter().zip(spots).filter(|(pane, _)| !pane.is_other);
    own.map(|(pane, spots)| {
        let corner = size(pane.corner);
        marks_in(spots, node, size(pane.origin), [corner, corner + size(pane.size)])
    })
    .collect()
}

fn size([x, y]: [u32; 2]) -> DVec2 {
    DVec2::new(f64::from(x), f64::from(y))
}

/// Returns the marks in a pane whose own picture begins at `origin`.
fn marks_in(spots: &[Spot], node: usize, origin: DVec2, clip: [DVec2; 2]) -> PaneMarks {
    let own = spots.iter().find(|spot| spot.node == node);
    let bones = spots.iter().filter_map(|spot| spot.bone).filter(|bone| bone.mover == node);
    let name = own.and_then(|spot| spot.name).map(|rect| rect.map(f64::from));
    PaneMarks {
        clip,
        dot: own.and_then(|spot| spot.dot).map(|dot| dot + origin),
        bones: bones.map(|bone| bone.ends.map(|end| end + origin)).collect(),
        name: name
            .map(|[left, top, right, bottom]| [DVec2::new(left, top), DVec2::new(right, bottom)])
            .map(|corners| corners.map(|corner| corner + origin)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_scene::overlay::Bone;
    use sinew_scene::scene::Arrangement;
    use sinew_skinning::SkinningMode;

    /// Each pane that shows a joint marks it, within the pane's edges.
    #[test]
    fn every_pane_marks_its_own_joint() {
        let bone = Bone { mover: 1, ends: [DVec2::new(10.0, 20.0), DVec2::new(90.0, 20.0)] };
        let spots = vec![
            Spot { node: 1, dot: Some(DVec2::new(10.0, 20.0)), ..Spot::default() },
            Spot { node: 2, bone: Some(bone), name: Some([1.0, 2.0, 3.0, 4.0]), ..Spot::default() },
        ];
        let mut scene = Scene::new("two");
        scene.size = [200, 100];
        let alone = marks(std::slice::from_ref(&spots), &scene, 1);
        assert_eq!(alone.len(), 1);
        assert_eq!(
            (alone[0].dot, &alone[0].bones[..], alone[0].name),
            (spots[0].dot, &[bone.ends][..], None)
        );
        scene.arrangement = Arrangement::Split(vec![SkinningMode::DualQuat]);
        let both = marks(&[spots.clone(), spots.clone()], &scene, 1);
        assert_eq!(both.iter().map(|pane| pane.dot.unwrap().x).collect::<Vec<_>>(), [10.0, 110.0]);
        assert_eq!(both[1].clip, [DVec2::new(100.0, 0.0), DVec2::new(200.0, 100.0)]);
        let leaf = marks(&[spots.clone(), spots], &scene, 2);
        assert_eq!(leaf[1].name, Some([DVec2::new(101.0, 2.0), DVec2::new(103.0, 4.0)]));
        assert!(leaf[1].bones.is_empty() && leaf[1].dot.is_none());
        assert!(marks(&[], &scene, 1).is_empty());
    }
}
