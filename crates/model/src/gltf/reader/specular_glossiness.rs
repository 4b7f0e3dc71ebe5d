//! Converts the older specular-glossiness model to the nearest metallic-roughness material.
//!
//! The equations are those of the extension's own conversion example: a surface of metalness m and base colour c
//! reflects f0 = 0.04·(1−m) + c·m face-on and scatters c·(1−m)·(1−0.04) of the rest, and m is what fits the
//! brightness of both. What the example does for each pixel is done once here, for the factors times the textures'
//! means.

use super::texture::Textures;
use crate::material::{AlphaMode, Material, SpecularGlossiness};
use crate::srgb;
use crate::texture::{Picture, TextureRef};

/// Reflectance of dielectrics at normal incidence.
const DIELECTRIC: f64 = 0.04;
/// Below this there is nothing to divide by.
const TINY: f64 = 1e-6;
/// Brightness below one step of eight bits: a texture whose mean is darker carries no colour.
const BLACK: f64 = 1.0 / 3294.6;

/// Sets base colour, metalness and roughness of `material`.
pub fn convert(older: &SpecularGlossiness, material: &mut Material, textures: &Textures<'_, '_, '_>) {
    let mean = |texture: Option<TextureRef>| {
        texture.and_then(|texture| textures.picture(texture.picture)).map_or([1.0; 4], mean_of)
    };
    let (diffuse_mean, specular_mean) = (mean(older.diffuse_texture), mean(older.texture));
    let [r, g, b, alpha] = older.diffuse.map(f64::from);
    let diffuse = times([r, g, b], diffuse_mean);
    let specular = times(older.specular.map(f64::from), specular_mean);
    let [.., gloss_mean] = specular_mean;
    let (color, metallic) = solve(diffuse, specular);

    let [mr, mg, mb, _] = diffuse_mean;
    let is_black = [mr, mg, mb].iter().all(|mean| *mean < BLACK);
    // A metal's diffuse texture is black, and nothing can be multiplied out of black.
    let texture = older.diffuse_texture.filter(|_| !(is_black && material.alpha == AlphaMode::Opaque));
    let over = |color: f64, mean: f64| match texture {
        Some(_) => color / mean.max(TINY),
        None => color,
    };
    let [cr, cg, cb] = color;
    let factor = |value: f64| value.clamp(0.0, 1.0) as f32;
    material.base_color = [over(cr, mr), over(cg, mg), over(cb, mb), alpha].map(factor);
    material.base_color_texture = texture;
    material.metallic = factor(metallic);
    material.roughness = factor(1.0 - f64::from(older.glossiness) * gloss_mean);
    material.metallic_roughness_texture = None;
}

/// Base colour and metalness for a diffuse and a specular colour.
fn solve(diffuse: [f64; 3], specular: [f64; 3]) -> ([f64; 3], f64) {
    let left = 1.0 - specular.iter().fold(0.0, |a: f64, b| a.max(*b));
    let metallic = match (brightness(diffuse), brightness(specular)) {
        (_, bright) if bright < DIELECTRIC => 0.0,
        (dull, bright) => {
            let b = dull * left / (1.0 - DIELECTRIC) + bright - 2.0 * DIELECTRIC;
            let c = DIELECTRIC - bright;
            let root = (b * b - 4.0 * DIELECTRIC * c).max(0.0).sqrt();
            ((root - b) / (2.0 * DIELECTRIC)).clamp(0.0, 1.0)
        }
    };
    let from_diffuse = left / (1.0 - DIELECTRIC) / (1.0 - metallic).max(TINY);
    let towards_metal = metallic * metallic;
    let [dr, dg, db] = diffuse;
    let [sr, sg, sb] = specular;
    let color = [(dr, sr), (dg, sg), (db, sb)].map(|(diffuse, specular)| {
        let of_metal = (specular - DIELECTRIC * (1.0 - metallic)) / metallic.max(TINY);
        let of_dielectric = diffuse * from_diffuse;
        (of_dielectric + (of_metal - of_dielectric) * towards_metal).clamp(0.0, 1.0)
    });
    (color, metallic)
}

fn brightness([r, g, b]: [f64; 3]) -> f64 {
    (0.299 * r * r + 0.587 * g * g + 0.114 * b * b).sqrt()
}

fn times([r, g, b]: [f64; 3], [mr, mg, mb, _]: [f64; 4]) -> [f64; 3] {
    [r * mr, g * mg, b * mb]
}

/// The mean of a picture, its colours taken from sRGB.
fn mean_of(picture: &Picture) -> [f64; 4] {
    let mut counts = [[0_u64; 256]; 4];
    for pixel in picture.rgba.chunks_exact(4) {
        for (counts, level) in counts.iter_mut().zip(pixel) {
            if let Some(count) = counts.get_mut(usize::from(*level)) {
                *count = count.saturating_add(1);
            }
        }
    }
    let mean = |counts: &[u64; 256], linear: fn(f64) -> f64| {
        let sum: f64 =
            (0_u32..).zip(counts).map(|(level, n)| linear(f64::from(level) / 255.0) * *n as f64).sum();
        let all: u64 = counts.iter().sum();
        sum / (all.max(1) as f64)
    };
    let [r, g, b, a] = &counts;
    [mean(r, srgb::to_linear), mean(g, srgb::to_linear), mean(b, srgb::to_linear), mean(a, |level| level)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    /// Checks that the conversion inverts the metallic-roughness model.
    #[test]
    fn what_is_metal_and_what_is_not_comes_back() {
        for (color, metallic) in [([0.5, 0.25, 0.75], 0.0), ([0.9, 0.6, 0.3], 1.0)] {
            let specular = color.map(|c: f64| DIELECTRIC * (1.0 - metallic) + c * metallic);
            let diffuse = color.map(|c: f64| c * (1.0 - metallic));
            let (found, found_metallic) = solve(diffuse, specular);
            assert!(near(found_metallic, metallic), "{found_metallic}");
            assert!(found.iter().zip(color).all(|(a, b)| near(*a, b)), "{found:?}");
        }
        // No reflections at all: nothing is metal, and all of the light is scattered.
        let (color, metallic) = solve([0.48; 3], [0.0; 3]);
        assert_eq!(metallic, 0.0);
        assert!(near(color[0], 0.5), "{color:?}");
    }

    #[test]
    fn means_are_taken_in_linear_light() {
        let picture = Picture { width: 2, height: 1, rgba: vec![0, 255, 0, 255, 255, 255, 0, 0] };
        let mean = mean_of(&picture);
        assert!(mean.iter().zip([0.5, 1.0, 0.0, 0.5]).all(|(a, b)| near(*a, b)), "{mean:?}");
    }
}
