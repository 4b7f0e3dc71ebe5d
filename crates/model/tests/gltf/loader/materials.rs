//! Tests materials with every property, and with each property broken.

use serde_json::{Value, json};
use sinew_model::gltf::support::{Support, verdict};
use sinew_model::gltf::write_glb;
use sinew_model::gltf::{Options, inspect_bytes, load_bytes};
use sinew_model::{
    Clearcoat, Encoding, Filter, Material, Model, NormalMap, Occlusion, Sampling, Specular,
    SpecularGlossiness, Tangents, TextureRef, TextureTransform, TextureUse, Transmission, Wrap,
};

use crate::character;
use crate::file::File;
use crate::loader::cases::{error, warned};

const PRIMITIVE: &str = "meshes[0].primitives[0]";

/// Gives the character this material, which may use textures 0 to 3: one image with four samplers.
fn with_material(c: &mut File, material: Value) {
    c.json["materials"][0] = material;
    c.json["samplers"] = json!([{}, {"magFilter": 9728, "minFilter": 9984, "wrapS": 33071, "wrapT": 33648}]);
    c.json["textures"] = json!([
        {"source": 0}, {"source": 0, "sampler": 0}, {"source": 0, "sampler": 1}, {"source": 0},
    ]);
}

fn loaded(material: Value) -> Model {
    let (model, warnings) = warned(|c| with_material(c, material));
    assert_eq!(warnings, [""; 0]);
    model
}

/// The character's only image as a texture, with defaults.
fn plain() -> TextureRef {
    TextureRef::default()
}

const SPECIAL: Sampling = Sampling {
    wrap_s: Wrap::Clamp,
    wrap_t: Wrap::Mirror,
    mag: Filter::Nearest,
    min: Filter::Nearest,
    mip: Some(Filter::Nearest),
};

fn rich() -> Value {
    json!({
        "name": "rich",
        "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0},
            "metallicRoughnessTexture": {"index": 1},
        },
        "normalTexture": {"index": 2, "scale": -0.5},
        "occlusionTexture": {"index": 2, "strength": 0.25},
        "emissiveTexture": {"index": 3, "extensions": {"KHR_texture_transform":
            {"offset": [0.25, 0.5], "rotation": 1.5, "scale": [2, -1]}}},
        "emissiveFactor": [0.5, 0.25, 1],
        "extensions": {
            "KHR_materials_emissive_strength": {"emissiveStrength": 8},
            "KHR_materials_ior": {"ior": 1.25},
            "KHR_materials_specular": {"specularFactor": 0.5, "specularTexture": {"index": 0},
                "specularColorFactor": [2, 1, 0], "specularColorTexture": {"index": 2}},
            "KHR_materials_clearcoat": {"clearcoatFactor": 0.75, "clearcoatTexture": {"index": 0},
                "clearcoatRoughnessFactor": 0.125, "clearcoatRoughnessTexture": {"index": 2},
                "clearcoatNormalTexture": {"index": 0, "scale": 2}},
            "KHR_materials_transmission": {"transmissionFactor": 0.5, "transmissionTexture": {"index": 0}},
        },
    })
}

#[test]
fn everything_a_material_may_have_is_kept() {
    let special = TextureRef { sampling: SPECIAL, ..plain() };
    let transform = TextureTransform { offset: [0.25, 0.5], rotation: 1.5, scale: [2.0, -1.0] };
    let expected = Material {
        name: "rich".to_owned(),
        base_color_texture: Some(plain()),
        metallic_roughness_texture: Some(plain()),
        normal: Some(NormalMap { texture: special, scale: -0.5 }),
        occlusion: Some(Occlusion { texture: special, strength: 0.25 }),
        emissive: [0.5, 0.25, 1.0],
        emissive_texture: Some(TextureRef { transform, ..plain() }),
        emissive_strength: 8.0,
        ior: 1.25,
        specular: Some(Box::new(Specular {
            factor: 0.5,
            texture: Some(plain()),
            color: [2.0, 1.0, 0.0],
            color_texture: Some(special),
        })),
        clearcoat: Some(Box::new(Clearcoat {
            factor: 0.75,
            texture: Some(plain()),
            roughness: 0.125,
            roughness_texture: Some(special),
            normal: Some(NormalMap { texture: plain(), scale: 2.0 }),
        })),
        transmission: Some(Box::new(Transmission { factor: 0.5, texture: Some(plain()) })),
        ..Material::default()
    };
    let model = loaded(rich());
    assert_eq!(model.materials, [expected]);
    assert_eq!(model.materials[0].textures().count(), 11);
    for (role, _) in model.materials[0].textures() {
        let is_color =
            [TextureUse::BaseColor, TextureUse::Emissive, TextureUse::SpecularColor].contains(&role);
        assert_eq!(role.encoding() == Encoding::Srgb, is_color, "{role:?}");
    }
}

