//! A renderer under validation and the simplest models to draw.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test binary uses a part")]

use std::sync::Arc;

use glam::{DMat4, DVec3};
use sinew::camera::Orbit;
use sinew::image::Image;
use sinew::model::{Instance, LocalTransform, Material, Mesh, Model, Primitive, Rig};
use sinew::render::Renderer;
use sinew::scene::Scene;
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::vulkan::Messages;

use crate::common::{open, scene};

/// A renderer under validation, and its background.
pub struct Studio {
    /// The renderer.
    pub renderer: Renderer,
    messages: Arc<Messages>,
    /// The pixel of an empty background.
    pub background: [u8; 4],
}

impl Studio {
    /// Opens the best device.
    pub fn open() -> Self {
        let device = open();
        let messages = Arc::clone(device.messages());
        let renderer = Renderer::new(device, None).unwrap();
        let mut studio = Self { renderer, messages, background: [0; 4] };
        let nothing = studio.draw(&Model::default(), &from("front", [4, 4]));
        studio.background = pixel(&nothing, 0, 0);
        assert!(nothing.rgba.chunks_exact(4).all(|pixel| pixel == studio.background), "nothing is something");
        studio
    }

    /// Draws one picture.
    pub fn draw(&mut self, model: &Model, scene: &Scene) -> Image {
        self.draw_all(model, std::slice::from_ref(scene)).remove(0)
    }

    /// Draws several pictures of one model.
    pub fn draw_all(&mut self, model: &Model, scenes: &[Scene]) -> Vec<Image> {
        self.draw_framed(model, scenes).into_iter().map(|(image, _)| image).collect()
    }

    /// Draws pictures, and returns each with the points it was framed around.
    pub fn draw_framed(&mut self, model: &Model, scenes: &[Scene]) -> Vec<(Image, Vec<DVec3>)> {
        let mut gpu = self.renderer.upload(Arc::new(model.clone())).unwrap();
        let mut draw = |scene: &Scene| {
            self.renderer.draw(&mut gpu, scene).unwrap();
            (self.renderer.read().unwrap(), gpu.hull(&scene.pose).to_vec())
        };
        let images = scenes.iter().map(&mut draw).collect();
        self.renderer.device().wait_idle().unwrap();
        images
    }

    /// Returns for each pixel, row by row, true if it shows something.
    pub fn covered(&self, image: &Image) -> Vec<bool> {
        image.rgba.chunks_exact(4).map(|pixel| pixel != self.background).collect()
    }

    /// Closes the device; any message of the layer fails the test.
    pub fn close(self) {
        let device = Arc::clone(self.renderer.device());
        drop(self.renderer);
        device.close();
        assert_eq!(self.messages.errors(), [""; 0]);
    }
}

/// The red, green, blue and alpha of a pixel.
pub fn pixel(image: &Image, x: u32, y: u32) -> [u8; 4] {
    let at = (y * image.width + x) as usize * 4;
    image.rgba[at..at + 4].try_into().unwrap()
}

/// A scene of the model in its rest pose, from a named viewpoint.
pub fn from(camera: &str, size: [u32; 2]) -> Scene {
    Scene {
        camera: camera.parse::<Orbit>().unwrap().into(),
        ..scene(SkinningMode::Linear, PoseChoice::Rest, size)
    }
}

/// A square of one metre that faces +z, at a node with this transform.
pub fn square(world_from_node: DMat4, material: Material) -> Model {
    let positions = vec![[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]];
    let primitive = Primitive {
        indices: vec![0, 1, 2, 0, 2, 3],
        normals: Some(vec![[0.0, 0.0, 1.0]; 4]),
        texcoords: vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]],
        material: Some(0),
        positions,
        ..Primitive::default()
    };
    Model {
        rig: Rig {
            names: vec![String::new()],
            parents: vec![None],
            rest: vec![LocalTransform::from_matrix(world_from_node)],
            file_index: vec![0],
            ..Rig::default()
        },
        meshes: vec![Mesh { name: "square".to_owned(), primitives: vec![primitive], ..Mesh::default() }],
        instances: vec![Instance { node: 0, mesh: 0, skin: None }],
        materials: vec![material],
        ..Model::default()
    }
}

/// A dielectric material.
pub fn matte() -> Material {
    Material { metallic: 0.0, ..Material::default() }
}

/// An unlit material of this colour.
pub fn unlit(base_color: [f32; 4]) -> Material {
    Material { base_color, unlit: true, ..Material::default() }
}
