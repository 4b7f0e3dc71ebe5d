//! Skins vertices on the processor as fast as it can: with SIMD found at run time, on one thread or many. It must not
//! depend on files, Vulkan or the source of a palette.
//!
//! A primitive is [`Prepared`] once: vertices are grouped by the joints they share, and laid out in blocks of sixteen with a
//! row for each component. Then every pose skins it into the caller's spans without allocating, except for a thread's first
//! calls.
//!
//! ```
//! use sinew_skinning::cpu::{Out, Prepared, Settings, Source};
//! use sinew_skinning::SkinningMode;
//! use glam::{DMat4, DVec3};
//!
//! let positions = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0]];
//! let joints = [[0, 0, 0, 0], [0, 1, 1, 1], [1, 1, 1, 1]];
//! let weights = [[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]];
//! let prepared = Prepared::new(&Source {
//!     positions: &positions,
//!     joints: &[&joints],
//!     weights: &[&weights],
//!     ..Source::default()
//! })?;
//!
//! let mode = SkinningMode::DualQuat;
//! let moved_up = DMat4::from_translation(DVec3::Y);
//! let slots = [mode.slot(&DMat4::IDENTITY), mode.slot(&moved_up)];
//! let mut skinned = [[0.0; 3]; 3];
//! let out = Out { positions: Some(&mut skinned), ..Out::default() };
//! prepared.skin(mode, &slots, out, &Settings::default())?;
//! assert_eq!(skinned, [[0.0, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 3.0, 0.0]]);
//! # Ok::<(), sinew_skinning::cpu::Error>(())
//! ```

mod arithmetic;
mod blend;
mod cluster;
mod cost;
mod ddm;
mod error;
mod fused;
mod kernel;
mod layout;
mod own;
mod placed;
mod plan;
mod prepare;
mod run;
mod sink;
mod terms;
#[cfg(test)]
mod tests;
mod turn;
mod twin;

pub use crate::vectors::Level;
pub use error::Error;

use self::kernel::{Targets, Work};
use self::layout::Blocks;
use super::twin::{MAX_SPANS, Vertices};
use super::{SkinningMode, Slot};
use sinew_model::DdmRows;
use std::sync::Arc;

/// Bind-space vertices, as slices of equal length.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// Positions.
    pub positions: &'a [[f32; 3]],
    /// Normals.
    pub normals: Option<&'a [[f32; 3]]>,
    /// Tangents; used only if there are normals, to which they are made orthogonal.
    pub tangents: Option<&'a [[f32; 4]]>,
    /// Joints, four to a span, in up to four spans. −1 is "no joint", with the identity as its transform: a vertex without
    /// any other joint stays in place. Without any span, the palette's first slot moves every vertex.
    pub joints: &'a [&'a [[i32; 4]]],
    /// Weights in the order of the joints, in as many spans; largest first, as rigid and dqs require.
    pub weights: &'a [&'a [[f32; 4]]],
}

/// Spans for the results, each as long as the number of vertices; `None` for results you do not need.
#[derive(Debug, Default)]
pub struct Out<'a> {
    /// World-space positions.
    pub positions: Option<&'a mut [[f32; 3]]>,
    /// World-space normals, length one.
    pub normals: Option<&'a mut [[f32; 3]]>,
    /// World-space tangents, length one.
    pub tangents: Option<&'a mut [[f32; 4]]>,
}

/// Settings for skinning; the default is the fastest on this thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The instructions to use.
    pub level: Level,
    /// The threads that compute.
    pub threads: Threads,
    /// The exactness of the results.
    pub exactness: Exactness,
    /// The order in which vertices are written.
    pub order: Order,
    /// The length of normals and tangents.
    pub directions: Directions,
}

/// The threads that compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// The calling thread.
    #[default]
    Caller,
    /// The threads of the current rayon pool: the global one, or an `install`ed one.
    Pool,
}

/// The exactness of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exactness {
    /// Within the definition's bounds to the `f64` reference. Processors with fused multiplication give other
    /// last bits than those without.
    #[default]
    Bounds,
    /// Equal bits to [`twin::skin`](super::twin::skin), and so to a GPU that rounds every operation, on every processor; for
    /// palettes of finite numbers.
    Twin,
}

