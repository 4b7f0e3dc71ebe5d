//! Vertices in another order, welded and split, are matched.

use super::*;

/// Vertices of the model in another order, some of them twice.
struct Shuffled {
    /// The model's vertex of each given one.
    order: Vec<usize>,
}

impl Shuffled {
    /// Puts vertices in another order, and repeats every one that `is_split` says.
    fn of(kept: &[usize], is_split: impl Fn(usize) -> bool) -> Self {
        let count = kept.len();
        // Coprime with the count, so that each vertex comes once.
        let step = (count / 3..).find(|step| gcd(*step, count) == 1).unwrap();
        let order: Vec<usize> = (0..count).map(|at| kept[at * step % count]).collect();
        let again: Vec<usize> = order.iter().copied().filter(|vertex| is_split(*vertex)).collect();
        Self { order: [order, again].concat() }
    }

    fn positions(&self, made: &Given) -> Vec<[f64; 3]> {
        self.order.iter().map(|vertex| made.parts[0].positions[*vertex]).collect()
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the first of the vertices at each place: those that a program keeps that welds them.
fn welded(positions: &[[f32; 3]]) -> Vec<usize> {
    let mut known = std::collections::HashSet::new();
    (0..positions.len()).filter(|vertex| known.insert(positions[*vertex].map(f32::to_bits))).collect()
}

const MODES: [SkinningMode; 2] = [SkinningMode::Linear, SkinningMode::DualQuat];

fn assert_named(answer: &Answer, by: By, mode: SkinningMode) {
    let verdict = &answer.verdict;
    assert_eq!(
        (answer.matched.by, verdict.mode, verdict.agrees),
        (by, mode.name(), true),
        "{}",
        verdict.sentence
    );
    assert!(verdict.faults.is_empty(), "{}", verdict.sentence);
}

#[test]
fn welded_and_split_vertices_are_matched_by_their_bind_pose() {
    let model = model("twist");
    let positions = &model.meshes[0].primitives[0].positions;
    let choice = PoseChoice::clip(0, 1.4);
    let all: Vec<usize> = (0..positions.len()).collect();
    let kept = welded(positions);
    assert!(kept.len() < all.len());
    let orders = [
        Shuffled::of(&all, |_| false),
        Shuffled::of(&kept, |_| false),
        Shuffled::of(&kept, |vertex| vertex % 3 == 0),
    ];
    let bind = made(&model, &Recipe::of(SkinningMode::Linear), &PoseChoice::Bind);
    for (mode, order) in MODES.into_iter().flat_map(|mode| orders.iter().map(move |order| (mode, order))) {
        let posed = given(order.positions(&made(&model, &Recipe::of(mode), &choice)));
        let bind = given(order.positions(&bind));
        let asked = Asked::At(&choice);
        let question = Question {
            model: &model,
            given: &posed,
            bind: Some(&bind),
            asked,
            expected: None,
            watch: &|_| {},
        };
        let answer = ask(&question).unwrap();
        assert_named(&answer, By::BindPlace, mode);
        assert_eq!(answer.matched.pairs, all.len(), "each of ours has a partner");
    }
}

/// Texture coordinates find vertices in another order, also if there are as many as before; without them, the pose does.
#[test]
fn reordered_vertices_are_matched_without_a_bind_pose() {
    let model = model("bend");
    let primitive = &model.meshes[0].primitives[0];
    let choice = PoseChoice::clip(0, 0.7);
    let all: Vec<usize> = (0..model.meshes[0].primitives[0].positions.len()).collect();
    let orders = [Shuffled::of(&all, |_| false), Shuffled::of(&all, |vertex| vertex % 5 == 0)];
    for (mode, order) in MODES.into_iter().flat_map(|mode| orders.iter().map(move |order| (mode, order))) {
        let mut posed = given(order.positions(&made(&model, &Recipe::of(mode), &choice)));
        assert_named(&ask_of(&model, &posed, Asked::At(&choice)), By::PosedPlace, mode);
        for is_flipped in [false, true] {
            let uv = |vertex: &usize| {
                let [u, v] = primitive.texcoords[0][*vertex].map(f64::from);
                [u, if is_flipped { 1.0 - v } else { v }]
            };
            posed.parts[0].texcoords = Some(order.order.iter().map(uv).collect());
            assert_named(&ask_of(&model, &posed, Asked::At(&choice)), By::TextureCoordinates, mode);
        }
    }
}

/// A welded vertex stands for several of the model's, and its position counts for all of them; its normal is none of theirs.
#[test]
fn welded_vertices_are_matched_by_their_pose() {
    let model = model("bend");
    let choice = PoseChoice::clip(0, 0.7);
    let order = Shuffled::of(&welded(&model.meshes[0].primitives[0].positions), |_| false);
    for mode in MODES {
        let mut posed = given(order.positions(&made(&model, &Recipe::of(mode), &choice)));
        posed.parts[0].normals = Some(vec![[0.0, 0.6, 0.8]; posed.parts[0].positions.len()]);
        let answer = ask_of(&model, &posed, Asked::At(&choice));
        assert_named(&answer, By::PosedPlace, mode);
        let normals = answer.normals.unwrap();
        assert!(normals.of < order.order.len() && normals.right < normals.of, "{normals:?}");
    }
}
