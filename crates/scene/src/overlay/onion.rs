//! Onion skin: draws outlines of the figure at earlier and later times, and another pose as a pale surface.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use glam::{DVec3, DVec4, Vec3};

use super::sheet::{End, Ink, Layer, Sheet, ink};
use sinew_model::{Model, Period, Primitive, Topology};
use sinew_skinning::posed::SkinnedPrimitive;

/// Number of outlines on either side of the current time, and their distance in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onion {
    /// Outlines before, and as many after: one to eight.
    pub count: u32,
    /// Seconds from one to the next.
    pub step_secs: f64,
}

/// The largest number of outlines on either side.
const MAX: u32 = 8;

/// The default step: three frames of a film.
const STEP_SECS: f64 = 0.125;

/// Error for text that is no [`Onion`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected COUNT or COUNT@SECS with a count from 1 to 8 and seconds above 0, such as 3@0.1")]
pub struct NoOnion;

impl Default for Onion {
    fn default() -> Self {
        Self { count: 2, step_secs: STEP_SECS }
    }
}

impl FromStr for Onion {
    type Err = NoOnion;

    fn from_str(text: &str) -> Result<Self, NoOnion> {
        let (count, step) = match text.split_once('@') {
            Some((count, step)) => (count, step.parse().map_err(|_| NoOnion)?),
            None => (text, STEP_SECS),
        };
        let count = count.parse().ok().filter(|count| (1..=MAX).contains(count)).ok_or(NoOnion)?;
        match step > 0.0 && step <= 3600.0 {
            true => Ok(Self { count, step_secs: step }),
            false => Err(NoOnion),
        }
    }
}

impl fmt::Display for Onion {
    /// Writes the text that [`Onion::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.count, self.step_secs)
    }
}

impl Onion {
    /// Returns the times to show besides `now`, within the clips; each with its distance from now, between −1 for the
    /// earliest and 1 for the latest.
    pub fn times(self, now: f64, period: Period) -> impl Iterator<Item = (f64, f64)> {
        let away = move |number: u32| f64::from(number) / f64::from(self.count.max(1));
        let before = (1..=self.count).rev().map(move |n| (now - f64::from(n) * self.step_secs, -away(n)));
        let after = (1..=self.count).map(move |n| (now + f64::from(n) * self.step_secs, away(n)));
        before.chain(after).filter(move |(time, _)| (period.start..=period.end).contains(time))
    }
}

/// A figure at another time or in another pose.
#[derive(Clone, Debug)]
pub struct Ghost {
    /// Distance from the current time, as [`Onion::times`] returns it; `None` for a pose of no time.
    pub away: Option<f64>,
    /// The figure in that pose.
    pub skinned: Vec<SkinnedPrimitive<f32>>,
}

/// Maximum number of triangles of a primitive that is drawn as a pale surface; larger ones have outlines alone.
const MAX_FACES: usize = 1 << 18;

/// Draws the outlines of a figure as seen from a point (w = 1) or from a direction (w = 0), and a pose of no time also as a
/// pale surface.
pub fn draw(sheet: &mut Sheet, model: &Model, eye: DVec4, ghost: &Ghost) {
    let ink = color(ghost.away);
    let radius = 0.9 * sheet.unit();
    for drawn in &ghost.skinned {
        let mesh = model.instances.get(drawn.instance).and_then(|instance| model.meshes.get(instance.mesh));
        let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get(drawn.primitive)) else { continue };
        if ghost.away.is_none() && primitive.indices.len() / 3 <= MAX_FACES {
            for (corners, facing) in faces(primitive, &drawn.positions, eye) {
                sheet.face(corners, pale(facing));
            }
        }
        for [from, to] in outline(primitive, &drawn.positions, eye) {
            let end = |place| End { place, radius, ink };
            let layer = if ghost.away.is_none() { Layer::Behind } else { Layer::Within };
            sheet.stroke(layer, end(from), end(to));
        }
    }
}

/// Returns blue for earlier times and orange for later ones, paler further away, and violet for a pose of no time.
fn color(away: Option<f64>) -> Ink {
    let Some(away) = away else { return ink([124, 92, 180], 0.9) };
    let alpha = (0.95 - 0.6 * away.abs()).clamp(0.2, 1.0) as f32;
    ink(if away < 0.0 { [36, 110, 214] } else { [226, 112, 20] }, alpha)
}

/// Returns the ink of a pale surface, lighter the more it faces the eye.
fn pale(facing: f64) -> Ink {
    ink([120, 100, 160].map(|part: u8| (f64::from(part) + 75.0 * facing) as u8), 0.3)
}

