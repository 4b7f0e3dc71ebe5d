//! Splits a primitive whose skin has more joints than the palette has slots into parts that fit, each with its
//! own palette.

use sinew_model::{Influences, Primitive, Topology};
use std::collections::HashMap;

/// The maximum number of joints of one element: three corners of sixteen influences.
pub const MAX_IN_ONE_ELEMENT: usize = 48;

/// Vertices and elements of a primitive that share one palette.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The skin's joint for each slot of this part's palette: each joint that a vertex uses, once.
    pub joints: Vec<u32>,
    /// The primitive's vertex for each vertex of this part.
    pub vertices: Vec<u32>,
    /// The part's elements, as the primitive's topology lists them.
    pub indices: Vec<u32>,
    /// For each span of four influences, each vertex's slots in [`Part::joints`]; −1 stays −1.
    /// Empty for a primitive without influences, which reads slot 0.
    pub spans: Vec<Vec<[i16; 4]>>,
    /// True if "no joint" moves some vertex.
    pub has_no_joint: bool,
}

impl Part {
    /// Returns any of the primitive's streams (positions, a span's weights, …) for this part's vertices.
    pub fn gather<T: Copy>(&self, stream: &[T]) -> Vec<T> {
        self.vertices.iter().filter_map(|&vertex| stream.get(vertex as usize)).copied().collect()
    }
}

/// Splits `primitive` into parts of at most `max_joints` joints. Every vertex is in some part, even if no element uses it.
/// Elements keep their order within a part.
///
/// # Panics
/// If an element needs more than `max_joints` (see [`most_in_one_element`], which is never above [`MAX_IN_ONE_ELEMENT`]),
/// or if that number does not fit into the slots' `i16`.
pub fn partition(primitive: &Primitive, max_joints: usize) -> Vec<Part> {
    assert!((1..=i16::MAX as usize).contains(&max_joints), "a palette of {max_joints} slots");
    match highest_joint(primitive) {
        highest if highest < max_joints as i64 => vec![whole(primitive, highest)],
        _ => split(primitive, max_joints),
    }
}

/// Returns the primitive's influences, unless all its vertices read slot 0.
fn influences_of(primitive: &Primitive) -> Option<&Influences> {
    primitive.influences.as_ref().filter(|influences| !influences.spans.is_empty())
}

/// Returns the highest joint index of any vertex; −1 if there is none, 0 for an unskinned primitive.
fn highest_joint(primitive: &Primitive) -> i64 {
    let Some(influences) = influences_of(primitive) else { return 0 };
    let joints = influences.spans.iter().flat_map(|span| span.joints.as_flattened());
    joints.copied().max().map_or(-1, i64::from)
}

/// Makes one part, with the used joints in the skin's order. Skips unused joints, because their transform, such as
/// mirroring, has no effect on the part.
fn whole(primitive: &Primitive, highest_joint: i64) -> Part {
    let spans = || primitive.influences.iter().flat_map(|influences| &influences.spans);
    let mut used = vec![influences_of(primitive).is_none(); (highest_joint + 1) as usize];
    for &joint in spans().flat_map(|span| span.joints.as_flattened()) {
        if let Some(used) = usize::try_from(joint).ok().and_then(|joint| used.get_mut(joint)) {
            *used = true;
        }
    }
    let mut joints = Vec::with_capacity(used.len());
    let mut slots = Vec::with_capacity(used.len());
    for (joint, used) in (0u32..).zip(used) {
        slots.push(joints.len() as i16);
        joints.extend(used.then_some(joint));
    }
    let slot = |joint: i32| usize::try_from(joint).ok().and_then(|joint| slots.get(joint)).map_or(-1, |&s| s);
    let vertices: Vec<u32> = (0..primitive.positions.len() as u32).collect();
    let (spans, has_no_joint) = slots_of(primitive, &vertices, slot);
    Part { joints, vertices, indices: primitive.indices.clone(), spans, has_no_joint }
}

