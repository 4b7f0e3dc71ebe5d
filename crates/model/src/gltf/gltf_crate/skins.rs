//! Reads skins with the crate's skin reader.

use ::gltf::accessor::Dimensions;
use glam::DMat4;

use super::numbers::{FLOAT, Format, Numbers, collect};
use crate::gltf::reader::node::Nodes;
use crate::gltf::reader::skin::{self, BindMatrices};
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::rig::Skin;

/// Reads all skins.
pub fn read(
    document: &::gltf::Document,
    nodes: &Nodes,
    numbers: &mut Numbers<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<Skin>, LoadError> {
    let mut skins = Vec::with_capacity(document.skins().len());
    for (index, stored) in document.skins().enumerate() {
        let path = format!("skins[{index}]");
        let joints: Vec<usize> = stored.joints().map(|node| node.index()).collect();
        let joints = skin::joints(&joints, nodes, &format!("{path}.joints"), warnings)?;
        numbers.budget.charge(&path, joints.len(), size_of::<DMat4>())?;
        let matrices = match stored.inverse_bind_matrices() {
            Some(accessor) => {
                let path = format!("{path}.inverseBindMatrices");
                let format = Format::new(&[Dimensions::Mat4], FLOAT);
                numbers.check(&accessor, format, &path, size_of::<[f32; 16]>())?;
                let reader = stored.reader(numbers.source());
                let columns = collect(reader.read_inverse_bind_matrices(), &path)?;
                let matrices: Vec<[f32; 16]> = columns.iter().map(flat).collect();
                let matrices = BindMatrices::read(&matrices, joints.len(), &path)?;
                matrices.warn(&path, warnings);
                matrices
            }
            None => BindMatrices::none(joints.len()),
        };
        let name = stored.name().unwrap_or_default().to_owned();
        skins.push(Skin { name, joints, joint_from_bind: matrices.joint_from_bind, method: None });
    }
    Ok(skins)
}

/// Columns one after the other.
fn flat(columns: &[[f32; 4]; 4]) -> [f32; 16] {
    let mut numbers = [0.0; 16];
    numbers.iter_mut().zip(columns.as_flattened()).for_each(|(number, stored)| *number = *stored);
    numbers
}
