//! Rotation limits of joints.

use glam::{DQuat, DVec3, EulerRot};

use crate::TurnLimits;

/// The limits of a node's rotation; `None` where it has none, or none that can be kept.
pub fn limits(node: &ufbx::Node) -> Option<TurnLimits> {
    let prop = |name: &str| node.element.props.find_prop(name);
    let is_set = |name: &str| prop(name).is_some_and(|prop| prop.value_int != 0);
    let degrees = |name: &str| {
        let value =
            prop(name).map(|prop| DVec3::new(prop.value_vec4.x, prop.value_vec4.y, prop.value_vec4.z));
        value.unwrap_or(DVec3::ZERO)
    };
    // Without this property, programs ignore the limits and the rotations before and after.
    if !is_set("RotationActive") {
        return None;
    }
    let bound = |name: &str, none: f64| {
        let [x, y, z] = degrees(name).to_array().map(f64::to_radians);
        let axes = [("X", x), ("Y", y), ("Z", z)];
        DVec3::from_array(
            axes.map(|(axis, angle)| if is_set(&format!("{name}{axis}")) { angle } else { none }),
        )
    };
    let (least, most) = (bound("RotationMin", f64::NEG_INFINITY), bound("RotationMax", f64::INFINITY));
    let is_free = least == DVec3::NEG_INFINITY && most == DVec3::INFINITY;
    // NaN compares with nothing.
    let is_sound = least.cmple(most).all();
    let turn = |name: &str| {
        let [x, y, z] = degrees(name).to_array().map(f64::to_radians);
        DQuat::from_euler(EulerRot::ZYX, z, y, x)
    };
    let (before, after) = (turn("PreRotation"), turn("PostRotation").inverse());
    let order = order(node.rotation_order)?;
    (!is_free && is_sound && before.is_finite() && after.is_finite()).then_some(TurnLimits {
        before,
        after,
        order,
        least,
        most,
    })
}

/// FBX names the turn that comes first, products have it on the right.
fn order(order: ufbx::RotationOrder) -> Option<EulerRot> {
    match order {
        ufbx::RotationOrder::Xyz => Some(EulerRot::ZYX),
        ufbx::RotationOrder::Xzy => Some(EulerRot::YZX),
        ufbx::RotationOrder::Yzx => Some(EulerRot::XZY),
        ufbx::RotationOrder::Yxz => Some(EulerRot::ZXY),
        ufbx::RotationOrder::Zxy => Some(EulerRot::YXZ),
        ufbx::RotationOrder::Zyx => Some(EulerRot::XYZ),
        ufbx::RotationOrder::Spheric => None,
    }
}
