#version 450
#extension GL_GOOGLE_include_directive : require
// A pixel of light becomes bytes.

#include "srgb.glsl"

layout(set = 0, binding = 0) uniform sampler2D light;

layout(location = 0) out vec4 outColor;

void main() {
    outColor = encoded(texelFetch(light, ivec2(gl_FragCoord.xy), 0));
}
