//! The sheet that overlays draw on: strokes between points of the world, areas and text at pixels, all as triangles.

use bytemuck::{Pod, Zeroable};
use glam::{DMat4, DVec3, DVec4};

use super::letters::Letters;
use super::seen::seen;
use super::spots::Spot;
use crate::camera::Camera;
use crate::look::unit;
use crate::shared::{MARK_AREA, MARK_LETTER, MARK_RING};
use sinew_model::srgb;

/// A corner of a triangle; three in a row make one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Mark {
    /// Position in the whole picture, −1 to 1, y down; and depth, 1 near and 0 far.
    pub place: [f32; 3],
    /// Strokes: the position along and across, in pixels. Rings: the position from the centre, in pixels. Glyphs: the
    /// pixel of the coverage image.
    pub within: [f32; 2],
    /// Strokes: the length and the radii at both ends, in pixels. Glyphs: −1. Plain areas: −2. Rings: −3, the radius
    /// and half the thickness.
    pub shape: [f32; 3],
    /// Linear colour and alpha.
    pub color: [f32; 4],
}

const LETTER: [f32; 3] = [MARK_LETTER, 0.0, 0.0];
const AREA: [f32; 3] = [MARK_AREA, 0.0, 0.0];

/// Nearer than anything in the picture.
const ON_TOP: f32 = 1.0;

/// As far as the background.
const FARTHEST: f32 = 0.0;

/// A linear colour with alpha.
pub type Ink = [f32; 4];

/// A light ink, also for text on dark plates.
pub const LIGHT: Ink = [0.92, 0.92, 0.92, 1.0];

/// The ink for text on light plates.
const DARK: Ink = [0.008, 0.009, 0.012, 1.0];

/// The rim around strokes, which keeps them visible on any background.
pub const RIM: Ink = [0.012, 0.013, 0.016, 0.8];

/// The plates behind light text and behind dark text. Over the brightest or darkest figure, they leave a contrast of
/// 4.5.
const PLATES: [Ink; 2] = [[DARK[0], DARK[1], DARK[2], 0.88], [LIGHT[0], LIGHT[1], LIGHT[2], 0.55]];

/// Converts an sRGB colour to an ink.
pub fn ink(color: [u8; 3], alpha: f32) -> Ink {
    let [r, g, b] = color.map(|byte| srgb::to_linear(f64::from(byte) / 255.0) as f32);
    [r, g, b, alpha]
}

/// Order of a stroke relative to surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Hidden by all surfaces.
    Behind,
    /// Hidden by surfaces in front.
    Within,
    /// Above surfaces.
    Above,
    /// Above everything: text, and its plates.
    Text,
}

impl Layer {
    /// Returns the depth of a mark at a place of this depth.
    fn depth(self, depth: f64) -> f32 {
        match self {
            Self::Behind => FARTHEST,
            Self::Within => depth as f32,
            Self::Above | Self::Text => ON_TOP,
        }
    }
}

/// A stroke's end.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Position in the world.
    pub place: DVec3,
    /// Half the stroke's thickness there, in pixels.
    pub radius: f32,
    /// Colour at this end.
    pub ink: Ink,
}

/// A rectangle of pixels: left, top, right, bottom.
pub type Rect = [f32; 4];

/// Marks for one picture.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Marks that surfaces in front of them hide.
    pub within: Vec<Mark>,
    /// Marks above surfaces, followed by the text, above everything.
    pub above: Vec<Mark>,
    /// Text, until the sheet is complete.
    texts: Vec<Mark>,
    /// The shown joints.
    pub spots: Vec<Spot>,
    clip_from_world: DMat4,
    size: [f64; 2],
    /// The row above which text is light on dark.
    dark_above: f32,
    /// Rectangles that already hold text.
    written: Vec<Rect>,
}

impl Sheet {
    /// Creates a sheet. `dark_above` is the share of the picture, from the top, in which the background is dark.
    pub(super) fn new(camera: &Camera, size: [u32; 2], dark_above: f64, letters: &mut Letters) -> Self {
        let sheet = Self {
            within: Vec::new(),
            above: Vec::new(),
            texts: Vec::new(),
            spots: Vec::new(),
            clip_from_world: camera.clip_from_view * camera.view_from_world,
            size: size.map(|side| f64::from(side.max(1))),
            dark_above: (dark_above * f64::from(size[1].max(1))) as f32,
            written: Vec::new(),
        };
        // Legible in the smallest pictures; scales with large ones.
        letters.set_height((sheet.unit() * 15.0).round().clamp(11.0, 96.0) as u32);
        sheet
    }

