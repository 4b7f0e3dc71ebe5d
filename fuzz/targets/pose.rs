//! Poses rigs and clips made of bytes at any time, including ones that no loader would let through.

#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use glam::{DMat4, DQuat, DVec3};
use libfuzzer_sys::fuzz_target;
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, Model, Property, Rig};
use sinew_skinning::pose::{Blend, ClipMix, Pose, PoseChoice};

/// A model of only a rig and clips, and the pose to compute.
#[derive(Debug)]
struct Case {
    model: Model,
    /// Whether a loader could have made the clips: only then is more promised than not to panic.
    is_sound: bool,
    choices: Vec<PoseChoice>,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let is_sound = u.ratio(3, 4)?;
        let nodes = u.int_in_range(1..=12)?;
        let mut rig = Rig::default();
        for node in 0..nodes {
            rig.names.push(String::new());
            rig.file_index.push(node);
            rig.parents.push(match node {
                0 => None,
                _ => Some(u.int_in_range(0..=node)?).filter(|parent| *parent < node),
            });
            rig.rest.push(local(u)?);
            rig.rest_weights.extend((0..u.int_in_range(0..=2)?).map(|weight| weight as f32));
            rig.weight_ends.push(rig.rest_weights.len() as u32);
        }
        let mut clips = Vec::new();
        for _ in 0..u.int_in_range(1..=2)? {
            let channels = (0..u.int_in_range(0..=4)?).map(|_| channel(u, &rig, is_sound));
            let channels = channels.collect::<Result<Vec<Channel>>>()?;
            let ends = channels.iter().filter_map(|channel| channel.times.last());
            let duration_secs = ends.fold(0.0, |duration: f32, end| duration.max(*end));
            clips.push(Clip { name: String::new(), duration_secs, channels });
        }
        if is_sound {
            // Loaders split matrices that clips move.
            for node in clips.iter().flat_map(|clip| &clip.channels).map(|channel| channel.node) {
                if matches!(rig.rest[node], LocalTransform::Matrix(_)) {
                    rig.rest[node] = LocalTransform::IDENTITY;
                }
            }
        }
        let choices = (0..4).map(|_| choice(u, &clips)).collect::<Result<_>>()?;
        Ok(Self { model: Model { rig, clips, ..Model::default() }, is_sound, choices })
    }
}

/// Any choice: times inside and outside the clip, at keys, and ones that are not numbers.
fn choice(u: &mut Unstructured<'_>, clips: &[Clip]) -> Result<PoseChoice> {
    let clip = u.int_in_range(0..=2)?;
    let keys: Vec<f32> = clips
        .get(clip)
        .iter()
        .flat_map(|clip| &clip.channels)
        .flat_map(|channel| channel.times.iter().copied())
        .collect();
    let time_secs = match u.int_in_range(0..=4)? {
        0 => u.arbitrary()?,
        1 => return Ok(u.choose(&[PoseChoice::Bind, PoseChoice::Rest])?.clone()),
        2 if !keys.is_empty() => f64::from(*u.choose(&keys)?),
        _ => f64::from(u.arbitrary::<u16>()?) / 4096.0,
    };
    let mut clips = vec![clip];
    clips.extend(u.ratio(1, 3)?.then_some(1 - clip.min(1)));
    let mut blends = Vec::new();
    for _ in 0..u.int_in_range(0..=2)? {
        blends.push(Blend { clip: u.int_in_range(0..=2)?, weight: f64::from(u.arbitrary::<u8>()?) / 255.0 });
    }
    Ok(PoseChoice::Clips(ClipMix { clips, blends, time_secs, ..ClipMix::default() }))
}

/// A number as files have them, ordinary or at the limits of single precision.
fn number(u: &mut Unstructured<'_>) -> Result<f32> {
    Ok(match u.int_in_range(0..=3)? {
        0 => *u.choose(&[0.0, -0.0, 1.0, -1.0, f32::MAX, f32::MIN, 1e-45, f32::MIN_POSITIVE])?,
        1 => Some(u.arbitrary::<f32>()?).filter(|number| number.is_finite()).unwrap_or(0.5),
        _ => f32::from(u.arbitrary::<i8>()?) / 16.0,
    })
}

fn vector(u: &mut Unstructured<'_>) -> Result<DVec3> {
    Ok(DVec3::new(number(u)?.into(), number(u)?.into(), number(u)?.into()))
}

