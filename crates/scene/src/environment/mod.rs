//! An environment: light from a Radiance picture that surrounds the figure, prepared like the built-in studio. It
//! must not depend on files or how surfaces reflect light.

mod panorama;
mod prefilter;
mod radiance;

use panorama::Gather;
use prefilter::{LEVELS, SAMPLES, half, irradiance, mirror_image};
use rayon::prelude::*;

pub use radiance::NoRadiance;
/// Reads a picture without preparing its light, which takes a fuzz target too long.
#[cfg(fuzzing)]
pub use radiance::open as open_radiance;

/// Light from all directions, in place of the studio.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The file as the user gave it.
    pub name: String,
    /// SHA-256 of the file's bytes.
    pub digest: String,
    /// The light on a matt surface: nine coefficients each for red, green and blue.
    pub irradiance: [[f32; 9]; 3],
    /// Six faces per level of roughness, four half floats per texel, with the sides of the studio's.
    pub mirror_images: Vec<u8>,
}

impl PartialEq for Environment {
    /// Returns true if name and digest are equal.
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.digest) == (&other.name, &other.digest)
    }
}

impl Environment {
    /// Prepares the bytes of a Radiance picture.
    pub fn new(name: String, digest: String, bytes: &[u8]) -> Result<Self, NoRadiance> {
        let packed = radiance::open(bytes)?;
        let mut gather = Gather::new(packed.size);
        packed.rows(|number, row| gather.add(number, row))?;
        let panorama = gather.finish();
        let faces: Vec<(usize, usize)> =
            (0..LEVELS).flat_map(|level| (0..6).map(move |face| (level, face))).collect();
        let texels = |&(level, face): &(usize, usize)| {
            // Wide lobes sample blurred light, so that few samples do not miss a small lamp.
            let light = |direction| panorama.light(direction, level);
            let halves = mirror_image(light, (level, face), SAMPLES / 8).flat_map(|[r, g, b]| [r, g, b, 1.0]);
            halves.flat_map(|number| half(number as f32).to_le_bytes()).collect::<Vec<u8>>()
        };
        let mirror_images = faces.par_iter().map(texels).collect::<Vec<_>>().concat();
        let irradiance =
            irradiance(|direction| panorama.light(direction, 0)).map(|one| one.map(|number| number as f32));
        Ok(Self { name, digest, irradiance, mirror_images })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_from_above_lights_what_faces_up() {
        let header = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n";
        // White above, dark red below.
        let pixel = |row: usize| if row < 2 { [128, 128, 128, 129] } else { [128, 0, 0, 126] };
        let pixels: Vec<u8> = (0..4).flat_map(|row| pixel(row).repeat(8)).collect();
        let bytes = [&header[..], &pixels].concat();
        let made = || Environment::new("a".to_owned(), "b".to_owned(), &bytes).unwrap();
        let environment = made();
        let [red, _, blue] = environment.irradiance;
        // The first coefficient is the mean, the second the change with height.
        assert!((blue[0] - 0.5).abs() < 0.1 && blue[1] > 0.3 && red[0] > blue[0] && red[1] < blue[1]);
        let count: usize = (0..LEVELS).map(|level| (prefilter::FACE >> level).pow(2) * 6 * 8).sum();
        assert_eq!(environment.mirror_images.len(), count);
        let again = made();
        assert!(again == environment && again.mirror_images == environment.mirror_images);
        assert!(again.irradiance == environment.irradiance);
    }
}
