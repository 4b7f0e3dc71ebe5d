//! Terms of joints about their vertices' centres, as *ddm* reads them.

use super::TEN;
use glam::{DMat3, DVec3};
use sinew_model::DdmTerm;

/// The least weight of a term that is kept at all: less moves nothing by a bit of `f32`.
const KEPT: f64 = 1e-9;

/// Numbers smaller than this share of those whose difference they are have no digit of their own.
const NOISE: f64 = 1e-13;

/// A term in `f64`: Ω about a centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exact {
    /// The symmetric products of coordinates.
    pub products: DMat3,
    /// The coordinates.
    pub offset: DVec3,
    /// The weight.
    pub weight: f64,
}

impl From<&DdmTerm> for Exact {
    fn from(term: &DdmTerm) -> Self {
        let [xx, yy, zz, yz, xz, xy] = term.products.map(f64::from);
        Self {
            products: DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]),
            offset: DVec3::from(term.offset.map(f64::from)),
            weight: f64::from(term.weight),
        }
    }
}

impl Exact {
    /// Makes Ω about a vertex's centre from `Ψ` and the weight smoothed by κ. There `(p_i, 1)` is `(0, 1)`, so that α mixes
    /// the weights alone.
    fn mixed(psi: &[f64; TEN], weight: f64, center: DVec3, alpha: f64) -> Self {
        let [xx, yy, zz, yz, xz, xy, x, y, z, one] = *psi;
        let products = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        let about = Self { products, offset: DVec3::new(x, y, z), weight: one }.about(center).settled(center);
        Self { weight: (1.0 - alpha) * one + alpha * weight, ..about * (1.0 - alpha) }
    }

    /// Returns the term without what is left of larger numbers that cancel: a vertex alone has no direction.
    fn settled(&self, center: DVec3) -> Self {
        let size = self.weight.abs() * NOISE;
        let settle = |x: f64, size: f64| if x.abs() < size { 0.0 } else { x };
        let products = self.products.to_cols_array().map(|x| settle(x, size * center.length_squared()));
        let offset = self.offset.to_array().map(|x| settle(x, size * center.length()));
        let (products, offset) = (DMat3::from_cols_array(&products), DVec3::from(offset));
        Self { products, offset, weight: self.weight }
    }

    /// Returns the term about a point that lies there from its centre.
    fn about(&self, there: DVec3) -> Self {
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        let across = outer(self.offset, there) + outer(there, self.offset);
        let products = self.products - across + outer(there, there) * self.weight;
        Self { products, offset: self.offset - there * self.weight, weight: self.weight }
    }

    /// Returns how much the term can move: the largest of its weight, and of its products as shares of the whole spread.
    fn share(&self, spread: f64) -> f64 {
        let products = self.products.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        self.weight.abs().max(self.offset.abs().max_element() / spread.sqrt()).max(products / spread)
    }

    fn round(&self, joint: i32) -> DdmTerm {
        let [xx, xy, xz, _, yy, yz, _, _, zz] = self.products.to_cols_array().map(|x| x as f32);
        let products = [xx, yy, zz, yz, xz, xy];
        DdmTerm { joint, products, offset: self.offset.as_vec3().to_array(), weight: self.weight as f32 }
    }
}

impl std::ops::Mul<f64> for Exact {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self { products: self.products * factor, offset: self.offset * factor, weight: self.weight * factor }
    }
}

fn trace(matrix: &DMat3) -> f64 {
    matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z
}

/// Returns the term of a joint from `Ψ` and the weight smoothed by κ; `None` if it moves nothing.
pub fn term(joint: i32, psi: &[f64; TEN], weight: f64, center: DVec3, alpha: f64) -> Option<DdmTerm> {
    let exact = Exact::mixed(psi, weight, center, alpha);
    (exact.weight.abs() > KEPT).then(|| exact.round(joint))
}

/// Adds a point's heavy terms to others, with sums of one and zero; returns how far their centre moves by that. The term of
/// the first joint stays.
pub fn settle(own: &mut [DdmTerm], first: i32, least: f64, out: &mut Vec<DdmTerm>) -> DVec3 {
    // "No joint" comes last, as a joint would that does not move.
    own.sort_by_key(|term| (term.joint != first, term.joint as u32));
    let spread = spread(own);
    let is_kept = |term: &&DdmTerm| term.joint == first || Exact::from(*term).share(spread) >= least;
    sum_to_one(own.iter().filter(is_kept), out).unwrap_or_else(|| {
        out.extend_from_slice(own);
        DVec3::ZERO
    })
}

/// Returns the rank of each of a point's terms: that of the first joint, then those that move it most.
pub fn ranks(terms: &[DdmTerm]) -> Vec<usize> {
    let spread = spread(terms);
    let shares: Vec<f64> = terms.iter().map(|term| Exact::from(term).share(spread)).collect();
    let mut order: Vec<usize> = (0..terms.len()).collect();
    order[terms.len().min(1)..].sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
    let mut ranks = vec![0; terms.len()];
    order.into_iter().enumerate().for_each(|(rank, number)| ranks[number] = rank);
    ranks
}

fn spread(terms: &[DdmTerm]) -> f64 {
    terms.iter().map(|term| trace(&Exact::from(term).products)).sum::<f64>().abs()
}

/// Adds the kept of a point's terms to others, with sums of one and zero; returns how far their centre moves by that. `None`
/// if they sum to nothing.
pub fn sum_to_one<'a>(
    kept: impl Iterator<Item = &'a DdmTerm> + Clone,
    out: &mut Vec<DdmTerm>,
) -> Option<DVec3> {
    let kept = || kept.clone().map(|term| (term.joint, Exact::from(term)));
    let sum: f64 = kept().map(|(_, term)| term.weight).sum();
    if sum <= 0.0 || !sum.is_finite() {
        return None;
    }
    let moved = kept().map(|(_, term)| term.offset).sum::<DVec3>() / sum;
    let from = out.len();
    out.extend(kept().map(|(joint, term)| (term.about(moved) * (1.0 / sum)).round(joint)));
    // The sum in `f32`, in this order, is zero to the bit: the bind pose is the stored mesh.
    if let Some((last, others)) = out.get_mut(from..).and_then(<[_]>::split_last_mut) {
        let add = |sum: [f32; 3], term: &DdmTerm| [0, 1, 2].map(|axis| sum[axis] + term.offset[axis]);
        last.offset = others.iter().fold([0.0; 3], add).map(|sum| 0.0 - sum);
    }
    Some(moved)
}
