//! Single properties of small files, and broken ones.

use sinew_model::{LoadError, Model, Options, SkinningMethod, inspect_bytes, load_bytes, stored_influences};

/// A scene with two quads in a mesh; `more` is in the mesh.
pub fn quads(more: &str) -> String {
    format!(
        "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\ndef Mesh \"Quads\"\n{{\n\
         point3f[] points = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0)]\n\
         int[] faceVertexCounts = [4, 4]\nint[] faceVertexIndices = [0, 1, 4, 3, 1, 2, 5, 4]\n\
         uniform token subdivisionScheme = \"none\"\n{more}\n}}\n"
    )
}

fn load(text: &str) -> Result<Model, LoadError> {
    load_bytes(text.as_bytes(), None, &Options::default()).map(|loaded| loaded.model)
}

#[test]
fn corners_that_differ_are_vertices() {
    let model = load(&quads("")).unwrap();
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.indices, [0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2]);
    assert_eq!(primitive.control_points.as_deref(), Some(&[0, 1, 4, 3, 2, 5][..]));
    let text = "texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (1, 0), (1, 1), (0, 1)] (\n\
                interpolation = \"faceVarying\"\n)";
    let model = load(&quads(text)).unwrap();
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.positions.len(), 8);
    assert_eq!(primitive.texcoords[0][2], [1.0, 0.0]);
}

#[test]
fn types_may_have_their_old_names() {
    let new = quads(
        "color3f[] primvars:displayColor = [(1, 0, 0)]\nmatrix4d a = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))",
    );
    let old = [
        ("point3f", "PointFloat"),
        ("color3f", "ColorFloat"),
        ("matrix4d", "Transform"),
        ("int[]", "FaceIndex []"),
    ];
    let old = old.iter().fold(new.clone(), |text, (new, old)| text.replace(new, old));
    assert_eq!(format!("{:?}", load(&old).unwrap()), format!("{:?}", load(&new).unwrap()));
    let more = "uint[] b = [4000000000]\npathExpression c = \"//\"\nuint64[] d = [1]\nstring f (\ng = @a@\n)";
    let text = quads(more).replace("metersPerUnit = 1", "metersPerUnit = 1\ncolorConfiguration = @a@");
    assert_eq!(format!("{:?}", load(&text).unwrap()), format!("{:?}", load(&quads("")).unwrap()));
}

