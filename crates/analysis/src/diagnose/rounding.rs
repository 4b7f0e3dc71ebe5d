//! Number formats that lose digits: half floats, and weights as integers.

use super::deviation::{Store, Sum};

/// Rounds to the nearest half float, ties to even; beyond its range to infinity.
pub(super) fn half(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    // The distance of neighbours: ten bits below the leading one, and that of denormals at least.
    let exponent = number.abs().log2().floor().max(-14.0);
    let step = (exponent - 10.0).exp2();
    let rounded = (number / step).round_ties_even() * step;
    if rounded.abs() > 65504.0 { f64::INFINITY.copysign(number) } else { rounded }
}

/// Rounds the weights of a vertex, heaviest first.
pub(super) fn weights(store: Store, sum: Sum, influences: &mut [(i32, f64)]) {
    match (store.steps(), sum) {
        (Some(steps), Sum::Remainders) => remainders(steps, influences),
        (steps, _) => {
            let rounded = |weight: f64| match steps {
                Some(steps) => (weight * steps).round() / steps,
                None => half(weight),
            };
            influences.iter_mut().for_each(|(_, weight)| *weight = rounded(*weight));
            let total: f64 = influences.iter().map(|(_, weight)| *weight).sum();
            match sum {
                Sum::Heaviest | Sum::Remainders => {
                    if let Some((_, weight)) = influences.first_mut() {
                        *weight += 1.0 - total;
                    }
                }
                Sum::Divided if total > 0.0 => {
                    influences.iter_mut().for_each(|(_, weight)| *weight /= total);
                }
                Sum::Divided | Sum::Alone => {}
            }
        }
    }
}

/// Rounds all weights down, then up again in order of what they lost, until they sum to 1.
fn remainders(steps: f64, influences: &mut [(i32, f64)]) {
    let lost = |weight: f64| weight * steps - (weight * steps).floor();
    let mut order: Vec<usize> = (0..influences.len()).collect();
    order.sort_by(|&a, &b| lost(influences[b].1).total_cmp(&lost(influences[a].1)));
    let floors: f64 = influences.iter().map(|(_, weight)| (weight * steps).floor()).sum();
    let missing = (steps - floors).round().clamp(0.0, influences.len() as f64) as usize;
    let mut is_raised = vec![0.0; influences.len()];
    order.into_iter().take(missing).for_each(|at| is_raised[at] = 1.0);
    for ((_, weight), raised) in influences.iter_mut().zip(is_raised) {
        *weight = ((*weight * steps).floor() + raised) / steps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_the_nearest() {
        let known = [
            (1.0, 1.0),
            (0.1, 0.0999755859375),
            (1.0 / 3.0, 0.333251953125),
            (-2049.0, -2048.0),
            (2051.0, 2052.0),
            (6e-8, 5.960464477539063e-8),
            (1e-9, 0.0),
            (65504.0, 65504.0),
            (7e4, f64::INFINITY),
        ];
        for (number, expected) in known {
            assert_eq!(half(number), expected, "{number}");
        }
        assert!(half(f64::NAN).is_nan());
    }

    #[test]
    fn corrected_weights_sum_to_one() {
        let given = [(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)];
        for store in [Store::U8, Store::U16, Store::Unorm10, Store::Half] {
            for sum in [Sum::Heaviest, Sum::Remainders, Sum::Divided] {
                let mut rounded = given;
                weights(store, sum, &mut rounded);
                let total: f64 = rounded.iter().map(|(_, weight)| weight).sum();
                assert!((total - 1.0).abs() < 1e-12, "{store:?} {sum:?}: {total}");
                assert_ne!(rounded, given);
            }
        }
        let mut alone = [(0, 1.0 / 3.0); 3];
        weights(Store::U8, Sum::Alone, &mut alone);
        assert_eq!(alone, [(0, 85.0 / 255.0); 3]);
        let mut raised = [(0, 0.4995), (1, 0.2503), (2, 0.2502)];
        weights(Store::U8, Sum::Remainders, &mut raised);
        assert_eq!(raised.map(|(_, weight)| (weight * 255.0).round()), [127.0, 64.0, 64.0]);
    }
}
