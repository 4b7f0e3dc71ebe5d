//! Draws squares on the ground that fade with distance.

use glam::DVec3;

use super::boxes::metres;
use super::letters::Letters;
use super::sheet::{End, Ink, Layer, Sheet, ink};

/// Number of squares from the centre outwards.
const SQUARES: i32 = 14;

/// Draws squares with sides of 1, 2 or 5 times a power of ten of metres, aligned with the world's axes, which are red
/// (x) and blue (z).
pub fn draw(sheet: &mut Sheet, letters: &mut Letters, (middle, radius): (DVec3, f64)) {
    let Some(side) = side(radius) else { return };
    let outermost = side * f64::from(SQUARES);
    let center = DVec3::new((middle.x / side).round() * side, middle.y, (middle.z / side).round() * side);
    let width = 0.6 * sheet.unit();
    let seen = |place: DVec3| (1.0 - (place - center).length() / outermost).clamp(0.0, 1.0) as f32;
    for line in -SQUARES..=SQUARES {
        for (along, across) in [(DVec3::X, DVec3::Z), (DVec3::Z, DVec3::X)] {
            let beside = center + across * (f64::from(line) * side);
            let color = match beside.dot(across).abs() < side * 0.5 {
                true if across.z == 1.0 => [214, 60, 60],
                true => [60, 96, 224],
                false => [96, 98, 104],
            };
            let end = |step: i32| {
                let place = beside + along * (f64::from(step) * side);
                let ink: Ink = ink(color, 0.75 * seen(place));
                End { place, radius: width, ink }
            };
            for step in -SQUARES..SQUARES {
                let (from, to) = (end(step), end(step + 1));
                if from.ink[3] > 0.0 || to.ink[3] > 0.0 {
                    sheet.stroke(Layer::Within, from, to);
                }
            }
        }
    }
    let text = format!("grid {} m", metres(side));
    let gap = 6.0 * sheet.unit();
    let [right, bottom] = sheet.size();
    let ([_, fall], long) = (letters.rise_and_fall(), letters.width_of(&text));
    let pens = [right - gap - long, gap, (right - long) * 0.5].map(|left| [left, bottom - gap - fall]);
    sheet.text_where_free(letters, &pens, &text);
}

/// Returns a round number near a sixth of the visible radius.
fn side(radius: f64) -> Option<f64> {
    let wanted = radius / 6.0;
    if !(wanted > 1e-9 && wanted < 1e12) {
        return None;
    }
    let ten = 10.0_f64.powf(wanted.log10().floor());
    let round = [5.0, 2.0, 1.0].into_iter().find(|round| wanted >= round * ten);
    Some(ten * round.unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_round_sides() {
        for (radius, expected) in [(6.0, 1.0), (7.0, 1.0), (12.1, 2.0), (0.35, 0.05), (600.0, 100.0)] {
            let found = side(radius).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-9, "{radius}: {found}");
        }
        for nothing in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(side(nothing), None);
        }
    }
}
