// three.js on the GPU: GLTFLoader, AnimationMixer, WebGLRenderer's own shaders.
import { browser } from "./browser.mjs";
import { run } from "./runner.mjs";

async function page(url, clip) {
    const THREE = await import("three");
    const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
    const { FBXLoader } = await import("three/addons/loaders/FBXLoader.js");
    const { DRACOLoader } = await import("three/addons/loaders/DRACOLoader.js");
    const { MeshoptDecoder } = await import("three/addons/libs/meshopt_decoder.module.js");
    const draco = new DRACOLoader().setDecoderPath("/three/examples/jsm/libs/draco/gltf/");
    const fbx = url.endsWith(".fbx");
    const loaded = await (fbx ? new FBXLoader() : new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).setDRACOLoader(draco)).loadAsync(url);
    const model = fbx ? loaded : loaded.scene;
    const mixer = new THREE.AnimationMixer(model);
    const action = clip === null ? null : mixer.clipAction(loaded.animations[clip]).setLoop(THREE.LoopOnce);
    if (action) action.clampWhenFinished = true;
    // The importer of FBX leaves the unit of the file, and tells it in centimetres.
    const metres = fbx ? model.userData.unitScaleFactor / 100 : 1;
    const scene = new THREE.Scene().add(model);
    const renderer = new THREE.WebGLRenderer({ canvas: document.getElementById("canvas") });
    // The view is the identity, so that "view space" is the world.
    const camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -1, 1);
    const meshes = [];
    model.traverse((node) => node.isMesh && meshes.push(node));
    for (const mesh of meshes) mesh.frustumCulled = false;
    return {
        primitives: meshes.map((mesh) => ({
            name: mesh.name,
            // The importer of FBX gives each corner a vertex.
            texcoords: fbx && [...mesh.geometry.attributes.uv.array],
            only: () => meshes.forEach((other) => other.layers.set(other === mesh ? 0 : 1)),
        })),
        pose: (seconds) => {
            action?.reset().play();
            mixer.setTime(seconds);
        },
        render: () => renderer.render(scene, camera),
        finish: ({ positions, normals }, { texcoords }) => ({ positions: positions.map((vertex) => vertex.map((value) => -value * metres)), normals, texcoords }),
    };
}

const imports = { three: "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" };
await run(await browser({ imports, wanted: { positions: ["vViewPosition"], normals: ["vNormal"] }, page }), { formats: [".glb", ".gltf", ".fbx"] });
