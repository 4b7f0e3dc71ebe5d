//! Which meshes the chosen scene draws, in which order.
//! It must not know what is in the meshes.

use super::error::LoadError;
use super::json::Document;
use super::node::{self, Nodes};
use super::report::Warnings;
use crate::model::Instance;

/// The mesh nodes of the default scene, else the first, else of the whole file, depth first.
pub fn instances(
    document: &Document,
    nodes: &Nodes,
    warnings: &mut Warnings,
) -> Result<Vec<Instance>, LoadError> {
    let mut instances = Vec::new();
    let mut seen = vec![false; document.nodes.len()];
    let mut stack = roots(document, warnings)?;
    stack.reverse();
    while let Some(index) = stack.pop() {
        let (Some(node), Some(seen)) = (document.nodes.get(index), seen.get_mut(index)) else {
            continue;
        };
        // A scene may list a node twice, or a node and its child; each is drawn once.
        if std::mem::replace(seen, true) {
            continue;
        }
        if let Some(mesh) = node.mesh {
            let rig_index = nodes.rig_index(index, || format!("nodes[{index}]"))?;
            instances.push(Instance { node: rig_index, mesh, skin: node.skin });
        }
        stack.extend(node.children.iter().rev());
    }
    Ok(instances)
}

/// Checks what all nodes refer to, whether a scene shows them or not.
pub fn check_references(document: &Document) -> Result<(), LoadError> {
    for (index, node) in document.nodes.iter().enumerate() {
        if let Some(mesh) = node.mesh.filter(|mesh| *mesh >= document.meshes.len()) {
            let path = format!("nodes[{index}].mesh");
            return Err(LoadError::no_such(&path, "mesh", mesh, document.meshes.len()));
        }
        if let Some(skin) = node.skin.filter(|skin| *skin >= document.skins.len()) {
            let path = format!("nodes[{index}].skin");
            return Err(LoadError::no_such(&path, "skin", skin, document.skins.len()));
        }
    }
    Ok(())
}

fn roots(document: &Document, warnings: &mut Warnings) -> Result<Vec<usize>, LoadError> {
    let parents = node::parents(&document.nodes)?;
    let scene_count = document.scenes.len();
    let chosen = document.scene.unwrap_or(0);
    let Some(scene) = document.scenes.get(chosen) else {
        return match document.scene {
            Some(_) => Err(LoadError::no_such("scene", "scene", chosen, scene_count)),
            None => Ok((0..parents.len()).filter(|i| parents.get(*i).is_some_and(Option::is_none)).collect()),
        };
    };
    for (number, root) in scene.nodes.iter().enumerate() {
        let path = || format!("scenes[{chosen}].nodes[{number}]");
        match parents.get(*root) {
            Some(None) => {}
            Some(Some(parent)) => {
                warnings.add(
                    "SCENE_NON_ROOT_NODE",
                    &path(),
                    format!("node {root} is no root but a child of node {parent}"),
                );
            }
            None => return Err(LoadError::no_such(&path(), "node", *root, parents.len())),
        }
    }
    Ok(scene.nodes.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::gltf::json;

    /// File numbers of the drawn nodes, and how many warnings there were.
    fn drawn(rest: &str) -> Result<(Vec<u32>, usize), String> {
        let text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "meshes": [{{}}], "nodes": [
                {{"mesh": 0}}, {{"children": [3, 2], "mesh": 0}}, {{"mesh": 0}}, {{"children": [0]}}, {{"mesh": 0}}]
                {rest}}}"#
        );
        let document = json::parse(text.as_bytes()).unwrap();
        let mut warnings = Warnings::default();
        check_references(&document).map_err(|e| e.to_string())?;
        let nodes = node::read(&document, &mut warnings).map_err(|e| e.to_string())?;
        let instances = instances(&document, &nodes, &mut warnings).map_err(|e| e.to_string())?;
        let files = instances.iter().map(|i| nodes.rig.file_index[i.node]).collect();
        Ok((files, warnings.into_vec().len()))
    }

    #[test]
    fn the_chosen_scene_is_drawn_depth_first() {
        assert_eq!(drawn("").unwrap().0, [1, 0, 2, 4]);
        assert_eq!(drawn(r#", "scenes": [{"nodes": [4, 1]}, {"nodes": [4]}]"#).unwrap().0, [4, 1, 0, 2]);
        let (files, warnings) = drawn(r#", "scene": 1, "scenes": [{}, {"nodes": [2, 1, 1]}]"#).unwrap();
        assert_eq!((files, warnings), (vec![2, 1, 0], 1));
        assert!(drawn(r#", "scenes": [{}]"#).unwrap().0.is_empty());
    }

    #[test]
    fn references_out_of_range_are_errors() {
        assert_eq!(
            drawn(r#", "scene": 3, "scenes": [{}]"#).unwrap_err(),
            "scene: there is no scene 3 (the file has 1)"
        );
        assert_eq!(
            drawn(r#", "scenes": [{"nodes": [0, 9]}]"#).unwrap_err(),
            "scenes[0].nodes[1]: there is no node 9 (the file has 5)"
        );
    }
}
