//! A second sampler, written from appendix C of the glTF 2.0 specification: a linear search for keys, the arc cosine,
//! the spline's four terms. It shares nothing with sinew's own.

use sinew::model::{Channel, Interpolation, Property};

/// The value of a channel's property at a time, one number per component.
pub fn sample(channel: &Channel, time_secs: f64) -> Vec<f64> {
    let keys = channel.times.len();
    let parts = if channel.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let size = channel.values.len() / keys / parts;
    let part = |key: usize, part: usize| -> Vec<f64> {
        let start = (key * parts + part) * size;
        channel.values[start..start + size].iter().map(|&number| f64::from(number)).collect()
    };
    let value = |key: usize| if parts == 3 { part(key, 1) } else { part(key, 0) };
    let time = |key: usize| f64::from(channel.times[key]);

    let sampled = if time_secs <= time(0) {
        value(0)
    } else if time_secs >= time(keys - 1) {
        value(keys - 1)
    } else {
        let k = (0..keys - 1).find(|&k| time(k) <= time_secs && time_secs < time(k + 1)).unwrap();
        let td = time(k + 1) - time(k);
        let t = (time_secs - time(k)) / td;
        let (v0, v1) = (value(k), value(k + 1));
        match channel.interpolation {
            Interpolation::Step => v0,
            Interpolation::Linear if channel.property == Property::Rotation => {
                // The arc cosine is only of unit quaternions, as the specification has them.
                slerp(&normalized(&v0), &normalized(&v1), t)
            }
            Interpolation::Linear => (0..size).map(|i| (1.0 - t) * v0[i] + t * v1[i]).collect(),
            Interpolation::CubicSpline => {
                let (b0, a1) = (part(k, 2), part(k + 1, 0));
                let spline = |i: usize| {
                    (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0) * v0[i]
                        + td * (t.powi(3) - 2.0 * t.powi(2) + t) * b0[i]
                        + (-2.0 * t.powi(3) + 3.0 * t.powi(2)) * v1[i]
                        + td * (t.powi(3) - t.powi(2)) * a1[i]
                };
                (0..size).map(spline).collect()
            }
        }
    };
    if channel.property == Property::Rotation { normalized(&sampled) } else { sampled }
}

fn slerp(v0: &[f64], v1: &[f64], t: f64) -> Vec<f64> {
    let d: f64 = v0.iter().zip(v1).map(|(a, b)| a * b).sum();
    let s = d.signum();
    let a = d.abs().min(1.0).acos();
    if a < 1e-6 {
        return v0.iter().zip(v1).map(|(v0, v1)| (1.0 - t) * v0 + t * s * v1).collect();
    }
    let blend = |(v0, v1): (&f64, &f64)| ((a * (1.0 - t)).sin() * v0 + s * (a * t).sin() * v1) / a.sin();
    v0.iter().zip(v1).map(blend).collect()
}

fn normalized(q: &[f64]) -> Vec<f64> {
    let length = q.iter().map(|number| number * number).sum::<f64>().sqrt();
    q.iter().map(|number| number / length).collect()
}
