//! Primitives of a mesh that one prim holds: their vertices become points one after the other. Vertices that the file made of
//! one control point become one point again.

use std::collections::HashMap;

use crate::{Influences, Material, Mesh, Model, Primitive, Topology};

/// Primitives in one prim.
pub struct Sheet<'a> {
    /// The primitives, with their numbers in the mesh.
    pub primitives: Vec<(usize, &'a Primitive)>,
    /// The point of each vertex of each primitive.
    pub points: Vec<Vec<u32>>,
    /// The vertex that each point takes its place from: a primitive of the sheet, and a vertex of it.
    pub vertices: Vec<(usize, usize)>,
    /// True if several vertices lie at a point, so that corners have attributes of their own.
    pub is_welded: bool,
    /// True if both sides are drawn.
    pub double_sided: bool,
}

/// Properties in which primitives of a sheet agree.
#[derive(PartialEq)]
struct Likeness {
    double_sided: bool,
    normals: bool,
    texcoords: usize,
    colors: bool,
    spans: Option<usize>,
    shares: bool,
}

impl Likeness {
    fn of(primitive: &Primitive, double_sided: bool) -> Self {
        Self {
            double_sided,
            normals: primitive.normals.is_some(),
            texcoords: primitive.texcoords.len(),
            colors: primitive.colors.is_some(),
            spans: primitive.influences.as_ref().map(|all| all.spans.len()),
            shares: primitive.shares.is_some(),
        }
    }
}

/// The sheets of a mesh. Lines and points are in none.
pub fn sheets<'a>(model: &Model, mesh: &'a Mesh) -> Vec<Sheet<'a>> {
    let mut groups: Vec<(Likeness, Vec<(usize, &Primitive)>)> = Vec::new();
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        if primitive.topology != Topology::Triangles || primitive.indices.is_empty() {
            continue;
        }
        let material = primitive.material.and_then(|material| model.materials.get(material));
        let likeness =
            Likeness::of(primitive, material.is_some_and(|material: &Material| material.double_sided));
        match groups.iter_mut().find(|(known, _)| *known == likeness) {
            Some((_, group)) => group.push((number, primitive)),
            None => groups.push((likeness, vec![(number, primitive)])),
        }
    }
    let sheet = |(likeness, primitives): (Likeness, Vec<(usize, &'a Primitive)>)| Sheet {
        double_sided: likeness.double_sided,
        ..Sheet::of(primitives)
    };
    groups.into_iter().map(sheet).collect()
}

impl<'a> Sheet<'a> {
    fn of(primitives: Vec<(usize, &'a Primitive)>) -> Self {
        Self::welded(&primitives).unwrap_or_else(|| {
            let (mut points, mut vertices) = (Vec::new(), Vec::new());
            for (number, (_, primitive)) in primitives.iter().enumerate() {
                let first = vertices.len() as u32;
                let count = primitive.positions.len();
                points.push((first..first + count as u32).collect());
                vertices.extend((0..count).map(|vertex| (number, vertex)));
            }
            Sheet { primitives, points, vertices, is_welded: false, double_sided: false }
        })
    }

    /// A sheet with a point for each control point of the file; `None` if vertices of one differ in more than what corners
    /// may have, or if the file has none.
    fn welded(primitives: &[(usize, &'a Primitive)]) -> Option<Self> {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let (mut points, mut vertices): (Vec<Vec<u32>>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
        let mut is_welded = false;
        for (number, (_, primitive)) in primitives.iter().enumerate() {
            let mut own = Vec::with_capacity(primitive.positions.len());
            for (vertex, control) in primitive.control_points.as_ref()?.iter().enumerate() {
                let next = vertices.len() as u32;
                let point = *numbers.entry(*control).or_insert(next);
                match vertices.get(point as usize) {
                    None => vertices.push((number, vertex)),
                    Some((first, of)) => {
                        is_welded = true;
                        if !is_same((primitives[*first].1, *of), (primitive, vertex)) {
                            return None;
                        }
                    }
                }
                own.push(point);
            }
            points.push(own);
        }
        Some(Sheet { primitives: primitives.to_vec(), points, vertices, is_welded, double_sided: false })
    }

    /// The points of all corners.
    pub fn corners(&self) -> impl Iterator<Item = u32> {
        let all = self.primitives.iter().zip(&self.points);
        all.flat_map(|((_, primitive), points)| primitive.indices.iter().map(|index| points[*index as usize]))
    }

    /// A stream's values: of corners if the sheet is welded, otherwise of points.
    pub fn values<T: Copy + 'a>(&self, of: impl Fn(&'a Primitive) -> Option<&'a [T]>) -> Vec<T> {
        let mut values = Vec::new();
        for (_, primitive) in &self.primitives {
            let Some(stream) = of(primitive) else { continue };
            match self.is_welded {
                true => values.extend(primitive.indices.iter().map(|index| stream[*index as usize])),
                false => values.extend_from_slice(stream),
            }
        }
        values
    }

    /// A stream's values at points.
    pub fn at_points<T: Copy>(&self, of: impl Fn(&'a Primitive, usize) -> T) -> Vec<T> {
        self.vertices.iter().map(|(number, vertex)| of(self.primitives[*number].1, *vertex)).collect()
    }

    /// The interpolation of values.
    pub fn interpolation(&self) -> &'static str {
        if self.is_welded { "faceVarying" } else { "vertex" }
    }
}

fn is_same((a, vertex): (&Primitive, usize), (b, other): (&Primitive, usize)) -> bool {
    let bits = |primitive: &Primitive, at: usize| primitive.positions[at].map(f32::to_bits);
    let rows = |all: &Option<Influences>, at: usize| -> Vec<([i32; 4], [f32; 4])> {
        let spans = all.iter().flat_map(|all| (0..all.spans.len()).map(|span| all.of_vertex(span, at)));
        spans.collect()
    };
    let share = |primitive: &Primitive, at: usize| primitive.shares.as_ref().map(|shares| shares[at]);
    let moves = |primitive: &Primitive, at: usize| -> Vec<(u32, [f32; 3])> {
        let all = primitive.morphs.as_ref().and_then(|morphs| morphs.positions.as_ref());
        all.into_iter().flat_map(|deltas| deltas.of(at)).collect()
    };
    let turns = |primitive: &Primitive, at: usize| -> Vec<(u32, [f32; 3])> {
        let all = primitive.morphs.as_ref().and_then(|morphs| morphs.normals.as_ref());
        all.into_iter().flat_map(|deltas| deltas.of(at)).collect()
    };
    bits(a, vertex) == bits(b, other)
        && rows(&a.influences, vertex) == rows(&b.influences, other)
        && share(a, vertex) == share(b, other)
        && moves(a, vertex) == moves(b, other)
        && turns(a, vertex) == turns(b, other)
}
