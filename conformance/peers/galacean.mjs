// Galacean Engine: its glTF loader, Animator, the shaders of its PBRMaterial.
import { browser } from "./browser.mjs";
import { run } from "./runner.mjs";

async function page(url, clip) {
    const { Animator, AssetType, Camera, DirectLight, MeshRenderer, Vector3, WebGLEngine, WrapMode } = await import("@galacean/engine");
    const engine = await WebGLEngine.create({ canvas: "canvas" });
    const root = engine.sceneManager.activeScene.createRootEntity();
    const camera = root.createChild("camera").addComponent(Camera);
    camera.isOrthographic = true;
    camera.orthographicSize = 16;
    camera.entity.transform.setPosition(0, 0, 50);
    camera.enableFrustumCulling = false;
    root.createChild("light").addComponent(DirectLight);
    const gltf = await engine.resourceManager.load({ url, type: AssetType.GLTF });
    const model = gltf.instantiateSceneRoot();
    root.addChild(model);
    const animator = model.getComponent(Animator);
    const state = clip === null ? null : animator.animatorController.layers[0].stateMachine.states[clip];
    if (animator) animator.speed = 0;
    if (state) state.wrapMode = WrapMode.Once;
    // getComponentsIncludeChildren walks backwards.
    const walk = (entity) => [...entity.getComponents(MeshRenderer, []), ...entity.children.flatMap(walk)];
    const renderers = walk(model);
    const primitives = renderers.map((renderer) => ({
        name: renderer.entity.name,
        only: () => renderers.forEach((other) => { other.enabled = other === renderer; }),
    }));
    return {
        primitives,
        pose: (seconds) => {
            if (clip === null) return;
            animator.play(state.name, 0, state.clip.length && seconds / state.clip.length);
            animator.update(0);
        },
        render: () => engine.update(),
        finish: ({ positions, normals }) => ({ positions, normals }),
    };
}

const imports = Object.fromEntries(["engine", "engine-core", "engine-math", "engine-loader", "engine-rhi-webgl"].map((name) => [`@galacean/${name}`, `/@galacean/${name}/dist/module.js`]));
await run(await browser({ imports, wanted: { positions: ["v_pos"], normals: ["v_normal"] }, page }));
