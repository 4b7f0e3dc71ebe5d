// three.js on the CPU: GLTFLoader, AnimationMixer, SkinnedMesh.getVertexPosition (which calls applyBoneTransform).
import fs from "node:fs";
import path from "node:path";
import { load, modules, run } from "./runner.mjs";

globalThis.self = globalThis;
// Textures need a browser; skinning does not. Files beside a .gltf are read from the disk.
globalThis.ProgressEvent ??= Event;
globalThis.createImageBitmap = async () => ({ width: 1, height: 1, close() {} });
const THREE = await load("three/build/three.module.js");
const { GLTFLoader } = await load("three/examples/jsm/loaders/GLTFLoader.js");
const { MeshoptDecoder } = await load("three/examples/jsm/libs/meshopt_decoder.module.js");
const { FBXLoader } = await load("three/examples/jsm/loaders/FBXLoader.js");

async function open(rig) {
    const bytes = fs.readFileSync(rig);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    if (rig.endsWith(".fbx")) {
        const scene = new FBXLoader().parse(buffer, "");
        return { scene, animations: scene.animations };
    }
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    return new Promise((done, fail) => loader.parse(buffer, "", done, fail));
}

await run(async (rig, clip, times) => {
    const { scene, animations } = await open(rig);
    const mixer = new THREE.AnimationMixer(scene);
    const action = clip === null ? null : mixer.clipAction(animations[clip]).setLoop(THREE.LoopOnce);
    if (action) action.clampWhenFinished = true;
    return times.map((seconds) => {
        action?.reset().play();
        mixer.setTime(seconds);
        scene.updateMatrixWorld(true);
        // The importer of FBX leaves the unit of the file, and tells it in centimetres.
        const metres = (scene.userData.unitScaleFactor ?? 100) / 100;
        const primitives = [];
        scene.traverse((mesh) => {
            if (!mesh.isMesh) return;
            const positions = [];
            const vertex = new THREE.Vector3();
            for (let instance = 0; instance < (mesh.isInstancedMesh ? mesh.count : 1); instance++) {
                const world = new THREE.Matrix4();
                if (mesh.isInstancedMesh) mesh.getMatrixAt(instance, world);
                world.premultiply(mesh.matrixWorld);
                for (let index = 0; index < mesh.geometry.attributes.position.count; index++) {
                    // What getVertexPosition returns is in the space of the mesh.
                    positions.push(...mesh.getVertexPosition(index, vertex).applyMatrix4(world).multiplyScalar(metres));
                }
            }
            // The importer of FBX gives each corner a vertex.
            primitives.push({ name: mesh.name, positions, ...(rig.endsWith(".fbx") && { texcoords: [...mesh.geometry.attributes.uv.array] }) });
        });
        return { primitives };
    });
}, { formats: [".glb", ".gltf", ".fbx"], lacks: { KHR_draco_mesh_compression: "DRACOLoader needs a Web Worker" } });
