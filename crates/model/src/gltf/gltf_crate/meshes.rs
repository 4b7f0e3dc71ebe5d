//! Reads vertices and indices with the crate's primitive reader.

use ::gltf::accessor::{DataType, Dimensions};
use ::gltf::json::validation::Checked;
use ::gltf::mesh::util::{ReadColors, ReadJoints, ReadTexCoords, ReadWeights};
use ::gltf::{Primitive as Stored, Semantic};

use super::morphs;
use super::numbers::{FLOAT, FRACTION, Format, Numbers, collect, floats};
use crate::gltf::component::Component;
use crate::gltf::json;
use crate::gltf::reader::joints::{self, same_count};
use crate::gltf::reader::mesh::{all_vertices, check_indices, to_list};
use crate::gltf::reader::skin::{SkinUse, smallest_uses};
use crate::gltf::reader::topology::Mode;
use crate::influences::{Prepared, RawSet};
use crate::mesh::{Mesh, Primitive, Steps};
use crate::reading::error::LoadError;
use crate::reading::repair::{self, Place, Surface};
use crate::reading::warnings::Warnings;

/// Reads all meshes, whether a scene shows them or not.
pub fn read(
    document: &::gltf::Document,
    structure: &json::Document,
    numbers: &mut Numbers<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<Mesh>, LoadError> {
    let mut meshes = Vec::with_capacity(document.meshes().len());
    for ((index, mesh), skin) in document.meshes().enumerate().zip(smallest_uses(structure)) {
        let targets = mesh.primitives().next().map_or(0, |primitive| primitive.morph_targets().len());
        let mut primitives = Vec::new();
        for stored in mesh.primitives() {
            let path = format!("meshes[{index}].primitives[{}]", stored.index());
            let attributes =
                &document.as_json().meshes.get(index).and_then(|mesh| mesh.primitives.get(stored.index()));
            let names = attributes.iter().flat_map(|primitive| primitive.attributes.keys());
            let sets = set_numbers(names);
            let mut source =
                Source { stored: &stored, path: &path, numbers: &mut *numbers, warnings: &mut *warnings };
            if let Some(mut read) = source.primitive(&sets, skin)? {
                read.morphs = morphs::read(&stored, &read, targets, &path, numbers, warnings)?;
                primitives.push(read);
            }
        }
        let name = mesh.name().unwrap_or_default().to_owned();
        meshes.push(Mesh { name, primitives, target_names: vec![String::new(); targets] });
    }
    Ok(meshes)
}

/// The numbers of all sets of joints and weights, smallest first.
fn set_numbers<'j>(names: impl Iterator<Item = &'j Checked<Semantic>>) -> Vec<u32> {
    let number = |name: &Checked<Semantic>| match name {
        Checked::Valid(Semantic::Joints(set) | Semantic::Weights(set)) => Some(*set),
        _ => None,
    };
    let mut numbers: Vec<u32> = names.filter_map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// A primitive that is being read.
struct Source<'a, 's, 'w> {
    stored: &'a Stored<'a>,
    path: &'a str,
    numbers: &'w mut Numbers<'s>,
    warnings: &'w mut Warnings,
}

