//! Offsets for redrawing points, lines and rims, so that they are thick enough to see. Not every driver draws lines
//! thicker than a pixel, and this way all drivers draw identical pixels.

use sinew_model::Topology;

/// Width of points, in a window's pixels.
const POINT: f32 = 5.0;

/// Thickness of lines, in a window's pixels.
const LINE: f32 = 2.5;

/// Thickness of the edges of triangles, in a window's pixels.
const EDGE: f32 = 1.0;

/// Width of the rim around points, lines and unlit surfaces, in a window's pixels.
const RIM: f32 = 1.0;

/// Number of copies of a surface that make a rim around it.
const RIM_COPIES: u16 = 8;

/// The narrowest point in pixels: it covers some pixel in full.
const NARROWEST: f32 = 3.0;

/// The widest point in pixels: wider ones would take too long.
const WIDEST: f32 = 24.0;

/// Distance between adjacent lines that leaves no gap at any angle.
const CLOSE: f32 = 0.7;

/// The kind of shape that is drawn repeatedly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stamped {
    /// The file's points.
    Points,
    /// The file's lines.
    Lines,
    /// Edges of triangles over the surface.
    Edges,
    /// A rim around points, lines or triangles.
    Rim(Topology),
}

/// Returns the offsets at which to redraw a shape, each once. The image, of size `drawn` in pixels, counts as 2 wide
/// and high. `unit` is the size of a window's pixel.
pub(crate) fn nudges(stamped: Stamped, drawn: [u32; 2], unit: f32) -> Vec<[f32; 2]> {
    // At least a pixel, so that some pixel is covered in full.
    let rim = (RIM * unit).clamp(1.0, WIDEST);
    let point = (POINT * unit).clamp(NARROWEST, WIDEST);
    let offsets = match stamped {
        Stamped::Points => disc(point),
        Stamped::Lines => ring((LINE * unit).min(WIDEST)),
        Stamped::Edges => ring((EDGE * unit).min(WIDEST)),
        Stamped::Rim(Topology::Points) => around_disc(point, rim),
        Stamped::Rim(Topology::Lines) => ring((LINE * unit).clamp(1.0, WIDEST) + 2.0 * rim),
        Stamped::Rim(Topology::Triangles) => circle(rim, RIM_COPIES),
    };
    let [across, down] = drawn.map(|side| 2.0 / side.max(1) as f32);
    offsets.into_iter().map(|[x, y]| [x * across, y * down]).collect()
}

/// Returns pixel offsets that fill a disc of this diameter, at most a pixel apart.
fn disc(diameter: f32) -> Vec<[f32; 2]> {
    let radius = (diameter - 1.0).max(0.0) * 0.5;
    lattice(radius, 0.0).filter(|[x, y]| x.hypot(*y) <= radius + 0.45).collect()
}

/// Returns pixel offsets of a rim around a disc of this diameter, on its lattice, so that no gap remains.
fn around_disc(diameter: f32, rim: f32) -> Vec<[f32; 2]> {
    let inner = (diameter - 1.0).max(0.0) * 0.5;
    let is_around = |[x, y]: &[f32; 2]| (inner + 0.45..=inner + rim + 0.45).contains(&x.hypot(*y));
    lattice(inner, rim).filter(is_around).collect()
}

/// Returns offsets at most a pixel apart, symmetric about the centre, that fill a square of half side `radius` and
/// extend `beyond` it.
fn lattice(radius: f32, beyond: f32) -> impl Iterator<Item = [f32; 2]> {
    let most = (2.0 * radius).ceil();
    let step = if most > 0.0 { 2.0 * radius / most } else { 1.0 };
    let more = (beyond / step).ceil() as i16;
    let places = move || (-more..=most as i16 + more).map(move |number| f32::from(number) * step - radius);
    places().flat_map(move |row| places().map(move |column| [column, row]))
}

