//! Room for the terms of direct delta mush, which a model gets when that mode is first asked for.

use bytemuck::{Pod, Zeroable};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The settings of direct delta mush, by the names of its paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DdmSettings {
    /// p: how often the surface is smoothed.
    pub iterations: u32,
    /// λ: the strength of smoothing.
    pub lambda: f64,
    /// κ: the strength of smoothing of weights, which is less.
    pub kappa: f64,
    /// α: the share of weights smoothed by κ in where a vertex goes.
    pub alpha: f64,
    /// Terms below this share of a vertex's heaviest are dropped; unused with `within`.
    pub least: f64,
    /// As many terms are dropped as move a vertex by at most this in the model's clips, in metres.
    pub within: Option<f64>,
}

impl DdmSettings {
    /// The largest number of iterations.
    pub const MAX_ITERATIONS: u32 = 100;
    /// The largest λ and κ.
    pub const MAX_STRENGTH: f64 = 50.0;
    /// The largest α; 1 would leave nothing of the surroundings.
    pub const MAX_ALPHA: f64 = 0.99;
}

impl Default for DdmSettings {
    fn default() -> Self {
        Self { iterations: 20, lambda: 3.0, kappa: 1.0, alpha: 0.8, least: 1e-4, within: None }
    }
}

/// Formats the settings as the program's flag has them.
impl fmt::Display for DdmSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { iterations, lambda, kappa, alpha, least, within: _ } = self;
        write!(f, "iterations={iterations},lambda={lambda},kappa={kappa},alpha={alpha},least={least}")
    }
}

/// The part of a joint in a vertex: Ω about the vertex's centre, with the joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct DdmTerm {
    /// The joint's number in its skin; -1 is "no joint".
    pub joint: i32,
    /// The weight. A vertex's sum to one.
    pub weight: f32,
    /// The products with one: x, y, z. A vertex's sum to zero.
    pub offset: [f32; 3],
    /// The symmetric products: xx, yy, zz, yz, xz, xy.
    pub products: [f32; 6],
}

/// The terms of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DdmRow<'a> {
    /// The centre of the smoothed surface, in bind space.
    pub center: [f32; 3],
    /// The terms: that of slot 0's joint first, then in the order of joints, which points next to each other share, with "no
    /// joint" last.
    pub terms: &'a [DdmTerm],
}

/// Parts of a mesh that smoothing cannot use as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DdmOddities {
    /// Triangles without area, which are left out.
    pub degenerate: usize,
    /// Points of no triangle, which go where linear blending takes them.
    pub loose: usize,
    /// Edges of more than two triangles, over which smoothing goes to all of them.
    pub non_manifold: usize,
    /// Terms beyond the limit of a mesh, all of whose points then have the term of slot 0's joint alone.
    pub too_many: usize,
}

/// The terms of a mesh's vertices. Vertices at one place are one point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DdmRows {
    /// The point of each vertex, primitive by primitive.
    pub points: Vec<Vec<u32>>,
    /// The centre of each point.
    pub centers: Vec<[f32; 3]>,
    /// The end of each point's terms.
    pub ends: Vec<u32>,
    /// All terms, in the order of points.
    pub terms: Vec<DdmTerm>,
    /// The number of terms before the light ones were dropped.
    pub found: usize,
    /// The oddities found on the way.
    pub oddities: DdmOddities,
}

impl DdmRows {
    /// Returns the terms of a primitive's vertex.
    pub fn of(&self, primitive: usize, vertex: usize) -> Option<DdmRow<'_>> {
        self.of_point(*self.points.get(primitive)?.get(vertex)?)
    }

    /// Returns the terms of a point.
    pub fn of_point(&self, point: u32) -> Option<DdmRow<'_>> {
        let point = point as usize;
        let start = point.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        let terms = self.terms.get(start as usize..*self.ends.get(point)? as usize)?;
        Some(DdmRow { center: *self.centers.get(point)?, terms })
    }
}

/// The terms by mesh, of one choice of settings.
///
/// A copy starts empty, because its mesh may be changed.
#[derive(Debug, Default)]
pub struct Ddm(Mutex<State>);

#[derive(Clone, Debug, Default)]
struct State {
    settings: DdmSettings,
    meshes: Vec<Option<Arc<DdmRows>>>,
}

impl Ddm {
    /// The settings.
    pub fn settings(&self) -> DdmSettings {
        self.state().settings
    }

    /// Changes the settings; terms of others go.
    pub fn set(&self, settings: DdmSettings) {
        let mut state = self.state();
        if state.settings != settings {
            *state = State { settings, meshes: Vec::new() };
        }
    }

    /// The terms of a mesh, if they are known.
    pub fn get(&self, mesh: usize) -> Option<Arc<DdmRows>> {
        self.state().meshes.get(mesh).cloned().flatten()
    }

    /// Keeps the terms of a mesh, unless others are there or the settings have changed; returns those that are there.
    pub fn keep(&self, mesh: usize, settings: &DdmSettings, rows: DdmRows) -> Arc<DdmRows> {
        let mut state = self.state();
        if state.settings != *settings {
            return Arc::new(rows);
        }
        if state.meshes.len() <= mesh {
            state.meshes.resize(mesh.saturating_add(1), None);
        }
        state
            .meshes
            .get_mut(mesh)
            .map_or_else(Default::default, |place| place.get_or_insert(Arc::new(rows)).clone())
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Ddm {
    fn clone(&self) -> Self {
        let state = State { settings: self.settings(), meshes: Vec::new() };
        Self(Mutex::new(state))
    }
}
