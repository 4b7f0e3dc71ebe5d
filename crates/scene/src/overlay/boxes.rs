//! Draws bounding boxes around the figure and labels their size.

use glam::DVec3;

use super::letters::Letters;
use super::sheet::{End, Ink, Layer, Sheet, ink};
use crate::camera::Bounds;

/// Draws the bounding box of the figure in its pose with a size label, and a fainter one around its whole motion.
pub fn draw(sheet: &mut Sheet, letters: &mut Letters, standing: Option<Bounds>, motion: Bounds) {
    let unit = sheet.unit();
    if standing != Some(motion) {
        draw_box(sheet, motion, 0.6 * unit, ink([120, 124, 132], 0.8));
    }
    let Some(bounds) = standing else { return };
    draw_box(sheet, bounds, 1.0 * unit, ink([255, 170, 40], 1.0));
    let size = bounds.max - bounds.min;
    let text = format!("{} x {} x {} m", metres(size.x), metres(size.y), metres(size.z));
    let gap = 6.0 * unit;
    let long = letters.width_of(&text);
    let [rise, fall] = letters.rise_and_fall();
    let [width, height] = sheet.size();
    // Above the highest corner or beside the box, or else as near as the picture allows.
    let corners = corners(bounds).into_iter().filter_map(|corner| sheet.pixel(corner));
    let corners: Vec<[f32; 2]> = corners.map(|[x, y, _]| [x as f32, y as f32]).collect();
    let highest = corners.iter().copied().min_by(|a, b| a[1].total_cmp(&b[1]));
    let [x, y] = highest.unwrap_or([width * 0.5, 0.0]);
    let (first, last) = corners.iter().fold((x, x), |(first, last), [x, _]| (first.min(*x), last.max(*x)));
    let beside = [[last + gap, y + rise], [first - gap - long, y + rise]];
    let left = (x - long * 0.5).clamp(gap, (width - gap - long).max(gap));
    let lowest = height - gap - fall;
    let above = (y - gap - fall).clamp(gap + rise, lowest.max(gap + rise));
    let pens = [[left, above], [width - gap - long, above], [(width - long) * 0.5, lowest], [gap, lowest]];
    let rows = (0_u16..32).map(|row| gap + rise + f32::from(row) * (rise + fall));
    let anywhere = rows.flat_map(|base| [[gap, base], [width - gap - long, base]]);
    let apart = [[left, y - gap - fall]].into_iter().chain(beside);
    let pens: Vec<[f32; 2]> = apart.chain(pens).chain(anywhere).collect();
    sheet.text_where_free(letters, &pens, &text);
}

fn draw_box(sheet: &mut Sheet, bounds: Bounds, radius: f32, ink: Ink) {
    let corners = corners(bounds);
    for (number, &from) in corners.iter().enumerate() {
        for axis in [1, 2, 4] {
            // Each edge starts at its corner with the smaller index.
            if let Some(&to) = corners.get(number | axis).filter(|_| number & axis == 0) {
                let end = |place| End { place, radius, ink };
                sheet.stroke(Layer::Within, end(from), end(to));
            }
        }
    }
}

/// Returns the corners of a box. Bits 0, 1 and 2 of an index select the far end in x, y and z.
fn corners(bounds: Bounds) -> [DVec3; 8] {
    let mut corners = [bounds.min; 8];
    for (number, corner) in corners.iter_mut().enumerate() {
        for axis in 0..3 {
            if number >> axis & 1 == 1 {
                corner[axis] = bounds.max[axis];
            }
        }
    }
    corners
}

/// Formats a length to three significant digits.
pub fn metres(length: f64) -> String {
    if length == 0.0 || !length.is_finite() {
        return format!("{length}");
    }
    let before = length.abs().log10().floor() as i32 + 1;
    match before {
        -4..=6 => {
            let text = format!("{length:.*}", (3 - before).max(0) as usize);
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        }
        _ => format!("{length:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::{Camera, Orbit};

    #[test]
    fn lengths_have_three_figures() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (0.05, "0.05"),
            (1.5149, "1.51"),
            (154.2, "154"),
            (25.77, "25.8"),
            (1000.0, "1000"),
            (0.000_512_34, "0.000512"),
            (1.0e-7, "1.00e-7"),
            (-2.5e9, "-2.50e9"),
        ];
        for (length, expected) in cases {
            assert_eq!(metres(length), expected);
        }
    }

    #[test]
    fn boxes_have_twelve_edges() {
        let bounds = Bounds { min: DVec3::ZERO, max: DVec3::new(1.0, 2.0, 3.0) };
        let corners = corners(bounds);
        assert_eq!((corners[0], corners[6], corners[7].z), (DVec3::ZERO, DVec3::new(0.0, 2.0, 3.0), 3.0));

        // The front view from far away shows an edge along x as long as the box is wide.
        let orbit: Orbit = "0,0,1000".parse().unwrap();
        let camera = Camera::new(&orbit, &corners, [900, 900]);
        let mut sheet = Sheet::new(&camera, [900, 900], 0.0, &mut Letters::default());
        draw_box(&mut sheet, bounds, 1.0, [1.0; 4]);
        let [left, right] = [0.0, 1.0].map(|x| sheet.pixel(DVec3::new(x, 1.0, 1.5)).unwrap()[0]);
        let strokes: Vec<f64> = sheet.within.chunks(6).map(|stroke| f64::from(stroke[0].shape[0])).collect();
        assert_eq!(strokes.len(), 12);
        let long =
            |length: f64| strokes.iter().filter(|found| (**found - length).abs() < 0.01 * length).count();
        let wide = right - left;
        // Edges along z are seen end on.
        assert_eq!((long(wide), long(2.0 * wide)), (4, 4), "{strokes:?}");
    }
}
