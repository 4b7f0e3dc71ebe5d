//! Makes characters of many proportions, and plants a known fault in a copy of each, to see which faults a comparison finds.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat4, DQuat, DVec3};
use sinew_model::{Influences, Interpolation, LocalTransform, Model, Property};

use crate::spoil::{Spoil, spoil};

/// Random numbers that are the same on all machines.
pub struct Dice(u64);

impl Dice {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        dice.roll();
        dice
    }

    /// A number from 0 to 1.
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An index below a count.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.roll() * count as f64) as usize).min(count.saturating_sub(1))
    }
}

/// Changes the proportions, the colours and the choice of clips of a model whose nodes have no scale.
pub fn vary(model: &mut Model, dice: &mut Dice) {
    let joints: Vec<usize> = model.skins.iter().flat_map(|skin| skin.joints.clone()).collect();
    // Roots of skins stay where they are bound.
    let is_free =
        |node: usize| model.rig.parents[node].is_some_and(|parent| joints.contains(&(parent as usize)));
    let factors: Vec<f64> =
        (0..model.rig.len()).map(|node| if is_free(node) { 0.75 + 0.6 * dice.roll() } else { 1.0 }).collect();
    for skin in 0..model.skins.len() {
        stretch(model, skin, &factors);
    }
    for (node, rest) in model.rig.rest.iter_mut().enumerate() {
        if let LocalTransform::Trs { translation, .. } = rest {
            *translation *= factors[node];
        }
    }
    for channel in model.clips.iter_mut().flat_map(|clip| &mut clip.channels) {
        if channel.property == Property::Translation {
            channel.values.iter_mut().for_each(|value| *value *= factors[channel.node] as f32);
        }
    }
    for material in &mut model.materials {
        material.base_color = [dice.roll() as f32, dice.roll() as f32, dice.roll() as f32, 1.0];
    }
    while model.clips.len() > 1 && dice.roll() < 0.3 {
        model.clips.remove(dice.below(model.clips.len()));
    }
    (model.centers, model.ddm) = Default::default();
}

/// Stretches the bind pose of a skin: its vertices follow its joints to their new places.
fn stretch(model: &mut Model, skin: usize, factors: &[f64]) {
    let joints = model.skins[skin].joints.clone();
    let bound: Vec<DMat4> = model.skins[skin].joint_from_bind.iter().map(DMat4::inverse).collect();
    let number = |node: usize| joints.iter().position(|joint| *joint == node);
    let mut placed: Vec<Option<DMat4>> = vec![None; joints.len()];
    // Parents come first in a rig, but not in a skin.
    let mut order: Vec<usize> = (0..joints.len()).collect();
    order.sort_by_key(|joint| joints[*joint]);
    for joint in order {
        let above = model.rig.parents[joints[joint]].and_then(|parent| number(parent as usize));
        placed[joint] = Some(match above.and_then(|above| Some((bound[above], placed[above]?))) {
            Some((parent, moved)) => {
                let mut local = parent.inverse() * bound[joint];
                local.w_axis = (local.w_axis.truncate() * factors[joints[joint]]).extend(1.0);
                moved * local
            }
            None => bound[joint],
        });
    }
    let placed: Vec<DMat4> =
        placed.into_iter().zip(&bound).map(|(placed, bound)| placed.unwrap_or(*bound)).collect();
    let moves: Vec<DMat4> =
        placed.iter().zip(&bound).map(|(placed, bound)| *placed * bound.inverse()).collect();
    let mut meshes: Vec<usize> =
        model.instances.iter().filter(|i| i.skin == Some(skin)).map(|instance| instance.mesh).collect();
    meshes.dedup();
    for mesh in meshes {
        for primitive in &mut model.meshes[mesh].primitives {
            let Some(influences) = &primitive.influences else { continue };
            for (vertex, place) in primitive.positions.iter_mut().enumerate() {
                let at = DVec3::from_array(place.map(f64::from));
                let moved: DVec3 = rows(influences, vertex)
                    .map(|(joint, weight)| moves[joint].transform_point3(at) * weight)
                    .sum();
                *place = moved.as_vec3().to_array();
            }
        }
    }
    model.skins[skin].joint_from_bind = placed.iter().map(DMat4::inverse).collect();
}

fn rows(influences: &Influences, vertex: usize) -> impl Iterator<Item = (usize, f64)> {
    influences.spans.iter().flat_map(move |span| {
        let both = span.joints[vertex].into_iter().zip(span.weights[vertex]);
        both.filter(|(joint, weight)| *joint >= 0 && *weight > 0.0)
            .map(|(joint, weight)| (joint as usize, f64::from(weight)))
    })
}