#[test]
fn what_extensions_leave_out_has_the_formats_defaults() {
    let model = loaded(json!({"extensions": {
        "KHR_materials_emissive_strength": {}, "KHR_materials_ior": {}, "KHR_materials_specular": {},
        "KHR_materials_clearcoat": {}, "KHR_materials_transmission": {},
    }}));
    let specular = Specular { factor: 1.0, texture: None, color: [1.0; 3], color_texture: None };
    let coat =
        Clearcoat { factor: 0.0, texture: None, roughness: 0.0, roughness_texture: None, normal: None };
    let expected = Material {
        specular: Some(Box::new(specular)),
        clearcoat: Some(Box::new(coat)),
        transmission: Some(Box::new(Transmission { factor: 0.0, texture: None })),
        ..Material::default()
    };
    assert_eq!(model.materials, [expected]);
}

/// Dielectric and metal, with factors whose metallic-roughness equivalents are known, and with an image of one colour
/// (sRGB 200, 100, 50), whose mean is that colour.
#[test]
fn the_older_model_is_converted() {
    let older = |value: Value| {
        let material = json!({"pbrMetallicRoughness": {"metallicRoughnessTexture": {"index": 0}},
            "extensions": {"KHR_materials_pbrSpecularGlossiness": value}});
        loaded(material).materials.remove(0)
    };
    let near = |a: f32, b: f32| (a - b).abs() < 1e-5;

    let wood = older(json!({"diffuseFactor": [0.5, 0.25, 0.125, 0.5], "specularFactor": [0.04, 0.04, 0.04],
        "glossinessFactor": 0.25, "diffuseTexture": {"index": 2}}));
    assert!(near(wood.metallic, 0.0) && near(wood.roughness, 0.75), "{wood:?}");
    assert!(wood.base_color.iter().zip([0.5, 0.25, 0.125, 0.5]).all(|(a, b)| near(*a, b)), "{wood:?}");
    assert_eq!(wood.base_color_texture, Some(TextureRef { sampling: SPECIAL, ..plain() }));
    assert_eq!(wood.metallic_roughness_texture, None);

    let gold = older(json!({"diffuseFactor": [0, 0, 0, 1], "specularFactor": [1, 0.75, 0.25]}));
    assert!(near(gold.metallic, 1.0) && near(gold.roughness, 0.0), "{gold:?}");
    assert!(gold.base_color.iter().zip([1.0, 0.75, 0.25, 1.0]).all(|(a, b)| near(*a, b)), "{gold:?}");

    // The texture's mean holds for the whole surface: (0.578, 0.127, 0.032) in linear light.
    let copper = older(json!({"diffuseFactor": [0, 0, 0, 1], "specularGlossinessTexture": {"index": 0}}));
    assert!((copper.base_color[0] - 0.578).abs() < 1e-3, "{copper:?}");
    assert!(copper.metallic > 0.9 && near(copper.roughness, 0.0), "{copper:?}");
    let kept = SpecularGlossiness {
        diffuse: [0.0, 0.0, 0.0, 1.0],
        diffuse_texture: None,
        specular: [1.0; 3],
        glossiness: 1.0,
        texture: Some(plain()),
    };
    assert_eq!(copper.specular_glossiness.as_deref(), Some(&kept));
    let default = older(json!({}));
    assert_eq!(
        default.specular_glossiness.as_deref(),
        Some(&SpecularGlossiness { texture: None, diffuse: [1.0; 4], ..kept })
    );
}

