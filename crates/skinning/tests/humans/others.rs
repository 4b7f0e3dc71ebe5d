//! Rigs that are no humans: animals, crowds and hostile trees. Nothing is guessed, or only what names say, in bounded time.

use std::time::{Duration, Instant};

use super::rigs::{Proportions, human};
use super::schemes::SCHEMES;
use glam::{DQuat, DVec3};
use sinew_model::{Avatar, LocalTransform, Model, Rig, Skin};
use sinew_skinning::retarget::{By, JointMap, Match};

/// A generous limit for the slowest rig, without optimisation and beside other tests.
const LIMIT: Duration = Duration::from_secs(30);

/// A node by name, parent and place in the world.
type Node = (String, Option<usize>, [f64; 3]);

fn model(nodes: &[Node]) -> Model {
    let local = |(_, parent, place): &Node| {
        let from = parent.map_or([0.0; 3], |parent| nodes[parent].2);
        let translation = DVec3::from(*place) - DVec3::from(from);
        LocalTransform::Trs { translation, rotation: DQuat::IDENTITY, scale: DVec3::ONE }
    };
    let rig = Rig {
        names: nodes.iter().map(|node| node.0.clone()).collect(),
        parents: nodes.iter().map(|node| node.1.map(|parent| parent as u32)).collect(),
        rest: nodes.iter().map(local).collect(),
        file_index: (0..nodes.len() as u32).collect(),
        ..Rig::default()
    };
    let skins = vec![Skin { joints: (0..nodes.len()).collect(), ..Skin::default() }];
    Model { rig, skins, ..Model::default() }
}

/// A dog with names, or with numbers.
fn dog(has_names: bool) -> Model {
    let mut nodes: Vec<Node> = Vec::new();
    let mut add = |name: &str, parent: Option<usize>, place: [f64; 3]| {
        let name = if has_names { name.to_owned() } else { format!("joint{}", nodes.len()) };
        nodes.push((name, parent, place));
        nodes.len() - 1
    };
    let hips = add("Rump", None, [0.0, 0.6, -0.4]);
    let mut spine = hips;
    for number in 1..4 {
        spine = add(&format!("Back{number}"), Some(spine), [0.0, 0.62, -0.4 + 0.2 * f64::from(number)]);
    }
    let neck = add("Neck", Some(spine), [0.0, 0.7, 0.35]);
    let head = add("Head", Some(neck), [0.0, 0.82, 0.45]);
    add("Nose", Some(head), [0.0, 0.8, 0.6]);
    let tail = add("Tail1", Some(hips), [0.0, 0.6, -0.5]);
    add("Tail2", Some(tail), [0.0, 0.5, -0.7]);
    for (name, above, z) in [("Hind", hips, -0.4), ("Front", spine, 0.2)] {
        for (side, x) in [("L", 0.1), ("R", -0.1)] {
            let upper = add(&format!("{side}_{name}Thigh"), Some(above), [x, 0.55, z]);
            let lower = add(&format!("{side}_{name}Shank"), Some(upper), [x, 0.32, z + 0.04]);
            let paw = add(&format!("{side}_{name}Paw"), Some(lower), [x, 0.08, z - 0.03]);
            add(&format!("{side}_{name}Claw"), Some(paw), [x, 0.0, z + 0.05]);
        }
    }
    model(&nodes)
}

fn pairs(target: &Model, source: &Model) -> Vec<(String, String, &'static str)> {
    let found = Match::new(target, source, &JointMap::default()).unwrap();
    let name = |model: &Model, node: usize| model.rig.names[node].clone();
    found
        .pairs
        .iter()
        .map(|pair| (name(target, pair.target), name(source, pair.source), pair.by.name()))
        .collect()
}

#[test]
fn an_animal_is_no_human() {
    let human = human(SCHEMES[0].1, Proportions::USUAL).model;
    for (target, source) in [(&human, &dog(false)), (&dog(false), &human)] {
        assert_eq!(pairs(target, source), []);
    }
    // Names that both have count as ever.
    let found = pairs(&human, &dog(true));
    let same: Vec<&str> = found.iter().map(|(_, source, _)| source.as_str()).collect();
    assert_eq!(same, ["Neck", "Head"]);
    assert!(found.iter().all(|(.., by)| *by == "plain name"), "{found:?}");
}

