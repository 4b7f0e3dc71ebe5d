//! Edited materials: factors that replace the file's.

use std::fmt;
use std::str::FromStr;

use sinew_model::Material;
use sinew_model::srgb;

/// Factors of one material; `None` keeps the file's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Factors {
    /// Base colour in sRGB; alpha stays.
    pub color: Option<[u8; 3]>,
    /// 0 dielectric, 1 metal.
    pub metallic: Option<f32>,
    /// 0 smooth, 1 rough.
    pub roughness: Option<f32>,
    /// Scale of the normal map, if there is one.
    pub normal: Option<f32>,
    /// Multiplies the emission.
    pub emission: Option<f32>,
}

/// A material of the model and its factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Retouch {
    /// Index into [`sinew_model::Model::materials`].
    pub material: usize,
    /// The factors that replace the file's.
    pub factors: Factors,
}

/// Error for text that is no [`Factors`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected color=#rrggbb, or metallic, roughness, normal or emission with a number, such as roughness=0.3, \
     separated by commas; found '{0}'"
)]
pub struct NoFactors(String);

impl FromStr for Factors {
    type Err = NoFactors;

    fn from_str(text: &str) -> Result<Self, NoFactors> {
        let mut factors = Self::default();
        for word in text.split(',') {
            let wrong = || NoFactors(word.to_owned());
            let (key, value) = word.split_once('=').ok_or_else(wrong)?;
            let number = |most: f32| {
                let number = value.parse().ok().filter(|number: &f32| (0.0..=most).contains(number));
                number.map(Some).ok_or_else(wrong)
            };
            match key.trim() {
                "color" => factors.color = Some(srgb::from_hex(value).ok_or_else(wrong)?),
                "metallic" => factors.metallic = number(1.0)?,
                "roughness" => factors.roughness = number(1.0)?,
                "normal" => factors.normal = number(10.0)?,
                "emission" => factors.emission = number(1000.0)?,
                _ => return Err(wrong()),
            }
        }
        Ok(factors)
    }
}

impl fmt::Display for Factors {
    /// Writes the text that [`Factors::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = self.color.map(|[r, g, b]| format!("color=#{r:02x}{g:02x}{b:02x}"));
        let number = |name: &str, value: Option<f32>| value.map(|value| format!("{name}={value}"));
        let all = [
            color,
            number("metallic", self.metallic),
            number("roughness", self.roughness),
            number("normal", self.normal),
            number("emission", self.emission),
        ];
        f.write_str(&all.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

impl Factors {
    /// Returns the material with these factors in place of the file's.
    pub fn apply(&self, material: &Material) -> Material {
        let mut changed = material.clone();
        if let Some(color) = self.color {
            let linear = color.map(|byte| srgb::to_linear(f64::from(byte) / 255.0) as f32);
            changed.base_color.iter_mut().zip(linear).for_each(|(factor, linear)| *factor = linear);
        }
        changed.metallic = self.metallic.unwrap_or(material.metallic);
        changed.roughness = self.roughness.unwrap_or(material.roughness);
        if let (Some(normal), Some(map)) = (self.normal, &mut changed.normal) {
            map.scale = normal;
        }
        changed.emissive_strength = self.emission.unwrap_or(material.emissive_strength);
        changed
    }
}

/// Returns the materials, with their retouches applied.
pub fn retouched(materials: &[Material], retouches: &[Retouch]) -> Vec<Material> {
    let mut shown = materials.to_vec();
    for Retouch { material, factors } in retouches {
        if let Some(material) = shown.get_mut(*material) {
            *material = factors.apply(material);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_read_and_printed() {
        let text = "color=#ff8000,metallic=0.25,roughness=1,normal=2,emission=3.5";
        let factors: Factors = text.parse().unwrap();
        assert_eq!(factors.to_string(), text);
        assert_eq!((factors.color, factors.metallic), (Some([255, 128, 0]), Some(0.25)));
        for wrong in ["", "shiny=1", "metallic", "metallic=2", "roughness=nan", "color=red", "metallic=0,"] {
            assert!(wrong.parse::<Factors>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn factors_replace_those_of_the_file() {
        let material = Material { base_color: [0.5, 0.5, 0.5, 0.25], ..Material::default() };
        let factors: Factors = "color=#ff00ff,roughness=0.5".parse().unwrap();
        let [changed, other] = retouched(
            &[material.clone(), material.clone()],
            &[Retouch { material: 0, factors: factors.clone() }, Retouch { material: 7, factors }],
        )
        .try_into()
        .unwrap();
        assert_eq!(changed.base_color, [1.0, 0.0, 1.0, 0.25]);
        assert_eq!((changed.roughness, changed.metallic), (0.5, 1.0));
        assert_eq!(other, material);
    }
}
