#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Skins a vertex of a shadow caster, by the same arithmetic as mesh.vert, and projects it. Compiled once for each mode
// and each number of spans.

#include "member.glsl"
#include "vertex.glsl"
#include "cast.glsl"

void main() {
    hand_on(among_others(transform_position(world_from_bind(), position)));
}
