// Dual quaternion skinning in two phases: blended stretch first, then a blended rigid motion.
// Twin: crates/skinning/src/dual_quat.rs, which also says what a slot holds and which papers the formulas are from.

#include "skinning_buffer.glsl"
#include "turn.glsl"

// The slot of "no joint": the identity turns nothing and stretches nothing.
const mat4 NO_JOINT = mat4(vec4(0.0, 0.0, 0.0, 1.0), vec4(0.0), vec4(1.0, 1.0, 1.0, 0.0), vec4(0.0));

Affine blend(ivec4 joints[SPANS], vec4 weights[SPANS], float share, vec3 center, vec3 position) {
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

    mat3 b3 = turn_stretched(turn_of(q), mat2x3(diagonal, off_diagonal));
    return Affine(b3[0], b3[1], b3[2], translation_of(q, d));
}
