//! Tests of pairing joints.

use super::rigs::*;
use crate::retarget::{By, JointMap, MapError, Match};
use sinew_model::{Interpolation, Model};

fn named(names: &[&'static str]) -> Model {
    let nodes: Vec<Node> = names
        .iter()
        .enumerate()
        .map(|(number, name)| (*name, (number > 0).then_some(0), [0.0, 1.0, 0.0], STILL))
        .collect();
    with_turns(model(&nodes), Interpolation::Linear)
}

fn found(target: &Model, source: &Model, map: &[(&str, &str)]) -> String {
    let word = |(target, source, by): &(String, String, By)| format!("{target}={source} {}", by.name());
    pairs(target, source, map).iter().map(word).collect::<Vec<_>>().join(", ")
}

#[test]
fn names_come_first_then_names_without_namespace_and_case() {
    let target = named(&["Hips", "arm.L", "Head"]);
    assert_eq!(
        found(&target, &named(&["Hips", "mixamorig:ARM.L", "Armature|x:head"]), &[]),
        "Hips=Hips name, arm.L=mixamorig:ARM.L plain name, Head=Armature|x:head plain name"
    );
    // A name that ends in a colon has no other part.
    assert_eq!(found(&named(&["a:"]), &named(&["A:", "a"]), &[]), "a:=A: plain name");
}

#[test]
fn names_of_several_joints_match_nothing() {
    let target = named(&["hips", "arm", "leg"]);
    let source = named(&["a:Hips", "b:Hips", "arm", "arm"]);
    let found = Match::new(&target, &source, &no_map()).unwrap();
    assert!(found.pairs.is_empty(), "{:?}", found.pairs);
    assert_eq!(found.unmatched, [0, 1, 2]);
    assert!(found.strays.len() == 4 && found.strays.iter().all(|stray| stray.is_ambiguous));
    // The target, too, may be ambiguous; an exact name is not.
    assert_eq!(super::naming::found(&named(&["a:hips", "b:hips"]), &named(&["hips", "x"]), &[]), "");
    let both = named(&["hips", "Hips"]);
    assert_eq!(super::naming::found(&both, &named(&["Hips"]), &[]), "Hips=Hips name");
}

#[test]
fn joints_come_before_other_nodes_of_their_name() {
    let mut target = named(&["body", "body", "x"]);
    target.skins[0].joints = vec![1];
    let source = named(&["body", "y"]);
    let found = Match::new(&target, &source, &no_map()).unwrap();
    assert_eq!((found.pairs[0].target, found.pairs.len()), (1, 1));
    assert_eq!((found.animated, found.unmatched.len()), ((2, 1), 0));
    // A file without skins has no joints at all.
    let bare = Model { skins: Vec::new(), ..source };
    assert_eq!(Match::new(&target, &bare, &no_map()).unwrap().pairs.len(), 1);
}

#[test]
fn a_map_comes_before_names() {
    let target = named(&["hips", "arm", "hand"]);
    let source = named(&["pelvis", "arm", "hand"]);
    let all = "hips=pelvis map, arm=arm name, hand=hand name";
    assert_eq!(found(&target, &source, &[("pelvis", "hips")]), all);
    assert_eq!(found(&target, &source, &[("arm", "hand"), ("hand", "arm")]), "arm=hand map, hand=arm map");
    // An empty name leaves a joint out; numbers identify joints with ambiguous names.
    assert_eq!(found(&target, &source, &[("arm", ""), ("#0", "#0")]), "hips=pelvis map, hand=hand name");
}

#[test]
fn a_map_that_does_not_fit_says_where() {
    let (target, source) = (named(&["hips", "arm"]), named(&["hips", "arm"]));
    let matched = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter().map(|(key, name)| ((*key).to_owned(), (*name).to_owned())).collect();
        let map = JointMap { pairs };
        Match::new(&target, &source, &map).map(|found| found.unknown)
    };
    let error = matched(&[("hips", "arn")]).unwrap_err().to_string();
    assert_eq!(error, "\"hips\" = \"arn\": the model has no node 'arn'; did you mean 'arm'?");
    let twice = [[("hips", "arm"), ("arm", "arm")], [("hips", "arm"), ("hips", "hips")]];
    for pairs in twice {
        assert!(matches!(matched(&pairs), Err(MapError::Twice { .. })), "{pairs:?}");
    }
    // One map may serve several files, so the caller decides about this.
    let unknown = matched(&[("hip", "hips")]).unwrap();
    assert_eq!(unknown[0].to_string(), "\"hip\": the model has no node 'hip'; did you mean 'hips'?");
}

/// A chain of fifty thousand joints takes a moment, not an hour.
#[test]
fn long_chains_take_no_longer_than_they_are() {
    let names: Vec<String> = (0..50_000).map(|number| format!("n{number}")).collect();
    let chain = |skip: usize| {
        let node = |(number, name): (usize, &String)| {
            let name = if number % 3 == skip { String::new() } else { name.clone() };
            (name, number.checked_sub(1).map(|parent| parent as u32))
        };
        let nodes: Vec<_> = names.iter().enumerate().map(node).collect();
        let nodes: Vec<Node> =
            nodes.iter().map(|(name, parent)| (name.as_str(), *parent, [0.0, 0.001, 0.0], STILL)).collect();
        let mut model = model(&nodes);
        let channels = (0..names.len()).map(|node| {
            let keys = turns(&model, node, Interpolation::Linear).values;
            channel(node, sinew_model::Property::Rotation, Interpolation::Linear, keys)
        });
        model.clips = vec![sinew_model::Clip { channels: channels.collect(), ..Default::default() }; 2];
        model
    };
    let (target, source) = (chain(3), chain(2));
    let found = Match::new(&target, &source, &no_map()).unwrap();
    assert_eq!(found.animated, (50_000, 33_334));
    assert_eq!(found.clips().len(), 2);
}
