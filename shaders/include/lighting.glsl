// Where light comes from: the studio all around, the key light with its shadow, and the file's own lights.
// Host side: src/lighting.rs, and build/environment.rs for the studio.

#ifndef SINEW_LIGHTING
#define SINEW_LIGHTING

#include "features.glsl"
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
    vec4 n = vec4(normal, 1.0);
    vec4 turned = n;
    float sum = 0.0;
    int column = 0;
    [[dont_unroll]] while (column < 4) {
        sum += dot(frame.irradiance[column], n) * turned.x;
        turned = turned.yzwx;
        column++;
    }
    return max(sum, 0.0);
}

// The same, where it is coloured.
vec3 colored_irradiance(vec3 normal) {
    vec4 n = vec4(normal, 1.0);
    vec4 turned = n;
    vec3 sum = vec3(0.0);
    int column = 0;
    [[dont_unroll]] while (column < 4) {
        sum += vec3(dot(frame.irradiance[column], n), dot(frame.irradiance_green[column], n),
                    dot(frame.irradiance_blue[column], n)) * turned.x;
        turned = turned.yzwx;
        column++;
    }
    return max(sum, vec3(0.0));
}

// What a surface of that roughness mirrors in that direction; of grey light red alone.
vec3 mirror_image(vec3 direction, float roughness) {
    vec4 texel = textureLod(studioTexture, in_studio(direction), roughness * ROUGHEST_LEVEL);
    if (IS_COLORED) {
        return texel.rgb;
    }
    return texel.rrr;
}

// Where a position is in the shadow map, with its depth there: a matrix product, column by column.
vec3 shadow_map_at(vec3 position) {
    vec4 turned = vec4(position, 1.0);
    vec3 at = vec3(0.0);
    int column = 3;
    [[dont_unroll]] while (column >= 0) {
        at = fma(frame.shadow_from_world[column].xyz, turned.www, at);
        turned = turned.wxyz;
        column--;
    }
    return at;
}

// A place of the shadow map with its depth there. What lies behind everything in the map is lit like what lies beside
// the map.
vec3 before_all(vec3 at) {
    return vec3(at.xy, max(at.z, 0.0));
}

// The weighted sum of four neighbours, in the order of textureGather. Maps are filtered here and not by their samplers,
// since not every device can filter depth.
float weighted(vec4 four, vec2 across, vec2 down) {
    return dot(vec2(four.w, four.z), across) * down.x + dot(vec2(four.x, four.y), across) * down.y;
}

// How much of the key light reaches a place of the map, interpolated between its four neighbours.
float lit_between(vec3 at) {
    vec2 size = vec2(textureSize(shadowTexture, 0));
    vec2 texel = floor(at.xy * size - 0.5);
    vec2 part = at.xy * size - 0.5 - texel;
    vec4 four = textureGather(shadowTexture, (texel + 1.0) / size, at.z);
    return weighted(four, vec2(1.0 - part.x, part.x), vec2(1.0 - part.y, part.y));
}

// How much of the key light reaches a point: the mean over three by three texels of the map.
float key_light_at(vec3 position) {
    vec3 at = before_all(shadow_map_at(position));
    vec2 size = vec2(textureSize(shadowTexture, 0));
    vec2 texel = floor(at.xy * size - 0.5);
    vec2 part = at.xy * size - 0.5 - texel;
    vec4 across = vec4(1.0 - part.x, 1.0, 1.0, part.x);
    vec4 down = vec4(1.0 - part.y, 1.0, 1.0, part.y);
    float lit = weighted(textureGather(shadowTexture, texel / size, at.z), across.xy, down.xy)
        + weighted(textureGather(shadowTexture, (texel + vec2(2.0, 0.0)) / size, at.z), across.zw, down.xy)
        + weighted(textureGather(shadowTexture, (texel + vec2(0.0, 2.0)) / size, at.z), across.xy, down.zw)
        + weighted(textureGather(shadowTexture, (texel + 2.0) / size, at.z), across.zw, down.zw);
    return lit / 9.0;
}

// How near to the ground something is, 1 on it and 0 where nothing is near, interpolated between four neighbours.
float contact_between(vec2 at) {
    vec2 size = vec2(textureSize(contactTexture, 0));
    vec2 texel = floor(at * size - 0.5);
    vec2 part = at * size - 0.5 - texel;
    vec4 four = textureGather(contactTexture, (texel + 1.0) / size);
    return weighted(four, vec2(1.0 - part.x, part.x), vec2(1.0 - part.y, part.y));
}

// A light of the file: its direction and its strength at the point (KHR_lights_punctual).
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
