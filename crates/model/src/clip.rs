//! Animation clips: key times and values per node.

/// A named animation.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    /// Name; empty if the file gives none.
    pub name: String,
    /// The largest key time of all channels, in seconds.
    pub duration_secs: f32,
    /// One channel per animated property.
    pub channels: Vec<Channel>,
}

impl Clip {
    /// The smallest key time of all channels, in seconds.
    pub fn first_secs(&self) -> f32 {
        let first = self.channels.iter().filter_map(|channel| channel.times.first().copied());
        first.reduce(f32::min).unwrap_or(0.0)
    }

    /// Moves all keys so that the first is at 0, where they begin before it: glTF has no earlier times.
    pub fn begin_at_zero(&mut self) {
        let first = f64::from(self.first_secs());
        if first >= 0.0 {
            return;
        }
        let moved = |secs: f32| (f64::from(secs) - first) as f32;
        self.duration_secs = moved(self.duration_secs);
        for channel in &mut self.channels {
            let mut least = 0.0;
            for secs in &mut channel.times {
                // Keys on either side of a jump would fall together.
                *secs = moved(*secs).max(least);
                least = secs.next_up();
            }
            let last = channel.times.last().copied().unwrap_or_default();
            self.duration_secs = self.duration_secs.max(last);
        }
    }
}

/// Period in which clips play, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Period {
    /// Time at which the first of them begins.
    pub start: f64,
    /// Time at which the last of them ends.
    pub end: f64,
}

impl Period {
    /// The seconds from start to end.
    pub fn length(self) -> f64 {
        self.end - self.start
    }

    /// The time at a share of the way, 0 at the start and 1 at the end.
    pub fn at(self, share: f64) -> f64 {
        self.start + self.length() * share
    }
}

/// The keys of one property of one node.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Index into the rig.
    pub node: usize,
    /// The animated property.
    pub property: Property,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
    /// Key times in seconds, strictly increasing and finite; at least one.
    pub times: Vec<f32>,
    /// Values, key after key: one number per component of the property, or three (in-tangent, value, out-tangent) for
    /// [`Interpolation::CubicSpline`].
    pub values: Vec<f32>,
}

/// The property that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Three components.
    Translation,
    /// A quaternion, x y z w.
    Rotation,
    /// Three components.
    Scale,
    /// One component per morph target of the node's mesh.
    Weights,
    /// One component, for the morph target with this index.
    Weight(u32),
}

/// Interpolation between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds the earlier key's value.
    Step,
    /// Linear interpolation; along the shortest arc for rotations.
    #[default]
    Linear,
    /// A cubic Hermite spline with tangents at the keys.
    CubicSpline,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_around_a_jump_stay_apart_where_a_clip_is_moved() {
        let jump = 0.001_f32;
        let times = vec![-2.0, jump.next_down(), jump, 1.0];
        let channel = Channel {
            node: 0,
            property: Property::Scale,
            interpolation: Interpolation::Linear,
            times,
            values: vec![0.0; 12],
        };
        let mut clip = Clip { name: String::new(), duration_secs: 1.0, channels: vec![channel] };
        clip.begin_at_zero();
        let times = clip.channels[0].times.clone();
        assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
        assert!((times[2] - 2.001).abs() < 1e-6 && times[0] == 0.0 && times[3] == 3.0, "{times:?}");
        assert_eq!(clip.duration_secs, 3.0);
        let later = clip.clone();
        clip.begin_at_zero();
        assert_eq!(clip.channels[0].times, later.channels[0].times);
    }
}
