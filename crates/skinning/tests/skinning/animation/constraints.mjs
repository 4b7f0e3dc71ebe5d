// Poses rigs with three-vrm's node constraints. node constraints.mjs MODULES < rigs.json > worlds.json
// Each rig: parents, rest and posed (translation, rotation, scale of each node), constraints (node, source, kind, axis, weight).
import { readFileSync } from "node:fs";
const modules = process.argv[2];
const vrm = await import(`${modules}/@pixiv/three-vrm-node-constraint/lib/three-vrm-node-constraint.module.js`);
const three = await import(`${modules}/three/build/three.module.js`);

function posed(node, [translation, rotation, scale]) {
    node.position.set(...translation);
    node.quaternion.set(...rotation);
    node.scale.set(...scale);
}

function worlds(rig) {
    const nodes = rig.parents.map(() => new three.Object3D());
    const scene = new three.Object3D();
    rig.parents.forEach((parent, node) => (parent === null ? scene : nodes[parent]).add(nodes[node]));
    rig.rest.forEach((parts, node) => posed(nodes[node], parts));
    const manager = new vrm.VRMNodeConstraintManager();
    const kinds = { roll: vrm.VRMRollConstraint, aim: vrm.VRMAimConstraint, rotation: vrm.VRMRotationConstraint };
    for (const { node, source, kind, axis, weight } of rig.constraints) {
        const constraint = new kinds[kind](nodes[node], nodes[source]);
        if (kind === "roll") constraint.rollAxis = axis;
        if (kind === "aim") constraint.aimAxis = axis;
        constraint.weight = weight;
        manager.addConstraint(constraint);
    }
    scene.updateMatrixWorld(true);
    manager.setInitState();
    rig.posed.forEach((parts, node) => posed(nodes[node], parts));
    scene.updateMatrixWorld(true);
    manager.update();
    scene.updateMatrixWorld(true);
    return nodes.map((node) => node.matrixWorld.elements);
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(worlds)));
