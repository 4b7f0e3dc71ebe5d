"""Reads glTF files into Blender and writes each as USD: blender.py FOLDER FILE…"""

import os
import sys

import bpy

folder, *files = sys.argv[1:]
for file in files:
    name = os.path.splitext(os.path.basename(file))[0]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # The importer's shape for bones would be a mesh of its own.
    bpy.ops.import_scene.gltf(filepath=file, disable_bone_shape=True)
    bpy.context.scene.frame_end = 24
    for ending in ["usdc", "usdz"] if name == "Fox" else ["usdc"]:
        bpy.ops.wm.usd_export(
            filepath=f"{folder}/{name}.blender.{ending}",
            export_animation=True,
            export_armatures=True,
            export_shapekeys=True,
            export_materials=True,
        )
