"""Ogre: its Assimp codec, and entities that it animates in software."""

import ctypes
import os

import numpy
import Ogre.RTShader  # The Assimp codec needs its library.

from runner import arguments, clip_name, refuse, write

rig, out, mode, clip, times = arguments()
Ogre.LogManager().createLog("ogre.log", True, False, True)
root, plugins = Ogre.Root("", "", ""), os.path.join(os.path.dirname(Ogre.__file__), "OGRE")
root.loadPlugin(os.path.join(plugins, "RenderSystem_Tiny"))
root.loadPlugin(os.path.join(plugins, "Codec_Assimp"))
root.setRenderSystem(root.getAvailableRenderers()[0])
root.initialise(False)
root.createRenderWindow("hidden", 16, 16, False)
Ogre.ResourceGroupManager.getSingleton().addResourceLocation(os.path.dirname(os.path.abspath(rig)), "FileSystem", "General")
try:
    entity = root.createSceneManager().createEntity(os.path.basename(rig))
except RuntimeError as error:
    refuse(error)
entity.addSoftwareAnimationRequest(True)
state, skeleton = None, entity.getMesh().getSkeleton() if entity.hasSkeleton() else None
if clip is not None and skeleton:
    if clip >= skeleton.getNumAnimations():
        refuse("the codec has no such animation")
    state = entity.getAnimationState(clip_name(rig, clip) or skeleton.getAnimation(clip).getName())
    state.setEnabled(True), state.setLoop(False)


def column(data, semantic, columns):
    """Returns an element of vertices, or None."""
    if (element := data.vertexDeclaration.findElementBySemantic(semantic)) is None:
        return None
    buffer = data.vertexBufferBinding.getBuffer(element.getSource())
    memory = (ctypes.c_char * buffer.getSizeInBytes()).from_address(int(buffer.lock(Ogre.HardwareBuffer.HBL_READ_ONLY)))
    start, stride = data.vertexStart * buffer.getVertexSize() + element.getOffset(), (buffer.getVertexSize(), 4)
    rows = numpy.ndarray((data.vertexCount, columns), "<f4", memory, start, stride).astype("f8")
    buffer.unlock()
    return rows


def part(entity):
    """Returns the vertices of a part of the entity."""
    still = entity.getSubMesh().vertexData
    moved = entity._getSkelAnimVertexData() if skeleton else still
    return column(moved, Ogre.VES_POSITION, 3), column(moved, Ogre.VES_NORMAL, 3), column(still, Ogre.VES_TEXTURE_COORDINATES, 2)


moments = []
for time in times:
    if state:
        state.setTimePosition(time)
    root.renderOneFrame()
    entity._updateAnimation()
    moments.append([part(sub) for sub in entity.getSubEntities()])
write(out, moments)
os._exit(0)  # Ogre frees its buffers after its memory manager.
