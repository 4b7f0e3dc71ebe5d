// Headless Chromium for runners of programs that skin in vertex shaders.
//
// The program's own shaders run, unchanged: each WebGL program is linked with transform feedback of the outputs that a runner
// names, and each draw runs once more as points, vertex by vertex, in the order of the vertex buffer, without rasterisation.
// The draw itself stays, as programs draw into textures that they read (PlayCanvas's morphs).
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { load, modules } from "./runner.mjs";

const FLAGS =
    "--no-sandbox --disable-gpu --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic " +
    "--no-first-run --disable-background-networking --disable-component-update --disable-sync";
const TYPES = { ".cjs": "text/javascript", ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

// Wraps WebGL2 so that draws between `recorder.start()` and `recorder.stop()` leave the outputs of their vertex shaders.
// `wanted` is { positions: [names], normals: […], texcoords: […] }; of each list the first output that the shader has counts.
function recorder(wanted) {
    const gl2 = WebGL2RenderingContext.prototype;
    const original = Object.fromEntries(["shaderSource", "attachShader", "linkProgram", "drawArrays", "drawElements", "drawArraysInstanced",
        "drawElementsInstanced", "drawRangeElements"].map((name) => [name, gl2[name]]));
    const texts = new WeakMap(), vertexShaders = new WeakMap(), layouts = new WeakMap();
    let draws = null;
    gl2.shaderSource = function (shader, text) {
        texts.set(shader, text);
        return original.shaderSource.call(this, shader, text);
    };
    gl2.attachShader = function (program, shader) {
        if (this.getShaderParameter(shader, this.SHADER_TYPE) === this.VERTEX_SHADER) vertexShaders.set(program, shader);
        return original.attachShader.call(this, program, shader);
    };
    // An output inside an inactive #ifdef fails to link, so fewer are asked for until it links.
    gl2.linkProgram = function (program) {
        const text = texts.get(vertexShaders.get(program)) ?? "";
        const has = (name) => name === "gl_Position" || new RegExp(`(out|varying|OUT)\\s+(\\w+\\s+)?vec\\d\\s+${name}\\b`).test(text);
        const lists = Object.entries(wanted).map(([kind, names]) => [...names.filter(has), null].map((name) => [kind, name]));
        const product = lists.reduce((sets, list) => sets.flatMap((set) => list.map((item) => [...set, item])), [[]]);
        for (const set of product) {
            const chosen = set.filter(([, name]) => name);
            this.transformFeedbackVaryings(program, chosen.map(([, name]) => name), this.INTERLEAVED_ATTRIBS);
            original.linkProgram.call(this, program);
            if (!this.getProgramParameter(program, this.LINK_STATUS)) continue;
            layouts.set(program, chosen.map(([kind, name], index) => {
                const size = { [this.FLOAT_VEC2]: 2, [this.FLOAT_VEC3]: 3 }[this.getTransformFeedbackVarying(program, index).type] ?? 4;
                return { kind, name, size };
            }));
            return;
        }
    };
    function record(gl, first, count, instances) {
        const layout = layouts.get(gl.getParameter(gl.CURRENT_PROGRAM));
        if (!layout?.length || count < 1) return;
        const width = layout.reduce((sum, { size }) => sum + size, 0);
        const buffer = gl.createBuffer(), feedback = gl.createTransformFeedback();
        const bound = gl.getParameter(gl.TRANSFORM_FEEDBACK_BUFFER_BINDING);
        gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
        gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
        gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, width * count * instances * 4, gl.STREAM_READ);
        gl.enable(gl.RASTERIZER_DISCARD);
        gl.beginTransformFeedback(gl.POINTS);
        if (instances > 1) original.drawArraysInstanced.call(gl, gl.POINTS, first, count, instances);
        else original.drawArrays.call(gl, gl.POINTS, first, count);
        gl.endTransformFeedback();
        gl.disable(gl.RASTERIZER_DISCARD);
        const rows = new Float32Array(width * count * instances);
        gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, rows);
        gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
        gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, bound);
        gl.deleteTransformFeedback(feedback);
        gl.deleteBuffer(buffer);
        const draw = { count, instances, names: {} };
        let at = 0;
        for (const { kind, name, size } of layout) {
            const start = at;
            draw[kind] = Array.from({ length: count * instances }, (_, row) => Array.from(rows.subarray(row * width + start, row * width + start + size)));
            draw.names[kind] = name;
            at += size;
        }
        draws.push(draw);
    }
    function indices(gl, count, type, offset) {
        const kind = { [gl.UNSIGNED_BYTE]: Uint8Array, [gl.UNSIGNED_SHORT]: Uint16Array }[type] ?? Uint32Array;
        const read = new kind(count);
        gl.getBufferSubData(gl.ELEMENT_ARRAY_BUFFER, offset, read);
        return read.reduce((most, index) => Math.max(most, index), 0) + 1;
    }
    gl2.drawArrays = function (mode, first, count) {
        if (draws) record(this, first, count, 1);
        original.drawArrays.call(this, mode, first, count);
    };
    gl2.drawArraysInstanced = function (mode, first, count, instances) {
        if (draws) record(this, first, count, instances);
        original.drawArraysInstanced.call(this, mode, first, count, instances);
    };
    gl2.drawElements = function (mode, count, type, offset) {
        if (draws) record(this, 0, indices(this, count, type, offset), 1);
        original.drawElements.call(this, mode, count, type, offset);
    };
    gl2.drawRangeElements = function (mode, start, end, count, type, offset) {
        this.drawElements(mode, count, type, offset);
    };
    gl2.drawElementsInstanced = function (mode, count, type, offset, instances) {
        if (draws) record(this, 0, indices(this, count, type, offset), instances);
        original.drawElementsInstanced.call(this, mode, count, type, offset, instances);
    };
    window.recorder = { start: () => { draws = []; }, stop: () => { const all = draws; draws = null; return all; } };
}

