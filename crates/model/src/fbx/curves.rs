//! Curves of old files, whose tangents have the length that programs give to all of them, but rounded to four digits: they
//! are read as what was meant, a third of the interval.

use std::collections::HashMap;

use ufbx::{AnimCurve, AnimOpts, AnimProp, AnimStack, Keyframe, ListOpt, PropOverrideDesc, StringOpt};

/// What places a node in its parent.
const LOCAL: [&str; 3] = ["Lcl Translation", "Lcl Rotation", "Lcl Scaling"];

const THIRD: f64 = 1.0 / 3.0;

/// How far a rounded third may be off, and what is not rounded at all.
const ROUNDED: std::ops::Range<f64> = 1e-6..2e-4;

/// What a stack animates by such curves.
#[derive(Default)]
pub struct Rounded<'a> {
    /// The number of its layer.
    layer: u32,
    /// By the number of the element.
    props: HashMap<u32, Vec<&'a AnimProp>>,
    /// In the oldest files the weight of a channel is a property of the mesh's node, by the channel's name.
    named: HashMap<&'a str, &'a AnimProp>,
}

impl<'a> Rounded<'a> {
    /// Those of a stack; none where it has several layers.
    pub fn of(stack: &'a AnimStack) -> Self {
        let mut layers = stack.layers.iter();
        let Some(layer) = layers.next().filter(|_| layers.next().is_none()) else { return Self::default() };
        let mut found = Self { layer: layer.element.typed_id, ..Self::default() };
        let is_rounded =
            |prop: &&AnimProp| prop.anim_value.curves.iter().flatten().any(|curve| is_rounded(curve));
        for prop in layer.anim_props.iter().filter(is_rounded) {
            found.props.entry(prop.element.element_id).or_default().push(prop);
            found.named.entry(&*prop.prop_name).or_insert(prop);
        }
        found
    }

    /// A node's transform; `None` where no such curve moves it.
    pub fn transform(&self, scene: &ufbx::Scene, node: &ufbx::Node, time: f64) -> Option<ufbx::Transform> {
        let id = node.element.element_id;
        let is_local = |prop: &&&AnimProp| LOCAL.contains(&&*prop.prop_name);
        let props = || self.props.get(&id).into_iter().flatten().filter(is_local);
        props().next()?;
        let how = AnimOpts {
            layer_ids: ListOpt::Owned(vec![self.layer]),
            prop_overrides: ListOpt::Owned(props().map(|prop| meant(prop, id, time)).collect()),
            ..Default::default()
        };
        let anim = ufbx::create_anim(scene, how).ok()?;
        Some(ufbx::evaluate_transform(&anim, node, time))
    }

    /// The weight of a channel of blend shapes; `None` where no such curve moves it.
    pub fn weight(&self, channel: &ufbx::BlendChannel, time: f64) -> Option<f64> {
        let own = self.props.get(&channel.element.element_id).and_then(|props| props.first());
        let prop = own.or_else(|| self.named.get(&*channel.element.name))?;
        let [percent, ..] = &prop.anim_value.curves;
        Some(value(percent.as_ref()?, time, prop.anim_value.default_value.x) / 100.0)
    }

    /// Whether a channel of blend shapes is moved by its name.
    pub fn names(&self, channel: &ufbx::BlendChannel) -> bool {
        self.named.contains_key(&*channel.element.name)
    }
}

/// What a property is meant to be.
fn meant(prop: &AnimProp, element_id: u32, time: f64) -> PropOverrideDesc<'_> {
    let [x, y, z] = &prop.anim_value.curves;
    let rest = &prop.anim_value.default_value;
    let of = |curve: &Option<ufbx::Ref<AnimCurve>>, rest: f64| {
        curve.as_ref().map_or(rest, |curve| value(curve, time, rest))
    };
    PropOverrideDesc {
        element_id,
        // An owned one is freed before it is read.
        prop_name: StringOpt::Ref(&prop.prop_name),
        value: ufbx::Vec4 { x: of(x, rest.x), y: of(y, rest.y), z: of(z, rest.z), w: 0.0 },
        ..Default::default()
    }
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
