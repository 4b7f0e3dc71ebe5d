//! Values of a channel at a time: finds keys by bisection and interpolates between them.

use std::ops::{Add, Mul};

use glam::DVec4;

use crate::{Channel, Interpolation, Property};

/// The largest distance of lines from a spline, as a share of its largest number.
const TOLERANCE: f64 = 3e-7;

/// Maximum number of times that a segment is split in the middle.
const MAX_SPLITS: usize = 10;

impl Channel {
    /// The translation, rotation or scale at a time; the last component is unused unless it is a rotation. `None` if the
    /// channel has too few values. Rotations have length one, despite rounding in the file or the result of a spline.
    pub fn transform_at(&self, time_secs: f64) -> Option<DVec4> {
        transform(self, &moment(self, time_secs)?)
    }

    /// Sets as many morph weights as both the channel and the mesh have.
    pub fn set_weights_at(&self, time_secs: f64, weights: &mut [f64]) {
        if let Some(moment) = moment(self, time_secs) {
            set_weights(self, &moment, weights);
        }
    }
}

/// The times in seconds at which samples of channels, with lines and arcs between them, say what the keys do: a step needs
/// two, and a spline as many as follow it.
pub fn sample_times<'a>(channels: impl Iterator<Item = &'a Channel>) -> Vec<f32> {
    let mut all: Vec<f32> = Vec::new();
    for channel in channels {
        all.extend(&channel.times);
        let pairs = channel.times.iter().zip(channel.times.iter().skip(1));
        match channel.interpolation {
            Interpolation::Linear => {}
            Interpolation::Step => all.extend(pairs.map(|(_, next)| next.next_down())),
            Interpolation::CubicSpline => {
                let largest = channel.values.iter().fold(0.0f32, |most, number| most.max(number.abs()));
                let tolerance = TOLERANCE * f64::from(largest.max(1e-6));
                pairs.for_each(|(from, to)| split(channel, [*from, *to], tolerance, MAX_SPLITS, &mut all));
            }
        }
    }
    all.sort_by(f32::total_cmp);
    all.dedup();
    all
}

/// Adds times between two until lines follow the spline.
fn split(channel: &Channel, [from, to]: [f32; 2], tolerance: f64, halves: usize, out: &mut Vec<f32>) {
    let middle = (f64::from(from) + f64::from(to)) as f32 / 2.0;
    if halves == 0 || middle <= from || middle >= to {
        return;
    }
    let (start, end) = (value(channel, from), value(channel, to));
    let is_off = [0.25, 0.5, 0.75].iter().any(|share| {
        let time = from + (to - from) * *share;
        let share = f64::from(time - from) / f64::from(to - from);
        let is_far = |((a, b), c): ((&f64, &f64), &f64)| (a + (b - a) * share - c).abs() > tolerance;
        start.iter().zip(&end).zip(&value(channel, time)).any(is_far)
    });
    if is_off {
        split(channel, [from, middle], tolerance, halves.saturating_sub(1), out);
        out.push(middle);
        split(channel, [middle, to], tolerance, halves.saturating_sub(1), out);
    }
}

/// The numbers of a channel at a time.
fn value(channel: &Channel, secs: f32) -> Vec<f64> {
    match channel.property {
        Property::Weights | Property::Weight(_) => {
            let mut weights = vec![0.0; channel.values.len() / channel.times.len().max(1)];
            channel.set_weights_at(f64::from(secs), &mut weights);
            weights
        }
        _ => channel.transform_at(f64::from(secs)).map_or_else(Vec::new, |value| value.to_array().to_vec()),
    }
}

/// The position of a time among a channel's keys.
struct Moment {
    /// The key before, or the nearest one if the time is not between two.
    before: usize,
    /// The interpolation to the next key, unless the one before holds.
    way: Option<Way>,
}

struct Way {
    /// The position from 0 at the key before to 1 at the key after.
    t: f64,
    /// The time between the keys.
    distance_secs: f64,
}

/// Finds the keys around a time; `None` for a channel without keys.
fn moment(channel: &Channel, time_secs: f64) -> Option<Moment> {
    let times = &channel.times;
    let after = times.partition_point(|&key_secs| f64::from(key_secs) <= time_secs);
    let before = after.saturating_sub(1);
    let start_secs = f64::from(*times.get(before)?);
    let holds = after == 0 || channel.interpolation == Interpolation::Step;
    let way = times.get(after).filter(|_| !holds).map(|&end_secs| {
        let distance_secs = f64::from(end_secs) - start_secs;
        Way { t: (time_secs - start_secs) / distance_secs, distance_secs }
    });
    Some(Moment { before, way })
}

