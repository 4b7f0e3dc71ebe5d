#version 450
#extension GL_GOOGLE_include_directive : require
// Draws the rim around points, lines and unlit surfaces: dark where they are light, and light where they are dark, so
// that they can be told from a background of their own brightness.

#include "surface.glsl"
#include "srgb.glsl"

layout(location = 0) out vec4 outColor;

// The light of a dark rim and of a light one: about that of the studio's upper and lower edge.
const float DARK = 0.02;
const float LIGHT = 0.58;

// The luminance whose contrast to both is the same, 3 (WCAG 2.1).
const float MIDDLE = 0.16;

void main() {
    vec4 base = HAS_COLORS ? inColor : vec4(1.0);
    vec3 emitted = vec3(0.0);
    if (HAS_FACTORS) {
        base *= material.base_color;
        emitted = material.emissive.rgb;
    }
    base *= texture(baseColorTexture, coordinates(material.base_color_u, material.base_color_v));
    if (HAS_EMISSIVE_MAP) {
        emitted *= texture(emissiveTexture, coordinates(material.emissive_u, material.emissive_v)).rgb;
    }
    // A rim would show through a blended surface that does not cover it.
    if (is_hole(base.a, is_front()) || (HAS_ALPHA && material.opaque == 0.0 && base.a < 0.99)) {
        discard;
    }
    float luminance = dot(base.rgb + emitted, vec3(0.2126, 0.7152, 0.0722));
    vec4 light = vec4(vec3(luminance > MIDDLE ? DARK : LIGHT), 1.0);
    outColor = ENCODES ? encoded(light) : light;
}
