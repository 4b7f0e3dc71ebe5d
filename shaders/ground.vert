#version 450
#extension GL_GOOGLE_include_directive : require
// Lays a square on the ground, as wide as it is seen. It must not know the mesh.

#include "frame.glsl"

layout(location = 0) out vec3 outPositionInWorld;

void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    outPositionInWorld = frame.ground.xyz + vec3(corner.x, 0.0, corner.y) * frame.ground.w;
    gl_Position = frame.clip_from_view * (frame.view_from_world * vec4(outPositionInWorld, 1.0));
}
