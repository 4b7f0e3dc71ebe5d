"""Plants stray weights in Blender, runs a script that finds them, and prints what it selected: blender.py MODEL SCRIPT"""

import json
import runpy
import sys

import bpy
import numpy as np

model, script = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
# Merged vertices are split again by the exporter, so Blender and the file number them differently.
bpy.ops.import_scene.gltf(filepath=model, disable_bone_shape=True, merge_vertices=True)
(figure,) = [thing for thing in bpy.context.selected_objects if thing.type == "MESH"]
points = np.array([vertex.co for vertex in figure.data.vertices])
top = points[points[:, 2].argmax()]
planted = np.argsort(np.linalg.norm(points - top, axis=1))[:7].tolist()
for vertex in planted:
    for of in list(figure.data.vertices[vertex].groups):
        figure.vertex_groups[of.group].add([vertex], of.weight * 0.6, "REPLACE")
figure.vertex_groups["foot.L"].add(planted, 0.4, "REPLACE")
bpy.context.view_layer.objects.active = figure
bpy.ops.object.mode_set(mode="EDIT")
sys.argv = [script]
found = runpy.run_path(script)
numbers = list(found["numbers"](found["exported"](figure)))[0]
groups = {
    group.name: [vertex.index for vertex in figure.data.vertices if group.index in [of.group for of in vertex.groups]]
    for group in figure.vertex_groups
    if group.name.startswith("sinew ")
}
answer = {
    "planted": sorted(planted),
    "selected": [vertex.index for vertex in figure.data.vertices if vertex.select],
    "groups": groups,
    "is_renumbered": bool((numbers[: len(points)] != np.arange(len(points))).any()),
}

# The same of a file.
bpy.ops.export_scene.gltf(filepath="planted.glb", export_animations=False)
bpy.ops.wm.read_factory_settings(use_empty=True)
sys.argv = [script, "--", "planted.glb"]
runpy.run_path(script)
meshes = [thing for thing in bpy.context.selected_objects if thing.type == "MESH" and thing.find_armature()]
selected = [vertex.co for thing in meshes for vertex in thing.data.vertices if vertex.select]
answer["distance"] = max(np.linalg.norm(points[planted] - place, axis=1).min() for place in selected)
print(json.dumps(answer))
