//! Palettes with a fault.

use super::Fault;
use crate::pose::Pose;
use glam::{DMat4, DVec3};
use sinew_model::{Instance, Model, Skin};

/// Applies the pose's fault to the matrices of an instance's skin.
pub(crate) fn spoil(model: &Model, instance: &Instance, skin: &Skin, pose: &Pose, matrices: &mut [DMat4]) {
    let Some(fault) = pose.fault().filter(|_| !pose.is_bind()) else { return };
    let world = |node: usize| pose.world_from_node.get(node).copied().unwrap_or(DMat4::IDENTITY);
    let joints = skin.joints.iter().copied();
    let inverse_binds = skin.joint_from_bind.iter().copied().chain(std::iter::repeat(DMat4::IDENTITY));
    let all = matrices.iter_mut();
    match fault {
        Fault::SkipInverseBind => all.zip(joints).for_each(|(matrix, node)| *matrix = world(node)),
        Fault::DoubleMeshNode => all.for_each(|matrix| *matrix = world(instance.node) * *matrix),
        Fault::Transposed => all.for_each(|matrix| *matrix = three_rows(&matrix.transpose())),
        Fault::SwappedOrder => {
            let pairs = joints.zip(inverse_binds);
            all.zip(pairs).for_each(|(matrix, (node, inverse_bind))| *matrix = inverse_bind * world(node));
        }
        Fault::StalePalette => {
            let pairs = joints.zip(inverse_binds);
            let earlier = |node: usize| pose.earlier(node).unwrap_or_else(|| world(node));
            all.zip(pairs).for_each(|(matrix, (node, inverse_bind))| *matrix = earlier(node) * inverse_bind);
        }
        Fault::ShortPalette => {
            let slots = matrices.len().div_ceil(2);
            matrices.iter_mut().skip(slots).for_each(|matrix| *matrix = DMat4::ZERO);
        }
        Fault::WrongPad => repack(matrices),
        Fault::WrongNodeOrder => {
            let of_number = nodes_by_number(model);
            let node_matrix =
                |number: usize| of_number.get(number).map_or(DMat4::IDENTITY, |&node| world(node));
            let numbered = all.enumerate().zip(inverse_binds);
            numbered
                .for_each(|((number, matrix), inverse_bind)| *matrix = node_matrix(number) * inverse_bind);
        }
        Fault::TruncatedJoints => {
            let right = matrices.to_vec();
            for (number, matrix) in matrices.iter_mut().enumerate() {
                let read = truncated(number);
                *matrix = right.get(read).copied().unwrap_or(*matrix);
            }
        }
        // The pose itself is wrong, or the blending, or the normals.
        Fault::UnsortedParents
        | Fault::QuaternionWxyz
        | Fault::MatrixLerp
        | Fault::EulerAngles
        | Fault::NoNormalise
        | Fault::NoAntipodal
        | Fault::NoJointAsZero
        | Fault::PlainNormals => {}
    }
}

/// Returns a joint number as a half float of 255ths, times 255, without its fraction.
fn truncated(number: usize) -> usize {
    let share = number as f64 / 255.0;
    if share == 0.0 {
        return 0;
    }
    // A half float has eleven binary digits; those of numbers this small or large are exact enough here.
    let digits = 2.0_f64.powi(10 - share.log2().floor() as i32);
    let half = (share * digits).round_ties_even() / digits;
    (half * 255.0) as usize
}

/// Returns the matrix as shaders read it, without the fourth row.
fn three_rows(matrix: &DMat4) -> DMat4 {
    let [x, y, z, w] =
        [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis].map(|axis| axis.truncate());
    DMat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), w.extend(1.0))
}

/// Writes columns of three floats one after the other and reads columns of four; zeros follow the end.
fn repack(matrices: &mut [DMat4]) {
    let columns = |matrix: &DMat4| matrix.to_cols_array_2d().map(|[x, y, z, _]| [x, y, z]);
    let packed: Vec<[[f64; 3]; 4]> = matrices.iter().map(columns).collect();
    let mut numbers = packed.as_flattened().as_flattened().iter().copied().chain(std::iter::repeat(0.0));
    let mut column = || {
        let [x, y, z, _] = [(); 4].map(|()| numbers.next().unwrap_or_default());
        DVec3::new(x, y, z)
    };
    for matrix in matrices {
        let [x, y, z, w] = [(); 4].map(|()| column());
        *matrix = DMat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), w.extend(1.0));
    }
}

/// Returns the rig's node for each index in the file; an index out of range for those that the rig lacks.
fn nodes_by_number(model: &Model) -> Vec<usize> {
    let count = model.rig.len() - model.rig.copies.len().min(model.rig.len());
    let numbers = || model.rig.file_index.iter().take(count).map(|&number| number as usize);
    let mut nodes = vec![usize::MAX; numbers().max().map_or(0, |most| most.saturating_add(1))];
    for (node, number) in numbers().enumerate() {
        if let Some(place) = nodes.get_mut(number) {
            *place = node;
        }
    }
    nodes
}
