"""Reads glTF files into Blender and writes each as glTF and as FBX: blender.py FOLDER FILE…"""

import os
import sys

import bpy

folder, *files = sys.argv[1:]
for file in files:
    name = os.path.splitext(os.path.basename(file))[0]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # The importer's shape for bones would be a mesh of its own.
    bpy.ops.import_scene.gltf(filepath=file, disable_bone_shape=True)
    bpy.ops.export_scene.gltf(filepath=f"{folder}/{name}.blender.glb")
    bpy.ops.export_scene.fbx(filepath=f"{folder}/{name}.blender.fbx", add_leaf_bones=False)
