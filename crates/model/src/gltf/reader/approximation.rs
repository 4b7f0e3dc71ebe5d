//! Warns of required extensions that sinew leaves out, or only approximates where the difference is visible.

use std::collections::BTreeSet;

use crate::gltf::json::Document;
use crate::gltf::support::{self, Support};
use crate::reading::message::counted;
use crate::reading::warnings::Warnings;
use crate::{Instance, Light, Material, Mesh};

/// The rule's name, which the Khronos validator uses for extensions that it supports partly.
const CODE: &str = "INCOMPLETE_EXTENSION_SUPPORT";

/// The drawn part of the file.
pub struct Drawn<'a> {
    /// The meshes of the chosen scene.
    pub instances: &'a [Instance],
    /// All meshes.
    pub meshes: &'a [Mesh],
    /// All materials.
    pub materials: &'a [Material],
    /// The lights of the chosen scene.
    pub lights: &'a [Light],
}

/// Warns of extensions that the file requires and that are shown approximately or not at all.
pub fn check(document: &Document, drawn: &Drawn<'_>, warnings: &mut Warnings) {
    let materials = drawn.materials();
    for (index, name) in document.extensions_required.iter().enumerate() {
        let message = match support::verdict(name) {
            (Support::Full, _) => None,
            (Support::Approximate, differs) => {
                place(name, drawn, &materials).map(|place| format!("{name} is {differs} ({place})"))
            }
            (Support::None, lost) => Some(format!("{name} is not supported: {lost}")),
        };
        if let Some(message) = message {
            warnings.add(CODE, &format!("extensionsRequired[{index}]"), message);
        }
    }
}

impl<'a> Drawn<'a> {
    /// Returns the materials of all drawn primitives; `None` is a primitive without one.
    fn materials(&self) -> BTreeSet<Option<usize>> {
        let meshes: BTreeSet<usize> = self.instances.iter().map(|instance| instance.mesh).collect();
        let meshes = meshes.into_iter().filter_map(|mesh| self.meshes.get(mesh));
        meshes.flat_map(|mesh| &mesh.primitives).map(|primitive| primitive.material).collect()
    }

    fn material(&self, index: usize) -> Option<&'a Material> {
        self.materials.get(index)
    }
}

/// Describes the visible uses of an approximated extension; `None` if it has none.
fn place(name: &str, drawn: &Drawn<'_>, materials: &BTreeSet<Option<usize>>) -> Option<String> {
    match name {
        "KHR_lights_punctual" => {
            let is_lit = |index: &Option<usize>| {
                index.and_then(|index| drawn.material(index)).is_none_or(|material| !material.unlit)
            };
            let shining = drawn.lights.iter().filter(|light| shines(light)).count();
            let is_seen = shining > 0 && materials.iter().any(is_lit);
            is_seen.then(|| counted(shining, "light", "lights"))
        }
        // Reading clips reports each pointer that is not followed, and `inspect` the parts of an avatar.
        "KHR_animation_pointer" | "VRM" | "VRMC_vrm" => None,
        name => {
            let is_seen = is_seen_in(name)?;
            let mut seen = materials.iter().flatten().filter(|index| {
                drawn.material(**index).is_some_and(|material| !material.unlit && is_seen(material))
            });
            let first = seen.next()?;
            Some(match seen.count() {
                0 => format!("materials[{first}]"),
                more => format!("materials[{first}] and {more} more"),
            })
        }
    }
}

fn shines(light: &Light) -> bool {
    light.intensity > 0.0 && light.color.iter().any(|channel| *channel > 0.0)
}