#[test]
fn samplers_are_read_in_every_spelling() {
    let sampling = |sampler: Value| {
        let (model, warnings) = warned(|c| {
            c.json["samplers"] = json!([sampler]);
            c.json["textures"][0]["sampler"] = 0.into();
        });
        (model.materials[0].base_color_texture.unwrap().sampling, warnings)
    };
    let default = Sampling::default();
    for (code, wrap) in [(10497, Wrap::Repeat), (33648, Wrap::Mirror), (33071, Wrap::Clamp)] {
        let (read, _) = sampling(json!({"wrapS": code}));
        assert_eq!(read, Sampling { wrap_s: wrap, ..default });
        let (read, _) = sampling(json!({"wrapT": code}));
        assert_eq!(read, Sampling { wrap_t: wrap, ..default });
    }
    let (near, smooth) = (Filter::Nearest, Filter::Linear);
    for (code, mag) in [(9728, near), (9729, smooth)] {
        assert_eq!(sampling(json!({"magFilter": code})).0, Sampling { mag, ..default });
    }
    for (code, min, mip) in [
        (9728, near, None),
        (9729, smooth, None),
        (9984, near, Some(near)),
        (9985, smooth, Some(near)),
        (9986, near, Some(smooth)),
        (9987, smooth, Some(smooth)),
    ] {
        assert_eq!(sampling(json!({"minFilter": code})).0, Sampling { min, mip, ..default });
    }
    let (read, warnings) =
        sampling(json!({"wrapS": 1, "wrapT": 33071, "magFilter": 9984, "minFilter": 9730}));
    assert_eq!(read, Sampling { wrap_t: Wrap::Clamp, ..default });
    assert_eq!(
        warnings,
        [
            "samplers[0].wrapS: 1 is not allowed here; the default is used",
            "samplers[0].magFilter: 9984 is not allowed here; the default is used",
            "samplers[0].minFilter: 9730 is not allowed here; the default is used",
        ]
    );
    let text = error(|c| c.json["textures"][0]["sampler"] = 3.into());
    assert_eq!(text, "textures[0].sampler: there is no sampler 3 (the file has 0)");
}

#[test]
fn a_transform_may_choose_another_set() {
    let (model, warnings) = warned(|c| {
        let set = c.primitive()["attributes"]["TEXCOORD_0"].clone();
        c.primitive()["attributes"]["TEXCOORD_1"] = set;
        c.json["materials"][0] = json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 5,
            "extensions": {"KHR_texture_transform": {"texCoord": 1, "scale": [1e300, 1], "rotation": -1e300}}}}});
    });
    assert_eq!(warnings, [""; 0]);
    let texture = model.materials[0].base_color_texture.unwrap();
    assert_eq!((texture.texcoord, texture.transform.scale), (1, [1e6, 1.0]));
    assert_eq!((texture.transform.rotation, texture.transform.offset), (-1e6, [0.0; 2]));
}

#[test]
fn every_texture_needs_its_coordinates() {
    let (_, warnings) = warned(|c| {
        with_material(c, rich());
        c.json["materials"][0]["normalTexture"]["texCoord"] = 1.into();
        c.json["materials"][0]["occlusionTexture"]["texCoord"] = 1.into();
        c.json["materials"][0]["extensions"]["KHR_materials_transmission"]["transmissionTexture"]["texCoord"] =
            2.into();
    });
    let uses =
        |set: usize| format!("{PRIMITIVE}.material: uses TEXCOORD_{set}, which the primitive does not have");
    assert_eq!(warnings, [uses(1), uses(2)]);
}

