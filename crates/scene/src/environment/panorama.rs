//! A panorama reduced to the resolution of blurred reflections, with smaller levels for blurrier ones, read by
//! direction.

use super::prefilter::Vector;

/// The largest width and height. A pixel is as wide as a texel of the sharpest mirror image.
const LARGEST: [usize; 2] = [256, 128];

/// Number of levels, each half as wide as the previous one.
const SIZES: usize = 4;

/// The brightest light of a pixel: the largest value of half precision.
const BRIGHTEST: f64 = 65_504.0;

/// Gathers the rows of a picture into a panorama.
pub struct Gather {
    from: [usize; 2],
    size: [usize; 2],
    sums: Vec<[f64; 3]>,
    counts: Vec<u32>,
}

/// One level of a panorama.
#[derive(Clone, Debug)]
struct Level {
    size: [usize; 2],
    light: Vec<[f64; 3]>,
}

/// Light by direction.
#[derive(Clone, Debug)]
pub struct Panorama {
    levels: Vec<Level>,
}

impl Gather {
    /// Starts a panorama from a picture of this width and height.
    pub fn new(from: [usize; 2]) -> Self {
        let size = [from[0].clamp(1, LARGEST[0]), from[1].clamp(1, LARGEST[1])];
        let count = size[0] * size[1];
        Self { from, size, sums: vec![[0.0; 3]; count], counts: vec![0; count] }
    }

    /// Adds a row of pixels.
    pub fn add(&mut self, row: usize, pixels: &[[f32; 3]]) {
        let [width, height] = self.size;
        let start = (row * height / self.from[1].max(1)).min(height - 1) * width;
        for (column, pixel) in pixels.iter().enumerate() {
            let place = start + (column * width / self.from[0].max(1)).min(width - 1);
            if let (Some(sum), Some(count)) = (self.sums.get_mut(place), self.counts.get_mut(place)) {
                sum.iter_mut().zip(pixel).for_each(|(sum, light)| *sum += f64::from(*light));
                *count += 1;
            }
        }
    }

    /// Returns the panorama of all added rows.
    pub fn finish(self) -> Panorama {
        let mean = |(sum, count): (&[f64; 3], &u32)| {
            sum.map(|light| (light / f64::from((*count).max(1))).min(BRIGHTEST))
        };
        let light = self.sums.iter().zip(&self.counts).map(mean).collect();
        let mut levels = vec![Level { size: self.size, light }];
        while let Some(last) = levels.last().filter(|_| levels.len() < SIZES) {
            let smaller = last.halved();
            levels.push(smaller);
        }
        Panorama { levels }
    }
}

impl Level {
    fn at(&self, column: usize, row: usize) -> [f64; 3] {
        let [width, height] = self.size;
        let place = row.min(height - 1) * width + column % width;
        self.light.get(place).copied().unwrap_or_default()
    }

    /// Returns the mean of every four pixels.
    fn halved(&self) -> Self {
        let size = self.size.map(|side| side.div_ceil(2));
        let last = self.size.map(|side| side - 1);
        let light = (0..size[0] * size[1]).map(|place| {
            let (column, row) = (place % size[0] * 2, place / size[0] * 2);
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .map(|(right, down)| self.at((column + right).min(last[0]), (row + down).min(last[1])));
            [0, 1, 2].map(|color| four.iter().map(|light| light[color]).sum::<f64>() * 0.25)
        });
        Self { size, light: light.collect() }
    }
}

impl Panorama {
    /// Returns the light from a direction, blurrier at higher levels. The centre of the picture is ahead, towards −z;
    /// its right half is to the right.
    pub fn light(&self, direction: Vector, level: usize) -> [f64; 3] {
        let Some(level) = self.levels.get(level.min(self.levels.len().saturating_sub(1))) else {
            return [0.0; 3];
        };
        let Vector(x, y, z) = direction;
        let around = x.atan2(-z) / std::f64::consts::TAU + 0.5;
        let down = y.clamp(-1.0, 1.0).acos() / std::f64::consts::PI;
        let [width, height] = level.size;
        // Interpolates between the centres of four pixels. The picture wraps around, and ends above and below.
        let u = around * width as f64 - 0.5;
        let v = (down * height as f64 - 0.5).clamp(0.0, (height - 1) as f64);
        let (left, top) = (u.floor(), v.floor());
        let (right, below) = (u - left, v - top);
        let column = (left + width as f64) as usize;
        let row = top as usize;
        let mix = |a: [f64; 3], b: [f64; 3], share: f64| [0, 1, 2].map(|n| a[n] + (b[n] - a[n]) * share);
        let line = |row| mix(level.at(column, row), level.at(column + 1, row), right);
        mix(line(row), line(row + 1), below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panorama(size: [usize; 2], light: impl Fn(usize, usize) -> [f32; 3]) -> Panorama {
        let mut gather = Gather::new(size);
        for row in 0..size[1] {
            let pixels: Vec<[f32; 3]> = (0..size[0]).map(|column| light(column, row)).collect();
            gather.add(row, &pixels);
        }
        gather.finish()
    }

    #[test]
    fn directions_find_their_pixels() {
        // Red ahead, green to the right, blue behind, white above the horizon.
        for size in [[64, 32], [1000, 500], [8, 4]] {
            let seen = panorama(size, |column, row| match (column * 8 / size[0], row * 2 / size[1]) {
                (_, 0) => [1.0; 3],
                (3 | 4, _) => [1.0, 0.0, 0.0],
                (5 | 6, _) => [0.0, 1.0, 0.0],
                (7 | 0, _) => [0.0, 0.0, 1.0],
                _ => [0.0; 3],
            });
            // A small picture has only one pixel for each of these directions.
            for level in 0..if size[0] > 8 { 2 } else { 1 } {
                let near = |direction: Vector, wanted: [f64; 3]| {
                    let found = seen.light(direction.normalized(), level);
                    let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    assert!(off < 0.51 / (level + 1) as f64, "{size:?} {level} {direction:?}: {found:?}");
                };
                near(Vector(0.0, -0.5, -1.0), [1.0, 0.0, 0.0]);
                near(Vector(1.0, -0.5, 0.0), [0.0, 1.0, 0.0]);
                near(Vector(0.0, -0.5, 1.0), [0.0, 0.0, 1.0]);
                near(Vector(0.3, 1.0, 0.2), [1.0; 3]);
            }
        }
    }

    #[test]
    fn even_light_stays_so_at_every_size() {
        for size in [[1, 1], [3, 2], [255, 127], [300, 150]] {
            let seen = panorama(size, |_, _| [0.5, 2.0, 1e30]);
            for level in 0..9 {
                let [red, green, blue] = seen.light(Vector(0.6, 0.0, 0.8), level);
                assert!((red - 0.5).abs() < 1e-9 && (green - 2.0).abs() < 1e-9 && blue == BRIGHTEST);
            }
        }
    }
}
