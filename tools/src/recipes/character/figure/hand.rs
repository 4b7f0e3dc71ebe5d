//! The left hand: palm, four fingers, thumb.

use glam::DVec3;

use super::super::fingers::{FINGERS, left_finger, left_hand_axes};
use super::super::skeleton::left;
use super::super::solid::{Ellipsoid, Loft, RoundCone, Solid};

/// The distance over which two fingers blend into each other where they meet: the web between them.
const WEB: f64 = 0.004;

/// The hand in the bind pose.
pub fn hand() -> Solid {
    let axes = left_hand_axes();
    let wrist = DVec3::from(left::WRIST);
    let place = |p: [f64; 3]| wrist + axes * DVec3::from(p);

    // Toward the thumb, away from it, palm side, back.
    let rows = [
        [-0.10, 0.0220, 0.0220, 0.0160, 0.0165],
        [0.05, 0.0240, 0.0235, 0.0160, 0.0165],
        [0.35, 0.0325, 0.0330, 0.0170, 0.0150],
        [0.70, 0.0375, 0.0375, 0.0145, 0.0125],
        [0.92, 0.0385, 0.0370, 0.0120, 0.0110],
    ];
    let mut hand = Solid::default();
    let (from, to) = (place([0.0, 0.0, 0.0]), place([0.0, 0.094, -0.001]));
    hand.add(0.0, Loft::new(from, to, axes.x_axis, axes.z_axis, &rows).square(0.45).cap(0.35));
    // Heel of the hand, on the little finger's side, and the ball of the thumb.
    let pad = |at: [f64; 3], radii: [f64; 3], y: [f64; 3]| {
        Ellipsoid::new(place(at).to_array(), radii).aimed(axes * DVec3::from(y), axes.z_axis)
    };
    hand.add(0.014, pad([-0.020, 0.036, 0.009], [0.015, 0.032, 0.012], [-0.1, 1.0, 0.0]));
    hand.add(0.014, pad([0.021, 0.034, 0.010], [0.016, 0.030, 0.014], [0.45, 1.0, 0.0]));

    for finger in &FINGERS {
        let (places, _) = left_finger(finger);
        let mut bones = Solid::default();
        for bone in 0..3 {
            bones.add(
                0.0012,
                RoundCone {
                    from: places[bone],
                    from_radius: finger.radii[bone],
                    to: places[bone + 1].lerp(places[bone], if bone == 2 { 0.25 } else { 0.0 }),
                    to_radius: finger.radii[bone + 1],
                },
            );
        }
        let thumb = finger.name == "thumb";
        hand.add(if thumb { 0.016 } else { WEB }, bones);
        // Knuckles stand out on the back of the hand.
        if !thumb {
            let k = finger.knuckle;
            hand.add(0.008, pad([k.x, k.y - 0.002, -0.0075], [0.0065, 0.010, 0.0055], [0.0, 1.0, 0.0]));
        }
    }
    hand
}
