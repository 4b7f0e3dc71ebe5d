//! Converts egui's output to the renderer's `Painting`: triangles in pixels, and whole textures.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::epaint::{ClippedPrimitive, ImageData, ImageDelta, Primitive};
use egui::{TextureId, TexturesDelta};

use sinew_render::{PaintTexture, PaintVertex, Painting, Piece};

/// The textures that egui requested.
#[derive(Default)]
pub struct Textures {
    kept: BTreeMap<u64, PaintTexture>,
    changes: u64,
}

impl Textures {
    /// Applies egui's changes.
    pub fn change(&mut self, delta: TexturesDelta) {
        for (id, delta) in delta.set {
            self.set(name(id), &delta);
        }
        for id in delta.free {
            self.kept.remove(&name(id));
        }
    }

    fn set(&mut self, name: u64, delta: &ImageDelta) {
        let ImageData::Color(image) = &delta.image;
        let [width, height] = image.size;
        let bytes: &[u8] = bytemuck::cast_slice(&image.pixels);
        self.changes += 1;
        let generation = self.changes;
        let Some([x, y]) = delta.pos else {
            let (size, rgba) = ([width as u32, height as u32], Arc::new(bytes.to_vec()));
            self.kept.insert(name, PaintTexture { name, generation, size, rgba });
            return;
        };
        let Some(texture) = self.kept.get_mut(&name) else { return };
        texture.generation = generation;
        let row = texture.size[0] as usize * 4;
        let rgba = Arc::make_mut(&mut texture.rgba);
        for (number, from) in bytes.chunks_exact((width * 4).max(1)).take(height).enumerate() {
            let start = (y + number) * row + x * 4;
            if let Some(to) = rgba.get_mut(start..start + from.len()) {
                to.copy_from_slice(from);
            }
        }
    }

    /// Returns a painting of triangles that egui laid out in points.
    pub fn painting(&self, laid_out: &[ClippedPrimitive], pixels_a_point: f32) -> Painting {
        let mut painting =
            Painting { textures: self.kept.values().cloned().collect(), ..Painting::default() };
        for ClippedPrimitive { clip_rect, primitive } in laid_out {
            let Primitive::Mesh(mesh) = primitive else { continue };
            let first = painting.indices.len() as u32;
            let base = painting.vertices.len() as u32;
            painting.vertices.extend(mesh.vertices.iter().map(|vertex| PaintVertex {
                place: [vertex.pos.x * pixels_a_point, vertex.pos.y * pixels_a_point],
                within: [vertex.uv.x, vertex.uv.y],
                color: vertex.color.to_array(),
            }));
            painting.indices.extend(mesh.indices.iter().map(|index| base + index));
            let pixel = |points: f32| (points * pixels_a_point).round().clamp(0.0, 65_535.0) as u32;
            let (from, to) = (clip_rect.min, clip_rect.max);
            let corner = [pixel(from.x), pixel(from.y)];
            let size = [pixel(to.x).saturating_sub(corner[0]), pixel(to.y).saturating_sub(corner[1])];
            painting.pieces.push(Piece {
                clip: [corner, size],
                texture: name(mesh.texture_id),
                indices: [first, mesh.indices.len() as u32],
            });
        }
        painting
    }
}

fn name(id: TextureId) -> u64 {
    match id {
        TextureId::Managed(number) | TextureId::User(number) => number,
    }
}
