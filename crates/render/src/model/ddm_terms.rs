//! The terms of *ddm* as `direct_delta_mush.glsl` reads them, with the number of each vertex's point.

use std::sync::Arc;

use crate::model::draw_stream::DrawStream;
use crate::model::draws::Draw;
use crate::upload::mesh_buffer::Batch;
use crate::upload::transfer::upload_buffer;
use sinew_model::{DdmRows, DdmTerm, Model};
use sinew_vulkan::{Buffer, Device, VulkanError, vk};

/// The number of the first point; smaller ones are vertices without terms.
pub(crate) const FIRST_POINT: u32 = 2;

/// The most points whose numbers a float counts.
pub(crate) const MAX_POINTS: u64 = (1 << f32::MANTISSA_DIGITS) - FIRST_POINT as u64;

/// The quadruples of a point before the terms, and of a term.
const PER_POINT: usize = 2;
const PER_TERM: usize = 3;

/// The uploaded terms of all meshes.
pub(crate) struct DdmTerms {
    /// The terms that were uploaded, by mesh.
    rows: Vec<Option<Arc<DdmRows>>>,
    /// The points, then the terms of each, in quadruples.
    pub buffer: Buffer,
    /// The number of each vertex's point.
    pub points: DrawStream,
}

impl DdmTerms {
    /// Uploads the terms of each mesh.
    pub fn new<'a>(
        device: &Arc<Device>,
        model: &Model,
        rows: Vec<Option<Arc<DdmRows>>>,
        draws: impl Iterator<Item = (&'a Draw, &'a Batch)>,
    ) -> Result<Self, VulkanError> {
        let draws: Vec<_> = draws.collect();
        let mut firsts = Vec::with_capacity(rows.len());
        let mut count = 0;
        for rows in &rows {
            firsts.push(count);
            count += rows.as_ref().map_or(0, |rows| rows.centers.len());
        }
        device.check_limit("ddm", "points", count as u64, MAX_POINTS)?;
        let joints_of = |mesh: usize| {
            let of_mesh = draws.iter().find(|(draw, batch)| draw.mesh == mesh && batch.skinned);
            of_mesh.map_or(&[][..], |(_, batch)| &batch.mesh_joints[..])
        };
        let known = rows.iter().enumerate().take(model.meshes.len());
        let known = known.filter_map(|(mesh, rows)| Some((&**rows.as_ref()?, joints_of(mesh))));
        let quads = lay_out(known, count);
        let size = size_of_val(&quads[..]) as u64;
        let most = device.physical().limits.max_storage_buffer_range;
        device.check_limit("terms of ddm", "bytes", size, most.into())?;
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let buffer = upload_buffer(device, "terms of ddm", usage, bytemuck::cast_slice(&quads))?;
        let of = |draw: &Draw| {
            let points = rows[draw.mesh].as_ref().filter(|_| draw.skinned)?.points.get(draw.primitive)?;
            let number = |point: &u32| (FIRST_POINT + firsts[draw.mesh] as u32 + point) as f32;
            Some(points.iter().map(number).collect())
        };
        let points = DrawStream::new(device, "points of ddm", draws.into_iter(), of)?;
        Ok(Self { rows, buffer, points })
    }

    /// Returns true if these terms were uploaded.
    pub fn is_of(&self, rows: &[Option<Arc<DdmRows>>]) -> bool {
        let is_same = |(a, b): (&Option<Arc<DdmRows>>, &Option<Arc<DdmRows>>)| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        self.rows.len() == rows.len() && self.rows.iter().zip(rows).all(is_same)
    }
}

/// Returns the quadruples of all points and terms, mesh by mesh. Joints are numbered as in the palettes: by their place among
/// those that come with the mesh, in ascending order.
pub(crate) fn lay_out<'a>(
    meshes: impl Iterator<Item = (&'a DdmRows, &'a [u32])>,
    points: usize,
) -> Vec<[f32; 4]> {
    let mut heads: Vec<[f32; 4]> = Vec::with_capacity(points * PER_POINT + 1);
    let mut terms: Vec<[f32; 4]> = Vec::new();
    let bits = |at: usize| f32::from_bits(at as u32);
    for (rows, joints) in meshes {
        for point in 0..rows.centers.len() as u32 {
            let Some(row) = rows.of_point(point) else { continue };
            let begin = points * PER_POINT + terms.len();
            terms.extend(row.terms.iter().flat_map(|term| quads(term, joints)));
            let [x, y, z] = row.center;
            heads.extend([[bits(begin), bits(points * PER_POINT + terms.len()), 0.0, 0.0], [x, y, z, 0.0]]);
        }
    }
    heads.extend(terms);
    // A buffer is not empty.
    heads.push([0.0; 4]);
    heads
}

/// Returns the bytes of a mesh's points and terms.
pub(crate) fn size_of_terms(rows: &DdmRows) -> u64 {
    let quads = rows.centers.len() * PER_POINT + rows.terms.len() * PER_TERM;
    (quads * size_of::<[f32; 4]>()) as u64
}

/// Returns a term as the shader reads it.
fn quads(term: &DdmTerm, joints: &[u32]) -> [[f32; 4]; PER_TERM] {
    let [xx, yy, zz, yz, xz, xy] = term.products;
    let place = u32::try_from(term.joint).ok().and_then(|joint| joints.binary_search(&joint).ok());
    let joint = place.map_or(-1.0, |place| place as f32);
    let [x, y, z] = term.offset;
    [[xx, yy, zz, yz], [xz, xy, term.weight, joint], [x, y, z, 0.0]]
}
