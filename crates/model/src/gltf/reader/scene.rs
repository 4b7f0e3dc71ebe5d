//! Chooses the scene and lists the meshes it draws.

use super::node::Nodes;
use crate::gltf::json::Document;
use crate::gltf::parents::parents;
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::unknown::Unknown;
use crate::{Instance, SceneRoots};

/// The scene to show: the one that was asked for by name, else by number; without a wish the file's
/// own choice, else the first. `None` where the file has no scene: then all nodes are shown.
pub fn choose(document: &Document, asked: Option<&str>) -> Result<Option<usize>, LoadError> {
    let scenes = &document.scenes;
    if let Some(asked) = asked {
        let by_name = scenes.iter().position(|scene| scene.name == asked);
        let chosen = by_name.or_else(|| asked.parse().ok().filter(|index: &usize| *index < scenes.len()));
        return match chosen {
            Some(chosen) => Ok(Some(chosen)),
            None => {
                let known = scenes.iter().map(|scene| scene.name.as_str()).enumerate();
                Err(LoadError::NoScene(Unknown::numbered("scene", asked, known)))
            }
        };
    }
    match document.scene {
        Some(scene) if scene >= scenes.len() => {
            Err(LoadError::no_such("scene", "scene", scene, scenes.len()))
        }
        Some(scene) => Ok(Some(scene)),
        None => Ok((!scenes.is_empty()).then_some(0)),
    }
}

/// Reads all scenes and their roots. A root that does not exist is an error in the shown scene, and a warning in
/// others.
pub fn read(
    document: &Document,
    chosen: Option<usize>,
    nodes: &Nodes,
    warnings: &mut Warnings,
) -> Result<Vec<SceneRoots>, LoadError> {
    let mut scenes = Vec::with_capacity(document.scenes.len());
    for (index, scene) in document.scenes.iter().enumerate() {
        let mut roots = Vec::with_capacity(scene.nodes.len());
        for (number, root) in scene.nodes.iter().enumerate() {
            let path = || format!("scenes[{index}].nodes[{number}]");
            match nodes.rig_index(*root, path) {
                Ok(root) => roots.push(root),
                Err(error) if chosen == Some(index) => return Err(error),
                Err(_) => {
                    let message = format!("there is no node {root} (the file has {})", nodes.rig.len());
                    warnings.add("UNRESOLVED_REFERENCE", &path(), message);
                }
            }
        }
        scenes.push(SceneRoots { name: scene.name.clone(), roots });
    }
    Ok(scenes)
}

/// The nodes of the chosen scene, or of the whole file, depth first.
pub fn shown(
    document: &Document,
    chosen: Option<usize>,
    warnings: &mut Warnings,
) -> Result<Vec<usize>, LoadError> {
    let mut shown = Vec::new();
    let mut seen = vec![false; document.nodes.len()];
    let mut stack = roots(document, chosen, warnings)?;
    stack.reverse();
    while let Some(index) = stack.pop() {
        let (Some(node), Some(seen)) = (document.nodes.get(index), seen.get_mut(index)) else {
            continue;
        };
        // A scene may list a node twice, or a node and its child; each is drawn once.
        if !std::mem::replace(seen, true) {
            shown.push(index);
            stack.extend(node.children.iter().rev());
        }
    }
    Ok(shown)
}

/// The meshes on the nodes that are shown.
pub fn instances(document: &Document, shown: &[usize], nodes: &Nodes) -> Result<Vec<Instance>, LoadError> {
    let mut instances = Vec::new();
    for index in shown {
        let Some(node) = document.nodes.get(*index) else { continue };
        if let Some(mesh) = node.mesh {
            let rig_index = nodes.rig_index(*index, || format!("nodes[{index}]"))?;
            instances.push(Instance { node: rig_index, mesh, skin: node.skin });
        }
    }
    Ok(instances)
}

/// Checks the references of all nodes, shown or not.
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

/// The nodes to start from.
fn roots(
    document: &Document,
    chosen: Option<usize>,
    warnings: &mut Warnings,
) -> Result<Vec<usize>, LoadError> {
    let parents = parents(&document.nodes)?;
    let Some((chosen, scene)) = chosen.and_then(|chosen| Some((chosen, document.scenes.get(chosen)?))) else {
        return Ok((0..parents.len()).filter(|i| parents.get(*i).is_some_and(Option::is_none)).collect());
    };
    for (number, root) in scene.nodes.iter().enumerate() {
        let path = || format!("scenes[{chosen}].nodes[{number}]");
        match parents.get(*root) {
            Some(None) => {}
            Some(Some(parent)) => {
                warnings.add(
                    "SCENE_NON_ROOT_NODE",
                    &path(),
                    format!("node {root} is not a root but a child of node {parent}"),
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
    use crate::gltf::json;
    use crate::gltf::reader::node;

    /// File indices of the drawn nodes, and the number of warnings.
    fn drawn_of(rest: &str, asked: Option<&str>) -> Result<(Vec<u32>, usize), String> {
        let text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "meshes": [{{}}], "nodes": [
                {{"mesh": 0}}, {{"children": [3, 2], "mesh": 0}}, {{"mesh": 0}}, {{"children": [0]}}, {{"mesh": 0}}]
                {rest}}}"#
        );
        let document = json::parse(text.as_bytes()).unwrap();
        let mut warnings = Warnings::default();
        check_references(&document).map_err(|e| e.to_string())?;
        let chosen = choose(&document, asked).map_err(|e| e.to_string())?;
        let nodes = node::read(&document, &mut warnings).map_err(|e| e.to_string())?;
        let scenes = read(&document, chosen, &nodes, &mut warnings).map_err(|e| e.to_string())?;
        assert_eq!(scenes.len(), document.scenes.len());
        let shown = shown(&document, chosen, &mut warnings).map_err(|e| e.to_string())?;
        let instances = instances(&document, &shown, &nodes).map_err(|e| e.to_string())?;
        let files = instances.iter().map(|i| nodes.rig.file_index[i.node]).collect();
        Ok((files, warnings.into_vec().len()))
    }

    fn drawn(rest: &str) -> Result<(Vec<u32>, usize), String> {
        drawn_of(rest, None)
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
    fn the_caller_chooses_by_name_and_then_by_number() {
        let scenes = r#", "scene": 0, "scenes": [{"nodes": [4]}, {"name": "2", "nodes": [1]}, {"name": "a", "nodes": []}]"#;
        let files = |asked: &str| drawn_of(scenes, Some(asked)).map(|(files, _)| files);
        assert_eq!(files("0").unwrap(), [4]);
        assert_eq!(files("2").unwrap(), [1, 0, 2], "a name goes before a number");
        assert_eq!(files("a").unwrap(), [0_u32; 0]);
        assert_eq!(files("b").unwrap_err(), "it has no scene 'b', but 0 '', 1 '2', 2 'a'");
        assert_eq!(files("3").unwrap_err(), "it has no scene '3', but 0 '', 1 '2', 2 'a'");
        assert_eq!(drawn_of("", Some("0")).unwrap_err(), "it has no scene '0', and no scenes at all");
        // The file's own choice may be broken: the caller chose another scene.
        let broken = r#", "scene": 7, "scenes": [{"nodes": [2]}]"#;
        assert_eq!(drawn_of(broken, Some("0")).unwrap().0, [2]);
    }

    #[test]
    fn faults_in_scenes_that_are_not_shown_are_warnings() {
        let (files, warnings) = drawn(r#", "scenes": [{"nodes": [4]}, {"nodes": [9, 4]}]"#).unwrap();
        assert_eq!((files, warnings), (vec![4], 1));
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
