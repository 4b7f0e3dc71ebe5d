//! Smoothing as a polynomial: `(I + λL)^−p` without solving an equation.
//!
//! All eigenvalues of L lie between 0 and a bound that the surface knows. There, `(1 + λx)^−p` is smooth, and a Chebyshev
//! series gives it to the last bits of `f64` with some hundred terms. Each term is one product with L, which reaches one
//! ring of neighbours further: the work is where a joint's weights are, needs no memory besides the vertices, and has the
//! same bits on any number of threads. A factorisation would take `2 p` substitutions through all its fill.

/// The coefficients below this share of the value at 0 are left out.
const ENOUGH: f64 = 1e-15;

/// The maximum number of terms, beyond which the coarsest smoothing that a flag allows does not go.
const MOST: usize = 1 << 12;

/// A Chebyshev series on an interval from 0.
pub struct Filter {
    /// The coefficients, lowest first.
    pub terms: Vec<f64>,
}

impl Filter {
    /// Makes `(1 + strength · x)^−iterations` on the interval from 0 to `top`.
    pub fn new(strength: f64, iterations: u32, top: f64) -> Self {
        let value = |x: f64| (-f64::from(iterations) * (strength * x).ln_1p()).exp();
        let mut count = 32;
        loop {
            let terms = series(count, |t| value((t + 1.0) * top / 2.0));
            // Coefficients fall in proportion once they fall: what the last quarter lacks, none after it has.
            let used = terms.iter().rposition(|term| term.abs() > ENOUGH).map_or(1, |last| last + 1);
            if used <= count * 3 / 4 || count >= MOST {
                return Self { terms: terms.into_iter().take(used).collect() };
            }
            count *= 2;
        }
    }
}

/// Returns the Chebyshev coefficients of a function on -1 to 1, from its values at as many nodes.
fn series(count: usize, value: impl Fn(f64) -> f64) -> Vec<f64> {
    let angle = std::f64::consts::PI / count as f64;
    let cosines: Vec<f64> = (0..4 * count).map(|half| (angle / 2.0 * half as f64).cos()).collect();
    let values: Vec<f64> = (0..count).map(|node| value(cosines[2 * node + 1])).collect();
    let term = |number: usize| {
        let sum: f64 = values
            .iter()
            .enumerate()
            .map(|(node, value)| {
                // The cosine has a period of four times the count.
                value * cosines[number * (2 * node + 1) % (4 * count)]
            })
            .sum();
        sum * if number == 0 { 1.0 } else { 2.0 } / count as f64
    };
    (0..count).map(term).collect()
}
