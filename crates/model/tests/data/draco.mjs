// Writes draco.json for the tests of crates/model/src/gltf/draco.rs: a sheet of 6 by 5 vertices with normals, joints
// and weights, encoded in several ways by npm's `draco3d`.
//
//     npm install draco3d@1.5.9   (in a folder of its own; put this file there)
//     node draco.mjs > draco.json
import draco3d from 'draco3d';

const draco = await draco3d.createEncoderModule({});
const [columns, rows] = [6, 5];
const [positions, normals, joints, weights, indices] = [[], [], [], [], []];
for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
        const [x, y] = [column / 4, row / 4];
        positions.push(x, y, (x * x + y * y) / 8);
        const length = Math.hypot(x, y, 4);
        normals.push(-x / length, -y / length, 4 / length);
        joints.push(row % 2, 0, 0, 0);
        weights.push(1, 0, 0, 0);
        if (column + 1 < columns && row + 1 < rows) {
            const a = row * columns + column;
            indices.push(a, a + 1, a + columns, a + columns, a + 1, a + columns + 1);
        }
    }
}

const cases = [];
for (const [method, speed, bits] of [[0, 5, 12], [1, 0, 12], [1, 3, 12], [1, 5, 12], [1, 7, 0], [1, 10, 12]]) {
    const [encoder, builder, mesh] = [new draco.Encoder(), new draco.MeshBuilder(), new draco.Mesh()];
    const count = columns * rows;
    builder.AddFacesToMesh(mesh, indices.length / 3, new Uint32Array(indices));
    builder.AddFloatAttributeToMesh(mesh, draco.POSITION, count, 3, new Float32Array(positions));
    builder.AddFloatAttributeToMesh(mesh, draco.NORMAL, count, 3, new Float32Array(normals));
    builder.AddUInt16Attribute(mesh, draco.GENERIC, count, 4, new Uint16Array(joints));
    builder.AddFloatAttribute(mesh, draco.GENERIC, count, 4, new Float32Array(weights));
    encoder.SetEncodingMethod(method);
    encoder.SetSpeedOptions(speed, speed);
    if (bits) {
        encoder.SetAttributeQuantization(draco.POSITION, bits);
        encoder.SetAttributeQuantization(draco.NORMAL, bits);
        encoder.SetAttributeQuantization(draco.GENERIC, bits);
    }
    const out = new draco.DracoInt8Array();
    const length = encoder.EncodeMeshToDracoBuffer(mesh, out);
    const stream = Buffer.from(Uint8Array.from({ length }, (_, at) => out.GetValue(at)));
    cases.push({ name: `method ${method}, speed ${speed}, ${bits} bits`, stream: stream.toString('base64') });
}
console.log('[\n' + cases.map((one) => JSON.stringify(one)).join(',\n') + '\n]');
