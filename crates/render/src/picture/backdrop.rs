//! The background of a picture as areas to clear, from top to bottom.

use crate::picture::tile::Tile;
use sinew_scene::look::Background;

/// A rectangle of one colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    /// Upper left pixel in the tile.
    pub offset: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
    /// The colour to clear it to.
    pub color: [f32; 4],
}

/// A part of the picture that shows a background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Upper left pixel in the whole picture.
    pub corner: [u32; 2],
    /// Width and height of the part in the whole picture.
    pub size: [u32; 2],
    /// Height of the whole background.
    pub height: u32,
}

impl Place {
    /// Returns a whole picture of this size.
    pub(crate) fn whole(size: [u32; 2]) -> Self {
        Self { corner: [0; 2], size, height: size[1] }
    }
}

/// Returns the areas of a background in a tile; `color` converts a background to a clear colour.
pub(crate) fn areas(
    background: Background,
    place: Place,
    tile: Tile,
    color: impl Fn(&Background) -> [f32; 4],
) -> Vec<Area> {
    let mut areas = Vec::new();
    let mut top = 0;
    for (rows, even) in background.bands(place.height) {
        let [x, y] = place.corner;
        let band = [x, y.saturating_add(top)];
        let height = rows.min(place.size[1].saturating_sub(top));
        top = top.saturating_add(rows);
        let within = [0, 1].map(|axis| {
            let first = band[axis].max(tile.offset[axis]);
            let end = band[axis].saturating_add([place.size[0], height][axis]);
            let last = end.min(tile.offset[axis].saturating_add(tile.size[axis]));
            (first, last.saturating_sub(first))
        });
        if within.iter().all(|(_, length)| *length > 0) {
            let [(left, width), (upper, height)] = within;
            let offset = [left - tile.offset[0], upper - tile.offset[1]];
            areas.push(Area { offset, size: [width, height], color: color(&even) });
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_cover_their_part_of_a_tile_once() {
        let place = Place { corner: [30, 10], size: [50, 35], height: 40 };
        let background = Background::default();
        for tile in [
            Tile::whole([100, 100]),
            Tile { offset: [40, 20], size: [20, 16] },
            Tile { offset: [64, 32], size: [32, 32] },
        ] {
            let mut cleared = vec![0; (tile.size[0] * tile.size[1]) as usize];
            for Area { offset: [left, top], size: [width, height], .. } in
                areas(background, place, tile, Background::linear)
            {
                for (x, y) in (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y))) {
                    cleared[(y * tile.size[0] + x) as usize] += 1;
                }
            }
            for (at, times) in (0_u32..).zip(&cleared) {
                let [x, y] = [tile.offset[0] + at % tile.size[0], tile.offset[1] + at / tile.size[0]];
                let is_in = (30..80).contains(&x) && (10..45).contains(&y);
                assert_eq!(*times, i32::from(is_in), "{x}, {y} in {tile:?}");
            }
        }
        assert!(
            areas(background, place, Tile { offset: [0; 2], size: [30, 10] }, Background::linear).is_empty()
        );
    }
}
