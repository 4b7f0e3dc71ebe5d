#version 450
#extension GL_GOOGLE_include_directive : require
// Shows data of a surface instead of its light: directions, texture coordinates, or its vertices' colours.

#include "surface.glsl"

layout(location = 0) out vec4 outColor;

// From a stored value, on the curve of sRGB, to the light that is written.
vec3 light_of(vec3 stored) {
    return mix(pow((stored + 0.055) / 1.055, vec3(2.4)), stored / 12.92, lessThanEqual(stored, vec3(0.04045)));
}

// A direction as a picture stores it: 0 is 128, which rounding never moves to another byte.
vec3 stored(vec3 direction) {
    return (direction * 127.0 + 128.0) / 255.0;
}

void main() {
    Slopes around = slopes(false);
    float alpha = (material.base_color * inColor
        * texture(baseColorTexture, coordinates(material.base_color_u, material.base_color_v))).a;
    bool front = is_front();
    vec3 view = towards_eye();
    vec3 normal = smooth_normal(around, view, is_turned(view, front));
    if (is_hole(alpha, front)) {
        discard;
    }
    // A little darker where it turns away, so that its form shows.
    float towards = clamp(abs(dot(normal, view)), 0.0, 1.0);
    float facing = 0.7 + 0.3 * towards;
    vec3 shown;
    if (surface.view == SHOWS_NORMALS) {
        shown = light_of(stored(normal));
    } else if (surface.view == SHOWS_TANGENTS) {
        float there = dot(inTangentInWorld.xyz, inTangentInWorld.xyz);
        shown = there > 1e-12 ? light_of(stored(inTangentInWorld.xyz * inversesqrt(there))) : vec3(0.2);
    } else if (surface.view == SHOWS_TEXCOORDS) {
        vec2 place = fract(inTexcoords.xy);
        vec2 square = floor(place * 8.0);
        float dark = mod(square.x + square.y, 2.0) == 0.0 ? 0.75 : 1.0;
        shown = light_of(vec3(place, 0.25)) * dark;
    } else if (surface.view == SHOWS_PAPER) {
        shown = vec3(0.2 + 0.45 * towards);
    } else if (surface.view == SHOWS_LINES) {
        shown = vec3(0.012, 0.016, 0.03);
    } else {
        shown = inColor.rgb * facing;
    }
    outColor = vec4(shown, 1.0);
}
