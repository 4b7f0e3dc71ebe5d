#version 450
// Places corners of strokes and letters, which the CPU has laid out over the whole picture, in the tile that is drawn.

layout(location = 0) in vec3 place;
layout(location = 1) in vec2 within;
layout(location = 2) in vec3 shape;
layout(location = 3) in vec4 color;

layout(push_constant) uniform Crop {
    vec4 crop;   // x, y: what the place is multiplied with; z, w: what is added
};

layout(location = 0) out vec2 outWithin;
layout(location = 1) flat out vec3 outShape;
layout(location = 2) out vec4 outColor;

void main() {
    outWithin = within;
    outShape = shape;
    outColor = color;
    gl_Position = vec4(place.xy * crop.xy + crop.zw, place.z, 1.0);
}
