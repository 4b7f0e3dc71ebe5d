// Dual quaternion skinning as Blender does it: blended are the rigid motions that take this vertex where each joint alone
// would. Twin: crates/skinning/src/dual_quat_blender.rs, which also says what a slot holds.

#include "skinning_buffer.glsl"
#include "turn.glsl"

// The slot of "no joint": the rows of the identity, and the quaternion that turns nothing.
const mat4 NO_JOINT = mat4(1.0);

Affine blend(ivec4 joints[SPANS], vec4 weights[SPANS], float share, vec3 center, vec3 position) {
    mat4 first = slot_of(joints[0][0], NO_JOINT);
    vec4 pivot = first[3];

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
            float signed_weight = dot4(slot[3], pivot) < -HALF_TURN ? -weight.x : weight.x;
            q = q + slot[3] * signed_weight;
            d = d + dual_from(apart_of(slot, position), slot[3]) * signed_weight;
            mat2x3 stretch = stretch_of(slot);
            diagonal = diagonal + stretch[0] * weight.x;
            off_diagonal = off_diagonal + stretch[1] * weight.x;
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
        q = first[3];
        d = dual_from(apart_of(first, position), first[3]);
    }
    mat3 r = turn_of(q);
    mat3 b3 = turn_stretched(r, mat2x3(diagonal, off_diagonal));

    // The point turns by R alone, directions by B3 = R S: the translation takes p to R p + 2 vec(d q*).
    precise vec3 x = r[0] - b3[0];
    precise vec3 y = r[1] - b3[1];
    precise vec3 z = r[2] - b3[2];
    precise vec3 translation = x * position.x + y * position.y + z * position.z + translation_of(q, d);
    return Affine(b3[0], b3[1], b3[2], translation);
}