/// A robot has no skin: each part is a mesh below its bone, whose name only differs in its case.
#[test]
fn bones_that_a_file_states_come_before_names_of_its_meshes() {
    let bones = [
        ("hips", "Hips", None, [0.0, 1.0]),
        ("spine", "Spine", Some(0), [0.0, 1.2]),
        ("head", "Head", Some(1), [0.0, 1.6]),
        ("leftUpperArm", "LeftArm", Some(1), [0.2, 1.4]),
        ("leftLowerArm", "LeftForeArm", Some(3), [0.4, 1.4]),
        ("rightUpperArm", "RightArm", Some(1), [-0.2, 1.4]),
        ("rightLowerArm", "RightForeArm", Some(5), [-0.4, 1.4]),
    ];
    let (mut robot, mut avatar, mut capture): (Vec<Node>, _, Vec<Node>) = Default::default();
    for (number, (vrm, name, parent, [x, y])) in bones.into_iter().enumerate() {
        let Avatar { bones, .. } = &mut avatar;
        bones.push((vrm.to_owned(), 2 * number));
        robot.push((format!("bone {number}"), parent.map(|parent| 2 * parent), [x, y, 0.0]));
        robot.push((name.to_owned(), Some(2 * number), [x, y, 0.0]));
        capture.push((name.to_owned(), parent, [x, y, 0.0]));
    }
    let robot = Model { avatar: Some(avatar), skins: Vec::new(), ..model(&robot) };
    let capture = model(&capture);
    let found = Match::new(&robot, &capture, &JointMap::default()).unwrap();
    let found: Vec<(usize, usize)> = found.pairs.iter().map(|pair| (pair.target, pair.source)).collect();
    assert_eq!(found, (0..bones.len()).map(|number| (2 * number, number)).collect::<Vec<_>>());
    // Without the statement, equal names count.
    let found = pairs(&Model { avatar: None, ..robot }, &capture);
    assert!(found.iter().all(|(target, source, _)| target == source), "{found:?}");
    assert_eq!(found.len(), bones.len());
}

/// Several figures in a file share all words, and no name tells which to follow.
#[test]
fn a_crowd_matches_nothing() {
    let one = human(SCHEMES[1].1, Proportions::USUAL).model;
    let mut crowd = human(SCHEMES[0].1, Proportions::USUAL).model;
    let count = crowd.rig.len();
    for number in 1..50_usize {
        let names: Vec<String> = crowd.rig.names[..count]
            .iter()
            .map(|name| name.replace("rig:", &format!("rig{number}:")))
            .collect();
        let parents: Vec<Option<u32>> = crowd.rig.parents[..count]
            .iter()
            .map(|parent| parent.map(|parent| parent + (number * count) as u32))
            .collect();
        let rest = crowd.rig.rest[..count].to_vec();
        crowd.rig.names.extend(names);
        crowd.rig.parents.extend(parents);
        crowd.rig.rest.extend(rest);
    }
    let nodes = crowd.rig.len();
    crowd.rig.file_index = (0..nodes as u32).collect();
    crowd.skins[0].joints = (0..nodes).collect();
    // "head" is the only plain name; it is ambiguous.
    assert_eq!(pairs(&one, &crowd), []);
    assert_eq!(pairs(&crowd, &one), []);
}