/// Returns the test for whether an approximation is visible in a lit material.
fn is_seen_in(extension: &str) -> Option<fn(&Material) -> bool> {
    Some(match extension {
        "KHR_materials_clearcoat" => |material| {
            material.clearcoat.as_deref().is_some_and(|coat| {
                let has_texture =
                    coat.texture.is_some() || coat.roughness_texture.is_some() || coat.normal.is_some();
                coat.factor > 0.0 && has_texture
            })
        },
        "KHR_materials_pbrSpecularGlossiness" => |material| material.specular_glossiness.is_some(),
        "KHR_materials_sheen" => |material| {
            material.sheen.as_deref().is_some_and(|sheen| {
                let has_texture = sheen.color_texture.is_some() || sheen.roughness_texture.is_some();
                sheen.color != [0.0; 3] && has_texture
            })
        },
        "KHR_materials_specular" => |material| {
            material.specular.as_deref().is_some_and(|specular| {
                let has_texture = specular.texture.is_some() || specular.color_texture.is_some();
                is_dielectric(material) && specular.factor > 0.0 && has_texture
            })
        },
        "KHR_materials_transmission" => |material| {
            let transmission = material.transmission.as_deref();
            is_dielectric(material) && transmission.is_some_and(|transmission| transmission.factor > 0.0)
        },
        _ => return None,
    })
}

