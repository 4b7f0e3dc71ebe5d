//! Comparisons of built-in models with themselves and with faults in them.

use sinew_model::{Interpolation, LocalTransform, Model, Property, builtin, gltf};

use super::*;
use crate::report::{Plan, collect};

fn builtin(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

/// The kinds of a pair's findings.
fn kinds(old: &Model, new: &Model) -> Vec<Kind> {
    let mut kinds: Vec<Kind> =
        compare(old, new, Level::Quick).findings.iter().map(|found| found.kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn a_model_equals_itself() {
    for name in ["bend", "character", "robot", "elbow", "strip", "tube-8"] {
        let model = builtin(name);
        for level in Level::ALL {
            let asset = compare(&model, &model, level);
            assert_eq!(asset.findings, [], "{name}");
            assert_eq!(asset.figures.get(&Figure::DistanceMax), Some(&0.0), "{name}");
            assert_eq!(asset.figures.get(&Figure::JointRecall), Some(&1.0), "{name}");
        }
    }
}

#[test]
fn each_fault_has_its_kind() {
    let old = builtin("robot");
    let with = |change: fn(&mut Model)| {
        let mut new = builtin("robot");
        change(&mut new);
        kinds(&old, &new)
    };
    assert_eq!(with(|new| new.instances.iter_mut().for_each(|instance| instance.skin = None))[0], Kind::Skin);
    assert_eq!(with(|new| drop(new.clips.pop())), [Kind::Clips]);
    let held = with(|new| {
        for channel in new.clips.iter_mut().flat_map(|clip| &mut clip.channels) {
            channel.interpolation = Interpolation::Step;
        }
    });
    assert_eq!(held, [Kind::Interpolation]);
    let turned = with(|new| {
        let normals = new.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
        normals.flat_map(|primitive| primitive.normals.iter_mut().flatten()).for_each(|n| *n = n.map(|x| -x));
    });
    assert_eq!(turned, [Kind::Normals]);
    let coloured =
        with(|new| new.materials.iter_mut().for_each(|material| material.base_color = [1.0, 0.0, 0.0, 1.0]));
    assert_eq!(coloured, [Kind::Materials]);
    let renamed = with(|new| new.rig.names[5] = "other".to_owned());
    assert!(renamed.contains(&Kind::Joints), "{renamed:?}");
    let weighed = with(|new| {
        for span in new.meshes[0]
            .primitives
            .iter_mut()
            .filter_map(|p| p.influences.as_mut())
            .flat_map(|all| &mut all.spans)
        {
            span.joints.rotate_left(7);
        }
    });
    assert!(weighed.contains(&Kind::Weights), "{weighed:?}");
}

/// A corrective shape is lost with its keys or with their values.
#[test]
fn a_lost_corrective_shape_is_named() {
    let old = builtin("elbow");
    let with = |change: fn(&mut Model)| {
        let mut new = builtin("elbow");
        change(&mut new);
        [kinds(&old, &new), kinds(&new, &old)]
    };
    let keys = with(|new| {
        new.rig.drivers.clear();
        let clips = new.clips.iter_mut();
        clips.for_each(|clip| clip.channels.retain(|channel| channel.property != Property::Weights));
    });
    assert_eq!(keys, [[Kind::Morphs], [Kind::Morphs]]);
    let values = with(|new| {
        let channels = new.clips.iter_mut().flat_map(|clip| &mut clip.channels);
        channels
            .filter(|channel| channel.property == Property::Weights)
            .for_each(|channel| channel.values.fill(0.5));
    });
    assert_eq!(values, [[Kind::Morphs], [Kind::Morphs]]);
}

#[test]
fn a_clip_of_nodes_without_joints_has_no_binding() {
    let model = || {
        let mut model = builtin("bend");
        model.skins.clear();
        let node = model.clips[0].channels[0].node;
        model.instances.iter_mut().for_each(|instance| (instance.skin, instance.node) = (None, node));
        let primitives = model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
        primitives.for_each(|primitive| primitive.influences = None);
        model
    };
    let old = model();
    assert_eq!(kinds(&old, &model()), []);
    let mut back = model();
    let values = &mut back.clips[0].channels[0].values;
    values.as_chunks_mut::<4>().0.iter_mut().for_each(|[x, y, z, _]| (*x, *y, *z) = (-*x, -*y, -*z));
    assert_eq!(kinds(&old, &back), [Kind::Motion]);
    let mut steps = model();
    steps.clips[0].channels[0].interpolation = Interpolation::Step;
    assert_eq!(kinds(&old, &steps), [Kind::Interpolation]);
}

/// A scaled rig has one finding, and its motion counts as the same.
#[test]
fn a_rig_in_centimetres_has_one_finding() {
    let old = builtin("robot");
    let mut new = builtin("robot");
    for root in (0..new.rig.len()).filter(|node| old.rig.parents[*node].is_none()) {
        if let LocalTransform::Trs { translation, scale, .. } = &mut new.rig.rest[root] {
            *translation *= 100.0;
            *scale *= 100.0;
        }
    }
    let asset = compare(&old, &new, Level::Normal);
    let found: Vec<(Kind, &str)> =
        asset.findings.iter().map(|found| (found.kind, found.like.as_str())).collect();
    assert_eq!(found, [(Kind::Scale, "×100")]);

    // Its page measures distances without the scale, and says so.
    let view = pair_view([&old, &new], &asset);
    let script = view.0.script();
    let number = |key: &str| -> f64 {
        let (_, rest) = script.split_once(&format!("\"{key}\":")).unwrap();
        rest.split([',', '}']).next().unwrap().parse().unwrap()
    };
    let (largest_m, size_m) = (65534.0 * number("apart_step"), number("diagonal"));
    assert!(largest_m < 1e-3 * size_m, "{largest_m} of {size_m}");
    let grid_m = 65535.0 * number("step");
    assert!(grid_m < 2.0 * size_m, "places lie in {grid_m}, not in {size_m}");
    let page = pair_page(["old.glb", "new.glb"], &asset, &view, &[]);
    assert!(page.contains("<p class=\"quiet\">The new model is 100 times larger."), "the page says so");
    let same = pair_view([&old, &old], &asset);
    assert!(!pair_page(["old.glb", "old.glb"], &asset, &same, &[]).contains("The new model is"));
}

/// Findings of one model have places in its view.
#[test]
fn findings_are_spots_of_a_page() {
    let mut model = builtin("bend");
    // A vertex of the other end follows the upper joint.
    let spans = model.meshes[0].primitives[0].influences.iter_mut().flat_map(|all| &mut all.spans);
    spans
        .flat_map(|span| span.joints.get_mut(5))
        .for_each(|joints| joints.iter_mut().for_each(|joint| *joint = 1));
    let Asset { findings, .. } = inspect(&model, Level::Quick);
    assert_eq!(findings, check(&model, "bend.glb", Level::Quick).findings);
    let plan = Plan::of(&model, Vec::new(), Level::Quick.frames());
    let report = collect(&model, "bend.glb", &plan, &mut |_, _| {}).unwrap();
    let spots = model_spots(&findings, &report, &model);
    let placed = findings.iter().filter(|finding| finding.place.is_some()).count();
    assert!(placed > 0 && spots.iter().filter(|spot| spot.vertex.is_some()).count() == placed);
    let section = model_section(&findings, 5, &[vec![Shot { title: "bind pose", png: vec![1, 2] }]]);
    assert_eq!(section.matches("data-spot=").count(), placed);
    assert!(
        section.contains("data-spot=\"5\"") && section.contains("data:image/png;base64,AQI="),
        "{section}"
    );
}

#[test]
fn alike_findings_are_one_group() {
    let asset = |size: f64, like: &str| {
        let mut asset = Asset::default();
        asset.add(Kind::Scale, like, format!("by {size}"), size);
        asset.add(Kind::Scale, like, "smaller", 0.5 * size);
        asset
    };
    let assets = [
        ("a", asset(1.0, "×100")),
        ("b", asset(3.0, "×100")),
        ("c", asset(2.0, "×100")),
        ("d", asset(9.0, "×2")),
    ];
    let groups = triage(assets.iter().map(|(name, asset)| (*name, asset)));
    assert_eq!(groups.len(), 2);
    let Group { kind, assets, worst, typical, .. } = &groups[0];
    assert_eq!((*kind, *assets, worst.0.as_str(), typical.0.as_str()), (Kind::Scale, 3, "b", "c"));
}

#[test]
fn tables_quote_what_spreadsheets_would_take_apart() {
    let mut asset = Asset::default();
    asset.add(Kind::Rule, "=1+1", "a, \"b\"", 1.0);
    asset.set(Figure::Vertices, 3.0);
    asset.set(Figure::Smoothness, f64::NAN);
    let mut text = Vec::new();
    table_csv([("x,y.glb", &asset)], &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let row = text.lines().nth(1).unwrap();
    assert!(row.starts_with("\"x,y.glb\",1,rule,'=1+1,\"a, \"\"b\"\"\",3,"), "{row}");
}

#[test]
fn checks_name_what_is_wrong_with_weights() {
    let asset = check(&builtin("character"), "builtin:character", Level::Quick);
    assert!(asset.figures.contains_key(&Figure::Problems) && !asset.rows.is_empty());
    assert!(
        asset.findings.iter().all(|found| found.kind.weight() == Weight::Warning),
        "{:?}",
        asset.findings
    );
}

/// The guide explains every kind and figure.
#[test]
fn the_guide_has_all_kinds_and_figures() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guides/corpus.md");
    let text = std::fs::read_to_string(path).unwrap();
    for kind in Kind::ALL {
        assert!(text.contains(&format!("`{}`", kind.name())), "{}", kind.name());
    }
    for figure in Figure::ALL {
        let row = format!("| `{}` | {} |", figure.name(), figure.meaning());
        assert!(text.contains(&row), "{row}");
    }
}
