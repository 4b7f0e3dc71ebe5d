//! Pictures of delta mush: the figure is where the library puts its vertices, with normals and edges.

use sinew::camera::Orbit;
use sinew::look::{Look, Quality};
use sinew::model::Model;
use sinew::overlay::Overlays;
use sinew::scene::{Mush, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::delta_mush::{DeltaMush, Settings};
use sinew::skinning::pose::{Pose, PoseChoice};

use crate::common;
use crate::studio::Studio;

/// Returns the model with its vertices in delta mush as its stored mesh.
fn baked(model: &Model, settings: Settings, choice: &PoseChoice) -> Model {
    let mut pose = Pose::default();
    pose.set(model, choice);
    let mut baked = model.clone();
    for own in DeltaMush::new(model, settings).skin(model, &pose) {
        let mesh = baked.instances[own.instance].mesh;
        let primitive = &mut baked.meshes[mesh].primitives[own.primitive];
        primitive.positions = own.positions;
        primitive.normals = own.normals;
        primitive.tangents = own.tangents;
    }
    baked
}

#[test]
fn delta_mush_is_drawn_where_the_library_puts_it() {
    let mut studio = Studio::open();
    let settings = Settings { iterations: 30, ..Settings::default() };
    for (name, time, camera) in [("character", 1.2, [0.0, 1.0, 0.0]), ("bend", 1.0, [0.0, 1.0, 0.0])] {
        let model = common::builtin(name);
        let pose = PoseChoice::clip(0, time);
        let orbit = Orbit { target: Some(camera.into()), distance: Some(4.0), ..Orbit::default() };
        for quality in [Quality::Plain, Quality::Draft] {
            let whole = Scene {
                camera: orbit.into(),
                look: Look { quality, ..Look::default() },
                overlays: Overlays { wireframe: quality == Quality::Draft, ..Overlays::default() },
                ..common::scene(SkinningMode::Linear, pose.clone(), [96, 96])
            };
            let drawn = Scene { mush: Mush { is_drawn: true, settings }, ..whole.clone() };
            let images = studio.draw_all(&model, &[drawn.clone(), whole.clone(), drawn]);
            let stored = Scene { pose: PoseChoice::Bind, ..whole };
            let expected = studio.draw(&baked(&model, settings, &pose), &stored);
            assert!(images[0] != images[1], "{name}: as in lbs");
            assert!(images[0] == images[2], "{name}: after lbs");
            assert!(images[0] == expected, "{name} {quality:?}");
        }
    }
    studio.close();
}
