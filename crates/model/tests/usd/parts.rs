//! Variants, cameras, lights, point instancers, polygons that are turned in, and changes that are not shown.

use glam::DVec3;
use sinew_model::{LightKind, Model, Options, Projection, inspect_bytes, load_bytes};

use crate::things::quads;

fn load(text: &str) -> Model {
    load_bytes(text.as_bytes(), None, &Options::default()).unwrap().model
}

fn messages(model: &Model) -> Vec<&str> {
    model.warnings.iter().map(|warning| warning.message.as_str()).collect()
}

/// A file that begins with an axis and a unit.
fn centimetres(body: &str) -> String {
    format!("#usda 1.0\n(\n    metersPerUnit = 0.01\n    upAxis = \"Y\"\n)\n{body}")
}

#[test]
fn variants_are_selected_by_the_caller() {
    let text = quads("").replace(
        "def Mesh \"Quads\"\n{",
        "def Mesh \"Quads\" (\nvariants = {\nstring size = \"small\"\n}\n\
        prepend variantSets = [\"size\", \"spare\"]\n)\n{\n\
        variantSet \"spare\" = {\n\"one\" {\n}\n}\n\
        variantSet \"size\" = {\n\"small\" {\n}\n\"large\" (\nprepend variantSets = \"form\"\n) {\n\
        double3 xformOp:scale = (2, 2, 2)\nuniform token[] xformOpOrder = [\"xformOp:scale\", \"xformOp:translate\"]\n\
        variantSet \"form\" = {\n\"high\" {\ndouble3 xformOp:translate = (0, 9, 0)\n}\n}\n}\n}\n",
    );
    let options = |variants: &[(&str, &str)]| Options {
        variants: variants.iter().map(|(set, name)| ((*set).to_owned(), (*name).to_owned())).collect(),
        ..Options::default()
    };
    let scale = |variants: &[(&str, &str)]| {
        let model = load_bytes(text.as_bytes(), None, &options(variants)).unwrap().model;
        model.rig.rest[1].parent_from_node().transform_point3(DVec3::ONE)
    };
    assert_eq!(scale(&[]), DVec3::ONE);
    assert_eq!(scale(&[("size", "large")]), DVec3::splat(2.0));
    // A set within a variant.
    assert_eq!(scale(&[("size", "large"), ("form", "high")]), DVec3::new(2.0, 20.0, 2.0));
    let sets = inspect_bytes(text.as_bytes(), None, &options(&[("size", "large")])).unwrap().facts.variants;
    let size = sets.iter().find(|set| set.name == "size").unwrap();
    assert_eq!((size.prim.as_str(), size.variants.join(" ")), ("/Quads", "small large".to_owned()));
    assert_eq!(size.selected.as_deref(), Some("large"));
    let spare = sets.iter().find(|set| set.name == "spare").unwrap();
    assert_eq!((spare.variants.len(), &spare.selected), (1, &None));
    for (set, name, said) in [
        ("sise", "large", "it has no variant set 'sise' (did you mean 'size'?), but 'size', 'spare'"),
        ("size", "larger", "it has no variant 'larger' (did you mean 'large'?), but 'large', 'small'"),
    ] {
        let error = load_bytes(text.as_bytes(), None, &options(&[(set, name)])).unwrap_err();
        assert_eq!(error.to_string(), said);
    }
    let glb = sinew_model::builtin::glb("strip").unwrap();
    let error = load_bytes(&glb, None, &options(&[("size", "large")])).unwrap_err();
    assert_eq!(error.to_string(), "it has no variant set 'size', and no variant sets at all");
}

