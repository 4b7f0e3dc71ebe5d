//! Tests of outlines with hand-painted pictures.

use super::{Outline, Suspect, likeness};
use sinew_image::Image;

/// Paints a picture of 40 by 30 pixels.
fn painted(color: impl Fn(usize, usize) -> [u8; 4]) -> Image {
    let rgba = (0..30).flat_map(|y| (0..40).map(move |x| (x, y))).flat_map(|(x, y)| color(x, y)).collect();
    Image { width: 40, height: 30, rgba }
}

fn is_in(x: usize, y: usize, left: usize) -> bool {
    (left..left + 10).contains(&x) && (8..25).contains(&y)
}

#[test]
fn a_figure_is_found_on_any_background() {
    let clear = Outline::of(&painted(|x, y| if is_in(x, y, 12) { [9, 9, 9, 255] } else { [0; 4] }));
    let even = painted(|x, y| if is_in(x, y, 12) { [200, 30, 10, 255] } else { [40, 60, 90, 255] });
    // A sky: dark above, light below.
    let sky = painted(
        |x, y| if is_in(x, y, 12) { [250, 250, 0, 255] } else { [y as u8 * 8, y as u8 * 8, 99, 255] },
    );
    assert!(!clear.is_empty());
    assert_eq!(Outline::of(&even), clear);
    assert_eq!(Outline::of(&sky), clear);
    assert!(Outline::of(&painted(|_, _| [7, 7, 7, 255])).is_empty());
}

#[test]
fn a_translucent_pixel_does_not_make_the_picture_transparent() {
    let paint = |alpha| {
        Outline::of(&painted(|x, y| match (x, y) {
            (39, 29) => [40, 60, 90, alpha],
            _ if is_in(x, y, 12) => [200, 30, 10, 255],
            _ => [40, 60, 90, 255],
        }))
    };
    assert_eq!(paint(254), paint(255));
}

#[test]
fn a_part_in_the_colour_of_the_background_leaves_no_hole() {
    let ring = painted(|x, y| match is_in(x, y, 12) && !((14..20).contains(&x) && (10..20).contains(&y)) {
        true => [200, 30, 10, 255],
        false => [40, 60, 90, 255],
    });
    let whole = painted(|x, y| if is_in(x, y, 12) { [200, 30, 10, 255] } else { [40, 60, 90, 255] });
    assert_eq!(Outline::of(&ring), Outline::of(&whole));
    // A bay stays open.
    let bay = painted(|x, y| match is_in(x, y, 12) && !((14..20).contains(&x) && y >= 10) {
        true => [200, 30, 10, 255],
        false => [40, 60, 90, 255],
    });
    assert_ne!(Outline::of(&bay), Outline::of(&whole));
}

#[test]
fn a_shadow_is_read_both_ways() {
    let shaded = |x: usize, y: usize| (20..36).contains(&x) && (22..28).contains(&y);
    let picture = painted(|x, y| match (is_in(x, y, 12), shaded(x, y)) {
        (true, _) => [200, 30, 10, 255],
        (false, true) => [150, 152, 156, 255],
        (false, false) => [218, 220, 223, 255],
    });
    let figure = Outline::of(&painted(|x, y| if is_in(x, y, 12) { [0, 0, 0, 255] } else { [0; 4] }));
    let [all, without] = Outline::readings(&picture);
    assert_eq!(without, figure);
    assert_ne!(all, figure);
    // A coloured part is no shadow.
    let tinted = painted(|x, y| if is_in(x, y, 12) { [150, 120, 156, 255] } else { [218, 220, 223, 255] });
    assert_eq!(Outline::readings(&tinted), [figure.clone(), figure]);
}

#[test]
fn likeness_falls_with_the_distance() {
    let at = |left| Outline::of(&painted(|x, y| if is_in(x, y, left) { [0, 0, 0, 255] } else { [0; 4] }));
    let by = |columns: usize| likeness(&at(12), &at(12 + columns));
    assert_eq!(by(0), 1.0);
    assert!(by(1) > by(3) && by(3) > by(9), "{} {} {}", by(1), by(3), by(9));
    assert!(by(15) < 0.2, "{}", by(15));
    let empty = Outline::of(&painted(|_, _| [0; 4]));
    assert_eq!(likeness(&empty, &empty), 1.0);
    assert!(likeness(&empty, &at(12)) < 0.1);
    assert_eq!(likeness(&empty, &at(12).resized([20, 15])), 0.0);
}

#[test]
fn outlines_shrink_and_grow() {
    let large = Outline::of(&painted(|x, y| if is_in(x, y, 12) { [0, 0, 0, 255] } else { [0; 4] }));
    let small = large.resized([20, 15]);
    assert_eq!(small.cover.len(), 300);
    // Row 6 of the small one is rows 12 and 13; column 6 is columns 12 and 13.
    assert_eq!((small.cover[6 * 20 + 6], small.cover[6 * 20 + 5]), (255, 0));
    // Row 12 is rows 24 and 25; the figure covers only the first.
    assert_eq!(small.cover[12 * 20 + 6], 127);
    assert_eq!(large.resized([40, 30]), large);
    let nothing = Outline::of(&Image { width: 0, height: 0, rgba: Vec::new() });
    assert!(nothing.is_empty() && nothing.resized([3, 3]).is_empty());
}

#[test]
fn every_suspect_has_a_name_of_its_own() {
    let names: Vec<&str> = Suspect::all().map(|suspect| suspect.symptom().name).collect();
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len());
}
