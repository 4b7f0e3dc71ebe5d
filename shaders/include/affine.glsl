// What every skinning mode blends to, and how it moves a position, a normal and a tangent.
// Twin: crates/skinning/src/affine.rs
//
// The twin gives the same bits on drivers that round every operation, so each operation is written
// out: everything is `precise` (never fused), and dot(), cross(), normalize() and mat * vec, which
// a driver may fuse even so, do not occur. Both files keep the same order.

#ifndef SINEW_AFFINE
#define SINEW_AFFINE

#include "shared.glsl"

// Three columns and a translation: world from bind, for one vertex.
struct Affine {
    vec3 x;
    vec3 y;
    vec3 z;
    vec3 translation;
};

float dot3(vec3 a, vec3 b) {
    precise float sum = a.x * b.x + a.y * b.y + a.z * b.z;
    return sum;
}

vec3 cross3(vec3 a, vec3 b) {
    precise float x = a.y * b.z - a.z * b.y;
    precise float y = a.z * b.x - a.x * b.z;
    precise float z = a.x * b.y - a.y * b.x;
    return vec3(x, y, z);
}

float largest(vec3 v) {
    return max(max(abs(v.x), abs(v.y)), abs(v.z));
}

// v at length one, or the fallback where v is zero. Divided by its largest component first, so
// that its square neither overflows nor vanishes. Noise becomes zero.
vec3 direction(vec3 v, vec3 fallback) {
    float size = largest(v);
    if (!(size > SMALLEST)) {
        return fallback;
    }
    precise vec3 scaled = v / size;
    precise float length_of_scaled = sqrt(dot3(scaled, scaled));
    precise vec3 unit = scaled / length_of_scaled;
    return mix(unit, vec3(0.0), lessThan(abs(unit), vec3(NOISE)));
}

// The same directions with a largest number of one, so that products of two or three numbers
// neither overflow nor vanish, however small a joint is scaled.
Affine at_size_one(Affine b) {
    float size = max(max(largest(b.x), largest(b.y)), largest(b.z));
    if (!(size > SMALLEST)) {
        return b;
    }
    precise vec3 x = b.x / size;
    precise vec3 y = b.y / size;
    precise vec3 z = b.z / size;
    return Affine(x, y, z, b.translation);
}

// -1 where the transform, at size one, mirrors; else 1: also where it is flat and rounding alone
// would decide the sign.
float orientation(Affine b) {
    precise float determinant = dot3(b.x, cross3(b.y, b.z));
    precise float noise = largest(b.x) * largest(b.y) * largest(b.z) * FLAT;
    return determinant < -noise ? -1.0 : 1.0;
}

vec3 transform_linear(Affine b, vec3 v) {
    precise vec3 moved = b.x * v.x + b.y * v.y + b.z * v.z;
    return moved;
}

vec3 transform_position(Affine b, vec3 p) {
    precise vec3 moved = transform_linear(b, p) + b.translation;
    return moved;
}

// By the cofactor matrix, whose columns are these cross products: the direction of the inverse
// transpose, without dividing by a determinant that may be zero. s is the transform at size one, and
// side its orientation, which tangents need as well; the twin computes both in each function.
vec3 transform_normal(Affine s, float side, vec3 n) {
    precise vec3 moved = cross3(s.y, s.z) * n.x + cross3(s.z, s.x) * n.y + cross3(s.x, s.y) * n.z;
    precise vec3 turned = moved * side;
    return direction(turned, n);
}

// moved_normal is what transform_normal gave for the same vertex.
vec4 transform_tangent(Affine b, float side, vec4 t, vec3 moved_normal) {
    vec3 along = direction(transform_linear(b, t.xyz), t.xyz);
    precise vec3 across = along - moved_normal * dot3(moved_normal, along);
    vec3 kept = largest(across) > PARALLEL ? direction(across, t.xyz) : t.xyz;
    precise float handedness = t.w * side;
    return vec4(kept, handedness);
}

#endif
