//! Values of a prim's transform operations at any time. They are read once, because the library reads all samples of an
//! attribute for each value. It does not interpolate numbers that text writes without a point, either.

use std::collections::HashMap;

use openusd::gf;
use openusd::sdf::{TimeSampleMap, Value};

use super::Work;
use super::stage::{Prim, Stage};
use super::values::{self, unit};
use crate::reading::LoadError;

/// Samples of operations by their names; one for a value that never changes.
pub struct Samples(HashMap<String, TimeSampleMap>);

impl Samples {
    /// Reads the samples of operations.
    ///
    /// # Errors
    /// If they need more memory than a file of this size may take.
    pub fn of<'a>(
        stage: &Stage,
        prim: &Prim,
        names: impl Iterator<Item = &'a str>,
        work: &mut Work<'_>,
    ) -> Result<Self, LoadError> {
        let mut all = HashMap::new();
        for name in names {
            if all.contains_key(name) {
                continue;
            }
            let mut samples = stage.samples(prim, name);
            work.budget.charge("animations[0]", samples.len(), size_of::<(f64, Value)>())?;
            if samples.is_empty() {
                samples.extend(stage.value(prim, name).map(|value| (0.0, value)));
            }
            all.insert(name.to_owned(), samples);
        }
        Ok(Self(all))
    }

    /// The value at a time; the first and the last sample hold before and after the others.
    pub fn at(&self, name: &str, time: f64) -> Option<Value> {
        let samples = self.0.get(name)?;
        let next = samples.partition_point(|(other, _)| *other <= time);
        let (last, following) = (next.checked_sub(1).and_then(|last| samples.get(last)), samples.get(next));
        let (Some((start, low)), Some((end, high))) = (last, following) else {
            return last.or(following).map(|(_, value)| value.clone());
        };
        let share = (time - start) / (end - start);
        Some(if share > 0.0 { between(low, high, share) } else { low.clone() })
    }
}

/// The value at a share of the way; the first where nothing lies between them.
fn between(low: &Value, high: &Value, share: f64) -> Value {
    let line = || {
        let (low, high) = (values::number(low)?, values::number(high)?);
        Some(Value::Double(low + (high - low) * share))
    };
    let vector = || {
        let all = values::vector(low)?.lerp(values::vector(high)?, share);
        Some(Value::Vec3d(gf::Vec3d { x: all.x, y: all.y, z: all.z }))
    };
    let turn = || {
        let all = unit(values::quaternion(low)?)?.slerp(unit(values::quaternion(high)?)?, share);
        Some(Value::Quatd(gf::Quatd { w: all.w, x: all.x, y: all.y, z: all.z }))
    };
    let matrix = || {
        let (low, high) = (values::matrix(low)?, values::matrix(high)?);
        let all = low.mul_scalar(1.0 - share).add_mat4(&high.mul_scalar(share));
        Some(Value::Matrix4d(gf::Matrix4d(all.to_cols_array())))
    };
    line().or_else(vector).or_else(turn).or_else(matrix).unwrap_or_else(|| low.clone())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use openusd::gf;
    use openusd::sdf::Value;

    use super::Samples;

    #[test]
    fn values_are_interpolated_and_hold_outside() {
        let samples = Samples(HashMap::from([
            ("number".to_owned(), vec![(0.0, Value::Int64(0)), (4.0, Value::Double(2.0))]),
            ("word".to_owned(), vec![(0.0, Value::Bool(false)), (4.0, Value::Bool(true))]),
            ("turn".to_owned(), [(0.0, 1.0, 0.0), (4.0, 0.0, -2.0)].map(turn).to_vec()),
        ]));
        let number = |time| crate::usd::values::number(&samples.at("number", time).unwrap()).unwrap();
        assert_eq!([-1.0, 0.0, 1.0, 4.0, 9.0].map(number), [0.0, 0.0, 0.5, 2.0, 2.0]);
        assert!(matches!(samples.at("word", 3.0), Some(Value::Bool(false))));
        let half = crate::usd::values::quaternion(&samples.at("turn", 2.0).unwrap()).unwrap();
        assert!(
            (half.length() - 1.0).abs() < 1e-12 && (half.w.abs() - 0.5f64.sqrt()).abs() < 1e-12,
            "{half}"
        );
        assert!(samples.at("other", 0.0).is_none());
    }

    fn turn((time, w, x): (f64, f64, f64)) -> (f64, Value) {
        (time, Value::Quatd(gf::Quatd { w, x, y: 0.0, z: 0.0 }))
    }
}
