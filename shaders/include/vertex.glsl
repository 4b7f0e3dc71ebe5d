// A vertex as its streams hand it over, and the transform its joints give it. The mode is whichever file answers
// "skinning_mode.glsl".

#ifndef SINEW_VERTEX
#define SINEW_VERTEX

#include "skinning_buffer.glsl"
#include "affine.glsl"
#include "skinning_mode.glsl"

layout(location = 0) in vec3 position;
layout(location = 3) in ivec4 skinIndices;
layout(location = 4) in vec4 skinWeights;
layout(location = 14) in float blendShare;
layout(location = 15) in vec3 rotationCenter;
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

Affine world_from_bind() {
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
    return blend(joints, weights, blendShare, rotationCenter, position);
}

#endif
