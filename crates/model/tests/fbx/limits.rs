//! What files may not do: take more time or memory than is said, end early in silence, or hold numbers that are none.

use sinew_model::{Options, fbx};

use crate::document::{Cluster, Document, Node};
use crate::sound::assert_sound_types;
use crate::told;

const TRIANGLE: [[f64; 3]; 3] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn reading_tells_how_far_it_is_and_stops_when_asked() {
    let mut document = crate::rigs::skinned(&["Linear", "DualQuaternion"], &[]);
    let layer = document.clip("turn", 1.0);
    document.animate(layer, 1000, "Lcl Rotation", &[(0.0, [0.0; 3]), (1.0, [90.0, 0.0, 0.0])]);
    let bytes = document.binary();
    told::at_each_step(|options| fbx::load_bytes(&bytes, None, options));
}

/// A short file may not ask for more motion than somebody would wait for. Where that many nodes move, this is known before
/// any motion is read.
#[test]
fn motion_is_limited_by_the_size_of_the_file() {
    let refused = |nodes: usize| {
        let mut document = Document::new();
        let nodes: Vec<i64> = (0..nodes).map(|_| document.node("n", "Null", 0, vec![])).collect();
        let layer = document.clip("ten hours", 36_000.0);
        for node in nodes {
            let keys = [(0.0, [0.0; 3]), (36_000.0, [90.0, 40.0, 0.0])];
            document.animate(layer, node, "Lcl Rotation", &keys);
        }
        let bytes = document.binary();
        let begin = std::time::Instant::now();
        let loaded = fbx::load_bytes(&bytes, None, &Options::default()).map(|_| ());
        let error = loaded.unwrap_err().to_string();
        assert!(error.starts_with("animations[0]: more than 100"), "{error}");
        begin.elapsed()
    };
    // Seven nodes have 7.6 million frames; looking whether motion bends between them takes it beyond ten.
    let read = refused(7);
    let known = refused(40);
    assert!(known < read / 10, "{known:?} and {read:?}");
}

/// Numbers that are none are refused where nothing could stand in for them, and replaced elsewhere.
#[test]
fn numbers_that_are_none_are_refused_or_replaced() {
    let with = |at: f64, offset: f64, weight: f64| {
        let mut document = Document::new();
        let bone = document.node("bone", "LimbNode", 0, vec![]);
        let node = document.node("mesh", "Mesh", 0, vec![]);
        let mesh = document.mesh(node, &[[at, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]);
        document.shape(mesh, "smile", &[(0, [offset, 0.0, 0.0]), (1, [0.0, 0.0, 1.0])], 0.0);
        let identity = glam::DMat4::IDENTITY.to_cols_array();
        let weights = vec![(0, 1.0), (1, weight), (2, 1.0)];
        let cluster = Cluster { bone, weights, bone_from_mesh: identity, world_from_bone: identity };
        document.skin(mesh, "Linear", &[cluster], &[]);
        fbx::load_bytes(&document.binary(), None, &Options::default()).map(|model| {
            assert_sound_types(&model);
            model.warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>()
        })
    };
    assert_eq!(with(0.0, 1.0, 1.0).unwrap(), [""; 0]);
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        let refused = with(bad, 1.0, 1.0).unwrap_err().to_string();
        assert_eq!(refused, "meshes[0].primitives[0]: vertex mesh0:0:0 is not finite");
        let warned = with(0.0, bad, 1.0).unwrap();
        assert!(warned.len() == 1 && warned[0].contains("kept in place"), "{warned:?}");
    }
    // The library drops weights that are none.
    assert_eq!(with(0.0, 1.0, f64::NAN).unwrap(), [""; 0]);
}

/// Text that ends early is no whole file, wherever within a block it ends.
#[test]
fn cut_text_is_refused() {
    let text = crate::rigs::skinned(&["Linear"], &[]).ascii();
    let objects = text.windows(9).position(|word| word == b"Objects: ").unwrap();
    let connections = text.windows(13).position(|word| word == b"Connections: ").unwrap();
    assert!(fbx::load_bytes(&text, None, &Options::default()).is_ok());
    for end in (objects + 20..connections - 3).step_by(97) {
        let error = fbx::load_bytes(&text[..end], None, &Options::default()).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
    }
}

/// Neither nodes below nodes nor blocks in blocks exhaust the stack.
#[test]
fn depth_is_limited() {
    let mut document = Document::new();
    let mut parent = 0;
    for _ in 0..600 {
        parent = document.node("n", "Null", parent, vec![]);
    }
    for bytes in [document.binary(), document.ascii()] {
        let error = fbx::load_bytes(&bytes, None, &Options::default()).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
    }
    let mut blocks = Node::new("Objects", []);
    for _ in 0..3000 {
        blocks = Node::new("Model", []).with([blocks]);
    }
    let binary = crate::document::node::binary_of(&[blocks]);
    let text = format!("; FBX 7.4.0 project file\n{}{}", "Model: {\n".repeat(100_000), "}\n".repeat(100_000));
    for bytes in [binary, text.into_bytes()] {
        match fbx::load_bytes(&bytes, None, &Options::default()) {
            Ok(model) => assert_sound_types(&model),
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    }
}

/// What a file may show again and again takes no more memory than a file of its size may.
#[test]
fn what_is_shown_again_is_counted() {
    let mut document = Document::new();
    let bones: Vec<i64> = (0..2000).map(|_| document.node("b", "LimbNode", 0, vec![])).collect();
    let node = document.node("mesh", "Mesh", 0, vec![]);
    let mesh = document.mesh(node, &TRIANGLE, &[[0, 1, 2]]);
    let identity = glam::DMat4::IDENTITY.to_cols_array();
    let clusters: Vec<Cluster> = bones
        .into_iter()
        .map(|bone| Cluster {
            bone,
            weights: vec![(0, 1.0)],
            bone_from_mesh: identity,
            world_from_bone: identity,
        })
        .collect();
    document.skin(mesh, "Linear", &clusters, &[]);
    for _ in 0..4000 {
        let again = document.node("again", "Mesh", 0, vec![]);
        document.connect(mesh, again);
    }
    let error = fbx::load_bytes(&document.binary(), None, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("MiB that a file of this size may use"), "{error}");
}
