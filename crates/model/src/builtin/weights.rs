//! Rounds weights as the loader stores them: to multiples of 2⁻²⁴ that sum to exactly one.

/// Steps per unit: with 24 bits, every partial sum of four weights is an exact `f32`.
const STEPS: f64 = 16_777_216.0;

/// Weights in proportion to `raw`, as multiples of 2⁻²⁴ that sum to exactly one.
///
/// The rounding error goes to the largest weight, where it matters least. Weights that are not positive numbers count
/// as zero; if none is positive, the first gets everything.
pub fn on_grid(raw: [f64; 4]) -> [f32; 4] {
    let raw = raw.map(|w| if w.is_finite() && w > 0.0 { w } else { 0.0 });
    let sum: f64 = raw.iter().sum();
    if sum <= 0.0 || !sum.is_finite() {
        return [1.0, 0.0, 0.0, 0.0];
    }
    let mut steps = raw.map(|w| (w / sum * STEPS).round());
    let mut largest = 0;
    for slot in 1..4 {
        if steps[slot] > steps[largest] {
            largest = slot;
        }
    }
    steps[largest] += STEPS - steps.iter().sum::<f64>();
    steps.map(|s| (s / STEPS) as f32)
}

#[cfg(test)]
mod tests {
    use super::on_grid;

    #[test]
    fn sums_are_exactly_one() {
        for k in 1..500 {
            let k = f64::from(k);
            let weights = on_grid([k, 1.0 / 3.0, k * k, 0.1]);
            assert_eq!(weights.iter().sum::<f32>(), 1.0);
            assert!(weights.iter().all(|w| (f64::from(*w) * super::STEPS).fract() == 0.0));
        }
    }

    #[test]
    fn what_is_no_weight_counts_as_none() {
        assert_eq!(on_grid([f64::NAN, 2.0, -1.0, 2.0]), [0.0, 0.5, 0.0, 0.5]);
        assert_eq!(on_grid([0.0; 4]), [1.0, 0.0, 0.0, 0.0]);
    }
}
