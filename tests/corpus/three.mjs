// Skins glTF files by three.js on the CPU and writes raw positions: three.mjs PEERS OUT (FILE CLIP SECONDS)…
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [peers, out, ...moments] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(path.join(peers, "node_modules", file)));
globalThis.self = globalThis;
const THREE = await load("three/build/three.module.js");
// The loader finds "three" beside itself.
const { GLTFLoader } = await load("three/examples/jsm/loaders/GLTFLoader.js");

// Textures need a browser; skinning does not.
function withoutMaterials(bytes) {
    const length = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.subarray(20, 20 + length).toString());
    for (const key of ["materials", "textures", "images", "samplers"]) delete json[key];
    for (const mesh of json.meshes) for (const primitive of mesh.primitives) delete primitive.material;
    const text = Buffer.from(JSON.stringify(json));
    const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
    const head = Buffer.from(bytes.subarray(0, 20));
    head.writeUInt32LE(padded.length, 12);
    const all = Buffer.concat([head, padded, bytes.subarray(20 + length)]);
    all.writeUInt32LE(all.length, 8);
    return all;
}

for (let at = 0; at < moments.length; at += 3) {
    const [file, clip, seconds] = moments.slice(at, at + 3);
    const bytes = withoutMaterials(fs.readFileSync(file));
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const gltf = await new Promise((done, fail) => new GLTFLoader().parse(buffer, "", done, fail));
    const mixer = new THREE.AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[Number(clip)]).play();
    mixer.setTime(Number(seconds));
    gltf.scene.updateMatrixWorld(true);
    const positions = [];
    const vertex = new THREE.Vector3();
    gltf.scene.traverse((node) => {
        if (!node.isMesh) return;
        const count = node.geometry.attributes.position.count;
        for (let index = 0; index < count; index++) {
            node.getVertexPosition(index, vertex);
            // What getVertexPosition returns is in the space of the mesh.
            vertex.applyMatrix4(node.matrixWorld);
            positions.push(vertex.x, vertex.y, vertex.z);
        }
    });
    const name = path.basename(file).replace(/\.glb$/, `.${clip}.${seconds}.three.f32`);
    fs.writeFileSync(path.join(out, name), Buffer.from(new Float32Array(positions).buffer));
}
