//! The bones of the left hand: their lengths, origins and bends.

use glam::{DMat3, DVec3};

use super::skeleton::left;

/// The axes of the left hand: toward the thumb, along the fingers, out of the palm.
pub fn left_hand_axes() -> DMat3 {
    let along = (DVec3::from(left::WRIST) - DVec3::from(left::ELBOW)).normalize();
    let palm = DVec3::new(-0.69, -0.66, 0.0);
    let palm = (palm - along * palm.dot(along)).normalize();
    DMat3::from_cols(palm.cross(along), along, palm)
}

/// A finger of the left hand, in the hand's own axes.
pub struct Finger {
    /// Name.
    pub name: &'static str,
    /// First joint, in metres from the wrist along the hand's axes.
    pub knuckle: DVec3,
    /// Its turn toward the thumb side, in degrees.
    pub spread: f64,
    /// Bend of each joint toward the palm, in degrees.
    pub bend: [f64; 3],
    /// Length of each bone.
    pub lengths: [f64; 3],
    /// Radius at each joint and at the tip.
    pub radii: [f64; 4],
    /// The turn of the bending plane about the finger, in degrees.
    pub roll: f64,
}

const fn finger(
    name: &'static str,
    knuckle: [f64; 3],
    spread: f64,
    bend: [f64; 3],
    lengths: [f64; 3],
    radii: [f64; 4],
    roll: f64,
) -> Finger {
    Finger {
        name,
        knuckle: DVec3::new(knuckle[0], knuckle[1], knuckle[2]),
        spread,
        bend,
        lengths,
        radii,
        roll,
    }
}

/// Thumb to little finger.
pub const FINGERS: [Finger; 5] = [
    finger(
        "thumb",
        [0.020, 0.022, 0.008],
        44.0,
        [14.0, 8.0, 10.0],
        [0.045, 0.034, 0.027],
        [0.0150, 0.0118, 0.0103, 0.0085],
        -52.0,
    ),
    finger(
        "index",
        [0.0305, 0.093, -0.002],
        7.5,
        [8.0, 12.0, 8.0],
        [0.042, 0.026, 0.021],
        [0.0104, 0.0089, 0.0080, 0.0067],
        0.0,
    ),
    finger(
        "middle",
        [0.0100, 0.0965, -0.003],
        0.5,
        [9.0, 14.0, 9.0],
        [0.046, 0.029, 0.022],
        [0.0106, 0.0090, 0.0081, 0.0068],
        0.0,
    ),
    finger(
        "ring",
        [-0.0110, 0.093, -0.002],
        -6.5,
        [11.0, 15.0, 10.0],
        [0.042, 0.027, 0.021],
        [0.0102, 0.0086, 0.0077, 0.0065],
        0.0,
    ),
    finger(
        "pinky",
        [-0.0300, 0.0855, 0.001],
        -14.5,
        [12.0, 15.0, 10.0],
        [0.034, 0.021, 0.018],
        [0.0092, 0.0077, 0.0069, 0.0058],
        0.0,
    ),
];

/// Joint positions of one left finger (three joints and the tip), and the direction each joint flexes towards.
pub fn left_finger(finger: &Finger) -> ([DVec3; 4], [DVec3; 3]) {
    let axes = left_hand_axes();
    let wrist = DVec3::from(left::WRIST);
    let spread = finger.spread.to_radians();
    let mut along = DVec3::new(libm::sin(spread), libm::cos(spread), 0.0);
    // The bending plane holds the finger and this direction, which starts as the palm's normal.
    let roll = finger.roll.to_radians();
    let side = DVec3::new(libm::cos(spread), -libm::sin(spread), 0.0);
    let mut toward = DVec3::Z * libm::cos(roll) + side * libm::sin(roll);
    let mut at = finger.knuckle;
    let mut places = [wrist + axes * at; 4];
    let mut flex = [DVec3::ZERO; 3];
    for bone in 0..3 {
        let bend = finger.bend[bone].to_radians();
        let (sin, cos) = (libm::sin(bend), libm::cos(bend));
        (along, toward) = (along * cos + toward * sin, toward * cos - along * sin);
        at += along * finger.lengths[bone];
        places[bone + 1] = wrist + axes * at;
        flex[bone] = axes * toward;
    }
    (places, flex)
}
