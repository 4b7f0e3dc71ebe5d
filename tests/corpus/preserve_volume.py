"""Writes the vertices of glTF files as Blender skins them at rest with Preserve Volume, in a .json beside each: FILE…"""

import json
import os
import sys

import bpy

for file in sys.argv[1:]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # The bones keep the axes of the joints, so that these scale along them.
    bpy.ops.import_scene.gltf(filepath=file, disable_bone_shape=True, bone_heuristic="BLENDER")
    positions = []
    for mesh in [thing for thing in bpy.data.objects if thing.type == "MESH"]:
        for modifier in mesh.modifiers:
            modifier.use_deform_preserve_volume = True
        evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for vertex in evaluated.data.vertices:
            x, y, z = evaluated.matrix_world @ vertex.co
            positions += [x, z, -y]
    with open(os.path.splitext(file)[0] + ".json", "w", encoding="utf-8") as out:
        json.dump(positions, out)
