// Skins glTF files by Babylon.js on the CPU and writes raw positions: babylon.mjs PEERS OUT (FILE CLIP SECONDS)…
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [peers, out, ...moments] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(path.join(peers, "node_modules/@babylonjs", file)));
globalThis.XMLHttpRequest ??= class {};
const { NullEngine } = await load("core/Engines/nullEngine.js");
const { Scene } = await load("core/scene.js");
const { FreeCamera } = await load("core/Cameras/freeCamera.js");
const { Vector3 } = await load("core/Maths/math.vector.js");
const { ImportMeshAsync } = await load("core/Loading/sceneLoader.js");
await load("core/Animations/animatable.js");
await load("loaders/glTF/2.0/index.js");
const { GLTFFileLoader } = await load("loaders/glTF/glTFFileLoader.js");

for (let at = 0; at < moments.length; at += 3) {
    const [file, clip, seconds] = moments.slice(at, at + 3);
    const scene = new Scene(new NullEngine());
    scene.useRightHandedSystem = true;
    new FreeCamera("camera", Vector3.Zero(), scene);
    const bytes = new Uint8Array(fs.readFileSync(file));
    const loaded = await ImportMeshAsync(bytes, scene, {
        pluginExtension: ".glb",
        pluginOptions: { gltf: { skipMaterials: true, animationStartMode: 0 } },
    });
    const group = loaded.animationGroups[Number(clip)];
    group.start(false, 1, group.from, group.to);
    group.goToFrame(Number(seconds) * 60);
    scene.render(false);
    const positions = [];
    for (const mesh of loaded.meshes.filter((mesh) => mesh.getTotalVertices() > 0)) {
        mesh.computeWorldMatrix(true);
        mesh.skeleton?.prepare(true);
        const data = mesh.getPositionData(true, true);
        const vertex = new Vector3();
        for (let index = 0; index < data.length; index += 3) {
            Vector3.TransformCoordinatesFromFloatsToRef(data[index], data[index + 1], data[index + 2], mesh.getWorldMatrix(), vertex);
            positions.push(vertex.x, vertex.y, vertex.z);
        }
    }
    const name = path.basename(file).replace(/\.glb$/, `.${clip}.${seconds}.babylon.f32`);
    fs.writeFileSync(path.join(out, name), Buffer.from(new Float32Array(positions).buffer));
    scene.dispose();
}
