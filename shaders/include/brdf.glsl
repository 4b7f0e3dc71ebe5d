// How a surface reflects light from one direction and from all around: metallic-roughness, glTF 2.0,
// appendix B.

#ifndef SINEW_BRDF
#define SINEW_BRDF

const float PI = 3.14159265358979;

// The material at a point of a surface.
struct Substance {
    vec3 diffuse;      // scattered below the surface; none in a metal
    vec3 passed;       // let through to the other side
    vec4 mirrored;     // rgb: what is mirrored face-on; w: edge-on
    vec4 coat;         // the same for the dielectric, which scatters what it does not mirror
    float roughness;
};

// Trowbridge-Reitz distribution times Smith's masking over 4 n_l n_v.
float mirrored_share(float roughness, float n_l, float n_v, float n_h) {
    float alpha = roughness * roughness;
    float a2 = alpha * alpha;
    float denominator = n_h * n_h * (a2 - 1.0) + 1.0;
    float distribution = a2 / (PI * denominator * denominator);
    float seen = n_l + sqrt(a2 + (1.0 - a2) * n_l * n_l);
    float visibility = 1.0 / (seen * (n_v + sqrt(a2 + (1.0 - a2) * n_v * n_v)));
    return distribution * visibility;
}

float fifth_power(float x) {
    return x * x * x * x * x;
}

// Schlick's curve from what is mirrored face-on to what is mirrored edge-on.
vec3 fresnel(vec4 mirrored, float edge) {
    return mirrored.rgb + (mirrored.w - mirrored.rgb) * edge;
}

// The share of light from one direction that reaches the eye, cosine included. A dielectric mirrors a share by
// Schlick's curve and scatters the rest; a metal mirrors all it does not absorb.
vec3 answer(Substance of, vec3 normal, vec3 view, float n_v, vec3 light) {
    float n_l = dot(normal, light);
    if (n_l <= 0.0) {
        return vec3(0.0);
    }
    vec3 halfway = normalize(light + view);
    float n_h = clamp(dot(normal, halfway), 0.0, 1.0);
    float v_h = clamp(dot(view, halfway), 0.0, 1.0);
    float edge = fifth_power(1.0 - v_h);
    vec3 scattered = of.diffuse * (1.0 - fresnel(of.coat, edge)) / PI;
    return (scattered + fresnel(of.mirrored, edge) * mirrored_share(of.roughness, n_l, n_v, n_h)) * n_l;
}

// The share of light from one direction that fibres standing on the surface reflect, cosine included: Estevez, Kulla,
// Production Friendly Microfacet Sheen BRDF (2017), with Neubelt's visibility.
float fibres(float roughness, vec3 normal, vec3 view, float n_v, vec3 light) {
    float n_l = dot(normal, light);
    if (n_l <= 0.0) {
        return 0.0;
    }
    float n_h = clamp(dot(normal, normalize(light + view)), 0.0, 1.0);
    float sharpness = 1.0 / (roughness * roughness);
    float distribution = (2.0 + sharpness) * pow(max(1.0 - n_h * n_h, 0.0), sharpness * 0.5) / (2.0 * PI);
    return distribution * n_l / (4.0 * (n_l + n_v - n_l * n_v));
}

// The share of ambient light that fibres reflect: a fit of the integral of the above over the hemisphere, for a roughness
// of 0.2 and more off by at most 0.05, on average by 0.01.
float fibres_around(float roughness, float n_v) {
    return min(exp(-0.304 - 0.477 * roughness + 0.2 / roughness
        + n_v * (0.306 * roughness - 0.416 - 1.25 / roughness)), 1.0);
}

// How much ambient light is mirrored to the eye, by what is mirrored face-on (times x) and edge-on (times y):
// Karis, Physically Based Shading on Mobile (2014), a fit of the split-sum integral.
// Unlike Schlick's curve it knows that rough surfaces do not shine at grazing angles.
vec2 split_sum(float roughness, float n_v) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a + r.zw;
}

// The same for a surface. Light that a rough metal scatters back and forth is not lost: Lagarde, Golubev
// (Filament), 4.7.2.
vec3 mirrored_around(vec4 mirrored, vec2 sums) {
    vec3 once = clamp(mirrored.rgb * sums.x + mirrored.w * sums.y, 0.0, 1.0);
    return once * (1.0 + mirrored.rgb * (1.0 / (sums.x + sums.y) - 1.0));
}

#endif
