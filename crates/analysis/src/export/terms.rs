//! Writes the terms of direct delta mush as arrays that `numpy.load` reads, with the formula that uses them. The keys are an
//! interface; docs/guides/bake.md lists them.

use std::io::Write;

use super::npy::header;
use super::npz::{MAX_BYTES, archive};
use super::{ExportError, InFile};
use glam::{DMat3, DVec3};
use sinew_model::{DdmRow, DdmTerm, Model};
use sinew_skinning::ddm_terms;

/// The use of the arrays.
const FORMULA: &str = "\
for a vertex v of point k: A = sum over t in start[k]..start[k+1] of M[joint[t]] * omega[t], where M = world from joint * \
joint_from_bind, and omega[t] is the upper triangle of a symmetric 4 x 4 matrix, row by row: 00 01 02 03 11 12 13 22 23 33; \
with A / A[3,3] = [Q q; p^T 1] and R the rotation nearest to Q - q p^T, v moves to R * v + q - R * p";

/// The arrays of one dimension or two, in the order of the file.
#[derive(Default)]
struct Arrays {
    all: Vec<(&'static str, Vec<u8>, Vec<u8>)>,
    size: usize,
}

impl Arrays {
    /// Adds an array of elements of some bytes; without columns it has one dimension.
    fn add(
        &mut self,
        key: &'static str,
        (kind, size): (&str, usize),
        columns: Option<usize>,
        elements: impl Iterator<Item = Vec<u8>>,
    ) -> Result<(), ExportError> {
        let mut bytes = Vec::new();
        for element in elements {
            bytes.extend(element);
            if self.size + bytes.len() > MAX_BYTES {
                return Err(ExportError::TooLarge);
            }
        }
        self.size += bytes.len();
        let rows = bytes.len() / (size * columns.unwrap_or(1)).max(1);
        self.all.push((key, header(kind, &[rows].into_iter().chain(columns).collect::<Vec<_>>()), bytes));
        Ok(())
    }

    fn add_integers(
        &mut self,
        key: &'static str,
        numbers: impl Iterator<Item = i32>,
    ) -> Result<(), ExportError> {
        self.add(key, ("<i4", 4), None, numbers.map(|number| number.to_le_bytes().to_vec()))
    }

    fn add_floats<const N: usize>(
        &mut self,
        key: &'static str,
        rows: impl Iterator<Item = [f64; N]>,
    ) -> Result<(), ExportError> {
        let row = |row: [f64; N]| row.into_iter().flat_map(f64::to_le_bytes).collect();
        self.add(key, ("<f8", 8), Some(N), rows.map(row))
    }

