//! A mesh's vertex data: one buffer in one allocation, split into spans that hold exactly the mesh's own
//! values.

use std::sync::Arc;

use sinew::model::{Mesh, Primitive, Topology};
use sinew::render::{Batch, Renderer, Stream, lay_out};
use sinew::skinning::pose::PoseChoice;
use sinew::skinning::{SLOTS, SkinningMode};
use sinew::vulkan::vk;

use crate::common::{builtin, open, scene};
use crate::models::everything;

#[test]
fn each_mesh_is_one_allocation_by_its_name() {
    let device = open();
    let messages = Arc::clone(device.messages());
    let renderer = Renderer::new(Arc::clone(&device), None).unwrap();
    let allocations = || {
        let mut names = device.allocations();
        names.sort_unstable();
        names
    };
    let before = allocations();
    for model in [builtin("character"), builtin("tube-513"), Arc::new(everything())] {
        let gpu = renderer.upload(Arc::clone(&model)).unwrap();
        let mut during = allocations();
        during.retain(|name| name.starts_with("mesh "));
        let named = |(number, mesh): (usize, &Mesh)| match mesh.name.as_str() {
            "" => format!("mesh {number}"),
            name => format!("mesh {number} '{name}'"),
        };
        let expected: Vec<String> = model.meshes.iter().enumerate().map(named).collect();
        assert_eq!(during, expected);
        for ((mesh, buffer), name) in model.meshes.iter().zip(gpu.meshes()).zip(&expected) {
            let (bytes, parts) = lay_out(mesh);
            assert_eq!(buffer.buffer.name(), name);
            assert_eq!(buffer.buffer.size(), bytes.len().max(1) as u64, "{name}");
            assert_eq!(buffer.primitives, parts, "{name}");
        }
        drop(gpu);
        assert_eq!(allocations(), before, "something stays");
    }
    drop(renderer);
    device.close();
    assert_eq!(messages.errors(), [""; 0]);
}

/// A block goes back when nothing is in it any more: what lives long must not keep those of a model.
#[test]
fn blocks_of_memory_are_shared_by_one_kind_of_thing() {
    let device = open();
    let mut renderer = Renderer::new(Arc::clone(&device), None).unwrap();
    assert!(renderer.is_exact(), "the tests run on a software driver");
    let mut gpu = renderer.upload(Arc::new(everything())).unwrap();
    renderer.picture(&mut gpu, &scene(SkinningMode::Linear, PoseChoice::Rest, [64, 64])).unwrap();
    let mut blocks = device.blocks();
    blocks.iter_mut().for_each(|block| block.sort_unstable());
    let block_of = |name: &str| blocks.iter().find(|block| block.iter().any(|other| other == name)).unwrap();
    assert_eq!(
        block_of("depth"),
        &["contact map", "depth", "light of the picture", "picture", "shadow map"],
        "drawn"
    );
    assert_eq!(block_of("plain white"), &["picture 0 (sRGB)", "plain white", "studio"], "uploaded");
    for lasting in ["stream defaults", "vertices skinned by the CPU"] {
        assert_eq!(block_of(lasting), &[lasting], "alone");
    }
}

/// Uploaded together with its hull and drawn after its pixels are freed, a model looks the same.
#[test]
fn a_model_that_nobody_else_has_gives_its_pixels_away() {
    let device = open();
    let mut renderer = Renderer::new(Arc::clone(&device), None).unwrap();
    let scene = scene(SkinningMode::Linear, PoseChoice::Rest, [64, 64]);
    let shared = Arc::new(everything());
    assert!(shared.pictures.iter().any(Option::is_some), "there is something to give away");
    let mut as_ever = renderer.upload(Arc::clone(&shared)).unwrap();
    let mut kept = renderer.upload_framed(Arc::clone(&shared), &scene).unwrap();
    let mut alone = renderer.upload_framed(Arc::new(everything()), &scene).unwrap();
    assert_eq!(kept.model().pictures, shared.pictures);
    assert!(alone.model().pictures.iter().all(Option::is_none));
    assert_eq!(alone.hull(&scene.pose), as_ever.hull(&scene.pose));
    let expected = renderer.picture(&mut as_ever, &scene).unwrap();
    for gpu in [&mut kept, &mut alone] {
        assert_eq!(renderer.picture(gpu, &scene).unwrap(), expected);
    }
}