    /// Completes the sheet: puts its text above all strokes.
    pub(super) fn complete(mut self) -> Self {
        self.above.append(&mut self.texts);
        self
    }

    /// Returns width and height.
    pub(super) fn size(&self) -> [f32; 2] {
        self.size.map(|side| side as f32)
    }

    /// Returns the size of a window's pixel, scaled up for larger pictures.
    pub(super) fn unit(&self) -> f32 {
        unit(self.size.map(|side| side as u32))
    }

    /// Returns a point in clip space, with y down.
    pub(super) fn clip(&self, place: DVec3) -> DVec4 {
        self.clip_from_world * place.extend(1.0)
    }

    /// Returns pixel and depth of a point in front of the camera.
    pub(super) fn pixel(&self, place: DVec3) -> Option<[f64; 3]> {
        let clip = self.clip(place);
        let is_seen = clip.is_finite() && clip.w > 1e-12 && (0.0..=clip.w).contains(&clip.z);
        is_seen.then(|| self.pixel_of(clip))
    }

    fn pixel_of(&self, clip: DVec4) -> [f64; 3] {
        let [x, y] = [clip.x, clip.y].map(|along| (along / clip.w) * 0.5 + 0.5);
        [x * self.size[0], y * self.size[1], (clip.z / clip.w).clamp(0.0, 1.0)]
    }

    /// Draws the visible part of a stroke; one without length is a dot.
    pub(super) fn stroke(&mut self, layer: Layer, from: End, to: End) {
        let clips = [from, to].map(|end| self.clip_from_world * end.place.extend(1.0));
        let Some(seen) = seen(clips) else { return };
        let ends = seen.map(|along| {
            let clip = clips[0].lerp(clips[1], along);
            let mix = |from: f32, to: f32| from + (to - from) * along as f32;
            let mut ink = from.ink;
            ink.iter_mut().zip(to.ink).for_each(|(ink, to)| *ink = mix(*ink, to));
            (self.pixel_of(clip), mix(from.radius, to.radius), ink)
        });
        self.flat_stroke(layer, ends);
    }

    /// Fills a triangle behind all surfaces. One that is not wholly in front of the camera is left out.
    pub(super) fn face(&mut self, corners: [DVec3; 3], color: Ink) {
        let [Some(a), Some(b), Some(c)] = corners.map(|corner| self.pixel(corner)) else { return };
        let corner = |[x, y, depth]: [f64; 3]| {
            let place = self.place([x, y], Layer::Behind.depth(depth));
            Mark { place, within: [0.0; 2], shape: AREA, color }
        };
        let marks = [a, b, c].map(corner);
        self.within.extend(marks);
    }

    /// Draws a stroke with a rim around it.
    pub(super) fn rimmed_stroke(&mut self, layer: Layer, from: End, to: End) {
        let width = self.unit().max(1.0) * 1.25;
        let rim = |end: End| End { radius: end.radius + width, ink: RIM, ..end };
        self.stroke(layer, rim(from), rim(to));
        self.stroke(layer, from, to);
    }

