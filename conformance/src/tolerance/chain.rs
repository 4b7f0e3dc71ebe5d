//! Matrices with bounds of their errors, from keys to the world.

use glam::{DMat3, DMat4, DVec3, DVec4};
use sinew_model::{Channel, Interpolation, LocalTransform, Model, Property};
use sinew_skinning::pose::{Pose, PoseChoice};

/// Half the distance of 1 and the next number.
pub const UNIT: f64 = 1.0 / (1u32 << 24) as f64;

/// Returns `γₙ`.
pub fn gamma(roundings: u32) -> f64 {
    let sum = f64::from(roundings) * UNIT;
    sum / (1.0 - sum)
}

/// Roundings of a product of two components of a quaternion, summed with another such product. A component has 4 by
/// normalising: the sum of squares counts half in its root, and both are divided. Twice that, the product and the sum make 10.
const PRODUCTS: u32 = 10;

/// Roundings of an entry of a local matrix besides those of its products: a difference from 1, and the scale.
const ENTRY: u32 = 2;

/// Roundings of an interpolated component: the dot product (4), the angle (2), its share (1), two sines and their division (4),
/// the product and the sum.
const SLERP: u32 = 13;

/// Roundings of an entry of a matrix that is taken apart and put together again: the length of the column (3), the division,
/// a quaternion (5, twice), and its matrix.
const APART: u32 = 4 + 2 * 5 + PRODUCTS + ENTRY;

/// Roundings of a component of a translation or scale between keys: a cubic with its share.
const INTERPOLATED: u32 = 12;

/// A matrix, and bounds of the errors of its entries.
#[derive(Clone, Copy, Debug)]
pub struct Rounded {
    pub m: DMat4,
    pub e: DMat4,
}

impl Rounded {
    /// A matrix as the file stores it.
    pub fn exact(m: DMat4) -> Self {
        Self { m, e: DMat4::ZERO }
    }

    /// Returns the product as single precision makes it.
    pub fn times(&self, right: &Self) -> Self {
        let [a, b] = [self, right].map(|one| absolute(&one.m));
        let e = self.e * b + a * right.e + self.e * right.e + (a + self.e) * (b + right.e) * gamma(4);
        Self { m: self.m * right.m, e }
    }

    /// Returns the inverse as single precision makes it from cofactors, each of which is a product of three.
    pub fn inverse(&self) -> Self {
        let m = self.m.inverse();
        let size = absolute(&m);
        Self { m, e: size * self.e * size + size * absolute(&self.m) * size * gamma(10) }
    }
}

/// Returns the absolute values of the entries.
pub fn absolute(m: &DMat4) -> DMat4 {
    DMat4::from_cols_array(&m.to_cols_array().map(f64::abs))
}

/// The sizes of a local transform's terms.
struct Sizes {
    translation: DVec3,
    /// For a unit quaternion.
    rotation: DVec4,
    scale: DVec3,
    is_between: bool,
}

impl Sizes {
    /// Returns the errors of the entries.
    fn errors(&self) -> DMat4 {
        let (q, s) = (self.rotation, DMat3::from_diagonal(self.scale));
        let [xx, yy, zz] = [q.x * q.x, q.y * q.y, q.z * q.z];
        let [xy, xz, yz] = [q.x * q.y + q.z * q.w, q.x * q.z + q.y * q.w, q.y * q.z + q.x * q.w];
        let columns = [DVec3::new(yy + zz, xy, xz), DVec3::new(xy, xx + zz, yz), DVec3::new(xz, yz, xx + yy)];
        let products = DMat3::from_cols(columns[0], columns[1], columns[2]) * 2.0;
        let (roundings, of_t) = match self.is_between {
            true => (PRODUCTS + 2 * SLERP, gamma(INTERPOLATED)),
            false => (PRODUCTS, UNIT),
        };
        // No entry of a rotation is above 1.
        let ones = DMat3::from_cols_array(&[1.0; 9]);
        let scale = if self.is_between { gamma(ENTRY + INTERPOLATED) } else { gamma(ENTRY) };
        let e = DMat4::from_mat3((products * gamma(roundings) + ones * scale) * s);
        DMat4::from_cols(e.x_axis, e.y_axis, e.z_axis, (of_t * self.translation).extend(0.0))
    }
}