#[test]
fn spans_hold_the_meshs_own_values_and_nothing_else() {
    let names = ["character", "strip", "tube-2", "tube-512", "tube-513"];
    let mut models: Vec<_> = names.iter().map(|name| (*name, builtin(name))).collect();
    models.push(("everything", Arc::new(everything())));
    for (name, model) in models {
        for mesh in &model.meshes {
            check(name, mesh);
        }
    }
    let parts_of = |name: &str| lay_out(&builtin(name).meshes[0]).1[0].len();
    assert_eq!(parts_of("tube-512"), 1);
    assert_eq!(parts_of("tube-513"), 2, "one joint more than a palette has slots");
}

/// The sensitivity test: the comparison notices one byte, one joint and one index.
#[test]
fn a_wrong_byte_is_seen() {
    let model = everything();
    let primitive = &model.meshes[0].primitives[2];
    let (bytes, parts) = lay_out(&Mesh { primitives: vec![primitive.clone()], ..Mesh::default() });
    let part = &parts[0][0];
    let original = stored_elements(primitive);
    assert!(elements(&bytes, &parts[0], own) == original);
    for stream in Stream::ALL.into_iter().filter(|&stream| part.offset(stream).is_some()) {
        let mut wrong = bytes.clone();
        wrong[part.offset(stream).unwrap() as usize] ^= 1;
        assert!(elements(&wrong, &parts[0], own) != original, "{stream:?}");
    }
    let mut wrong = bytes.clone();
    wrong[part.index_offset as usize] ^= 1;
    assert!(elements(&wrong, &parts[0], own) != original, "indices");
    let mut swapped = part.clone();
    swapped.joints.swap(0, 1);
    assert!(elements(&bytes, &[swapped], own) != original, "joints");
}

/// A square of two triangles that share no vertex.
#[test]
fn indices_for_drawing_name_the_first_equal_vertex() {
    let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let positions = vec![a, b, c, a, c, d];
    let primitive = Primitive { positions, indices: (0..6).collect(), ..Primitive::default() };
    let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
    check("square", &mesh);
    let (bytes, parts) = lay_out(&mesh);
    let part = &parts[0][0];
    let indices = |offset: u64| -> Vec<u32> {
        let bytes = bytes[offset as usize..][..24].chunks_exact(4);
        bytes.map(|index| u32::from_le_bytes(index.try_into().unwrap())).collect()
    };
    assert_eq!(indices(part.index_offset), [0, 1, 2, 3, 4, 5]);
    assert_eq!(indices(part.drawn_offset), [0, 1, 2, 0, 2, 5]);
}

fn check(name: &str, mesh: &Mesh) {
    let (bytes, primitives) = lay_out(mesh);
    assert_eq!(primitives.len(), mesh.primitives.len(), "{name}");
    let mut spans = Vec::new();
    for (primitive, parts) in mesh.primitives.iter().zip(&primitives) {
        for part in parts {
            assert_eq!(part.topology, primitive.topology);
            assert_eq!(part.skinned, primitive.influences.is_some());
            assert!(part.joints.len() <= SLOTS);
            let mut indices = vec![part.index_offset, part.drawn_offset];
            indices.dedup();
            spans.extend(indices.iter().map(|offset| (*offset, u64::from(part.index_count) * 4)));
            for stream in Stream::ALL {
                let has = !primitive.positions.is_empty() && stored(primitive, stream, 0).is_some();
                let empty = primitive.positions.is_empty() && stream == Stream::Position;
                assert_eq!(part.offset(stream).is_some(), has || empty, "{name}: {stream:?}");
                let length = u64::from(part.vertices.len() as u32 * stream.size());
                spans.extend(part.offset(stream).map(|offset| (offset, length)));
            }
        }
        // A vertex that several parts need is in each of them; none is lost.
        let vertices: u32 = parts.iter().map(|part| part.vertices.len() as u32).sum();
        assert!(vertices as usize >= primitive.positions.len(), "{name}");
        assert!(parts.len() > 1 || vertices as usize == primitive.positions.len(), "{name}");
        for offset in [own, |part: &Batch| part.drawn_offset] {
            assert!(elements(&bytes, parts, offset) == stored_elements(primitive), "{name}: values differ");
        }
    }
    // One after the other, each at the next multiple of 16 bytes: absent streams take no room.
    spans.sort_unstable();
    let mut end = 0;
    for (offset, length) in spans {
        assert_eq!(offset, u64::next_multiple_of(end, 16), "{name}");
        end = offset + length;
    }
    assert_eq!(bytes.len() as u64, end, "{name}");
}

