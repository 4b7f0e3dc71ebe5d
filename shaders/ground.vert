#version 450
#extension GL_GOOGLE_include_directive : require
// Lays a square on the ground, as wide as the ground is seen.

#include "frame.glsl"

layout(location = 0) out vec2 outFromMiddle;   // 1 where the ground is last seen
layout(location = 1) out vec3 outInShadowMap;
layout(location = 2) out vec2 outInContactMap;

void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    vec4 position = vec4(frame.ground.xyz + vec3(corner.x, 0.0, corner.y) * frame.ground.w, 1.0);
    outFromMiddle = corner;
    outInShadowMap = (frame.shadow_from_world * position).xyz;
    outInContactMap = (frame.contact_from_world * position).xy;
    gl_Position = frame.clip_from_world * position;
}
