// Rhodonite: its glTF importer, AnimationComponent, the shaders of its PBR material.
import { browser } from "./browser.mjs";
import { run } from "./runner.mjs";

async function page(url, clip) {
    const { default: Rn } = await import("rhodonite");
    await Rn.System.init({ approach: Rn.ProcessApproach.DataTexture, canvas: document.getElementById("canvas"), notToDisplayRnInfoAtInit: true });
    const imported = await Rn.GltfImporter.importFromUri(url);
    if (imported.isErr()) throw new Error(imported.getRnError().message);
    const expression = imported.get();
    Rn.MeshRendererComponent._isFrustumCullingEnabled = false;
    const animated = Rn.ComponentRepository.getComponentsWithType(Rn.AnimationComponent);
    const tracks = [...new Set(animated.flatMap((component) => component.getAnimationTrackNames()))];
    for (const component of animated) {
        if (clip === null) component.setIsAnimating(false);
        else component.setActiveAnimationTrack(tracks[clip]);
        for (const { animatedValue } of component.getAnimationChannelsOfTrack().values()) animatedValue.isLoop = false;
    }
    return {
        // Copies of a mesh are one draw, and an invisible entity is not posed, so all are drawn at once.
        primitives: [{ name: "primitive", several: true, only: () => {} }],
        pose: (seconds) => { Rn.AnimationComponent.globalTime = seconds; },
        render: () => Rn.System.process([expression]),
        // The sum of the weights ends up in w, by which rasterisation divides.
        finish: ({ positions, normals }) => ({ positions: positions.map(([x, y, z, w]) => [x / w, y / w, z / w]), normals }),
    };
}

const imports = { rhodonite: "/rhodonite/dist/esm/index.js" };
await run(await browser({ imports, wanted: { positions: ["v_position_inWorld"], normals: ["v_normal_inWorld"] }, page }), { lacks: { KHR_draco_mesh_compression: "no package has the decoder in the form that it expects" } });
