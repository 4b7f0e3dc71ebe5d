// Babylon.js on the CPU: its glTF loader, AnimationGroup, Mesh.getPositionData with applySkeleton (and applyMorph).
import fs from "node:fs";
import path from "node:path";
import { load, run } from "./runner.mjs";

globalThis.XMLHttpRequest ??= class {};
const core = (file) => load(`@babylonjs/core/${file}`);
const { NullEngine } = await core("Engines/nullEngine.js");
const { Scene } = await core("scene.js");
const { FreeCamera } = await core("Cameras/freeCamera.js");
const { Matrix, Vector3 } = await core("Maths/math.vector.js");
const { ImportMeshAsync } = await core("Loading/sceneLoader.js");
await core("Animations/animatable.js");
await load("@babylonjs/loaders/glTF/2.0/index.js");

const SCRIPT = "the decoder is a script for browsers";
await run(async (rig, clip, times) => {
    const scene = new Scene(new NullEngine());
    // The documented way to leave the axes as glTF has them.
    scene.useRightHandedSystem = true;
    new FreeCamera("camera", Vector3.Zero(), scene);
    const source = rig.endsWith(".gltf") ? `data:${fs.readFileSync(rig)}` : new Uint8Array(fs.readFileSync(rig));
    const loaded = await ImportMeshAsync(source, scene, {
        pluginExtension: path.extname(rig),
        pluginOptions: { gltf: { skipMaterials: true, animationStartMode: 0 } },
    });
    const group = clip === null ? null : loaded.animationGroups[clip];
    const meshes = loaded.meshes.filter((mesh) => mesh.getTotalVertices() > 0);
    const each = (data, transform) => {
        const vector = new Vector3();
        return Array.from({ length: data.length / 3 }, (_, index) => transform(...data.slice(3 * index, 3 * index + 3), vector)).flat();
    };
    return times.map((seconds) => {
        group?.start(false, 1, group.from, group.to);
        group?.pause();
        group?.goToFrame(seconds * 60);
        scene.render(false);
        const copies = meshes.flatMap((mesh) => (mesh.hasThinInstances ? mesh.thinInstanceGetWorldMatrices() : [Matrix.Identity()]).map((copy) => [mesh, copy]));
        const primitives = copies.map(([mesh, copy]) => {
            const world = copy.multiply(mesh.computeWorldMatrix(true));
            mesh.skeleton?.prepare(true);
            const positions = each(mesh.getPositionData(true, true), (x, y, z, to) => {
                Vector3.TransformCoordinatesFromFloatsToRef(x, y, z, world, to);
                return to.asArray();
            });
            const normals = each(mesh.getNormalsData(true, true) ?? [], (x, y, z, to) => {
                Vector3.TransformNormalFromFloatsToRef(x, y, z, world, to);
                return to.normalize().asArray();
            });
            return { name: mesh.name, positions, ...(normals.length && { normals }) };
        });
        return { primitives };
    });
}, { lacks: { KHR_draco_mesh_compression: SCRIPT, EXT_meshopt_compression: SCRIPT } });