/// Returns offsets of a line that together give this thickness. They lie on a circle, so the copies are close at any
/// angle.
fn ring(thickness: f32) -> Vec<[f32; 2]> {
    let radius = (thickness - 1.0) * 0.5;
    if radius < 0.05 {
        return vec![[0.0; 2]];
    }
    circle(radius, (std::f32::consts::TAU * radius / CLOSE).ceil().max(8.0) as u16)
}

/// Returns `count` offsets around a circle.
fn circle(radius: f32, count: u16) -> Vec<[f32; 2]> {
    let place = |number: u16| {
        let (sin, cos) = (std::f32::consts::TAU * f32::from(number) / f32::from(count)).sin_cos();
        [radius * cos, radius * sin]
    };
    (0..count).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_is_as_wide_as_asked_and_has_no_gaps() {
        for diameter in [0.5, 1.0, 2.5, 5.0, 11.3, 24.0_f32] {
            let offsets = disc(diameter);
            let widest = offsets.iter().map(|[x, _]| *x).fold(0.0, f32::max) * 2.0 + 1.0;
            assert!((widest - diameter.max(1.0)).abs() < 1e-3, "{diameter}: {widest}");
            let mut rows: Vec<f32> = offsets.iter().map(|[_, y]| *y).collect();
            rows.sort_by(f32::total_cmp);
            assert!(rows.windows(2).all(|pair| pair[1] - pair[0] < 1.001), "{diameter}");
        }
        assert_eq!(disc(5.0).len(), 21);
    }

    #[test]
    fn a_rim_leaves_no_gap_around_a_disc() {
        for (diameter, rim) in [(3.0, 1.0), (5.0, 1.0), (7.7, 1.5), (24.0, 4.8_f32)] {
            let [disc, around] = [disc(diameter), around_disc(diameter, rim)];
            let is_in = |all: &[[f32; 2]], [x, y]: [f32; 2]| {
                all.iter().any(|[to_x, to_y]| (x - to_x).abs() < 0.01 && (y - to_y).abs() < 0.01)
            };
            assert!(around.iter().all(|place| !is_in(&disc, *place)), "{diameter}");
            // The disc's lattice is at most a pixel wide.
            let step = (diameter - 1.0) / (diameter - 1.0).ceil();
            for [x, y] in &disc {
                for [right, down] in [[step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step]] {
                    let place = [x + right, y + down];
                    assert!(is_in(&disc, place) || is_in(&around, place), "{place:?} at {diameter}");
                }
            }
        }
        assert_eq!(around_disc(5.0, 1.0).len(), 16);
    }

    #[test]
    fn a_line_is_thick_whichever_way_it_lies() {
        for thickness in [1.5, 2.5, 7.0, 24.0_f32] {
            let offsets = ring(thickness);
            for degrees in 0_u16..180 {
                let (sin, cos) = f32::from(degrees).to_radians().sin_cos();
                let mut beside: Vec<f32> = offsets.iter().map(|[x, y]| x * cos + y * sin).collect();
                beside.sort_by(f32::total_cmp);
                assert!(
                    beside.windows(2).all(|pair| pair[1] - pair[0] <= CLOSE + 1e-3),
                    "{thickness} {degrees}"
                );
                let all = beside[beside.len() - 1] - beside[0] + 1.0;
                assert!((all - thickness).abs() < 0.13, "{thickness} {degrees}: {all}");
            }
        }
        assert_eq!(ring(0.5), [[0.0; 2]]);
    }

    #[test]
    fn nudges_are_shares_of_what_is_drawn() {
        let found = nudges(Stamped::Points, [200, 100], 1.0);
        let [x, y] =
            found.iter().fold([0.0_f32; 2], |most, nudge| [most[0].max(nudge[0]), most[1].max(nudge[1])]);
        assert!((x - 0.02).abs() < 1e-6 && (y - 0.04).abs() < 1e-6, "{x} {y}");
        assert_eq!(nudges(Stamped::Edges, [200, 100], 1.0), [[0.0; 2]]);
    }
}
