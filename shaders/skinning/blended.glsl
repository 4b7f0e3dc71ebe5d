// Between linear blend and dual quaternion skinning: each vertex takes a share of either result.
// Twin: crates/skinning/src/blended.rs, which also says what a slot holds.

#include "skinning_buffer.glsl"
#include "turn.glsl"

// The slot of "no joint": the rows of the identity, and the quaternion that turns nothing.
const mat4 NO_JOINT = mat4(1.0);

vec3 mixed(vec3 linear, vec3 turned, float share) {
    precise vec3 sum = linear + (turned - linear) * share;
    return sum;
}

Affine blend(ivec4 joints[SPANS], vec4 weights[SPANS], float share, vec3 center, vec3 position) {
    mat4 first = slot_of(joints[0][0], NO_JOINT);
    vec4 pivot = first[3];

    precise vec4 row_x = vec4(0.0);
    precise vec4 row_y = vec4(0.0);
    precise vec4 row_z = vec4(0.0);
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
            row_x = row_x + slot[0] * weight.x;
            row_y = row_y + slot[1] * weight.x;
            row_z = row_z + slot[2] * weight.x;
            float signed_weight = dot4(slot[3], pivot) < -HALF_TURN ? -weight.x : weight.x;
            q = q + slot[3] * signed_weight;
            d = d + dual_of(slot) * signed_weight;
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
        d = dual_of(first);
    }

    // (1 - share) B_lbs + share B_dqs, as B_lbs + (B_dqs - B_lbs) share: in the bind pose nothing is rounded.
    mat3 turned = turn_stretched(turn_of(q), mat2x3(diagonal, off_diagonal));
    vec3 turned_translation = translation_of(q, d);
    return Affine(mixed(vec3(row_x.x, row_y.x, row_z.x), turned[0], share),
                  mixed(vec3(row_x.y, row_y.y, row_z.y), turned[1], share),
                  mixed(vec3(row_x.z, row_y.z, row_z.z), turned[2], share),
                  mixed(vec3(row_x.w, row_y.w, row_z.w), turned_translation, share));
}
