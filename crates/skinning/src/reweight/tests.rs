//! Edits of a built-in's weights, and of a small mesh whose results are known.

use super::select::edited as edited_by;
use super::*;
use sinew_model::{Instance, LocalTransform, Mesh, Rig, Skin, Span, builtin, gltf};

fn builtin(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

/// A row of five points, one apart, as two meshes that meet in the middle, and three joints. Weights go from the first joint
/// to the second, all at once.
fn row_of_points() -> Model {
    let mesh = |places: [f32; 3], joint: i32| Mesh {
        primitives: vec![Primitive {
            topology: sinew_model::Topology::Lines,
            indices: vec![0, 1, 1, 2],
            positions: places.map(|x| [x, 0.0, 0.0]).to_vec(),
            influences: Some(Influences {
                spans: vec![Span { joints: vec![[joint; 4]; 3], weights: vec![[1.0, 0.0, 0.0, 0.0]; 3] }],
            }),
            ..Primitive::default()
        }],
        ..Mesh::default()
    };
    let names = ["first", "second", "third", "body", "coat"];
    Model {
        meshes: vec![mesh([0.0, 1.0, 2.0], 0), mesh([2.0, 3.0, 4.0], 1)],
        skins: vec![Skin {
            joints: vec![0, 1, 2],
            joint_from_bind: vec![glam::DMat4::IDENTITY; 3].into(),
            ..Skin::default()
        }],
        instances: [0, 1].map(|mesh| Instance { node: 3 + mesh, mesh, skin: Some(0) }).to_vec(),
        rig: Rig {
            parents: vec![None; 5],
            names: names.map(str::to_owned).to_vec(),
            file_index: vec![0, 1, 2, 3, 4],
            rest: vec![LocalTransform::IDENTITY; 5],
            ..Rig::default()
        },
        ..Model::default()
    }
}

/// The weights of a joint of the first skin, part by part.
fn column(weights: &Weights, joint: i32) -> Vec<f64> {
    weights.parts.iter().flat_map(|part| &part.rows).map(|row| row.weight(joint)).collect()
}

fn edited(weights: &mut Weights, kind: &str, text: &str, conditions: &[&str]) -> Result<Done, EditError> {
    let conditions: Vec<Where> = conditions.iter().map(|text| text.parse().unwrap()).collect();
    let chosen = weights.choose(&conditions)?;
    weights.apply(&Edit::read(kind, text).unwrap().unwrap(), &chosen)
}

#[test]
fn weights_smooth_over_the_seam_of_two_meshes() {
    let model = row_of_points();
    let mut weights = Weights::new(&model);
    let done = edited(&mut weights, "smooth", "second@1", &[]).unwrap();
    // In the middle the mean is 0.5; its neighbours are at 0.5 and at their own end.
    assert_eq!(column(&weights, 1), [0.0, 0.125, 0.5, 0.5, 0.875, 1.0]);
    assert_eq!(column(&weights, 0), [1.0, 0.875, 0.5, 0.5, 0.125, 0.0]);
    assert_eq!(done, Done { changed: 4, short: 0 });
    let once = weights.clone();
    edited(&mut weights, "smooth", "second@3", &["sphere:0,0,0,1.5"]).unwrap();
    assert_eq!(column(&weights, 1)[2..], column(&once, 1)[2..], "only what is chosen");
    assert_ne!(column(&weights, 1)[1], 0.125);
}

#[test]
fn a_joint_that_alone_moves_a_vertex_stays_and_is_counted() {
    let model = row_of_points();
    let mut weights = Weights::new(&model);
    let done = edited(&mut weights, "add", "first=-0.25", &["joint:first"]).unwrap();
    assert_eq!(done, Done { changed: 0, short: 3 });
    assert_eq!(column(&weights, 0), column(&Weights::new(&model), 0));
    let add = Edit::read("add", "third=+0.25").unwrap().unwrap();
    assert_eq!(weights.choose_for(&add).unwrap().count(), 0, "it moves nothing yet");
    let less = Edit::read("add", "first=-0.25").unwrap().unwrap();
    assert_eq!(weights.choose_for(&less).unwrap().count(), 3);
    let done = edited(&mut weights, "add", "third=+0.25", &["box:1.5,-1,-1,3.5,1,1"]).unwrap();
    assert_eq!(done, Done { changed: 3, short: 0 });
    assert_eq!(column(&weights, 2), [0.0, 0.0, 0.25, 0.25, 0.25, 0.0]);
    assert_eq!(column(&weights, 1), [0.0, 0.0, 0.0, 0.75, 0.75, 1.0]);
}

#[test]
fn names_that_the_model_lacks_are_refused_in_words() {
    let model = row_of_points();
    let mut weights = Weights::new(&model);
    let said = |result: Result<Done, EditError>| result.unwrap_err().to_string();
    assert_eq!(said(edited(&mut weights, "set", "body=1", &[])), "'body' is a node, but no joint of a skin");
    assert!(said(edited(&mut weights, "set", "thirt=1", &[])).contains("did you mean 'third'?"));
    assert!(said(edited(&mut weights, "prune", "0.1", &["mesh:hat"])).contains("called 'hat'"));
    assert!(said(edited(&mut weights, "prune", "0.1", &["vertex:node9:0:1"])).contains("node9"));
    weights.lock(&["second".to_owned()]).unwrap();
    assert_eq!(said(edited(&mut weights, "swap", "first,second", &[])), "'second' is locked");
    assert!(weights.lock(&["tail".to_owned()]).is_err());
}

#[test]
fn one_vertex_is_chosen_with_those_at_its_place_in_its_mesh() {
    let model = row_of_points();
    let weights = Weights::new(&model);
    let count = |conditions: &[&str]| {
        let conditions: Vec<Where> = conditions.iter().map(|text| text.parse().unwrap()).collect();
        assert!(
            conditions
                .iter()
                .zip(conditions.iter().map(Where::to_string))
                .all(|(one, text)| text.parse().as_ref() == Ok(one))
        );
        weights.choose(&conditions).unwrap().count()
    };
    assert_eq!(count(&[]), 6);
    assert_eq!(count(&["part:second"]), 3);
    assert_eq!(count(&["joint:first", "sphere:2,0,0,1"]), 2);
    assert_eq!((count(&["mesh:body"]), count(&["mesh:coat", "sphere:2,0,0,1"])), (3, 2));
    // Both meshes have a vertex there.
    assert_eq!((count(&["vertex:node3:0:2"]), count(&["vertex:node4:0:0"])), (1, 1));
    assert_eq!(count(&["vertex:node3:0:2", "mesh:coat"]), 0);
    for wrong in [
        "",
        "part",
        "part:",
        "sphere:1,2,3",
        "sphere:0,0,0,-1",
        "box:1,2,3,4,5",
        "sphere:0,0,inf,1",
        "vertex:a",
    ] {
        assert_eq!(wrong.parse::<Where>(), Err(NoCondition), "{wrong}");
    }
}

/// Every edit leaves locked columns of a character to the bit, each vertex with a sum of one, and others where they were.
#[test]
fn locked_columns_of_a_character_stay_to_the_bit() {
    let model = builtin("character");
    let start = Weights::new(&model);
    let names: Vec<String> =
        model.skins[0].joints.iter().map(|node| model.rig.names[*node].clone()).collect();
    let number = |name: &str| names.iter().position(|own| own == name).unwrap() as i32;
    let locked =
        ["upper_arm.L", "spine"].map(|name| names.iter().find(|own| own.contains(name)).unwrap_or(&names[3]));
    for (kind, text) in [
        ("add", format!("{}=+0.3", names[4])),
        ("add", format!("{}=-0.3", names[4])),
        ("set", format!("{}=0.5", names[5])),
        ("smooth", format!("{}@8", names[4])),
        ("replace", format!("{}={}", names[4], names[5])),
        ("swap", format!("{},{}", names[4], names[5])),
        ("prune", "0.2".to_owned()),
        ("max-influences", "1".to_owned()),
    ] {
        let locked: Vec<String> = locked
            .iter()
            .filter(|name| ![&names[4], &names[5]].contains(name))
            .map(|name| (*name).clone())
            .collect();
        assert!(!locked.is_empty());
        let mut weights = start.clone();
        weights.lock(&locked).unwrap();
        let done = edited(&mut weights, kind, &text, &[]).unwrap();
        assert!(done.changed > 0, "{kind} {text}");
        for name in &locked {
            assert_eq!(column(&weights, number(name)), column(&start, number(name)), "{kind} {text}: {name}");
        }
        let made = weights.model();
        let again = Weights::new(&made);
        for (part, other) in weights.parts.iter().zip(&again.parts) {
            for (row, back) in part.rows.iter().zip(&other.rows) {
                assert_eq!(row.weights().map(|(_, weight)| weight).sum::<f64>(), 1.0);
                let sorted = |row: &Row| {
                    let mut all: Vec<_> =
                        row.weights().map(|(joint, weight)| (joint, weight.to_bits())).collect();
                    all.sort_unstable();
                    all
                };
                assert_eq!(sorted(row), sorted(back), "what a model stores is what was made");
            }
        }
    }
}

#[test]
fn nothing_changes_without_an_edit_and_after_one_and_its_reverse() {
    let model = builtin("character");
    let mut weights = Weights::new(&model);
    let same = |made: Model| {
        let all = |model: &Model| -> Vec<Option<Influences>> {
            model.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|one| one.influences.clone()).collect()
        };
        assert_eq!(all(&made), all(&model));
    };
    same(weights.model());
    let names: Vec<&String> = model.skins[0].joints.iter().map(|node| &model.rig.names[*node]).collect();
    for _ in 0..2 {
        let done = edited(&mut weights, "swap", &format!("{},{}", names[2], names[6]), &[]).unwrap();
        assert!(done.changed > 0);
    }
    // The order of equal weights may differ; the weights do not.
    let start = Weights::new(&model);
    for joint in 0..names.len() as i32 {
        assert_eq!(column(&weights, joint), column(&start, joint));
    }
}

