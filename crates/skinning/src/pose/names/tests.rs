//! Tests of unambiguous and ambiguous names.

use super::*;
use sinew_model::{Clip, Instance, Mesh};

/// Makes a model with nodes, two of which show meshes with targets.
fn model() -> Model {
    let names = ["hips", "arm", "arm", "", "#0", "7", "a:b", "face", "teeth", "bell\u{7}"];
    let count = names.len();
    let mut weight_ends = vec![0; count];
    weight_ends[7] = 4;
    weight_ends[8] = 6;
    weight_ends[9] = 6;
    let rig = Rig {
        names: names.map(String::from).to_vec(),
        parents: vec![None; count],
        rest: vec![sinew_model::LocalTransform::IDENTITY; count],
        file_index: (0..count as u32).map(|index| index + 10).collect(),
        rest_weights: vec![0.0; 6],
        weight_ends,
        ..Rig::default()
    };
    let mesh = |targets: &[&str]| Mesh {
        target_names: targets.iter().map(|name| (*name).to_owned()).collect(),
        ..Mesh::default()
    };
    Model {
        rig,
        meshes: vec![mesh(&["smile", "frown", "frown", "x:y"]), mesh(&["smile", "a=b"])],
        instances: vec![Instance { node: 8, mesh: 1, skin: None }, Instance { node: 7, mesh: 0, skin: None }],
        clips: ["walk", "run", "run"].map(|name| Clip { name: name.to_owned(), ..Clip::default() }).to_vec(),
        ..Model::default()
    }
}

#[test]
fn nodes_go_by_clear_names_and_else_by_the_files_numbers() {
    let model = model();
    let names = Names::new(&model);
    for (asked, node) in [
        ("hips", 0),
        ("#10", 0),
        ("10", 0),
        ("#11", 1),
        ("12", 2),
        ("#13", 3),
        ("#14", 4),
        ("7", 5),
        ("a:b", 6),
        ("bell\u{7}", 9),
    ] {
        assert_eq!(names.node(asked), Ok(node), "{asked}");
    }
    for unknown in ["", "foot", "#0", "#9", "#20", "20", "+10", "#+10", "#", "99999999999999999999999"] {
        assert!(matches!(names.node(unknown), Err(NameError::Unknown { .. })), "{unknown}");
    }
    let error = names.node("arm").unwrap_err();
    assert_eq!(error, NameError::Ambiguous { what: "node", asked: "arm".into(), numbers: vec![11, 12] });
    assert_eq!(error.to_string(), "more than one node is called 'arm'; use a number: '#11' or '#12'");
    let told = ["hips", "#11", "#12", "#13", "#14", "7", "a:b", "face", "teeth", "#19"];
    for (node, told) in told.iter().enumerate() {
        assert_eq!(names.node_name(node), *told);
        assert_eq!(node_name(&model, node), *told);
        assert_eq!(names.node(told), Ok(node));
    }
}

/// Of several nodes with one name, a flag means the only joint; two joints need numbers.
#[test]
fn a_name_means_the_only_joint_that_has_it() {
    let mut model = model();
    model.skins = vec![sinew_model::Skin { joints: vec![0, 2], ..Default::default() }];
    assert_eq!((Names::new(&model).node("arm"), Names::new(&model).joint("arm")), (Ok(2), Ok(2)));
    assert_eq!(Names::new(&model).node_name(2), "#12", "other programs may take the first");
    assert_eq!(Names::new(&model).joint("#12"), Ok(2));
    let error = Names::new(&model).joint("#11").unwrap_err().to_string();
    assert_eq!(error, "'#11' is a node, but no joint of a skin");
    model.skins[0].joints.push(1);
    assert!(matches!(Names::new(&model).joint("arm"), Err(NameError::Ambiguous { .. })));
    for (name, called) in
        [("#12", [false, false, true]), ("arm", [false, true, true]), ("hips", [true, false, false])]
    {
        assert_eq!([0, 1, 2].map(|node| is_called(&model.rig, node, name)), called, "{name}");
    }
    assert_eq!(
        listed(&(0..10).collect::<Vec<_>>()),
        "'#0', '#1', '#2', '#3', '#4', '#5', '#6', '#7' or 2 more"
    );
}

#[test]
fn what_is_spelled_alike_is_proposed() {
    let model = model();
    let nearest = |asked: &str| match Names::new(&model).node(asked) {
        Err(NameError::Unknown { nearest, .. }) => nearest,
        other => panic!("{other:?}"),
    };
    assert_eq!(nearest("hip").as_deref(), Some("hips"));
    assert_eq!(nearest("Face").as_deref(), Some("face"));
    assert_eq!(nearest("teath").as_deref(), Some("teeth"));
    assert_eq!(nearest("shoulder"), None);
    assert_eq!(nearest(&"x".repeat(1 << 20)), None);
    let text = Names::new(&model).node("hip").unwrap_err().to_string();
    assert_eq!(text, "the model has no node 'hip'; did you mean 'hips'?");
}

#[test]
fn targets_go_with_their_node_or_everywhere() {
    let model = model();
    let names = Names::new(&model);
    for (asked, found) in [
        ("smile", &[(7, 0), (8, 0)][..]),
        ("face:smile", &[(7, 0)]),
        ("#18:smile", &[(8, 0)]),
        ("face:#1", &[(7, 1)]),
        ("face:2", &[(7, 2)]),
        ("face:x:y", &[(7, 3)]),
        ("x:y", &[(7, 3)]),
        ("a=b", &[(8, 1)]),
    ] {
        let found: Vec<_> = found.iter().map(|&(node, target)| (node, target, 1.0)).collect();
        assert_eq!(names.morphs(asked), Ok(found), "{asked}");
    }
    assert!(matches!(names.morphs("frown"), Err(NameError::Ambiguous { numbers, .. }) if numbers == [1, 2]));
    assert!(matches!(names.morphs("face:frown"), Err(NameError::Ambiguous { .. })));
    for unknown in
        ["", ":", "face:", "smil", "face:smil", "face:#4", "hips:#0", "a:b:#0", "#1", "unknown:smile"]
    {
        assert!(matches!(names.morphs(unknown), Err(NameError::Unknown { .. })), "{unknown}");
    }
    assert!(names.morphs("face:smil").unwrap_err().to_string().contains("did you mean 'smile'?"));
    for (node, target, told) in
        [(7, 0, ("face", "smile")), (7, 1, ("face", "#1")), (7, 3, ("face", "#3")), (8, 1, ("teeth", "a=b"))]
    {
        let (node_name, name) = target_name(&model, node, target);
        assert_eq!((node_name.as_str(), name.as_str()), told);
        assert_eq!(
            (names.morph_node_name(node), names.targets(node).name(target)),
            (node_name.clone(), name.clone())
        );
        assert_eq!(names.morphs(&format!("{node_name}:{name}")), Ok(vec![(node, target, 1.0)]));
    }
    assert_eq!(names.morph_node_name(6), "#16");
}

#[test]
fn clips_go_by_name_or_number() {
    let model = model();
    let names = Names::new(&model);
    for (asked, clip) in [("walk", 0), ("#1", 1), ("2", 2)] {
        assert_eq!(names.clip(asked), Ok(clip), "{asked}");
    }
    assert!(matches!(names.clip("run"), Err(NameError::Ambiguous { numbers, .. }) if numbers == [1, 2]));
    assert!(names.clip("#3").is_err());
    assert_eq!([0, 1, 2].map(|clip| names.clip_name(clip)), ["walk", "#1", "#2"]);
}
