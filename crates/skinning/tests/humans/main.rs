//! Pairs the rigs of the usual naming schemes, each with each other: all main bones must be right without help.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "tests"
)]
#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "small numbers")]

mod files;
mod others;
mod rigs;
mod schemes;

use glam::DQuat;
use rigs::{Bone, Human, Proportions, human};
use schemes::SCHEMES;
use sinew_skinning::retarget::{By, JointMap, Match};

/// The number of schemes in the table.
const TABLE: usize = 10;

/// The bones that a figure cannot do without.
const MAIN: [&str; 12] = [
    "hips",
    "spine",
    "neck",
    "head",
    "shoulder",
    "upper_arm",
    "lower_arm",
    "hand",
    "upper_leg",
    "lower_leg",
    "foot",
    "toes",
];

/// The proportions of a scheme's rig; all differ.
fn proportions(number: usize) -> Proportions {
    let share = number as f64 / 14.0;
    Proportions {
        unit: [1.0, 100.0, 0.01][number % 3],
        arms: 0.85 + 0.3 * share,
        legs: 1.15 - 0.3 * share,
        torso: 0.9 + 0.25 * ((number * 5) % 15) as f64 / 14.0,
        drop: [0.0, 45.0, 20.0, 60.0][number % 4],
        turn: DQuat::from_rotation_x([0.0, -std::f64::consts::FRAC_PI_2][number % 2]),
    }
}

fn rigs() -> Vec<Human> {
    SCHEMES.iter().enumerate().map(|(number, (_, text))| human(text, proportions(number))).collect()
}

/// The verdict on the pairs of two rigs.
#[derive(Debug, Default)]
struct Verdict {
    /// Main bones that both have, and those with the right partner.
    main: (usize, usize),
    /// Other bones: fingers, eyes and jaws.
    others: (usize, usize),
    /// Wrong pairs, in words.
    wrong: Vec<String>,
    /// Pairs of left with right.
    crossed: usize,
    by_shape: usize,
}

/// Returns the bones that two rigs share: first and last of chains, and all others.
fn shared(target: &Human, source: &Human) -> Vec<(usize, usize, Bone)> {
    let count =
        |human: &Human, name: &str| human.bones.iter().flatten().filter(|bone| bone.0 == name).count();
    let find = |human: &Human, bone: Bone| human.bones.iter().position(|own| *own == Some(bone));
    let mut found = Vec::new();
    for (node, bone) in target.bones.iter().enumerate() {
        let Some(bone @ (name, side, number)) = *bone else { continue };
        let is_chain = matches!(name, "spine" | "neck");
        let (there, here) = (count(target, name), count(source, name));
        let partner = match is_chain {
            true if number == 0 => (name, side, 0),
            // A chain of one follows the first joint.
            true if number + 1 == there && here > 1 => (name, side, here - 1),
            true => continue,
            false => bone,
        };
        if let Some(partner) = find(source, partner) {
            found.push((node, partner, bone));
        }
    }
    found
}

fn judge(target: &Human, source: &Human) -> Verdict {
    let matched = Match::new(&target.model, &source.model, &JointMap::default()).unwrap();
    let mut verdict = Verdict::default();
    let name = |human: &Human, node: usize| human.model.rig.names[node].clone();
    let follows = |node: usize| matched.pairs.iter().find(|pair| pair.target == node);
    for (node, partner, bone) in shared(target, source) {
        let pair = follows(node);
        let is_right = pair.is_some_and(|pair| pair.source == partner);
        let counts = if MAIN.contains(&bone.0) { &mut verdict.main } else { &mut verdict.others };
        counts.0 += 1;
        counts.1 += usize::from(is_right);
        if !is_right {
            let found = pair.map_or("nothing".to_owned(), |pair| name(source, pair.source));
            verdict.wrong.push(format!("{} = {found}", name(target, node)));
        }
    }
    for pair in &matched.pairs {
        let (there, here) = (target.bones[pair.target], source.bones[pair.source]);
        let kinds = [there, here].map(|bone| bone.map(|bone| bone.0));
        let sides = [there, here].map(|bone| bone.map_or(0, |bone| bone.1));
        verdict.crossed += usize::from(sides[0] * sides[1] < 0);
        verdict.by_shape += usize::from(pair.by == By::Shape);
        // A main bone must not follow a helper, nor a helper a main bone.
        if kinds[0] != kinds[1] && kinds.iter().flatten().any(|kind| MAIN.contains(kind)) {
            let names = format!("{} = {}", name(target, pair.target), name(source, pair.source));
            verdict.wrong.push(format!("{names} ({})", pair.by.name()));
        }
    }
    verdict
}

/// Prints a row per target and a column per source: the main bones with the right partner, of those that both have.
fn table(rigs: &[Human]) -> Vec<(usize, usize, Verdict)> {
    let mut all = Vec::new();
    for (to, target) in rigs.iter().enumerate() {
        let mut row = String::new();
        for (from, source) in rigs.iter().enumerate().filter(|(from, _)| *from != to) {
            let verdict = judge(target, source);
            row += &format!("  {}/{}", verdict.main.1, verdict.main.0);
            all.push((to, from, verdict));
        }
        println!("{:18}{row}", SCHEMES[to].0);
    }
    for (to, from, verdict) in &all {
        for wrong in &verdict.wrong {
            println!("{} on {}: {wrong}", SCHEMES[*from].0, SCHEMES[*to].0);
        }
    }
    all
}

