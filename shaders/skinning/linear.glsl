// Linear blend skinning: the weighted sum of the joints' matrices. A slot is world_from_bind.
// It must not know what the transform is used for. Twin: src/skinning/linear.rs

#include "skinning_buffer.glsl"
#include "affine.glsl"

Affine blend(ivec4 joints[SPANS], vec4 weights[SPANS]) {
    precise vec3 x = vec3(0.0);
    precise vec3 y = vec3(0.0);
    precise vec3 z = vec3(0.0);
    precise vec3 translation = vec3(0.0);
    for (int span = 0; span < SPANS; span++) {
        for (int i = 0; i < 4; i++) {
            mat4 slot = slot_of(joints[span][i]);
            float weight = weights[span][i];
            x = x + slot[0].xyz * weight;
            y = y + slot[1].xyz * weight;
            z = z + slot[2].xyz * weight;
            translation = translation + slot[3].xyz * weight;
        }
    }
    return Affine(x, y, z, translation);
}
