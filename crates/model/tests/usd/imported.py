"""Reads USD files into Blender and writes the points of their meshes, y up, into FILE.blender.json: imported.py FILE…"""

import json
import sys

import bpy
from pxr import Usd, UsdSkel


def times(file):
    """Five times at which the rotations of all joints have keys; Blender has lines between them, where USD has arcs."""
    stage = Usd.Stage.Open(file)
    keys = set()
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.Animation):
            animation = UsdSkel.Animation(prim)
            keys.update(animation.GetRotationsAttr().GetTimeSamples())
            keys.update(animation.GetBlendShapeWeightsAttr().GetTimeSamples())
    keys = sorted(keys) or [0.0]
    return stage.GetTimeCodesPerSecond(), [keys[(len(keys) - 1) * step // 4] for step in range(5)]


for file in sys.argv[1:]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=file)
    rate, keys = times(file)
    found = []
    for key in keys:
        bpy.context.scene.frame_set(int(key // 1), subframe=key % 1)
        graph = bpy.context.evaluated_depsgraph_get()
        points = []
        for item in sorted(bpy.context.scene.objects, key=lambda item: item.name):
            if item.type != "MESH":
                continue
            made = item.evaluated_get(graph)
            for vertex in made.data.vertices:
                x, y, z = made.matrix_world @ vertex.co
                points += [x, z, -y]
        found.append(points)
    with open(f"{file}.blender.json", "w", encoding="utf-8") as out:
        json.dump({"times": [key / rate for key in keys], "points": found}, out)
