//! The frames of animated pictures as other programs show them, each drawn over the ones before.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Cursor;
use std::path::Path;

use png::{BlendOp, DisposeOp};

/// Pixels and milliseconds of each frame.
pub fn frames(path: &Path) -> Vec<(Vec<u8>, f64)> {
    let bytes = Cursor::new(fs::read(path).unwrap());
    match path.extension().unwrap().to_str().unwrap() {
        "gif" => gif(bytes),
        "webp" => webp(bytes),
        _ => apng(bytes),
    }
}

fn gif(bytes: Cursor<Vec<u8>>) -> Vec<(Vec<u8>, f64)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let mut canvas = Canvas::new(decoder.width().into(), decoder.height().into());
    let mut found = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let place = [frame.left, frame.top, frame.width, frame.height].map(usize::from);
        canvas.lay(place, &frame.buffer, |pixel| pixel[3] != 0);
        found.push((canvas.rgba.clone(), f64::from(frame.delay) * 10.0));
        match frame.dispose {
            gif::DisposalMethod::Any | gif::DisposalMethod::Keep => {}
            gif::DisposalMethod::Background => canvas.clear(place),
            gif::DisposalMethod::Previous => panic!("a frame that makes way for the one before"),
        }
    }
    found
}

fn webp(bytes: Cursor<Vec<u8>>) -> Vec<(Vec<u8>, f64)> {
    let mut decoder = image_webp::WebPDecoder::new(bytes).unwrap();
    let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
    (0..decoder.num_frames())
        .map(|_| {
            let milliseconds = decoder.read_frame(&mut pixels).unwrap();
            let rgba = match decoder.has_alpha() {
                true => pixels.clone(),
                false => pixels.as_chunks::<3>().0.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect(),
            };
            (rgba, f64::from(milliseconds))
        })
        .collect()
}

fn apng(bytes: Cursor<Vec<u8>>) -> Vec<(Vec<u8>, f64)> {
    let mut reader = png::Decoder::new(bytes).read_info().unwrap();
    assert_eq!(reader.output_color_type(), (png::ColorType::Rgba, png::BitDepth::Eight));
    let (width, height) = reader.info().size();
    let mut canvas = Canvas::new(width as usize, height as usize);
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let count = reader.info().animation_control().unwrap().num_frames;
    (0..count)
        .map(|_| {
            reader.next_frame(&mut pixels).unwrap();
            let frame = *reader.info().frame_control().unwrap();
            let place = [frame.x_offset, frame.y_offset, frame.width, frame.height].map(|side| side as usize);
            assert_eq!(frame.blend_op, BlendOp::Source, "a frame that mixes with the one before");
            canvas.lay(place, &pixels, |_| true);
            let shown = canvas.rgba.clone();
            match frame.dispose_op {
                DisposeOp::None => {}
                DisposeOp::Background => canvas.clear(place),
                DisposeOp::Previous => panic!("a frame that makes way for the one before"),
            }
            let seconds = f64::from(frame.delay_num) / f64::from(frame.delay_den);
            (shown, seconds * 1000.0)
        })
        .collect()
}

/// The visible pixels; empty in the beginning.
struct Canvas {
    width: usize,
    rgba: Vec<u8>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self { width, rgba: vec![0; width * height * 4] }
    }

    /// The pixels at a place (left, top, width, height), row by row.
    fn rows(&mut self, [left, top, width, height]: [usize; 4]) -> impl Iterator<Item = &mut [u8]> {
        let rows = self.rgba.chunks_exact_mut(self.width * 4).skip(top).take(height);
        rows.map(move |row| &mut row[left * 4..][..width * 4])
    }

    fn lay(&mut self, place: [usize; 4], rgba: &[u8], is_there: impl Fn(&[u8]) -> bool) {
        for (row, new) in self.rows(place).zip(rgba.chunks_exact(place[2] * 4)) {
            for (pixel, new) in row.chunks_exact_mut(4).zip(new.chunks_exact(4)) {
                if is_there(new) {
                    pixel.copy_from_slice(new);
                }
            }
        }
    }

    fn clear(&mut self, place: [usize; 4]) {
        self.rows(place).for_each(|row| row.fill(0));
    }
}
