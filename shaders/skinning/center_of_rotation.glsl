// Optimized centers of rotation: a vertex turns as in dual quaternion skinning, about a centre that linear blending
// moves. Twin: crates/skinning/src/center_of_rotation.rs, which also says what a slot holds and whose method it is.

#include "skinning_buffer.glsl"
#include "turn.glsl"

// The slot of "no joint": the rows of the identity, and the quaternion that turns nothing.
const mat4 NO_JOINT = mat4(1.0);

Affine blend(ivec4 joints[SPANS], vec4 weights[SPANS], float share, vec3 center, vec3 position) {
    mat4 first = slot_of(joints[0][0], NO_JOINT);
    vec4 pivot = first[3];

    precise vec4 row_x = vec4(0.0);
    precise vec4 row_y = vec4(0.0);
    precise vec4 row_z = vec4(0.0);
    precise vec4 q = vec4(0.0);
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
    } else {
        q = first[3];
    }
    mat3 b3 = turn_stretched(turn_of(q), mat2x3(diagonal, off_diagonal));

    // L c - B3 c, as (L3 - B3) c + b: what is far from the origin does not cancel.
    precise vec3 x = vec3(row_x.x, row_y.x, row_z.x) - b3[0];
    precise vec3 y = vec3(row_x.y, row_y.y, row_z.y) - b3[1];
    precise vec3 z = vec3(row_x.z, row_y.z, row_z.z) - b3[2];
    precise vec3 translation = x * center.x + y * center.y + z * center.z + vec3(row_x.w, row_y.w, row_z.w);
    return Affine(b3[0], b3[1], b3[2], translation);
}
