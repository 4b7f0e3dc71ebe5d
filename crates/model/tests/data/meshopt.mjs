// Writes meshopt.json for the tests of crates/model/src/gltf/meshopt: streams from the encoder of npm's
// `meshoptimizer`, and what its own decoder returns for them.
//
//     npm install meshoptimizer@1.3.0   (in a folder of its own; put this file there)
//     node meshopt.mjs > meshopt.json
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';

await MeshoptEncoder.ready;
await MeshoptDecoder.ready;

const cases = [];
const base64 = (bytes) => Buffer.from(bytes).toString('base64');

// FNV-1a, 32 bits.
const fnv = (bytes) => bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);

function add(name, mode, filter, count, stride, source, version = 0, level = 2) {
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    const encoded = mode === 'ATTRIBUTES'
        ? MeshoptEncoder.encodeVertexBufferLevel(bytes, count, stride, level, version)
        : MeshoptEncoder.encodeGltfBuffer(bytes, count, stride, mode);
    const decoded = new Uint8Array(count * stride);
    MeshoptDecoder.decodeGltfBuffer(decoded, count, stride, encoded, mode, filter);
    // Filters may round either way; streams without a filter must match exactly, so a hash is enough.
    const result = filter === 'NONE' ? { fnv: fnv(decoded) } : { decoded: base64(decoded) };
    cases.push({ name, mode, filter, count, stride, encoded: base64(encoded), ...result });
}

// A fixed seed gives the same numbers on every machine.
let seed = 1;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;

// A wavy sheet of 13 by 13 vertices.
const side = 13;
const positions = new Float32Array(side * side * 3);
const indices = [];
for (let y = 0; y < side; ++y) {
    for (let x = 0; x < side; ++x) {
        positions.set([x / 8, y / 8, Math.round(Math.sin(x / 3) * Math.cos(y / 4) * 64) / 64], (y * side + x) * 3);
        if (x + 1 < side && y + 1 < side) {
            const a = y * side + x;
            indices.push(a, a + 1, a + side, a + side, a + 1, a + side + 1);
        }
    }
}
for (const version of [0, 1]) {
    for (const level of version === 0 ? [2] : [0, 1, 2, 3]) {
        add(`positions, version ${version}, level ${level}`, 'ATTRIBUTES', 'NONE', side * side, 12, positions, version, level);
    }
    const noise = new Uint8Array(70 * 8).map(() => random() * 256);
    add(`noise, version ${version}`, 'ATTRIBUTES', 'NONE', 70, 8, noise, version);
    const slow = new Uint16Array(300 * 4).map((_, i) => (i >> 2) * (1 + (i & 3)) * 7 + random() * 3);
    add(`slow shorts, version ${version}`, 'ATTRIBUTES', 'NONE', 300, 8, slow, version, 3);
    const wide = new Uint8Array(20 * 256).map((_, i) => ((i >> 8) * (i & 7)) & 255);
    add(`wide, version ${version}`, 'ATTRIBUTES', 'NONE', 20, 256, wide, version);
    add(`one element, version ${version}`, 'ATTRIBUTES', 'NONE', 1, 4, new Uint8Array([1, 2, 3, 250]), version);
}
const wave = new Float32Array(500 * 4).map((_, i) => Math.sin(i / 90) * (1 + (i & 3)));
add('waves, version 1, level 3', 'ATTRIBUTES', 'NONE', 500, 16, wave, 1, 3);

const triangles = new Uint32Array(indices);
add('triangles, 32 bits', 'TRIANGLES', 'NONE', triangles.length, 4, triangles);
add('triangles, 16 bits', 'TRIANGLES', 'NONE', triangles.length, 2, new Uint16Array(triangles));
const shuffled = new Uint32Array(120).map(() => random() * 5000);
add('triangles at random', 'TRIANGLES', 'NONE', 120, 4, shuffled);
const ordered = triangles.slice();
MeshoptEncoder.reorderMesh(ordered, true, true);
add('triangles in the best order', 'TRIANGLES', 'NONE', ordered.length, 4, ordered);
add('indices, 32 bits', 'INDICES', 'NONE', 120, 4, shuffled);
add('indices, 16 bits', 'INDICES', 'NONE', triangles.length, 2, new Uint16Array(triangles));

const units = (count, width) => {
    const out = new Float32Array(count * 4);
    for (let i = 0; i < count; ++i) {
        const v = Array.from({ length: width }, () => random() * 2 - 1);
        const length = Math.hypot(...v);
        v.forEach((x, k) => (out[i * 4 + k] = x / length));
        if (width === 3) out[i * 4 + 3] = i & 1 ? 1 : -1;
    }
    return out;
};
const directions = units(64, 3);
add('octahedral, 8 bits', 'ATTRIBUTES', 'OCTAHEDRAL', 64, 4, MeshoptEncoder.encodeFilterOct(directions, 64, 4, 8));
add('octahedral, 12 bits', 'ATTRIBUTES', 'OCTAHEDRAL', 64, 8, MeshoptEncoder.encodeFilterOct(directions, 64, 8, 12));
const turns = units(64, 4);
add('quaternions, 12 bits', 'ATTRIBUTES', 'QUATERNION', 64, 8, MeshoptEncoder.encodeFilterQuat(turns, 64, 8, 12));
add('quaternions, 16 bits', 'ATTRIBUTES', 'QUATERNION', 64, 8, MeshoptEncoder.encodeFilterQuat(turns, 64, 8, 16));
const numbers = new Float32Array(64 * 3).map(() => (random() - 0.5) * 1000);
for (const mode of ['Separate', 'SharedVector', 'SharedComponent']) {
    const encoded = MeshoptEncoder.encodeFilterExp(numbers, 64, 12, 15, mode);
    add(`exponential, ${mode}`, 'ATTRIBUTES', 'EXPONENTIAL', 64, 12, encoded);
}
const colors = new Float32Array(64 * 4).map(() => Math.round(random() * 255) / 255);
add('colours, 8 bits', 'ATTRIBUTES', 'COLOR', 64, 4, MeshoptEncoder.encodeFilterColor(colors, 64, 4, 8), 1);
add('colours, 12 bits', 'ATTRIBUTES', 'COLOR', 64, 8, MeshoptEncoder.encodeFilterColor(colors, 64, 8, 12), 1);

console.log('[\n' + cases.map((one) => JSON.stringify(one)).join(',\n') + '\n]');
