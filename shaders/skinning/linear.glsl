// Linear blend skinning: the weighted sum of the joints' matrices. A slot is world_from_bind.
// Twin: crates/skinning/src/linear.rs

#include "skinning_buffer.glsl"
#include "affine.glsl"

// The slot of "no joint": the identity.
const mat4 NO_JOINT = mat4(1.0);

Affine blend(ivec4 joints[SPANS], vec4 weights[SPANS], float share, vec3 center, vec3 position) {
    precise vec3 x = vec3(0.0);
    precise vec3 y = vec3(0.0);
    precise vec3 z = vec3(0.0);
    precise vec3 translation = vec3(0.0);
    for (int span = 0; span < SPANS; span++) {
        ivec4 joint = joints[span];
        vec4 weight = weights[span];
        // Rotated instead of indexed, and kept a loop: a driver takes long to compile four copies.
        int i = 0;
        [[dont_unroll]] while (i < 4) {
            mat4 slot = slot_of(joint.x, NO_JOINT);
            x = x + slot[0].xyz * weight.x;
            y = y + slot[1].xyz * weight.x;
            z = z + slot[2].xyz * weight.x;
            translation = translation + slot[3].xyz * weight.x;
            joint = joint.yzwx;
            weight = weight.yzwx;
            i++;
        }
    }
    return Affine(x, y, z, translation);
}
