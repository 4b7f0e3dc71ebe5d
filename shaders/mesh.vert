#version 450
#extension GL_GOOGLE_include_directive : require
// Skins a vertex and projects it. Compiled once for each mode and each number of spans; the mode
// is whichever file answers "skinning_mode.glsl".

#include "frame.glsl"
#include "skinning_buffer.glsl"
#include "affine.glsl"
#include "skinning_mode.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) in ivec4 skinIndices;
layout(location = 4) in vec4 skinWeights;
layout(location = 5) in vec4 tangent;
layout(location = 6) in vec4 color;
layout(location = 7) in vec2 texcoord1;
#if SPANS > 1
layout(location = 8) in ivec4 skinIndices1;
layout(location = 9) in vec4 skinWeights1;
#endif
#if SPANS > 2
layout(location = 10) in ivec4 skinIndices2;
layout(location = 11) in vec4 skinWeights2;
#endif
#if SPANS > 3
layout(location = 12) in ivec4 skinIndices3;
layout(location = 13) in vec4 skinWeights3;
#endif

layout(location = 0) out vec3 outPositionInWorld;
layout(location = 1) out vec3 outNormalInWorld;
layout(location = 2) out vec4 outTexcoords;   // both sets
layout(location = 3) out vec4 outColor;
// -1 where the joints mirror, so that triangles wind the other way; else 1.
layout(location = 4) flat out float outOrientation;
layout(location = 5) out vec4 outTangentInWorld;   // zeros where the mesh has none

void main() {
    ivec4 joints[SPANS];
    vec4 weights[SPANS];
    joints[0] = skinIndices;
    weights[0] = skinWeights;
#if SPANS > 1
    joints[1] = skinIndices1;
    weights[1] = skinWeights1;
#endif
#if SPANS > 2
    joints[2] = skinIndices2;
    weights[2] = skinWeights2;
#endif
#if SPANS > 3
    joints[3] = skinIndices3;
    weights[3] = skinWeights3;
#endif

    // Skinning ends in model space, in the bits the CPU has too; from there on it is only a picture.
    Affine model_from_bind = blend(joints, weights);
    vec3 position_in_model = transform_position(model_from_bind, position);
    vec3 normal_in_model = transform_normal(model_from_bind, normal);

    vec4 position_in_world = frame.world_from_model * vec4(position_in_model, 1.0);
    outPositionInWorld = position_in_world.xyz;
    outNormalInWorld = mat3(frame.world_from_model) * normal_in_model;
    vec4 tangent_in_model = transform_tangent(model_from_bind, tangent, normal_in_model);
    outTangentInWorld = vec4(mat3(frame.world_from_model) * tangent_in_model.xyz, tangent_in_model.w);
    outTexcoords = vec4(texcoord, texcoord1);
    outColor = color;
    outOrientation = orientation(at_size_one(model_from_bind));
    gl_Position = frame.clip_from_view * (frame.view_from_world * position_in_world);
    gl_PointSize = 3.0;
}