/// A copy from the same character gives its weights back to the bit; from a coarser mesh, those between its vertices.
#[test]
fn weights_come_from_another_model_by_place() {
    let model = builtin("character");
    let mut spoilt = Weights::new(&model);
    let names: Vec<&String> = model.skins[0].joints.iter().map(|node| &model.rig.names[*node]).collect();
    edited(&mut spoilt, "smooth", &format!("{}@20", names[3]), &[]).unwrap();
    let spoilt = spoilt.model();
    let mut back = Weights::new(&spoilt);
    let all = back.choose(&[]).unwrap();
    let copied = back.copy(&model, &all);
    assert_eq!((copied.done.short, copied.unmatched, copied.missing), (0, 0, Vec::new()));
    assert!(copied.done.changed > 0);
    let start = Weights::new(&model);
    for joint in 0..names.len() as i32 {
        assert_eq!(column(&back, joint), column(&start, joint), "{}", names[joint as usize]);
    }

    let fine = row_of_points();
    let mut coarse = row_of_points();
    coarse.rig.names[1] = "other".to_owned();
    let mut weights = Weights::new(&fine);
    let all = weights.choose(&[]).unwrap();
    let copied = weights.copy(&coarse, &all);
    assert_eq!(copied.missing, ["other"]);
    assert_eq!(copied.done.short, 3, "nothing of theirs has a name here");
    assert_eq!(column(&weights, 0), column(&Weights::new(&fine), 0));
}