/// A fault: the kind of finding that it must have, and a change that returns false for a model that cannot have it.
pub type Fault = (&'static str, fn(&mut Model, &mut Dice) -> bool);

/// All faults.
pub const FAULTS: [Fault; 15] = [
    ("skin", |model, _| {
        model.instances.iter_mut().for_each(|instance| instance.skin = None);
        true
    }),
    ("joints", |model, dice| {
        let joints = model.skins[0].joints.clone();
        let moves: Vec<usize> = (0..joints.len()).filter(|joint| moves(model, *joint)).collect();
        let node = joints[moves[dice.below(moves.len())]];
        model.rig.names[node] = "replaced".to_owned();
        true
    }),
    ("weights", |model, _| {
        spoil(model, Spoil::Noisy);
        true
    }),
    ("scale", |model, dice| {
        let factor = [100.0, 0.01, 2.54, 10.0][dice.below(4)];
        roots(model, |translation, _, scale| {
            *translation *= factor;
            *scale *= factor;
        });
        true
    }),
    ("axes", |model, dice| {
        let turn = [FRAC_PI_2, -FRAC_PI_2, 2.0 * FRAC_PI_2][dice.below(3)];
        let turn = DQuat::from_rotation_x(turn);
        roots(model, |translation, rotation, _| {
            *translation = turn * *translation;
            *rotation = turn * *rotation;
        });
        true
    }),
    ("clips", |model, dice| {
        let count = model.clips.len();
        count > 0 && {
            model.clips.remove(dice.below(count));
            true
        }
    }),
    ("interpolation", |model, _| {
        for channel in model.clips.iter_mut().flat_map(|clip| &mut clip.channels) {
            if channel.interpolation == Interpolation::Linear {
                channel.interpolation = Interpolation::Step;
            }
        }
        true
    }),
    ("length", |model, _| {
        for clip in &mut model.clips {
            clip.duration_secs *= 1.25;
            clip.channels.iter_mut().flat_map(|channel| &mut channel.times).for_each(|time| *time *= 1.25);
        }
        true
    }),
    ("motion", |model, dice| {
        let clip = dice.below(model.clips.len());
        let Some(clip) = model.clips.get_mut(clip) else { return false };
        let turning = clip.channels.iter_mut().filter(|channel| channel.property == Property::Rotation);
        let mut turning: Vec<_> =
            turning.filter(|channel| channel.interpolation != Interpolation::CubicSpline).collect();
        let count = turning.len();
        let Some(channel) = turning.get_mut(dice.below(count)) else { return false };
        for value in channel.values.as_chunks_mut::<4>().0 {
            let turned = DQuat::from_array(value.map(f64::from)) * DQuat::from_rotation_z(0.5);
            *value = turned.as_quat().to_array();
        }
        true
    }),
    ("normals", |model, _| {
        let normals = primitives(model).filter_map(|primitive| primitive.normals.as_mut());
        normals.flatten().for_each(|normal| *normal = normal.map(|x| -x));
        true
    }),
    ("normals", |model, _| {
        primitives(model).for_each(|primitive| (primitive.normals, primitive.tangents) = (None, None));
        true
    }),
    ("materials", |model, _| {
        let any = !model.materials.is_empty();
        for material in &mut model.materials {
            material.base_color = material.base_color.map(|x| if x > 0.5 { x - 0.4 } else { x + 0.4 });
            material.base_color[3] = 1.0;
        }
        any
    }),
    ("morphs", |model, _| {
        let has_any = primitives(model).any(|primitive| primitive.morphs.is_some());
        primitives(model).for_each(|primitive| primitive.morphs = None);
        model.meshes.iter_mut().for_each(|mesh| mesh.target_names.clear());
        model.rig.rest_weights.clear();
        model.rig.weight_ends.clear();
        let clips = model.clips.iter_mut();
        clips.for_each(|clip| clip.channels.retain(|channel| channel.property != Property::Weights));
        has_any
    }),
    ("shape", |model, dice| {
        let [x, y] = [dice.roll(), dice.roll()].map(|at| 0.2 + 0.6 * at);
        let all: Vec<[f32; 3]> =
            primitives(model).flat_map(|primitive| primitive.positions.clone()).collect();
        let low =
            all.iter().copied().reduce(|a, b| [0, 1, 2].map(|i: usize| a[i].min(b[i]))).unwrap_or_default();
        let high =
            all.iter().copied().reduce(|a, b| [0, 1, 2].map(|i: usize| a[i].max(b[i]))).unwrap_or_default();
        let size = (0..3).map(|i: usize| f64::from(high[i] - low[i])).fold(0.0, f64::max);
        let middle = [
            f64::from(low[0]) * (1.0 - x) + f64::from(high[0]) * x,
            f64::from(low[1]) * (1.0 - y) + f64::from(high[1]) * y,
        ];
        for place in primitives(model).flat_map(|primitive| &mut primitive.positions) {
            let apart =
                (f64::from(place[0]) - middle[0]).hypot(f64::from(place[1]) - middle[1]) / (0.3 * size);
            place[2] += (0.08 * size * (1.0 - apart * apart).max(0.0)) as f32;
        }
        true
    }),
    ("binding", |model, dice| {
        let joints: Vec<usize> =
            (0..model.skins[0].joints.len()).filter(|joint| moves(model, *joint)).collect();
        let joint = joints[dice.below(joints.len())];
        let mut all = model.skins[0].joint_from_bind.to_vec();
        all[joint] = DMat4::from_rotation_y(0.35) * all[joint];
        model.skins[0].joint_from_bind = all.into();
        true
    }),
];

fn primitives(model: &mut Model) -> impl Iterator<Item = &mut sinew_model::Primitive> {
    model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives)
}

fn moves(model: &Model, joint: usize) -> bool {
    let primitives = model.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let mut spans =
        primitives.filter_map(|primitive| primitive.influences.as_ref()).flat_map(|all| &all.spans);
    spans.any(|span| {
        let mut slots = span.joints.iter().flatten().zip(span.weights.iter().flatten());
        slots.any(|(other, weight)| *other == joint as i32 && *weight > 0.3)
    })
}

fn roots(model: &mut Model, change: impl Fn(&mut DVec3, &mut DQuat, &mut DVec3)) {
    for (node, rest) in model.rig.rest.iter_mut().enumerate() {
        if model.rig.parents[node].is_none()
            && let LocalTransform::Trs { translation, rotation, scale } = rest
        {
            change(translation, rotation, scale);
        }
    }
}