impl Source<'_, '_, '_> {
    /// Makes sure that an attribute can be read; `None` where the primitive does not have it, else its path and
    /// whether its numbers are fractions.
    fn check(
        &mut self,
        semantic: &Semantic,
        format: Format,
        size: usize,
    ) -> Result<Option<(String, bool)>, LoadError> {
        let Some(accessor) = self.stored.get(semantic) else { return Ok(None) };
        let path = format!("{}.attributes.{}", self.path, semantic.to_string());
        self.numbers.check(&accessor, format, &path, size)?;
        Ok(Some((path, accessor.normalized())))
    }

    /// The primitive without its morph targets; `None` where it draws nothing.
    fn primitive(&mut self, sets: &[u32], skin: Option<SkinUse>) -> Result<Option<Primitive>, LoadError> {
        let vec3 = Format::new(&[Dimensions::Vec3], FLOAT);
        let Some((path, _)) = self.check(&Semantic::Positions, vec3, size_of::<[f32; 3]>())? else {
            self.warnings.add("MESH_PRIMITIVE_NO_POSITION", self.path, "has no POSITION and was left out");
            return Ok(None);
        };
        let reader = self.stored.reader(self.numbers.source());
        let positions = repair::finite_positions(collect(reader.read_positions(), &path)?, Place::of(&path))?;
        let vertices = positions.len();
        let indices = self.indices(vertices)?;
        let mode = Mode::from_code(self.stored.mode().as_gl_enum() as usize)
            .ok_or_else(|| LoadError::invalid(format!("{}.mode", self.path), "is no mode"))?;
        let (topology, indices) = to_list(mode, indices, self.path, &mut self.numbers.budget, self.warnings)?;
        if indices.is_empty() {
            self.warnings.add("MESH_PRIMITIVE_EMPTY", self.path, "draws nothing and was left out");
            return Ok(None);
        }
        let surface = Surface { positions: &positions, topology, indices: &indices };
        let normals = self.normals(surface)?;
        // Tangents mean nothing without the normals they belong to.
        let tangents = if normals.is_some() { self.tangents(vertices)? } else { None };
        let texcoords = self.texcoords(vertices)?;
        let colors = self.colors(vertices)?;
        let prepared = match skin {
            Some(skin) => self.influences(sets, vertices, skin)?,
            None => None,
        };
        let (influences, unequal_sums) =
            prepared.map_or_else(Default::default, |found| (Some(found.influences), found.unequal_sums));
        Ok(Some(Primitive {
            file_index: self.stored.index(),
            topology,
            indices,
            positions,
            normals,
            tangents,
            texcoords,
            colors,
            influences,
            unequal_sums,
            morphs: None,
            material: self.stored.material().index(),
            shares: None,
            steps: Steps::default(),
            control_points: None,
        }))
    }

    fn indices(&mut self, vertices: usize) -> Result<Vec<u32>, LoadError> {
        let Some(accessor) = self.stored.indices() else {
            return all_vertices(vertices, self.path, &mut self.numbers.budget);
        };
        let path = format!("{}.indices", self.path);
        let format = Format::new(&[Dimensions::Scalar], &[DataType::U8, DataType::U16, DataType::U32]);
        self.numbers.check(&accessor, format, &path, size_of::<u32>())?;
        let restart = match accessor.data_type() {
            DataType::U8 => u32::from(u8::MAX),
            DataType::U16 => u32::from(u16::MAX),
            _ => u32::MAX,
        };
        let reader = self.stored.reader(self.numbers.source());
        let indices = collect(reader.read_indices().map(|indices| indices.into_u32()), &path)?;
        check_indices(&indices, restart, vertices, &path)?;
        Ok(indices)
    }

    fn normals(&mut self, surface: Surface<'_>) -> Result<Option<Vec<[f32; 3]>>, LoadError> {
        let format = Format::new(&[Dimensions::Vec3], FLOAT);
        let Some((path, _)) = self.check(&Semantic::Normals, format, size_of::<[f32; 3]>())? else {
            return Ok(None);
        };
        let reader = self.stored.reader(self.numbers.source());
        let normals = collect(reader.read_normals(), &path)?;
        same_count(normals.len(), surface.positions.len(), &path)?;
        repair::whole_normals(normals, surface, Place::of(&path), &mut self.numbers.budget, self.warnings)
    }

    fn tangents(&mut self, vertices: usize) -> Result<Option<Vec<[f32; 4]>>, LoadError> {
        let format = Format::new(&[Dimensions::Vec4], FLOAT);
        let Some((path, _)) = self.check(&Semantic::Tangents, format, size_of::<[f32; 4]>())? else {
            return Ok(None);
        };
        let reader = self.stored.reader(self.numbers.source());
        let tangents = collect(reader.read_tangents(), &path)?;
        same_count(tangents.len(), vertices, &path)?;
        Ok(repair::whole_tangents(tangents, Place::of(&path), self.warnings))
    }

    fn texcoords(&mut self, vertices: usize) -> Result<Vec<Vec<[f32; 2]>>, LoadError> {
        let mut sets = Vec::new();
        for number in 0.. {
            let format = Format::new(&[Dimensions::Vec2], FRACTION);
            let found = self.check(&Semantic::TexCoords(number), format, size_of::<[f32; 2]>())?;
            let Some((path, normalized)) = found else { break };
            let reader = self.stored.reader(self.numbers.source());
            let mut set = match reader.read_tex_coords(number) {
                Some(ReadTexCoords::U8(all)) => floats(all, Component::U8, normalized),
                Some(ReadTexCoords::U16(all)) => floats(all, Component::U16, normalized),
                Some(ReadTexCoords::F32(all)) => all.collect(),
                None => collect(None::<std::iter::Empty<_>>, &path)?,
            };
            same_count(set.len(), vertices, &path)?;
            repair::repair_texcoords(&mut set, Place::of(&path), self.warnings);
            sets.push(set);
        }
        Ok(sets)
    }

    fn colors(&mut self, vertices: usize) -> Result<Option<Vec<[f32; 4]>>, LoadError> {
        let format = Format::new(&[Dimensions::Vec3, Dimensions::Vec4], FRACTION);
        let Some((path, normalized)) = self.check(&Semantic::Colors(0), format, size_of::<[f32; 4]>())?
        else {
            return Ok(None);
        };
        let opaque = |rgb: Vec<[f32; 3]>| rgb.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect();
        let reader = self.stored.reader(self.numbers.source());
        let mut colors = match reader.read_colors(0) {
            Some(ReadColors::RgbU8(all)) => opaque(floats(all, Component::U8, normalized)),
            Some(ReadColors::RgbU16(all)) => opaque(floats(all, Component::U16, normalized)),
            Some(ReadColors::RgbF32(all)) => opaque(all.collect()),
            Some(ReadColors::RgbaU8(all)) => floats(all, Component::U8, normalized),
            Some(ReadColors::RgbaU16(all)) => floats(all, Component::U16, normalized),
            Some(ReadColors::RgbaF32(all)) => all.collect(),
            None => collect(None::<std::iter::Empty<_>>, &path)?,
        };
        same_count(colors.len(), vertices, &path)?;
        repair::repair_colors(&mut colors, Place::of(&path), self.warnings);
        Ok(Some(colors))
    }

    fn influences(
        &mut self,
        numbers: &[u32],
        vertices: usize,
        skin: SkinUse,
    ) -> Result<Option<Prepared>, LoadError> {
        let (mut sets, mut found) = (Vec::new(), Vec::new());
        for &number in numbers {
            let format = Format::new(&[Dimensions::Vec4], &[DataType::U8, DataType::U16]);
            let joints = self.check(&Semantic::Joints(number), format, size_of::<[u16; 4]>())?;
            let format = Format::new(&[Dimensions::Vec4], FRACTION);
            let weights = self.check(&Semantic::Weights(number), format, size_of::<[f32; 4]>())?;
            let (Some((joints_path, _)), Some((weights_path, normalized))) = (joints, weights) else {
                let message =
                    format!("has only one of JOINTS_{number} and WEIGHTS_{number}, which was left out");
                self.warnings.add("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", self.path, message);
                continue;
            };
            let reader = self.stored.reader(self.numbers.source());
            let joints = match reader.read_joints(number) {
                Some(ReadJoints::U8(all)) => all.map(|joints| joints.map(u16::from)).collect(),
                Some(ReadJoints::U16(all)) => all.collect(),
                None => collect(None::<std::iter::Empty<_>>, &joints_path)?,
            };
            let weights = match reader.read_weights(number) {
                Some(ReadWeights::U8(all)) => floats(all, Component::U8, normalized),
                Some(ReadWeights::U16(all)) => floats(all, Component::U16, normalized),
                Some(ReadWeights::F32(all)) => all.collect(),
                None => collect(None::<std::iter::Empty<_>>, &weights_path)?,
            };
            same_count(joints.len(), vertices, &joints_path)?;
            same_count(weights.len(), vertices, &weights_path)?;
            sets.push(RawSet { joints, weights });
            found.push(number as usize);
        }
        if sets.is_empty() {
            return Ok(None);
        }
        let budget = &mut self.numbers.budget;
        joints::prepare(&sets, &found, (self.path, vertices), skin, budget, self.warnings).map(Some)
    }
}
