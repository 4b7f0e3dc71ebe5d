// What the shaders of surfaces get of a vertex, from mesh.vert and placed.vert alike.

#ifndef SINEW_HANDED_ON
#define SINEW_HANDED_ON

#include "frame.glsl"
#include "surface_block.glsl"

// What scales the depth of rims: nearly infinitely far.
const float RIM_DEPTH = 1e-6;

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

void hand_on(vec3 position_in_world, vec3 normal_in_world, vec4 tangent_in_world, float orientation) {
    outPositionInWorld = position_in_world;
    outNormalInWorld = normal_in_world;
    outTangentInWorld = tangent_in_world;
    outTexcoords = vec4(texcoord, texcoord1);
    outColor = color;
    outOrientation = orientation;
    gl_Position = frame.clip_from_world * vec4(position_in_world, 1.0);
    if (IS_STAMPED) {
        gl_Position.xy += surface.nudge * gl_Position.w;
    }
    if (IS_RIM) {
        // Rims hide each other by their depth, and nothing else.
        gl_Position.z *= RIM_DEPTH;
    }
    gl_PointSize = 1.0;
}

#endif
