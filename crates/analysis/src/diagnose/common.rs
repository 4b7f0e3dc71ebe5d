//! Properties that wrong vertices share and right ones lack.

use sinew_model::PrimitiveName;

use super::subject::Subject;

/// The share of wrong vertices that a statement must cover, and the share of right ones that it may.
const COVERED: f64 = 0.95;
const SPARED: f64 = 0.05;

/// A test of a vertex, with the words for those that pass.
struct Statement {
    words: String,
    passes: Vec<bool>,
}

/// Returns a sentence on the wrong vertices: what only they have in common. `None` if all or none are wrong, or nothing
/// distinguishes them.
pub(super) fn sentence(subject: &Subject, vertices: &[u32], is_wrong: &[bool]) -> Option<String> {
    let wrong = is_wrong.iter().filter(|wrong| **wrong).count();
    let right = is_wrong.len() - wrong;
    if wrong == 0 || right == 0 {
        return None;
    }
    let score = |statement: &Statement| {
        let both = statement.passes.iter().zip(is_wrong);
        let (mut covered, mut spoilt) = (0_usize, 0_usize);
        for (passes, wrong) in both {
            covered += usize::from(*passes && *wrong);
            spoilt += usize::from(*passes && !*wrong);
        }
        (covered as f64 / wrong as f64, spoilt as f64 / right as f64)
    };
    let mut best: Option<(f64, Statement)> = None;
    for statement in statements(subject, vertices, is_wrong) {
        let (covered, spoilt) = score(&statement);
        let gain = covered - spoilt;
        if covered >= COVERED && spoilt <= SPARED && best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, statement));
        }
    }
    let (_, statement) = best?;
    let (covered, spoilt) = score(&statement);
    let who = if covered == 1.0 {
        format!("all {wrong} wrong vertices")
    } else {
        format!("{:.0} % of the {wrong} wrong vertices", covered * 100.0)
    };
    let others = if spoilt == 0.0 {
        "no right one does".to_owned()
    } else {
        format!("{:.1} % of the right ones do", spoilt * 100.0)
    };
    Some(format!("{who} {}; {others}", statement.words))
}

/// Lists statements that may hold for the wrong vertices, simple ones first.
fn statements(subject: &Subject, vertices: &[u32], is_wrong: &[bool]) -> Vec<Statement> {
    let model = subject.model;
    let of = |test: &dyn Fn(usize, usize) -> bool| -> Vec<bool> {
        let found = vertices.iter().map(|vertex| subject.part_of(*vertex as usize));
        found.map(|found| found.is_some_and(|(part, _, at)| test(part, at))).collect()
    };
    let influences =
        |part: usize, at: usize| subject.parts.get(part).map_or(&[][..], |part| part.influences(at));
    let mut all = Vec::new();
    for (number, part) in subject.parts.iter().enumerate() {
        let name = PrimitiveName::of(model, part.number, part.in_mesh);
        all.push(Statement { words: format!("belong to {name}"), passes: of(&|part, _| part == number) });
    }
    for (mesh, found) in model.meshes.iter().enumerate().filter(|_| model.meshes.len() > 1) {
        let name = if found.name.is_empty() { format!("meshes[{mesh}]") } else { found.name.clone() };
        let is_of = |part: usize| subject.parts.get(part).is_some_and(|part| part.instance.mesh == mesh);
        all.push(Statement {
            words: format!("belong to the mesh {name}"),
            passes: of(&|part, _| is_of(part)),
        });
    }
    for most in 1..=8_usize {
        let passes = of(&|part, at| influences(part, at).len() > most);
        all.push(Statement { words: format!("have more than {most} influences"), passes });
    }
    let odd = |part: usize, at: usize| {
        subject.parts.get(part).is_some_and(|part| (part.stored_sum(at) - 1.0).abs() > 1e-5)
    };
    all.push(Statement { words: "have weights that do not sum to 1 in the file".into(), passes: of(&odd) });
    for least in [128, 256, 512] {
        let passes = of(&|part, at| influences(part, at).iter().any(|(joint, _)| *joint >= least));
        all.push(Statement { words: format!("follow a joint with the number {least} or more"), passes });
    }
    all.push(Statement {
        words: "follow no joint (−1)".into(),
        passes: of(&|part, at| influences(part, at).iter().any(|(joint, _)| *joint < 0)),
    });
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        for (side, test) in
            [("below", f32::is_sign_negative as fn(f32) -> bool), ("above", f32::is_sign_positive)]
        {
            let at = |part: usize, at: usize| {
                let position = subject.parts.get(part).and_then(|part| part.primitive.positions.get(at));
                position.is_some_and(|position| test(position[axis]))
            };
            let words = format!("lie {side} {name} = 0 in the bind pose");
            all.push(Statement { words, passes: of(&at) });
        }
    }
    all.extend(joint_statements(subject, vertices, is_wrong, &of));
    all.extend(range(vertices, is_wrong));
    all
}

/// Evaluates a test of part and vertex for every vertex.
type Of<'a> = dyn Fn(&dyn Fn(usize, usize) -> bool) -> Vec<bool> + 'a;

/// The most joints whose vertices are looked at.
const JOINTS: usize = 12;

/// Lists statements on the joints that wrong vertices follow, those of most weight.
fn joint_statements(subject: &Subject, vertices: &[u32], is_wrong: &[bool], of: &Of<'_>) -> Vec<Statement> {
    let mut weights: std::collections::BTreeMap<usize, f64> = Default::default();
    let node = |part: usize, joint: i32| {
        let skin = subject.parts.get(part).and_then(|part| part.skin)?;
        skin.joints.get(usize::try_from(joint).ok()?).copied()
    };
    for (vertex, _) in vertices.iter().zip(is_wrong).filter(|(_, wrong)| **wrong) {
        let Some((number, part, at)) = subject.part_of(*vertex as usize) else { continue };
        for &(joint, weight) in part.influences(at) {
            if let Some(node) = node(number, joint) {
                *weights.entry(node).or_default() += f64::from(weight);
            }
        }
    }
    let mut order: Vec<(usize, f64)> = weights.into_iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let names = sinew_skinning::pose::Names::new(subject.model);
    let mut all = Vec::new();
    for (found, _) in order.into_iter().take(JOINTS) {
        let influences =
            |part: usize, at: usize| subject.parts.get(part).map_or(&[][..], |part| part.influences(at));
        let follows = |part: usize, at: usize| {
            influences(part, at).iter().any(|(joint, _)| node(part, *joint) == Some(found))
        };
        let mostly = |part: usize, at: usize| {
            influences(part, at).first().is_some_and(|(joint, _)| node(part, *joint) == Some(found))
        };
        let name = names.node_name(found);
        all.push(Statement { words: format!("follow the joint {name}"), passes: of(&follows) });
        all.push(Statement { words: format!("follow mostly the joint {name}"), passes: of(&mostly) });
    }
    all
}

/// Makes a statement on the range of indices that the wrong vertices span.
fn range(vertices: &[u32], is_wrong: &[bool]) -> Option<Statement> {
    let mut wrong: Vec<u32> =
        vertices.iter().zip(is_wrong).filter(|(_, wrong)| **wrong).map(|(at, _)| *at).collect();
    wrong.sort_unstable();
    let skipped = wrong.len() / 40;
    let first = *wrong.get(skipped)?;
    let last = *wrong.get(wrong.len().checked_sub(skipped + 1)?)?;
    let passes = vertices.iter().map(|at| (first..=last).contains(at)).collect();
    Some(Statement { words: format!("have an index from {first} to {last}"), passes })
}
