"""ufbx: ufbx_evaluate_scene with evaluate_skinning, for FBX files alone. Blended and dual quaternion skins are its own."""

import gc
import os

import numpy
import ufbx

from runner import arguments, refuse, write

gc.disable()  # The collector frees scenes that the objects of the wheel still use.

rig, out, mode, clip, times = arguments()
axes, unit = ufbx.axes_right_handed_y_up, 1.0
try:
    scene = ufbx.load_file(rig, target_axes=axes, target_unit_meters=unit)
except ufbx.UfbxError as error:
    refuse(error)


def parts(scene):
    """Returns the vertices of each mesh's instances, one per control point."""
    found = []
    nodes = [node for node in scene.nodes]
    for node in nodes:
        mesh = node.mesh
        if mesh is None:
            continue
        rows = numpy.array([tuple(row) for row in mesh.skinned_position.values], "f8")
        if mesh.skinned_is_local:
            matrix = node.geometry_to_world
            rows = rows @ numpy.array([tuple(matrix.c0), tuple(matrix.c1), tuple(matrix.c2)]) + numpy.array(tuple(matrix.c3))
        texcoords = numpy.zeros((len(rows), 2))
        for vertex, corner in zip(mesh.vertex_indices, mesh.vertex_uv.indices):
            texcoords[vertex] = tuple(mesh.vertex_uv.values[corner])
        found.append((rows, None, texcoords))
    return found


anim = scene.anim if clip is None else scene.anim_stacks[clip].anim
scenes = [ufbx.evaluate_scene(scene, anim, time, evaluate_skinning=True) for time in times]  # Its objects do not keep a scene.
write(out, [parts(scene) for scene in scenes])
os._exit(0)  # Freeing scenes crashes as well.