#[test]
fn what_is_out_of_range_is_noted_with_its_path() {
    let (model, warnings) = warned(|c| {
        let extensions = json!({
            "KHR_materials_emissive_strength": {"emissiveStrength": -1},
            "KHR_materials_ior": {"ior": 0.5},
            "KHR_materials_clearcoat": {"clearcoatFactor": 1.5},
            "KHR_materials_pbrSpecularGlossiness": {"specularFactor": [0, 0, 3]},
        });
        with_material(
            c,
            json!({"occlusionTexture": {"index": 0, "strength": 7}, "normalTexture": {"index": 0, "scale": 1e300},
                "alphaMode": "MASK", "alphaCutoff": -2, "extensions": extensions}),
        );
    });
    let material = &model.materials[0];
    assert_eq!((material.emissive_strength, material.ior), (0.0, 1.0));
    assert_eq!(material.clearcoat.as_ref().unwrap().factor, 1.0);
    assert_eq!(material.occlusion.as_ref().unwrap().strength, 1.0);
    assert_eq!(material.normal.as_ref().unwrap().scale, 65504.0);
    let at = "materials[0].extensions.KHR_materials_";
    assert_eq!(
        warnings,
        [
            "materials[0].alphaCutoff: -2.0 is not within 0 to 65504".to_owned(),
            "materials[0].occlusionTexture.strength: 7.0 is not within 0 to 1".to_owned(),
            format!("{at}emissive_strength.emissiveStrength: -1.0 is not within 0 to 65504"),
            format!("{at}ior.ior: 0.5 is neither 0 nor at least 1; 1 is used"),
            format!("{at}clearcoat.clearcoatFactor: 1.5 is not within 0 to 1"),
            format!("{at}pbrSpecularGlossiness.specularFactor: 3.0 is not within 0 to 1"),
        ]
    );
    let (model, warnings) =
        warned(|c| with_material(c, json!({"extensions": {"KHR_materials_ior": {"ior": 0}}})));
    assert_eq!((model.materials[0].ior, warnings.len()), (0.0, 0));
}

#[test]
fn what_has_the_wrong_type_is_an_error_with_its_path() {
    let at = "materials[0].extensions.KHR_materials_clearcoat";
    for (value, path) in [
        (json!(3), format!("{at}: ")),
        (json!({"clearcoatFactor": "much"}), format!("{at}.clearcoatFactor: ")),
        (json!({"clearcoatTexture": {"index": -1}}), format!("{at}.clearcoatTexture.index: ")),
        (
            json!({"clearcoatTexture": {"index": 9}}),
            format!("{at}.clearcoatTexture.index: there is no texture 9"),
        ),
    ] {
        let text =
            error(|c| with_material(c, json!({"extensions": {"KHR_materials_clearcoat": value.clone()}})));
        assert!(text.starts_with(&path), "{text}");
    }
    let text = error(|c| {
        c.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] =
            json!({"KHR_texture_transform": {"offset": [1]}});
    });
    let path = "materials[0].pbrMetallicRoughness.baseColorTexture.extensions.KHR_texture_transform.offset";
    assert!(text.starts_with(path), "{text}");
}

#[test]
fn normal_maps_say_where_their_tangents_come_from() {
    let of = |model: &Model| model.tangents(&model.meshes[0].primitives[0]);
    assert_eq!(of(&loaded(json!({}))), Tangents::NotNeeded);
    assert_eq!(of(&loaded(json!({"normalTexture": {"index": 0}}))), Tangents::FromFile);
    let (model, _) = warned(|c| {
        with_material(c, json!({"normalTexture": {"index": 0}}));
        c.primitive()["attributes"].as_object_mut().unwrap().remove("TANGENT");
    });
    assert_eq!(of(&model), Tangents::Derived);
}

#[test]
fn extensions_that_are_read_may_be_required() {
    for name in [
        "KHR_materials_clearcoat",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_texture_transform",
        "EXT_texture_webp",
        "KHR_texture_basisu",
    ] {
        let (_, warnings) = warned(|c| c.json["extensionsRequired"] = json!([name]));
        assert_eq!(warnings, [""; 0], "{name}");
        assert_ne!(verdict(name).0, Support::None, "{name}");
    }
    let text = error(|c| c.json["extensionsRequired"] = json!(["CESIUM_RTC"]));
    assert_eq!(
        text,
        "extensionsRequired[0]: 'CESIUM_RTC' is not supported; without it, the model would be elsewhere"
    );
    let (_, warnings) = warned(|c| c.json["extensionsRequired"] = json!(["KHR_materials_iridescence"]));
    let text = "extensionsRequired[0]: KHR_materials_iridescence is not supported: this part of its materials is \
                left out";
    assert_eq!(warnings, [text]);
}