/// Returns each span's slots for some vertices, and true if "no joint" moves one of them.
fn slots_of(
    primitive: &Primitive,
    vertices: &[u32],
    slot: impl Fn(i32) -> i16,
) -> (Vec<Vec<[i16; 4]>>, bool) {
    let mut has_no_joint = false;
    let mut row = |influences: &Influences, span: usize, vertex: u32| {
        let (joints, weights) = influences.of_vertex(span, vertex as usize);
        let slots = joints.map(&slot);
        // The first slot counts whatever its weight, as in rigid.
        let counts = |number: usize| (span, number) == (0, 0) || weights[number] != 0.0;
        has_no_joint |= (0..4).any(|number| slots[number] < 0 && counts(number));
        slots
    };
    let mut spans = Vec::new();
    if let Some(influences) = influences_of(primitive) {
        let numbers = 0..influences.spans.len();
        spans.extend(
            numbers.map(|span| vertices.iter().map(|&vertex| row(influences, span, vertex)).collect()),
        );
    }
    (spans, has_no_joint)
}

/// A palette being filled, and the elements that fit in it.
#[derive(Default)]
struct Bin {
    joints: Vec<u32>,
    slots: HashMap<i32, i16>,
    elements: Vec<[u32; 3]>,
    loose: Vec<u32>,
}

impl Bin {
    /// Adds the joints unless that would exceed `max_joints`. Returns true if they were added.
    fn admit(&mut self, joints: &[i32], max_joints: usize) -> bool {
        let new = joints.iter().filter(|joint| !self.slots.contains_key(joint)).count();
        if self.joints.len() + new > max_joints {
            return false;
        }
        for &joint in joints {
            self.slots.entry(joint).or_insert_with(|| {
                self.joints.push(joint as u32);
                (self.joints.len() - 1) as i16
            });
        }
        true
    }
}

/// Returns the maximum number of joints of one element of the primitive, or of a vertex outside all elements: the smallest
/// palette that it can be split for.
pub fn most_in_one_element(primitive: &Primitive) -> usize {
    let mut joints = Vec::with_capacity(MAX_IN_ONE_ELEMENT);
    let mut most = 0;
    let vertices: Vec<u32> = (0..primitive.positions.len() as u32).collect();
    for element in primitive.indices.chunks_exact(corners_of(primitive)).chain(vertices.chunks_exact(1)) {
        joints_of(primitive, element, &mut joints);
        most = most.max(joints.len());
    }
    most
}

fn corners_of(primitive: &Primitive) -> usize {
    match primitive.topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    }
}

/// Splits by first fit: each element goes to the first part that has its joints or free slots for them.
fn split(primitive: &Primitive, max_joints: usize) -> Vec<Part> {
    let corners = corners_of(primitive);
    let mut bins: Vec<Bin> = Vec::new();
    let mut used = vec![false; primitive.positions.len()];
    let mut joints = Vec::with_capacity(MAX_IN_ONE_ELEMENT);
    for element in primitive.indices.chunks_exact(corners) {
        for &vertex in element {
            if let Some(used) = used.get_mut(vertex as usize) {
                *used = true;
            }
        }
        joints_of(primitive, element, &mut joints);
        let mut corners = [0; 3];
        corners[..element.len()].copy_from_slice(element);
        bin_for(&mut bins, &joints, max_joints).elements.push(corners);
    }
    for vertex in (0..primitive.positions.len()).filter(|&vertex| !used[vertex]) {
        joints_of(primitive, &[vertex as u32], &mut joints);
        bin_for(&mut bins, &joints, max_joints).loose.push(vertex as u32);
    }

    // One table for all parts: each vertex's index in the part that last numbered it.
    let mut number_of = vec![(usize::MAX, 0); primitive.positions.len()];
    let numbered = |(number, bin)| part_of(primitive, number, bin, corners, &mut number_of);
    bins.into_iter().enumerate().map(numbered).collect()
}

/// Lists the joints of an element's vertices, each once, in order of first use.
fn joints_of(primitive: &Primitive, element: &[u32], out: &mut Vec<i32>) {
    out.clear();
    let spans = primitive.influences.iter().flat_map(|influences| &influences.spans);
    for (&vertex, span) in element.iter().flat_map(|vertex| spans.clone().map(move |span| (vertex, span))) {
        for &joint in span.joints.get(vertex as usize).into_iter().flatten() {
            if joint >= 0 && !out.contains(&joint) {
                out.push(joint);
            }
        }
    }
}

