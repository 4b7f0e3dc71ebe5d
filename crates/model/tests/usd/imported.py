"""Reads USD files into Blender and writes the points of their meshes, y up, into FILE.blender.json: imported.py FILE…

FILE.times.json has the times, in frames. OpenUSD and Blender, which has its own, cannot run in one process.
"""

import json
import sys

import bpy

for file in sys.argv[1:]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=file)
    with open(f"{file}.times.json", encoding="utf-8") as text:
        times = json.load(text)
    found = []
    for time in times:
        bpy.context.scene.frame_set(int(time // 1), subframe=time % 1)
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
        json.dump(found, out)