/// Vertices between those of the other model have the weights of its surface there.
#[test]
fn weights_between_vertices_are_those_of_the_surface() {
    let strip = |columns: &[f32]| {
        let mut model = row_of_points();
        let primitive = &mut model.meshes[0].primitives[0];
        primitive.topology = sinew_model::Topology::Triangles;
        primitive.positions = columns.iter().flat_map(|x| [[*x, 0.0, 0.0], [*x, 1.0, 0.0]]).collect();
        let quads =
            (0..columns.len() as u32 - 1).flat_map(|n| [0, 1, 3, 0, 3, 2].map(|corner| 2 * n + corner));
        primitive.indices = quads.collect();
        let row = |x: f32| vec![(0, f64::from(1.0 - x / 4.0)), (1, f64::from(x / 4.0))];
        let rows = columns.iter().flat_map(|x| [row(*x), row(*x)]);
        primitive.influences = Some(Influences::from_rows(rows.collect::<Vec<_>>().into_iter()));
        model.meshes.truncate(1);
        model.instances.truncate(1);
        model
    };
    let (coarse, fine) = (strip(&[0.0, 2.0, 4.0]), strip(&[0.0, 0.5, 1.0, 3.0, 4.0]));
    let wanted = column(&Weights::new(&fine), 1);
    let mut weights = Weights::new(&fine);
    let all = weights.choose(&[]).unwrap();
    let set = Edit::read("set", "third=1").unwrap().unwrap();
    weights.apply(&set, &all).unwrap();
    assert_eq!(column(&weights, 1), [0.0; 10]);
    let copied = weights.copy(&coarse, &all);
    assert_eq!((copied.done.changed, copied.unmatched), (10, 0));
    for (copied, wanted) in column(&weights, 1).into_iter().zip(wanted) {
        assert!((copied - wanted).abs() < 1e-6, "{copied} {wanted}");
    }
}

