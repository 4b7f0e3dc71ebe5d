//! Skins arrays made of bytes: the first three name their lengths and the mode, the rest are their numbers.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;

mod lines;

use glam::DMat4;
use libfuzzer_sys::fuzz_target;
use sinew_skinning::SkinningMode;
use sinew_skinning::arrays::{Arrays, Mesh};
use sinew_skinning::cpu::{Out, Settings, Threads};

fuzz_target!(|bytes: &[u8]| {
    let &[count, lengths, mode, ref rest @ ..] = bytes else { return };
    // Few joints, or any number of them.
    let shift = if mode & 128 == 0 { 28 } else { 12 };
    let mode = SkinningMode::ALL[usize::from(mode) % SkinningMode::ALL.len()];
    let mut words = rest.as_chunks::<4>().0.iter().copied().map(u32::from_le_bytes).cycle();
    let mut floats = |count: usize| -> Vec<f32> {
        (0..count).map(|_| f32::from_bits(words.next().unwrap_or_default())).collect()
    };
    let count = usize::from(count);
    // Now and then an array is too short or missing.
    let rows = |bit: u32| count.saturating_sub(usize::from(lengths >> bit & 7 == 7));
    let influences = usize::from(lengths & 31);
    let (positions, normals, tangents) = (floats(count * 3), floats(rows(1) * 3), floats(rows(2) * 4));
    let (centers, shares) = (floats(rows(3) * 3), floats(rows(4)));
    let weights = floats(rows(5) * influences);
    let joints: Vec<i64> =
        floats(count * influences).iter().map(|joint| i64::from(joint.to_bits() as i32 >> shift)).collect();
    let given = Arrays {
        positions: positions.as_chunks().0,
        normals: (lengths & 32 == 0).then_some(normals.as_chunks().0),
        tangents: (lengths & 64 == 0).then_some(tangents.as_chunks().0),
        influences,
        joints: &joints,
        weights: &weights,
        centers: (lengths & 128 == 0).then_some(centers.as_chunks().0),
        shares: Some(&shares),
    };
    let mesh = match Mesh::new(&given) {
        Ok(mesh) => mesh,
        Err(error) => return lines::assert_one(&error.to_string()),
    };
    let matrices: Vec<DMat4> = floats(usize::from(lengths) * 32)
        .as_chunks::<16>()
        .0
        .iter()
        .map(|numbers| {
            let mut matrix = DMat4::from_cols_array(&numbers.map(f64::from));
            for (column, last) in [0.0, 0.0, 0.0, 1.0].into_iter().enumerate() {
                matrix.col_mut(column).w = last;
            }
            matrix
        })
        .collect();
    let skin = |mode, matrices: &[DMat4], threads| {
        let mut skinned = vec![[0.0; 3]; count];
        let mut normals = vec![[0.0; 3]; if mesh.has_normals() { count } else { 0 }];
        let mut tangents = vec![[0.0; 4]; if mesh.has_tangents() { count } else { 0 }];
        let out = Out {
            positions: Some(&mut skinned),
            normals: mesh.has_normals().then_some(&mut normals),
            tangents: mesh.has_tangents().then_some(&mut tangents),
        };
        let settings = Settings { threads, ..Settings::default() };
        mesh.skin(mode, matrices, out, &settings, &mut Vec::new()).map(|()| skinned)
    };
    let bits =
        |rows: Vec<[f32; 3]>| rows.as_flattened().iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    match (skin(mode, &matrices, Threads::Caller), skin(mode, &matrices, Threads::Pool)) {
        (Ok(one), Ok(all)) => assert_eq!(bits(one), bits(all)),
        (Err(error), Err(_)) => lines::assert_one(&error.to_string()),
        _ => panic!("the number of threads decides whether it is an error"),
    }
    // Weights sum to one, so joints that stand still leave all where it was.
    let still = vec![DMat4::IDENTITY; mesh.joints()];
    let skinned = skin(SkinningMode::Linear, &still, Threads::Caller).expect("the matrices are enough");
    for (skinned, position) in skinned.iter().zip(given.positions) {
        if position.iter().all(|number| number.is_finite()) {
            assert_eq!(skinned, position);
        }
    }
});
