#version 450
#extension GL_GOOGLE_include_directive : require
// Projects a vertex of a shadow caster that was skinned before, by the CPU or by skin.comp.

#include "cast.glsl"

layout(location = 0) in vec3 position;

void main() {
    hand_on(position);
}
