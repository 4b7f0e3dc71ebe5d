"""Writes the vertices of glTF files as Blender's Corrective Smooth leaves them, in a .json beside each: SETTINGS FILE…

SETTINGS is a JSON list of objects with "iterations", "factor" and "weights" (uniform or lengths). Vertices at one place are one.
"""

import json
import os
import sys

import bpy
import bmesh

TYPES = {"uniform": "SIMPLE", "lengths": "LENGTH_WEIGHTED"}


def weld(mesh):
    """Makes vertices at one place one, and numbers them by the first of them."""
    mesh.attributes.new("first", "INT", "POINT").data.foreach_set("value", range(len(mesh.vertices)))
    whole = bmesh.new()
    whole.from_mesh(mesh)
    known = {}
    alike = [(vertex, known.setdefault(tuple(vertex.co), vertex)) for vertex in whole.verts]
    bmesh.ops.weld_verts(whole, targetmap={vertex: first for vertex, first in alike if vertex != first})
    whole.to_mesh(mesh)
    whole.free()


def vertices(thing):
    """Returns the vertices in glTF's axes."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = []
    for vertex in evaluated.data.vertices:
        x, y, z = evaluated.matrix_world @ vertex.co
        places += [x, z, -y]
    return places


def main():
    settings = json.loads(sys.argv[1])
    for file in sys.argv[2:]:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=file, disable_bone_shape=True, bone_heuristic="BLENDER")
        meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
        made = []
        for thing in meshes:
            # No clip moves the pose.
            count = len(thing.data.vertices)
            weld(thing.data)
            smooth = thing.modifiers.new("mush", "CORRECTIVE_SMOOTH")
            smooth.rest_source = "ORCO"
            results = []
            for asked in settings:
                smooth.smooth_type = TYPES[asked["weights"]]
                smooth.iterations = asked["iterations"]
                smooth.factor = asked["factor"]
                results.append(vertices(thing))
            smooth.show_viewport = False
            first = [0] * len(thing.data.vertices)
            thing.data.attributes["first"].data.foreach_get("value", first)
            made.append({"count": count, "first": first, "blended": vertices(thing), "results": results})
        with open(os.path.splitext(file)[0] + ".json", "w", encoding="utf-8") as out:
            json.dump(made, out)


main()
