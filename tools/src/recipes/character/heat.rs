//! Spreads heat over a surface from given sources: one linear system, solved by conjugate gradients.

use super::surface::Surface;

/// The system (L + A·H) w = A·H·s with the cotangent Laplacian L, vertex areas A and feeds H.
pub struct Heat {
    /// Per vertex, the neighbours and the conductance toward each.
    rows: Vec<Vec<(u32, f64)>>,
    diagonal: Vec<f64>,
    feed: Vec<f64>,
}

impl Heat {
    /// Prepares the system; `conductance` says how strongly each vertex clings to its source.
    pub fn new(surface: &Surface, conductance: &[f64]) -> Self {
        let vertices = surface.places.len();
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); vertices];
        let mut area = vec![0.0; vertices];
        let mut join = |a: u32, b: u32, weight: f64| {
            let row = &mut rows[a as usize];
            match row.iter_mut().find(|(n, _)| *n == b) {
                Some((_, w)) => *w += weight,
                None => row.push((b, weight)),
            }
        };
        for &t in &surface.triangles {
            let p = t.map(|v| surface.places[v as usize]);
            let twice_area = (p[1] - p[0]).cross(p[2] - p[0]).length().max(1e-12);
            for k in 0..3 {
                let (a, b) = ((k + 1) % 3, (k + 2) % 3);
                // Obtuse corners would let heat flow uphill; thin ones would take it all.
                let cotangent = ((p[a] - p[k]).dot(p[b] - p[k]) / twice_area).clamp(0.02, 10.0);
                join(t[a], t[b], cotangent / 2.0);
                join(t[b], t[a], cotangent / 2.0);
                area[t[k] as usize] += twice_area / 6.0;
            }
        }
        let feed: Vec<f64> = area.iter().zip(conductance).map(|(a, h)| a * h).collect();
        let diagonal =
            rows.iter().zip(&feed).map(|(r, f)| r.iter().map(|(_, w)| w).sum::<f64>() + f).collect();
        Self { rows, diagonal, feed }
    }

    fn apply(&self, x: &[f64], out: &mut [f64]) {
        for (v, row) in self.rows.iter().enumerate() {
            let flow: f64 = row.iter().map(|&(n, w)| w * x[n as usize]).sum();
            out[v] = self.diagonal[v] * x[v] - flow;
        }
    }

    /// The temperatures if each vertex is fed with `source`.
    pub fn spread(&self, source: &[f64]) -> Vec<f64> {
        let n = source.len();
        let mut x = source.to_vec();
        let mut ax = vec![0.0; n];
        self.apply(&x, &mut ax);
        let mut r: Vec<f64> = (0..n).map(|v| self.feed[v] * source[v] - ax[v]).collect();
        let scaled = |r: &[f64]| -> Vec<f64> { r.iter().zip(&self.diagonal).map(|(r, d)| r / d).collect() };
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut z = scaled(&r);
        let mut p = z.clone();
        let mut rz = dot(&r, &z);
        let target = rz * 1e-16;
        for _ in 0..500 {
            if rz <= target || rz == 0.0 {
                break;
            }
            self.apply(&p, &mut ax);
            let step = rz / dot(&p, &ax);
            for v in 0..n {
                x[v] += step * p[v];
                r[v] -= step * ax[v];
            }
            z = scaled(&r);
            let next = dot(&r, &z);
            for v in 0..n {
                p[v] = z[v] + next / rz * p[v];
            }
            rz = next;
        }
        x
    }
}