/// Materials with all extensions survive writing and reading.
#[test]
fn rich_materials_are_written_whole() {
    let (first, _) = warned(|c| {
        with_material(c, rich());
        let older = json!({"diffuseFactor": [0.5, 0.25, 1, 1], "diffuseTexture": {"index": 2},
            "specularFactor": [0.5, 0.5, 0.25], "specularGlossinessTexture": {"index": 0}});
        c.json["materials"].as_array_mut().unwrap().extend([
            json!({"extensions": {"KHR_materials_pbrSpecularGlossiness": older}}),
            json!({"extensions": {"KHR_materials_unlit": {}, "KHR_materials_ior": {"ior": 0}}}),
        ]);
    });
    let bytes = write_glb(&first).unwrap();
    let second = load_bytes(&bytes, None).unwrap();
    assert_eq!(second.warnings, []);
    assert_eq!(second.materials, first.materials);
    assert_eq!(second.pictures, first.pictures);
    let text = String::from_utf8_lossy(&bytes);
    for name in [
        "clearcoat",
        "emissive_strength",
        "ior",
        "pbrSpecularGlossiness",
        "specular",
        "transmission",
        "unlit",
    ] {
        let mentions = text.matches(&format!("\"KHR_materials_{name}\"")).count();
        assert!(mentions > 1, "{name} is not both used and listed");
    }
    // One texture per image and sampler, not per use.
    let json: Value = serde_json::from_slice(
        &bytes[20..20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize],
    )
    .unwrap();
    assert_eq!(
        (json["textures"].as_array().unwrap().len(), json["samplers"].as_array().unwrap().len()),
        (2, 1)
    );
}

/// A selected variant gives primitives its materials, and leaves those that it does not name.
#[test]
fn variants_replace_materials() {
    let file = |material: usize| {
        let mut c = character::new();
        c.json["materials"] = json!([{"name": "own"}, {"name": "night"}]);
        c.json["extensions"]["KHR_materials_variants"] =
            json!({"variants": [{"name": "day"}, {"name": "night"}]});
        c.json["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"] =
            json!({"mappings": [{"variants": [1], "material": material}]});
        c.glb()
    };
    let choose = |file: &[u8], variants: &[(&str, &str)]| {
        let variants = variants.iter().map(|(set, name)| ((*set).to_owned(), (*name).to_owned())).collect();
        inspect_bytes(file, None, &Options { variants, ..Options::default() })
    };
    let material = |variants: &[(&str, &str)]| {
        let found = choose(&file(1), variants).unwrap();
        (found.model.meshes[0].primitives[0].material, found.facts.variants[0].selected.clone())
    };
    assert_eq!(material(&[]), (Some(0), None));
    assert_eq!(material(&[("materials", "day")]), (Some(0), Some("day".to_owned())));
    assert_eq!(material(&[("materials", "night")]), (Some(1), Some("night".to_owned())));
    let said = |file: &[u8], set: &str, name: &str| choose(file, &[(set, name)]).unwrap_err().to_string();
    assert_eq!(said(&file(1), "colors", "day"), "it has no variant set 'colors', but 'materials'");
    assert_eq!(said(&file(1), "materials", "dusk"), "it has no variant 'dusk', but 'day', 'night'");
    assert_eq!(
        said(&file(2), "materials", "night"),
        format!(
            "{PRIMITIVE}.extensions.KHR_materials_variants.mappings[0].material: there is no material 2 (the file has 2)"
        )
    );
    assert_eq!(choose(&file(2), &[("materials", "day")]).unwrap().facts.variants[0].variants.len(), 2);
}
