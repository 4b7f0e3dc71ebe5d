#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Skins a vertex and projects it. Compiled once for each mode and each number of spans.

#include "features.glsl"
#include "member.glsl"
#include "vertex.glsl"
#include "handed_on.glsl"

void main() {
    // Skinning ends in world space, with the CPU's bits; what follows is for the picture only.
    Affine moved = world_from_bind();
    Affine at_one = at_size_one(moved);
    float side = orientation(at_one);
    vec3 normal_in_world = transform_normal(at_one, side, normal);
    vec4 tangent_in_world = vec4(0.0);
    if (HAS_NORMAL_MAP) {
        tangent_in_world = transform_tangent(moved, side, tangent, normal_in_world);
    }
    vec3 position_in_world = among_others(transform_position(moved, position));
    hand_on(position_in_world, normal_in_world, tangent_in_world, side);
}
