//! The figures that a frame draws: the one that the scene poses, or those of a crowd that the camera may see, in the
//! order in which they are drawn.

use glam::{DMat4, DVec3, DVec4};

use sinew_model::Period;
use sinew_scene::camera::{Bounds, Camera};
use sinew_scene::scene::{Crowd, Member};

/// How far a figure may reach beyond the hull of sampled poses, as a share of its size.
const SLACK: f64 = 0.05;

/// A figure that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// How far it stands from where the model places it.
    pub place: [f32; 3],
    /// Where its clips stand, in seconds.
    pub time_secs: f64,
    /// How far away it is, for sorting.
    away: f64,
}

/// The figures of a frame, in room that is used again.
#[derive(Default)]
pub struct Members {
    shown: Vec<Shown>,
    is_crowd: bool,
}

/// What decides which figures of a crowd are drawn, and in which order.
pub struct Sight<'a> {
    /// The camera of the picture, or of the tile of it that is drawn.
    pub camera: &'a Camera,
    /// Leaves out figures that the camera does not see.
    pub culls: bool,
    /// Whether the farthest come first, as blending needs it; else the nearest, which hide those behind.
    pub farthest_first: bool,
}

impl Members {
    /// One figure, at the scene's time.
    pub fn one(&mut self) {
        self.is_crowd = false;
        self.shown.clear();
        self.shown.push(Shown { place: [0.0; 3], time_secs: 0.0, away: 0.0 });
    }

    /// The figures of a crowd around the hull of one, whose clips play in a period, at a time.
    pub fn crowd(
        &mut self,
        crowd: &Crowd,
        hull: &[DVec3],
        (time_secs, period): (f64, Period),
        sight: &Sight<'_>,
    ) {
        let bounds = Bounds::around(hull);
        let grid = crowd.grid(bounds.max - bounds.min);
        let frustum = Frustum::new(sight.camera, &bounds);
        self.is_crowd = true;
        self.shown.clear();
        self.shown.extend((0..crowd.count).filter_map(|number| {
            let Member { place, time_secs } = crowd.member(number, &grid, time_secs, period);
            let is_seen = !sight.culls || frustum.may_hold(place);
            let away = -sight.camera.view_from_world.transform_point3(bounds.center() + place).z;
            is_seen.then(|| Shown { place: place.as_vec3().to_array(), time_secs, away })
        }));
        // Stable: figures at the same distance stay in the order of their numbers.
        match sight.farthest_first {
            true => self.shown.sort_by(|a, b| b.away.total_cmp(&a.away)),
            false => self.shown.sort_by(|a, b| a.away.total_cmp(&b.away)),
        }
    }

    /// Whether they are a crowd's.
    pub fn is_crowd(&self) -> bool {
        self.is_crowd
    }

    /// Those that are drawn.
    pub fn shown(&self) -> &[Shown] {
        &self.shown
    }
}

/// The planes that bound what a camera sees, for boxes of one size: a box is outside where its middle is below a
/// plane's limit.
struct Frustum {
    planes: [(DVec3, f64); 5],
}

impl Frustum {
    fn new(camera: &Camera, bounds: &Bounds) -> Self {
        let clip_from_world: DMat4 = camera.clip_from_view * camera.view_from_world;
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_world.row(row));
        let half = (bounds.max - bounds.min) * (0.5 + SLACK);
        let middle = bounds.center();
        // Depth is reversed: nothing is nearer than z = w.
        let planes = [w + x, w - x, w + y, w - y, w - z].map(|plane: DVec4| {
            let normal = plane.truncate();
            (normal, -plane.w - normal.dot(middle) - normal.abs().dot(half))
        });
        Self { planes }
    }

    /// Whether the camera may see the box when it is moved by this much.
    fn may_hold(&self, place: DVec3) -> bool {
        // What is no number is drawn rather than lost.
        !self.planes.iter().any(|(normal, limit)| normal.dot(place) < *limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_scene::camera::Orbit;

    const HULL: [DVec3; 2] = [DVec3::new(-0.5, 0.0, -0.5), DVec3::new(0.5, 2.0, 0.5)];

    fn camera(points: &[DVec3]) -> Camera {
        Camera::new(&Orbit::default(), points, [64, 64])
    }

    fn shown(crowd: &Crowd, camera: &Camera, culls: bool, farthest_first: bool) -> Vec<Shown> {
        let mut members = Members::default();
        members.crowd(
            crowd,
            &HULL,
            (0.0, Period { start: 0.0, end: 1.0 }),
            &Sight { camera, culls, farthest_first },
        );
        assert!(members.is_crowd());
        members.shown().to_vec()
    }

    #[test]
    fn figures_that_the_camera_does_not_see_are_left_out() {
        let crowd = Crowd { count: 100, seed: 0 };
        let whole: Vec<DVec3> =
            crowd.grid(HULL[1] - HULL[0]).ends(100).flat_map(|end| HULL.map(|corner| corner + end)).collect();
        assert_eq!(shown(&crowd, &camera(&whole), true, false).len(), 100);
        // A camera that shows one figure of them sees its neighbours at most.
        let some = shown(&crowd, &camera(&HULL), true, false);
        assert!((1..40).contains(&some.len()), "{}", some.len());
        assert_eq!(shown(&crowd, &camera(&HULL), false, false).len(), 100);
        // A figure whose middle is out of sight, and an edge is not, is drawn.
        let one = Crowd { count: 1, seed: 0 };
        let corners = |step: usize| DVec3::new(HULL[step & 1].x, HULL[step >> 1 & 1].y, HULL[step >> 2].z);
        let [mut drawn, mut in_sight] = [0; 2];
        for step in -60..60 {
            let target = Some(DVec3::new(f64::from(step) * 0.1, 1.0, 0.0));
            let orbit = Orbit { target, distance: Some(6.0), ..Orbit::default() };
            let camera = Camera::new(&orbit, &HULL, [64, 64]);
            let seen = (0..8).map(corners).filter_map(|corner| camera.pixel(corner, [64, 64]));
            let is_seen = seen.into_iter().any(|at| at.max_element() <= 64.0 && at.min_element() >= 0.0);
            let is_drawn = shown(&one, &camera, true, false).len() == 1;
            assert!(is_drawn || !is_seen, "{step}");
            (drawn, in_sight) = (drawn + u32::from(is_drawn), in_sight + u32::from(is_seen));
        }
        assert!(in_sight > 20 && (in_sight..in_sight + 30).contains(&drawn), "{in_sight} {drawn}");
    }

    #[test]
    fn they_are_sorted_by_distance() {
        let crowd = Crowd { count: 30, seed: 0 };
        let camera = camera(&HULL);
        let near = shown(&crowd, &camera, false, false);
        assert!(near.is_sorted_by(|a, b| a.away <= b.away));
        let far = shown(&crowd, &camera, false, true);
        assert!(far.is_sorted_by(|a, b| a.away >= b.away));
        assert_eq!(far.len(), 30);
    }

    #[test]
    fn one_figure_stays_where_it_is() {
        let mut members = Members::default();
        members.one();
        assert_eq!(
            (members.is_crowd(), members.shown().len(), members.shown()[0].place),
            (false, 1, [0.0; 3])
        );
    }
}
