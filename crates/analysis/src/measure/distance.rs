//! The distance of two results for the same vertices: distances of positions, and angles between normals.

use glam::DVec3;
use serde::Serialize;
use sinew_model::VertexIndex;
use sinew_skinning::Drawn;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::wide;

use super::pairs::{LANES, MeasureAll, MeasureRun, Measures, Pairs};

/// The distance between two results, over all drawn vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distance {
    /// The largest distance of a vertex, in metres.
    pub max_m: f64,
    /// The mean distance.
    pub mean_m: f64,
    /// The root mean square of the distances.
    pub rms_m: f64,
    /// The 99th percentile of the distances, by the nearest rank.
    pub p99_m: f64,
    /// The largest angle between normals, in degrees; 0 without normals.
    pub normal_max_deg: f64,
    /// The vertex of the largest distance, the first of equal ones; `None` if all distances are zero.
    #[serde(skip)]
    pub worst: Option<VertexIndex>,
    /// The number of vertices left out because a position was not finite.
    #[serde(skip)]
    pub lost: usize,
}

/// Measures the distance. `distances` is memory to reuse.
pub fn distance(
    drawn: &Drawn,
    a: &[SkinnedPrimitive<f64>],
    b: &[SkinnedPrimitive<f64>],
    distances: &mut Vec<f64>,
) -> Distance {
    let mut sum = Sum::new(distances);
    for ((vertices, a), b) in drawn.primitives().zip(a).zip(b) {
        let normals = a.normals.as_ref().zip(b.normals.as_ref());
        for chunk in vertices.chunks(LANES) {
            if sum.add_run(chunk, [a, b]) {
                continue;
            }
            for vertex in chunk.iter().map(|&vertex| vertex as usize) {
                let (Some(&p), Some(&q)) = (a.positions.get(vertex), b.positions.get(vertex)) else {
                    continue;
                };
                let index = VertexIndex { instance: a.instance, primitive: a.primitive, vertex };
                let normals = normals.and_then(|(n, m)| Some([*n.get(vertex)?, *m.get(vertex)?]));
                let [p, q] = [p, q].map(DVec3::from_array);
                sum.add(index, [p, q], normals.map(|pair| pair.map(DVec3::from_array)));
            }
        }
    }
    sum.finish()
}

/// Adds up distances.
pub(super) struct Sum<'a> {
    found: Distance,
    sum: f64,
    squares: f64,
    steepest: Steepest,
    distances: &'a mut Vec<f64>,
    /// The pairs that are not measured yet, and their vertices.
    pairs: Box<Pairs>,
    vertices: Vec<VertexIndex>,
    measures: Box<Measures>,
    /// True if any of them has normals.
    has_normals: bool,
}

impl<'a> Sum<'a> {
    /// Creates an empty sum.
    pub(super) fn new(distances: &'a mut Vec<f64>) -> Self {
        distances.clear();
        Self {
            found: Distance::default(),
            sum: 0.0,
            squares: 0.0,
            steepest: Steepest::default(),
            distances,
            pairs: Box::new(Pairs::new()),
            vertices: Vec::with_capacity(LANES),
            measures: Box::new(Measures::new()),
            has_normals: false,
        }
    }

    /// Adds a vertex by its positions, and its normals if it has any.
    #[inline]
    pub(super) fn add(&mut self, index: VertexIndex, positions: [DVec3; 2], normals: Option<[DVec3; 2]>) {
        self.has_normals |= normals.is_some();
        // Equal vectors have no angle.
        self.pairs.set(self.vertices.len(), positions, normals.unwrap_or([DVec3::X; 2]));
        self.vertices.push(index);
        if self.vertices.len() == LANES {
            self.measure();
        }
    }

    /// Adds vertices if they are consecutive and have all that they need. Returns true if so.
    fn add_run(&mut self, vertices: &[u32], [a, b]: [&SkinnedPrimitive<f64>; 2]) -> bool {
        let (Some(&first), Some(&last)) = (vertices.first(), vertices.last()) else { return true };
        let run = first as usize..last as usize + 1;
        let (Some(p), Some(q)) = (a.positions.get(run.clone()), b.positions.get(run.clone())) else {
            return false;
        };
        let normals = match (&a.normals, &b.normals) {
            (Some(n), Some(m)) => match (n.get(run.clone()), m.get(run.clone())) {
                (Some(n), Some(m)) => Some([n, m]),
                _ => return false,
            },
            _ => None,
        };
        if run.len() != vertices.len() {
            return false;
        }
        self.measure();
        wide::run(MeasureRun { positions: [p, q], normals, out: &mut self.measures });
        let index = |lane: usize| VertexIndex {
            instance: a.instance,
            primitive: a.primitive,
            vertex: run.start + lane,
        };
        self.take(run.len(), index);
        if let Some([n, m]) = normals {
            let pair = |lane: usize| Some([*n.get(lane)?, *m.get(lane)?].map(DVec3::from_array));
            self.steepest.add_all(&self.measures, run.len(), pair);
        }
        true
    }

