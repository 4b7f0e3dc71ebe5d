"""Skins five poses of a clip by OpenUSD, from what sinew gives: usd.py MODEL CLIP. Prints for each mode how far sinew's own
vertices are from these: the largest distance, as a share of the size."""

import json
import sys

import numpy as np
import sinew
from pxr import Gf, UsdSkel, Vt

METHODS = {"lbs": "classicLinear", "dqs": "dualQuaternion"}


def skinned(method, points, influences, palette):
    """Returns points that OpenUSD has skinned. Its matrices act on rows."""
    joints, weights = influences
    points = Vt.Vec3fArray.FromNumpy(points)
    matrices = Vt.Matrix4dArray([Gf.Matrix4d(matrix.T.tolist()) for matrix in palette])
    joints = Vt.IntArray.FromNumpy(joints.astype("i4").ravel())
    flat = Vt.FloatArray.FromNumpy(weights.ravel())
    assert UsdSkel.SkinPoints(method, Gf.Matrix4d(1), matrices, joints, flat, weights.shape[1], points)
    return np.array(points).astype("f8")


model = sinew.load(sys.argv[1])
clip = model.clip(sys.argv[2])
bind = model.pose("bind").skin().merged().positions
size = np.linalg.norm(np.ptp(bind.astype("f8"), axis=0))
(influences,) = model.influences
far = dict.fromkeys(METHODS, 0.0)
for time in np.linspace(clip.start, clip.end, 7)[1:-1]:
    pose = model.pose(clip, time=time)
    for mode, method in METHODS.items():
        theirs = skinned(method, bind, influences, pose.palette(mode))
        ours = pose.skin(mode).merged().positions
        far[mode] = max(far[mode], float(np.linalg.norm(ours - theirs, axis=1).max() / size))
print(json.dumps(far))
