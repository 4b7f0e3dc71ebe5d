//! Bakes frames into a still model: the first is the mesh, each other one a morph target of it, and a clip shows each in
//! turn.

use sinew_model::gltf::{WriteError, write_glb};
use sinew_model::{
    Channel, Clip, Deltas, Interpolation, Material, Model, Morphs, Moves, Picture, Primitive, Property,
};

use crate::export::{Export, still_model};

/// The maximum size in bytes of targets and their weights; all are in memory at once, in sinew and in any viewer.
pub const MAX_BYTES: usize = 512 << 20;

/// The size of a target besides its numbers, in sinew and in the file: an accessor and up to three views, as JSON.
const OF_A_TARGET: usize = 4096;

/// The frames so far exceed [`MAX_BYTES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{frames} frames need more than the {} MiB of morph targets that a .glb may have; \
     choose fewer by --fps, or write .pc2 or .mdd",
    MAX_BYTES >> 20
)]
pub struct TooLarge {
    /// All frames of the motion.
    pub frames: usize,
}

/// A model with a target for each frame but the first.
pub struct Targets {
    model: Model,
    /// The offsets of the targets so far, mesh by mesh and primitive by primitive.
    moves: Vec<Vec<Streams>>,
    /// The time of each frame, in seconds.
    times: Vec<f32>,
    bytes: usize,
    mirrored: usize,
}

impl Targets {
    /// Begins with the first frame of a motion with frames at these times.
    ///
    /// # Errors
    /// If the weights of that many targets take too many bytes.
    pub fn new(first: &Export<'_, f32>, times: &[f64]) -> Result<Self, TooLarge> {
        let model = still_model(first);
        let begun = |primitive: &Primitive| Streams::of(primitive);
        let moves = model.meshes.iter().map(|mesh| mesh.primitives.iter().map(begun).collect()).collect();
        let frames = times.len();
        // Each frame has a weight for each target.
        let weights = frames.saturating_mul(frames).saturating_mul(model.meshes.len());
        let bytes = weights.saturating_mul(size_of::<f32>());
        let start = times.first().copied().unwrap_or_default();
        let times = times.iter().map(|time| (time - start) as f32).collect();
        let targets = Self { model, moves, times, bytes, mirrored: 0 };
        targets.fits().map(|()| targets)
    }

    fn fits(&self) -> Result<(), TooLarge> {
        let frames = self.times.len();
        if self.bytes <= MAX_BYTES { Ok(()) } else { Err(TooLarge { frames }) }
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// If the targets take too many bytes.
    pub fn push(&mut self, frame: &Export<'_, f32>) -> Result<(), TooLarge> {
        let frame = still_model(frame);
        let mut mirrored = 0;
        for ((base, now), moves) in self.model.meshes.iter().zip(&frame.meshes).zip(&mut self.moves) {
            for ((base, now), moves) in base.primitives.iter().zip(&now.primitives).zip(moves) {
                self.bytes = self.bytes.saturating_add(moves.push(base, now));
                mirrored += count_mirrored(base, now);
            }
        }
        self.mirrored = self.mirrored.max(mirrored);
        self.fits()
    }

    /// Returns the maximum number of vertices of a frame whose tangents' handedness differs from the first frame's, which
    /// targets cannot change.
    pub fn mirrored(&self) -> usize {
        self.mirrored
    }

    /// Writes the model as `.glb`, with materials, and a clip of this name that shows the frames.
    ///
    /// # Errors
    /// If a picture cannot be stored, or the file would be too large.
    pub fn glb(
        self,
        name: &str,
        materials: Vec<Material>,
        pictures: Vec<Option<Picture>>,
    ) -> Result<Vec<u8>, WriteError> {
        let Self { model, moves, times, .. } = self;
        let mut model = Model { materials, pictures, ..model };
        let mut clip = Clip {
            name: name.to_owned(),
            duration_secs: times.last().copied().unwrap_or_default(),
            channels: Vec::new(),
        };
        for ((mesh, moves), instance) in model.meshes.iter_mut().zip(moves).zip(&model.instances) {
            for (primitive, moves) in mesh.primitives.iter_mut().zip(moves) {
                primitive.morphs = moves.morphs(primitive.positions.len());
            }
            if mesh.primitives.iter().any(|primitive| primitive.morphs.is_some()) {
                mesh.target_names = (1..times.len()).map(|number| format!("frame {number}")).collect();
                clip.channels.push(turns(instance.node, &times));
            }
        }
        model.clips = vec![clip];
        write_glb(&model)
    }
}

/// Returns the keys that show each target in turn; between two frames both have a share.
fn turns(node: usize, times: &[f32]) -> Channel {
    let targets = times.len().saturating_sub(1);
    let mut values = vec![0.0; times.len().saturating_mul(targets)];
    // No target has weight in the first frame. Each next frame is one row down, and its target one to the right.
    for weight in values.iter_mut().skip(targets).step_by(targets.saturating_add(1)) {
        *weight = 1.0;
    }
    Channel {
        node,
        property: Property::Weights,
        interpolation: Interpolation::Linear,
        times: times.to_vec(),
        values,
    }
}

/// The offsets of each target, for each stream of a primitive.
#[derive(Default)]
struct Streams {
    positions: Vec<Moves<3>>,
    normals: Vec<Moves<3>>,
    tangents: Vec<Moves<3>>,
    texcoords: Vec<Vec<Moves<2>>>,
    colors: Vec<Moves<4>>,
}

impl Streams {
    fn of(primitive: &Primitive) -> Self {
        Self { texcoords: vec![Vec::new(); primitive.texcoords.len()], ..Self::default() }
    }

