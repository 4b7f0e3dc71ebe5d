//! Reasons for which an edit changed no vertex.

use super::{Chosen, Done, Edit, Weights, divided};
use crate::pose::Names;

impl Weights<'_> {
    /// Explains in a few words why an edit changed nothing. `None` if it did, or if the vertices could not follow it.
    pub fn why_idle(&self, edit: &Edit, chosen: &Chosen, done: &Done) -> Option<String> {
        if *done != Done::default() {
            return None;
        }
        let names = Names::new(self.model);
        let joints = joints(&names, edit);
        let is_chosen = |part: &usize| {
            let count = self.parts.get(*part).map_or(0, |part| part.rows.len());
            (0..count).any(|vertex| chosen.has(*part, vertex))
        };
        let parts: Vec<usize> = (0..self.parts.len()).filter(is_chosen).collect();
        if parts.is_empty() {
            let name = joints.first().map_or_else(String::new, |joint| names.node_name(*joint));
            return Some(format!("'{name}' moves no vertex yet; choose vertices with --where"));
        }
        let has_all = |part: &usize| joints.iter().all(|joint| self.number_in(*part, *joint).is_some());
        if !parts.iter().any(has_all) {
            return Some("the skins of these vertices do not have that joint".to_owned());
        }
        Some(match edit {
            Edit::Replace(..) => "the first joint moves none of these vertices".to_owned(),
            Edit::Swap(..) => "both joints have the same weights there, or none".to_owned(),
            Edit::Add(_, by) if *by < 0.0 => "the joint moves none of these vertices".to_owned(),
            Edit::Add(..) => "no vertex has room: the joint has all weight already".to_owned(),
            Edit::Set(..) => "the joint has this weight already".to_owned(),
            Edit::Smooth(..) => "the joint has equal weights there".to_owned(),
            Edit::Prune(least) => format!("no joint has a weight below {least}"),
            Edit::Shorten(most) => format!("no vertex has more than {most}"),
        })
    }
}

/// The joints of an edit that the model has.
fn joints(names: &Names<'_>, edit: &Edit) -> Vec<usize> {
    let pair =
        |a: &str, b: &str, mark: char| divided(names, [a, b], mark).map_or_else(|_| Vec::new(), Vec::from);
    let asked = match edit {
        Edit::Replace(a, b) => pair(a, b, '='),
        Edit::Swap(a, b) => pair(a, b, ','),
        Edit::Add(joint, _) | Edit::Set(joint, _) | Edit::Smooth(joint, _) => vec![joint.clone()],
        Edit::Prune(_) | Edit::Shorten(_) => Vec::new(),
    };
    asked.iter().filter_map(|joint| names.joint(joint).ok()).collect()
}
