// A point of a surface as the rasterizer hands it over, its material, and what follows from both: texture
// coordinates, sides, normals.

#ifndef SINEW_SURFACE
#define SINEW_SURFACE

#include "shared.glsl"

#include "features.glsl"
#include "frame.glsl"
#include "surface_block.glsl"

layout(location = 0) in vec3 inPositionInWorld;
layout(location = 1) in vec3 inNormalInWorld;
layout(location = 2) in vec4 inTexcoords;   // both sets
layout(location = 3) in vec4 inColor;
layout(location = 4) flat in float inOrientation;
layout(location = 5) in vec4 inTangentInWorld;

// Host side: MaterialBlock in src/render/interface/material_block.rs; a test compares the two member by member.
layout(set = 1, binding = 0) uniform Material {
    vec4 base_color;
    vec4 emissive;               // rgb; w: the share of light that passes
    vec4 specular;               // rgb: what a dielectric reflects face-on; w: what it reflects edge-on
    vec4 sheen;                  // rgb: colour; w: roughness
    vec4 base_color_u;           // xyz: what makes u out of (u, v, 1); w: which set of coordinates
    vec4 base_color_v;           // the same for v
    vec4 metallic_roughness_u;
    vec4 metallic_roughness_v;
    vec4 normal_u;
    vec4 normal_v;
    vec4 occlusion_u;
    vec4 occlusion_v;
    vec4 emissive_u;
    vec4 emissive_v;
    float metallic;
    float roughness;
    float alpha_cutoff;          // below it: a hole; 0 for none
    float opaque;                // 1: alpha is ignored
    float normal_scale;
    float occlusion_strength;
    float clearcoat;
    float clearcoat_roughness;
} material;

layout(set = 1, binding = 1) uniform sampler2D baseColorTexture;
layout(set = 1, binding = 2) uniform sampler2D metallicRoughnessTexture;
layout(set = 1, binding = 3) uniform sampler2D normalTexture;
layout(set = 1, binding = 4) uniform sampler2D occlusionTexture;
layout(set = 1, binding = 5) uniform sampler2D emissiveTexture;

// Where a texture is read: its own set of coordinates, transformed.
vec2 coordinates(vec4 row_u, vec4 row_v) {
    if (!HAS_TRANSFORMS) {
        return inTexcoords.xy;
    }
    vec3 from = vec3(row_u.w == 0.0 ? inTexcoords.xy : inTexcoords.zw, 1.0);
    return vec2(dot(row_u.xyz, from), dot(row_v.xyz, from));
}

// How things change from pixel to pixel. Computed before anything is discarded: afterwards there may be no neighbours
// to compare with.
struct Slopes {
    vec3 right;        // of the position, to the right
    vec3 down;         // and down
    vec2 map_right;    // of the normal map's coordinates
    vec2 map_down;
};

Slopes slopes(bool of_normal_map) {
    Slopes found = Slopes(dFdx(inPositionInWorld), dFdy(inPositionInWorld), vec2(0.0), vec2(0.0));
    if (of_normal_map) {
        vec2 at = coordinates(material.normal_u, material.normal_v);
        found.map_right = dFdx(at);
        found.map_down = dFdy(at);
    }
    return found;
}

// From the surface to the eye.
vec3 towards_eye() {
    return normalize(frame.eye_in_world.xyz - inPositionInWorld * frame.eye_in_world.w);
}

bool is_front() {
    return gl_FrontFacing != (HAS_ODD_SIDES && surface.sides == SIDES_BY_VERTEX && inOrientation < 0.0);
}

// Whether the point is a hole of its surface.
bool is_hole(float alpha, bool front) {
    return (HAS_ALPHA && alpha < material.alpha_cutoff) || (HAS_ODD_SIDES && surface.hide_back == 1u && !front);
}

// Whether the side that faces the viewer is the one that the mesh's normal points away from.
bool is_turned(vec3 view, bool front) {
    return HAS_ODD_SIDES && surface.sides == SIDES_UNKNOWN ? dot(inNormalInWorld, view) < 0.0 : !front;
}

// The normal of the side that faces the viewer: from behind, the back is lit. A mesh without normals has zeros there and
// is shaded flat; a sliver without an area is lit as if it faced the viewer.
vec3 smooth_normal(Slopes around, vec3 view, bool turned) {
    if (HAS_NORMALS && dot(inNormalInWorld, inNormalInWorld) > 1e-12) {
        return normalize(inNormalInWorld) * (turned ? -1.0 : 1.0);
    }
    // Window y points down, so this order faces the viewer.
    vec3 down = around.down / max(length(around.down), 1e-18);
    vec3 right = around.right / max(length(around.right), 1e-18);
    vec3 flat_normal = cross(down, right);
    return dot(flat_normal, flat_normal) > 0.0 ? normalize(flat_normal) : view;
}

// Where a normal map's x and y point: along growing u, and up in the texture, against v. By the file's tangents, or,
// where there are none, by how position and coordinates change between pixels: Schüler,
// Followup: Normal Mapping Without Precomputed Tangents (2013). Bumps seen from behind are dents.
mat2x3 tangent_frame(vec3 normal, Slopes around, bool turned) {
    float side = turned ? -1.0 : 1.0;
    vec3 tangent = inTangentInWorld.xyz - normal * dot(normal, inTangentInWorld.xyz);
    if (dot(tangent, tangent) > 1e-12) {
        tangent = normalize(tangent);
        return mat2x3(tangent * side, cross(normal, tangent) * inTangentInWorld.w);
    }
    vec3 across_down = cross(normal, around.down);
    vec3 across_right = cross(around.right, normal);
    vec3 u = across_down * around.map_right.x + across_right * around.map_down.x;
    vec3 v = across_down * around.map_right.y + across_right * around.map_down.y;
    float longer = max(dot(u, u), dot(v, v));
    float scale = longer > 0.0 ? side * inversesqrt(longer) : 0.0;
    return mat2x3(u * scale, v * -scale);
}

// The normal bent by the normal map.
vec3 bent_normal(vec3 normal, Slopes around, bool turned) {
    vec3 texel = texture(normalTexture, coordinates(material.normal_u, material.normal_v)).xyz * 2.0 - 1.0;
    texel.xy *= material.normal_scale;
    mat2x3 along = tangent_frame(normal, around, turned);
    vec3 bent = along[0] * texel.x + along[1] * texel.y + normal * texel.z;
    return dot(bent, bent) > 0.0 ? normalize(bent) : normal;
}

#endif
