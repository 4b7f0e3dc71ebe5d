//! Checks copies by place.

use super::{pick3, pick4};

#[test]
fn items_are_picked_by_place() {
    let triples: Vec<[f32; 3]> =
        (0..40).map(|number| [0.0, 0.25, 0.5].map(|part| part + number as f32)).collect();
    let quads: Vec<[f32; 4]> = triples.iter().map(|&[x, y, z]| [x, y, z, 7.0]).collect();
    for count in 0..12 {
        let places: Vec<u16> = (0..count).map(|number| number * 17 % 39).collect();
        let want =
            |from: &[[f32; 3]]| -> Vec<_> { places.iter().map(|&place| from[usize::from(place)]).collect() };
        let mut out = vec![[9.0; 3]; usize::from(count)];
        pick3(&triples, &places, &mut out);
        assert_eq!(out, want(&triples));
        let mut out = vec![[9.0; 4]; usize::from(count)];
        pick4(&quads, &places, &mut out);
        assert!(out.iter().zip(want(&triples)).all(|(got, [x, y, z])| *got == [x, y, z, 7.0]));
    }
}

/// A triple's load reads a number more, so the last has no place.
#[test]
fn places_that_do_not_exist_leave_all_as_it_was() {
    let (triples, quads) = (vec![[1.0; 3]; 8], vec![[1.0; 4]; 8]);
    for place in [7, 8, u16::MAX] {
        let mut out = vec![[9.0; 3]; 5];
        pick3(&triples, &[0, 1, place, 2, 3], &mut out);
        assert_eq!(out, [[9.0; 3]; 5]);
    }
    for place in [8, u16::MAX] {
        let mut out = vec![[9.0; 4]; 5];
        pick4(&quads, &[0, 1, place, 2, 3], &mut out);
        assert_eq!(out, [[9.0; 4]; 5]);
    }
    pick3(&[], &[0], &mut [[9.0; 3]]);
    // More room than places: the rest stays.
    let mut out = vec![[9.0; 3]; 9];
    pick3(&triples, &[0, 1, 2, 3, 4], &mut out);
    assert_eq!(out, [[[1.0; 3]; 5].as_slice(), &[[9.0; 3]; 4]].concat());
}
