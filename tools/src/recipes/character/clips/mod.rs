//! The figure's clips: stances over time, turned into keys. They must not depend on the surface.

use sinew_model::Clip;

use super::skeleton::Skeleton;

mod idle;
mod keys;
mod leg;
mod range_of_motion;
mod stance;
mod walk;
mod wave;

/// All clips; the first is the default.
pub fn clips(skeleton: &Skeleton) -> Vec<Clip> {
    vec![
        keys::record(skeleton, "idle", idle::SECS, 15.0, &idle::stance),
        keys::record(skeleton, "walk", walk::SECS, 30.0, &walk::stance),
        keys::record(skeleton, "wave", wave::SECS, 20.0, &wave::stance),
        keys::record(skeleton, "range-of-motion", range_of_motion::SECS, 15.0, &range_of_motion::stance),
    ]
}
