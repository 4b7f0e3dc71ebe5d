"use strict";
(async () => {
  const part = document.getElementById("view");
  const status = part.querySelector(".status");
  const stage = part.querySelector(".stage");
  const canvas = part.querySelector(".drawn");
  const over = part.querySelector(".over");
  const tip = part.querySelector(".tip");
  const control = (name) => part.querySelector(`[name="${name}"]`);
  const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  if (!gl || typeof DecompressionStream !== "function" || typeof sinewView === "undefined") {
    status.textContent = "This page cannot draw the model: the browser lacks WebGL 2 or decompression, or the model's file is missing. "
      + "The text on this page names the same places.";
    return;
  }
  status.textContent = "Unpacking …";

  // Numbers lie in planes: all low bytes, then the higher ones.
  const { head } = sinewView;
  const letters = atob(sinewView.packed);
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
  const halves = (at, count) => {
    const out = new Uint16Array(count);
    for (let i = 0; i < count; i += 1) out[i] = bytes[at + i] | (bytes[at + count + i] << 8);
    return out;
  };
  const words = (at, count) => {
    const out = new Uint32Array(count);
    for (let plane = 0; plane < 4; plane += 1) {
      for (let i = 0; i < count; i += 1) out[i] |= bytes[at + plane * count + i] << (8 * plane);
    }
    return out;
  };
  const frames = (at, count, size) => {
    const all = [];
    for (let frame = 0; frame < count; frame += 1) {
      const own = halves(at + 2 * size * frame, size);
      if (frame > 0) for (let i = 0; i < size; i += 1) own[i] += all[frame - 1][i];
      all.push(own);
    }
    return all;
  };
  const meshes = head.meshes.map((mesh) => ({
    ...mesh,
    triangles: words(mesh.triangles[1], 3 * mesh.triangles[0]),
    twins: words(mesh.twins, mesh.vertices),
    slots: halves(mesh.influences[0], 4 * mesh.vertices),
    weights: halves(mesh.influences[1], 4 * mesh.vertices),
    numbers: mesh.primitives.map(({ first, numbers }, number) => {
      const next = mesh.primitives[number + 1];
      return numbers === undefined ? undefined : words(numbers, (next ? next.first : mesh.vertices) - first);
    }),
  }));
  const meshOf = (side) => meshes[head.sides[side].mesh];
  const motions = head.motions.map((motion) => ({
    ...motion,
    sides: motion.places.map((at, side) => {
      const mesh = meshOf(side);
      return frames(at, motion.times.length, 3 * (mesh.vertices + mesh.joints.length));
    }),
    apart: motion.apart === undefined ? undefined : frames(motion.apart, motion.times.length, meshOf(0).vertices),
  }));
  const sameMesh = (a, b) => head.sides[a].mesh === head.sides[b].mesh;

  const state = {
    first: head.start, second: head.start + 1 < head.sides.length ? head.start + 1 : head.start - 1, motion: Math.min(1, motions.length - 1), frame: 0, wipe: 0.5,
    colour: "", joint: "", joints: false, spot: -1, yaw: 0.6, pitch: 0.2, far: 1, target: [0, 0, 0], playing: false,
  };
  const fov = 0.6;
  const { low, step } = head.grid;

  // A side's surface at a frame: places in metres, and normals over all vertices of one corner.
  const surfaces = new Map();
  const surface = (side) => {
    const key = `${side} ${state.motion} ${state.frame}`;
    const known = surfaces.get(key);
    if (known) return known;
    const mesh = meshOf(side);
    const steps = motions[state.motion].sides[side][state.frame];
    const places = new Float32Array(steps.length);
    for (let i = 0; i < steps.length; i += 1) places[i] = low[i % 3] + step * steps[i];
    const normals = new Float32Array(3 * mesh.vertices);
    const { triangles, twins } = mesh;
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
      const [ux, uy, uz] = [places[b] - places[a], places[b + 1] - places[a + 1], places[b + 2] - places[a + 2]];
      const [vx, vy, vz] = [places[c] - places[a], places[c + 1] - places[a + 1], places[c + 2] - places[a + 2]];
      const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      for (let corner = 0; corner < 3; corner += 1) {
        const at = 3 * twins[triangles[i + corner]];
        normals[at] += x; normals[at + 1] += y; normals[at + 2] += z;
      }
    }
    for (let vertex = 0; vertex < mesh.vertices; vertex += 1) {
      const [at, twin] = [3 * vertex, 3 * twins[vertex]];
      const length = twin === at ? Math.hypot(normals[at], normals[at + 1], normals[at + 2]) || 1 : 1;
      for (let axis = 0; axis < 3; axis += 1) normals[at + axis] = normals[twin + axis] / length;
    }
    if (surfaces.size > 7) surfaces.delete(surfaces.keys().next().value);
    const made = { places, normals };
    surfaces.set(key, made);
    return made;
  };

  // The distances of a side's vertices from the other side, in metres; nothing between meshes that have no measured ones.
  const distances = (side, other, motion, frame) => {
    if (side < 0 || other < 0 || side === other) return undefined;
    const mesh = meshOf(side);
    if (sameMesh(side, other)) {
      const [a, b] = [motions[motion].sides[side][frame], motions[motion].sides[other][frame]];
      const out = new Float32Array(mesh.vertices);
      for (let i = 0; i < out.length; i += 1) {
        out[i] = step * Math.hypot(a[3 * i] - b[3 * i], a[3 * i + 1] - b[3 * i + 1], a[3 * i + 2] - b[3 * i + 2]);
      }
      return out;
    }
    const { apart } = motions[motion];
    if (side !== 0 || other !== 1 || !apart) return undefined;
    return Float32Array.from(apart[frame], (steps) => (steps === 65535 ? NaN : steps * head.apart_step));
  };
  const largest = new Map();
  const most = (side, other) => {
    const [a, b] = [Math.min(side, other), Math.max(side, other)];
    const key = `${a} ${b}`;
    if (!largest.has(key)) {
      let far = 0;
      motions.forEach((motion, number) => motion.times.forEach((_, frame) => {
        for (const metres of distances(a, b, number, frame) ?? []) if (metres > far) far = metres;
      }));
      largest.set(key, far);
    }
    return largest.get(key);
  };
  const digits = (value) => Number(value.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });
  const metres = (value) => (value < 0.99e-3 ? `${digits(1e6 * value)} µm` : value < 0.99 ? `${digits(1e3 * value)} mm` : `${digits(value)} m`);

  // Drawing.
  const compile = (kind, text) => {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  };
  const program = gl.createProgram();
  compile(gl.VERTEX_SHADER, `#version 300 es
    layout(location = 0) in vec3 place;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in float value;
    uniform mat4 clipFromWorld;
    out vec3 facing;
    out float share;
    void main() {
      facing = normal;
      share = value;
      gl_Position = clipFromWorld * vec4(place, 1.0);
    }`);
  compile(gl.FRAGMENT_SHADER, `#version 300 es
    precision highp float;
    in vec3 facing;
    in float share;
    uniform vec3 toEye;
    uniform vec3 tint;
    uniform bool isRamp;
    out vec4 color;
    void main() {
      vec3 ramp = share < 0.0 ? vec3(0.12, 0.13, 0.16) : share < 0.5 ? mix(vec3(0.62, 0.67, 0.73), vec3(0.98, 0.78, 0.20), 2.0 * share)
        : mix(vec3(0.98, 0.78, 0.20), vec3(0.78, 0.06, 0.12), 2.0 * share - 1.0);
      vec3 n = normalize(facing + vec3(1e-12));
      float light = 0.28 + 0.72 * abs(dot(n, normalize(toEye + vec3(0.25, 0.45, 0.1))));
      color = vec4(light * (isRamp ? ramp : tint), 1.0);
    }`);
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.enable(gl.DEPTH_TEST);
  const uniform = (name) => gl.getUniformLocation(program, name);
  const places = { matrix: uniform("clipFromWorld"), toEye: uniform("toEye"), tint: uniform("tint"), isRamp: uniform("isRamp") };
  const buffers = [0, 1, 2].map(() => gl.createBuffer());
  const indices = meshes.map((mesh) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles, gl.STATIC_DRAW);
    return buffer;
  });
  const stream = (location, size, data) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[location]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
  };

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const axes = () => {
    const [sy, cy, sp, cp] = [Math.sin(state.yaw), Math.cos(state.yaw), Math.sin(state.pitch), Math.cos(state.pitch)];
    return { right: [cy, 0, -sy], up: [-sy * sp, cp, -cy * sp], back: [sy * cp, sp, cy * cp] };
  };
  const eye = () => {
    const { back } = axes();
    return state.target.map((value, axis) => value + state.far * back[axis]);
  };
  const aspect = () => canvas.width / Math.max(1, canvas.height);
  const matrix = () => {
    const { right, up, back } = axes();
    const at = eye();
    const [near, end] = [state.far / 100, state.far + 20 * head.diagonal];
    const [height, width] = [1 / Math.tan(fov / 2), 1 / Math.tan(fov / 2) / aspect()];
    const rows = [
      [...right.map((value) => width * value), -width * dot(right, at)],
      [...up.map((value) => height * value), -height * dot(up, at)],
    ];
    const depth = [...back, -dot(back, at)];
    const scale = -(end + near) / (end - near);
    rows.push(depth.map((value, column) => scale * value + (column === 3 ? (-2 * end * near) / (end - near) : 0)));
    rows.push(depth.map((value) => -value));
    return new Float32Array([0, 1, 2, 3].flatMap((column) => rows.map((row) => row[column])));
  };
  const project = (m, [x, y, z]) => {
    const row = (r) => m[r] * x + m[r + 4] * y + m[r + 8] * z + m[r + 12];
    const w = row(3);
    return w > 0 ? [(0.5 + 0.5 * (row(0) / w)) * over.width, (0.5 - 0.5 * (row(1) / w)) * over.height] : undefined;
  };
  const values = (side, other) => {
    const mesh = meshOf(side);
    if (state.colour === "apart") {
      const [far, all] = [distances(side, other, state.motion, state.frame), most(side, other) || 1];
      // Without a match, a vertex is darker than any other.
      return far?.map((value) => (Number.isNaN(value) ? -1 : value / all));
    }
    const joint = mesh.joints.indexOf(state.joint);
    if (state.colour === "weight" && joint >= 0) {
      const out = new Float32Array(mesh.vertices);
      mesh.slots.forEach((own, slot) => { if (own === joint) out[slot >> 2] += mesh.weights[slot] / 65535; });
      return out;
    }
    return undefined;
  };
  const drawSide = (side, other, m) => {
    const mesh = meshOf(side);
    const { places: at, normals } = surface(side);
    const own = values(side, other);
    stream(0, 3, at);
    stream(1, 3, normals);
    stream(2, 1, own ?? new Float32Array(mesh.vertices));
    gl.uniformMatrix4fv(places.matrix, false, m);
    gl.uniform3fv(places.toEye, axes().back);
    gl.uniform3fv(places.tint, side === state.first ? [0.66, 0.73, 0.82] : [0.84, 0.74, 0.62]);
    gl.uniform1i(places.isRamp, own ? 1 : 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices[head.sides[side].mesh]);
    gl.drawElements(gl.TRIANGLES, mesh.triangles.length, gl.UNSIGNED_INT, 0);
  };
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const placeOf = (side, number) => surface(side).places.subarray(3 * number, 3 * number + 3);

  const drawOver = (m, split, ratio) => {
    const context = over.getContext("2d");
    context.clearRect(0, 0, over.width, over.height);
    context.lineWidth = ratio;
    context.font = `${13 * ratio}px system-ui, sans-serif`;
    context.fillStyle = css("--ink");
    context.strokeStyle = css("--ink");
    context.fillText(head.sides[state.first].name, 8 * ratio, 18 * ratio);
    if (state.second >= 0 && split < over.width) {
      const name = head.sides[state.second].name;
      context.fillText(name, over.width - context.measureText(name).width - 8 * ratio, 18 * ratio);
      context.beginPath();
      context.moveTo(split, 0);
      context.lineTo(split, over.height);
      context.stroke();
    }
    if (state.colour === "apart") {
      const far = state.second >= 0 ? most(state.first, state.second) : 0;
      const alone = motions[0].apart ? "; black without a match" : "";
      context.fillText(`grey 0, red ${metres(far)}${alone}`, 8 * ratio, 36 * ratio);
    } else if (state.colour === "weight") {
      const words = state.joint === "" ? "point at a joint's vertices" : `weights of ${state.joint}: grey 0, red 1`;
      context.fillText(words, 8 * ratio, 36 * ratio);
    }
    if (state.joints) {
      const mesh = meshOf(state.first);
      const at = mesh.joints.map((_, joint) => project(m, placeOf(state.first, mesh.vertices + joint)));
      context.strokeStyle = css("--mode-2");
      context.fillStyle = css("--mode-2");
      at.forEach((own, joint) => {
        if (!own) return;
        context.fillRect(own[0] - 2 * ratio, own[1] - 2 * ratio, 4 * ratio, 4 * ratio);
        const parent = mesh.parents[joint];
        if (parent === null || !at[parent]) return;
        context.beginPath();
        context.moveTo(...at[parent]);
        context.lineTo(...own);
        context.stroke();
      });
    }
    const spot = head.spots[state.spot];
    if (spot && spot.vertex !== null && spot.motion === state.motion && spot.frame === state.frame) {
      const at = project(m, placeOf(spot.side, spot.vertex));
      if (at) {
        context.strokeStyle = css("--bad");
        context.lineWidth = 2 * ratio;
        context.beginPath();
        context.arc(...at, 26 * ratio, 0, 2 * Math.PI);
        context.stroke();
      }
    }
  };
  let isAsked = false;
  const draw = () => {
    isAsked = false;
    const ratio = window.devicePixelRatio || 1;
    for (const each of [canvas, over]) {
      const [width, height] = [Math.round(stage.clientWidth * ratio), Math.round(stage.clientHeight * ratio)];
      if (each.width !== width || each.height !== height) [each.width, each.height] = [width, height];
    }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const m = matrix();
    const split = state.second < 0 ? canvas.width : Math.round(state.wipe * canvas.width);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, split, canvas.height);
    drawSide(state.first, state.second, m);
    if (state.second >= 0) {
      gl.scissor(split, 0, canvas.width - split, canvas.height);
      drawSide(state.second, state.first, m);
    }
    drawOver(m, split, ratio);
  };
  const ask = () => {
    if (!isAsked) requestAnimationFrame(draw);
    isAsked = true;
  };

  // Controls show the state, and change it.
  const option = (text, value) => Object.assign(document.createElement("option"), { textContent: text, value });
  head.sides.forEach(({ name }, side) => {
    control("first").append(option(name, side));
    control("second").append(option(name, side));
  });
  control("second").prepend(option("nothing", -1));
  motions.forEach(({ name }, motion) => control("motion").append(option(name, motion)));
  const total = motions.reduce((sum, { times }) => sum + times.length, 0);
  part.querySelector(".kept").textContent = `This page has ${total} frames${head.left_out > 0 ? `, and ${head.left_out} of the motions have none` : ""}. `
    + `Positions are rounded to ${metres(step)}. The surface is lit by normals of its triangles.`;
  const show = () => {
    const motion = motions[state.motion];
    state.frame = Math.max(0, Math.min(state.frame, motion.times.length - 1));
    for (const name of ["first", "second", "motion", "colour"]) control(name).value = state[name];
    control("joints").checked = state.joints;
    control("wipe").value = 100 * state.wipe;
    control("wipe").disabled = state.second < 0;
    control("frame").max = motion.times.length - 1;
    control("frame").value = state.frame;
    control("play").textContent = state.playing ? "Stop" : "Play";
    control("play").disabled = motion.times.length < 2;
    part.querySelector("output").textContent = `${motion.times[state.frame].toFixed(3)} s`;
    ask();
  };
  const set = (changes) => { Object.assign(state, changes); show(); };
  for (const name of ["first", "second"]) control(name).addEventListener("change", (event) => set({ [name]: Number(event.target.value) }));
  control("motion").addEventListener("change", (event) => set({ motion: Number(event.target.value), frame: 0, spot: -1, playing: false }));
  control("colour").addEventListener("change", (event) => set({ colour: event.target.value }));
  control("joints").addEventListener("change", (event) => set({ joints: event.target.checked }));
  control("wipe").addEventListener("input", (event) => set({ wipe: event.target.value / 100 }));
  control("frame").addEventListener("input", (event) => set({ frame: Number(event.target.value), playing: false }));

  const fit = () => {
    const { places: all } = surface(state.first);
    const [from, to] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (let i = 0; i < 3 * meshOf(state.first).vertices; i += 1) {
      from[i % 3] = Math.min(from[i % 3], all[i]);
      to[i % 3] = Math.max(to[i % 3], all[i]);
    }
    const size = Math.hypot(...to.map((value, axis) => value - from[axis])) || 1;
    const narrow = Math.min(1, aspect());
    set({ target: to.map((value, axis) => (value + from[axis]) / 2), far: (0.55 * size) / Math.tan(fov / 2) / narrow });
  };
  control("fit").addEventListener("click", fit);

  let [started, asked] = [0, 0];
  const play = (now) => {
    if (!state.playing) return;
    const { times } = motions[state.motion];
    const length = times.at(-1) - times[0] || 1;
    const time = times[0] + (((now - started) / 1000) % length);
    const next = times.findIndex((own) => own > time);
    set({ frame: next < 0 ? times.length - 1 : Math.max(0, next - 1) });
    asked = requestAnimationFrame(play);
  };
  const toggle = () => {
    const { times } = motions[state.motion];
    started = performance.now() - 1000 * (times[state.frame] - times[0]);
    set({ playing: !state.playing && times.length > 1, spot: -1 });
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(play);
  };
  control("play").addEventListener("click", toggle);

  const go = (number) => {
    const spot = head.spots[number];
    if (!spot) return;
    const changes = { motion: spot.motion, frame: spot.frame, spot: number, playing: false, first: spot.side };
    if (changes.first === state.second) changes.second = state.first === state.second ? -1 : state.first;
    set(changes);
    if (spot.vertex !== null) {
      const { normals } = surface(spot.side);
      const normal = normals.subarray(3 * spot.vertex, 3 * spot.vertex + 3);
      const pitch = Math.max(-1, Math.min(1, Math.asin(Math.max(-1, Math.min(1, normal[1])))));
      set({
        target: [...placeOf(spot.side, spot.vertex)], far: (0.22 * head.diagonal) / Math.tan(fov / 2),
        yaw: Math.atan2(normal[0], normal[2]), pitch, wipe: 1,
      });
    } else {
      fit();
    }
    tip.textContent = spot.words;
    part.scrollIntoView({ block: "start" });
    stage.focus({ preventScroll: true });
  };
  for (const button of document.querySelectorAll("button[data-spot]")) {
    button.hidden = !head.spots[Number(button.dataset.spot)];
    button.addEventListener("click", () => go(Number(button.dataset.spot)));
  }

  // The triangle under a pixel, and its nearest corner.
  const pick = (x, y) => {
    const ratio = over.width / Math.max(1, stage.clientWidth);
    const [px, py] = [x * ratio, y * ratio];
    const side = state.second >= 0 && px > state.wipe * over.width ? state.second : state.first;
    const mesh = meshOf(side);
    const { places: at } = surface(side);
    const { right, up, back } = axes();
    const tangent = Math.tan(fov / 2);
    const [dx, dy] = [(2 * px / over.width - 1) * tangent * aspect(), (1 - 2 * py / over.height) * tangent];
    const ray = back.map((value, axis) => dx * right[axis] + dy * up[axis] - value);
    const from = eye();
    let [best, vertex] = [Infinity, -1];
    for (let i = 0; i < mesh.triangles.length; i += 3) {
      const [a, b, c] = [3 * mesh.triangles[i], 3 * mesh.triangles[i + 1], 3 * mesh.triangles[i + 2]];
      const [ux, uy, uz] = [at[b] - at[a], at[b + 1] - at[a + 1], at[b + 2] - at[a + 2]];
      const [vx, vy, vz] = [at[c] - at[a], at[c + 1] - at[a + 1], at[c + 2] - at[a + 2]];
      const [hx, hy, hz] = [ray[1] * vz - ray[2] * vy, ray[2] * vx - ray[0] * vz, ray[0] * vy - ray[1] * vx];
      const area = ux * hx + uy * hy + uz * hz;
      if (area === 0) continue;
      const [sx, sy, sz] = [from[0] - at[a], from[1] - at[a + 1], from[2] - at[a + 2]];
      const u = (sx * hx + sy * hy + sz * hz) / area;
      if (u < 0 || u > 1) continue;
      const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
      const v = (ray[0] * qx + ray[1] * qy + ray[2] * qz) / area;
      if (v < 0 || u + v > 1) continue;
      const far = (vx * qx + vy * qy + vz * qz) / area;
      if (far > 0 && far < best) {
        const shares = [1 - u - v, u, v];
        [best, vertex] = [far, mesh.triangles[i + shares.indexOf(Math.max(...shares))]];
      }
    }
    return vertex < 0 ? undefined : { side, vertex };
  };
  const nameOf = (mesh, vertex) => {
    const number = mesh.primitives.findLastIndex(({ first }) => first <= vertex);
    const own = vertex - mesh.primitives[number].first;
    return `${mesh.primitives[number].name}:${mesh.numbers[number]?.[own] ?? own}`;
  };
  const point = (x, y) => {
    const found = pick(x, y);
    if (!found) {
      tip.textContent = "";
      return;
    }
    const { side, vertex } = found;
    const mesh = meshOf(side);
    const slots = [0, 1, 2, 3].map((slot) => [mesh.slots[4 * vertex + slot], mesh.weights[4 * vertex + slot] / 65535]);
    const joints = slots.filter(([joint, weight]) => joint < 65535 && weight > 0);
    const weights = joints.map(([joint, weight]) => `${mesh.joints[joint]} ${weight.toFixed(3)}`).join(", ");
    const other = side === state.first ? state.second : state.first;
    const far = distances(side, other, state.motion, state.frame)?.[vertex];
    const words = () => (Number.isNaN(far) ? "no match in" : `${metres(far)} from`);
    const apart = far === undefined ? "" : ` · ${words()} ${head.sides[other].name}`;
    tip.textContent = `${nameOf(mesh, vertex)} · ${weights || "no joint"}${apart}`;
    const heaviest = joints.length > 0 ? mesh.joints[joints[0][0]] : state.joint;
    if (heaviest !== state.joint) set({ joint: heaviest });
  };

  const turn = (x, y) => set({ yaw: state.yaw - x, pitch: Math.max(-1.5, Math.min(1.5, state.pitch + y)) });
  const move = (x, y) => {
    const { right, up } = axes();
    const scale = (2 * state.far * Math.tan(fov / 2)) / Math.max(1, stage.clientHeight);
    set({ target: state.target.map((value, axis) => value - scale * (x * right[axis] - y * up[axis])) });
  };
  const zoom = (factor) => set({ far: Math.max(1e-4 * head.diagonal, Math.min(50 * head.diagonal, state.far * factor)) });
  const pointers = new Map();
  const place = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    stage.focus({ preventScroll: true });
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    const [before, now] = [pointers.get(event.pointerId), place(event)];
    if (!before) {
      point(...now);
      return;
    }
    const [x, y] = [now[0] - before[0], now[1] - before[1]];
    const others = [...pointers].filter(([id]) => id !== event.pointerId);
    pointers.set(event.pointerId, now);
    if (others.length > 0) {
      const [, fixed] = others[0];
      const length = (p) => Math.hypot(p[0] - fixed[0], p[1] - fixed[1]) || 1;
      zoom(length(before) / length(now));
      move(x / 2, y / 2);
    } else if (event.shiftKey || event.buttons === 2 || event.buttons === 4) {
      move(x, y);
    } else {
      turn(x / 150, y / 150);
    }
  });
  canvas.addEventListener("click", (event) => point(...place(event)));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    // The page scrolls until the reader has chosen the model.
    if (document.activeElement !== stage) return;
    event.preventDefault();
    zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 400))));
  }, { passive: false });
  const colours = ["", "apart", "weight"];
  const keys = {
    ArrowLeft: () => turn(0.1, 0), ArrowRight: () => turn(-0.1, 0), ArrowUp: () => turn(0, 0.1), ArrowDown: () => turn(0, -0.1),
    "+": () => zoom(0.85), "=": () => zoom(0.85), "-": () => zoom(1.18), " ": toggle, f: fit, j: () => set({ joints: !state.joints }),
    d: () => set({ colour: colours[(colours.indexOf(state.colour) + 1) % colours.length] }),
    ",": () => set({ frame: state.frame - 1, playing: false }), ".": () => set({ frame: state.frame + 1, playing: false }),
  };
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = /^Digit([1-9])$/.exec(event.code);
    const key = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (digit && digit[1] <= head.sides.length) set({ [event.shiftKey ? "second" : "first"]: digit[1] - 1 });
    else if (key) key();
    else return;
    event.preventDefault();
  });
  new ResizeObserver(ask).observe(stage);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ask);

  if (meshes.every((mesh) => mesh.triangles.length === 0)) tip.textContent = "This model has no triangles to draw.";
  status.textContent = "";
  status.hidden = true;
  part.querySelector(".whole").hidden = false;
  fit();
})().catch((error) => {
  document.querySelector("#view .status").textContent = `The model cannot be shown: ${error.message}`;
});