    /// Measures the waiting pairs.
    fn measure(&mut self) {
        let vertices = std::mem::take(&mut self.vertices);
        if !vertices.is_empty() {
            let has_normals = std::mem::take(&mut self.has_normals);
            wide::run(MeasureAll { pairs: &self.pairs, out: &mut self.measures, has_normals });
            self.take(vertices.len(), |lane| vertices[lane]);
            if has_normals {
                let pair = |lane: usize| Some(self.pairs.normals(lane));
                self.steepest.add_all(&self.measures, vertices.len(), pair);
            }
        }
        self.vertices = vertices;
        self.vertices.clear();
    }

    /// Adds the first measures.
    fn take(&mut self, count: usize, index: impl Fn(usize) -> VertexIndex) {
        let apart = self.measures.apart.get(..count).unwrap_or_default();
        // Zero times a number is zero unless the number is not finite.
        if apart.iter().map(|apart| apart * 0.0).sum::<f64>() == 0.0 {
            let largest =
                apart.iter().fold(0.0, |largest, &apart| if apart > largest { apart } else { largest });
            self.distances.extend_from_slice(apart);
            for apart in apart {
                self.sum += apart;
                self.squares += apart * apart;
            }
            if largest > self.found.max_m {
                let first = apart.iter().position(|apart| *apart == largest);
                (self.found.max_m, self.found.worst) = (largest, first.map(index));
            }
            return;
        }
        for (lane, &apart) in apart.iter().enumerate() {
            if !apart.is_finite() {
                self.found.lost += 1;
                continue;
            }
            self.distances.push(apart);
            self.sum += apart;
            self.squares += apart * apart;
            if apart > self.found.max_m {
                (self.found.max_m, self.found.worst) = (apart, Some(index(lane)));
            }
        }
    }

    /// Returns the figures.
    pub(super) fn finish(mut self) -> Distance {
        self.measure();
        let count = self.distances.len().max(1) as f64;
        Distance {
            mean_m: self.sum / count,
            rms_m: (self.squares / count).sqrt(),
            p99_m: nearest_rank(self.distances, 99, 100),
            normal_max_deg: self.steepest.degrees(),
            ..self.found
        }
    }
}

/// Returns the nearest rank of a list: the smallest entry that `of` in `hundred` of all entries do not exceed. Reorders it;
/// 0 for an empty list. No entry may be negative.
fn nearest_rank(list: &mut [f64], of: usize, hundred: usize) -> f64 {
    let rank = (list.len() as u128 * of as u128).div_ceil(hundred as u128) as usize;
    let Some(place) = rank.max(1).checked_sub(1).filter(|place| *place < list.len()) else { return 0.0 };
    // Non-negative floats have the order of their bits.
    let (_, &mut entry, _) = list.select_nth_unstable_by_key(place, |number| number.to_bits());
    entry
}

/// The largest angle between unit vectors so far. Angles are compared by their cosines. Near 0° a cosine has no digits left,
/// so the largest is measured by its tangent.
struct Steepest {
    cosine: f64,
    pair: Option<(DVec3, DVec3)>,
    /// The angle of the pair, if its cosine does not decide.
    angle: f64,
    /// A bound below the square of its tangent.
    below: f64,
}

impl Default for Steepest {
    fn default() -> Self {
        Self { cosine: 1.0, pair: None, angle: 0.0, below: 0.0 }
    }
}

/// Angles below this cosine are compared by it alone.
const STEEP: f64 = 0.99;

/// The relative distance of squared tangents beyond which rounding does not decide which angle is larger.
const MARGIN: f64 = 1e-9;

