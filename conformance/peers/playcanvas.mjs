// PlayCanvas: its GLB container, the anim component, the shaders of its StandardMaterial.
import { browser } from "./browser.mjs";
import { run } from "./runner.mjs";

async function page(url, clip) {
    const pc = await import("playcanvas");
    const draco = "/three/examples/jsm/libs/draco/gltf/";
    pc.WasmModule.setConfig("DracoDecoderModule", { glueUrl: draco + "draco_wasm_wrapper.js", wasmUrl: draco + "draco_decoder.wasm", fallbackUrl: draco + "draco_decoder.js" });
    const app = new pc.Application(document.getElementById("canvas"), {});
    app.autoRender = false;
    const camera = new pc.Entity("camera");
    camera.addComponent("camera", { projection: pc.PROJECTION_ORTHOGRAPHIC, orthoHeight: 100, nearClip: -100, farClip: 100, frustumCulling: false });
    const light = new pc.Entity("light");
    light.addComponent("light", { type: "directional" });
    app.root.addChild(camera);
    app.root.addChild(light);
    const container = await new Promise((done, fail) => app.assets.loadFromUrl(url, "container", (error, asset) => (error ? fail(new Error(error)) : done(asset.resource))));
    const model = container.instantiateRenderEntity();
    app.root.addChild(model);
    if (clip !== null) {
        model.addComponent("anim", { activate: true });
        model.anim.assignAnimation("clip", container.animations[clip].resource, undefined, 1, false);
    }
    const meshes = model.findComponents("render").flatMap((render) => render.meshInstances);
    for (const mesh of meshes) mesh.cull = false;
    app.start();
    cancelAnimationFrame(app.frameRequestId);
    return {
        primitives: meshes.map((mesh) => ({
            name: mesh.node.name,
            only: () => meshes.forEach((other) => { other.visible = other === mesh; }),
        })),
        pose: (seconds) => {
            if (clip === null) return;
            model.anim.baseLayer.play("clip");
            model.anim.baseLayer.activeStateCurrentTime = seconds;
            app.systems.fire("animationUpdate", 0);
        },
        render: () => app.render(),
        // The sum of the weights ends up in w, by which rasterisation divides.
        finish: ({ positions, normals, clip }) => ({ positions: positions.map((vertex, index) => vertex.map((value) => value / clip[index][3])), normals }),
    };
}

await run(await browser({ imports: { playcanvas: "/playcanvas/build/playcanvas.mjs" }, wanted: { positions: ["vPositionW"], normals: ["vNormalW"], clip: ["gl_Position"] }, page }));