/// Returns true if the surface may be non-metallic somewhere.
fn is_dielectric(material: &Material) -> bool {
    material.metallic < 1.0 || material.metallic_roughness_texture.is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::gltf::load_bytes;

    /// Returns the warnings for a triangle whose material has an extension that the file requires.
    fn said(name: &str, extension: Value) -> Vec<String> {
        said_of(&with(REQUIRED, name, extension))
    }

    /// Creates a triangle whose material has an extension, with a list that names it.
    fn with(list: &str, name: &str, extension: Value) -> Value {
        let mut document = triangle();
        document["extensionsUsed"] = json!([name]);
        document[list] = json!([name]);
        document["materials"] = json!([{}, {"pbrMetallicRoughness": {"metallicFactor": 0.5}}]);
        document["materials"][1]["extensions"][name] = extension;
        document
    }

    /// Warnings about extensions that are only approximated.
    fn said_of(document: &Value) -> Vec<String> {
        let warnings = load_bytes(document.to_string().as_bytes(), None).unwrap().warnings;
        let found =
            warnings.into_iter().filter(|found| found.code == crate::gltf::reader::approximation::CODE);
        found.map(|found| format!("{}: {}", found.path, found.message)).collect()
    }

    fn triangle() -> Value {
        let picture = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ\
                       /pLvAAAAAElFTkSuQmCC";
        json!({
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 1}]}],
            "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}],
            "textures": [{"source": 0}],
            "images": [{"uri": picture}]
        })
    }

    const REQUIRED: &str = "extensionsRequired";

    #[test]
    fn what_is_required_and_seen_is_a_warning() {
        let glass = json!({"transmissionFactor": 0.5});
        let text = "extensionsRequired[0]: KHR_materials_transmission is drawn without bending light, with one \
                    strength for the whole surface; only the light around it is blurred (materials[1])";
        assert_eq!(said("KHR_materials_transmission", glass.clone()), [text]);
        // An extension that is not required gives no warning.
        let used = with("extensionsUsed", "KHR_materials_transmission", glass);
        assert_eq!(said_of(&used), [""; 0]);
    }

    #[test]
    fn what_is_shown_as_it_is_meant_is_no_warning() {
        for (name, extension, texture) in [
            ("KHR_materials_clearcoat", json!({"clearcoatFactor": 1}), "clearcoatNormalTexture"),
            ("KHR_materials_clearcoat", json!({"clearcoatFactor": 1}), "clearcoatTexture"),
            ("KHR_materials_specular", json!({"specularFactor": 1}), "specularColorTexture"),
        ] {
            assert_eq!(said(name, extension.clone()), [""; 0], "{name}");
            let mut textured = extension;
            textured[texture] = json!({"index": 0});
            assert_eq!(said(name, textured).len(), 1, "{name}");
        }
        assert_eq!(said("KHR_materials_transmission", json!({})), [""; 0]);
        assert_eq!(said("KHR_materials_ior", json!({"ior": 1.2})), [""; 0]);
        let older = said("KHR_materials_pbrSpecularGlossiness", json!({}));
        assert_eq!(older.len(), 1);
    }

    #[test]
    fn what_is_not_drawn_is_no_warning() {
        let mut document = triangle();
        document[REQUIRED] = json!(["KHR_materials_transmission"]);
        document["extensionsUsed"] = json!(["KHR_materials_transmission", "KHR_materials_unlit"]);
        let glass = json!({"KHR_materials_transmission": {"transmissionFactor": 0.5}});
        let dielectric = json!({"metallicFactor": 0});
        document["materials"] = json!([{}, {"extensions": glass, "pbrMetallicRoughness": dielectric}]);
        assert_eq!(said_of(&document).len(), 1);
        let edited = |pointer: &str, value: Value| {
            let mut document = document.clone();
            *document.pointer_mut(pointer).unwrap() = value;
            said_of(&document)
        };
        assert_eq!(edited("/meshes/0/primitives/0/material", json!(0)), [""; 0]);
        assert_eq!(edited("/nodes/0", json!({})), [""; 0]);
        assert_eq!(edited("/materials/1/pbrMetallicRoughness/metallicFactor", json!(1)), [""; 0]);
        let both =
            json!({"KHR_materials_transmission": {"transmissionFactor": 1}, "KHR_materials_unlit": {}});
        assert_eq!(edited("/materials/1/extensions", both), [""; 0]);
    }

    #[test]
    fn lights_that_fall_on_something_are_told() {
        let mut document = triangle();
        document["materials"] = json!([{}, {}]);
        document[REQUIRED] = json!(["KHR_lights_punctual"]);
        document["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_materials_unlit"]);
        document["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "point"}]}});
        assert_eq!(said_of(&document), [""; 0]);
        document["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
        let found = said_of(&document);
        assert!(found.len() == 1 && found[0].ends_with("(1 light)"), "{found:?}");
        let mut dark = document.clone();
        dark["extensions"]["KHR_lights_punctual"]["lights"][0]["intensity"] = json!(0);
        assert_eq!(said_of(&dark), [""; 0]);
        document["materials"][1]["extensions"] = json!({"KHR_materials_unlit": {}});
        assert_eq!(said_of(&document), [""; 0]);
    }

    #[test]
    fn pointers_that_are_not_followed_are_told() {
        let with = |pointer: &str| {
            let mut document = triangle();
            document["materials"] = json!([{}, {}]);
            document[REQUIRED] = json!(["KHR_animation_pointer"]);
            document["extensionsUsed"] = document[REQUIRED].clone();
            let target =
                json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}});
            let data = "data:application/octet-stream;base64,AACAPwAAgD8AAIA/";
            document["buffers"] = json!([{"byteLength": 12, "uri": data}]);
            document["bufferViews"] = json!([{"buffer": 0, "byteLength": 12}]);
            document["accessors"] = json!([
                document["accessors"][0],
                {"componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0]},
                {"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3"}
            ]);
            document["animations"] = json!([{
                "channels": [{"sampler": 0, "target": target}], "samplers": [{"input": 1, "output": 2}]
            }]);
            said_of(&document)
        };
        assert_eq!(with("/nodes/0/scale"), [""; 0]);
        let found = with("/materials/1/emissiveFactor");
        assert!(
            found.len() == 1 && found[0].contains("'/materials/{}/emissiveFactor' is not animated"),
            "{found:?}"
        );
    }

    #[test]
    fn each_approximation_says_where_it_is_seen() {
        for name in crate::gltf::reader::approximation::support::approximate() {
            let elsewhere =
                ["KHR_animation_pointer", "KHR_lights_punctual", "VRM", "VRMC_vrm"].contains(&name);
            assert!(elsewhere || crate::gltf::reader::approximation::is_seen_in(name).is_some(), "{name}");
        }
    }
}
