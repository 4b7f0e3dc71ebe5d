"""Skins a rig by OpenUSD with each of its methods, into RIG.made.json: usd_skel.py RIG.json"""

import json
import os
import sys

from pxr import Gf, UsdSkel, Vt

file = sys.argv[1]
with open(file, encoding="utf-8") as given:
    rig = json.load(given)
points = Vt.Vec3fArray([Gf.Vec3f(*point) for point in rig["positions"]])
joints, weights = [], []
for vertex in range(len(points)):
    for span in range(len(rig["joints"])):
        joints += [max(joint, 0) for joint in rig["joints"][span][vertex]]
        weights += rig["weights"][span][vertex]
xforms = Vt.Matrix4dArray([Gf.Matrix4d(*matrix) for matrix in rig["matrices"]])
made = {}
for method in ["classicLinear", "dualQuaternion"]:
    skinned = Vt.Vec3fArray(points)
    UsdSkel.SkinPoints(
        method,
        Gf.Matrix4d(1.0),
        xforms,
        Vt.IntArray(joints),
        Vt.FloatArray(weights),
        4 * len(rig["joints"]),
        skinned,
    )
    made[method] = [number for point in skinned for number in point]
with open(os.path.splitext(file)[0] + ".made.json", "w", encoding="utf-8") as out:
    json.dump(made, out)
