// Rotations by quaternion: their matrices, what they are in a joint's transform, and stretches before them.
// Twin: crates/skinning/src/turn.rs

#ifndef SINEW_TURN
#define SINEW_TURN

#include "affine.glsl"

// A stretch S, a symmetric matrix, is a mat2x3: its diagonal (xx yy zz), then the rest (yz xz xy). No structs: a precise
// number that comes out of one crashes glslang.

float dot4(vec4 a, vec4 b) {
    precise float sum = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    return sum;
}

// R(q)
mat3 turn_of(vec4 q) {
    precise vec3 x = vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z),
                          2.0 * (q.x * q.y + q.w * q.z),
                          2.0 * (q.x * q.z - q.w * q.y));
    precise vec3 y = vec3(2.0 * (q.x * q.y - q.w * q.z),
                          1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                          2.0 * (q.y * q.z + q.w * q.x));
    precise vec3 z = vec3(2.0 * (q.x * q.z + q.w * q.y),
                          2.0 * (q.y * q.z - q.w * q.x),
                          1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    return mat3(x, y, z);
}

// R S: the columns of S are (xx xy xz), (xy yy yz), (xz yz zz).
mat3 turn_stretched(mat3 r, mat2x3 s) {
    precise vec3 x = r[0] * s[0].x + r[1] * s[1].z + r[2] * s[1].y;
    precise vec3 y = r[0] * s[1].z + r[1] * s[0].y + r[2] * s[1].x;
    precise vec3 z = r[0] * s[1].y + r[1] * s[1].x + r[2] * s[0].z;
    return mat3(x, y, z);
}

// 2 vec(d q*)
vec3 translation_of(vec4 q, vec4 d) {
    precise vec3 half_translation = d.xyz * q.w - q.xyz * d.w + cross3(q.xyz, d.xyz);
    precise vec3 translation = half_translation * 2.0;
    return translation;
}

// The stretch in a slot that has [A | b] by rows and the quaternion of R: S = transpose(R) A.
mat2x3 stretch_of(mat4 slot) {
    mat3 r = turn_of(slot[3]);
    precise vec3 x = slot[0].xyz * r[0].x + slot[1].xyz * r[0].y + slot[2].xyz * r[0].z;
    precise vec3 y = slot[0].xyz * r[1].x + slot[1].xyz * r[1].y + slot[2].xyz * r[1].z;
    precise vec3 z = slot[0].xyz * r[2].x + slot[1].xyz * r[2].y + slot[2].xyz * r[2].z;
    return mat2x3(vec3(x.x, y.y, z.z), vec3(y.z, x.z, x.y));
}

// d = (b, 0) q / 2
vec4 dual_from(vec3 b, vec4 q) {
    precise vec3 xyz = (b * q.w + cross3(b, q.xyz)) * 0.5;
    precise float w = dot3(b, q.xyz) * -0.5;
    return vec4(xyz, w);
}

// The dual part in such a slot.
vec4 dual_of(mat4 slot) {
    return dual_from(vec3(slot[0].w, slot[1].w, slot[2].w), slot[3]);
}

// M p - R p in such a slot, as (A - R) p + b: in the bind pose nothing is rounded.
vec3 apart_of(mat4 slot, vec3 p) {
    mat3 r = turn_of(slot[3]);
    precise vec3 x = vec3(slot[0].x, slot[1].x, slot[2].x) - r[0];
    precise vec3 y = vec3(slot[0].y, slot[1].y, slot[2].y) - r[1];
    precise vec3 z = vec3(slot[0].z, slot[1].z, slot[2].z) - r[2];
    precise vec3 apart = x * p.x + y * p.y + z * p.z + vec3(slot[0].w, slot[1].w, slot[2].w);
    return apart;
}

#endif
