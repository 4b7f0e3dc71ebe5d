//! Tiles of pictures that are too large to be drawn at once.

use glam::DMat4;

use sinew_scene::camera::Camera;

/// The longest side that is drawn at once. Every Vulkan device supports it, and no picture depends on a device's
/// further capabilities.
pub const MAX_AT_ONCE: u32 = 4096;

/// Width and height of the tiles of larger pictures. They have few rows, since those of a whole band stay in memory
/// until they are delivered.
pub const TILE: [u32; 2] = [4096, 512];

/// A part of a picture. It may extend beyond the right and the lower edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Left and upper pixel in the picture.
    pub offset: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
}

impl Tile {
    /// Returns a tile that covers a whole picture.
    pub fn whole(size: [u32; 2]) -> Self {
        Self { offset: [0; 2], size }
    }

    /// Returns a camera for this tile from the camera of the whole picture.
    pub fn crop(&self, camera: Camera, picture: [u32; 2]) -> Camera {
        if *self == Self::whole(picture) {
            return camera;
        }
        let mut crop = DMat4::IDENTITY;
        let [x, y] = self.scale_and_offset(picture);
        [crop.x_axis.x, crop.w_axis.x] = x;
        [crop.y_axis.y, crop.w_axis.y] = y;
        Camera { clip_from_view: crop * camera.clip_from_view, ..camera }
    }

    /// Returns factors and offsets that map x and y across a picture, from −1 to 1, to those across this part.
    pub fn scale_and_offset(&self, picture: [u32; 2]) -> [[f64; 2]; 2] {
        [0, 1].map(|axis| {
            let [whole, tile, offset] = [picture, self.size, self.offset].map(|sides| f64::from(sides[axis]));
            let tile = tile.max(1.0);
            [whole / tile, (whole - 2.0 * offset) / tile - 1.0]
        })
    }
}

/// Iterates over the tiles of a picture, row by row from the top. Offsets are even, so that groups of two by two
/// pixels stay together.
pub fn bands(picture: [u32; 2], tile: [u32; 2]) -> impl Iterator<Item = Vec<Tile>> {
    let [width, height] = tile.map(|side| side.max(2) & !1);
    let row = move |top| {
        let tiles = (0..picture[0]).step_by(width as usize);
        tiles.map(|left| Tile { offset: [left, top], size: [width, height] }).collect()
    };
    (0..picture[1]).step_by(height as usize).map(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec4;

    #[test]
    fn tiles_cover_the_picture_once() {
        let bands: Vec<Vec<Tile>> = bands([10, 7], [5, 4]).collect();
        let offsets: Vec<Vec<[u32; 2]>> =
            bands.iter().map(|band| band.iter().map(|tile| tile.offset).collect()).collect();
        assert_eq!(offsets, [vec![[0, 0], [4, 0], [8, 0]], vec![[0, 4], [4, 4], [8, 4]]]);
        assert!(bands.iter().flatten().all(|tile| tile.size == [4, 4]));
    }

    /// The pixel 37, 21 of 100 x 60 is the pixel 5, 1 of the tile at 32, 20.
    #[test]
    fn a_tile_sees_its_part() {
        let camera = Camera {
            eye_in_world: DVec4::W,
            view_from_world: DMat4::IDENTITY,
            clip_from_view: DMat4::IDENTITY,
        };
        let tile = Tile { offset: [32, 20], size: [16, 8] };
        let depth_and_w = [0.25, 2.0];
        let [x, y] = [(37.0, 100.0), (21.0, 60.0)].map(|(at, side)| (at / side * 2.0 - 1.0) * depth_and_w[1]);
        let clip =
            tile.crop(camera, [100, 60]).clip_from_view * DVec4::new(x, y, depth_and_w[0], depth_and_w[1]);
        let [x, y] = [(clip.x, 16.0), (clip.y, 8.0)].map(|(at, side)| (at / clip.w * 0.5 + 0.5) * side);
        assert!((x - 5.0).abs() < 1e-9 && (y - 1.0).abs() < 1e-9, "{x} {y}");
        assert_eq!([clip.z, clip.w], depth_and_w);
        assert_eq!(Tile::whole([100, 60]).crop(camera, [100, 60]), camera);
    }
}