/// A mesh that two skins draw: a lock of either holds, a joint of either is found, and a number that one lacks is no one's.
#[test]
fn a_mesh_of_two_skins_belongs_to_both() {
    let mut model = row_of_points();
    model.meshes.truncate(1);
    model.instances[1].mesh = 0;
    model.instances[1].skin = Some(1);
    let second = Skin {
        joints: vec![3, 4],
        joint_from_bind: vec![glam::DMat4::IDENTITY; 2].into(),
        ..Skin::default()
    };
    model.skins.push(second);
    let mut weights = Weights::new(&model);
    let done = edited(&mut weights, "add", "coat=+0.25", &[]).unwrap();
    assert_eq!((done.changed, column(&weights, 1)), (3, vec![0.25; 3]));
    let choose = |weights: &Weights, text: &str| weights.choose(&[text.parse().unwrap()]).unwrap().count();
    assert_eq!(
        ["joint:coat", "joint:second", "part:body", "joint:third"].map(|one| choose(&weights, one)),
        [3, 3, 3, 0]
    );
    weights.lock(&["coat".to_owned()]).unwrap();
    let done = edited(&mut weights, "add", "second=+0.25", &[]).unwrap();
    assert_eq!(done, Done { changed: 0, short: 3 });
    let done = edited(&mut weights, "swap", "first,second", &[]).unwrap();
    assert_eq!(done, Done { changed: 0, short: 3 });
    let done = edited(&mut weights, "set", "third=0.5", &[]).unwrap();
    assert_eq!(done, Done::default(), "the second skin has two joints");
    assert_eq!(column(&weights, 1), [0.25; 3]);
}

#[test]
fn vertices_that_cannot_follow_are_counted() {
    let model = builtin("strip");
    let mut weights = Weights::new(&model);
    let joints = ["lower", "upper"].map(str::to_owned);
    weights.lock(&joints[..1]).unwrap();
    let done = edited(&mut weights, "smooth", "upper@3", &[]).unwrap();
    assert!(done.changed == 0 && done.short > 0, "{done:?}");
    weights.lock(&joints).unwrap();
    let done = edited(&mut weights, "max-influences", "1", &[]).unwrap();
    assert!(done.changed == 0 && done.short > 0, "{done:?}");
}

/// A selection grows over the seam of two meshes, and shrinks back.
#[test]
fn selections_grow_and_shrink_along_the_surface() {
    let model = row_of_points();
    let weights = Weights::new(&model);
    let places = |xs: &[f32]| -> Places { xs.iter().map(|x| [*x, -0.0, 0.0]).collect() };
    let one = places(&[1.0]);
    let grown = weights.grown(&one);
    assert_eq!(grown, places(&[0.0, 1.0, 2.0]));
    assert_eq!(weights.grown(&grown), places(&[0.0, 1.0, 2.0, 3.0]));
    assert_eq!(weights.shrunk(&weights.grown(&grown)), places(&[0.0, 1.0, 2.0]));
    assert_eq!(weights.shrunk(&places(&[0.0, 1.0])), places(&[0.0]), "an end has one neighbour");
    let chosen = weights.choose(&[Where::At(places(&[2.0, 7.0]))]).unwrap();
    assert_eq!((chosen.count(), weights.places(&chosen)), (2, places(&[2.0])), "one vertex of each mesh");
    let text = Where::At(places(&[0.5, 1e-7])).to_string();
    assert_eq!(text.parse(), Ok(Where::At(places(&[0.5, 1e-7]))), "{text}");
    for text in ["at:", "at:1,2", "at:1,2,3;", "at:1,2,inf"] {
        assert_eq!(text.parse::<Where>(), Err(NoCondition), "{text}");
    }
}

/// Another export numbers its vertices otherwise.
#[test]
fn a_vertex_lasts_as_its_place() {
    let model = row_of_points();
    let named: Where = "vertex:node3:0:1".parse().unwrap();
    assert_eq!(named.lasting(&model).to_string(), "at:1,0,0");
    let missing: Where = "vertex:node3:0:9".parse().unwrap();
    assert_eq!(missing.lasting(&model), missing);
    let part = Where::Part("first".to_owned());
    assert_eq!(part.lasting(&model), part);
}

#[test]
fn a_list_of_edits_equals_one_after_the_other() {
    let model = row_of_points();
    let places: Places = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]].into_iter().collect();
    let edit = |text: &str| Edit::read("add", text).unwrap().unwrap();
    let placed = |text: &str| PlacedEdit { places: places.clone(), edit: edit(text) };
    // A joint that the model lacks leaves the others.
    let all = [placed("second=+0.25"), placed("nowhere=+0.1"), placed("third=+0.5")];
    let Edited { model: model_after, done, failed } = edited_by(&model, &all);
    assert_eq!((done.changed, done.short), (3, 0), "two vertices of the one place");
    assert!(matches!(failed.as_slice(), [EditError::Name(_)]), "{failed:?}");
    let mut weights = Weights::new(&model);
    for text in ["second=+0.25", "third=+0.5"] {
        let chosen = weights.choose(&[Where::At(places.clone())]).unwrap();
        weights.apply(&edit(text), &chosen).unwrap();
    }
    let influences = |model: &Model| {
        let primitives = model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        primitives.map(|primitive| primitive.influences.clone()).collect::<Vec<_>>()
    };
    assert_eq!(influences(&weights.model()), influences(&model_after));
}
