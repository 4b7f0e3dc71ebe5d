//! Models on a page that readers turn, play and compare: vertices in a few modes at chosen times, and a script that draws them
//! with WebGL. This module must not depend on Vulkan, command lines or file systems.

mod apart;
mod bytes;
mod mesh;
mod section;
#[cfg(test)]
mod tests;
mod times;

use serde::Serialize;
use sinew_model::{Model, Period, VertexIndex};
use sinew_skinning::pairing::Similarity;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, surfaces_into};
use sinew_skinning::{Drawn, SkinningMode, diagonal};
use sinew_text::writing::json_text;

use apart::Apart;
pub use apart::Paired;
use bytes::{Bytes, Grid};
use mesh::Mesh;
pub use section::{Source, button, scripts, section};
use times::Kept;

/// A model in a mode, as one of those that the page shows.
pub struct Side<'a> {
    /// The name that readers choose it by.
    pub name: String,
    /// The model.
    pub model: &'a Model,
    /// The mode.
    pub mode: SkinningMode,
}

/// A motion of all sides.
pub struct Motion {
    /// The name that readers choose it by.
    pub name: String,
    /// For each side, the index of its clip; `None` for the rest pose.
    pub clips: Vec<Option<usize>>,
    /// Its first and its last second.
    pub period: Period,
}

/// A place at a time that the page can show.
pub struct Spot {
    /// The words beside the place.
    pub words: String,
    /// The side that it is on.
    pub side: usize,
    /// The motion; `None` for the bind pose.
    pub motion: Option<usize>,
    /// The time in seconds.
    pub time: f64,
    /// The vertex; `None` for the whole.
    pub vertex: Option<VertexIndex>,
}

/// The data of a page: a head for the script, and packed numbers that the head names the places of.
#[derive(Serialize)]
pub struct View {
    /// The smallest place and the step of stored places.
    grid: Grid,
    diagonal: f64,
    meshes: Vec<Mesh>,
    sides: Vec<Shown>,
    /// The side to show first; the next one is beside it.
    start: usize,
    motions: Vec<Moments>,
    spots: Vec<Option<Marked>>,
    /// The number of motions without any frame.
    left_out: usize,
    /// The step of stored distances between two models, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart_step: Option<f64>,
    #[serde(skip)]
    bytes: Bytes,
}

#[derive(Serialize)]
struct Shown {
    name: String,
    mesh: usize,
}

/// A motion's frames.
#[derive(Serialize)]
struct Moments {
    name: String,
    times: Vec<f64>,
    /// For each side, the place of its first frame; each other frame follows as the difference from the one before.
    places: Vec<usize>,
    /// The place of the distances between two models.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<usize>,
}

#[derive(Serialize)]
struct Marked {
    words: String,
    side: usize,
    motion: usize,
    frame: usize,
    vertex: Option<usize>,
}

/// Skins all sides at a time, and adds the places of joints to those of vertices.
struct Poser<'a> {
    sides: &'a [Side<'a>],
    motions: &'a [Motion],
    /// The joints of each side.
    joints: Vec<&'a [usize]>,
    /// From the rest pose of the first side to that of the second.
    rest: Similarity,
    /// From the first side to the second, for the bind pose and each motion that has frames.
    placed: Vec<(Option<usize>, Similarity)>,
    pose: Pose,
    skinned: Vec<SkinnedPrimitive<f64>>,
}

impl Poser<'_> {
    fn skin(&mut self, side: usize, motion: Option<usize>, time: f64) -> Option<&[SkinnedPrimitive<f64>]> {
        let Side { model, mode, .. } = self.sides.get(side)?;
        let choice = match motion {
            None => PoseChoice::Bind,
            Some(motion) => {
                let clip = self.motions.get(motion)?.clips.get(side).copied().flatten();
                clip.map_or(PoseChoice::Rest, |clip| PoseChoice::clip(clip, time))
            }
        };
        self.pose.set(model, &choice);
        surfaces_into(model, *mode, &self.pose, &mut self.skinned);
        Some(&self.skinned)
    }

    /// Calls a function with each place of a side, relative to the first one.
    fn places(&mut self, side: usize, at: (Option<usize>, f64), mut each: impl FnMut([f64; 3])) {
        let placed = self.placed.iter().find(|(motion, _)| *motion == at.0).map(|(_, placed)| *placed);
        let surface = placed.filter(|_| side == 1).unwrap_or(Similarity::IDENTITY);
        // The nodes of the bind pose are those of the rest pose.
        let nodes = if side == 1 && at.0.is_none() { self.rest } else { surface };
        let back = |placed: Similarity, place: [f64; 3]| match placed == Similarity::IDENTITY {
            true => place,
            false => placed.undo(place.into()).to_array(),
        };
        let Some(skinned) = self.skin(side, at.0, at.1) else { return };
        let places = skinned.iter().flat_map(|primitive| &primitive.positions);
        places.for_each(|place| each(back(surface, *place)));
        let joints = self.joints.get(side).copied().unwrap_or_default();
        let worlds = joints.iter().map(|joint| self.pose.world_from_node.get(*joint));
        let places = worlds.map(|world| world.map_or([0.0; 3], |world| world.w_axis.truncate().to_array()));
        places.for_each(|place| each(back(nodes, place)));
    }
}

