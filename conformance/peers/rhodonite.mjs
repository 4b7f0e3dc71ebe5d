// Rhodonite: its glTF importer, AnimationComponent, the shaders of its PBR material.
import { browser } from "./browser.mjs";
import { run } from "./runner.mjs";

async function page(url, clip) {
    const { default: Rn } = await import("rhodonite");
    await Rn.System.init({ approach: Rn.ProcessApproach.DataTexture, canvas: document.getElementById("canvas"), notToDisplayRnInfoAtInit: true });
    const imported = await Rn.GltfImporter.importFromUri(url);
    if (imported.isErr()) throw new Error(imported.getRnError().message);
    const expression = imported.get();
    const entities = expression.renderPasses[0].entities;
    const meshes = entities.filter((entity) => entity.tryToGetMesh()?.mesh);
    for (const entity of meshes) entity.getMeshRenderer().isFrustumCullingEnabled = false;
    const animated = entities.map((entity) => entity.tryToGetAnimation()).filter((component) => component);
    const tracks = [...new Set(animated.flatMap((component) => component.getAnimationTrackNames()))];
    for (const component of animated) {
        if (clip === null) component.setIsAnimating(false);
        else component.setActiveAnimationTrack(tracks[clip]);
        for (const { animatedValue } of component.getAnimationChannelsOfTrack().values()) animatedValue.isLoop = false;
    }
    return {
        primitives: meshes.map((entity) => ({
            name: entity.uniqueName,
            several: true,
            only: () => meshes.forEach((other) => { other.getSceneGraph().isVisible = other === entity; }),
        })),
        pose: (seconds) => { Rn.AnimationComponent.globalTime = seconds; },
        render: () => Rn.System.process([expression]),
        finish: ({ positions, normals }) => ({ positions: positions.map((vertex) => vertex.slice(0, 3)), normals }),
    };
}

const imports = { rhodonite: "/rhodonite/dist/esm/index.js" };
await run(await browser({ imports, wanted: { positions: ["v_position_inWorld"], normals: ["v_normal_inWorld"] }, page }));
