#version 450
// Places triangles that are laid out in pixels on an image.

layout(location = 0) in vec2 place;
layout(location = 1) in vec2 within;
layout(location = 2) in vec4 color;

layout(push_constant) uniform Size {
    vec4 scale;   // x, y: what a pixel is multiplied with; z, w: what is added
};

layout(location = 0) out vec2 outWithin;
layout(location = 1) out vec4 outColor;

void main() {
    outWithin = within;
    outColor = color;
    gl_Position = vec4(place * scale.xy + scale.zw, 0.0, 1.0);
}
