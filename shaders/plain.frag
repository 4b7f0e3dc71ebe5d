#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Shades a point of a surface as matt paint under the key light and the sky: the least that shows form and textures.

#include "features.glsl"
#include "surface.glsl"
#include "srgb.glsl"

layout(location = 0) out vec4 outColor;

// Light from above and below, of a vertical normal, over pi.
float sky(float up) {
    return frame.irradiance[3].w + (frame.irradiance[1].w + frame.irradiance[3].y) * up;
}

// The same, where it is coloured.
vec3 colored_sky(float up) {
    vec3 level = vec3(frame.irradiance[3].w, frame.irradiance_green[3].w, frame.irradiance_blue[3].w);
    vec3 above = vec3(frame.irradiance[1].w + frame.irradiance[3].y,
                      frame.irradiance_green[1].w + frame.irradiance_green[3].y,
                      frame.irradiance_blue[1].w + frame.irradiance_blue[3].y);
    return max(level + above * up, vec3(0.0));
}

// The normal of the side that faces the viewer, without its length. Without normals in the mesh, that of the triangle.
vec3 facing_normal(bool front) {
    if (HAS_NORMALS && dot(inNormalInWorld, inNormalInWorld) > 1e-12) {
        return front ? inNormalInWorld : -inNormalInWorld;
    }
    // Window y points down, so this order faces the viewer. Slivers are as small as their pixels.
    return cross(dFdy(inPositionInWorld), dFdx(inPositionInWorld));
}

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
    bool front = is_front();
    vec3 normal = facing_normal(HAS_ODD_SIDES ? !is_turned(towards_eye(), front) : front);
    if (is_hole(base.a, front)) {
        discard;
    }
    float alpha = HAS_ALPHA ? mix(base.a, 1.0, material.opaque) : 1.0;
    vec3 lit = base.rgb;
    if (!IS_UNLIT && !(HAS_ODD_SIDES && surface.lightless == 1u)) {
        normal *= inversesqrt(max(dot(normal, normal), 1e-36));
        float key = max(dot(normal, frame.light_in_world.xyz), 0.0) * 0.318309886;
        if (IS_COLORED) {
            lit *= frame.light_color.rgb * key + colored_sky(normal.y);
        } else {
            lit *= frame.light_color.rgb * key + sky(normal.y);
        }
        if (IS_EXPOSED) {
            lit *= frame.raster.w;
            emitted *= frame.raster.w;
        }
    }
    vec4 light = vec4((lit + emitted) * alpha, alpha);
    outColor = ENCODES ? encoded(light) : light;
}
