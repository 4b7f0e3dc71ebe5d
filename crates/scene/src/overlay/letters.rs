//! The glyphs of overlays. Draws each once into an image of coverage, and once more, fatter, as a rim that keeps it
//! legible on any background.

use std::borrow::Cow;
use std::collections::HashMap;

use ab_glyph::{Font, FontRef, Glyph, GlyphId, PxScale, ScaleFont, point};

use sinew_text::writing::{self, ELLIPSIS, Source, line};

/// Width of the coverage image.
const WIDTH: u32 = 1024;

/// Largest height of the coverage image; glyphs that do not fit are not drawn.
const MAX_ROWS: u32 = 4096;

/// Width of the rim around a glyph, in line heights.
const RIM: f32 = 0.11;

/// The longest name, in characters.
const MAX_NAME: usize = 40;

/// The font that sets line height and advance.
const MAIN: Source = Source::BuiltIn(0);

/// Glyphs of one size.
pub struct Letters {
    font: Option<&'static FontRef<'static>>,
    /// Height of a line in pixels.
    height: u32,
    /// Glyphs by font and index; the main font's box stands for every character that no font has.
    drawn: HashMap<(Source, GlyphId), Drawn>,
    coverage: Vec<u8>,
    /// Position of the next glyph, and of the row below it.
    free: [u32; 2],
    next_row: u32,
    generation: u64,
}

fn font_of(source: Source) -> Option<&'static FontRef<'static>> {
    writing::face(source).map(|face| &face.font)
}

/// A glyph's position in the coverage image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Left and upper pixel.
    pub at: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
    /// Offset from the pen on the base line to the upper left.
    pub from_pen: [i32; 2],
}

/// A glyph's body and rim; both absent if it is blank.
#[derive(Clone, Copy, Default)]
struct Drawn {
    body: Option<Place>,
    rim: Option<Place>,
}

/// Coverage of pixels, row by row.
struct Stencil {
    size: [u32; 2],
    from_pen: [i32; 2],
    coverage: Vec<f32>,
}

impl Default for Letters {
    fn default() -> Self {
        Self {
            font: font_of(MAIN),
            height: 0,
            drawn: HashMap::new(),
            coverage: Vec::new(),
            free: [0; 2],
            next_row: 0,
            generation: 0,
        }
    }
}

impl Letters {
    /// Returns the size of the coverage image and its bytes, one per pixel; both change only when
    /// [`Letters::generation`] does.
    pub fn coverage(&self) -> ([u32; 2], &[u8]) {
        ([WIDTH, self.coverage.len() as u32 / WIDTH], &self.coverage)
    }

    /// Returns a number that changes whenever the coverage image does.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Sets the size of subsequent text.
    pub(super) fn set_height(&mut self, height: u32) {
        if self.height != height {
            self.height = height;
            self.drawn.clear();
            self.coverage.clear();
            (self.free, self.next_row) = ([0; 2], 0);
            self.generation += 1;
        }
    }

    /// Returns the main font's advance; it is monospaced.
    pub(super) fn advance(&self) -> f32 {
        self.scaled(|font| font.h_advance(font.glyph_id('0')).round())
    }

    /// Returns the advance of a character.
    pub(super) fn advance_of(&self, letter: char) -> f32 {
        match self.glyph(letter) {
            (MAIN, _) => self.advance(),
            (source, id) => font_of(source)
                .map_or(0.0, |font| font.as_scaled(self.scale_of(source, font)).h_advance(id).round()),
        }
    }

    /// Returns the distance from the first pen to the last.
    pub(super) fn width_of(&self, text: &str) -> f32 {
        text.chars().map(|letter| self.advance_of(letter)).sum()
    }

