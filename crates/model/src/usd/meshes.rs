//! Meshes: polygons become triangles, and corners that differ become vertices, each with the number of its point.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use super::Work;
use super::ears::Ears;
use super::primvars::{Corner, Primvar};
use super::shapes::Target;
use super::skins::Skinned;
use super::stage::{Prim, Stage};
use super::values;
use crate::reading::LoadError;
use crate::reading::message::counted;
use crate::reading::repair::{
    Place, Surface, finite_moves, finite_positions, gather, repair_colors, repair_texcoords, whole_normals,
};
use crate::{Morphs, Moves, Primitive};

/// Bytes of a corner until its primitive is finished: its position among the distinct corners, and a vertex.
const CORNER_BYTES: usize = 192;

/// A polygon mesh as the file has it.
pub struct Polygons {
    /// Points in the space of the bind pose.
    pub points: Vec<DVec3>,
    /// The corners of each face, in the order that makes its front.
    faces: Vec<Vec<Corner>>,
    normals: Option<Primvar<DVec3>>,
    /// Normals of points, for a mesh that a smooth surface follows.
    smooth: Option<Vec<DVec3>>,
    texcoords: Vec<Primvar<[f32; 2]>>,
    /// Names of the sets of texture coordinates.
    pub sets: Vec<String>,
    colors: Option<Primvar<DVec3>>,
    opacity: Option<Primvar<f64>>,
    /// True if the surface is subdivided.
    pub is_cage: bool,
    /// True if both sides are drawn.
    pub double_sided: bool,
}

/// The key that distinguishes vertices: a corner's point and the bits of all its attributes.
type Key = (usize, [u32; 3], [u32; 4], [[u32; 2]; 2]);

/// Values of a mesh that its materials show.
#[derive(Default)]
pub struct Wanted {
    /// Names of sets of texture coordinates.
    pub sets: Vec<String>,
    /// The name of the colours of points; `None` for the usual one.
    pub colors: Option<String>,
}

/// A corner's numbers.
struct Vertex {
    point: usize,
    normal: [f32; 3],
    color: [f32; 4],
    texcoords: [[f32; 2]; 2],
}

impl Vertex {
    fn key(&self) -> Key {
        let bits = |numbers: [f32; 3]| numbers.map(f32::to_bits);
        let uvs = self.texcoords.map(|uv| uv.map(f32::to_bits));
        (self.point, bits(self.normal), self.color.map(f32::to_bits), uvs)
    }
}

/// Reads a mesh's faces.
///
/// # Errors
/// If a face has a corner at no point, or more memory is needed than a file of this size may take.
pub fn polygons(
    stage: &Stage,
    prim: &Prim,
    wanted: &Wanted,
    path: &str,
    work: &mut Work<'_>,
) -> Result<Polygons, LoadError> {
    let list =
        |name: &str| stage.value(prim, name).and_then(|list| values::integers(&list)).unwrap_or_default();
    let points = stage.value(prim, "points").and_then(|points| values::vectors(&points)).unwrap_or_default();
    let (counts, corners) = (list("faceVertexCounts"), list("faceVertexIndices"));
    work.budget.charge(path, corners.len(), CORNER_BYTES)?;
    let holes: HashSet<i64> = list("holeIndices").into_iter().collect();
    let is_left = stage.text(prim, "orientation").as_deref() == Some("leftHanded");
    let (mut faces, mut first) = (Vec::new(), 0usize);
    for (face, count) in counts.iter().enumerate() {
        let count = usize::try_from(*count).unwrap_or(0);
        let end = first.saturating_add(count);
        let Some(own) = corners.get(first..end) else {
            let message = format!("face {face} has more corners than there are");
            return Err(LoadError::invalid(path, message));
        };
        let corner = |(corner, point): (usize, &i64)| {
            let point = usize::try_from(*point).ok().filter(|point| *point < points.len());
            point.map(|point| Corner { face, corner: first.saturating_add(corner), point })
        };
        let own: Option<Vec<Corner>> = own.iter().enumerate().map(corner).collect();
        let Some(mut own) = own else {
            let message = format!("face {face} has a corner at a point that is not there");
            return Err(LoadError::invalid(path, message));
        };
        if is_left {
            own.reverse();
        }
        faces.push(if holes.contains(&(face as i64)) { Vec::new() } else { own });
        first = end;
    }
    let normals = Primvar::read(stage, prim, "primvars:normals", values::vectors)
        .or_else(|| Primvar::read(stage, prim, "normals", values::vectors));
    let (sets, texcoords) = texcoords(stage, prim, &wanted.sets).into_iter().unzip();
    let colors = format!("primvars:{}", wanted.colors.as_deref().unwrap_or("displayColor"));
    let scheme = stage.text(prim, "subdivisionScheme");
    let sided = stage.value(prim, "doubleSided");
    let mut polygons = Polygons {
        points,
        faces,
        normals,
        smooth: None,
        texcoords,
        sets,
        colors: Primvar::read(stage, prim, &colors, values::vectors),
        opacity: Primvar::read(stage, prim, "primvars:displayOpacity", values::numbers),
        is_cage: scheme.as_deref() != Some("none"),
        double_sided: matches!(sided, Some(openusd::sdf::Value::Bool(true))),
    };
    if polygons.is_cage && polygons.normals.is_none() {
        polygons.smooth = Some(polygons.smoothed());
    }
    Ok(polygons)
}

