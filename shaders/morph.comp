#version 450
#extension GL_GOOGLE_include_directive : require
// Morphs a stretch of one stream's vertices, one word of the result an invocation: whatever the stream, each of its
// numbers is summed by itself. Twin: crates/skinning/src/morph.rs

#include "shared.glsl"

layout(local_size_x = 64) in;

// The stretch: its base values, then what targets add to them. In words.
layout(set = 0, binding = 0, std430) readonly buffer Source {
    uint source[];
};

// All nodes' weights.
layout(set = 0, binding = 1, std430) readonly buffer Weights {
    float weights[];
};

layout(set = 0, binding = 2, std430) writeonly buffer Result {
    uint result[];
};

layout(push_constant) uniform Stretch {
    uint words;         // how many are written
    uint width;         // numbers of a vertex
    uint delta_width;   // how many of them, from the first on, targets can move
    uint packed;        // 1 writes pairs of 16-bit fractions of 1
    uint ends;          // first word of where each vertex's entries end
    uint targets;       // first word of the entries' targets
    uint deltas;        // first word of what they add
    uint first_weight;  // the node's weights
    uint weight_count;
} stretch;

// Entries of a round.
const uint ENTRIES = 4u;

// Some processors flush anything smaller to zero, so every sum does.
float settled(float x) {
    return abs(x) < SMALLEST ? 0.0 : x;
}

// More than rounding can take from any sum.
const float LARGE = 1e32;

// A sum (x) with a term more, and by how much that is too much (y), which the next term makes up for. The twin gives the
// same bits: each operation is rounded by itself.
vec2 added(vec2 sum, float term) {
    float from = settled(sum.x);
    precise float less = settled(term) - sum.y;
    precise float to = from + settled(less);
    precise float gained = settled(to) - from;
    precise float excess = settled(gained) - settled(less);
    float kept = settled(excess);
    return vec2(settled(to), abs(kept) < LARGE ? kept : 0.0);
}

// A sum with what an entry adds to it, if there is one: in the targets' order, and a weight of 0 is skipped.
vec2 with_entry(vec2 sum, uint entry, uint end, uint component) {
    uint target = entry < end ? source[stretch.targets + entry] : stretch.weight_count;
    float weight = target < stretch.weight_count ? weights[stretch.first_weight + target] : 0.0;
    if (weight == 0.0) {
        return sum;
    }
    precise float term = weight * uintBitsToFloat(source[stretch.deltas + entry * stretch.delta_width + component]);
    return added(sum, term);
}

// A number of a vertex with all that its targets add.
float morphed(uint number) {
    vec2 sum = vec2(uintBitsToFloat(source[number]), 0.0);
    uint vertex = number / stretch.width;
    uint component = number % stretch.width;
    if (component >= stretch.delta_width) {
        return sum.x;
    }
    uint begin = vertex == 0u ? 0u : source[stretch.ends + vertex - 1u];
    uint end = source[stretch.ends + vertex];
    // Mesa's software driver ends a shader's loops after 65,535 rounds in all, so a round takes several entries.
    for (uint entry = begin; entry < end; entry += ENTRIES) {
        sum = with_entry(sum, entry, end, component);
        sum = with_entry(sum, entry + 1u, end, component);
        sum = with_entry(sum, entry + 2u, end, component);
        sum = with_entry(sum, entry + 3u, end, component);
    }
    return sum.x;
}

// As a 16-bit fraction of 1, rounded as the host rounds.
uint fraction(float x) {
    precise float scaled = clamp(x, 0.0, 1.0) * 65535.0;
    precise float rest = scaled - floor(scaled);
    return uint(scaled) + (rest >= 0.5 ? 1u : 0u);
}

void main() {
    uint word = gl_GlobalInvocationID.x;
    if (word >= stretch.words) {
        return;
    }
    if (stretch.packed == 0u) {
        result[word] = floatBitsToUint(morphed(word));
    } else {
        result[word] = fraction(morphed(word * 2u)) | fraction(morphed(word * 2u + 1u)) << 16;
    }
}