    /// Returns a text in drawing order, from left to right. An ellipsis replaces the end of one wider than `width`.
    pub(super) fn fitting<'a>(&self, text: &'a str, width: f32) -> Cow<'a, str> {
        let whole = line(text);
        if self.width_of(&whole) <= width {
            return whole;
        }
        let begun = |count: usize| {
            let begun: String = text.chars().take(count).collect();
            line(&format!("{}{ELLIPSIS}", begun.trim_end())).into_owned()
        };
        // Joined glyphs can be slightly wider when separated.
        let (mut fits, mut beyond) = (0, text.chars().count());
        while beyond - fits > 1 {
            let middle = fits.midpoint(beyond);
            match self.width_of(&begun(middle)) <= width {
                true => fits = middle,
                false => beyond = middle,
            }
        }
        let begun = begun(fits);
        Cow::Owned(if self.width_of(&begun) <= width { begun } else { String::new() })
    }

    /// Returns a name in drawing order, of at most [`MAX_NAME`] characters.
    pub(super) fn name<'a>(&self, name: &'a str) -> Cow<'a, str> {
        match name.char_indices().nth(MAX_NAME) {
            Some(_) => self.fitting(name, MAX_NAME as f32 * self.advance()),
            None => line(name),
        }
    }

    /// Wraps a text into lines in drawing order, each at most `width` wide. Breaks at spaces, and within words that
    /// are too long. An ellipsis ends the last line if there would be more than `most`.
    pub(super) fn wrapped(&self, text: &str, width: f32, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for mut word in text.split_whitespace() {
            while let Some((begin, rest)) = self.broken(word, width).filter(|_| lines.len() + 1 < most) {
                lines.push(begin.to_owned());
                word = rest;
            }
            let is_full = lines.len() >= most;
            match lines.last_mut() {
                Some(last) if is_full || self.width_of(&line(&format!("{last} {word}"))) <= width => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        let lines = lines.iter().map(|line| self.fitting(line, width).into_owned());
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// Splits a word into a beginning that fits into a width, and the rest. Breaks after a punctuation mark if the
    /// beginning has one. `None` if all of it fits, or nothing.
    fn broken<'a>(&self, word: &'a str, width: f32) -> Option<(&'a str, &'a str)> {
        let fits = |end: usize| word.get(..end).is_some_and(|begin| self.width_of(&line(begin)) <= width);
        if fits(word.len()) {
            return None;
        }
        let ends = || word.char_indices().map(|(at, letter)| (at + letter.len_utf8(), letter));
        let fitting = ends().take_while(|(end, _)| fits(*end));
        let (last, _) = fitting.clone().last()?;
        let sign = fitting.filter(|(_, letter)| ":/\\_-.=,@".contains(*letter)).last();
        word.split_at_checked(sign.map_or(last, |(end, _)| end))
    }

    /// Returns the ascent above the base line, and the descent below it.
    pub(super) fn rise_and_fall(&self) -> [f32; 2] {
        [self.scaled(|font| font.ascent().ceil()), self.scaled(|font| -font.descent().floor())]
    }

    fn scaled(&self, measure: impl Fn(&ab_glyph::PxScaleFont<&FontRef<'static>>) -> f32) -> f32 {
        self.font.map_or(0.0, |font| measure(&font.as_scaled(PxScale::from(self.height as f32))))
    }

    /// Returns the font and glyph of a character; the main font's box if no font has it.
    fn glyph(&self, letter: char) -> (Source, GlyphId) {
        let main = self.font.map_or(GlyphId(0), |font| font.glyph_id(letter));
        if main.0 != 0 {
            return (MAIN, main);
        }
        let other = writing::source(letter);
        let glyph = other.and_then(|source| Some((source, font_of(source)?.glyph_id(letter))));
        glyph.unwrap_or((MAIN, main))
    }

    /// Returns the scale at which a font matches the size of the main one.
    fn scale_of(&self, source: Source, font: &FontRef<'static>) -> PxScale {
        let height = self.height as f32;
        let tall = |font: &FontRef<'static>| Some(font.height_unscaled() / font.units_per_em()?);
        let ratio = self.font.and_then(tall).zip(tall(font)).map(|(main, other)| other / main);
        // Some fonts report nonsensical sizes.
        let ratio = ratio.filter(|ratio| source != MAIN && (0.3..3.0).contains(ratio));
        PxScale::from(height * ratio.unwrap_or(1.0))
    }

    /// Returns the position of a glyph's body, or of its rim. `None` for spaces, and if the image is full.
    pub(super) fn place(&mut self, letter: char, rim: bool) -> Option<Place> {
        let glyph = self.glyph(letter);
        if !self.drawn.contains_key(&glyph) {
            let drawn = self.draw(glyph);
            self.drawn.insert(glyph, drawn);
        }
        let drawn = self.drawn.get(&glyph)?;
        if rim { drawn.rim } else { drawn.body }
    }

    fn draw(&mut self, glyph: (Source, GlyphId)) -> Drawn {
        if self.next_row >= MAX_ROWS {
            return Drawn::default();
        }
        let Some(body) = self.stencil(glyph) else { return Drawn::default() };
        let rim = body.fattened((self.height as f32 * RIM).max(1.0));
        Drawn { body: self.keep(&body), rim: self.keep(&rim) }
    }

    fn stencil(&self, (source, id): (Source, GlyphId)) -> Option<Stencil> {
        let font = font_of(source)?;
        let glyph = Glyph { id, scale: self.scale_of(source, font), position: point(0.0, 0.0) };
        let outline = font.outline_glyph(glyph)?;
        let bounds = outline.px_bounds();
        let size = [bounds.width().ceil() as u32, bounds.height().ceil() as u32];
        // A broken font must not cost unbounded memory; larger glyphs would not fit anyway.
        if size.iter().any(|side| *side > WIDTH) {
            return None;
        }
        let mut coverage = vec![0.0; size[0] as usize * size[1] as usize];
        outline.draw(|x, y, covered| {
            if let Some(pixel) = coverage.get_mut(y as usize * size[0] as usize + x as usize) {
                *pixel = covered.clamp(0.0, 1.0);
            }
        });
        Some(Stencil { size, from_pen: [bounds.min.x as i32, bounds.min.y as i32], coverage })
    }

    /// Copies a stencil into the image: beside the last one, or below it.
    fn keep(&mut self, stencil: &Stencil) -> Option<Place> {
        let [width, height] = stencil.size;
        if self.free[0] + width > WIDTH {
            self.free = [0, self.next_row];
        }
        if width > WIDTH || height == 0 || self.free[1] + height > MAX_ROWS {
            // Stop here: all glyphs of one size need about as much room.
            self.next_row = self.next_row.max(if height == 0 { 0 } else { MAX_ROWS });
            return None;
        }
        let at = self.free;
        self.free[0] += width;
        self.next_row = self.next_row.max(at[1] + height);
        self.coverage.resize(self.next_row as usize * WIDTH as usize, 0);
        let rows = self.coverage.chunks_exact_mut(WIDTH as usize).skip(at[1] as usize);
        for (to, from) in rows.zip(stencil.coverage.chunks_exact(width.max(1) as usize)) {
            let to = to.get_mut(at[0] as usize..).unwrap_or_default();
            to.iter_mut().zip(from).for_each(|(to, from)| *to = (from * 255.0).round() as u8);
        }
        self.generation += 1;
        Some(Place { at, size: stencil.size, from_pen: stencil.from_pen })
    }
}

impl Stencil {
    /// Returns the stencil grown by `radius` pixels on all sides.
    fn fattened(&self, radius: f32) -> Self {
        let reach = radius.ceil() as i32;
        let [width, height] = self.size.map(|side| side as i32);
        let size = [width + 2 * reach, height + 2 * reach];
        let near = |x: i32, y: i32| {
            let around = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)));
            around.fold(0.0_f32, |most, (dx, dy)| {
                let (at_x, at_y) = (x + dx, y + dy);
                if !(0..width).contains(&at_x) || !(0..height).contains(&at_y) {
                    return most;
                }
                let covered = self.coverage.get((at_y * width + at_x) as usize).copied().unwrap_or(0.0);
                let inside = (radius + 0.5 - ((dx * dx + dy * dy) as f32).sqrt()).clamp(0.0, 1.0);
                most.max(covered * inside)
            })
        };
        let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        let coverage = pixels.map(|(x, y)| near(x - reach, y - reach)).collect();
        let [left, top] = self.from_pen;
        Self { size: size.map(|side| side as u32), from_pen: [left - reach, top - reach], coverage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of covered pixels in a glyph's position.
    fn ink(letters: &Letters, place: Place) -> f32 {
        let ([width, _], coverage) = letters.coverage();
        let pixels = (0..place.size[1]).flat_map(|y| (0..place.size[0]).map(move |x| (x, y)));
        pixels
            .map(|(x, y)| f32::from(coverage[((place.at[1] + y) * width + place.at[0] + x) as usize]) / 255.0)
            .sum()
    }

    #[test]
    fn letters_are_drawn_once_and_side_by_side() {
        let mut letters = Letters::default();
        letters.set_height(16);
        let i = letters.place('i', false).unwrap();
        let m = letters.place('M', false).unwrap();
        let generation = letters.generation();
        assert_eq!((letters.place('i', false), letters.generation()), (Some(i), generation));
        let apart = |a: Place, b: Place| {
            (0..2).any(|axis| {
                a.at[axis] + a.size[axis] <= b.at[axis] || b.at[axis] + b.size[axis] <= a.at[axis]
            })
        };
        let rim = letters.place('M', true).unwrap();
        assert!(apart(i, m) && apart(m, rim) && apart(i, rim), "{i:?} {m:?} {rim:?}");
        assert!(ink(&letters, m) > ink(&letters, i) && ink(&letters, i) > 5.0);
        assert!(ink(&letters, rim) > ink(&letters, m) * 1.3);
        assert_eq!(letters.place(' ', false), None);
        assert!(letters.advance() >= m.size[0] as f32);

        letters.set_height(32);
        assert!(letters.generation() > generation);
        let large = letters.place('M', false).unwrap();
        assert!(large.size[1] >= 2 * m.size[1] - 2, "{large:?}");
    }

    /// A file's names determine the number of glyphs, so the image must have a limit.
    #[test]
    fn letters_without_end_are_not_kept() {
        let mut letters = Letters::default();
        letters.set_height(64);
        for letter in (0x21..0x3000).filter_map(char::from_u32) {
            letters.place(letter, false);
        }
        let ([_, rows], coverage) = letters.coverage();
        assert!(rows <= MAX_ROWS && coverage.len() == (WIDTH * rows) as usize);
        // The font has one box for all missing characters.
        letters.set_height(16);
        let first = letters.place('\u{4e00}', false).unwrap();
        let generation = letters.generation();
        for letter in (0x4e01..0x5000).filter_map(char::from_u32) {
            assert_eq!(letters.place(letter, false), Some(first));
        }
        assert_eq!(letters.generation(), generation);
    }
}