impl Steepest {
    /// Adds the angles of the first pairs whose positions are finite.
    fn add_all(&mut self, of: &Measures, count: usize, pair: impl Fn(usize) -> Option<[DVec3; 2]>) {
        let Self { cosine: steepest, below, .. } = *self;
        // Adding others changes nothing, whatever is added before.
        let may_be_steeper = |cosine: f64, sine: f64| {
            let is_clear = (below > 1e-200) & (cosine < 2.0) & (sine < below * (cosine * cosine));
            if steepest < STEEP { cosine < steepest } else { (cosine < STEEP) | !is_clear }
        };
        let all = || of.cosines.iter().zip(&of.sines).take(count);
        if !all().fold(false, |any, (&cosine, &sine)| any | may_be_steeper(cosine, sine)) {
            return;
        }
        let found = all().enumerate().filter(|(_, (cosine, sine))| may_be_steeper(**cosine, **sine));
        for [a, b] in found.filter(|(lane, _)| of.apart[*lane].is_finite()).filter_map(|(lane, _)| pair(lane))
        {
            self.add(a, b);
        }
    }

    /// Adds the angle between two vectors.
    fn add(&mut self, a: DVec3, b: DVec3) {
        let cosine = a.dot(b);
        let is_steeper = match self.pair {
            _ if cosine < STEEP => cosine < self.cosine,
            Some(_) if self.cosine < STEEP => false,
            Some(_) if self.is_clearly_larger(a, b, cosine) => false,
            Some(_) => angle(a, b) > self.angle,
            None => a != b,
        };
        if is_steeper {
            (self.cosine, self.pair) = (cosine, Some((a, b)));
            self.angle = angle(a, b);
            self.below = a.cross(b).length_squared() / (cosine * cosine) * (1.0 - MARGIN);
        }
    }

    /// Returns true if the angle of the pair is larger than that of two vectors by far more than rounding, without the cost of
    /// an arc tangent. Below [`STEEP`] angles, the tangent grows as the angle does.
    fn is_clearly_larger(&self, a: DVec3, b: DVec3, cosine: f64) -> bool {
        let is_tame = self.below > 1e-200 && cosine < 2.0;
        is_tame && a.cross(b).length_squared() < self.below * (cosine * cosine)
    }

    fn degrees(&self) -> f64 {
        let degrees = self.pair.map_or(0.0, |(a, b)| angle(a, b).to_degrees());
        if degrees.is_finite() { degrees } else { 0.0 }
    }
}

