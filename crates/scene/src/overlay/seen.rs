//! The visible part of a line.

use glam::DVec4;

/// Returns the part of a line in front of the camera and near the picture, as fractions of it.
pub fn seen([from, to]: [DVec4; 2]) -> Option<[f64; 2]> {
    if !from.is_finite() || !to.is_finite() {
        return None;
    }
    let inside = |clip: DVec4| {
        let wide = 1.5 * clip.w;
        [clip.w - 1e-12, clip.w - clip.z, clip.z, wide - clip.x, wide + clip.x, wide - clip.y, wide + clip.y]
    };
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (from, to) in inside(from).into_iter().zip(inside(to)) {
        match (from >= 0.0, to >= 0.0) {
            (true, true) => {}
            (false, false) => return None,
            (true, false) => last = last.min(from / (from - to)),
            (false, true) => first = first.max(from / (from - to)),
        }
    }
    (first <= last).then_some([first, last])
}