fn bin_for<'a>(bins: &'a mut Vec<Bin>, joints: &[i32], max_joints: usize) -> &'a mut Bin {
    let room = bins.iter_mut().position(|bin| bin.admit(joints, max_joints));
    let index = room.unwrap_or_else(|| {
        let mut bin = Bin::default();
        let admitted = bin.admit(joints, max_joints);
        assert!(admitted, "an element with {} joints", joints.len());
        bins.push(bin);
        bins.len() - 1
    });
    &mut bins[index]
}

/// Numbers a bin's vertices in order of first use.
fn part_of(
    primitive: &Primitive,
    number: usize,
    bin: Bin,
    corners: usize,
    number_of: &mut [(usize, u32)],
) -> Part {
    let mut part = Part { joints: bin.joints, ..Part::default() };
    let mut local = |vertex: u32, vertices: &mut Vec<u32>| -> Option<u32> {
        let entry = number_of.get_mut(vertex as usize)?;
        if entry.0 != number {
            *entry = (number, vertices.len() as u32);
            vertices.push(vertex);
        }
        Some(entry.1)
    };
    for &vertex in bin.elements.iter().flat_map(|element| &element[..corners]) {
        part.indices.extend(local(vertex, &mut part.vertices));
    }
    for vertex in bin.loose {
        local(vertex, &mut part.vertices);
    }
    let slot = |joint: i32| bin.slots.get(&joint).copied().unwrap_or(-1);
    (part.spans, part.has_no_joint) = slots_of(primitive, &part.vertices, slot);
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SLOTS;
    use sinew_model::Span;

    /// Makes points, lines or triangles in a row; each vertex has four separate joints.
    fn row(topology: Topology, indices: Vec<u32>, vertices: u32) -> Primitive {
        let joints = (0..vertices as i32).map(|v| [4 * v, 4 * v + 1, 4 * v + 2, 4 * v + 3]).collect();
        let weights = vec![[0.25; 4]; vertices as usize];
        Primitive {
            topology,
            indices,
            positions: (0..vertices).map(|v| [v as f32, 0.0, 0.0]).collect(),
            influences: Some(Influences { spans: vec![Span { joints, weights }] }),
            ..Primitive::default()
        }
    }

    /// Elements as source vertices, sorted: all parts together must hold exactly these.
    fn elements(parts: &[Part], corners: usize) -> Vec<Vec<u32>> {
        let of = |part: &Part| -> Vec<Vec<u32>> {
            let corner = |&index: &u32| part.vertices[index as usize];
            part.indices.chunks(corners).map(|element| element.iter().map(corner).collect()).collect()
        };
        let mut elements: Vec<_> = parts.iter().flat_map(of).collect();
        elements.sort();
        elements
    }

    #[test]
    fn few_joints_stay_whole() {
        let primitive = row(Topology::Triangles, vec![2, 1, 0, 1, 2, 3], 5);
        let [part] = &partition(&primitive, 48)[..] else { panic!("not one part") };
        assert_eq!(part.joints, (0..20).collect::<Vec<_>>());
        assert_eq!(part.vertices, [0, 1, 2, 3, 4]);
        assert_eq!(part.indices, primitive.indices);
        assert_eq!(
            part.spans,
            [vec![[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19]]]
        );
    }

    #[test]
    fn unused_joints_take_no_slots() {
        let mut primitive = row(Topology::Points, vec![0, 1], 2);
        let spans = &mut primitive.influences.as_mut().unwrap().spans;
        spans[0].joints = vec![[9, 4, -1, -1], [40, 9, 9, -1]];
        let [part] = &partition(&primitive, 48)[..] else { panic!("not one part") };
        assert_eq!(part.joints, [4, 9, 40]);
        assert_eq!(part.spans, [vec![[1, 0, -1, -1], [2, 1, 1, -1]]]);
    }

    #[test]
    fn no_joint_takes_no_slot_and_is_said_to_move_vertices() {
        let mut primitive = row(Topology::Points, vec![0, 1], 2);
        let mut with = |joints, weights| {
            primitive.influences = Some(Influences { spans: vec![Span { joints, weights }] });
            partition(&primitive, 48).remove(0)
        };
        let half = vec![[0.5, 0.5, 0.0, 0.0]; 2];
        assert!(!with(vec![[9, 4, -1, -1]; 2], half.clone()).has_no_joint, "without weight");
        assert!(with(vec![[9, 4, 4, 4], [9, -1, 9, 9]], half.clone()).has_no_joint);
        assert!(with(vec![[-1, 4, 4, 4]; 2], vec![[0.0, 1.0, 0.0, 0.0]; 2]).has_no_joint, "rigid follows it");
        let nothing = with(vec![[-1; 4]; 2], half.clone());
        assert!(nothing.has_no_joint && nothing.joints.is_empty());
        // A vertex beyond the end of the first span.
        let short = with(vec![[9, 4, 4, 4]], half);
        assert_eq!((short.spans, short.has_no_joint), (vec![vec![[1, 0, 0, 0], [-1; 4]]], true));
        primitive.influences = Some(Influences::default());
        let [part] = &partition(&primitive, 48)[..] else { panic!("not one part") };
        assert_eq!((&part.joints[..], part.has_no_joint), (&[0][..], false), "all read the first slot");
    }

    #[test]
    fn every_topology_keeps_its_elements_within_palettes() {
        let triangles: Vec<u32> = (0..98).flat_map(|v| [v, v + 1, v + 2]).collect();
        let lines: Vec<u32> = (0..99).flat_map(|v| [v + 1, v]).collect();
        let points: Vec<u32> = (0..100).rev().collect();
        for (topology, corners, indices) in
            [(Topology::Triangles, 3, triangles), (Topology::Lines, 2, lines), (Topology::Points, 1, points)]
        {
            let mut want: Vec<Vec<u32>> = indices.chunks(corners).map(<[u32]>::to_vec).collect();
            want.sort();
            let primitive = row(topology, indices, 100);
            let parts = partition(&primitive, 50);
            assert!(parts.len() >= 8, "400 joints cannot fit {} parts of 50", parts.len());
            assert_eq!(elements(&parts, corners), want);
            for part in &parts {
                assert!(part.joints.len() <= 50);
                for (slots, &vertex) in part.spans[0].iter().zip(&part.vertices) {
                    assert_eq!(
                        slots.map(|slot| part.joints[slot as usize]),
                        [0, 1, 2, 3].map(|j| 4 * vertex + j)
                    );
                }
            }
        }
    }

    #[test]
    fn palettes_may_be_as_small_as_one_element_allows() {
        let primitive = row(Topology::Triangles, vec![0, 1, 2, 2, 3, 4], 5);
        assert_eq!(most_in_one_element(&primitive), 12);
        let parts = partition(&primitive, 12);
        assert_eq!(parts.iter().map(|part| part.joints.len()).collect::<Vec<_>>(), [12, 12]);
        assert_eq!(most_in_one_element(&row(Topology::Points, vec![], 2)), 4, "loose vertices count");
        assert_eq!(most_in_one_element(&Primitive::default()), 0);
    }

    #[test]
    fn vertices_without_elements_are_kept() {
        let parts = partition(&row(Topology::Triangles, vec![0, 1, 2], 30), 48);
        let mut vertices: Vec<u32> = parts.iter().flat_map(|part| part.vertices.clone()).collect();
        vertices.sort();
        assert_eq!(vertices, (0..30).collect::<Vec<_>>());
        assert_eq!(elements(&parts, 3), [[0, 1, 2]]);
    }

    #[test]
    fn no_joint_stays_no_joint() {
        let mut primitive = row(Topology::Points, (0..20).collect(), 20);
        let spans = &mut primitive.influences.as_mut().unwrap().spans;
        spans[0].joints.iter_mut().for_each(|joints| joints[3] = -1);
        let parts = partition(&primitive, 48);
        assert_eq!(parts.len(), 2);
        assert!(parts.iter().flat_map(|part| &part.spans[0]).all(|slots| slots[3] == -1 && slots[2] >= 0));
    }

    #[test]
    fn an_unskinned_primitive_reads_one_slot() {
        let primitive =
            Primitive { positions: vec![[0.0; 3]; 3], indices: vec![0, 1, 2], ..Primitive::default() };
        let [part] = &partition(&primitive, SLOTS)[..] else { panic!("not one part") };
        assert_eq!((part.joints.len(), part.vertices.len(), part.spans.len()), (1, 3, 0));
    }
}
