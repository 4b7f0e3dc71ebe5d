// Dual quaternion skinning in two phases: blended stretch first, then a blended rigid motion.
// Twin: crates/skinning/src/dual_quat.rs, which also says what a slot holds and which papers the formulas are from.

#include "skinning_buffer.glsl"
#include "affine.glsl"

// The slot of "no joint": the identity turns nothing and stretches nothing.
const mat4 NO_JOINT = mat4(vec4(0.0, 0.0, 0.0, 1.0), vec4(0.0), vec4(1.0, 1.0, 1.0, 0.0), vec4(0.0));

float dot4(vec4 a, vec4 b) {
    precise float sum = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    return sum;
}

Affine blend(ivec4 joints[SPANS], vec4 weights[SPANS]) {
    mat4 first = slot_of(joints[0][0], NO_JOINT);
    vec4 pivot = first[0];

    precise vec4 q = vec4(0.0);
    precise vec4 d = vec4(0.0);
    precise vec3 diagonal = vec3(0.0);
    precise vec3 off_diagonal = vec3(0.0);
    for (int span = 0; span < SPANS; span++) {
        ivec4 joint = joints[span];
        vec4 weight = weights[span];
        // Rotated instead of indexed, and kept a loop: a driver takes long to compile four copies.
        int i = 0;
        [[dont_unroll]] while (i < 4) {
            mat4 slot = slot_of(joint.x, NO_JOINT);
            float signed_weight = dot4(slot[0], pivot) < -HALF_TURN ? -weight.x : weight.x;
            q = q + slot[0] * signed_weight;
            d = d + slot[1] * signed_weight;
            diagonal = diagonal + slot[2].xyz * weight.x;
            off_diagonal = off_diagonal + slot[3].xyz * weight.x;
            joint = joint.yzwx;
            weight = weight.yzwx;
            i++;
        }
    }

    precise float length_of_q = sqrt(dot4(q, q));
    if (length_of_q > CANCELLED) {
        q = q / length_of_q;
        d = d / length_of_q;
    } else {
        q = first[0];
        d = first[1];
    }

    // R(q), by columns.
    precise vec3 rx = vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z),
                           2.0 * (q.x * q.y + q.w * q.z),
                           2.0 * (q.x * q.z - q.w * q.y));
    precise vec3 ry = vec3(2.0 * (q.x * q.y - q.w * q.z),
                           1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                           2.0 * (q.y * q.z + q.w * q.x));
    precise vec3 rz = vec3(2.0 * (q.x * q.z + q.w * q.y),
                           2.0 * (q.y * q.z - q.w * q.x),
                           1.0 - 2.0 * (q.x * q.x + q.y * q.y));

    // R(q) S, by columns: S is symmetric, so its columns are (xx xy xz), (xy yy yz), (xz yz zz).
    precise vec3 x = rx * diagonal.x + ry * off_diagonal.z + rz * off_diagonal.y;
    precise vec3 y = rx * off_diagonal.z + ry * diagonal.y + rz * off_diagonal.x;
    precise vec3 z = rx * off_diagonal.y + ry * off_diagonal.x + rz * diagonal.z;

    // 2 vec(d q*)
    precise vec3 half_translation = d.xyz * q.w - q.xyz * d.w + cross3(q.xyz, d.xyz);
    precise vec3 translation = half_translation * 2.0;
    return Affine(x, y, z, translation);
}
