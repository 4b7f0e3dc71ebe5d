"""raylib: LoadModel and UpdateModelAnimation, which skins on the CPU. It needs a window for OpenGL."""

from raylib import ffi, rl

from runner import arguments, refuse, write

rig, out, mode, clip, times = arguments()
rl.SetTraceLogLevel(rl.LOG_ERROR)
rl.SetConfigFlags(rl.FLAG_WINDOW_HIDDEN)
rl.InitWindow(64, 64, b"raylib")
model = rl.LoadModel(rig.encode())
count = ffi.new("int *")
clips = rl.LoadModelAnimations(rig.encode(), count)
if clip is not None and clip >= count[0]:
    refuse("LoadModelAnimations finds no such animation")

# raylib samples clips when it loads them: rmodels.c, GLTF_FRAMERATE.
FRAMES_PER_SECOND = 60.0


def part(mesh):
    """Returns a mesh's vertices in world space."""
    array = lambda values, columns: ffi.unpack(values, mesh.vertexCount * columns) if values else None
    moves = clip is not None and mesh.animVertices
    positions = array(mesh.animVertices if moves else mesh.vertices, 3)
    normals = array(mesh.animNormals if moves and mesh.animNormals else mesh.normals, 3)
    return positions, normals, array(mesh.texcoords, 2)


moments = []
for time in times:
    if clip is not None:
        rl.UpdateModelAnimation(model, clips[clip], time * FRAMES_PER_SECOND)
    moments.append([part(model.meshes[index]) for index in range(model.meshCount)])
write(out, moments)
