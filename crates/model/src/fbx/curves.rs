//! Curves of old files. Their programs give all tangents a length of a third of the interval, rounded to four digits.
//! Such lengths are read as exactly a third.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use ufbx::{AnimCurve, AnimLayer, AnimOpts, AnimProp, AnimRoot, AnimStack, Keyframe};
use ufbx::{ListOpt, PropOverrideDesc, RotationOrder, StringOpt};

use super::matrices::{quat, vec3, vector};

/// The properties that place a node in its parent.
pub const TRANSLATION: &str = "Lcl Translation";
const ROTATION: &str = "Lcl Rotation";
pub const SCALING: &str = "Lcl Scaling";

const THIRD: f64 = 1.0 / 3.0;

/// Differences from a third that come from rounding.
const ROUNDED: std::ops::Range<f64> = 1e-6..2e-4;

/// The elements of a stack that such curves move.
#[derive(Default)]
pub struct Rounded<'a> {
    /// All layers, the lowest first.
    layers: Vec<&'a AnimLayer>,
    /// All properties that move an element, by its number.
    props: HashMap<u32, Vec<Layered<'a>>>,
    /// In the oldest files the weight of a channel is a property of the mesh's node, by the channel's name.
    named: HashMap<&'a str, Layered<'a>>,
}

/// A property, and its values in layers.
#[derive(Clone)]
struct Layered<'a> {
    name: &'a ufbx::String,
    values: Vec<(usize, &'a AnimProp)>,
}

impl<'a> Rounded<'a> {
    /// Finds them in all layers of a stack.
    pub fn of(stack: &'a AnimStack) -> Self {
        let layers: Vec<&AnimLayer> = stack.layers.iter().map(|layer| &**layer).collect();
        let props = || {
            layers
                .iter()
                .enumerate()
                .flat_map(|(at, layer)| layer.anim_props.iter().map(move |prop| (at, prop)))
        };
        let id = |prop: &'a AnimProp| (prop.element.element_id, &*prop.prop_name);
        let is_rounded =
            |prop: &AnimProp| prop.anim_value.curves.iter().flatten().any(|curve| is_rounded(curve));
        let rounded: HashSet<(u32, &str)> =
            props().filter(|(_, prop)| is_rounded(prop)).map(|(_, prop)| id(prop)).collect();
        if rounded.is_empty() {
            return Self::default();
        }
        let mut found = Self { layers: layers.clone(), ..Self::default() };
        for (layer, prop) in props().filter(|(_, prop)| rounded.contains(&id(prop))) {
            let all = found.props.entry(prop.element.element_id).or_default();
            match all.iter_mut().find(|known| **known.name == *prop.prop_name) {
                Some(known) => known.values.push((layer, prop)),
                None => all.push(Layered { name: &prop.prop_name, values: vec![(layer, prop)] }),
            }
        }
        for layered in found.props.values().flatten() {
            found.named.entry(layered.name).or_insert_with(|| layered.clone());
        }
        found
    }

    /// The stack with overrides of a node's animated properties; `None` if no such curve moves the node.
    pub fn anim(&self, scene: &ufbx::Scene, node: &ufbx::Node, time: f64) -> Option<AnimRoot> {
        let id = node.element.element_id;
        let is_local = |layered: &&Layered<'_>| [TRANSLATION, ROTATION, SCALING].contains(&&**layered.name);
        let all = self.props.get(&id)?.iter().filter(is_local);
        let overrides = all.map(|layered| {
            let DVec3 { x, y, z } = self.value(layered, node.rotation_order, time);
            PropOverrideDesc {
                element_id: id,
                // An owned one is freed before it is read.
                prop_name: StringOpt::Ref(layered.name),
                value: ufbx::Vec4 { x, y, z, w: 0.0 },
                ..Default::default()
            }
        });
        let overrides: Vec<_> = overrides.collect();
        if overrides.is_empty() {
            return None;
        }
        let how = AnimOpts {
            layer_ids: ListOpt::Owned(self.layers.iter().map(|layer| layer.element.typed_id).collect()),
            prop_overrides: ListOpt::Owned(overrides),
            ..Default::default()
        };
        ufbx::create_anim(scene, how).ok()
    }

    /// The weight of a channel of blend shapes; `None` where no such curve moves it.
    pub fn weight(&self, channel: &ufbx::BlendChannel, time: f64) -> Option<f64> {
        let own = self.props.get(&channel.element.element_id).and_then(|all| all.first());
        let layered = own.or_else(|| self.named.get(&*channel.element.name))?;
        Some(self.value(layered, RotationOrder::Xyz, time).x / 100.0)
    }

    /// Returns true if a channel of blend shapes is animated by its name.
    pub fn names(&self, channel: &ufbx::BlendChannel) -> bool {
        self.named.contains_key(&*channel.element.name)
    }

