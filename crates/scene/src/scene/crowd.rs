//! A crowd: one figure many times on a grid, each at its own time of the clips. It must not depend on how it is drawn.

use std::fmt;
use std::str::FromStr;

use glam::DVec3;
use sinew_model::Period;

/// The gaps between figures, as a share of their size.
const GAP: f64 = 0.15;

/// Period of a crowd, in lengths of the clip. By then each figure has gone through the clip a whole number of times:
/// 6 to 10.
pub const LAPS: u32 = 8;

/// Number of copies of a figure, and the seed of their random times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowd {
    /// Number of figures, at least one.
    pub count: u32,
    /// Seed of the random times; different seeds give different motion.
    pub seed: u64,
}

/// A figure of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Offset from the model's own position.
    pub place: DVec3,
    /// Time of its clips, in seconds.
    pub time_secs: f64,
}

/// The grid that a crowd stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    columns: u32,
    rows: u32,
    /// Distances between figures, to the right and to the front.
    step: [f64; 2],
}

impl Crowd {
    /// The largest number of figures in a crowd.
    pub const MAX: u32 = 100_000;

    /// Returns the grid for figures with a hull of this size.
    pub fn grid(&self, size: DVec3) -> Grid {
        let step = |side: f64, other: f64| match (side.max(0.0), other.max(0.0)) {
            // A flat figure still needs room.
            (side, other) if side < other * 0.1 => other * 0.5,
            (side, _) => side * (1.0 + GAP),
        };
        let step = [step(size.x, size.z), step(size.z, size.x)];
        // About as wide as it is deep; a row if the size is zero or not a number.
        let columns = (f64::from(self.count) * step[1] / step[0]).sqrt().round();
        let columns = (columns.clamp(1.0, f64::from(self.count.max(1))) as u32).max(1);
        Grid { columns, rows: self.count.div_ceil(columns), step }
    }

    /// Returns a figure's position, and the time of its clips, which play in `period`, at time `time_secs` of the
    /// crowd's clock.
    pub fn member(&self, number: u32, grid: &Grid, time_secs: f64, period: Period) -> Member {
        let length_secs = period.length();
        let random = scattered(self.seed, number);
        // Figures begin anywhere in the clip, and play it at three to five quarters of its speed.
        let phase = (random >> 11) as f64 / (1u64 << 53) as f64;
        let rounds = 6 + (random & 0x7ff) * 5 / 0x800;
        let time_secs = match length_secs > 0.0 && length_secs.is_finite() {
            true => {
                let speed = rounds as f64 / f64::from(LAPS);
                let gone = (time_secs - period.start) * speed;
                period.start + (gone + phase * length_secs).rem_euclid(length_secs)
            }
            false => time_secs,
        };
        Member { place: grid.place(number), time_secs }
    }
}

impl Grid {
    /// Returns a figure's position. The grid's centre is at the model's own position.
    pub fn place(&self, number: u32) -> DVec3 {
        let middle = |count: u32| f64::from(count.saturating_sub(1)) / 2.0;
        let (column, row) = (number % self.columns, number / self.columns);
        let x = (f64::from(column) - middle(self.columns)) * self.step[0];
        let z = (f64::from(row) - middle(self.rows)) * self.step[1];
        DVec3::new(x, 0.0, z)
    }

    /// Returns the positions of the outermost figures: the ends of rows.
    pub fn ends(&self, count: u32) -> impl Iterator<Item = DVec3> {
        let last = count.saturating_sub(1);
        let ends = move |row: u32| {
            let first = row * self.columns;
            [first.min(last), (first + self.columns - 1).min(last)].map(|number| self.place(number))
        };
        // Rows between the first and the last two are no wider.
        let rows = [0, self.rows.saturating_sub(2), self.rows.saturating_sub(1)];
        rows.into_iter().flat_map(ends)
    }
}

