// Where light comes from: the studio all around, the key light with its shadow, and the file's own lights.
// It must not know surfaces or what they do with light.
// Host side: src/lighting.rs, and build/environment.rs for the studio.

#ifndef SINEW_LIGHTING
#define SINEW_LIGHTING

#include "frame.glsl"

layout(set = 2, binding = 0) uniform samplerCube studioTexture;       // one roughness a level
layout(set = 2, binding = 1) uniform sampler2DShadow shadowTexture;
layout(set = 2, binding = 2) uniform sampler2D contactTexture;

// Levels of the studio's texture are for roughness 0 to 1.
const float ROUGHEST_LEVEL = 4.0;

// The studio turns with the viewer.
vec3 in_studio(vec3 direction) {
    float c = frame.studio_from_world.x;
    float s = frame.studio_from_world.y;
    return vec3(c * direction.x - s * direction.z, direction.y, s * direction.x + c * direction.z);
}

// Light from all around on a matt surface, over pi.
float irradiance(vec3 normal) {
    vec3 n = in_studio(normal);
    vec4 first = frame.irradiance[0];
    vec4 second = frame.irradiance[1];
    float sum = first.x + first.y * n.y + first.z * n.z + first.w * n.x
        + second.x * n.x * n.y + second.y * n.y * n.z + second.z * (3.0 * n.z * n.z - 1.0) + second.w * n.x * n.z
        + frame.irradiance[2].x * (n.x * n.x - n.y * n.y);
    return max(sum, 0.0) * frame.studio_from_world.z;
}

// What a surface of that roughness mirrors in that direction.
float mirror_image(vec3 direction, float roughness) {
    return textureLod(studioTexture, in_studio(direction), roughness * ROUGHEST_LEVEL).r * frame.studio_from_world.z;
}

// How much of the key light gets to a point, seen softly over a few points of the map. A point that the map
// does not show, or that lies behind all it shows, is lit.
float key_light_at(vec3 position, float softness) {
    vec3 at = (frame.shadow_from_world * vec4(position, 1.0)).xyz;
    at.z = max(at.z, 0.0);
    vec2 texel = softness / vec2(textureSize(shadowTexture, 0));
    float lit = texture(shadowTexture, at + vec3(-0.5, -1.5, 0.0) * texel.xyy)
        + texture(shadowTexture, at + vec3(1.5, -0.5, 0.0) * texel.xyy)
        + texture(shadowTexture, at + vec3(0.5, 1.5, 0.0) * texel.xyy)
        + texture(shadowTexture, at + vec3(-1.5, 0.5, 0.0) * texel.xyy);
    return lit * 0.25;
}

// A light of the file: from where, and how strong at the point (KHR_lights_punctual).
vec3 file_light(int number, vec3 position, out vec3 towards) {
    Light light = frame.lights[number];
    if (light.place.w == 0.0) {
        towards = light.place.xyz;
        return light.color.rgb;
    }
    vec3 to_light = light.place.xyz - position;
    float squared = max(dot(to_light, to_light), 1e-8);
    towards = to_light * inversesqrt(squared);
    float reach = squared * light.color.w;
    float window = clamp(1.0 - reach * reach, 0.0, 1.0);
    float in_cone = clamp(dot(light.direction.xyz, -towards) * light.cone.x + light.cone.y, 0.0, 1.0);
    return light.color.rgb * (window * in_cone * in_cone / squared);
}

#endif
