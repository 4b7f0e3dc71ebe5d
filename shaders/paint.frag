#version 450
// Colours a pixel of a triangle by its texture. Colours are on the curve of sRGB and premultiplied, and
// are mixed on the curve, as user interfaces expect.

layout(location = 0) in vec2 inWithin;
layout(location = 1) in vec4 inColor;

layout(set = 0, binding = 0) uniform sampler2D picture;

layout(location = 0) out vec4 outColor;

void main() {
    outColor = inColor * textureLod(picture, inWithin, 0.0);
}