/// Hashes a seed and a number to 64 bits: SplitMix64 (Steele, Lea, Flood 2014).
fn scattered(seed: u64, number: u32) -> u64 {
    let mut bits = seed.wrapping_add((u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Error for text that is no number of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCount;

impl fmt::Display for NoCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a number of figures from 1 to {}, such as 100", Crowd::MAX)
    }
}

impl std::error::Error for NoCount {}

/// Parses a number of figures.
pub fn count(text: &str) -> Result<u32, NoCount> {
    u32::from_str(text).ok().filter(|count| (1..=Crowd::MAX).contains(count)).ok_or(NoCount)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CROWD: Crowd = Crowd { count: 10, seed: 1 };
    const TWO: Period = Period { start: 0.0, end: 2.0 };

    #[test]
    fn figures_stand_on_a_grid_around_the_middle() {
        let grid = CROWD.grid(DVec3::new(2.0, 1.0, 4.0));
        let places: Vec<DVec3> = (0..10).map(|number| grid.place(number)).collect();
        for (number, a) in places.iter().enumerate() {
            for b in &places[..number] {
                let apart = (*a - *b).abs();
                assert!(apart.x > 2.0 || apart.z > 4.0, "{a} {b}");
            }
        }
        // Figures are twice as deep as wide: four columns and three rows.
        assert_eq!(places[0], -places[3] * DVec3::new(1.0, 1.0, -1.0));
        assert_eq!((places[4].z, places[9].z), (0.0, -places[1].z));
        let outermost = |axis: fn(DVec3) -> f64, places: &[DVec3]| {
            let of = |start, pick: fn(f64, f64) -> f64| places.iter().map(|p| axis(*p)).fold(start, pick);
            [of(f64::INFINITY, f64::min), of(f64::NEG_INFINITY, f64::max)]
        };
        let ends: Vec<DVec3> = grid.ends(10).collect();
        for axis in [|p: DVec3| p.x, |p: DVec3| p.z, |p: DVec3| p.x + p.z, |p: DVec3| p.x - p.z] {
            assert_eq!(outermost(axis, &ends), outermost(axis, &places));
        }
    }

    #[test]
    fn one_figure_stands_where_the_model_places_it() {
        let one = Crowd { count: 1, seed: 7 };
        let grid = one.grid(DVec3::ONE);
        assert_eq!(grid.place(0), DVec3::ZERO);
        assert!(grid.ends(1).all(|end| end == DVec3::ZERO));
    }

    #[test]
    fn flat_figures_do_not_stand_in_each_other() {
        let grid = Crowd { count: 4, seed: 0 }.grid(DVec3::new(2.0, 2.0, 0.0));
        assert!((grid.place(2) - grid.place(0)).z >= 1.0);
    }

    #[test]
    fn figures_have_times_of_their_own_and_come_round() {
        let grid = CROWD.grid(DVec3::ONE);
        let times = |time: f64| (0..10).map(move |number| CROWD.member(number, &grid, time, TWO).time_secs);
        let early: Vec<f64> = times(0.0).collect();
        assert!(early.iter().all(|time| (0.0..2.0).contains(time)));
        for (number, time) in early.iter().enumerate() {
            assert!(early[..number].iter().all(|other| (other - time).abs() > 1e-6));
        }
        // Every speed occurs, and after eight lengths every figure is where it was.
        let moved: Vec<f64> =
            times(0.5).zip(&early).map(|(now, then)| (now - then).rem_euclid(2.0)).collect();
        let mut speeds: Vec<u32> = moved.iter().map(|moved| (moved * 16.0).round() as u32).collect();
        speeds.sort_unstable();
        speeds.dedup();
        assert!(speeds.len() >= 3 && speeds.iter().all(|speed| (6..=10).contains(speed)), "{speeds:?}");
        for (then, now) in early.iter().zip(times(2.0 * f64::from(LAPS))) {
            let apart = (then - now).abs();
            assert!(apart < 1e-9 || 2.0 - apart < 1e-9);
        }
        let other = Crowd { seed: 2, ..CROWD };
        assert_ne!(other.member(0, &grid, 0.0, TWO), CROWD.member(0, &grid, 0.0, TWO));
        // Without a clip, the time passes through unchanged.
        assert_eq!(CROWD.member(3, &grid, 0.25, Period::default()).time_secs, 0.25);
    }

    #[test]
    fn counts() {
        assert_eq!(count("1"), Ok(1));
        assert_eq!(count("100000"), Ok(100_000));
        for wrong in ["0", "-1", "100001", "1.5", "", "many"] {
            assert_eq!(count(wrong), Err(NoCount), "{wrong}");
        }
    }
}