    /// Adds words of the same length, as NumPy holds them.
    fn add_words(&mut self, key: &'static str, words: &[&str]) -> Result<(), ExportError> {
        let length = words.iter().map(|word| word.chars().count()).max().unwrap_or(0).max(1);
        // One word alone may be longer than all arrays may be.
        if length > MAX_BYTES / 4 {
            return Err(ExportError::TooLarge);
        }
        let padded = |word: &&str| -> Vec<u8> {
            let letters = word.chars().map(u32::from).chain(std::iter::repeat(0)).take(length);
            letters.flat_map(u32::to_le_bytes).collect()
        };
        self.add(key, (&format!("<U{length}"), 4 * length), None, words.iter().map(padded))
    }
}

/// Writes the terms of all drawn vertices, which are found if they are not known. A vertex without a skin has the point -1.
pub fn write_terms(model: &Model, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut arrays = Arrays::default();
    arrays.add_words("formula", &[FORMULA])?;
    let skins = model.skins.iter().scan(0, |first, skin| {
        let start = *first;
        *first += skin.joints.len();
        Some(start)
    });
    let firsts: Vec<usize> = skins.collect();
    let (mut vertices, mut points) = (Vertices::default(), Points::default());
    let mut number_of_primitive = 0;
    for (at, instance) in model.instances.iter().enumerate() {
        let Some(mesh) = model.meshes.get(instance.mesh) else { continue };
        let skin =
            instance.skin.and_then(|skin| Some((*firsts.get(skin)?, model.skins.get(skin)?.joints.len())));
        let start = points.ends.len() as i32;
        let rows = skin.and_then(|_| ddm_terms::of(model, instance.mesh));
        if let Some((skin, rows)) = skin.zip(rows.as_ref()) {
            let mut of_points = (0..rows.centers.len() as u32).filter_map(|point| rows.of_point(point));
            of_points.try_for_each(|row| points.add(row, skin))?;
        }
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let of = rows
                .as_ref()
                .filter(|_| primitive.influences.is_some())
                .and_then(|rows| rows.points.get(number));
            let in_file = InFile::of(model, (at, number));
            for (vertex, position) in primitive.positions.iter().enumerate() {
                let point =
                    of.and_then(|points| points.get(vertex)).map_or(-1, |&point| start + point as i32);
                vertices.point.push(point);
                vertices.primitive.push(number_of_primitive);
                vertices.node.push(in_file.as_ref().map_or(-1, |place| place.node as i32));
                vertices.positions.push(*position);
            }
            number_of_primitive += 1;
        }
    }
    let joints = || model.skins.iter().flat_map(|skin| &skin.joints);
    let names: Vec<&str> =
        joints().map(|&node| model.rig.names.get(node).map_or("", String::as_str)).collect();
    let matrices = model.skins.iter().flat_map(|skin| {
        let matrix = |joint| skin.joint_from_bind.get(joint).copied().unwrap_or_default();
        (0..skin.joints.len()).map(matrix)
    });
    arrays.add_floats("positions", vertices.positions.iter().map(|position| position.map(f64::from)))?;
    arrays.add_integers("point", vertices.point.into_iter())?;
    arrays.add_integers("primitive", vertices.primitive.into_iter())?;
    arrays.add_integers("node", vertices.node.into_iter())?;
    let starts = std::iter::once(0).chain(points.ends);
    arrays.add_integers("start", starts)?;
    arrays.add_integers("joint", points.joint.into_iter())?;
    arrays.add_floats("omega", points.omega.into_iter())?;
    arrays.add_words("joint_names", &names)?;
    let nodes = joints().map(|&node| model.rig.file_index.get(node).map_or(-1, |&number| number as i32));
    arrays.add_integers("joint_nodes", nodes)?;
    // Row by row, as NumPy reads matrices.
    arrays.add_floats("joint_from_bind", matrices.map(|matrix| matrix.transpose().to_cols_array()))?;
    Ok(archive(arrays.all.iter().map(|(key, header, bytes)| (*key, header.clone(), &bytes[..])), out)?)
}

/// The arrays with an entry per vertex.
#[derive(Default)]
struct Vertices {
    primitive: Vec<i32>,
    node: Vec<i32>,
    point: Vec<i32>,
    positions: Vec<[f32; 3]>,
}

/// The terms of points.
#[derive(Default)]
struct Points {
    /// The end of each point's terms.
    ends: Vec<i32>,
    joint: Vec<i32>,
    omega: Vec<[f64; 10]>,
}

impl Points {
    /// Adds a point's terms, with their joints numbered from the skin's first.
    fn add(
        &mut self,
        DdmRow { center, terms }: DdmRow<'_>,
        (first, joints): (usize, usize),
    ) -> Result<(), ExportError> {
        for term in terms {
            let joint = usize::try_from(term.joint).ok().filter(|joint| *joint < joints);
            self.joint.push(joint.map_or(-1, |joint| (first + joint) as i32));
            self.omega.push(omega(DVec3::from(center.map(f64::from)), term));
        }
        self.ends.push(self.joint.len() as i32);
        // The casts to 32 bits hold below this.
        match size_of_val(&self.omega[..]) > MAX_BYTES {
            true => Err(ExportError::TooLarge),
            false => Ok(()),
        }
    }
}

/// Returns the upper triangle of Ω, whose term is about a vertex's centre.
fn omega(center: DVec3, term: &DdmTerm) -> [f64; 10] {
    let weight = f64::from(term.weight);
    let offset = DVec3::from(term.offset.map(f64::from));
    let [xx, yy, zz, yz, xz, xy] = term.products.map(f64::from);
    let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
    let products = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
    let about = outer(center, center) * weight;
    let [x, y, z] =
        (products + outer(offset, center) + outer(center, offset) + about).transpose().to_cols_array_2d();
    let [a, b, c] = (offset + center * weight).to_array();
    [x[0], x[1], x[2], a, y[1], y[2], b, z[2], c, weight]
}