    /// A property's value, layer over layer.
    fn value(&self, layered: &Layered<'_>, order: RotationOrder, time: f64) -> DVec3 {
        let known = layered.values.first().and_then(|(_, prop)| prop.element.props.find_prop(layered.name));
        let rest = known.map_or(DVec3::ZERO, |known| {
            DVec3::new(known.value_vec4.x, known.value_vec4.y, known.value_vec4.z)
        });
        layered.values.iter().fold(rest, |below, (number, prop)| {
            let value = meant(&prop.anim_value, time);
            match self.layers.get(*number).filter(|layer| *number > 0 && layer.blended) {
                Some(layer) => combine(layer, weight_of(layer, time), layered.name, order, below, value),
                None => value,
            }
        })
    }
}

/// The weight of a layer, which may move.
fn weight_of(layer: &AnimLayer, time: f64) -> f64 {
    let own = |prop: &&AnimProp| prop.element.element_id == layer.element.element_id;
    match layer.anim_props.iter().find(own).filter(|_| layer.weight_is_animated) {
        Some(prop) => (meant(&prop.anim_value, time).x / 100.0).clamp(0.0, 1.0),
        None => layer.weight,
    }
}

/// Lays a layer's value of a property over the value below, as `ufbx` does.
fn combine(
    layer: &AnimLayer,
    weight: f64,
    name: &str,
    order: RotationOrder,
    below: DVec3,
    value: DVec3,
) -> DVec3 {
    let whole = 1.0 - weight;
    if layer.compose_rotation && name == ROTATION {
        let [below, value] = [below, value].map(|degrees| ufbx::euler_to_quat(vector(degrees), order));
        let turned = match layer.additive {
            true => {
                let part = ufbx::quat_slerp(ufbx::Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }, value, weight);
                let turned = quat(&below) * quat(&part);
                ufbx::Quat { x: turned.x, y: turned.y, z: turned.z, w: turned.w }
            }
            false => ufbx::quat_slerp(below, value, weight),
        };
        return vec3(&ufbx::quat_to_euler(turned, order));
    }
    match (layer.compose_scale && name == SCALING, layer.additive) {
        (true, true) => below * power(value, weight),
        (true, false) => power(below, whole) * power(value, weight),
        (false, true) => below + value * weight,
        (false, false) => below * whole + value * weight,
    }
}

/// Scales to a power, with their signs.
fn power(scale: DVec3, exponent: f64) -> DVec3 {
    let power = |number: f64| number.abs().powf(exponent).copysign(number);
    match exponent {
        none if none <= 0.0 => DVec3::ONE,
        all if all >= 1.0 => scale,
        _ => DVec3::new(power(scale.x), power(scale.y), power(scale.z)),
    }
}

/// Returns the value of a property by the curves of a layer.
fn meant(of: &ufbx::AnimValue, time: f64) -> DVec3 {
    let [x, y, z] = &of.curves;
    let rest = &of.default_value;
    let of = |curve: &Option<ufbx::Ref<AnimCurve>>, rest: f64| {
        curve.as_ref().map_or(rest, |curve| value(curve, time, rest))
    };
    DVec3::new(of(x, rest.x), of(y, rest.y), of(z, rest.z))
}
fn is_rounded(curve: &AnimCurve) -> bool {
    let pairs = curve.keyframes.iter().zip(curve.keyframes.iter().skip(1));
    pairs.into_iter().any(|(from, to)| rounded(from, to).is_some())
}

/// The lengths of the tangents between two keys, if both are a third and one is rounded.
fn rounded(from: &Keyframe, to: &Keyframe) -> Option<[f64; 2]> {
    let length = to.time - from.time;
    let parts = [f64::from(from.right.dx) / length, f64::from(to.left.dx) / length];
    let off = parts.map(|part| (part - THIRD).abs());
    let is_meant = from.interpolation == ufbx::Interpolation::Cubic
        && off.iter().all(|off| *off < ROUNDED.end)
        && off.iter().any(|off| *off > ROUNDED.start);
    is_meant.then_some(parts)
}

/// A curve's value, with tangents of a third where they are rounded.
fn value(curve: &AnimCurve, time: f64, rest: f64) -> f64 {
    let keys: &[Keyframe] = &curve.keyframes;
    let next = keys.partition_point(|key| key.time <= time);
    let around = next.checked_sub(1).and_then(|before| keys.get(before)).zip(keys.get(next));
    let meant = around.and_then(|(from, to)| Some((from, to, rounded(from, to)?)));
    let Some((from, to, [right, left])) = meant else { return ufbx::evaluate_curve(curve, time, rest) };
    // Tangents of a third make time a straight line.
    let t = (time - from.time) / (to.time - from.time);
    let s = 1.0 - t;
    let after = from.value + f64::from(from.right.dy) * THIRD / right;
    let before = to.value - f64::from(to.left.dy) * THIRD / left;
    s * s * s * from.value + 3.0 * s * t * (s * after + t * before) + t * t * t * to.value
}