    /// Draws a ring around a point, `end.radius` pixels in radius and `thickness` pixels thick.
    pub(super) fn ring(&mut self, layer: Layer, end: End, thickness: f32) {
        let Some([x, y, depth]) = self.pixel(end.place) else { return };
        let depth = layer.depth(depth);
        let half = thickness * 0.5;
        let around = end.radius + half + 1.0;
        let corner = |right: f32, down: f32| {
            let within = [right * around, down * around];
            Mark {
                place: self.place([x + f64::from(within[0]), y + f64::from(within[1])], depth),
                within,
                shape: [MARK_RING, end.radius, half],
                color: end.ink,
            }
        };
        let corners = [corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, -1.0), corner(1.0, 1.0)];
        self.square(layer, corners);
    }

    fn flat_stroke(&mut self, layer: Layer, [from, to]: [([f64; 3], f32, Ink); 2]) {
        let ([x, y, from_depth], from_radius, from_ink) = from;
        let ([to_x, to_y, to_depth], to_radius, to_ink) = to;
        let (dx, dy) = (to_x - x, to_y - y);
        let length = dx.hypot(dy);
        let (dx, dy) = if length > 1e-6 { (dx / length, dy / length) } else { (1.0, 0.0) };
        let length = if length > 1e-6 { length } else { 0.0 };
        // Extends to the stroke's edge, and at least as far as a thin line needs.
        let around = f64::from(from_radius.max(to_radius)) + 1.0;
        let corner = |along: f64, beside: f64, depth: f64, color: Ink| Mark {
            place: self
                .place([x + dx * along - dy * beside, y + dy * along + dx * beside], layer.depth(depth)),
            within: [along as f32, beside as f32],
            shape: [length as f32, from_radius, to_radius],
            color,
        };
        let corners = [
            corner(-around, -around, from_depth, from_ink),
            corner(-around, around, from_depth, from_ink),
            corner(length + around, -around, to_depth, to_ink),
            corner(length + around, around, to_depth, to_ink),
        ];
        self.square(layer, corners);
    }

    /// Draws a line between two pixels, above strokes.
    pub(super) fn line(&mut self, ends: [[f32; 2]; 2], radius: f32, ink: Ink) {
        let ends = ends.map(|[x, y]| ([f64::from(x), f64::from(y), 1.0], radius, ink));
        self.flat_stroke(Layer::Text, ends);
    }

    /// Fills a rectangle above strokes, its ink changing from left to right.
    pub(super) fn area(&mut self, rect: Rect, inks: [Ink; 2]) {
        let corners = self.corners(rect, [0.0; 4], AREA, inks);
        self.square(Layer::Text, corners);
    }

    /// Draws a translucent plate for text. Returns true if it is dark.
    pub(super) fn plate(&mut self, rect: Rect) -> bool {
        let [width, height] = self.size();
        let [left, top, right, bottom] = rect;
        let is_dark = (top + bottom) * 0.5 < self.dark_above;
        let [dark, light] = PLATES;
        let rect = [left.max(0.0), top.max(0.0), right.min(width), bottom.min(height)].map(f32::round);
        self.area(rect, [if is_dark { dark } else { light }; 2]);
        self.reserve(rect);
        is_dark
    }

    /// Writes text on a plate, starting at a pen on a base line, or as near to it as the picture has room. Omits text
    /// wider than the picture. Names from files are in the form of [`line`](sinew_text::writing::line).
    pub(super) fn text(&mut self, letters: &mut Letters, [x, y]: [f32; 2], text: &str) {
        let ([width, height], [rise, fall]) = (self.size(), letters.rise_and_fall());
        let room = width - letters.width_of(text);
        if room < 0.0 {
            return;
        }
        let pen = [x.min(room).max(0.0), y.min(height - fall).max(rise)];
        let pen = pen.map(f32::round);
        let beside = (2.0 * self.unit()).round();
        let [left, top, right, bottom] = Self::text_rect(letters, pen, text);
        let is_dark = self.plate([left - beside, top, right + beside, bottom]);
        self.text_on(is_dark, letters, pen, text);
    }

    /// Writes text with a rim on an existing plate.
    pub(super) fn text_on(&mut self, is_dark: bool, letters: &mut Letters, pen: [f32; 2], text: &str) {
        let [rim_on_light, rim_on_dark] = [LIGHT, DARK].map(|[r, g, b, _]| [r, g, b, 0.75]);
        let [body, rim] = if is_dark { [LIGHT, rim_on_dark] } else { [DARK, rim_on_light] };
        self.letters(letters, pen, text, &[(true, rim), (false, body)]);
    }

    /// Writes text without a rim, on a background that the caller drew.
    pub(super) fn text_in(&mut self, letters: &mut Letters, pen: [f32; 2], text: &str, ink: Ink) {
        self.letters(letters, pen, text, &[(false, ink)]);
    }

    /// Draws glyphs, with rims on request.
    fn letters(&mut self, letters: &mut Letters, pen: [f32; 2], text: &str, inks: &[(bool, Ink)]) {
        let pen = pen.map(f32::round);
        for &(is_rim, ink) in inks {
            let mut next = pen[0];
            for letter in text.chars() {
                let at = next;
                next += letters.advance_of(letter);
                let Some(place) = letters.place(letter, is_rim) else { continue };
                let [width, height] = place.size.map(|side| side as f32);
                let left = at + place.from_pen[0] as f32;
                let top = pen[1] + place.from_pen[1] as f32;
                let [u, v] = place.at.map(|at| at as f32);
                let rect = [left, top, left + width, top + height];
                let corners = self.corners(rect, [u, v, u + width, v + height], LETTER, [ink; 2]);
                self.square(Layer::Text, corners);
            }
        }
        let rect = Self::text_rect(letters, pen, text);
        self.written.push(rect);
    }

    /// Writes text at the first of the pens with free room. Returns its rectangle if there was one.
    pub(super) fn text_where_free(
        &mut self,
        letters: &mut Letters,
        pens: &[[f32; 2]],
        text: &str,
    ) -> Option<Rect> {
        let rect = |pen: &[f32; 2]| Self::text_rect(letters, pen.map(f32::round), text);
        let (&pen, rect) = pens.iter().map(|pen| (pen, rect(pen))).find(|(_, rect)| self.is_free(*rect))?;
        self.text(letters, pen, text);
        Some(rect)
    }

    /// Reserves room at the lower edge for text of this length and returns its pen.
    pub(super) fn keep_corner(&mut self, letters: &Letters, text: &str) -> [f32; 2] {
        let [width, height] = self.size();
        let [_, fall] = letters.rise_and_fall();
        let (gap, long) = (6.0 * self.unit(), letters.width_of(text));
        let base = height - gap - fall;
        let pens = [[gap, base], [(width - long) * 0.5, base], [width - gap - long, base]];
        let is_free = |pen: &[f32; 2]| self.is_free(Self::text_rect(letters, *pen, text));
        let pen = pens.into_iter().find(is_free).unwrap_or([gap, base]);
        self.reserve(Self::text_rect(letters, pen, text));
        pen
    }

    /// Returns the rectangle that a text covers.
    pub(super) fn text_rect(letters: &Letters, pen: [f32; 2], text: &str) -> Rect {
        let [rise, fall] = letters.rise_and_fall();
        [pen[0], pen[1] - rise, pen[0] + letters.width_of(text), pen[1] + fall]
    }

    /// Returns true if the rectangle is free of text and inside the picture.
    pub(super) fn is_free(&self, rect: Rect) -> bool {
        let [width, height] = self.size();
        let [left, top, right, bottom] = rect;
        let overlaps =
            |other: &Rect| left < other[2] && other[0] < right && top < other[3] && other[1] < bottom;
        left >= 0.0 && top >= 0.0 && right <= width && bottom <= height && !self.written.iter().any(overlaps)
    }

    /// Returns the rectangles that hold text.
    #[cfg(test)]
    pub(super) fn written(&self) -> &[Rect] {
        &self.written
    }

    /// Keeps a rectangle free of text that is placed later.
    pub(super) fn reserve(&mut self, rect: Rect) {
        self.written.push(rect);
    }

    fn place(&self, [x, y]: [f64; 2], depth: f32) -> [f32; 3] {
        [(x / self.size[0] * 2.0 - 1.0) as f32, (y / self.size[1] * 2.0 - 1.0) as f32, depth]
    }

    fn corners(&self, rect: Rect, within: Rect, shape: [f32; 3], inks: [Ink; 2]) -> [Mark; 4] {
        let [left, top, right, bottom] = rect.map(f64::from);
        let [u, v, to_u, to_v] = within;
        let corner = |at: [f64; 2], within: [f32; 2], color: Ink| Mark {
            place: self.place(at, ON_TOP),
            within,
            shape,
            color,
        };
        [
            corner([left, top], [u, v], inks[0]),
            corner([left, bottom], [u, to_v], inks[0]),
            corner([right, top], [to_u, v], inks[1]),
            corner([right, bottom], [to_u, to_v], inks[1]),
        ]
    }

    fn square(&mut self, layer: Layer, [a, b, c, d]: [Mark; 4]) {
        let marks = match layer {
            Layer::Behind | Layer::Within => &mut self.within,
            Layer::Above => &mut self.above,
            Layer::Text => &mut self.texts,
        };
        marks.extend([a, b, c, c, b, d]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a sheet for a camera that looks along −z from 1 above the plane, where the picture's height is 1.
    fn sheet(letters: &mut Letters) -> Sheet {
        let camera = Camera {
            eye_in_world: DVec4::W,
            view_from_world: DMat4::IDENTITY,
            // x and y unchanged, y down; w is the distance in front; near is 0.1.
            clip_from_view: DMat4::from_cols(
                DVec4::X,
                DVec4::NEG_Y,
                DVec4::new(0.0, 0.0, 0.0, -1.0),
                DVec4::new(0.0, 0.0, 0.1, 0.0),
            ),
        };
        Sheet::new(&camera, [200, 100], 0.0, letters)
    }

    fn end(place: [f64; 3]) -> End {
        End { place: DVec3::from(place), radius: 2.0, ink: LIGHT }
    }

    #[test]
    fn places_have_pixels() {
        let sheet = sheet(&mut Letters::default());
        assert_eq!(sheet.pixel(DVec3::new(0.0, 0.0, -1.0)), Some([100.0, 50.0, 0.1]));
        assert_eq!(sheet.pixel(DVec3::new(1.0, 1.0, -2.0)), Some([150.0, 25.0, 0.05]));
        assert_eq!(sheet.pixel(DVec3::new(0.0, 0.0, 1.0)), None);
        assert_eq!(sheet.pixel(DVec3::new(f64::NAN, 0.0, -1.0)), None);
    }

    #[test]
    fn strokes_end_where_the_picture_does() {
        let mut sheet = sheet(&mut Letters::default());
        sheet.stroke(Layer::Above, end([0.0, 0.0, -1.0]), end([0.5, 0.0, -1.0]));
        let shape = sheet.above[0].shape;
        assert!((shape[0] - 50.0).abs() < 1e-4 && shape[1..] == [2.0, 2.0], "{shape:?}");
        // Nothing shows behind the camera, and a stroke from there begins at the near plane.
        sheet.above.clear();
        sheet.stroke(Layer::Within, end([0.0, 0.0, 1.0]), end([0.0, 0.5, 2.0]));
        assert!(sheet.within.is_empty());
        sheet.stroke(Layer::Within, end([0.0, 0.0, 1.0]), end([0.0, 0.0, -1.0]));
        let depths: Vec<f32> = sheet.within.iter().map(|mark| mark.place[2]).collect();
        assert!((depths[0] - 1.0).abs() < 1e-6 && (depths[5] - 0.1).abs() < 1e-6, "{depths:?}");
        assert!(sheet.within.iter().all(|mark| mark.place.iter().all(|number| number.is_finite())));
        // Far outside the picture, and not finite.
        sheet.stroke(Layer::Above, end([9.0, 0.0, -1.0]), end([9.0, 1.0, -1.0]));
        sheet.stroke(Layer::Above, end([f64::INFINITY, 0.0, -1.0]), end([0.0, 1.0, -1.0]));
        assert!(sheet.above.is_empty());
    }

    #[test]
    fn text_stays_in_the_picture_and_above_strokes() {
        let mut letters = Letters::default();
        for pen in [[-30.0, 40.0], [190.0, 40.0], [20.0, -9.0], [20.0, 130.0], [250.0, 250.0]] {
            let mut sheet = sheet(&mut letters);
            sheet.text(&mut letters, pen, "ab");
            sheet.stroke(Layer::Above, end([0.0, 0.0, -1.0]), end([0.5, 0.0, -1.0]));
            let written = sheet.written().to_vec();
            let is_inside = |[left, top, right, bottom]: &Rect| {
                *left >= 0.0 && *top >= 0.0 && *right <= 200.0 && *bottom <= 100.0
            };
            assert!(written.len() == 2 && written.iter().all(is_inside), "{pen:?}: {written:?}");
            let [plate, text] = [written[0], written[1]];
            assert!(plate[0] <= text[0] && plate[2] >= text[2] && plate[1] <= text[1] && plate[3] >= text[3]);
            let above = sheet.complete().above;
            assert!(above.iter().take(6).all(|mark| mark.shape[0] >= 0.0), "the stroke comes first");
            assert!(above.iter().skip(6).all(|mark| mark.shape[0] < 0.0), "text comes last");
        }
    }

    #[test]
    fn text_wider_than_the_picture_is_left_out() {
        let mut letters = Letters::default();
        let mut sheet = sheet(&mut letters);
        sheet.text(&mut letters, [0.0, 40.0], &"ab".repeat(50));
        assert!(sheet.written().is_empty() && sheet.texts.is_empty());
    }

    #[test]
    fn text_is_where_it_was_written() {
        let mut letters = Letters::default();
        let mut sheet = sheet(&mut letters);
        let rect = Sheet::text_rect(&letters, [20.0, 40.0], "ab");
        assert!(sheet.is_free(rect));
        sheet.text(&mut letters, [20.0, 40.0], "ab");
        // A plate, and two letters, each with a rim: two triangles each.
        assert_eq!(sheet.texts.len(), (1 + 2 * 2) * 6);
        assert!(!sheet.is_free(rect));
        assert!(!sheet.is_free(Sheet::text_rect(&letters, [195.0, 40.0], "ab")));
        let [width, height] = sheet.size();
        for mark in sheet.texts.iter().skip(18) {
            let [x, y] = [(mark.place[0] * 0.5 + 0.5) * width, (mark.place[1] * 0.5 + 0.5) * height];
            assert!((x - x.round()).abs() < 1e-3 && (y - y.round()).abs() < 1e-3, "{x}, {y}");
            let [x, y] = [x.round(), y.round()];
            assert!((rect[0]..=rect[2]).contains(&x) && (rect[1]..=rect[3]).contains(&y), "{x}, {y}");
        }
    }
}
