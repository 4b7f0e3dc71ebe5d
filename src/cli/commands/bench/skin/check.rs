//! Compares a kernel's results with the CPU twin, so that no wrong kernel is timed.

use crate::analysis::compare::Bits;
use crate::render::kernels::{Kernels, Outputs, UNSPLIT, Wanted, Workload};
use crate::skinning::posed::SkinnedPrimitive;
use crate::skinning::twin::{Vertices, skin_vertex};
use crate::skinning::{SkinningMode, Slot};

use crate::cli::terminal::failure::Failure;

/// The number of stretches of vertices that are compared, unless each workload and figure has at least two.
const STRETCHES: u32 = 128;

/// Compares vertices all over the result of the last run. On an exact device every bit must be the twin's. On others
/// positions must be within the bound of `sinew verify`.
pub fn check(
    kernels: &Kernels<'_>,
    (workloads, slots): (&[Workload<'_>], &[Vec<Slot>]),
    figures: u32,
    (mode, outputs): (SkinningMode, Outputs),
    is_exact: bool,
) -> Result<Bits, Failure> {
    let wanted = spread(workloads, figures);
    let (mut bits, mut distance, mut radius) = (Bits::default(), 0.0f64, 0.0f64);
    for (wanted, found) in wanted.iter().zip(kernels.read(&wanted)?) {
        let (Some(workload), Some(slots)) = (workloads.get(wanted.workload), slots.get(wanted.workload))
        else {
            continue;
        };
        let expected = twin(workload, slots, wanted, (mode, outputs));
        bits.merge(&Bits::between(&found, &expected));
        distance = distance.max(Bits::of_positions(&found, &expected).max_abs);
        let reach = expected.positions.iter().flatten().fold(0.0f32, |most, number| most.max(number.abs()));
        radius = radius.max(f64::from(reach));
    }
    let bound = mode.facts().gpu_bound(radius);
    verdict((&bits, distance), (!is_exact).then_some(bound))
        .map(|()| bits)
        .map_err(|fault| Failure::Check(format!("{mode}, {}: {fault}; it was not timed", outputs.name())))
}

/// Judges a comparison: by the largest distance of a position, or without a bound by every bit.
fn verdict((bits, distance): (&Bits, f64), bound: Option<f64>) -> Result<(), String> {
    match bound {
        Some(bound) if distance <= bound => Ok(()),
        Some(bound) => Err(format!(
            "positions of the kernel and the CPU twin are {distance:.1e} apart (bound {bound:.1e})"
        )),
        None if bits.differing == 0 => Ok(()),
        None => Err(format!(
            "{} of {} numbers differ between the kernel and the CPU twin, by up to {} ulp",
            bits.differing, bits.components, bits.max_ulp
        )),
    }
}

/// Returns stretches of vertices, from the first to the last, of the first figure, the last and one between.
fn spread(workloads: &[Workload<'_>], figures: u32) -> Vec<Wanted> {
    let mut some = vec![0, figures / 2, figures.saturating_sub(1)];
    some.dedup();
    let each = (STRETCHES / (workloads.len() * some.len()).clamp(1, 1 << 20) as u32).max(2);
    let mut all = Vec::new();
    for (number, workload) in workloads.iter().enumerate() {
        let count = workload.vertices.positions.len() as u32;
        let groups = count.div_ceil(UNSPLIT);
        let mut starts: Vec<u32> = (0..each)
            .map(|place| {
                (u64::from(place) * u64::from(groups.saturating_sub(1)) / u64::from(each - 1)) as u32
            })
            .collect();
        starts.dedup();
        for &figure in &some {
            let vertices =
                |group: &u32| group * UNSPLIT..(group * UNSPLIT).saturating_add(UNSPLIT).min(count);
            let wanted = |group| Wanted { workload: number, figure, vertices: vertices(group) };
            all.extend(starts.iter().map(wanted).filter(|wanted| !wanted.vertices.is_empty()));
        }
    }
    all
}

/// Skins wanted vertices by the twin.
fn twin(
    workload: &Workload<'_>,
    slots: &[Slot],
    wanted: &Wanted,
    (mode, outputs): (SkinningMode, Outputs),
) -> SkinnedPrimitive<f32> {
    let each = workload.slots as usize;
    let slots = slots.chunks(each.max(1)).nth(wanted.figure as usize).unwrap_or_default();
    let source = Vertices {
        normals: workload.vertices.normals.filter(|_| outputs >= Outputs::Normals),
        tangents: workload.vertices.tangents.filter(|_| outputs >= Outputs::Tangents),
        ..workload.vertices
    };
    let mode = workload.mode(mode);
    let skinned =
        || wanted.vertices.clone().filter_map(|vertex| skin_vertex(mode, slots, &source, vertex as usize));
    SkinnedPrimitive {
        instance: wanted.figure as usize,
        primitive: wanted.workload,
        positions: skinned().map(|vertex| vertex.position).collect(),
        normals: source.normals.map(|_| skinned().filter_map(|vertex| vertex.normal).collect()),
        tangents: source
            .normals
            .and(source.tangents)
            .map(|_| skinned().filter_map(|vertex| vertex.tangent).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_bit_or_a_distance_over_the_bound_is_a_fault() {
        let right = Bits { components: 12, ..Bits::default() };
        let wrong = Bits { differing: 1, max_ulp: 1, ..right };
        assert_eq!(verdict((&right, 0.0), None), Ok(()));
        let said = verdict((&wrong, 1e-7), None).unwrap_err();
        assert_eq!(said, "1 of 12 numbers differ between the kernel and the CPU twin, by up to 1 ulp");
        assert_eq!(verdict((&wrong, 1e-7), Some(1e-6)), Ok(()));
        assert!(verdict((&wrong, 1e-5), Some(1e-6)).unwrap_err().contains("1.0e-5 apart (bound 1.0e-6)"));
        assert!(verdict((&wrong, f64::INFINITY), Some(1e-6)).is_err());
    }

    #[test]
    fn stretches_cover_the_first_and_the_last_vertices_and_figures() {
        let positions = vec![[0.0; 3]; 1_000_001];
        let vertices = Vertices {
            positions: &positions,
            normals: None,
            tangents: None,
            influences: None,
            shares: None,
            centers: None,
            ddm: None,
        };
        let small = Workload { vertices: Vertices { positions: &positions[..5], ..vertices }, slots: 1 };
        let wanted = spread(&[small, Workload { vertices, slots: 1 }], 100);
        assert!(wanted.iter().all(|wanted| wanted.vertices.start % UNSPLIT == 0));
        for (workload, count) in [(0, 5), (1, 1_000_001)] {
            let of = |figure| {
                wanted.iter().filter(move |wanted| (wanted.workload, wanted.figure) == (workload, figure))
            };
            for figure in [0, 50, 99] {
                assert!(of(figure).any(|wanted| wanted.vertices.start == 0));
                assert!(of(figure).any(|wanted| wanted.vertices.end == count));
            }
        }
        assert_eq!(spread(&[small], 1).len(), 1);
        assert_eq!(spread(&[], 1), []);
    }
}
