#version 450
#extension GL_GOOGLE_include_directive : require
// The mean of a pixel's four samples of light becomes bytes.

#include "srgb.glsl"

layout(set = 0, binding = 0) uniform sampler2DMS light;

layout(location = 0) out vec4 outColor;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 sum = texelFetch(light, pixel, 0) + texelFetch(light, pixel, 1)
        + texelFetch(light, pixel, 2) + texelFetch(light, pixel, 3);
    outColor = encoded(sum * 0.25);
}
