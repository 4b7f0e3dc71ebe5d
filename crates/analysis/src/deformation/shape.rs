//! A model prepared for measuring: its welded surface, closed parts and cross-sections, with their figures in the bind pose.

use glam::DVec3;

use super::facets::{Facet, facets};
use super::followers::Followers;
use super::frame::Place;
use super::limits::{TooLarge, check};
use super::parts::{Part, Parts, parts};
use super::points::{Points, weld};
use super::sections::{Section, Sections, sections};
use super::stretch::{Rod, rods};
use crate::triangles::{Surface, surface};
use sinew_model::Model;
use sinew_skinning::posed::count_vertices;

/// A model prepared for measuring.
pub struct Shape {
    vertices: u64,
    pub(super) points: Points,
    pub(super) surface: Surface,
    pub(super) rods: Vec<Rod>,
    pub(super) facets: Vec<Facet>,
    pub(super) parts: Parts,
    pub(super) sections: Sections,
    pub(super) followers: Followers,
}

/// The amounts to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Drawn vertices.
    pub vertices: u64,
    /// Welded vertices.
    pub points: usize,
    /// Triangles with three different corners.
    pub triangles: usize,
    /// Edges of these triangles, each once.
    pub edges: usize,
    /// Joints with bones at which nothing was cut, because the model has too much to cut.
    pub skipped_sections: usize,
}

impl Shape {
    /// Prepares a model.
    ///
    /// # Errors
    /// If the model draws more than [`MAX_MEASURED`](super::MAX_MEASURED) vertices or triangles.
    pub fn new(model: &Model) -> Result<Self, TooLarge> {
        check(model)?;
        let (points, corners) = weld(model);
        let surface = surface(corners.iter().map(|corners| corners.points).collect());
        let followers = Followers::new(model);
        Ok(Self {
            vertices: count_vertices(model),
            rods: rods(&surface, &points.bind),
            facets: facets(&surface, &points, &followers),
            parts: parts(&surface, &points, &corners),
            sections: sections(model, &points, &surface, &corners),
            followers,
            points,
            surface,
        })
    }

    /// Returns the closed parts, which places of volumes refer to.
    pub fn parts(&self) -> &[Part] {
        &self.parts.list
    }

    /// Returns the cross-sections, which places of sections refer to: instances in their order, with the joints in the
    /// skin's order.
    pub fn sections(&self) -> &[Section] {
        &self.sections.list
    }

    /// Returns the points that determine the size of a section, in ascending order, each with the vertex that it follows.
    pub fn points_of_section(&self, number: usize) -> Vec<(u32, Place)> {
        let mut points: Vec<u32> =
            self.sections.knots_of(number).iter().flat_map(|knot| knot.points).collect();
        points.sort_unstable();
        points.dedup();
        points.into_iter().map(|point| (point, self.points.place(point))).collect()
    }

    /// Returns a section's size relative to its size in the bind pose, by the positions of its points; `places` has one for
    /// every point of the model. Not finite if one is missing.
    pub fn section_ratio(&self, number: usize, places: &[DVec3]) -> f64 {
        self.sections.ratio(number, places)
    }

    /// Returns the amounts to measure.
    pub fn counts(&self) -> Counts {
        Counts {
            vertices: self.vertices,
            points: self.points.bind.len(),
            triangles: self.surface.triangles.len(),
            edges: self.surface.edges.len(),
            skipped_sections: self.sections.skipped,
        }
    }
}
