#version 450
#extension GL_GOOGLE_include_directive : require
// Covers as much of a pixel as a stroke, a letter or a plain area does.

#include "shared.glsl"

layout(location = 0) in vec2 inWithin;       // strokes: along and beside, in pixels; rings: from the middle, in pixels; letters: the pixel of the coverage
layout(location = 1) flat in vec3 inShape;   // strokes: length and both radii; MARK_RING, radius and half the thickness; or MARK_LETTER, MARK_AREA
layout(location = 2) in vec4 inColor;

layout(set = 0, binding = 0) uniform sampler2D letters;

layout(location = 0) out vec4 outColor;

void main() {
    float covered = 1.0;
    if (inShape.x >= 0.0) {
        float along = clamp(inWithin.x, 0.0, inShape.x);
        float radius = inShape.x > 0.0 ? mix(inShape.y, inShape.z, along / inShape.x) : inShape.y;
        float away = distance(inWithin, vec2(along, 0.0));
        // Thinner than a pixel is fainter.
        covered = clamp(radius + 0.5 - away, 0.0, min(1.0, 2.0 * radius));
    } else if (inShape.x == MARK_RING) {
        float away = abs(length(inWithin) - inShape.y);
        covered = clamp(inShape.z + 0.5 - away, 0.0, min(1.0, 2.0 * inShape.z));
    } else if (inShape.x == MARK_LETTER) {
        covered = texelFetch(letters, ivec2(floor(inWithin)), 0).r;
        // Mixed in linear light, dark letters would be thinner than light ones.
        float open = 1.0 - covered;
        float dark = 1.0 - clamp(max(inColor.r, max(inColor.g, inColor.b)), 0.0, 1.0);
        covered = 1.0 - open * mix(1.0, open, dark);
    }
    float alpha = inColor.a * covered;
    outColor = vec4(inColor.rgb * alpha, alpha);
}
