//! The outline of the figure in a picture, and the likeness of two outlines. Neither depends on the pictures' colours or
//! light.

use sinew_image::{Image, flip};

/// The least difference between a channel of the figure and the background, of 255.
const APART: u8 = 20;

/// The least share of the border with one colour for the background to count as even.
const EVEN: f64 = 0.6;

/// The figure's coverage of each pixel, from 0 (none) to 255 (all).
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    width: usize,
    height: usize,
    pub(super) cover: Vec<u8>,
}

/// Treatment of a darker background.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shadows {
    /// Part of the figure, which may be grey.
    Figure,
    /// Part of the background.
    Background,
}

/// The darkest shadow, as a share of the background.
const DARKEST: f32 = 0.45;

/// The largest difference in tint between a shadow and its background, of 255.
const TINT: f32 = 8.0;

/// The place and size of a figure in a picture.
struct Spread {
    center: [f64; 2],
    radius: f64,
}

/// A colour.
type Color = [u8; 3];

/// The background behind the figure.
enum Background {
    /// A transparent background.
    Clear,
    /// One colour.
    Even(Color),
    /// In each row, colours between those of its two ends, as in a sky.
    Rows,
}

impl Outline {
    /// Returns two readings of the picture: everything but the background, and the same without possible shadows.
    pub fn readings(image: &Image) -> [Self; 2] {
        [Shadows::Figure, Shadows::Background].map(|shadows| {
            let mut outline = Self::with_holes(image, shadows);
            outline.fill();
            outline
        })
    }

    /// Finds the figure: the opaque part of a transparent picture, or the part that differs from the background. The border
    /// of the picture gives the background's colour. Enclosed areas count as figure, so that a part in the background's
    /// colour leaves no hole.
    pub fn of(image: &Image) -> Self {
        let [outline, _] = Self::readings(image);
        outline
    }

    /// Covers all pixels that are unreachable from the border without crossing the figure.
    fn fill(&mut self) {
        let (width, height) = (self.width, self.height);
        let mut is_outside = vec![false; self.cover.len()];
        let sides = (0..height).flat_map(|row| [row * width, (row * width + width).saturating_sub(1)]);
        let ends = (0..width).flat_map(|column| [column, (height * width).saturating_sub(width) + column]);
        let mut reached = Vec::new();
        let mut reach = |place: usize, reached: &mut Vec<usize>| {
            let is_free = self.cover.get(place).is_some_and(|cover| *cover < 128);
            if let Some(seen) = is_outside.get_mut(place).filter(|seen| is_free && !**seen) {
                *seen = true;
                reached.push(place);
            }
        };
        sides.chain(ends).for_each(|place| reach(place, &mut reached));
        while let Some(place) = reached.pop() {
            let column = place % width;
            let beside = [(column > 0).then(|| place - 1), (column + 1 < width).then_some(place + 1)];
            let above = [place.checked_sub(width), place.checked_add(width)];
            beside.into_iter().chain(above).flatten().for_each(|place| reach(place, &mut reached));
        }
        for (cover, is_outside) in self.cover.iter_mut().zip(is_outside) {
            if !is_outside && *cover < 128 {
                *cover = 255;
            }
        }
    }

    fn with_holes(image: &Image, shadows: Shadows) -> Self {
        let (width, height) = (image.width as usize, image.height as usize);
        let pixels = image.rgba.as_chunks::<4>().0;
        let background = background(pixels, width);
        let mut cover = Vec::with_capacity(pixels.len());
        for row in pixels.chunks(width.max(1)) {
            let (Some(first), Some(last)) = (row.first(), row.last()) else { continue };
            for (column, pixel) in row.iter().enumerate() {
                let behind = match &background {
                    Background::Clear => {
                        cover.push(pixel[3]);
                        continue;
                    }
                    Background::Even(color) => *color,
                    Background::Rows => {
                        let part = column as f32 / row.len().saturating_sub(1).max(1) as f32;
                        between(color_of(first), color_of(last), part)
                    }
                };
                let color = color_of(pixel);
                let is_figure =
                    is_apart(color, behind) && !(shadows == Shadows::Background && is_shaded(color, behind));
                cover.push(if is_figure { 255 } else { 0 });
            }
        }
        Self { width, height, cover }
    }

    /// Scales the outline to another size; each pixel takes the mean of the pixels that it replaces.
    pub fn resized(&self, [width, height]: [u32; 2]) -> Self {
        let (width, height) = (width as usize, height as usize);
        let part = |number: usize, of: usize, whole: usize| {
            let first = number * whole / of.max(1);
            first..((number + 1) * whole / of.max(1)).max(first + 1).min(whole.max(1))
        };
        let mut cover = Vec::with_capacity(width * height);
        for row in 0..height {
            let rows = part(row, height, self.height);
            for column in 0..width {
                let columns = part(column, width, self.width);
                let places =
                    rows.clone().flat_map(|row| columns.clone().map(move |column| row * self.width + column));
                let count = (rows.len() * columns.len()).max(1);
                let sum: usize =
                    places.filter_map(|place| self.cover.get(place)).map(|&cover| usize::from(cover)).sum();
                cover.push((sum / count) as u8);
            }
        }
        Self { width, height, cover }
    }