/// The length of normals and tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Directions {
    /// One, with tangents orthogonal to normals.
    #[default]
    Unit,
    /// Any, with tangents as the motion gives them: for callers that normalise later. Zero where the motion flattens a vertex.
    /// Takes less time with [`Exactness::Bounds`]; [`Exactness::Twin`] gives unit vectors. Joints must be scaled by between
    /// 10⁻¹⁵ and 10¹⁵.
    Unnormalised,
}

/// The order in which vertices are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The source's order.
    #[default]
    Source,
    /// The order of the layout, see [`Prepared::order`]: faster if it differs from the source's.
    Prepared,
}

/// A primitive laid out for fast skinning.
#[derive(Clone, Debug)]
pub struct Prepared {
    blocks: Blocks,
}

impl Prepared {
    /// Groups the vertices and lays them out.
    ///
    /// # Errors
    /// If spans differ in length, or there are too many.
    pub fn new(source: &Source) -> Result<Self, Error> {
        Ok(Self { blocks: prepare::prepare(source)? })
    }

    /// Runs [`Prepared::new`] for the input of the twin.
    ///
    /// # Errors
    /// As for [`Prepared::new`].
    pub fn of(vertices: &Vertices) -> Result<Self, Error> {
        let mut joints: [&[[i32; 4]]; MAX_SPANS] = [&[]; MAX_SPANS];
        let mut weights: [&[[f32; 4]]; MAX_SPANS] = [&[]; MAX_SPANS];
        let spans = vertices.influences.map_or(&[][..], |influences| &influences.spans);
        if spans.len() > MAX_SPANS {
            return Err(Error::Spans { joints: spans.len(), weights: spans.len() });
        }
        for ((joints, weights), span) in joints.iter_mut().zip(&mut weights).zip(spans) {
            (*joints, *weights) = (&span.joints, &span.weights);
        }
        let Vertices { positions, normals, tangents, .. } = *vertices;
        let (joints, weights) = (&joints[..spans.len()], &weights[..spans.len()]);
        let mut prepared = Self::new(&Source { positions, normals, tangents, joints, weights })?;
        prepared.set_shares(vertices.shares)?;
        prepared.set_centers(vertices.centers)?;
        Ok(prepared)
    }

    /// Sets each vertex's share of dual quaternion skinning, which *blend* reads; `None` is 1 everywhere.
    ///
    /// # Errors
    /// If their number is not that of the vertices.
    pub fn set_shares(&mut self, shares: Option<&[f32]>) -> Result<(), Error> {
        let mut laid_out = std::mem::take(&mut self.blocks.shares);
        let shares = shares.map(|shares| shares.as_chunks::<1>().0);
        let result = prepare::set(&self.blocks, "shares", shares, &mut laid_out);
        self.blocks.shares = laid_out;
        result
    }

    /// Sets each vertex's centre of rotation, which *cor* reads; `None` makes each vertex its own.
    ///
    /// # Errors
    /// If their number is not that of the vertices.
    pub fn set_centers(&mut self, centers: Option<&[[f32; 3]]>) -> Result<(), Error> {
        let mut laid_out = std::mem::take(&mut self.blocks.centers);
        let result = prepare::set(&self.blocks, "centers", centers, &mut laid_out);
        self.blocks.centers = laid_out;
        result
    }

    /// Returns true if [`Prepared::set_centers`] has set any.
    pub fn has_centers(&self) -> bool {
        !self.blocks.centers.is_empty()
    }

    /// Sets the terms of the mesh, which *ddm* reads, with the number of this primitive in it. Without terms each vertex
    /// follows its heaviest joint.
    ///
    /// # Errors
    /// If their number is not that of the vertices.
    pub fn set_ddm(&mut self, ddm: Option<(&Arc<DdmRows>, usize)>) -> Result<(), Error> {
        self.blocks.terms = match ddm {
            Some((rows, primitive)) => Some(Arc::new(prepare::terms(&self.blocks, rows, primitive)?)),
            None => None,
        };
        Ok(())
    }

    /// Returns true if [`Prepared::set_ddm`] has set these terms.
    pub fn has_ddm(&self, rows: &Arc<DdmRows>) -> bool {
        self.blocks.terms.as_ref().is_some_and(|terms| Arc::ptr_eq(&terms.rows, rows))
    }

