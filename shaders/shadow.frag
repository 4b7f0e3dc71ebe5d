#version 450
#extension GL_GOOGLE_include_directive : require
// Cuts the holes of a surface out of its shadow.

#include "surface.glsl"

void main() {
    float alpha = (material.base_color * inColor
        * texture(baseColorTexture, coordinates(material.base_color_u, material.base_color_v))).a;
    // A surface that lets more than half of the light through casts no shadow.
    float hole = material.opaque == 1.0 ? material.alpha_cutoff : 0.5;
    if (alpha < hole) {
        discard;
    }
}