/// A transform as loaders make them: finite, rotations of length one, a last row of 0 0 0 1.
fn local(u: &mut Unstructured<'_>) -> Result<LocalTransform> {
    if u.ratio(1, 4)? {
        let (x, y, z, w) = (vector(u)?, vector(u)?, vector(u)?, vector(u)?);
        let columns = [x.extend(0.0), y.extend(0.0), z.extend(0.0), w.extend(1.0)];
        return Ok(LocalTransform::from_matrix(DMat4::from_cols(
            columns[0], columns[1], columns[2], columns[3],
        )));
    }
    let rotation = DQuat::from_vec4(vector(u)?.extend(number(u)?.into()));
    let rotation = if rotation.length() > 1e-30 { rotation.normalize() } else { DQuat::IDENTITY };
    Ok(LocalTransform::Trs { translation: vector(u)?, rotation, scale: vector(u)? })
}

fn channel(u: &mut Unstructured<'_>, rig: &Rig, is_sound: bool) -> Result<Channel> {
    let node = u.choose_index(rig.len())?;
    let property = *u.choose(&[
        Property::Translation,
        Property::Rotation,
        Property::Scale,
        Property::Weights,
        Property::Weight(0),
        Property::Weight(1),
        Property::Weight(u32::MAX),
    ])?;
    let interpolation =
        *u.choose(&[Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline])?;
    let keys = u.int_in_range(1..=5)?;
    let mut times = Vec::new();
    let mut time = number(u)?;
    for _ in 0..keys {
        times.push(time);
        let step = f32::from(u.arbitrary::<u8>()?) / 64.0;
        // At least to the next representable number.
        time = (time + step).max(time.next_up()).min(f32::MAX);
    }
    times.dedup();
    let components = match property {
        Property::Translation | Property::Scale => 3,
        Property::Rotation => 4,
        Property::Weights => rig.weights_of(node).len().max(1),
        Property::Weight(_) => 1,
    };
    let per_key = if interpolation == Interpolation::CubicSpline { 3 * components } else { components };
    let values = (0..times.len() * per_key).map(|_| number(u)).collect::<Result<_>>()?;
    let mut channel = Channel { node, property, interpolation, times, values };
    if is_sound {
        return Ok(channel);
    }
    match u.int_in_range(0..=4)? {
        0 => channel.node = u.arbitrary()?,
        1 => channel.values.truncate(u.int_in_range(0..=8)?),
        2 => channel.times.clear(),
        3 => channel.times = (0..4).map(|_| u.arbitrary()).collect::<Result<_>>()?,
        _ => channel.values = (0..6).map(|_| u.arbitrary()).collect::<Result<_>>()?,
    }
    Ok(channel)
}

/// The largest factor by which a node's transform and those above it can multiply a number, as a power of two.
fn reach(rig: &Rig, pose: &Pose) -> Vec<f64> {
    let mut reach: Vec<f64> = Vec::new();
    for (local, parent) in pose.locals.iter().zip(&rig.parents) {
        let matrix = local.parent_from_node();
        let largest = matrix.to_cols_array().into_iter().fold(1.0, |most: f64, value| most.max(value.abs()));
        let above = parent.map_or(0.0, |parent| reach[parent as usize]);
        reach.push(above + largest.log2() + 2.0);
    }
    reach
}

fuzz_target!(|case: Case| {
    let Case { model, is_sound, choices } = case;
    let mut pose = Pose::default();
    for choice in choices {
        pose.set(&model, &choice);
        assert_eq!(pose.locals.len(), model.rig.len());
        assert_eq!(pose.world_from_node.len(), model.rig.len());
        assert_eq!(pose.weights.len(), model.rig.rest_weights.len());
        if !is_sound {
            continue;
        }
        assert!(pose.weights.iter().all(|weight| weight.is_finite()), "{choice:?}");
        for (node, reach) in reach(&model.rig, &pose).into_iter().enumerate() {
            let local = pose.locals[node];
            assert!(local.parent_from_node().is_finite(), "{choice:?}: node {node} is {local:?}");
            if let LocalTransform::Trs { rotation, .. } = local {
                assert!((rotation.length() - 1.0).abs() < 1e-9, "{choice:?}: node {node} is {local:?}");
            }
            // Chains of huge scales eventually exceed even double precision.
            assert!(pose.world_from_node[node].is_finite() || reach > 1000.0, "{choice:?}: node {node}");
        }
        // The same choice gives the same pose, whatever came before.
        let mut again = Pose::default();
        again.set(&model, &choice);
        let words = |pose: &Pose| format!("{:?} {:?}", pose.locals, pose.weights);
        assert_eq!(words(&again), words(&pose), "{choice:?}");
    }
});
