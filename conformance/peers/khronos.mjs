// The Khronos glTF Sample Viewer's renderer (@khronosgroup/gltf-viewer).
import { browser } from "./browser.mjs";
import { run } from "./runner.mjs";

async function page(url, clip) {
    const libraries = "/@khronosgroup/gltf-viewer/dist/libs/";
    const draco = "/three/examples/jsm/libs/draco/gltf/";
    const { GltfView } = await import("@khronosgroup/gltf-viewer");
    await new Promise((done) => document.head.append(Object.assign(document.createElement("script"), { src: draco + "draco_wasm_wrapper.js", onload: done })));
    const view = new GltfView(document.getElementById("canvas").getContext("webgl2"));
    const decoder = (options) => window.DracoDecoderModule({ ...options, locateFile: () => draco + "draco_decoder.wasm" });
    const loader = view.createResourceLoader(decoder, () => new Promise(() => {}), libraries);
    await loader.initDracoLib(decoder);
    const state = view.createState();
    state.gltf = await loader.loadGltf(url);
    state.sceneIndex = state.gltf.scene ?? 0;
    // Without image-based light nothing of the environment is read but its existence.
    state.environment = {};
    state.renderingParameters.useIBL = false;
    state.renderingParameters.renderEnvironmentMap = false;
    state.animationIndices = clip === null ? [] : [clip];
    state.userCamera.perspective.znear = 0.1;
    state.userCamera.perspective.zfar = 1000;
    return {
        // One draw a primitive, in the order of the scene.
        primitives: [{ name: "primitive", only: () => {}, several: true }],
        // Clips loop, so that their end is their begin: the moment just before the end is asked for instead.
        // A fixed time of 0 counts as none; a timer that was reset stands at 0.
        pose: (seconds) => {
            const end = clip === null ? 0 : state.gltf.animations[clip].maxTime;
            if (seconds) state.animationTimer.setFixedTime(seconds === end ? seconds - 1e-9 : seconds);
            else Object.assign(state.animationTimer, { paused: true }).reset();
        },
        render: () => view.renderFrame(state, 64, 64),
        // The viewer gives each corner a vertex, to make tangents for it. TEXCOORD_0 says which corners were one.
        finish: ({ positions, normals, texcoords }) => {
            const first = new Map();
            texcoords?.forEach(([u], corner) => first.has(u) || first.set(u, corner));
            const corners = texcoords ? [...first].sort(([a], [b]) => a - b).map(([, corner]) => corner) : [...positions.keys()];
            return { positions: corners.map((corner) => positions[corner]), normals: normals && corners.map((corner) => normals[corner]) };
        },
    };
}

const imports = { "@khronosgroup/gltf-viewer": "/@khronosgroup/gltf-viewer/dist/gltf-viewer.module.js" };
await run(await browser({ imports, wanted: { positions: ["v_Position"], normals: ["v_Normal"], texcoords: ["v_texcoord_0"] }, page }));
