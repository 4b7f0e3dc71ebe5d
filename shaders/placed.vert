#version 450
#extension GL_GOOGLE_include_directive : require
// Projects a vertex that was skinned before, by the CPU or by skin.comp.

#include "features.glsl"
#include "handed_on.glsl"

layout(location = 0) in vec3 position;

void main() {
    vec4 tangent_in_world = vec4(0.0);
    if (HAS_NORMAL_MAP) {
        tangent_in_world = tangent;
    }
    hand_on(position, normal, tangent_in_world, 1.0);
}