/// Trees that a search for limbs might take long for.
fn hostile() -> Vec<(&'static str, Model)> {
    let count = 12_000;
    let place = |number: usize| {
        let angle = number as f64;
        [angle.sin(), 0.001 * angle, (1.7 * angle).cos()]
    };
    let tree = |name: fn(usize) -> String, parent: fn(usize) -> usize| {
        let nodes: Vec<Node> = (0..count)
            .map(|number| (name(number), (number > 0).then(|| parent(number)), place(number)))
            .collect();
        model(&nodes)
    };
    let numbered = |number: usize| format!("n{number}");
    let bones = ["Spine", "LeftArm", "RightArm", "LeftUpLeg", "RightLeg", "Head", "Neck", "LeftFinger"];
    let same: fn(usize) -> String = |number| format!("Spine_{}", number % 3);
    let chain = human(SCHEMES[0].1, Proportions::USUAL).model;
    let mut anatomical = tree(numbered, |number| (number - 1) / 2);
    for (number, name) in anatomical.rig.names.iter_mut().enumerate() {
        *name = format!("{}{number}", bones[number % bones.len()]);
    }
    let mut long = chain.clone();
    long.rig.names.iter_mut().for_each(|name| *name = format!("{}{name}", "aB1_".repeat(20_000)));
    vec![
        ("a star", tree(numbered, |_| 0)),
        ("a chain", tree(numbered, |number| number - 1)),
        ("a chain of spines", tree(same, |number| number - 1)),
        ("a binary tree", tree(numbered, |number| (number - 1) / 2)),
        ("a binary tree of bones", anatomical),
        ("a caterpillar", tree(numbered, |number| if number % 2 == 0 { number - 2 } else { number - 1 })),
        (
            "a comb of threes",
            tree(numbered, |number| if number % 4 == 1 { number.max(4) - 4 } else { number - 1 }),
        ),
        ("a bush of stars", tree(numbered, |number| number / 100)),
        ("long names", long),
    ]
}

#[test]
fn hostile_rigs_take_bounded_time() {
    let human = human(SCHEMES[1].1, Proportions::USUAL).model;
    for (name, rig) in hostile() {
        let start = Instant::now();
        let first = pairs(&human, &rig);
        let second = pairs(&rig, &human);
        let took = start.elapsed();
        println!("{name}: {:.2} s, {} and {} pairs", took.as_secs_f64(), first.len(), second.len());
        assert!(took < LIMIT, "{name}: {took:?}");
        // Each time the same.
        assert_eq!(first, pairs(&human, &rig), "{name}");
        assert_eq!(second, pairs(&rig, &human), "{name}");
    }
}

/// Places that are no numbers, or all one, guess nothing and stop nothing.
#[test]
fn broken_rest_poses_guess_nothing() {
    let whole = human(SCHEMES[1].1, Proportions::USUAL).model;
    for value in [0.0, f64::NAN, f64::INFINITY, 1e308] {
        let mut broken = human(SCHEMES[14].1, Proportions::USUAL).model;
        for local in &mut broken.rig.rest {
            *local = LocalTransform::Trs {
                translation: DVec3::splat(value),
                rotation: DQuat::IDENTITY,
                scale: DVec3::ONE,
            };
        }
        assert_eq!(pairs(&whole, &broken), []);
    }
}

/// A map and equal names come first, and a map corrects a guess.
#[test]
fn a_map_corrects_guesses() {
    let [target, source] = [1, 0].map(|scheme: usize| human(SCHEMES[scheme].1, Proportions::USUAL).model);
    let pairs =
        [("mixamorig:Spine1", "spine_02"), ("mixamorig:LeftHand", ""), ("mixamorig:LeftArm", "clavicle_l")];
    let map = JointMap { pairs: pairs.map(|(key, name)| (key.to_owned(), name.to_owned())).to_vec() };
    let found = Match::new(&target, &source, &map).unwrap();
    let follows = |name: &str| {
        let pair = found.pairs.iter().find(|pair| target.rig.names[pair.target] == name);
        pair.map(|pair| (source.rig.names[pair.source].trim_start_matches("mixamorig:"), pair.by))
    };
    assert_eq!(follows("spine_02"), Some(("Spine1", By::Map)));
    assert_eq!(follows("clavicle_l"), Some(("LeftArm", By::Map)));
    assert_eq!((follows("hand_l"), follows("upperarm_l")), (None, None));
    // What is beside the map is guessed around it.
    assert_eq!(follows("spine_01"), Some(("Spine", By::Humanoid)));
    assert_eq!(follows("spine_03"), None);
    assert_eq!(follows("spine_05"), Some(("Spine2", By::Humanoid)));
    assert_eq!(follows("lowerarm_l"), Some(("LeftForeArm", By::Humanoid)));
    let plain = Match::without_guesses(&target, &source, &map).unwrap();
    assert!(plain.pairs.iter().all(|pair| !pair.by.is_guess()));
    assert_eq!(plain.pairs.len(), 3);
}
