//! Materials: names and sides of surfaces. Shaders are not read.

use openusd::sdf::Path;

use crate::Material;

/// The materials of a model.
#[derive(Default)]
pub struct Looks {
    known: Vec<(Option<Path>, bool)>,
}

impl Looks {
    /// The number of a material for surfaces of one or both sides; `None` for the default one.
    pub fn number(&mut self, material: Option<&Path>, double_sided: bool) -> Option<usize> {
        if material.is_none() && !double_sided {
            return None;
        }
        let wanted = (material.cloned(), double_sided);
        Some(self.known.iter().position(|known| *known == wanted).unwrap_or_else(|| {
            self.known.push(wanted);
            self.known.len().saturating_sub(1)
        }))
    }

    /// Returns true if a surface has a material of the file.
    pub fn has_shaders(&self) -> bool {
        self.known.iter().any(|(material, _)| material.is_some())
    }

    /// All materials.
    pub fn into_materials(self) -> Vec<Material> {
        let material = |(path, double_sided): (Option<Path>, bool)| Material {
            name: path.as_ref().and_then(|path| path.name()).unwrap_or_default().to_owned(),
            metallic: 0.0,
            roughness: 0.5,
            double_sided,
            ..Material::default()
        };
        self.known.into_iter().map(material).collect()
    }
}
