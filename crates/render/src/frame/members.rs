//! The figures that a frame draws: the scene's own, or those of a crowd that the camera may see, in drawing order.

use glam::{DMat4, DVec3, DVec4};

use sinew_model::Period;
use sinew_scene::camera::{Bounds, Camera};
use sinew_scene::scene::{Crowd, Member};

/// Largest extent of a figure beyond the hull of sampled poses, as a share of its size.
const SLACK: f64 = 0.05;

/// A figure to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Offset from the model's own position.
    pub place: [f32; 3],
    /// Time of its clips, in seconds.
    pub time_secs: f64,
    /// Depth along the view axis, for sorting.
    away: f64,
}

/// The figures of a frame, in reused memory.
#[derive(Default)]
pub struct Members {
    shown: Vec<Shown>,
    is_crowd: bool,
}

/// Visibility and order of a crowd's figures.
pub struct Sight<'a> {
    /// The camera of the picture, or of the drawn tile.
    pub camera: &'a Camera,
    /// True to skip figures outside the camera's view.
    pub culls: bool,
    /// True to draw the farthest figures first, as blending requires; else the nearest first, which hide those
    /// behind.
    pub farthest_first: bool,
}

impl Members {
    /// Selects one figure, at the scene's time.
    pub fn one(&mut self) {
        self.is_crowd = false;
        self.shown.clear();
        self.shown.push(Shown { place: [0.0; 3], time_secs: 0.0, away: 0.0 });
    }

    /// Selects the figures of a crowd. `hull` is that of one figure.
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
        // A stable sort keeps figures at equal distances in the order of their indices.
        match sight.farthest_first {
            true => self.shown.sort_by(|a, b| b.away.total_cmp(&a.away)),
            false => self.shown.sort_by(|a, b| a.away.total_cmp(&b.away)),
        }
    }

    /// Returns true for a crowd.
    pub fn is_crowd(&self) -> bool {
        self.is_crowd
    }

    /// Returns the figures to draw.
    pub fn shown(&self) -> &[Shown] {
        &self.shown
    }
}

/// The planes that bound a camera's view, for boxes of one size. A box is outside if its centre is below a plane's
/// limit.
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

    /// Returns true if the camera may see the box at this offset.
    fn may_hold(&self, place: DVec3) -> bool {
        // A position that is not a number is drawn rather than lost.
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
        // A camera that shows one figure sees at most its neighbours.
        let some = shown(&crowd, &camera(&HULL), true, false);
        assert!((1..40).contains(&some.len()), "{}", some.len());
        assert_eq!(shown(&crowd, &camera(&HULL), false, false).len(), 100);
        // A figure with a visible edge is drawn, even with its centre out of view.
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