// Serves the packages, the page and the rig of the moment on localhost.
function serve(page, imports, state) {
    const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
        <canvas id="canvas" width="64" height="64"></canvas><script type="module" src="/page.mjs"></script>`;
    const server = http.createServer((request, response) => {
        const url = decodeURIComponent(request.url.split("?")[0]);
        const [type, body] = url === "/" ? [".html", html] : url === "/page.mjs" ? [".mjs", `window.open_ = ${page};`]
            : url.startsWith("/rig/") ? ["", path.join(path.dirname(state.rig), url.slice(5))] : [path.extname(url), path.join(modules, url)];
        response.setHeader("Content-Type", TYPES[type] ?? "application/octet-stream");
        response.setHeader("Cache-Control", url.startsWith("/rig/") ? "no-store" : "max-age=3600");
        if (url === "/" || url === "/page.mjs") response.end(body);
        else fs.readFile(body, (error, bytes) => (error ? response.writeHead(404).end() : response.end(bytes)));
    });
    return new Promise((done) => server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}/`)));
}

// Returns the function that `run` wants. `page(url, clip)` runs in the browser, with the imports of the map `imports`, and returns
// `{ primitives: [{ name, only() }], pose(seconds), render(), finish(draw) }`: `only` shows that primitive alone, `render` draws,
// and `finish(draw, primitive)` turns a draw's outputs into `{ positions, normals, texcoords }` (lists of vectors) of the world.
export async function browser({ imports = {}, wanted, page }) {
    const state = { rig: "" };
    const origin = await serve(page, imports, state);
    const { chromium } = (await load("playwright-core/index.js")).default;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "peer-"));
    const context = await chromium.launchPersistentContext(folder, {
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS.split(" "), chromiumSandbox: false,
    });
    process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
    return async (rig, clip, times) => {
        state.rig = rig;
        const tab = await context.newPage();
        if (process.env.PEERS_STACK) tab.on("console", (message) => console.error("page:", message.text()));
        await tab.addInitScript(recorder, wanted);
        await tab.goto(origin);
        await tab.waitForFunction(() => window.open_);
        // A shader may hang the browser. The process ends then, and the browser with it.
        const limit = new Promise((_, fail) => setTimeout(fail, 60e3, Object.assign(new Error("no answer in 60 s"), { crashed: true, isFatal: true })).unref());
        limit.catch(() => {});
        const answer = await Promise.race([limit, tab.evaluate(moments, { url: `/rig/${encodeURIComponent(path.basename(rig))}`, clip, times })]);
        await tab.close();
        if (answer.error) throw Object.assign(new Error(answer.error), { crashed: answer.crashed });
        return answer;
    };
}

// Runs in the page: opens, then poses and draws each primitive alone at each time.
async function moments({ url, clip, times }) {
    let opened = false;
    try {
        const model = await window.open_(url, clip);
        opened = true;
        const all = [];
        for (const seconds of times) {
            await model.pose(seconds);
            const primitives = [];
            for (const primitive of model.primitives) {
                primitive.only();
                // Some data reach the shader a frame late: PlayCanvas's morphs, Rhodonite's matrices of meshes that hang on joints.
                await model.render();
                window.recorder.start();
                await model.render();
                const draws = window.recorder.stop().filter((draw) => draw.positions);
                if (!draws.length) return { error: "draws nothing" };
                for (const draw of primitive.several ? draws : draws.slice(-1)) {
                    const finished = Object.entries(model.finish(draw, primitive)).filter(([, list]) => list);
                    primitives.push({ name: primitive.name, ...Object.fromEntries(finished.map(([kind, list]) => [kind, list.flat()])) });
                }
            }
            all.push({ primitives });
        }
        return all;
    } catch (error) {
        return { error: `${error?.name === "Error" ? "" : `${error?.name ?? ""}: `}${error?.message ?? error}`, crashed: opened, stack: error?.stack };
    }
}
