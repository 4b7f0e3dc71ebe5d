#version 450
#extension GL_GOOGLE_include_directive : require
// Shades a point of a surface: one key light and a sky above a ground, metallic-roughness.
// It must not know how the vertices got where they are.

#include "frame.glsl"

layout(location = 0) in vec3 inPositionInWorld;
layout(location = 1) in vec3 inNormalInWorld;
layout(location = 2) in vec4 inTexcoords;   // both sets
layout(location = 3) in vec4 inColor;
layout(location = 4) flat in float inOrientation;

// Host side: MaterialBlock in src/render/material_block.rs; a test compares the two member by member.
layout(set = 1, binding = 0) uniform Material {
    vec4 base_color;
    vec4 emissive;        // rgb; w: 1 adds it to the base colour, and that is all
    vec4 base_color_u;    // xyz: what makes u out of (u, v, 1); w: which set of coordinates
    vec4 base_color_v;    // the same for v
    vec4 emissive_u;
    vec4 emissive_v;
    float metallic;
    float roughness;
    float alpha_cutoff;   // below it: a hole; 0 for none
    float opaque;         // 1: alpha is ignored
} material;

layout(set = 1, binding = 1) uniform sampler2D baseColorTexture;
layout(set = 1, binding = 2) uniform sampler2D emissiveTexture;

layout(push_constant) uniform Surface {
    float sides;          // which side this is: 0 gl_FrontFacing, 1 the other where mirrored, 2 not known
    float hide_back;      // 1: back sides are holes
    float lightless;      // 1: there is no normal and no surface; shown like unlit
} surface;

layout(location = 0) out vec4 outColor;

const float PI = 3.14159265358979;

// Trowbridge-Reitz (GGX) distribution, Smith visibility, Schlick Fresnel: glTF 2.0, appendix B.
vec3 specular(vec3 f0, float alpha, float n_l, float n_v, float n_h, float v_h) {
    float a2 = alpha * alpha;
    float denominator = n_h * n_h * (a2 - 1.0) + 1.0;
    float distribution = a2 / (PI * denominator * denominator);
    float visibility = 0.5 / max(n_l * sqrt(n_v * n_v * (1.0 - a2) + a2) + n_v * sqrt(n_l * n_l * (1.0 - a2) + a2), 1e-6);
    vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - v_h, 5.0);
    return fresnel * distribution * visibility;
}

// Light from all around where the direction points.
vec3 surroundings(vec3 direction) {
    return mix(frame.ground_color.rgb, frame.sky_color.rgb, 0.5 + 0.5 * direction.y);
}

// How much of the light from all around is reflected to the viewer: Karis, Physically Based Shading on
// Mobile (2014), a fit of the split-sum integral. Unlike Schlick's curve it knows that rough surfaces
// do not shine at grazing angles.
vec3 reflected(vec3 f0, float roughness, float n_v) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    vec2 scale_and_bias = vec2(-1.04, 1.04) * a + r.zw;
    vec3 once = max(f0 * scale_and_bias.x + scale_and_bias.y, 0.0);
    // What a rough metal scatters back and forth is not lost: Lagarde, Golubev (Filament), 4.7.2.
    return once * (1.0 + f0 * (1.0 / (scale_and_bias.x + scale_and_bias.y) - 1.0));
}

// Khronos PBR Neutral tone mapper: keeps colours as they are up to 0.8 and rolls off above.
vec3 neutral(vec3 color) {
    const float start = 0.8 - 0.04;
    const float desaturation = 0.15;
    float x = min(color.r, min(color.g, color.b));
    float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
    color -= offset;
    float peak = max(color.r, max(color.g, color.b));
    if (peak < start) {
        return color;
    }
    float d = 1.0 - start;
    float new_peak = 1.0 - d * d / (peak + d - start);
    color *= new_peak / peak;
    float g = 1.0 - 1.0 / (desaturation * (peak - new_peak) + 1.0);
    return mix(color, vec3(new_peak), g);
}

// Where a texture is read: its own set of coordinates, transformed.
vec2 coordinates(vec4 row_u, vec4 row_v) {
    vec3 from = vec3(row_u.w == 0.0 ? inTexcoords.xy : inTexcoords.zw, 1.0);
    return vec2(dot(row_u.xyz, from), dot(row_v.xyz, from));
}

void main() {
    // Textures before anything is discarded: their level of detail is asked of the neighbours.
    vec4 base = material.base_color * inColor
        * texture(baseColorTexture, coordinates(material.base_color_u, material.base_color_v));
    vec3 emitted = material.emissive.rgb
        * texture(emissiveTexture, coordinates(material.emissive_u, material.emissive_v)).rgb;
    // A mesh without normals has zeros there and is shaded flat. Window y points down, so this order
    // faces the viewer. Before anything is discarded: afterwards there may be no neighbours to ask.
    vec3 down = dFdy(inPositionInWorld);
    vec3 right = dFdx(inPositionInWorld);
    vec3 flat_normal = cross(down / max(length(down), 1e-18), right / max(length(right), 1e-18));
    bool is_front = gl_FrontFacing != (surface.sides == 1.0 && inOrientation < 0.0);
    if (base.a < material.alpha_cutoff || (surface.hide_back == 1.0 && !is_front)) {
        discard;
    }
    float alpha = mix(base.a, 1.0, material.opaque);
    if (material.emissive.w == 1.0 || surface.lightless == 1.0) {
        outColor = vec4((base.rgb + emitted) * alpha, alpha);
        return;
    }

    vec3 view = normalize(frame.eye_in_world.xyz - inPositionInWorld * frame.eye_in_world.w);
    vec3 normal = view;
    if (dot(inNormalInWorld, inNormalInWorld) > 1e-12) {
        // Seen from behind, it is the back face that is lit.
        vec3 given = normalize(inNormalInWorld);
        normal = (surface.sides == 2.0 ? dot(given, view) >= 0.0 : is_front) ? given : -given;
    } else if (dot(flat_normal, flat_normal) > 0.0) {
        // A sliver has none; it is lit as if it faced the viewer.
        normal = normalize(flat_normal);
    }

    vec3 light = frame.light_in_world.xyz;
    vec3 halfway = normalize(light + view);
    float n_l = clamp(dot(normal, light), 0.0, 1.0);
    // An interpolated normal can point away from the viewer. The surface is seen all the same, so it is
    // not as if it were seen edge-on, where everything shines.
    float n_v = clamp(abs(dot(normal, view)), 1e-3, 1.0);
    float n_h = clamp(dot(normal, halfway), 0.0, 1.0);
    float v_h = clamp(dot(view, halfway), 0.0, 1.0);

    float roughness = clamp(material.roughness, 0.05, 1.0);
    vec3 f0 = mix(vec3(0.04), base.rgb, material.metallic);
    vec3 diffuse = base.rgb * (1.0 - material.metallic) / PI;
    vec3 lit = (diffuse + specular(f0, roughness * roughness, n_l, n_v, n_h, v_h)) * frame.light_color.rgb * n_l;

    vec3 mirrored = reflect(-view, normal);
    vec3 around = mix(surroundings(mirrored), surroundings(normal), roughness);
    vec3 ambient = base.rgb * (1.0 - material.metallic) * surroundings(normal) + reflected(f0, roughness, n_v) * around;

    outColor = vec4(neutral(lit + ambient + emitted) * alpha, alpha);
}