/// Returns the triangles that face the eye, and how much: 1 straight on, 0 across.
fn faces(primitive: &Primitive, positions: &[[f32; 3]], eye: DVec4) -> Vec<([DVec3; 3], f64)> {
    if primitive.topology != Topology::Triangles {
        return Vec::new();
    }
    let place = |vertex: u32| positions.get(vertex as usize).map(|at| Vec3::from(*at).as_dvec3());
    let face = |triangle: &[u32; 3]| {
        let [Some(a), Some(b), Some(c)] = triangle.map(place) else { return None };
        let to_eye = eye.truncate() - a * eye.w;
        let facing = (b - a).cross(c - a).normalize_or_zero().dot(to_eye.normalize_or_zero());
        (facing > 0.0).then_some(([a, b, c], facing))
    };
    primitive.indices.as_chunks::<3>().0.iter().filter_map(face).collect()
}

/// Returns the edges between a triangle that faces the eye and one that faces away, and edges of only one triangle.
fn outline(primitive: &Primitive, positions: &[[f32; 3]], eye: DVec4) -> Vec<[DVec3; 2]> {
    if primitive.topology != Topology::Triangles {
        return Vec::new();
    }
    let place = |vertex: u32| positions.get(vertex as usize).map(|at| Vec3::from(*at).as_dvec3());
    let joined = join(&primitive.positions);
    let one = |vertex: u32| joined.get(vertex as usize).copied().unwrap_or(vertex);
    let mut sides: HashMap<(u32, u32), [u32; 2]> = HashMap::new();
    for triangle in primitive.indices.as_chunks::<3>().0 {
        let [Some(a), Some(b), Some(c)] = triangle.map(place) else { continue };
        let to_eye = eye.truncate() - a * eye.w;
        let facing = (b - a).cross(c - a).dot(to_eye);
        // A triangle without area has no facing.
        if facing.is_nan() || a == b || b == c || a == c {
            continue;
        }
        let [a, b, c] = triangle.map(one);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let [front, back] = sides.entry((from.min(to), from.max(to))).or_default();
            *(if facing >= 0.0 { front } else { back }) += 1;
        }
    }
    let is_outline = |[front, back]: [u32; 2]| (front > 0 && back > 0) || front + back == 1;
    let mut edges: Vec<(u32, u32)> =
        sides.into_iter().filter(|(_, sides)| is_outline(*sides)).map(|(edge, _)| edge).collect();
    edges.sort_unstable();
    edges.into_iter().filter_map(|(from, to)| Some([place(from)?, place(to)?])).collect()
}

/// Returns for each vertex the first one at its position, because a surface continues across the seams of its
/// texture.
fn join(positions: &[[f32; 3]]) -> Vec<u32> {
    let mut first = HashMap::with_capacity(positions.len());
    // Zeros of both signs are one position.
    let key = |at: &[f32; 3]| at.map(|along| (along + 0.0).to_bits());
    (0..).zip(positions).map(|(vertex, at)| *first.entry(key(at)).or_insert(vertex)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn onions_are_read_and_printed() {
        for (text, onion) in
            [("3@0.1", Onion { count: 3, step_secs: 0.1 }), ("1", Onion { count: 1, step_secs: STEP_SECS })]
        {
            assert_eq!(text.parse(), Ok(onion));
            assert_eq!(onion.to_string().parse(), Ok(onion));
        }
        for wrong in ["", "0", "9", "2@", "2@0", "2@-1", "2@nan", "2@inf", "@1", "x"] {
            assert_eq!(wrong.parse::<Onion>(), Err(NoOnion), "{wrong}");
        }
    }

    #[test]
    fn faces_are_those_towards_the_eye() {
        let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, f32::NAN]];
        let indices = vec![0, 1, 2, 0, 2, 1, 0, 1, 3, 0, 0, 1, 0, 1, 9];
        let primitive = Primitive { positions: positions.clone(), indices, ..Primitive::default() };
        let found = faces(&primitive, &positions, DVec4::new(0.0, 0.0, 1.0, 0.0));
        assert_eq!(found, [([DVec3::ZERO, DVec3::X, DVec3::Y], 1.0)]);
    }

    #[test]
    fn times_stay_inside_of_the_clip() {
        let onion = Onion { count: 2, step_secs: 0.5 };
        assert_eq!(
            onion.times(0.75, Period { start: 0.0, end: 2.0 }).collect::<Vec<_>>(),
            [(0.25, -0.5), (1.25, 0.5), (1.75, 1.0)]
        );
        assert_eq!(onion.times(5.0, Period::default()).count(), 0);
    }

    /// A square of two triangles, whose diagonal has each vertex twice, has four outline edges when it faces the eye.
    /// Folded so that one half turns away, its diagonal becomes an outline too.
    #[test]
    fn outlines_are_where_the_surface_turns_away() {
        let mut positions = vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 0.0, -0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        let primitive = Primitive {
            positions: positions.clone(),
            indices: vec![0, 1, 2, 3, 4, 5],
            ..Primitive::default()
        };
        let eye = DVec4::new(0.5, 0.5, 4.0, 1.0);
        assert_eq!(outline(&primitive, &positions, eye).len(), 4);
        // Only skinned positions move: vertices joined in the file stay joined.
        positions[5] = [2.0, 0.5, 0.1];
        let folded = outline(&primitive, &positions, eye);
        assert_eq!(folded.len(), 5);
        assert!(folded.contains(&[DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0)]));
    }
}