impl View {
    /// Skins the sides at the times of spots and, as densely as there is room, at others. With `paired`, the first two sides are
    /// two models, whose distances the page shows.
    pub fn new(sides: &[Side<'_>], motions: &[Motion], spots: &[Spot], paired: Option<&Paired<'_>>) -> Self {
        let mut bytes = Bytes::default();
        let mut models: Vec<&Model> = Vec::new();
        let mut meshes: Vec<Mesh> = Vec::new();
        let mut shown = Vec::new();
        for Side { name, model, .. } in sides {
            let known = models.iter().position(|known| std::ptr::eq(*known, *model));
            let mesh = known.unwrap_or_else(|| {
                models.push(model);
                meshes.push(Mesh::new(model, &mut bytes));
                meshes.len() - 1
            });
            shown.push(Shown { name: name.clone(), mesh });
        }
        let of = |side: &Shown| meshes.get(side.mesh);
        let joints = shown.iter().map(|side| of(side).map_or(&[][..], |mesh| &mesh.joint_nodes)).collect();
        let numbers: usize = shown.iter().filter_map(of).map(Mesh::places).sum();
        let kept = Kept::new(motions, spots, numbers);
        let (pose, skinned, placed) = Default::default();
        let rest = paired.map_or(Similarity::IDENTITY, |paired| paired.new_from_old);
        let mut poser = Poser { sides, motions, joints, rest, placed, pose, skinned };
        let mut apart = paired.map(|paired| Apart::new(paired, &kept, &mut poser));
        let mut grid = bytes::Bounds::default();
        for (motion, time) in kept.all() {
            for side in 0..sides.len() {
                poser.places(side, (motion, time), |place| grid.add(place));
            }
        }
        let grid = grid.grid();
        let moments = kept.motions.iter().map(|(motion, times)| Moments {
            name: motion
                .and_then(|motion| motions.get(motion))
                .map_or("bind pose", |motion| &motion.name)
                .to_owned(),
            times: times.clone(),
            places: (0..sides.len())
                .map(|side| {
                    bytes.frames(times.iter().map(|time| {
                        let mut frame = Vec::new();
                        poser.places(side, (*motion, *time), |place| frame.extend(grid.steps(place)));
                        frame
                    }))
                })
                .collect(),
            apart: apart.as_mut().map(|apart| apart.next(times.len(), &mut bytes)),
        });
        let motions = moments.collect();
        let marked = |spot: &Spot| {
            let (motion, frame) = kept.find(spot)?;
            let mesh = of(shown.get(spot.side)?)?;
            let vertex = spot.vertex.and_then(|vertex| mesh.number(vertex));
            Some(Marked { words: spot.words.clone(), side: spot.side, motion, frame, vertex })
        };
        let diagonal = sides.first().map_or(0.0, |side| diagonal(side.model, &Drawn::new(side.model)));
        let spots = spots.iter().map(marked).collect();
        let apart_step = apart.map(|apart| apart.step);
        let linear = sides.iter().position(|side| side.mode == SkinningMode::Linear);
        let start = linear.unwrap_or_default();
        Self {
            grid,
            diagonal,
            motions,
            spots,
            left_out: kept.left_out,
            apart_step,
            meshes,
            sides: shown,
            start,
            bytes,
        }
    }

    /// The script that holds the data. No text of a file ends the element around it.
    pub fn script(&self) -> String {
        let head = json_text(self).unwrap_or_default();
        format!(
            "const sinewView = {{head: {}, packed: \"{}\"}};\n",
            head.replace('<', "\\u003c"),
            self.bytes.packed()
        )
    }
}