    /// Returns true if no pixel shows the figure.
    pub fn is_empty(&self) -> bool {
        self.cover.iter().all(|cover| *cover == 0)
    }

    /// Moves and scales the figure onto another: to its centre and its spread. Other programs seldom have the same zoom.
    pub fn aligned_to(&self, other: &Self) -> Self {
        let (Some(from), Some(to)) = (self.spread(), other.spread()) else { return self.clone() };
        let scale = from.radius / to.radius;
        let source = |at: usize, axis: usize| (at as f64 - to.center[axis]) * scale + from.center[axis];
        let cover = |column: usize, row: usize| {
            let [x, y] = [source(column, 0), source(row, 1)].map(f64::round);
            let is_inside = (0.0..self.width as f64).contains(&x) && (0.0..self.height as f64).contains(&y);
            let place = if is_inside { Some(y as usize * self.width + x as usize) } else { None };
            place.and_then(|place| self.cover.get(place)).copied().unwrap_or(0)
        };
        let rows = (0..other.height).flat_map(|row| (0..other.width).map(move |column| (column, row)));
        let cover = rows.map(|(column, row)| cover(column, row)).collect();
        Self { width: other.width, height: other.height, cover }
    }

    /// Returns the figure's centroid, and the root of its pixels' mean squared distance from there; `None` for a figure of
    /// fewer than two pixels.
    fn spread(&self) -> Option<Spread> {
        let mut sums = [0.0; 4];
        for (place, cover) in self.cover.iter().enumerate() {
            let weight = f64::from(*cover);
            let [x, y] = [place % self.width.max(1), place / self.width.max(1)].map(|at| at as f64);
            let terms = [weight, weight * x, weight * y, weight * (x * x + y * y)];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        let [weight, x, y, squares] = sums;
        let center = [x / weight, y / weight];
        let radius = (squares / weight - center[0] * center[0] - center[1] * center[1]).sqrt();
        (radius.is_finite() && radius > 0.0).then_some(Spread { center, radius })
    }

    /// Draws the outline in white on black.
    fn picture(&self) -> Image {
        let rgba = self.cover.iter().flat_map(|&cover| [cover, cover, cover, 255]).collect();
        Image { width: self.width as u32, height: self.height as u32, rgba }
    }
}

/// Returns the likeness of two outlines of one size, from 0 to 1. It is one minus the sum of the FLIP differences of all
/// pixels, relative to the sum of both outlines' differences from an empty picture. Disjoint outlines score 0, and two empty
/// ones 1.
pub fn likeness(a: &Outline, b: &Outline) -> f64 {
    if (a.width, a.height) != (b.width, b.height) {
        return 0.0;
    }
    if a == b {
        return 1.0;
    }
    let black = Outline { cover: vec![0; a.cover.len()], ..*a }.picture();
    let (a, b) = (a.picture(), b.picture());
    let apart = |a, b| flip(a, b).into_iter().map(f64::from).sum::<f64>();
    (1.0 - apart(&a, &b) / (apart(&a, &black) + apart(&b, &black))).clamp(0.0, 1.0)
}

fn color_of(&[r, g, b, _]: &[u8; 4]) -> Color {
    [r, g, b]
}

fn is_apart(a: Color, b: Color) -> bool {
    a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > APART)
}

/// Returns true if a colour is another one in shadow.
fn is_shaded(color: Color, lit: Color) -> bool {
    let sum = |color: Color| color.iter().map(|channel| f32::from(*channel)).sum::<f32>();
    let share = sum(color) / sum(lit).max(1.0);
    let mut channels = color.iter().zip(lit);
    (DARKEST..=1.0).contains(&share)
        && channels.all(|(channel, lit)| (f32::from(*channel) - f32::from(lit) * share).abs() <= TINT)
}

fn between(a: Color, b: Color, part: f32) -> Color {
    let mix = |channel: usize| f32::from(a[channel]) * (1.0 - part) + f32::from(b[channel]) * part;
    [0, 1, 2].map(|channel| mix(channel).round() as u8)
}

fn background(pixels: &[[u8; 4]], width: usize) -> Background {
    let rows = pixels.chunks(width.max(1));
    let sides = rows.clone().filter_map(|row| Some([*row.first()?, *row.last()?])).flatten();
    let ends = rows.clone().take(1).chain(rows.last()).flatten().copied();
    let border: Vec<[u8; 4]> = sides.chain(ends).collect();
    let clear = border.iter().filter(|pixel| pixel[3] < 128).count();
    if clear * 2 > border.len() {
        return Background::Clear;
    }
    let border: Vec<Color> = border.iter().map(color_of).collect();
    let middle = [0, 1, 2].map(|channel| {
        let mut values: Vec<u8> = border.iter().map(|color| color[channel]).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default()
    });
    let even = border.iter().filter(|color| !is_apart(**color, middle)).count();
    if even as f64 >= EVEN * border.len() as f64 { Background::Even(middle) } else { Background::Rows }
}