fn own(part: &Batch) -> u64 {
    part.index_offset
}

/// Each triangle, line or point with all values of its corners, as bits, sorted.
fn stored_elements(primitive: &Primitive) -> Vec<Vec<u32>> {
    let corner = |vertex: u32| {
        Stream::ALL
            .into_iter()
            .flat_map(move |stream| stored(primitive, stream, vertex as usize).unwrap_or_default())
    };
    in_elements(primitive.topology, primitive.indices.iter().map(|&vertex| corner(vertex).collect()))
}

/// As [`stored_elements`], from the bytes of all parts, with their indices at an offset.
fn elements(bytes: &[u8], parts: &[Batch], offset: fn(&Batch) -> u64) -> Vec<Vec<u32>> {
    let mut corners: Vec<Vec<u32>> = Vec::new();
    for part in parts {
        for number in 0..part.index_count {
            let at = offset(part) as usize + number as usize * 4;
            let vertex = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let values = Stream::ALL.into_iter().filter_map(|stream| laid_out(bytes, part, stream, vertex));
            corners.push(values.flatten().collect());
        }
    }
    in_elements(parts.first().map_or(Topology::Points, |part| part.topology), corners.into_iter())
}

fn in_elements(topology: Topology, corners: impl Iterator<Item = Vec<u32>>) -> Vec<Vec<u32>> {
    let size = match topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    };
    let corners: Vec<Vec<u32>> = corners.collect();
    let mut elements: Vec<Vec<u32>> = corners.chunks(size).map(<[_]>::concat).collect();
    elements.sort_unstable();
    elements
}

/// The mesh's value of a stream for a vertex, as bits; joints as their numbers in the skin.
fn stored(primitive: &Primitive, stream: Stream, vertex: usize) -> Option<Vec<u32>> {
    fn bits<const N: usize>(values: &[[f32; N]], vertex: usize) -> Vec<u32> {
        values[vertex].iter().map(|value| value.to_bits()).collect()
    }
    let span = |number: usize| primitive.influences.as_ref()?.spans.get(number);
    let joints = |number: usize| Some(span(number)?.joints[vertex].map(|joint| joint as u32).to_vec());
    let weights = |number: usize| Some(bits(&span(number)?.weights, vertex));
    match stream {
        Stream::Position => Some(bits(&primitive.positions, vertex)),
        Stream::Normal => Some(bits(primitive.normals.as_ref()?, vertex)),
        Stream::Texcoord => Some(bits(primitive.texcoords.first()?, vertex)),
        Stream::Texcoord1 => Some(bits(primitive.texcoords.get(1)?, vertex)),
        Stream::Tangent => Some(bits(primitive.tangents.as_ref()?, vertex)),
        Stream::Color => {
            let color = primitive.colors.as_ref()?[vertex];
            Some(color.map(|channel| (f64::from(channel) * 65535.0).round() as u32).to_vec())
        }
        Stream::Joints => joints(0),
        Stream::Joints1 => joints(1),
        Stream::Joints2 => joints(2),
        Stream::Joints3 => joints(3),
        Stream::Weights => weights(0),
        Stream::Weights1 => weights(1),
        Stream::Weights2 => weights(2),
        Stream::Weights3 => weights(3),
        // In separate buffers.
        Stream::Share | Stream::Center => None,
    }
}

/// The value in the bytes for a part's vertex, read in the stream's format.
fn laid_out(bytes: &[u8], part: &Batch, stream: Stream, vertex: u32) -> Option<Vec<u32>> {
    let at = part.offset(stream)? as usize + vertex as usize * stream.size() as usize;
    let element = &bytes[at..at + stream.size() as usize];
    let shorts = || element.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    Some(match stream.format() {
        vk::Format::R16G16B16A16_UNORM => shorts().map(u32::from).collect(),
        vk::Format::R16G16B16A16_SINT => {
            let joint = |slot: u16| match slot.cast_signed() {
                -1 => u32::MAX,
                slot => part.joints.get(slot as usize).copied().unwrap_or(u32::MAX - 1),
            };
            shorts().map(joint).collect()
        }
        _ => element.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect(),
    })
}