fn is_right(verdict: &Verdict) -> bool {
    verdict.main.0 == verdict.main.1 && verdict.wrong.is_empty()
}

/// Exact names come before guesses, also where two schemes mean different bones by one name.
const SAME_NAMES: [&str; 3] = [
    // Daz has a pelvis below the hip.
    "pelvis = pelvis (name)",
    // The root is the hips in CMU and MakeHuman, and an empty node in Unreal.
    "root = root (name)",
    "hip = nothing",
];

/// Asserts that all pairs of rigs are right but those that same names make wrong; returns the number of right ones.
#[track_caller]
fn assert_right(all: &[(usize, usize, Verdict)]) -> usize {
    let right = all.iter().filter(|(.., verdict)| is_right(verdict)).count();
    println!("{right} of {} ordered pairs right in all main bones", all.len());
    for (to, from, verdict) in all {
        assert_eq!(verdict.crossed, 0, "{} on {}", SCHEMES[*from].0, SCHEMES[*to].0);
        assert!(is_right(verdict) || verdict.wrong.iter().any(|wrong| SAME_NAMES.contains(&wrong.as_str())));
        assert!(verdict.main.1 + 1 >= verdict.main.0, "{verdict:?}");
    }
    right
}

#[test]
fn ten_schemes_match_each_other_without_help() {
    let all = table(&rigs()[..TABLE]);
    let sum = |of: fn(&Verdict) -> usize| all.iter().map(|(.., verdict)| of(verdict)).sum::<usize>();
    println!("{} of {} main bones", sum(|one| one.main.1), sum(|one| one.main.0));
    println!("{} of {} fingers, eyes and jaws", sum(|one| one.others.1), sum(|one| one.others.0));
    assert_eq!((all.len(), sum(|one| one.by_shape)), (90, 0));
    assert_eq!(assert_right(&all), 87);
    assert_eq!(sum(|one| one.others.0 - one.others.1), 0);
}

#[test]
fn variants_match_all_others() {
    let all = table(&rigs());
    assert_eq!((all.len(), assert_right(&all)), (210, 206));
}

/// Renames all joints.
fn renamed(human: &Human, name: impl Fn(usize, &str) -> String) -> Human {
    let mut human = human.clone();
    for (number, own) in human.model.rig.names.iter_mut().enumerate() {
        *own = name(number, own);
    }
    human
}

/// Files of one scheme differ in prefixes, separators and numbers; then every joint matches, also ends and twists.
#[test]
fn prefixes_separators_and_numbers_do_not_matter() {
    let mixamo = human(SCHEMES[0].1, Proportions::USUAL);
    let count = mixamo.model.rig.len();
    type Rename = fn(usize, &str) -> String;
    let spellings: [Rename; 7] = [
        |_, name| name.replace(':', "_"),
        |_, name| name.replace(':', "1:"),
        |_, name| name.replace(':', "FBXASC058"),
        |_, name| name.replace("mixamorig:", "Bot|x:Robot "),
        |number, name| format!("{}_{number:02}", name.replace(':', "_")),
        |_, name| format!("Armature_{}", name.replace(':', "_").to_uppercase()),
        |_, name| name.replace("mixamorig:", "").replace("Left", "L_").replace("Right", "R_"),
    ];
    for spelling in spellings {
        let other = renamed(&mixamo, spelling);
        for (target, source) in [(&mixamo, &other), (&other, &mixamo)] {
            let found = Match::new(&target.model, &source.model, &JointMap::default()).unwrap();
            let name = &other.model.rig.names[3];
            assert_eq!(found.pairs.len(), count, "{name}: {:?}", found.strays);
            assert!(found.pairs.iter().all(|pair| pair.target == pair.source), "{name}");
        }
    }
    // The other schemes, too, without their upper case or their separators.
    for (number, (scheme, text)) in SCHEMES[..TABLE].iter().enumerate() {
        let human = human(text, proportions(number));
        let numbered = renamed(&human, |number, name| format!("{name}_{:03}", number * 7));
        for other in [numbered, renamed(&human, |_, name| format!("a:b|c:{}", name.to_lowercase()))] {
            let verdict = judge(&human, &other);
            assert!(is_right(&verdict), "{scheme}: {verdict:?}");
        }
    }
}

/// Without a name that says anything, the tree's shape tells bones and sides, whatever the figure's size, stance, and
/// orientation.
#[test]
fn a_tree_alone_tells_the_bones() {
    let unity = human(SCHEMES[2].1, Proportions::USUAL);
    let (mut main, mut right) = (0, 0);
    for number in 0..48 {
        let share = |step: usize| ((number * step) % 48) as f64 / 47.0;
        let turn = DQuat::from_rotation_y(std::f64::consts::TAU * share(7))
            * DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2 * (number % 2) as f64);
        let shape = Proportions {
            unit: 1.0,
            arms: 0.75 + 0.5 * share(5),
            legs: 0.8 + 0.4 * share(11),
            torso: 0.8 + 0.4 * share(13),
            drop: 85.0 * share(17),
            turn,
        };
        for (scheme, text) in SCHEMES {
            let nameless = renamed(&human(text, shape), |number, _| format!("joint{number}"));
            let verdict = judge(&unity, &nameless);
            assert_eq!(verdict.crossed, 0, "{scheme} {number}: {verdict:?}");
            main += verdict.main.0;
            right += verdict.main.1;
        }
    }
    println!("{right} of {main} main bones by shape alone");
    // Metatarsals are taken for toes.
    assert!(right * 100 >= main * 99, "{right} of {main}");
}
