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

// How a soft light from the viewer's left shoulder and from the viewer falls on a surface: 1 where it faces the viewer or
// the light, so that colours are those of the legend, and down to 0.36, two thirds of the lightness, where it turns away.
float soft_light(vec3 normal, vec3 view) {
    vec3 lamp = normalize(view + 0.8 * frame.light_in_world.xyz);
    float lit = min(dot(normal, lamp) / max(dot(view, lamp), 0.1), 1.0);
    float towards = clamp(dot(normal, view), 0.0, 1.0);
    return mix(0.42, 1.0, clamp((lit + 0.4) / 1.4, 0.0, 1.0)) * mix(0.85, 1.0, towards);
}

// Dark on what is light, and light on what is dark.
vec3 ink_on(vec3 color) {
    return dot(color, vec3(0.2126, 0.7152, 0.0722)) > 0.09 ? vec3(0.012, 0.016, 0.03) : vec3(0.6);
}

// Grey with stripes across, fixed to the picture.
float hatched() {
    vec2 pixel = gl_FragCoord.xy + frame.raster.xy;
    float stripe = 3.5 * frame.raster.z;
    float along = abs(fract((pixel.x + pixel.y) / (2.0 * stripe)) - 0.5) * 2.0;
    return mix(HATCH_GROUND, HATCH_STRIPE, clamp((along - 0.5) * stripe + 0.5, 0.0, 1.0));
}

void main() {
    Slopes around = slopes(false);
    vec4 base = material.base_color * inColor
        * texture(baseColorTexture, coordinates(material.base_color_u, material.base_color_v));
    float alpha = base.a;
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
    switch (surface.view) {
    case SHOWS_NORMALS:
        shown = light_of(stored(normal));
        break;
    case SHOWS_TANGENTS: {
        float there = dot(inTangentInWorld.xyz, inTangentInWorld.xyz);
        shown = there > 1e-12 ? light_of(stored(inTangentInWorld.xyz * inversesqrt(there))) : vec3(0.2);
        break;
    }
    case SHOWS_TEXCOORDS: {
        vec2 place = fract(inTexcoords.xy);
        vec2 square = floor(place * 8.0);
        float dark = mod(square.x + square.y, 2.0) == 0.0 ? 0.75 : 1.0;
        shown = light_of(vec3(place, 0.25)) * dark;
        break;
    }
    case SHOWS_PAPER:
        shown = vec3(0.2 + 0.45 * towards);
        break;
    case SHOWS_LINES:
        shown = vec3(0.012, 0.016, 0.03);
        break;
    case SHOWS_EDGES:
        shown = ink_on(base.rgb);
        break;
    case SHOWS_EDGES_OF_COLORS:
        shown = ink_on(inColor.rgb);
        break;
    case SHOWS_EDGES_OF_PART:
    case SHOWS_FLAT_PART:
    case SHOWS_PART:
        // A corner without alpha takes its whole triangle away.
        if (inColor.a < 0.999) {
            discard;
        }
        if (surface.view == SHOWS_EDGES_OF_PART) {
            shown = ink_on(inColor.rgb);
        } else {
            shown = inColor.rgb * (surface.view == SHOWS_PART ? soft_light(normal, view) : facing);
        }
        break;
    case SHOWS_COLORS:
        shown = inColor.rgb * facing;
        break;
    case SHOWS_LIT_COLORS:
    case SHOWS_JOINTS:
    case SHOWS_LIT_JOINTS: {
        shown = inColor.rgb;
        // No joint has a colour as dark as this.
        bool jointless = max(shown.r, max(shown.g, shown.b)) < 0.1;
        if (jointless && surface.view != SHOWS_LIT_COLORS) {
            shown = vec3(hatched());
        }
        shown *= surface.view == SHOWS_JOINTS ? facing : soft_light(normal, view);
        break;
    }
    default:
        // Magenta, which tests refuse.
        shown = vec3(1.0, 0.0, 1.0);
    }
    outColor = vec4(shown, 1.0);
}
