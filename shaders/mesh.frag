#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Shades a point of a surface: metallic-roughness under a key light, the studio around it, and the file's
// lights.

#include "features.glsl"
#include "surface.glsl"
#include "brdf.glsl"
#include "lighting.glsl"
#include "tone.glsl"

layout(location = 0) out vec4 outColor;

// What a dielectric without KHR_materials_ior and KHR_materials_specular mirrors face-on and edge-on.
// Host side: MaterialBlock in src/render/interface/material_block.rs; a test compares the two.
const vec4 DIELECTRIC = vec4(vec3(0.040000003), 1.0);

// What a clear layer mirrors (KHR_materials_clearcoat).
const vec4 COAT = vec4(0.04, 0.04, 0.04, 1.0);

Substance substance(vec3 base) {
    float metallic = material.metallic;
    float roughness = material.roughness;
    if (HAS_METALLIC_ROUGHNESS_MAP) {
        vec4 texel = texture(metallicRoughnessTexture,
            coordinates(material.metallic_roughness_u, material.metallic_roughness_v));
        roughness *= texel.g;
        metallic *= texel.b;
    }
    Substance made;
    made.diffuse = base * (1.0 - metallic);
    made.passed = vec3(0.0);
    if (HAS_ALPHA) {
        made.passed = made.diffuse * material.emissive.w;
        made.diffuse -= made.passed;
    }
    made.coat = HAS_FACTORS ? material.specular : DIELECTRIC;
    made.mirrored = mix(made.coat, vec4(base, 1.0), metallic);
    made.roughness = clamp(roughness, 0.05, 1.0);
    return made;
}

// Ambient light, as far as occlusion lets it in.
vec3 ambient(Substance of, vec3 normal, vec3 view, float n_v, float open) {
    vec2 sums = split_sum(of.roughness, n_v);
    vec3 around;
    if (IS_COLORED) {
        around = colored_irradiance(normal);
    } else {
        around = vec3(irradiance(normal));
    }
    vec3 scattered = of.diffuse * (1.0 - mirrored_around(of.coat, sums)) * around;
    vec3 mirrored = mirrored_around(of.mirrored, sums);
    return (scattered + mirrored * mirror_image(reflect(-view, normal), of.roughness)) * open;
}

void main() {
    // Textures before anything is discarded: their level of detail depends on the neighbouring pixels.
    Slopes around = slopes(HAS_NORMAL_MAP);
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
    vec3 view = towards_eye();
    bool turned = is_turned(view, front);
    vec3 smooth_one = smooth_normal(around, view, turned);
    vec3 normal = smooth_one;
    if (HAS_NORMAL_MAP) {
        normal = bent_normal(smooth_one, around, turned);
    }
    float open = 1.0;
    if (HAS_OCCLUSION_MAP) {
        float texel = texture(occlusionTexture, coordinates(material.occlusion_u, material.occlusion_v)).r;
        open = 1.0 + material.occlusion_strength * (texel - 1.0);
    }
    Substance made = substance(base.rgb);

    if (is_hole(base.a, front)) {
        discard;
    }
    float alpha = HAS_ALPHA ? mix(base.a, 1.0, material.opaque) : 1.0;
    if (IS_UNLIT || (HAS_ODD_SIDES && surface.lightless == 1u)) {
        outColor = vec4((base.rgb + emitted) * alpha, alpha);
        return;
    }

    // A bent or interpolated normal can point away from the viewer. The surface is seen all the same, and not
    // edge-on, where everything shines.
    float n_v = clamp(abs(dot(normal, view)), 1e-3, 1.0);
    vec3 key = frame.light_in_world.xyz;
    vec3 lit = answer(made, normal, view, n_v, key) * frame.light_color.rgb;
    if (HAS_SHADOWS && dot(lit, lit) > 0.0) {
        // From a little above the surface, so that it does not shade itself.
        float upright = clamp(dot(smooth_one, key), 0.0, 1.0);
        float slope = sqrt(1.0 - upright * upright);
        lit *= key_light_at(inPositionInWorld + smooth_one * frame.light_in_world.w * (0.75 + 2.75 * slope));
    }
    if (HAS_FILE_LIGHTS) {
        for (int number = 0; number < int(frame.light_count.x); number++) {
            vec3 towards;
            vec3 strength = file_light(number, inPositionInWorld, towards);
            lit += answer(made, normal, view, n_v, towards) * strength;
        }
    }
    lit += ambient(made, normal, view, n_v, open) + emitted;
    if (HAS_LAYERS) {
        float rough = clamp(material.sheen.w, 0.07, 1.0);
        vec3 around = IS_COLORED ? colored_irradiance(normal) : vec3(irradiance(normal));
        float share = fibres_around(rough, n_v);
        vec3 glow = fibres(rough, normal, view, n_v, key) * frame.light_color.rgb + share * around * open;
        // What fibres reflect does not get below them.
        float most = max(max(material.sheen.r, material.sheen.g), material.sheen.b);
        lit = lit * (1.0 - most * share) + material.sheen.rgb * glow;

        Substance coat = Substance(vec3(0.0), vec3(0.0), COAT, COAT, clamp(material.clearcoat_roughness, 0.05, 1.0));
        float coat_n_v = clamp(abs(dot(smooth_one, view)), 1e-3, 1.0);
        vec3 on_top = answer(coat, smooth_one, view, coat_n_v, key) * frame.light_color.rgb
            + ambient(coat, smooth_one, view, coat_n_v, open);
        // What the coat mirrors does not get below it.
        float mirrored = material.clearcoat * (0.04 + 0.96 * fifth_power(1.0 - coat_n_v));
        lit = lit * (1.0 - mirrored) + on_top * material.clearcoat;
    }
    if (IS_EXPOSED) {
        lit *= frame.raster.w;
    }
    // Through glass, things behind are seen in its least colour. What it lets pass of its other colours, and what it blurs,
    // is light from all around.
    float covered = alpha;
    if (HAS_ALPHA && material.emissive.w > 0.0) {
        vec3 passed = made.passed * (1.0 - mirrored_around(made.coat, split_sum(made.roughness, n_v)));
        float seen = min(min(passed.r, passed.g), passed.b) * (1.0 - made.roughness);
        lit += (passed - seen) * mirror_image(-view, made.roughness);
        covered *= 1.0 - seen;
    }
    outColor = vec4(neutral(lit) * alpha, covered);
}