    /// Replaces the positions, normals and tangents, for example after morphing; joints and weights stay.
    /// Allocates nothing.
    ///
    /// # Errors
    /// If spans differ in length or number from the original ones.
    pub fn reshape(&mut self, vertices: &Vertices) -> Result<(), Error> {
        prepare::reshape(&mut self.blocks, vertices)
    }

    /// Returns the joints with slots to read in a mode, each once.
    pub fn used_joints(&self, mode: SkinningMode) -> &[u32] {
        match self.blocks.terms.as_ref().filter(|_| mode.facts().needs_ddm) {
            Some(terms) => &terms.used_joints,
            None => &self.blocks.used_joints,
        }
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.blocks.vertices
    }

    /// Returns true if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.blocks.vertices == 0
    }

    /// Returns the minimum number of slots in a palette: one more than the largest joint.
    pub fn palette(&self) -> usize {
        self.blocks.palette
    }

    /// Returns the source's index of each vertex in [`Order::Prepared`]; `None` if that is the source's order. To convert an
    /// index buffer, replace each index by its position in this list.
    pub fn order(&self) -> Option<Vec<u32>> {
        if self.blocks.places.is_empty() {
            return None;
        }
        let mut places = Vec::with_capacity(self.len());
        for window in 0..self.blocks.windows.len() {
            self.blocks.each_vertex(window, |number, block, lane| places.push((block, lane, number as u32)));
        }
        places.sort_unstable();
        Some(places.into_iter().map(|(_, _, number)| number).collect())
    }

    /// Returns the number of bytes that skinning reads, and the number that it writes.
    pub fn bytes(&self, positions: bool, normals: bool, tangents: bool) -> (usize, usize) {
        self.blocks.bytes(positions, normals, tangents)
    }

    /// Skins every vertex by a palette's slots, which must be those of the mode.
    ///
    /// # Errors
    /// If a span's length is not the number of vertices, the palette is too short, the source lacks an
    /// input for a result, or the processor lacks the level.
    pub fn skin(
        &self,
        mode: SkinningMode,
        slots: &[Slot],
        out: Out,
        settings: &Settings,
    ) -> Result<(), Error> {
        let blocks = &self.blocks;
        self.check(mode, slots, &out)?;
        if !settings.level.is_available() {
            return Err(Error::Level(settings.level));
        }
        let Out { positions, normals, tangents } = out;
        let targets = Targets { positions, normals, tangents };
        let &Settings { level, threads, exactness, order, directions } = settings;
        let windows = 0..blocks.windows.len();
        let work = Work { blocks, windows, mode, slots, exactness, order, directions, targets };
        match threads {
            Threads::Caller => level.run(work),
            Threads::Pool => share(level, work),
        }
        Ok(())
    }

    fn check(&self, mode: SkinningMode, slots: &[Slot], out: &Out) -> Result<(), Error> {
        let (expected, blocks) = (self.len(), &self.blocks);
        let terms = blocks.terms.as_ref().filter(|_| mode.facts().needs_ddm);
        let needed = terms.map_or(blocks.palette, |terms| terms.palette);
        if slots.len() < needed {
            return Err(Error::Palette { given: slots.len(), needed });
        }
        let lengths = [
            ("positions", out.positions.as_ref().map(|span| span.len()), blocks.positions.len()),
            ("normals", out.normals.as_ref().map(|span| span.len()), blocks.normals.len()),
            ("tangents", out.tangents.as_ref().map(|span| span.len()), blocks.tangents.len()),
        ];
        for (span, given, source) in lengths {
            match given {
                Some(given) if given != expected => return Err(Error::Length { span, given, expected }),
                Some(_) if source != blocks.len() => return Err(Error::Missing { span }),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Halves the work until one window is left, some ten microseconds.
fn share(level: Level, work: Work) {
    let count = work.windows.len();
    if count < 2 {
        return level.run(work);
    }
    let middle = work.windows.start + count / 2;
    let vertices = work.blocks.vertices_of(middle).start - work.blocks.vertices_of(work.windows.start).start;
    let (first, rest) = work.targets.split_at(vertices);
    let first = Work { windows: work.windows.start..middle, targets: first, ..work };
    let rest = Work { windows: middle..work.windows.end, targets: rest, ..work };
    rayon::join(|| share(level, first), || share(level, rest));
}
