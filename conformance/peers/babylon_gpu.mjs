// Babylon.js on the GPU: its glTF loader, AnimationGroup, the shaders of its materials.
import { browser } from "./browser.mjs";
import { run } from "./runner.mjs";

async function page(url, clip) {
    const core = "@babylonjs/core/";
    const { Engine } = await import(core + "Engines/engine.js");
    const { Scene } = await import(core + "scene.js");
    const { FreeCamera } = await import(core + "Cameras/freeCamera.js");
    const { Vector3 } = await import(core + "Maths/math.vector.js");
    const { HemisphericLight } = await import(core + "Lights/hemisphericLight.js");
    const { ImportMeshAsync } = await import(core + "Loading/sceneLoader.js");
    const { MeshoptCompression } = await import(core + "Meshes/Compression/meshoptCompression.js");
    const { DracoDecoder } = await import(core + "Meshes/Compression/dracoDecoder.js");
    await import(core + "Animations/animatable.js");
    await import(core + "Materials/standardMaterial.js");
    await import("@babylonjs/loaders/glTF/2.0/index.js");
    MeshoptCompression.Configuration = { decoder: { url: "/meshoptimizer/meshopt_decoder.cjs" } };
    const draco = "/three/examples/jsm/libs/draco/gltf/";
    DracoDecoder.DefaultConfiguration = { wasmUrl: draco + "draco_wasm_wrapper.js", wasmBinaryUrl: draco + "draco_decoder.wasm" };
    const scene = new Scene(new Engine(document.getElementById("canvas"), false));
    // The documented way to leave the axes as glTF has them.
    scene.useRightHandedSystem = true;
    new FreeCamera("camera", new Vector3(0, 0, 10), scene).mode = FreeCamera.ORTHOGRAPHIC_CAMERA;
    new HemisphericLight("light", new Vector3(0, 1, 0), scene);
    const loaded = await ImportMeshAsync(url, scene, { pluginOptions: { gltf: { animationStartMode: 0 } } });
    const group = clip === null ? null : loaded.animationGroups[clip];
    const meshes = loaded.meshes.filter((mesh) => mesh.getTotalVertices() > 0);
    for (const mesh of meshes) mesh.alwaysSelectAsActiveMesh = true;
    return {
        primitives: meshes.map((mesh) => ({
            name: mesh.name,
            only: () => meshes.forEach((other) => { other.isVisible = other === mesh; }),
        })),
        pose: (seconds) => {
            if (!group) return;
            group.start(false, 1, group.from, group.to);
            group.pause();
            group.goToFrame(seconds * 60);
        },
        render: async () => {
            await scene.whenReadyAsync();
            scene.render(false);
        },
        // The sum of the weights ends up in w, by which rasterisation divides.
        finish: ({ positions, normals, clip }) => ({ positions: positions.map((vertex, index) => vertex.map((value) => value / clip[index][3])), normals }),
    };
}

const imports = { "@babylonjs/core/": "/@babylonjs/core/", "@babylonjs/loaders/": "/@babylonjs/loaders/", "babylonjs-gltf2interface": "/babylonjs-gltf2interface/index.js" };
await run(await browser({ imports, wanted: { positions: ["vPositionW"], normals: ["vNormalW"], clip: ["gl_Position"] }, page }));
