#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Skins the vertices of a batch into spans that vertex shaders and exports can read, by the same mode file as mesh.vert.
// Compiled once for each mode and each number of spans.

#include "shared.glsl"

layout(local_size_x = 64) in;

// Whether the slots are read from the storage buffer.
layout(constant_id = 0) const bool IN_STORAGE = false;
#define STORED IN_STORAGE

// Whether the last of a figure's slots says where it stands, as in member.glsl.
layout(constant_id = 1) const bool IS_PLACED = false;

// How many slots a work group copies to shared memory, all of a figure's; with 1 it reads the palette's buffer.
layout(constant_id = 2) const int STAGED_SLOTS = 1;

// How often a work group skins as many vertices as it has threads.
layout(constant_id = 3) const uint TURNS = 1;

// Whether a joint takes one byte, 255 for "no joint", instead of two.
layout(constant_id = 4) const bool BYTE_JOINTS = false;

// Whether a weight takes 16 bits instead of a float's 32.
layout(constant_id = 5) const bool SHORT_WEIGHTS = false;

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
    uint slots;
    uint result;
} spans;

// A row of work groups skins a figure; the slots of figures follow each other.
#define FIRST_SLOT int(gl_WorkGroupID.y * spans.slots)

mat4 own_slot(int place);
#define OWN_SLOT(place) own_slot(place)

#include "skinning_buffer.glsl"
#include "affine.glsl"
#include "skinning_mode.glsl"

shared mat4 staged[STAGED_SLOTS];

mat4 own_slot(int place) {
    if (STAGED_SLOTS > 1) {
        return staged[place];
    }
    return slot_at(FIRST_SLOT + place);
}

// Spans of a mesh's buffer, in words: what vertex shaders see as attributes.
layout(set = 1, binding = 0, std430) readonly buffer Source {
    uint source[];
};

// The same words, two and four at once: each span starts at a multiple of sixteen bytes.
layout(set = 1, binding = 0, std430) readonly buffer Pairs {
    uvec2 pairs[];
};
layout(set = 1, binding = 0, std430) readonly buffer Fours {
    uvec4 fours[];
};

// All figures' positions, then all their normals, then all their tangents, with no gaps, figure after figure; no normals
// or tangents where the mesh has none.
layout(set = 1, binding = 1, std430) writeonly buffer Result {
    float result[];
};

vec3 read_vec3(uint start, uint vertex) {
    uint word = start + vertex * 3u;
    return uintBitsToFloat(uvec3(source[word], source[word + 1u], source[word + 2u]));
}

vec4 read_vec4(uint start, uint vertex) {
    return uintBitsToFloat(fours[start / 4u + vertex]);
}

// Four signed 16-bit numbers, or bytes.
ivec4 read_joints(uint start, uint vertex) {
    if (BYTE_JOINTS) {
        uint word = source[start + vertex];
        ivec4 joints = ivec4(uvec4(word, word >> 8, word >> 16, word >> 24) & 255u);
        return mix(joints, ivec4(-1), equal(joints, ivec4(255)));
    }
    ivec2 words = ivec2(pairs[start / 2u + vertex]);
    return ivec4(bitfieldExtract(words.x, 0, 16), bitfieldExtract(words.x, 16, 16),
                 bitfieldExtract(words.y, 0, 16), bitfieldExtract(words.y, 16, 16));
}

vec4 read_weights(uint start, uint vertex) {
    if (SHORT_WEIGHTS) {
        uvec2 words = pairs[start / 2u + vertex];
        return vec4(unpackUnorm2x16(words.x), unpackUnorm2x16(words.y));
    }
    return read_vec4(start, vertex);
}

void write_vec3(uint first, vec3 numbers) {
    result[first] = numbers.x;
    result[first + 1u] = numbers.y;
    result[first + 2u] = numbers.z;
}

void skin(uint vertex) {
    ivec4 joints[SPANS];
    vec4 weights[SPANS];
    for (int span = 0; span < SPANS; span++) {
        bool present = spans.joints[span] != ABSENT;
        // An unskinned vertex has joint 0 with weight 1.
        joints[span] = present ? read_joints(spans.joints[span], vertex) : ivec4(0, -1, -1, -1);
        weights[span] = present ? read_weights(spans.weights[span], vertex) : vec4(1.0, 0.0, 0.0, 0.0);
    }

    float share = spans.share != ABSENT ? uintBitsToFloat(source[spans.share + vertex]) : 1.0;
    vec3 center = spans.center != ABSENT ? read_vec3(spans.center, vertex) : vec3(0.0);
    vec3 position = read_vec3(spans.position, vertex);
    Affine world_from_bind = blend(joints, weights, share, center, position);
    uint all = gl_NumWorkGroups.y * spans.vertex_count;
    uint place = gl_WorkGroupID.y * spans.vertex_count + vertex;
    precise vec3 moved = transform_position(world_from_bind, position);
    if (IS_PLACED) {
        moved = moved + slot_at(FIRST_SLOT + int(spans.slots) - 1)[3].xyz;
    }
    write_vec3(spans.result + place * 3u, moved);
    if (spans.normal == ABSENT) {
        return;
    }
    Affine at_one = at_size_one(world_from_bind);
    float side = orientation(at_one);
    vec3 normal = transform_normal(at_one, side, read_vec3(spans.normal, vertex));
    write_vec3(spans.result + (all + place) * 3u, normal);
    if (spans.tangent != ABSENT) {
        vec4 tangent = transform_tangent(world_from_bind, side, read_vec4(spans.tangent, vertex), normal);
        uint first = spans.result + all * 6u + place * 4u;
        write_vec3(first, tangent.xyz);
        result[first + 3u] = tangent.w;
    }
}

void main() {
    if (STAGED_SLOTS > 1) {
        for (uint slot = gl_LocalInvocationIndex; slot < uint(STAGED_SLOTS); slot += gl_WorkGroupSize.x) {
            staged[slot] = slot_at(FIRST_SLOT + int(slot));
        }
        barrier();
    }
    uint first = gl_WorkGroupID.x * gl_WorkGroupSize.x * TURNS + gl_LocalInvocationIndex;
    for (uint turn = 0u; turn < TURNS; turn++) {
        uint vertex = first + turn * gl_WorkGroupSize.x;
        if (vertex < spans.vertex_count) {
            skin(vertex);
        }
    }
}
