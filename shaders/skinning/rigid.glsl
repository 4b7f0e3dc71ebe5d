// Rigid: each vertex follows its heaviest joint alone. A slot is world_from_bind.
// Twin: crates/skinning/src/rigid.rs

#include "skinning_buffer.glsl"
#include "affine.glsl"

// The slot of "no joint": the identity.
const mat4 NO_JOINT = mat4(1.0);

Affine blend(ivec4 joints[SPANS], vec4 weights[SPANS], float share, vec3 center, vec3 position) {
    mat4 slot = slot_of(joints[0][0], NO_JOINT);
    return Affine(slot[0].xyz, slot[1].xyz, slot[2].xyz, slot[3].xyz);
}
