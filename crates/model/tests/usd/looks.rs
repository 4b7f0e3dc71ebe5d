//! Materials and their textures.

use std::path::Path;

use png::ColorType;
use sinew_model::{AlphaMode, LoadError, Model, Options, Wrap, load_bytes};

use crate::pictures::png;
use crate::things::quads;
use crate::usd_seeds;

/// Shaders that read pictures, and the inputs of a surface.
const TEXTURES: &str = r#"
    def Shader "st" { uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname.connect = </Red.inputs:uv>
        float2 outputs:result }
    def Shader "moved" { uniform token info:id = "UsdTransform2d"
        float2 inputs:in.connect = </Red/st.outputs:result>
        float inputs:rotation = 90
        float2 inputs:scale = (2, 3)
        float2 inputs:translation = (0.25, 0.5)
        float2 outputs:result }
    def Shader "color" { uniform token info:id = "UsdUVTexture"
        asset inputs:file = @color.png@
        float2 inputs:st.connect = </Red/moved.outputs:result>
        token inputs:wrapS = "clamp"
        token inputs:wrapT = "mirror"
        float4 inputs:scale = (0.5, 1, 1, 1)
        token inputs:sourceColorSpace = "sRGB" }
    def Shader "packed" { uniform token info:id = "UsdUVTexture"
        asset inputs:file = @packed.png@
        float2 inputs:st.connect = </Red/st.outputs:result>
        token inputs:sourceColorSpace = "raw" }
    def Shader "bumps" { uniform token info:id = "UsdUVTexture"
        asset inputs:file = @packed.png@
        float2 inputs:st.connect = </Red/st.outputs:result>
        float4 inputs:scale = (1, 1, 2, 1)
        float4 inputs:bias = (-0.5, -0.5, -1, 0) }
    def Shader "lost" { uniform token info:id = "UsdUVTexture"
        asset inputs:file = @nothing.png@ }
"#;

const PREFIX: &str = "texCoord2f[] primvars:other = [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)] (\n\
    interpolation = \"vertex\"\n)\ntexCoord2f[] primvars:st = [(0, 0)]\ntexCoord2f[] primvars:uv2 = [(0, 0)]\n\
    color3f[] primvars:displayColor = [(1, 0, 0)]\nrel material:binding = </Red>\n";

/// Loads two quads whose material has these inputs, with pictures beside them.
fn load(inputs: &str, folder: &Path) -> Result<Model, LoadError> {
    let material = format!(
        "def Material \"Red\" (\ndisplayName = \"Bright red\"\n)\n{{\nstring inputs:uv = \"other\"\n\
         token outputs:surface.connect = </Red/nodes.outputs:out>\n\
         def NodeGraph \"nodes\"\n{{\ntoken outputs:out.connect = </Red/surface.outputs:surface>\n}}\n\
         def Shader \"surface\"\n{{\nuniform token info:id = \"UsdPreviewSurface\"\n{inputs}\n}}\n{TEXTURES}}}\n"
    );
    let text = quads(PREFIX) + &material;
    load_bytes(text.as_bytes(), Some(folder), &Options::default()).map(|loaded| loaded.model)
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: Vec<u8>| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("color.png", png(ColorType::Rgba, [2, 1], &[200, 100, 50, 255, 10, 20, 30, 128]));
    write("packed.png", png(ColorType::Rgb, [1, 1], &[40, 80, 160]));
    folder
}

#[test]
fn files_that_change_are_shown_as_they_begin() {
    let folder = folder();
    let text = quads(PREFIX)
        + "def Material \"Red\"\n{\ntoken outputs:surface.connect = </Red/a.outputs:surface>\n\
        def Shader \"a\"\n{\nuniform token info:id = \"UsdPreviewSurface\"\n\
        color3f inputs:diffuseColor.connect = </Red/b.outputs:rgb>\n}\ndef Shader \"b\"\n{\n\
        uniform token info:id = \"UsdUVTexture\"\nasset inputs:file.timeSamples = {\n0: @color.png@,\n1: @packed.png@,\n}\n}\n}\n";
    let binary = usd_seeds::binary(
        &text.replace("asset inputs", "asset[] inputs").replace(": @", ": [@").replace("@,", "@],"),
    );
    for bytes in [text.as_bytes(), &binary] {
        let model = load_bytes(bytes, Some(folder.path()), &Options::default()).unwrap().model;
        let picture = model.pictures[0].as_ref().unwrap();
        assert_eq!(picture.rgba[..4], [200, 100, 50, 255]);
    }
}

