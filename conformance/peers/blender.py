"""Blender: its glTF and FBX importers, and its armature modifier. dqs-blender is Preserve Volume."""

import bpy
import numpy

from runner import arguments, clip_name, refuse, write

rig, out, mode, clip, times = arguments()
bpy.ops.wm.read_factory_settings(use_empty=True)
try:
    if rig.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=rig, anim_offset=0.0)
    else:
        bpy.ops.import_scene.gltf(filepath=rig, disable_bone_shape=True)
except RuntimeError as error:
    refuse(error)
scene = bpy.context.scene
# The importer puts clips into tracks that begin at frame 1. As the active action, a clip begins at its frame 0.
name = None if clip is None else clip_name(rig, clip)
for owner in [*bpy.data.objects, *bpy.data.shape_keys]:
    if owner.animation_data and owner.animation_data.nla_tracks:
        tracks = list(owner.animation_data.nla_tracks)
        owner.animation_data.action = None
        for index, track in enumerate(tracks):
            track.mute = True
            if clip is not None and (track.name == name if name else index == clip):
                owner.animation_data.action = track.strips[0].action
                owner.animation_data.action_slot = track.strips[0].action_slot
for thing in bpy.data.objects:
    for modifier in thing.modifiers:
        if modifier.type == "ARMATURE":
            modifier.use_deform_preserve_volume = mode == "dqs-blender"


def part(thing):
    """Returns an object's vertices in glTF's axes, a texture coordinate each."""
    mesh = thing.to_mesh()
    to_world = numpy.array(thing.matrix_world)
    array = lambda rows, key, columns: numpy.array([getattr(row, key) for row in rows], "f8").reshape(-1, columns)
    turned = lambda rows: numpy.stack([rows[:, 0], rows[:, 2], -rows[:, 1]], 1)
    positions = array(mesh.vertices, "co", 3) @ to_world[:3, :3].T + to_world[:3, 3]
    corners = numpy.array([loop.vertex_index for loop in mesh.loops], int)
    normals, texcoords = numpy.zeros_like(positions), None
    normals[corners] = array(mesh.corner_normals, "vector", 3) @ numpy.linalg.inv(to_world[:3, :3])
    normals /= numpy.maximum(numpy.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    if mesh.uv_layers:
        texcoords = numpy.zeros((len(positions), 2))
        texcoords[corners] = array(mesh.uv_layers[0].uv, "vector", 2) * (1, -1) + (0, 1)
    return turned(positions), turned(normals), texcoords


moments = []
for time in times:
    frame = time * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(frame), subframe=frame % 1)
    graph = bpy.context.evaluated_depsgraph_get()
    meshes = [thing for thing in scene.objects if thing.type == "MESH"]
    moments.append([part(thing.evaluated_get(graph)) for thing in meshes])
write(out, moments)
