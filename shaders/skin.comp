#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Skins the vertices of a batch into a buffer, by the same mode file as mesh.vert, for verification and exports.
// Compiled once for each mode and each number of spans.

#include "shared.glsl"
#include "skinning_buffer.glsl"
#include "affine.glsl"
#include "skinning_mode.glsl"

layout(local_size_x = 64) in;

// Spans of a mesh's buffer, in words: what vertex shaders see as attributes.
layout(set = 1, binding = 0, std430) readonly buffer Source {
    uint source[];
};

struct SkinnedVertex {
    vec4 position;  // w unused
    vec4 normal;    // w unused
    vec4 tangent;
};

layout(set = 1, binding = 1, std430) writeonly buffer Result {
    SkinnedVertex result[];
};

// Where spans start, in words; ABSENT for a span the mesh lacks.
layout(push_constant) uniform Layout {
    uint vertex_count;
    uint position;
    uint normal;
    uint tangent;
    uint joints[4];
    uint weights[4];
    uint share;
    uint center;
} spans;

vec3 read_vec3(uint start, uint vertex) {
    uint word = start + vertex * 3u;
    return uintBitsToFloat(uvec3(source[word], source[word + 1u], source[word + 2u]));
}

vec4 read_vec4(uint start, uint vertex) {
    uint word = start + vertex * 4u;
    return uintBitsToFloat(uvec4(source[word], source[word + 1u], source[word + 2u], source[word + 3u]));
}

// Four signed 16-bit numbers.
ivec4 read_joints(uint start, uint vertex) {
    uint word = start + vertex * 2u;
    int low = int(source[word]);
    int high = int(source[word + 1u]);
    return ivec4(bitfieldExtract(low, 0, 16), bitfieldExtract(low, 16, 16),
                 bitfieldExtract(high, 0, 16), bitfieldExtract(high, 16, 16));
}

void main() {
    uint vertex = gl_GlobalInvocationID.x;
    if (vertex >= spans.vertex_count) {
        return;
    }
    ivec4 joints[SPANS];
    vec4 weights[SPANS];
    for (int span = 0; span < SPANS; span++) {
        bool present = spans.joints[span] != ABSENT;
        // An unskinned vertex has joint 0 with weight 1.
        joints[span] = present ? read_joints(spans.joints[span], vertex) : ivec4(0, -1, -1, -1);
        weights[span] = present ? read_vec4(spans.weights[span], vertex) : vec4(1.0, 0.0, 0.0, 0.0);
    }

    float share = spans.share != ABSENT ? uintBitsToFloat(source[spans.share + vertex]) : 1.0;
    vec3 center = spans.center != ABSENT ? read_vec3(spans.center, vertex) : vec3(0.0);
    Affine world_from_bind = blend(joints, weights, share, center);
    vec3 normal = vec3(0.0);
    vec4 tangent = vec4(0.0);
    if (spans.normal != ABSENT) {
        normal = transform_normal(world_from_bind, read_vec3(spans.normal, vertex));
        if (spans.tangent != ABSENT) {
            tangent = transform_tangent(world_from_bind, read_vec4(spans.tangent, vertex), normal);
        }
    }
    vec3 position = transform_position(world_from_bind, read_vec3(spans.position, vertex));
    result[vertex] = SkinnedVertex(vec4(position, 1.0), vec4(normal, 0.0), tangent);
}
