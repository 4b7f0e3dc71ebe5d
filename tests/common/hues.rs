//! Measures how much the colours of joints that move the same vertex differ. This module must not depend on the choice of
//! colours.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use sinew::model::{Model, srgb};
use sinew::view::JointColors;

/// The hue of a colour in degrees (Ottosson, *A perceptual color space for image processing*, 2020).
fn degrees(color: [u8; 3]) -> f64 {
    let [r, g, b] = color.map(|byte| srgb::to_linear(f64::from(byte) / 255.0));
    let l = (0.412_221_47 * r + 0.536_332_54 * g + 0.051_445_99 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_55 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_84 * g + 0.629_978_7 * b).cbrt();
    let across = 1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s;
    let up = 0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s;
    up.atan2(across).to_degrees()
}

/// Every two joints with weight on one vertex, and every joint with the joint right above it.
fn pairs(model: &Model) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    let mut add = |a: usize, b: usize| {
        if a != b {
            pairs.insert((a.min(b), a.max(b)));
        }
    };
    let joints: BTreeSet<usize> = model.skins.iter().flat_map(|skin| skin.joints.clone()).collect();
    for &joint in &joints {
        if let Some(parent) = model.rig.parents[joint].filter(|parent| joints.contains(&(*parent as usize))) {
            add(joint, parent as usize);
        }
    }
    for instance in &model.instances {
        let Some(skin) = instance.skin.map(|skin| &model.skins[skin]) else { continue };
        for primitive in &model.meshes[instance.mesh].primitives {
            let Some(influences) = &primitive.influences else { continue };
            for vertex in 0..primitive.positions.len() {
                let of_span = influences.spans.iter().flat_map(|span| {
                    span.joints[vertex]
                        .into_iter()
                        .zip(span.weights[vertex])
                        .filter(|(_, weight)| *weight > 0.0)
                });
                let nodes: Vec<usize> = of_span
                    .filter_map(|(joint, _)| Some(skin.joints[usize::try_from(joint).ok()?]))
                    .collect();
                for (number, &one) in nodes.iter().enumerate() {
                    nodes[number + 1..].iter().for_each(|&other| add(one, other));
                }
            }
        }
    }
    pairs
}

/// The smallest difference of hue between two such joints, in degrees, and how many pairs there are.
pub fn least_apart(model: &Model) -> (f64, usize) {
    let colors = JointColors::new(model);
    let pairs = pairs(model);
    let apart = |(one, other): &(usize, usize)| {
        let apart = (degrees(colors.of(*one)) - degrees(colors.of(*other))).rem_euclid(360.0);
        apart.min(360.0 - apart)
    };
    (pairs.iter().map(apart).fold(180.0, f64::min), pairs.len())
}