fn transform(channel: &Channel, moment: &Moment) -> Option<DVec4> {
    let components = if channel.property == Property::Rotation { 4 } else { 3 };
    let value = |index: usize, which: SplineValue| {
        let numbers = key(channel, components, index, which)?;
        let number = |axis: usize| numbers.get(axis).map_or(0.0, |&number| f64::from(number));
        Some(DVec4::new(number(0), number(1), number(2), number(3)))
    };
    match (channel.interpolation, channel.property, &moment.way) {
        (Interpolation::Linear, Property::Rotation, Some(way)) => {
            let (start, end) =
                (value(moment.before, SplineValue::Value)?, value(moment.before + 1, SplineValue::Value)?);
            Some(unit_rotation(slerp(unit_rotation(start), unit_rotation(end), way.t)))
        }
        (_, Property::Rotation, _) => interpolate(channel, moment, value).map(unit_rotation),
        _ => interpolate(channel, moment, value),
    }
}

fn set_weights(channel: &Channel, moment: &Moment, weights: &mut [f64]) {
    let values = values_per_key(channel);
    let components = channel.values.len().checked_div(channel.times.len() * values).unwrap_or(0);
    for (target, weight) in weights.iter_mut().take(components).enumerate() {
        let value = |index: usize, which: SplineValue| {
            key(channel, components, index, which)?.get(target).map(|&number| f64::from(number))
        };
        if let Some(value) = interpolate(channel, moment, value) {
            *weight = value;
        }
    }
}

/// Interpolates by all methods except linear rotations; `value` fetches one value of a key.
fn interpolate<T: Copy + Mul<f64, Output = T> + Add<Output = T>>(
    channel: &Channel,
    moment: &Moment,
    value: impl Fn(usize, SplineValue) -> Option<T>,
) -> Option<T> {
    let (before, after) = (moment.before, moment.before + 1);
    let start = value(before, SplineValue::Value)?;
    let Some(Way { t, distance_secs }) = moment.way else { return Some(start) };
    let end = value(after, SplineValue::Value)?;
    Some(match channel.interpolation {
        Interpolation::Step => start,
        Interpolation::Linear => start * (1.0 - t) + end * t,
        Interpolation::CubicSpline => {
            let leaving = value(before, SplineValue::OutTangent)? * distance_secs;
            let arriving = value(after, SplineValue::InTangent)? * distance_secs;
            hermite(start, leaving, end, arriving, t)
        }
    })
}

/// A choice of the three values of a spline's key; other keys have only the value.
#[derive(Clone, Copy)]
enum SplineValue {
    InTangent,
    Value,
    OutTangent,
}

fn values_per_key(channel: &Channel) -> usize {
    match channel.interpolation {
        Interpolation::CubicSpline => 3,
        Interpolation::Step | Interpolation::Linear => 1,
    }
}

/// Returns the components of one value of one key.
fn key(channel: &Channel, components: usize, index: usize, which: SplineValue) -> Option<&[f32]> {
    let element = match channel.interpolation {
        Interpolation::CubicSpline => index * 3 + which as usize,
        Interpolation::Step | Interpolation::Linear => index,
    };
    channel.values.get(element * components..(element + 1) * components)
}

/// Normalises a quaternion; zero, which has no direction, gives the identity.
pub fn unit_rotation(q: DVec4) -> DVec4 {
    // Squares of tiny numbers keep few digits, or none.
    let q = if q.length_squared() < 1e-200 { q / q.abs().max_element() } else { q };
    q.try_normalize().unwrap_or(DVec4::W)
}

/// Interpolates along the shortest arc between unit quaternions (glTF 2.0, appendix C.4). It takes the angle from both
/// chords, which keeps the digits that an arc cosine loses.
pub fn slerp(start: DVec4, end: DVec4, t: f64) -> DVec4 {
    let end = if start.dot(end) < 0.0 { -end } else { end };
    let angle = 2.0 * (end - start).length().atan2((end + start).length());
    let sine = angle.sin();
    if sine < 1e-9 {
        return start.lerp(end, t);
    }
    start * ((angle * (1.0 - t)).sin() / sine) + end * ((angle * t).sin() / sine)
}

/// Evaluates a cubic Hermite spline (glTF 2.0, appendix C.5); tangents are scaled by the time between the keys.
fn hermite<T: Copy + Mul<f64, Output = T> + Add<Output = T>>(
    start: T,
    leaving: T,
    end: T,
    arriving: T,
    t: f64,
) -> T {
    let (t2, t3) = (t * t, t * t * t);
    start * (2.0 * t3 - 3.0 * t2 + 1.0)
        + leaving * (t3 - 2.0 * t2 + t)
        + end * (3.0 * t2 - 2.0 * t3)
        + arriving * (t3 - t2)
}
