//! Computes joints and weights of each vertex: heat spreads from every bone over the surface. After Baran and
//! Popović, "Automatic rigging and animation of 3D characters" (2007).

use glam::DVec3;
use sinew_model::builtin::on_grid;
use sinew_model::{Influences, Span};

use super::heat::Heat;
use super::skeleton::Skeleton;
use super::surface::Surface;
use super::territory::Territories;

/// The strength with which heat stays with its bone: weights fall off over half the distance to the bone.
const GRIP: f64 = 4.0;
/// Weights below this are noise and would only cost a slot.
const LEAST: f64 = 0.004;

/// Four influences for each vertex of `surface`; `image` gives each vertex's mirror image.
pub fn bind(surface: &Surface, image: &[u32], skeleton: &Skeleton) -> Influences {
    let territories = Territories::new(skeleton);
    let homes: Vec<(usize, f64)> = surface.places.iter().map(|&p| territories.home(p)).collect();
    let conductance: Vec<f64> = homes.iter().map(|&(_, d)| GRIP / (d * d)).collect();
    let heat = Heat::new(surface, &conductance);

    let vertices = surface.places.len();
    let mut weights = vec![Vec::new(); vertices];
    for (joint, bone) in skeleton.joints.iter().enumerate() {
        // The right side is the left side's mirror image, to the bit.
        if bone.name.ends_with(".R") || !homes.iter().any(|&(home, _)| home == joint) {
            continue;
        }
        let source: Vec<f64> = homes.iter().map(|&(home, _)| f64::from(u8::from(home == joint))).collect();
        let spread = heat.spread(&source);
        let twin = skeleton.find(&bone.name.replace(".L", ".R"));
        for v in 0..vertices {
            weights[v].push((joint, spread[v]));
            if let Some(twin) = twin.filter(|&t| t != joint) {
                weights[v].push((twin, spread[image[v] as usize]));
            }
        }
    }

    let mut span = Span::default();
    for (place, mut near) in surface.places.iter().zip(weights) {
        lend_forearm_to_hand(*place, &mut near, skeleton);
        near.retain(|&(_, w)| w > LEAST);
        // Largest first; equal ones by mirrored joint, so that both sides choose alike.
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(4);
        near.resize(4, (0, 0.0));
        let weights = on_grid(std::array::from_fn(|k| near[k].1));
        // Rounding may have put the first below the second.
        let mut slots: [(i32, f32); 4] = std::array::from_fn(|k| (near[k].0 as i32, weights[k]));
        slots.sort_by(|a, b| b.1.total_cmp(&a.1));
        span.joints.push(slots.map(|(joint, weight)| if weight > 0.0 { joint } else { 0 }));
        span.weights.push(slots.map(|(_, weight)| weight));
    }
    Influences { spans: vec![span] }
}

/// Spreads the hand's turn over the lower half of the forearm, as skin and the two bones in it do. No joints
/// exist for that: here linear blending wrings the arm like a candy wrapper.
fn lend_forearm_to_hand(place: DVec3, near: &mut [(usize, f64)], skeleton: &Skeleton) {
    const FROM: f64 = 0.50;
    const TO: f64 = 1.12;
    let side = if place.x > 0.0 { "L" } else { "R" };
    let (forearm, hand) =
        (skeleton.joint(&format!("forearm.{side}")), skeleton.joint(&format!("hand.{side}")));
    let bone = &skeleton.joints[forearm];
    let length = (bone.tip - bone.at).length();
    let along = (place - bone.at).dot(bone.axes.y_axis) / length;
    let part = ((along - FROM) / (TO - FROM)).clamp(0.0, 1.0);
    let share = part * part * (3.0 - 2.0 * part);
    let weight = |joint: usize| near.iter().position(|&(j, _)| j == joint);
    if let (Some(f), Some(h)) = (weight(forearm), weight(hand)) {
        let both = near[f].1 + near[h].1;
        near[f].1 = both * (1.0 - share);
        near[h].1 = both * share;
    }
}
