//! Frames of a motion as points that move: the same meshes at other times.

use openusd::sdf::Value;

use super::sheet::Sheet;
use super::values::vectors;
use crate::{Model, Primitive};

/// The points of a model's meshes at some times.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// The time of each frame, in seconds.
    pub times: Vec<f64>,
    /// Frames in a second.
    pub rate: f64,
    /// The streams of each frame, by mesh and primitive.
    pub frames: Vec<Vec<Vec<Points>>>,
}

/// The streams of a primitive that move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Positions of vertices.
    pub positions: Vec<[f32; 3]>,
    /// Their normals, if the primitive has any.
    pub normals: Option<Vec<[f32; 3]>>,
}

impl Frames {
    /// Adds a frame: the meshes of a model.
    pub fn push(&mut self, model: &Model) {
        let points =
            |one: &Primitive| Points { positions: one.positions.clone(), normals: one.normals.clone() };
        let meshes = model.meshes.iter().map(|mesh| mesh.primitives.iter().map(points).collect());
        self.frames.push(meshes.collect());
    }

    /// The bytes of all frames.
    pub fn size(&self) -> usize {
        let all = self.frames.iter().flatten().flatten();
        let rows = all.map(|points| points.positions.len() + points.normals.as_ref().map_or(0, Vec::len));
        rows.sum::<usize>() * size_of::<[f32; 3]>()
    }

    /// Samples of a mesh's points, with the box around them and their normals: each by the times of frames.
    pub fn samples(&self, mesh: usize, sheet: &Sheet<'_>) -> [Vec<(f64, Value)>; 3] {
        let mut all: [Vec<(f64, Value)>; 3] = Default::default();
        for (time, frame) in self.times.iter().zip(&self.frames) {
            let Some(own) = frame.get(mesh) else { continue };
            let mut stream =
                |number: usize, rows: &[[f32; 3]]| all[number].push((time * self.rate, vectors(rows)));
            let positions: Vec<[f32; 3]> = sheet
                .vertices
                .iter()
                .map(|(number, vertex)| own[sheet.primitives[*number].0].positions[*vertex])
                .collect();
            stream(0, &positions);
            stream(1, &extent(&positions));
            let mut normals = Vec::new();
            for (number, primitive) in &sheet.primitives {
                let Some(rows) = &own[*number].normals else { continue };
                match sheet.is_welded {
                    true => normals.extend(primitive.indices.iter().map(|index| rows[*index as usize])),
                    false => normals.extend(rows),
                }
            }
            if !normals.is_empty() {
                stream(2, &normals);
            }
        }
        all
    }
}

/// The box around points: its lowest and its highest corner.
pub fn extent(positions: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let bound = |of: fn(f32, f32) -> f32, from: f32| {
        positions.iter().fold([from; 3], |all, row| [0, 1, 2].map(|axis| of(all[axis], row[axis])))
    };
    [bound(f32::min, f32::INFINITY), bound(f32::max, f32::NEG_INFINITY)]
}
