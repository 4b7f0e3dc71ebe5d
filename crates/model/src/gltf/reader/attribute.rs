//! Reads vertex attributes other than joints and weights.

use super::accessor::Accessors;
use super::joints::same_count;
use crate::gltf::json;
use crate::gltf::own::SHARE;
use crate::reading::error::LoadError;
use crate::reading::repair::{
    Place, Surface, repair_colors, repair_texcoords, whole_normals, whole_tangents,
};
use crate::reading::warnings::Warnings;

/// The primitive whose attributes are read, and the state of reading them.
pub struct Context<'a, 'b> {
    /// The primitive in the file.
    pub primitive: &'a json::Primitive,
    /// Path of the primitive.
    pub path: &'a str,
    /// Number of its positions.
    pub vertices: usize,
    /// The source of its numbers.
    pub accessors: &'a mut Accessors<'b>,
    /// Warnings about repairs.
    pub warnings: &'a mut Warnings,
}

impl Context<'_, '_> {
    /// An attribute's accessor and path, where the primitive has it.
    fn find(&self, name: &str) -> Option<(usize, String)> {
        let accessor = self.primitive.attributes.get(name)?;
        Some((*accessor, format!("{}.attributes.{name}", self.path)))
    }

    /// Reads a stream that must be as long as the positions.
    fn stream<const N: usize>(&mut self, accessor: usize, path: &str) -> Result<Vec<[f32; N]>, LoadError> {
        let values = self.accessors.floats::<N>(accessor, path)?;
        same_count(values.len(), self.vertices, path)?;
        Ok(values)
    }
}

/// The primitive's normals, with a direction each.
pub fn normals(
    context: &mut Context<'_, '_>,
    surface: Surface<'_>,
) -> Result<Option<Vec<[f32; 3]>>, LoadError> {
    let Some((accessor, path)) = context.find("NORMAL") else {
        return Ok(None);
    };
    let normals = context.stream::<3>(accessor, &path)?;
    whole_normals(normals, surface, Place::of(&path), context.accessors.budget(), context.warnings)
}

/// The primitive's tangents.
pub fn tangents(context: &mut Context<'_, '_>) -> Result<Option<Vec<[f32; 4]>>, LoadError> {
    let Some((accessor, path)) = context.find("TANGENT") else {
        return Ok(None);
    };
    let tangents = context.stream::<4>(accessor, &path)?;
    Ok(whole_tangents(tangents, Place::of(&path), context.warnings))
}

/// Texture coordinate sets, from 0 on without a gap.
pub fn texcoords(context: &mut Context<'_, '_>) -> Result<Vec<Vec<[f32; 2]>>, LoadError> {
    let mut sets = Vec::new();
    while let Some((accessor, path)) = context.find(&format!("TEXCOORD_{}", sets.len())) {
        let mut set = context.stream::<2>(accessor, &path)?;
        repair_texcoords(&mut set, Place::of(&path), context.warnings);
        sets.push(set);
    }
    Ok(sets)
}

/// The first set of vertex colours.
pub fn colors(context: &mut Context<'_, '_>) -> Result<Option<Vec<[f32; 4]>>, LoadError> {
    let Some((accessor, path)) = context.find("COLOR_0") else {
        return Ok(None);
    };
    let mut colors = match context.accessors.width(accessor, &path)? {
        3 => {
            let rgb = context.stream::<3>(accessor, &path)?;
            context.accessors.charge(&path, rgb.len(), size_of::<[f32; 4]>())?;
            rgb.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
        }
        _ => context.stream::<4>(accessor, &path)?,
    };
    repair_colors(&mut colors, Place::of(&path), context.warnings);
    Ok(Some(colors))
}

/// Each vertex's share of dual quaternions, if sinew wrote them; left out if another program broke them.
pub fn shares(context: &mut Context<'_, '_>) -> Option<Vec<f32>> {
    let (accessor, path) = context.find(SHARE)?;
    let shares = context.stream::<1>(accessor, &path).ok()?.into_flattened();
    shares.iter().all(|share| (0.0..=1.0).contains(share)).then_some(shares)
}
