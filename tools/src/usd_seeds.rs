//! Small USD layers with everything in them that sinew reads, for the fuzz target to begin with: as text, binary and archives.

use std::io::Cursor;

const HEAD: &str = "#usda 1.0\n(\n    defaultPrim = \"Root\"\n    endTimeCode = 2\n    metersPerUnit = 0.01\n    startTimeCode = 0\n    \
    timeCodesPerSecond = 2\n    upAxis = \"Z\"\n)\n";

const SQUARE: &str = "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]\nint[] faceVertexCounts = [3, 3]\n\
    int[] faceVertexIndices = [0, 1, 2, 1, 3, 2]\n";

const BONES: &str = "def Skeleton \"Bones\"\n{\nuniform token[] joints = [\"a\", \"a/b\"]\nuniform matrix4d[] bindTransforms = \
    [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1))]\n\
    uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), \
    (0, 0, 1, 0), (0, 1, 0, 1))]\nrel skel:animationSource = </Root/Motion>\n}\n";

const MOTION: &str = "def SkelAnimation \"Motion\"\n{\nuniform token[] joints = [\"a\", \"a/b\"]\nquatf[] rotations.timeSamples = {\n\
    0: [(1, 0, 0, 0), (1, 0, 0, 0)],\n2: [(1, 0, 0, 0), (0.6, 0, 0, 0.8)],\n}\nfloat3[] translations = [(0, 0, 0), (0, 1, 0)]\n\
    half3[] scales = [(1, 1, 1), (1, 2, 1)]\nuniform token[] blendShapes = [\"wide\"]\nfloat[] blendShapeWeights.timeSamples = {\n\
    0: [0],\n1: [0.75],\n}\n}\n";

const BINDING: &str = "int[] primvars:skel:jointIndices = [0, 1, 0, 1, 1, 0, 1, 1] (\nelementSize = 2\ninterpolation = \"vertex\"\n)\n\
    float[] primvars:skel:jointWeights = [0.5, 0.5, 1, 0, 0.25, 0.75, 1, 0] (\nelementSize = 2\ninterpolation = \"vertex\"\n)\n\
    rel skel:skeleton = </Root/Bones>\nuniform token primvars:skel:skinningMethod = \"dualQuaternion\"\n\
    matrix4d primvars:skel:geomBindTransform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1))\n";

const SHAPES: &str = "uniform token[] skel:blendShapes = [\"wide\"]\nrel skel:blendShapeTargets = </Root/Square/wide>\n\
    def BlendShape \"wide\"\n{\nuniform vector3f[] offsets = [(1, 0, 0), (0, 0, 1)]\nuniform int[] pointIndices = [1, 3]\n\
    uniform vector3f[] inbetweens:half = [(0.2, 0, 0), (0, 0, 0.1)] (\nweight = 0.5\n)\n}\n";

const LOOKS: &str = "normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 1, 0)] (\n\
    interpolation = \"faceVarying\"\n)\ntexCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1)] (\ninterpolation = \"faceVarying\"\n)\n\
    int[] primvars:st:indices = [0, 1, 2, 0, 1, 2]\ncolor3f[] primvars:displayColor = [(1, 0, 0)]\nuniform bool doubleSided = 1\n\
    uniform token orientation = \"leftHanded\"\nuniform token subdivisionScheme = \"none\"\nint[] holeIndices = [1]\n\
    def GeomSubset \"part\"\n{\nuniform token elementType = \"face\"\nuniform token familyName = \"materialBind\"\nint[] indices = [0]\n\
    rel material:binding = </Root/Red>\n}\n";

const RED: &str = "def Material \"Red\"\n{\ntoken outputs:surface.connect = </Root/Red/Shader.outputs:surface>\ndef Shader \"Shader\"\n{\n\
    uniform token info:id = \"UsdPreviewSurface\"\ncolor3f inputs:diffuseColor = (1, 0, 0)\nasset inputs:file = @a.png@\n\
    token outputs:surface\n}\n}\n";

