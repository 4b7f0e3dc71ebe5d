//! Joins the expected, difference and actual pictures side by side into one.

use sinew_image::Image;

/// The gap between the pictures, in pixels.
const GAP: usize = 4;

/// The colour of the gaps and the space below shorter pictures: a grey that stands out from most backgrounds.
const GROUND: [u8; 4] = [32, 34, 40, 255];

/// Joins pictures side by side, aligned at the top.
pub fn strip(pictures: &[&Image]) -> Image {
    let height = pictures.iter().map(|picture| picture.height).max().unwrap_or(0);
    let mut rgba = Vec::new();
    let mut width: usize = 0;
    for y in 0..height as usize {
        let row = rgba.len();
        for (number, picture) in pictures.iter().enumerate() {
            if number > 0 {
                rgba.extend_from_slice(&GROUND.repeat(GAP));
            }
            let bytes = (picture.width as usize).saturating_mul(4);
            let from = y.saturating_mul(bytes);
            match picture.rgba.get(from..from.saturating_add(bytes)) {
                Some(pixels) => rgba.extend_from_slice(pixels),
                None => rgba.extend_from_slice(&GROUND.repeat(picture.width as usize)),
            }
        }
        width = (rgba.len() - row) / 4;
    }
    Image { width: width as u32, height, rgba }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_side_by_side_from_the_top() {
        let a = Image { width: 1, height: 2, rgba: vec![1; 8] };
        let b = Image { width: 2, height: 1, rgba: vec![2; 8] };
        let both = strip(&[&a, &b]);
        assert_eq!([both.width, both.height], [7, 2]);
        let rows: Vec<Vec<u8>> = both
            .rgba
            .chunks_exact(28)
            .map(|row| row.chunks_exact(4).map(|pixel| pixel[0]).collect())
            .collect();
        assert_eq!(rows, [[1, 32, 32, 32, 32, 2, 2], [1, 32, 32, 32, 32, 32, 32]]);
        assert_eq!(strip(&[]).rgba.len(), 0);
    }
}
