// CesiumJS: Model.fromGltfAsync, ModelAnimationCollection, the shaders of its Model.
import { browser } from "./browser.mjs";
import { run } from "./runner.mjs";

async function page(url, clip) {
    window.CESIUM_BASE_URL = "/cesium/Build/Cesium/";
    const Cesium = await import("cesium");
    const scene = new Cesium.Scene({ canvas: document.getElementById("canvas"), contextOptions: { webgl: { antialias: false } } });
    scene.rethrowRenderErrors = true;
    scene.globe = undefined;
    // Named axes turn nothing. The model stands at the centre of the earth, where single precision is finest.
    const model = scene.primitives.add(await Cesium.Model.fromGltfAsync({
        url, upAxis: Cesium.Axis.Z, forwardAxis: Cesium.Axis.X, cull: false, incrementallyLoadTextures: false,
        // Makes the shader pass the position in the world on.
        customShader: new Cesium.CustomShader({ fragmentShaderText: "void fragmentMain(FragmentInput fsInput, inout czm_modelMaterial material) { material.diffuse = fsInput.attributes.positionWC; }" }),
    }));
    const time = Cesium.JulianDate.fromIso8601("2000-01-01T00:00:00Z");
    scene.camera.lookAt(Cesium.Cartesian3.ZERO, new Cesium.Cartesian3(20, 0, 0));
    const render = () => { scene.initializeFrame(); scene.render(time); };
    for (let tries = 0; !model.ready; tries++) {
        if (tries > 200) throw new Error("not ready after 10 s");
        render();
        await new Promise((done) => setTimeout(done, 50));
    }
    let seconds = 0;
    if (clip !== null) model.activeAnimations.add({ index: clip, loop: Cesium.ModelAnimationLoop.NONE, animationTime: (duration) => duration && seconds / duration });
    model.activeAnimations.animateWhilePaused = true;
    return {
        // One draw a primitive, in the order of the scene.
        primitives: [{ name: "primitive", only: () => {}, several: true }],
        pose: (at) => { seconds = at; render(); },
        render,
        finish: ({ positions, normals }) => ({
            positions,
            normals: normals?.map((normal) => Cesium.Cartesian3.pack(Cesium.Matrix4.multiplyByPointAsVector(scene.camera.inverseViewMatrix, Cesium.Cartesian3.unpack(normal), new Cesium.Cartesian3()), [])),
        }),
    };
}

await run(await browser({ imports: { cesium: "/cesium/Build/Cesium/index.js" }, wanted: { positions: ["v_positionWC"], normals: ["v_normalEC"] }, page }));