/// Two sets of texture coordinates with their names: those that are wanted before others. `st` comes first.
fn texcoords(stage: &Stage, prim: &Prim, wanted: &[String]) -> Vec<(String, Primvar<[f32; 2]>)> {
    let mut names = stage.properties(prim);
    names.retain(|name| name.starts_with("primvars:") && !name.ends_with(":indices"));
    names.sort_by_key(|name| name != "primvars:st");
    let set = |name: &String| {
        let short = name.strip_prefix("primvars:")?.to_owned();
        Some((short, Primvar::read(stage, prim, name, values::pairs)?))
    };
    let mut sets: Vec<_> = names.iter().filter_map(set).enumerate().collect();
    sets.sort_by_key(|(_, (name, _))| !wanted.contains(name));
    sets.truncate(2);
    sets.sort_by_key(|(place, _)| *place);
    sets.into_iter().map(|(_, set)| set).collect()
}

impl Polygons {
    /// The number of faces.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// Moves the points to the space of the bind pose.
    pub fn bind(&mut self, skinned: &Skinned) {
        self.points.iter_mut().for_each(|point| *point = skinned.point(*point));
        if skinned.mirrors() {
            self.faces.iter_mut().for_each(|face| face.reverse());
        }
        if self.smooth.is_some() {
            self.smooth = Some(self.smoothed());
        }
    }

    /// The sum of the normals of faces around each point.
    fn smoothed(&self) -> Vec<DVec3> {
        let mut sums = vec![DVec3::ZERO; self.points.len()];
        let at = |corner: &Corner| self.points.get(corner.point).copied().unwrap_or_default();
        for face in &self.faces {
            let normal: DVec3 = triangles(face).map(|[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a))).sum();
            for corner in face {
                if let Some(sum) = sums.get_mut(corner.point) {
                    *sum += normal;
                }
            }
        }
        sums.iter().map(|sum| sum.normalize_or_zero()).collect()
    }

    /// Makes a primitive of some faces, with the colours of their points if they are shown.
    ///
    /// # Errors
    /// If a position is no number, or more memory is needed than a file of this size may take.
    pub fn primitive(
        &self,
        faces: impl Iterator<Item = usize>,
        skinned: Option<&Skinned>,
        is_colored: bool,
        path: &str,
        work: &mut Work<'_>,
    ) -> Result<Primitive, LoadError> {
        let mut out = Primitive { texcoords: vec![Vec::new(); self.texcoords.len()], ..Primitive::default() };
        let mut numbers: HashMap<Key, u32> = HashMap::new();
        let (mut points, mut normals, mut colors) = (Vec::new(), Vec::new(), Vec::new());
        let (mut ears, mut places, mut intricate) = (Ears::default(), Vec::new(), 0usize);
        for face in faces.filter_map(|face| self.faces.get(face)) {
            // Several subsets may have a face.
            work.budget.charge(path, face.len(), CORNER_BYTES)?;
            places.clear();
            places
                .extend(face.iter().map(|corner| self.points.get(corner.point).copied().unwrap_or_default()));
            intricate = intricate.saturating_add(usize::from(!ears.split(&places)));
            for corner in ears.triangles.iter().flatten().filter_map(|corner| face.get(*corner)) {
                let vertex = self.vertex(*corner, skinned, is_colored);
                let next = points.len() as u32;
                let number = *numbers.entry(vertex.key()).or_insert(next);
                if number == next {
                    points.push(vertex.point as u32);
                    let point = self.points.get(vertex.point).copied().unwrap_or_default();
                    out.positions.push(point.as_vec3().to_array());
                    normals.push(vertex.normal);
                    colors.push(vertex.color);
                    out.texcoords.iter_mut().zip(vertex.texcoords).for_each(|(set, uv)| set.push(uv));
                }
                out.indices.push(number);
            }
        }
        if intricate > 0 {
            let faces = counted(intricate, "polygon", "polygons");
            let message = format!("{faces} with many corners or crossing edges may be filled outside");
            work.warnings.add("INTRICATE_POLYGON", path, message);
        }
        let at = Place::with(path, &points);
        out.positions = finite_positions(std::mem::take(&mut out.positions), at)?;
        if (self.normals.is_some() || self.smooth.is_some()) && !normals.is_empty() {
            let surface =
                Surface { positions: &out.positions, topology: out.topology, indices: &out.indices };
            out.normals = whole_normals(normals, surface, at, work.budget, work.warnings)?;
        }
        out.texcoords.iter_mut().for_each(|set| repair_texcoords(set, at, work.warnings));
        if is_colored && (self.colors.is_some() || self.opacity.is_some()) {
            repair_colors(&mut colors, at, work.warnings);
            out.colors = Some(colors);
        }
        out.control_points = Some(points);
        Ok(out)
    }

    fn vertex(&self, corner: Corner, skinned: Option<&Skinned>, is_colored: bool) -> Vertex {
        let normal = match (&self.normals, &self.smooth) {
            (Some(normals), _) => {
                let normal = normals.at(corner).unwrap_or_default();
                skinned.map_or(normal, |skinned| skinned.normal(normal))
            }
            (None, Some(smooth)) => smooth.get(corner.point).copied().unwrap_or_default(),
            (None, None) => DVec3::ZERO,
        };
        let colors = self.colors.as_ref().filter(|_| is_colored);
        let color = colors.and_then(|colors| colors.at(corner)).unwrap_or(DVec3::ONE).as_vec3();
        let opacities = self.opacity.as_ref().filter(|_| is_colored);
        let opacity = opacities.and_then(|all| all.at(corner)).unwrap_or(1.0) as f32;
        // t points up in a picture.
        let uv = |set: &Primvar<[f32; 2]>| set.at(corner).map_or([0.0; 2], |[s, t]| [s, 1.0 - t]);
        Vertex {
            point: corner.point,
            normal: normal.as_vec3().to_array(),
            color: [color.x, color.y, color.z, opacity],
            texcoords: [0, 1].map(|set| self.texcoords.get(set).map_or([0.0; 2], uv)),
        }
    }
}

