"""Ogre: its Assimp codec, and entities that it animates in software."""

import ctypes
import os

import numpy
import Ogre
import Ogre.RTShader  # The Assimp codec needs its library.

from runner import arguments, clip_name, refuse, write

rig, out, mode, clip, times = arguments()
logs = Ogre.LogManager()
logs.createLog("ogre.log", True, False, True)
root = Ogre.Root("", "", "")
for plugin in ("RenderSystem_Tiny", "Codec_Assimp", "Codec_STBI"):
    root.loadPlugin(os.path.join(os.path.dirname(Ogre.__file__), "OGRE", plugin))
root.setRenderSystem(root.getAvailableRenderers()[0])
root.initialise(False)
root.createRenderWindow("hidden", 16, 16, False)
folder, file = os.path.split(os.path.abspath(rig))
Ogre.ResourceGroupManager.getSingleton().addResourceLocation(folder, "FileSystem", "General")
try:
    entity = root.createSceneManager().createEntity(file)
except RuntimeError as error:
    refuse(error)
mesh = entity.getMesh()
entity.addSoftwareAnimationRequest(True)
if clip is not None and entity.hasSkeleton():
    # The codec names clips as the file does, and clips without a name by their number.
    names = [mesh.getSkeleton().getAnimation(index).getName() for index in range(mesh.getSkeleton().getNumAnimations())]
    name = clip_name(rig, clip)
    if name not in names and clip >= len(names):
        refuse("the codec has no such animation")
    state = entity.getAnimationState(name if name in names else names[clip])
    state.setEnabled(True)
    state.setLoop(False)


def column(data, semantic, columns):
    """Returns an element of vertices, or None."""
    element = data.vertexDeclaration.findElementBySemantic(semantic)
    if element is None:
        return None
    buffer = data.vertexBufferBinding.getBuffer(element.getSource())
    memory = (ctypes.c_char * buffer.getSizeInBytes()).from_address(int(buffer.lock(Ogre.HardwareBuffer.HBL_READ_ONLY)))
    stride, start = buffer.getVertexSize(), element.getOffset()
    rows = [numpy.frombuffer(memory, "<f4", columns, start + row * stride) for row in range(data.vertexStart, data.vertexStart + data.vertexCount)]
    found = numpy.array(rows, "f8")
    buffer.unlock()
    return found


def part(sub, is_skinned):
    """Returns the vertices of a part of the entity."""
    still = sub.getSubMesh().vertexData if not sub.getSubMesh().useSharedVertices else mesh.sharedVertexData
    owner = entity if sub.getSubMesh().useSharedVertices else sub
    data = owner._getSkelAnimVertexData() if is_skinned else still
    return (*(column(data, kind, 3) for kind in (Ogre.VES_POSITION, Ogre.VES_NORMAL)), column(still, Ogre.VES_TEXTURE_COORDINATES, 2))


moments = []
for time in times:
    if clip is not None and entity.hasSkeleton():
        state.setTimePosition(time)
    root.renderOneFrame()
    entity._updateAnimation()
    moments.append([part(sub, entity.hasSkeleton()) for sub in entity.getSubEntities()])
write(out, moments)
os._exit(0)  # Ogre frees its buffers after its memory manager.