const MOVES: &str = "double3 xformOp:translate.timeSamples = {\n0: (0, 0, 0),\n2: (1, 2, 3),\n}\nfloat3 xformOp:rotateXYZ = (0, 90, 45)\n\
    float3 xformOp:scale = (1, 2, 1)\ndouble3 xformOp:translate:pivot = (0, 1, 0)\nquatd xformOp:orient = (1, 0, 0, 0)\n\
    uniform token[] xformOpOrder = [\"!resetXformStack!\", \"xformOp:translate\", \"xformOp:translate:pivot\", \"xformOp:rotateXYZ\", \
    \"xformOp:orient\", \"xformOp:scale\", \"!invert!xformOp:translate:pivot\"]\ntoken visibility = \"inherited\"\n\
    uniform token purpose = \"render\"\n";

/// A scene in a root; `more` stands after its metadata.
fn scene(kind: &str, more: &str, inside: &str) -> String {
    format!("{HEAD}def {kind} \"Root\" (\n{more})\n{{\n{inside}}}\n")
}

fn texts() -> [(&'static str, String); 6] {
    let mesh = |inside: &str| format!("def Mesh \"Square\"\n{{\n{SQUARE}{inside}}}\n");
    let variants = "variants = {\nstring size = \"big\"\n}\nprepend variantSets = \"size\"\nkind = \"component\"\ncustomData = {\n\
        dictionary a = {\nint b = 1\n}\n}\n";
    let sizes = format!(
        "variantSet \"size\" = {{\n\"big\" {{\n{}}}\n\"small\" (\nactive = true\n) {{\n}}\n}}\n",
        mesh(MOVES)
    );
    let references = format!(
        "def \"A\" (\nprepend references = [</Class> (offset = 1; scale = 2), </Other>]\nprepend inherits = </Class>\n\
         prepend payload = </Other>\nspecializes = </Class>\ninstanceable = true\n)\n{{\n}}\nover \"B\"\n{{\n}}\n{}",
        mesh("")
    );
    let classes = format!("class \"Class\"\n{{\n{}}}\ndef Xform \"Other\"\n{{\n{MOVES}}}\n", mesh(LOOKS));
    [
        ("skin", scene("SkelRoot", "", &[BONES, MOTION, &mesh(&[BINDING, SHAPES].concat())].concat())),
        ("looks", scene("Xform", "", &[&mesh(LOOKS), RED].concat())),
        ("moves", scene("Xform", "", &[MOVES, &mesh("")].concat())),
        ("variants", scene("Xform", variants, &sizes)),
        ("references", scene("Scope", "", &references) + &classes),
        ("sublayer", HEAD.replace("upAxis", "subLayers = [\n@./b.usda@ (offset = 1)\n]\nupAxis") + &mesh("")),
    ]
}

/// Text as a binary layer.
pub fn binary(text: &str) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    let layer = openusd::usda::parse(text).unwrap_or_else(|error| panic!("{error:#}: {text}"));
    openusd::usdc::CrateWriter::write(&layer, &mut out).unwrap();
    out.into_inner()
}

/// An archive of uncompressed files.
pub fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let start = out.len() as u32;
        let [size, length] = [(bytes.len() as u32).to_le_bytes(), (name.len() as u32).to_le_bytes()];
        let common = [&[0; 8][..], &[0; 4], &size, &size, &length].concat();
        out.extend([b"PK\x03\x04\x0a\0", &common[..], name.as_bytes(), bytes].concat());
        let start = start.to_le_bytes();
        directory
            .extend([b"PK\x01\x02\x0a\0\x0a\0", &common[..], &[0; 10], &start, name.as_bytes()].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let [at, size] = [(out.len() as u32).to_le_bytes(), (directory.len() as u32).to_le_bytes()];
    out.extend(directory);
    out.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &at, &[0, 0]].concat());
    out
}

/// Every seed with its name.
pub fn all() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (name, text) in texts() {
        let layer = binary(&text);
        seeds.push((format!("{name}.usda"), text.into_bytes()));
        seeds.push((format!("{name}.usdc"), layer));
    }
    let naming = |file: &str| format!("#usda 1.0\ndef \"A\" (\nreferences = @{file}@</Root>\n)\n{{\n}}\n");
    let skin = seeds[1].1.clone();
    seeds
        .push(("skin.usdz".into(), archive(&[("a.usda", naming("./b.usdc").as_bytes()), ("b.usdc", &skin)])));
    let inner = archive(&[("b.usdc", &skin)]);
    let outer = archive(&[("a.usda", naming("./c.usdz[b.usdc]").as_bytes()), ("c.usdz", &inner)]);
    seeds.push(("nested.usdz".into(), outer));
    seeds
}
