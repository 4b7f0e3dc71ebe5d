// Filament: gltfio and the ubershaders of its wasm package.
import { browser } from "./browser.mjs";
import { run } from "./runner.mjs";

async function page(url, clip) {
    await new Promise((done) => document.head.append(Object.assign(document.createElement("script"), { src: "/filament/filament.js", onload: done })));
    await new Promise((done) => window.Filament.init([url], done));
    const { Filament } = window;
    const engine = Filament.Engine.create(document.getElementById("canvas"), { preserveDrawingBuffer: true });
    const [scene, view, renderer, chain] = [engine.createScene(), engine.createView(), engine.createRenderer(), engine.createSwapChain()];
    const camera = engine.createCamera(Filament.EntityManager.get().create());
    camera.setProjection(Filament.Camera$Projection.ORTHO, -16, 16, -16, 16, -16, 16);
    view.setCamera(camera);
    view.setScene(scene);
    view.setViewport([0, 0, 64, 64]);
    view.setPostProcessingEnabled(false);
    const asset = engine.createAssetLoader().createAsset(url);
    await new Promise((done) => asset.loadResources(done, null, location.origin + url));
    const animator = asset.getInstance().getAnimator();
    // Entities come in no order of the file: the names of its nodes, depth first, give one.
    const bytes = await (await fetch(url)).arrayBuffer();
    const json = JSON.parse(new TextDecoder().decode(url.endsWith(".gltf") ? bytes : new Uint8Array(bytes, 20, new DataView(bytes).getUint32(12, true))));
    const names = (index) => [json.nodes[index].name, ...(json.nodes[index].children ?? []).flatMap(names)];
    const order = json.scenes[json.scene ?? 0].nodes.flatMap(names);
    const place = (entity) => order.indexOf(asset.getName(entity));
    const entities = asset.getRenderableEntities().sort((a, b) => place(a) - place(b));
    const renderables = engine.getRenderableManager();
    for (const entity of entities) renderables.setAxisAlignedBoundingBox(renderables.getInstance(entity), { center: [0, 0, 0], halfExtent: [8, 8, 8] });
    let shown = null;
    return {
        primitives: entities.map((entity) => ({
            name: asset.getName(entity),
            several: true,
            only: () => (shown && scene.remove(shown), scene.addEntity(shown = entity)),
        })),
        pose: (seconds) => {
            // Clips loop, so that their end is their begin: the float before the end is asked for instead.
            const end = clip !== null && seconds === animator.getAnimationDuration(clip);
            if (clip !== null) animator.applyAnimation(clip, end ? seconds * (1 - 2 ** -24) : seconds);
            animator.updateBoneMatrices();
        },
        // A frame may be skipped while the one before is not done.
        render: async () => {
            while (!renderer.beginFrame(chain)) {
                engine.execute();
                await new Promise((done) => setTimeout(done, 5));
            }
            renderer.renderView(view);
            renderer.endFrame();
            engine.execute();
        },
        // The fragment shader normalises.
        finish: ({ positions, normals }) => ({ positions: positions.map((vertex) => vertex.slice(0, 3)), normals: normals?.map((normal) => normal.map((value) => value / Math.hypot(...normal))) }),
    };
}

await run(await browser({ wanted: { positions: ["vertex_worldPosition"], normals: ["vertex_worldNormal"] }, page }));