/// A face's triangles, as a fan.
fn triangles(face: &[Corner]) -> impl Iterator<Item = [&Corner; 3]> {
    let first = face.first();
    let pairs = face.iter().zip(face.iter().skip(1)).skip(1);
    pairs.filter_map(move |(b, c)| Some([first?, b, c]))
}

/// Converts offsets of points to moves of morph targets.
///
/// # Errors
/// If they need more memory than a file of this size may take.
pub fn morphs(
    targets: &[Target],
    primitive: &Primitive,
    skinned: Option<&Skinned>,
    path: &str,
    work: &mut Work<'_>,
) -> Result<Option<Morphs>, LoadError> {
    let points = primitive.control_points.as_deref().unwrap_or_default();
    let mut vertices: Vec<(u32, u32)> = points.iter().copied().zip(0..).collect();
    vertices.sort_unstable();
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for (number, target) in targets.iter().enumerate() {
        let path = format!("{path}.targets[{number}]");
        let mut moved = |offsets: &[(u32, DVec3)], out: &mut Vec<Moves<3>>| -> Result<(), LoadError> {
            let moves = moves_of(offsets, skinned, &vertices);
            work.budget.charge(&path, moves.len(), size_of::<(u32, [f32; 3])>())?;
            out.push(finite_moves(moves, Place::with(&path, points), work.warnings));
            Ok(())
        };
        moved(&target.offsets, &mut positions)?;
        if primitive.normals.is_some() {
            moved(&target.normals, &mut normals)?;
        }
    }
    let morphs = Morphs {
        positions: gather(&positions, points.len(), path, work.budget)?,
        normals: gather(&normals, points.len(), path, work.budget)?,
        texcoords: primitive.texcoords.iter().map(|_| None).collect(),
        ..Morphs::default()
    };
    Ok((!morphs.is_empty()).then_some(morphs))
}

/// The moves of vertices by those of points. `vertices` is sorted: points, and the vertices made of them.
fn moves_of(offsets: &[(u32, DVec3)], skinned: Option<&Skinned>, vertices: &[(u32, u32)]) -> Moves<3> {
    let mut moves: Moves<3> = Vec::new();
    for (point, offset) in offsets {
        let begin = vertices.partition_point(|(of, _)| of < point);
        let own = vertices.get(begin..).unwrap_or_default().iter().take_while(|(of, _)| of == point);
        let offset = skinned.map_or(*offset, |skinned| skinned.offset(*offset)).as_vec3().to_array();
        moves.extend(own.map(|(_, vertex)| (*vertex, offset)));
    }
    moves.retain(|(_, offset)| *offset != [0.0; 3]);
    moves.sort_by_key(|(vertex, _)| *vertex);
    moves.dedup_by_key(|(vertex, _)| *vertex);
    moves
}
