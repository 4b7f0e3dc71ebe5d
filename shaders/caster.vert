#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Skins a vertex of a shadow caster, by the same arithmetic as mesh.vert, and projects it. Besides the position it
// hands on only what shadow.frag needs to cut holes. Compiled once for each mode and each number of spans.

#include "features.glsl"
#include "frame.glsl"
#include "vertex.glsl"

layout(location = 2) in vec2 texcoord;
layout(location = 6) in vec4 color;
layout(location = 7) in vec2 texcoord1;

layout(location = 2) out vec4 outTexcoords;   // both sets
layout(location = 3) out vec4 outColor;

void main() {
    vec3 position_in_world = transform_position(world_from_bind(), position);
    outTexcoords = vec4(0.0);
    outColor = vec4(0.0);
    if (HAS_ALPHA) {
        outTexcoords = vec4(texcoord, texcoord1);
        outColor = color;
    }
    gl_Position = frame.clip_from_world * vec4(position_in_world, 1.0);
}