/// Returns every node's transform in the world.
pub fn worlds(model: &Model, choice: &PoseChoice, pose: &Pose) -> Vec<Rounded> {
    let mut sizes: Vec<Option<Sizes>> = pose.locals.iter().map(sizes).collect();
    if let PoseChoice::Clips(mix) = choice {
        let clips = mix.clips.iter().filter_map(|clip| model.clips.get(*clip));
        for channel in clips.flat_map(|clip| &clip.channels) {
            if let Some(Some(sizes)) = sizes.get_mut(channel.node) {
                sampled(channel, mix.time_secs, sizes);
            }
        }
    }
    let mut worlds: Vec<Rounded> = Vec::new();
    for (node, (local, sizes)) in pose.locals.iter().zip(&sizes).enumerate() {
        let m = local.parent_from_node();
        // Engines take matrices apart and put them together again: each column is a length times a rotation's column.
        let columns = || m.to_cols_array_2d().map(|[x, y, z, _]| DVec3::new(x, y, z).length());
        let e = sizes.as_ref().map_or_else(
            || {
                let [x, y, z, _] = columns();
                let e = |size: f64| DVec3::splat(size * gamma(APART)).extend(0.0);
                DMat4::from_cols(e(x), e(y), e(z), m.w_axis.abs() * UNIT)
            },
            Sizes::errors,
        );
        let local =
            Rounded { m, e: DMat4::from_cols(e.x_axis, e.y_axis, e.z_axis, e.w_axis.truncate().extend(0.0)) };
        let parent =
            model.rig.parents.get(node).copied().flatten().and_then(|parent| worlds.get(parent as usize));
        worlds.push(parent.map_or(local, |parent| parent.times(&local)));
    }
    worlds
}

fn sizes(local: &LocalTransform) -> Option<Sizes> {
    let LocalTransform::Trs { translation, rotation, scale } = local else { return None };
    let rotation = DVec4::from(*rotation).abs();
    Some(Sizes { translation: translation.abs(), rotation, scale: scale.abs(), is_between: false })
}

/// Replaces the sizes of a value between keys by those of the interpolation's terms.
fn sampled(channel: &Channel, time_secs: f64, sizes: &mut Sizes) {
    let after = channel.times.partition_point(|&at| f64::from(at) <= time_secs);
    let Some(before) = after.checked_sub(1) else { return };
    let (Some(&start), Some(&end)) = (channel.times.get(before), channel.times.get(after)) else { return };
    let (start, end) = (f64::from(start), f64::from(end));
    if start == time_secs || channel.interpolation == Interpolation::Step {
        return;
    }
    let s = (time_secs - start) / (end - start);
    let columns = if channel.property == Property::Rotation { 4 } else { 3 };
    let of = |row: usize| {
        let numbers = |at: usize| channel.values.get(row * columns + at).map_or(0.0, |x| f64::from(*x));
        DVec4::new(numbers(0), numbers(1), numbers(2), if columns == 4 { numbers(3) } else { 0.0 })
    };
    let (terms, sum) = match channel.interpolation {
        Interpolation::CubicSpline => {
            let (s2, s3, length) = (s * s, s * s * s, end - start);
            let rows = [
                (2.0 * s3 - 3.0 * s2 + 1.0, 2.0 * s3 + 3.0 * s2 + 1.0, of(3 * before + 1)),
                (length * (s3 - 2.0 * s2 + s), length * (s3 + 2.0 * s2 + s), of(3 * before + 2)),
                (3.0 * s2 - 2.0 * s3, 3.0 * s2 + 2.0 * s3, of(3 * after + 1)),
                (length * (s3 - s2), length * (s3 + s2), of(3 * after)),
            ];
            let fold = |of: &dyn Fn(&(f64, f64, DVec4)) -> DVec4| rows.iter().map(of).sum::<DVec4>();
            (fold(&|(_, size, value)| value.abs() * *size), fold(&|(factor, _, value)| *value * *factor))
        }
        _ if columns == 4 => {
            let (a, b) = (of(before), of(after));
            let angle = a.dot(b).abs().min(1.0).acos();
            let share = |s: f64| if angle < 1e-6 { s } else { (s * angle).sin() / angle.sin() };
            (a.abs() * share(1.0 - s) + b.abs() * share(s), DVec4::W)
        }
        _ => ((of(before).abs() * (1.0 - s)) + of(after).abs() * s, DVec4::ZERO),
    };
    sizes.is_between = true;
    match channel.property {
        Property::Translation => sizes.translation = terms.truncate(),
        Property::Scale => sizes.scale = terms.truncate(),
        Property::Rotation => sizes.rotation = terms / sum.length(),
        Property::Weights | Property::Weight(_) => {}
    }
}
