//! Writes the materials of an OBJ file as MTL: the surface without textures, and the names of the textures that such files
//! support. Roughness, metalness and normal maps are the usual extension (`Pr`, `Pm`, `norm`).

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use sinew_model::{AlphaMode, Material, Model, Picture, Primitive, TextureRef};

/// The materials of an OBJ file: a `.mtl` file, and the pictures that it names.
#[derive(Clone, Debug)]
pub struct Library<'a> {
    model: &'a Model,
    file: String,
    /// The name of each of the model's materials.
    names: Vec<String>,
    /// The file of each picture of the model that the library references.
    pictures: BTreeMap<usize, String>,
}

impl<'a> Library<'a> {
    /// Makes the library for files called `stem`; `None` if the model has no materials.
    pub fn new(model: &'a Model, stem: &str) -> Option<Self> {
        // A line break would end the line with the file name.
        let stem: String = stem.chars().map(|c| if c.is_control() { '_' } else { c }).collect();
        let used = model.materials.iter().flat_map(textures).map(|(_, texture)| texture.picture);
        let is_there = |number: &usize| model.pictures.get(*number).is_some_and(Option::is_some);
        let pictures = used.filter(is_there).map(|number| (number, format!("{stem}-image{number}.png")));
        let names = names(&model.materials);
        (!names.is_empty()).then(|| Self {
            model,
            file: format!("{stem}.mtl"),
            names,
            pictures: pictures.collect(),
        })
    }

    /// Returns the name of the `.mtl` file, which belongs in the folder of the OBJ file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the pictures of the materials, with their file names.
    pub fn pictures(&self) -> impl Iterator<Item = (&str, &'a Picture)> {
        let picture = |number: &usize| self.model.pictures.get(*number).and_then(Option::as_ref);
        self.pictures.iter().filter_map(move |(number, file)| Some((file.as_str(), picture(number)?)))
    }

    /// Returns the name of a primitive's material.
    pub(super) fn name_of(&self, primitive: &Primitive) -> Option<&str> {
        self.names.get(primitive.material?).map(String::as_str)
    }

    /// Writes the `.mtl` file.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for (material, name) in self.model.materials.iter().zip(&self.names) {
            writeln!(out, "newmtl {name}")?;
            let [r, g, b, alpha] = material.base_color;
            writeln!(out, "Kd {r} {g} {b}")?;
            let [r, g, b] = material.emissive.map(|color| color * material.emissive_strength);
            writeln!(out, "Ke {r} {g} {b}")?;
            if material.alpha == AlphaMode::Blend {
                writeln!(out, "d {alpha}")?;
            }
            writeln!(out, "Pr {}\nPm {}\nillum 2", material.roughness, material.metallic)?;
            for (keyword, texture) in textures(material) {
                if let Some(file) = self.pictures.get(&texture.picture) {
                    writeln!(out, "{keyword} {file}")?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the textures that a `.mtl` file can reference.
fn textures(material: &Material) -> impl Iterator<Item = (&'static str, &TextureRef)> {
    let all = [
        ("map_Kd", material.base_color_texture.as_ref()),
        ("map_Ke", material.emissive_texture.as_ref()),
        ("norm", material.normal.as_ref().map(|map| &map.texture)),
    ];
    all.into_iter().filter_map(|(keyword, texture)| Some((keyword, texture?)))
}

/// Returns a name for each material: its own, without spaces, and with its index unless it is the first of that name.
fn names(materials: &[Material]) -> Vec<String> {
    let mut taken = HashSet::new();
    let name = |(number, material): (usize, &Material)| {
        let word = |c: char| if c.is_whitespace() || c.is_control() { '_' } else { c };
        let mut name: String = material.name.chars().map(word).collect();
        while name.is_empty() || !taken.insert(name.clone()) {
            name = format!("{name}_{number}");
        }
        name
    };
    materials.iter().enumerate().map(name).collect()
}

/// Returns a primitive's texture coordinates in the form of OBJ and PLY: the set of the base colour's texture, transformed
/// as its material says, and counted from the bottom. Empty if there are none.
pub(super) fn texcoords_of(model: &Model, primitive: &Primitive, sets: &[Vec<[f32; 2]>]) -> Vec<[f64; 2]> {
    let material = primitive.material.and_then(|material| model.materials.get(material));
    let texture = material.and_then(|material| material.base_color_texture).unwrap_or_default();
    let [to_u, to_v] = texture.transform.rows().map(|row| row.map(f64::from));
    let moved = |&[u, v]: &[f32; 2]| {
        let (u, v) = (f64::from(u), f64::from(v));
        let along = |[a, b, c]: [f64; 3]| a * u + b * v + c;
        [along(to_u), 1.0 - along(to_v)]
    };
    sets.get(texture.texcoord).map_or_else(Vec::new, |set| set.iter().map(moved).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::TextureTransform;

    fn model() -> Model {
        let texture = |picture| TextureRef { picture, ..TextureRef::default() };
        let named = |name: &str| Material { name: name.to_owned(), ..Material::default() };
        Model {
            materials: vec![
                Material {
                    base_color: [0.5, 0.25, 1.0, 0.75],
                    base_color_texture: Some(texture(1)),
                    emissive_texture: Some(texture(0)),
                    alpha: AlphaMode::Blend,
                    roughness: 0.5,
                    ..named("a b")
                },
                named("a b"),
                named(""),
            ],
            pictures: vec![None, Some(Picture { width: 1, height: 1, rgba: vec![0; 4] })],
            ..Model::default()
        }
    }

    #[test]
    fn materials_are_lines_and_missing_pictures_are_left_out() {
        let model = model();
        let library = Library::new(&model, "fox\n").unwrap();
        assert_eq!(library.file(), "fox_.mtl");
        assert_eq!(library.pictures().map(|(file, _)| file).collect::<Vec<_>>(), ["fox_-image1.png"]);
        let mut text = Vec::new();
        library.write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let first =
            "newmtl a_b\nKd 0.5 0.25 1\nKe 0 0 0\nd 0.75\nPr 0.5\nPm 1\nillum 2\nmap_Kd fox_-image1.png\n";
        assert!(text.starts_with(first), "{text}");
        let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("newmtl ")).collect();
        assert_eq!(names, ["a_b", "a_b_1", "_2"]);
        assert!(Library::new(&Model::default(), "fox").is_none());
    }

    #[test]
    fn texture_coordinates_count_from_the_bottom() {
        let mut model = model();
        let primitive = Primitive { material: Some(0), ..Primitive::default() };
        let sets = [vec![[0.25, 0.125]], vec![[0.5, 1.0]]];
        assert_eq!(texcoords_of(&model, &primitive, &sets), [[0.25, 0.875]]);
        let transform = TextureTransform { offset: [1.0, 0.0], scale: [2.0, 0.5], ..Default::default() };
        model.materials[0].base_color_texture =
            Some(TextureRef { texcoord: 1, transform, ..Default::default() });
        assert_eq!(texcoords_of(&model, &primitive, &sets), [[2.0, 0.5]]);
        assert!(texcoords_of(&model, &primitive, &sets[..1]).is_empty());
        assert_eq!(texcoords_of(&model, &Primitive::default(), &sets), [[0.25, 0.875]]);
    }
}
