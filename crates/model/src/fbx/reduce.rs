//! Omits samples on the line between others, in one pass.

use glam::DQuat;

/// The kind of a property's values: rotations or independent numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Rotation,
    Numbers,
}

/// The numbers of the samples to keep, of `(time, value)` in the order of time: lines between these, or arcs for rotations,
/// are off the others by `tolerance` at most.
pub fn kept<'a>(samples: impl Iterator<Item = (f64, &'a [f64])>, kind: Kind, tolerance: f64) -> Vec<usize> {
    // A rotation may be off by its three angles together.
    let tolerance = if kind == Kind::Rotation { tolerance / 3f64.sqrt() } else { tolerance };
    let mut kept = Vec::new();
    let mut fan: Option<Fan<'a>> = None;
    let mut last: Option<(usize, f64, &[f64])> = None;
    for (number, (time, value)) in samples.enumerate() {
        let holds = fan.as_ref().is_none_or(|fan| fan.reaches(time, value));
        match last {
            Some((before, from_time, from)) if !holds => {
                kept.push(before);
                let mut next = Fan::new(from_time, from, kind);
                next.narrow(time, value, tolerance);
                fan = Some(next);
            }
            Some(_) => {
                if let Some(fan) = &mut fan {
                    fan.narrow(time, value, tolerance);
                }
            }
            None => {
                kept.push(number);
                fan = Some(Fan::new(time, value, kind));
            }
        }
        last = Some((number, time, value));
    }
    if let Some((number, ..)) = last.filter(|(number, ..)| *number > 0) {
        kept.push(number);
    }
    kept
}

/// The lines from one sample that pass all samples since, close enough: a range of slopes for each number.
struct Fan<'a> {
    time: f64,
    from: &'a [f64],
    kind: Kind,
    slopes: Vec<(f64, f64)>,
}

impl<'a> Fan<'a> {
    fn new(time: f64, from: &'a [f64], kind: Kind) -> Self {
        let count = if kind == Kind::Rotation { 3 } else { from.len() };
        Self { time, from, kind, slopes: vec![(f64::NEG_INFINITY, f64::INFINITY); count] }
    }

    /// Returns the difference of a value from the first: of numbers their difference, of rotations axis times angle. An
    /// arc between two rotations is a line in this space. The distance of two rotations is at most that of their
    /// vectors.
    fn differences(&self, value: &[f64]) -> impl Iterator<Item = f64> {
        let arc = match (self.kind, self.from.first_chunk::<4>(), value.first_chunk::<4>()) {
            (Kind::Rotation, Some(from), Some(to)) => {
                let between = DQuat::from_array(*from).conjugate() * DQuat::from_array(*to);
                let between = if between.w < 0.0 { -between } else { between };
                Some(between.to_scaled_axis().to_array())
            }
            _ => None,
        };
        let number = move |at: usize| match &arc {
            Some(arc) => arc.get(at).copied().unwrap_or(0.0),
            None => value.get(at).zip(self.from.get(at)).map_or(0.0, |(to, from)| to - from),
        };
        (0..self.slopes.len()).map(number).collect::<Vec<_>>().into_iter()
    }

    /// Returns true if the line to a sample passes within tolerance of all samples since the first.
    fn reaches(&self, time: f64, value: &[f64]) -> bool {
        let span = time - self.time;
        let slopes = self.slopes.iter().zip(self.differences(value));
        slopes.into_iter().all(|((low, high), difference)| (*low..=*high).contains(&(difference / span)))
    }

    /// From now on lines have to pass this sample, too.
    fn narrow(&mut self, time: f64, value: &[f64], tolerance: f64) {
        let span = time - self.time;
        let differences: Vec<f64> = self.differences(value).collect();
        for ((low, high), difference) in self.slopes.iter_mut().zip(differences) {
            *low = low.max((difference - tolerance) / span);
            *high = high.min((difference + tolerance) / span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn keep(samples: &[(f64, Vec<f64>)], kind: Kind) -> Vec<usize> {
        kept(samples.iter().map(|(time, value)| (*time, value.as_slice())), kind, 1e-6)
    }

    #[test]
    fn corners_stay_and_lines_go() {
        let height = |time: f64| if time <= 10.0 { 3.0 * time } else { 40.0 - time };
        let samples: Vec<_> = (0..100).map(|at| (f64::from(at), vec![height(f64::from(at)), 7.0])).collect();
        assert_eq!(keep(&samples, Kind::Numbers), [0, 10, 99]);
        assert_eq!(keep(&samples[..1], Kind::Numbers), [0]);
        assert_eq!(keep(&samples[..2], Kind::Numbers), [0, 1]);
        assert_eq!(keep(&[], Kind::Numbers), [0; 0]);
    }

    /// Interpolation between the kept samples reproduces the others, for any curve.
    #[test]
    fn what_stays_makes_the_rest() {
        let turn = |t: f64| {
            DQuat::from_rotation_y(2.0 * t)
                * DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), (3.0 * t).sin())
        };
        let samples: Vec<(f64, DQuat)> =
            (0..2000).map(|at| f64::from(at) / 700.0).map(|t| (t, turn(t))).collect();
        let steady: Vec<(f64, DQuat)> =
            samples.iter().map(|(t, _)| (*t, DQuat::from_rotation_z(0.9 * t))).collect();
        for (samples, most) in [(samples, 2000), (steady, 2)] {
            let values: Vec<(f64, Vec<f64>)> =
                samples.iter().map(|(time, q)| (*time, q.to_array().to_vec())).collect();
            let kept = kept(values.iter().map(|(t, v)| (*t, v.as_slice())), Kind::Rotation, 1e-3);
            assert!(kept.len() <= most && kept.len() < 1000, "{}", kept.len());
            for pair in kept.windows(2) {
                let ((t0, a), (t1, b)) = (samples[pair[0]], samples[pair[1]]);
                let b = if a.dot(b) < 0.0 { -b } else { b };
                for (time, q) in &samples[pair[0]..pair[1]] {
                    let made = a.slerp(b, (time - t0) / (t1 - t0));
                    assert!(made.angle_between(*q).min(made.angle_between(-*q)) < 1.001e-3);
                }
            }
        }
    }
}
