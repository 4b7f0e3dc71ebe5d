#version 450
// Colours a pixel of a triangle by its texture. Colours are on the curve of sRGB with alpha in them, and are mixed
// so, as user interfaces expect it. It must not know what they show.

layout(location = 0) in vec2 inWithin;
layout(location = 1) in vec4 inColor;

layout(set = 0, binding = 0) uniform sampler2D picture;

layout(location = 0) out vec4 outColor;

void main() {
    outColor = inColor * textureLod(picture, inWithin, 0.0);
}