#[test]
fn left_hands_turn_faces_over_and_both_sides_are_kept() {
    let model =
        load(&quads("uniform token orientation = \"leftHanded\"\nuniform bool doubleSided = 1")).unwrap();
    let primitive = &model.meshes[0].primitives[0];
    let corners: Vec<[f32; 3]> =
        primitive.indices[..3].iter().map(|index| primitive.positions[*index as usize]).collect();
    assert_eq!(corners, [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
    assert!(model.materials[primitive.material.unwrap()].double_sided);
}

#[test]
fn subsets_are_primitives_with_their_materials() {
    let subset = "def GeomSubset \"part\"\n{\nuniform token elementType = \"face\"\n\
                  uniform token familyName = \"materialBind\"\nint[] indices = [1]\n\
                  rel material:binding = </Red>\n}";
    let text = format!("{}\ndef Material \"Red\"\n{{\n}}\n", quads(subset));
    let model = load(&text).unwrap();
    let [rest, part] = model.meshes[0].primitives.as_slice() else { panic!("two primitives") };
    assert_eq!((rest.material, rest.indices.len(), part.indices.len()), (None, 6, 6));
    assert_eq!(model.materials[part.material.unwrap()].name, "Red");
    assert!(model.warnings.iter().any(|warning| warning.message.contains("no UsdPreviewSurface")));
}

#[test]
fn axes_and_units_are_turned_by_the_root() {
    let text = quads("").replace("metersPerUnit = 1\n    upAxis = \"Y\"", "upAxis = \"Z\"");
    let model = load(&text).unwrap();
    let root = model.rig.rest[0].parent_from_node();
    let up = root.transform_vector3(glam::DVec3::Z);
    assert!(up.distance(glam::DVec3::new(0.0, 0.01, 0.0)) < 1e-15, "{up}");
    let facts = inspect_bytes(text.as_bytes(), None, &Options::default()).unwrap().facts;
    assert_eq!((facts.format, facts.conversion.unwrap().up), ("USD", "+z"));
}

/// A skinned scene; `more` is in the mesh.
pub fn skinned(more: &str) -> String {
    let mesh = quads(&format!(
        "int[] primvars:skel:jointIndices = [0, 0, 1, 0, 0, 1] (\nelementSize = 1\ninterpolation = \"vertex\"\n)\n\
         float[] primvars:skel:jointWeights = [1, 1, 1, 1, 1, 1] (\nelementSize = 1\ninterpolation = \"vertex\"\n)\n\
         rel skel:skeleton = </Root/Bones>\n{more}"
    ));
    let bones = "def Skeleton \"Bones\"\n{\nuniform token[] joints = [\"a\", \"a/b\"]\n\
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), \
        ((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))]\n}\n";
    mesh.replace("def Mesh", &format!("def SkelRoot \"Root\"\n{{\n{bones}def Mesh")) + "}\n"
}

#[test]
fn skins_have_the_authors_method_and_stored_weights() {
    let model = load(&skinned("")).unwrap();
    assert_eq!(model.skins[0].method, Some(SkinningMethod::Linear));
    let names: Vec<&str> = model.skins[0].joints.iter().map(|node| model.rig.names[*node].as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    let dual = skinned("uniform token primvars:skel:skinningMethod = \"dualQuaternion\"");
    assert_eq!(load(&dual).unwrap().skins[0].method, Some(SkinningMethod::DualQuaternion));
    let vertex = sinew_model::gltf::StoredVertex { mesh: 0, primitive: 0, vertex: 4 };
    let sets = stored_influences(dual.as_bytes(), None, &Options::default(), vertex).unwrap();
    assert_eq!((sets[0].joints[0], sets[0].weights[0]), (1, 1.0));
    let error = load(&skinned("").replace("[0, 0, 1, 0, 0, 1]", "[0, 0, 7, 0, 0, 1]")).unwrap_err();
    assert!(error.to_string().contains("joint 7, which is not there"), "{error}");
    // No joint stays at its place in the world, so the skeleton must stand there.
    let none = skinned("").replace("[0, 0, 1, 0, 0, 1]", "[0, 0, -1, 0, 0, 1]");
    let error = load(&none.replace("metersPerUnit = 1", "metersPerUnit = 2")).unwrap_err();
    assert!(error.to_string().contains("joint -1, which is not there"), "{error}");
    let model = load(&none).unwrap();
    let primitive = &model.meshes[0].primitives[0];
    let joints = primitive.influences.as_ref().unwrap().spans[0].joints.iter().map(|joints| joints[0]);
    let points = primitive.control_points.as_ref().unwrap().iter();
    assert!(joints.zip(points).all(|(joint, point)| joint == [0, 0, -1, 0, 0, 1][*point as usize]));
}

#[test]
fn what_cannot_be_is_one_line() {
    for (text, said) in [
        (
            quads("").replace("[0, 1, 4, 3", "[0, 1, 44, 3"),
            "face 0 has a corner at a point that is not there",
        ),
        (quads("").replace("[4, 4]", "[4, 5]"), "face 1 has more corners than there are"),
        (quads("").replace("(2, 1, 0)]", "(2, nan, 0)]"), "is not finite"),
        (
            quads(
                "double3 xformOp:translate = (inf, 0, 0)\nuniform token[] xformOpOrder = [\"xformOp:translate\"]",
            ),
            "the position of '/Quads' is not finite",
        ),
        (format!("#usda 1.0\n{}", "def \"x\" {".repeat(300)), "brackets are more than 128 deep"),
        ("#usda 1.0\ndef Mesh".to_owned(), "cannot be read as USD"),
    ] {
        let error = load(&text).unwrap_err().to_string();
        assert!(error.contains(said) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn layers_stay_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("outside.usda"), quads("")).unwrap();
    std::fs::write(inner.join("beside.usda"), quads("")).unwrap();
    let naming = |file: &str| format!("#usda 1.0\ndef \"A\" (\nreferences = @{file}@</Quads>\n)\n{{\n}}\n");
    let load = |file: &str, options: &Options| load_bytes(naming(file).as_bytes(), Some(&inner), options);
    let loaded = load("./beside.usda", &Options::default()).unwrap();
    assert_eq!((loaded.model.meshes.len(), loaded.files.len()), (1, 1));
    let error = load("../outside.usda", &Options::default()).unwrap_err();
    assert!(error.leads_outside(), "{error}");
    let options = Options { allow_outside: true, ..Options::default() };
    assert_eq!(load("../outside.usda", &options).unwrap().model.meshes.len(), 1);
    let missing = load("./nothing.usda", &Options::default()).unwrap().model;
    assert!(missing.warnings.iter().any(|warning| warning.message == "no such file: nothing.usda"));
}

#[test]
fn the_nearest_purpose_counts() {
    let mesh = quads("uniform token purpose = \"default\"").split_once("def Mesh").unwrap().1.to_owned();
    let within = |purpose: &str, mesh: &str| {
        format!("#usda 1.0\ndef Xform \"A\"\n{{\nuniform token purpose = \"{purpose}\"\ndef Mesh{mesh}}}\n")
    };
    let shown = |purpose: &str, mesh: &str| load(&within(purpose, mesh)).unwrap().instances.len();
    assert_eq!(shown("guide", &mesh), 1);
    assert_eq!(shown("render", &mesh.replace("\"default\"", "\"proxy\"")), 0);
    assert_eq!(shown("proxy", &mesh.replace("uniform token purpose", "custom token other")), 0);
}

#[test]
fn whole_numbers_of_text_are_interpolated() {
    let text = quads(
        "float xformOp:rotateZ.timeSamples = { 0: 0, 2: 90 }\ndouble xformOp:translateX.timeSamples = { 0: 1, 2: 2.5 }\n\
         uniform token[] xformOpOrder = [\"xformOp:translateX\", \"xformOp:rotateZ\"]",
    );
    let model = load(&text).unwrap();
    let values = |property| {
        let channels = &model.clips[0].channels;
        let channel = channels.iter().find(|channel| channel.property == property).unwrap();
        assert_eq!(channel.times.len(), 3, "{channel:?}");
        channel.values.clone()
    };
    assert_eq!(values(sinew_model::Property::Translation)[3..6], [1.75, 0.0, 0.0]);
    let turn = values(sinew_model::Property::Rotation)[4..8].to_vec();
    assert!((turn[2] - 22.5f32.to_radians().sin()).abs() < 1e-6, "{turn:?}");
}

/// A clip begins at its first key. What nothing moves has its key there, not at 0.
#[test]
fn clips_begin_at_their_first_key() {
    let animation = "def SkelAnimation \"Moves\"\n{\nuniform token[] joints = [\"a\", \"a/b\"]\n\
        quatf[] rotations = [(1, 0, 0, 0), (1, 0, 0, 0)]\nhalf3[] scales = [(1, 1, 1), (1, 1, 1)]\n\
        float3[] translations.timeSamples = {\n12: [(0, 0, 0), (1, 0, 0)],\n36: [(0, 1, 0), (1, 0, 0)],\n}\n}\n";
    let bound = "rel skel:animationSource = </Root/Bones/Moves>\nuniform token[] joints";
    let text = skinned("").replace("uniform token[] joints", bound);
    let text = text.replacen("(1,0,0,1))]\n", &format!("(1,0,0,1))]\n{animation}"), 1);
    let model = load(&text).unwrap();
    let clip = &model.clips[0];
    assert_eq!((clip.name.as_str(), clip.first_secs(), clip.duration_secs), ("Moves", 0.5, 1.5));
    assert!(clip.channels.iter().all(|channel| channel.times[0] == 0.5), "{clip:?}");
}

#[test]
fn numbers_may_lack_a_digit_beside_their_point() {
    let text = quads(
        "double3 xformOp:translate = (.5, 1., -.25)\nuniform token[] xformOpOrder = [\"xformOp:translate\"]",
    );
    let model = load(&text.replace("#usda 1.0", "#usda 1.0 ")).unwrap();
    let place = model.rig.rest[1].parent_from_node().transform_point3(glam::DVec3::ZERO);
    assert_eq!(place, glam::DVec3::new(0.5, 1.0, -0.25));
}