    /// Adds the offset from the first frame to this one, and returns its size in bytes.
    fn push(&mut self, base: &Primitive, now: &Primitive) -> usize {
        let mut bytes = add(&mut self.positions, &base.positions, &now.positions);
        if let (Some(base), Some(now)) = (&base.normals, &now.normals) {
            bytes += add(&mut self.normals, base, now);
        }
        if let (Some(base), Some(now)) = (&base.tangents, &now.tangents) {
            bytes += add(&mut self.tangents, base, now);
        }
        for ((moves, base), now) in self.texcoords.iter_mut().zip(&base.texcoords).zip(&now.texcoords) {
            bytes += add(moves, base, now);
        }
        if let (Some(base), Some(now)) = (&base.colors, &now.colors) {
            bytes += add(&mut self.colors, base, now);
        }
        bytes
    }

    fn morphs(self, vertices: usize) -> Option<Morphs> {
        let morphs = Morphs {
            positions: Deltas::new(vertices, &self.positions),
            normals: Deltas::new(vertices, &self.normals),
            tangents: Deltas::new(vertices, &self.tangents),
            texcoords: self.texcoords.iter().map(|set| Deltas::new(vertices, set)).collect(),
            colors: Deltas::new(vertices, &self.colors),
        };
        Some(morphs).filter(|morphs| !morphs.is_empty())
    }
}

/// Adds a target: the first `D` components of each moved value. Returns its size in bytes.
fn add<const N: usize, const D: usize>(
    targets: &mut Vec<Moves<D>>,
    base: &[[f32; N]],
    now: &[[f32; N]],
) -> usize {
    let way = |(vertex, (base, now)): (u32, (&[f32; N], &[f32; N]))| {
        let mut delta = [0.0; D];
        for ((delta, base), now) in delta.iter_mut().zip(base).zip(now) {
            *delta = now - base;
        }
        (vertex, delta)
    };
    let all = (0u32..).zip(base.iter().zip(now)).map(way);
    let moves: Moves<D> = all.filter(|(_, delta)| *delta != [0.0; D]).collect();
    let numbers = moves.len().saturating_mul(size_of::<(u32, [f32; D])>());
    let bytes = numbers.saturating_add(if moves.is_empty() { 0 } else { OF_A_TARGET });
    targets.push(moves);
    bytes
}

fn count_mirrored(base: &Primitive, now: &Primitive) -> usize {
    let pairs = base.tangents.iter().flatten().zip(now.tangents.iter().flatten());
    pairs.filter(|([.., base], [.., now])| base != now).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_frame_has_its_turn() {
        let channel = turns(3, &[0.0, 0.5, 1.0, 1.25]);
        assert_eq!(channel.values, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].concat());
        assert_eq!((channel.node, channel.times.len()), (3, 4));
        assert!(turns(0, &[0.0]).values.is_empty() && turns(0, &[]).values.is_empty());
        assert_eq!(turns(0, &[0.0, 1.0]).values, [0.0, 1.0]);
    }

    #[test]
    fn only_what_moves_is_kept() {
        let mut targets: Vec<Moves<3>> = Vec::new();
        let base = [[1.0, 2.0, 3.0, 1.0], [4.0, 5.0, 6.0, -1.0]];
        let now = [[1.0, 2.0, 3.0, -1.0], [4.0, 7.0, 5.5, -1.0]];
        assert_eq!(add(&mut targets, &base, &now), 16 + OF_A_TARGET);
        assert_eq!(add(&mut targets, &base, &base), 0);
        targets.pop();
        assert_eq!(targets, [vec![(1, [0.0, 2.0, -0.5])]], "a tangent's handedness does not move");
        let primitive =
            |rows: [[f32; 4]; 2]| Primitive { tangents: Some(rows.to_vec()), ..Default::default() };
        assert_eq!(count_mirrored(&primitive(base), &primitive(now)), 1);
    }
}