#[test]
fn cameras_have_their_lenses() {
    let model = load(&centimetres(
        "def Camera \"Wide\"\n{\nfloat focalLength = 10\nfloat verticalAperture = 20\nfloat horizontalAperture = 40\n\
         float2 clippingRange = (10, 1000)\n}\n\
         def Camera \"Flat\"\n{\ntoken projection = \"orthographic\"\nfloat horizontalAperture = 400\n\
         float verticalAperture = 200\nfloat2 clippingRange = (0, 500)\nfloat horizontalApertureOffset = 3\n}\n\
         def Camera \"None\"\n{\nfloat focalLength = 0\n}\n",
    ));
    let [wide, flat] = model.cameras.as_slice() else { panic!("{:?}", model.cameras) };
    let Projection::Perspective { yfov_radians, aspect, near, far } = wide.projection else { panic!() };
    assert!((yfov_radians.to_degrees() - 90.0).abs() < 1e-9);
    assert_eq!((aspect, near, far, &*wide.name), (Some(2.0), 0.1, Some(10.0), "Wide"));
    let Projection::Orthographic { half_width, half_height, near, far } = flat.projection else { panic!() };
    assert!((half_width - 0.2).abs() < 1e-12 && (half_height - 0.1).abs() < 1e-12);
    assert_eq!((near, far, model.rig.names[flat.node].as_str()), (0.0, 5.0, "Flat"));
    let said =
        ["its aperture is off its axis; it is shown on it", "its numbers give no picture; it is left out"];
    assert_eq!(messages(&model), said);
}

#[test]
fn lights_have_their_strength() {
    let model = load(&centimetres(
        "def DistantLight \"Sun\"\n{\nfloat inputs:intensity = 3\nfloat inputs:exposure = 1\n\
         bool inputs:normalize = 1\ncolor3f inputs:color = (2, 1, 0)\n}\n\
         def SphereLight \"Bulb\"\n{\nfloat inputs:intensity = 40000\nbool inputs:normalize = 1\n\
         float inputs:radius = 7\n}\n\
         def SphereLight \"Cone\"\n{\nfloat inputs:intensity = 10000\nfloat inputs:radius = 2\n\
         float inputs:shaping:cone:angle = 30\nfloat inputs:shaping:cone:softness = 0.5\n}\n\
         def RectLight \"Window\"\n{\nfloat inputs:intensity = 5\nfloat inputs:width = 100\n\
         float inputs:height = 200\n}\n\
         def DomeLight \"Sky\"\n{\n}\n\
         def SphereLight \"Off\"\n{\ntoken visibility = \"invisible\"\n}\n",
    ));
    let [sun, bulb, cone, window] = model.lights.as_slice() else { panic!("{:?}", model.lights) };
    assert_eq!((sun.kind, sun.color, sun.intensity), (LightKind::Directional, [1.0, 0.5, 0.0], 12.0));
    assert_eq!((bulb.kind, bulb.intensity), (LightKind::Point, 1.0));
    let LightKind::Spot { inner_cone_radians: inner, outer_cone_radians: outer } = cone.kind else {
        panic!()
    };
    assert!((inner.to_degrees() - 15.0).abs() < 1e-4 && (outer.to_degrees() - 30.0).abs() < 1e-4);
    assert!((cone.intensity - 4.0 * std::f32::consts::PI).abs() < 1e-4, "{}", cone.intensity);
    // Half a square metre is seen from the front.
    assert!((window.intensity - 10.0).abs() < 1e-5 && matches!(window.kind, LightKind::Spot { .. }));
    assert_eq!(messages(&model), ["a light of its kind is not shown"]);
}

