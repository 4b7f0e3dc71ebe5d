"""Moves vertices by libigl's direct delta mush: libigl.py [faces.json]. Reads terms.npz, pose.json and posed.npz in the folder.

Prints the largest distance from posed.npz as a share of the size, for the terms of terms.npz; the number of vertices that libigl
turns inside out, which it allows; and with faces, the same distance for libigl's own terms, and how far those are from
terms.npz as a share of the largest."""

import json
import sys

import igl
import numpy as np

terms, posed = np.load("terms.npz"), np.load("posed.npz")
with open("pose.json", encoding="utf-8") as file:
    joints = [joint for skin in json.load(file)["skins"] for joint in skin["joints"]]
worlds = np.array([joint["world_from_joint"] for joint in joints]).transpose(0, 2, 1)
matrices = worlds @ terms["joint_from_bind"].reshape(-1, 4, 4)
affine = np.ascontiguousarray(matrices[:, :3].transpose(0, 2, 1).reshape(-1, 3))

point = terms["point"]
count, bones = len(terms["start"]) - 1, len(joints)
first = np.zeros(count, int)
first[point[::-1]] = np.arange(len(point))[::-1]
places = terms["positions"][first]
size = abs(posed["positions"]).max()
omega = np.zeros((count, bones, 10))
omega[np.repeat(np.arange(count), np.diff(terms["start"])), terms["joint"]] = terms["omega"]

row, column = np.triu_indices(4)
full = np.zeros((count, 4, 4))
for joint, matrix in enumerate(matrices):
    own = np.zeros((count, 4, 4))
    own[:, row, column] = own[:, column, row] = omega[:, joint]
    full += matrix @ own
full /= full[:, 3:, 3:]
inside_out = np.linalg.det(full[:, :3, :3] - full[:, :3, 3:] * full[:, 3:, :3]) < 0


def apart(of_terms):
    moved = igl.direct_delta_mush(places, affine, np.ascontiguousarray(of_terms.reshape(count, -1)))
    apart = abs(moved[point] - posed["positions"]).max(1)
    return apart[~inside_out[point]].max() / size


found = [apart(omega), int(inside_out.sum())]
if len(sys.argv) > 1:
    with open(sys.argv[1], encoding="utf-8") as file:
        faces = np.array(json.load(file)).reshape(-1, 3)
    weights = np.zeros((count, bones))
    for slot in range(posed["joints"].shape[1]):
        np.add.at(weights, (point, np.maximum(posed["joints"][:, slot], 0)), posed["weights"][:, slot].astype(float))
    weights /= weights.sum(1, keepdims=True)
    own = igl.direct_delta_mush_precomputation(places, faces, weights, 20, 3.0, 1.0, 0.8).reshape(omega.shape)
    found += [apart(own), abs(own - omega).max() / abs(own).max()]
print(json.dumps(found))
