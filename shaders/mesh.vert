#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Skins a vertex and projects it. Compiled once for each mode and each number of spans.

#include "frame.glsl"
#include "features.glsl"
#include "vertex.glsl"

layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
layout(location = 5) in vec4 tangent;
layout(location = 6) in vec4 color;
layout(location = 7) in vec2 texcoord1;

layout(location = 0) out vec3 outPositionInWorld;
layout(location = 1) out vec3 outNormalInWorld;
layout(location = 2) out vec4 outTexcoords;   // both sets
layout(location = 3) out vec4 outColor;
// -1 where the joints mirror, so that triangles wind the other way; else 1.
layout(location = 4) flat out float outOrientation;
layout(location = 5) out vec4 outTangentInWorld;   // zeros where the mesh has none, or nothing reads it

void main() {
    // Skinning ends in world space, with the CPU's bits; what follows is for the picture only.
    Affine moved = world_from_bind();
    vec3 position_in_world = transform_position(moved, position);
    vec3 normal_in_world = transform_normal(moved, normal);

    outPositionInWorld = position_in_world;
    outNormalInWorld = normal_in_world;
    outTangentInWorld = vec4(0.0);
    if (HAS_NORMAL_MAP) {
        outTangentInWorld = transform_tangent(moved, tangent, normal_in_world);
    }
    outTexcoords = vec4(texcoord, texcoord1);
    outColor = color;
    outOrientation = orientation(at_size_one(moved));
    gl_Position = frame.clip_from_world * vec4(position_in_world, 1.0);
    gl_PointSize = 3.0;
}