/// Returns the angle between two vectors, in radians; exact also for small ones.
fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{Instance, Mesh, Model, Primitive};

    #[test]
    fn percentiles_are_nearest_ranks() {
        let mut hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(nearest_rank(&mut hundred, 99, 100), 99.0);
        let mut more: Vec<f64> = (1..=101).map(f64::from).collect();
        assert_eq!(nearest_rank(&mut more, 99, 100), 100.0);
        assert_eq!(nearest_rank(&mut [3.0], 99, 100), 3.0);
        assert_eq!(nearest_rank(&mut [3.0, 7.0], 99, 100), 7.0);
        assert_eq!(nearest_rank(&mut [], 99, 100), 0.0);
    }

    fn skinned(positions: Vec<[f64; 3]>, normals: Vec<[f64; 3]>) -> Vec<SkinnedPrimitive<f64>> {
        vec![SkinnedPrimitive {
            instance: 0,
            primitive: 0,
            positions,
            normals: Some(normals),
            tangents: None,
        }]
    }

    fn drawn(indices: Vec<u32>, count: usize) -> Drawn {
        let primitive = Primitive { indices, positions: vec![[0.0; 3]; count], ..Primitive::default() };
        Drawn::new(&Model {
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            instances: vec![Instance { node: 0, mesh: 0, skin: None }],
            ..Model::default()
        })
    }

    #[test]
    fn each_drawn_vertex_counts_once() {
        let a = skinned(vec![[0.0; 3]; 4], vec![[1.0, 0.0, 0.0]; 4]);
        let turned = |degrees: f64| [degrees.to_radians().cos(), degrees.to_radians().sin(), 0.0];
        let b = skinned(
            vec![[3.0, 4.0, 0.0], [0.0; 3], [9.0; 3], [0.0, 1.0, 0.0]],
            vec![turned(30.0), turned(1e-7), turned(90.0), turned(-60.0)],
        );
        // Vertex 2 is not drawn, vertex 0 twice.
        let found = distance(&drawn(vec![0, 1, 3, 0], 4), &a, &b, &mut Vec::new());
        assert_eq!((found.max_m, found.mean_m, found.p99_m), (5.0, 2.0, 5.0));
        assert!((found.rms_m - (26.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((found.normal_max_deg - 60.0).abs() < 1e-12);
        assert_eq!(found.worst, Some(VertexIndex { instance: 0, primitive: 0, vertex: 0 }));
        let small = distance(&drawn(vec![1], 4), &a, &b, &mut Vec::new());
        assert!((small.normal_max_deg - 1e-7).abs() < 1e-20, "{}", small.normal_max_deg);
        assert_eq!(small.worst, None);
    }

    /// Angles that differ by far more and far less than the margin, in every order, also of vectors that are not of length 1.
    #[test]
    fn the_largest_angle_is_that_of_comparing_all() {
        let mut number = 1u64;
        let mut random = || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 11) as f64 / (1u64 << 53) as f64
        };
        for run in 0..2000 {
            let size = 10f64.powf(-random() * if run % 2 == 0 { 12.0 } else { 170.0 });
            let spread = 10f64.powf(-random() * 18.0);
            let pair = |random: &mut dyn FnMut() -> f64| {
                let a = DVec3::new(random(), random(), random() - 0.5).normalize_or(DVec3::X);
                let turned = a.any_orthonormal_vector() * size * (1.0 + spread * random());
                (a * (1.0 + 1e-15 * random()), (a + turned).normalize_or(a))
            };
            let pairs: Vec<_> = (0..12).map(|_| pair(&mut random)).collect();
            let mut steepest = Steepest::default();
            pairs.iter().for_each(|(a, b)| steepest.add(*a, *b));
            let steep = pairs.iter().any(|(a, b)| a.dot(*b) < STEEP);
            let largest =
                pairs.iter().filter(|(a, b)| a != b).map(|(a, b)| angle(*a, *b)).fold(0.0, f64::max);
            assert!(steep || steepest.degrees() == largest.to_degrees(), "{run}: {size} {spread}");
        }
    }

    /// Some chunks have a gap, and some a vertex without a place.
    #[test]
    fn many_vertices_are_measured_as_one_by_one() {
        let of = |number: usize, turn: f64| {
            let angle = number as f64 * turn;
            [angle.sin(), angle.cos(), (angle * 0.7).sin()]
        };
        let count = 5 * LANES + 9;
        let mut lists =
            [0.37, 0.3701].map(|turn| (0..count).map(|number| of(number, turn)).collect::<Vec<_>>());
        lists[1][3 * LANES + 5][1] = f64::NAN;
        let [a, b] = lists.map(|list| {
            let normals = list.iter().map(|v| DVec3::from_array(*v).normalize_or(DVec3::X).to_array());
            skinned(list.clone(), normals.collect())
        });
        let indices: Vec<u32> = (0..count as u32).filter(|vertex| *vertex != LANES as u32 + 3).collect();
        let (mut distances, mut expected) = (Vec::new(), Vec::new());
        let found = distance(&drawn(indices.clone(), count), &a, &b, &mut distances);
        let mut steepest = Steepest::default();
        for vertex in indices.iter().map(|vertex| *vertex as usize) {
            let pair = |of: fn(&SkinnedPrimitive<f64>) -> &Vec<[f64; 3]>| {
                [&a, &b].map(|skinned| DVec3::from_array(of(&skinned[0])[vertex]))
            };
            let [p, q] = pair(|skinned| &skinned.positions);
            if p.distance(q).is_finite() {
                expected.push(p.distance(q));
                let [n, m] = pair(|skinned| skinned.normals.as_ref().unwrap());
                steepest.add(n, m);
            }
        }
        let sum = expected.iter().fold(0.0, |sum, apart| sum + apart);
        let largest = expected.iter().copied().fold(0.0, f64::max);
        assert_eq!((found.max_m, found.mean_m, found.lost), (largest, sum / expected.len() as f64, 1));
        assert_eq!(found.normal_max_deg, steepest.degrees());
        assert_eq!(found.p99_m, nearest_rank(&mut expected, 99, 100));
    }

    #[test]
    fn lost_vertices_are_counted_and_poison_nothing() {
        let a = skinned(vec![[0.0; 3], [f64::NAN; 3], [0.0; 3]], vec![[f64::NAN; 3]; 3]);
        let b = skinned(vec![[1.0, 0.0, 0.0], [0.0; 3], [f64::INFINITY; 3]], vec![[0.0; 3]; 3]);
        let found = distance(&drawn(vec![0, 1, 2], 3), &a, &b, &mut Vec::new());
        assert_eq!((found.max_m, found.mean_m, found.lost, found.normal_max_deg), (1.0, 1.0, 2, 0.0));
        let nothing = distance(&drawn(vec![], 3), &a, &b, &mut Vec::new());
        assert_eq!(nothing, Distance::default());
    }
}