#[test]
fn values_of_a_surface_are_those_of_the_material() {
    let folder = folder();
    let model = load(
        "color3f inputs:diffuseColor = (0.5, 0.25, 1)\ncolor3f inputs:emissiveColor = (4, 2, 0)\n\
         float inputs:metallic = 0.25\nfloat inputs:roughness = 0.75\nfloat inputs:opacity = 0.5\n\
         float inputs:ior = 1.25\nfloat inputs:clearcoat = 1\nfloat inputs:clearcoatRoughness = 0.125",
        folder.path(),
    );
    let model = model.unwrap();
    let material = &model.materials[model.meshes[0].primitives[0].material.unwrap()];
    assert_eq!((material.name.as_str(), material.base_color), ("Bright red", [0.5, 0.25, 1.0, 0.5]));
    assert_eq!((material.emissive, material.emissive_strength), ([1.0, 0.5, 0.0], 4.0));
    assert_eq!((material.metallic, material.roughness, material.ior), (0.25, 0.75, 1.25));
    assert_eq!(material.alpha, AlphaMode::Blend);
    let coat = material.clearcoat.as_deref().unwrap();
    assert_eq!((coat.factor, coat.roughness), (1.0, 0.125));
    assert_eq!(model.meshes[0].primitives[0].colors, None);
    assert_eq!(model.warnings, []);
    let model = load(
        "int inputs:useSpecularWorkflow = 1\ncolor3f inputs:specularColor = (0.04, 1, 0)",
        folder.path(),
    );
    let material = &model.unwrap().materials[0];
    assert_eq!(material.specular.as_deref().unwrap().color, [1.0, 25.0, 0.0]);
    assert_eq!((material.base_color, material.metallic), ([0.18, 0.18, 0.18, 1.0], 0.0));
}

#[test]
fn textures_are_where_the_surface_has_them() {
    let folder = folder();
    let model = load(
        "color3f inputs:diffuseColor.connect = </Red/color.outputs:rgb>\n\
         float inputs:opacity.connect = </Red/color.outputs:a>\nfloat inputs:opacityThreshold = 0.25\n\
         float inputs:roughness.connect = </Red/packed.outputs:g>\n\
         float inputs:metallic.connect = </Red/packed.outputs:b>\n\
         float inputs:occlusion.connect = </Red/packed.outputs:r>\n\
         normal3f inputs:normal.connect = </Red/bumps.outputs:rgb>",
        folder.path(),
    );
    let model = model.unwrap();
    assert_eq!(model.warnings, []);
    let material = &model.materials[0];
    let base = material.base_color_texture.unwrap();
    assert_eq!((material.base_color, material.alpha), ([0.5, 1.0, 1.0, 1.0], AlphaMode::Mask(0.25)));
    assert_eq!((base.sampling.wrap_s, base.sampling.wrap_t), (Wrap::Clamp, Wrap::Mirror));
    // s and t of a point, turned in the file's axes, with t up.
    let [[a, b, c], [d, e, f]] = base.transform.rows();
    let (s, t) = (0.5, 0.25);
    let (u, v) = (s, 1.0 - t);
    let found = [a * u + b * v + c, d * u + e * v + f];
    let want = [-3.0 * t + 0.25, 1.0 - (2.0 * s + 0.5)];
    assert!(found.iter().zip(want).all(|(found, want)| (found - want).abs() < 1e-6), "{found:?} {want:?}");
    // The set that is needed comes before another one.
    assert_eq!((base.texcoord, model.meshes[0].primitives[0].texcoords.len()), (1, 2));
    let packed = material.metallic_roughness_texture.unwrap().picture;
    assert_eq!(
        (packed, material.metallic, material.roughness),
        (material.occlusion.unwrap().texture.picture, 1.0, 1.0)
    );
    let normal = material.normal.unwrap();
    assert_eq!((normal.scale, normal.texture.picture), (0.5, packed));
    assert_eq!(model.pictures.iter().flatten().count(), 2);
    assert_eq!(model.pictures[packed].as_ref().unwrap().rgba, [40, 80, 160, 255]);
}

#[test]
fn channels_in_other_places_make_a_picture() {
    let folder = folder();
    let model = load(
        "color3f inputs:diffuseColor.connect = </Red/packed.outputs:rgb>\n\
         float inputs:opacity.connect = </Red/packed.outputs:b>\n\
         float inputs:roughness.connect = </Red/packed.outputs:r>\nfloat inputs:metallic = 0.5",
        folder.path(),
    );
    let model = model.unwrap();
    let material = &model.materials[0];
    let picture = |texture: Option<sinew_model::TextureRef>| {
        model.pictures[texture.unwrap().picture].as_ref().unwrap().rgba.clone()
    };
    // Linear colours are stored as sRGB.
    assert_eq!(picture(material.base_color_texture), [110, 152, 208, 160]);
    assert_eq!(picture(material.metallic_roughness_texture)[1..3], [40, 255]);
    assert_eq!((material.metallic, material.alpha), (0.5, AlphaMode::Blend));
}

#[test]
fn a_picture_that_is_missing_is_one_warning() {
    let folder = folder();
    let model = load("color3f inputs:diffuseColor.connect = </Red/lost.outputs:rgb>", folder.path()).unwrap();
    assert_eq!(model.materials[0].base_color_texture, None);
    let [warning] = model.warnings.as_slice() else { panic!("{:?}", model.warnings) };
    assert_eq!(warning.message, "image 'nothing.png': no such file; shown without");
    let outside = "color3f inputs:diffuseColor.connect = </Red/lost.outputs:rgb>";
    let text = TEXTURES.replace("@nothing.png@", "@../nothing.png@");
    assert!(text.contains("../nothing"));
    let shader = text.split("def Shader \"lost\"").nth(1).unwrap();
    let surface = outside.replace("lost", "far")
        + "\n}\ndef Shader \"far\""
        + shader.trim_end().strip_suffix('}').unwrap();
    let model = load(&surface, folder.path()).unwrap();
    let [warning] = model.warnings.as_slice() else { panic!("{:?}", model.warnings) };
    assert!(warning.message.contains("unless --allow-outside is given"), "{}", warning.message);
}