#[test]
fn point_instancers_draw_copies() {
    let mesh = quads("").split_once("def Mesh").unwrap().1.to_owned();
    let copies = |more: &str| {
        centimetres(&format!(
            "def PointInstancer \"Many\"\n{{\nrel prototypes = [</Many/A>, </Many/B>]\n\
             int[] protoIndices = [0, 1, 0, 0]\npoint3f[] positions = [(1, 0, 0), (0, 5, 0), (9, 9, 9), (0, 0, 3)]\n\
             quath[] orientations = [(1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0)]\n\
             float3[] scales = [(1, 1, 1), (1, 1, 1), (1, 1, 1), (2, 2, 2)]\nint64[] invisibleIds = [2]\n{more}\n\
             def Xform \"A\"\n{{\ndouble3 xformOp:translate = (0, 1, 0)\n\
             uniform token[] xformOpOrder = [\"xformOp:translate\"]\ndef Mesh{mesh}}}\n\
             def Xform \"B\"\n{{\n}}\n}}\n"
        ))
    };
    let model = load(&copies(""));
    let places: Vec<[f64; 3]> = model
        .instances
        .iter()
        .map(|copy| {
            let rest = model.rig.rest[copy.node].parent_from_node();
            rest.transform_point3(DVec3::new(1.0, 0.0, 0.0))
                .to_array()
                .map(|number| (number * 1e6).round() / 1e6)
        })
        .collect();
    // Turned by half about y, and twice as large: the prototype's own place is inside.
    assert_eq!(places, [[2.0, 1.0, 0.0], [-2.0, 2.0, 3.0]]);
    assert_eq!((model.meshes.len(), messages(&model).len()), (1, 0));
    let nested = copies("def PointInstancer \"Inner\"\n{\nrel prototypes = </Many/B>\n}");
    assert_eq!(messages(&load(&nested)), ["it is in another point instancer; it is not shown"]);
    let moving = copies("")
        .replace("point3f[] positions =", "point3f[] positions.timeSamples = {0:")
        .replace("(0, 0, 3)]\n", "(0, 0, 3)], 4: [(7, 7, 7)]}\n");
    let model = load(&moving);
    assert_eq!((model.instances.len(), messages(&model).len()), (2, 1), "{:?}", model.warnings);
    // Copies are charged before they are made.
    let meshes: String =
        (0..60).map(|number| format!("def Mesh{}", mesh.replace("Quads", &format!("M{number}")))).collect();
    let count = 10_000;
    let many = centimetres(&format!(
        "def PointInstancer \"Many\"\n{{\nrel prototypes = </Many/A>\nint[] protoIndices = [{}]\n\
         point3f[] positions = [{}]\ndef Xform \"A\"\n{{\n{meshes}}}\n}}\n",
        "0,".repeat(count),
        "(0,0,0),".repeat(count),
    ));
    let error = load_bytes(many.as_bytes(), None, &Options::default()).unwrap_err();
    assert!(error.to_string().starts_with("/Many: 60 elements need more than the "), "{error}");
}

#[test]
fn polygons_that_are_turned_in_are_filled_once() {
    let text = "#usda 1.0\ndef Mesh \"L\"\n{\nuniform token subdivisionScheme = \"none\"\n\
        point3f[] points = [(2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 3, 0), (0, 3, 0), (0, 0, 0)]\n\
        int[] faceVertexCounts = [6]\nint[] faceVertexIndices = [0, 1, 2, 3, 4, 5]\n}\n";
    for text in [
        text.to_owned(),
        text.replace("\"none\"\n", "\"none\"\nuniform token orientation = \"leftHanded\"\n"),
    ] {
        let is_left = text.contains("leftHanded");
        let model = load(&text);
        let primitive = &model.meshes[0].primitives[0];
        let at = |index: u32| DVec3::from(primitive.positions[index as usize].map(f64::from));
        let area = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(at);
            (b - a).cross(c - a).z / 2.0
        };
        let areas: Vec<f64> = primitive.indices.as_chunks::<3>().0.iter().map(area).collect();
        let sign = if is_left { -1.0 } else { 1.0 };
        assert!(areas.len() == 4 && areas.iter().all(|area| area * sign > 0.0), "{areas:?}");
        assert!((areas.iter().sum::<f64>() - 4.0 * sign).abs() < 1e-12);
    }
}

#[test]
fn changes_that_are_not_shown_are_one_warning() {
    let text = quads("token visibility.timeSamples = {\n1: \"invisible\",\n2: \"inherited\"\n}");
    let model = load(&text);
    assert_eq!(model.instances, []);
    assert_eq!(messages(&model), ["1 part that comes and goes is shown as at the first time"]);
    let (before, after) = text.split_once("point3f[] points = ").unwrap();
    let (list, after) = after.split_once('\n').unwrap();
    let moving = format!("{before}point3f[] points.timeSamples = {{\n0: {list},\n5: {list}\n}}\n{after}");
    let model = load(
        &moving.replace("visibility.timeSamples = {\n1: \"invisible\",\n2: \"inherited\"\n}", "visibility"),
    );
    assert_eq!((model.instances.len(), messages(&model)), (1, vec!["1 mesh with moving points is not read"]));
}
