// The palette as shaders see it: 512 slots of 64 bytes, whose meaning the skinning mode decides.
// It must not know vertices, and nothing here does arithmetic. Twin: src/skinning/palette.rs

#ifndef SINEW_SKINNING_BUFFER
#define SINEW_SKINNING_BUFFER

layout(set = 0, binding = 1) uniform SkinningBuffer {
    mat4 bones[512];
};

// A joint's slot; all zeros for -1, "no joint", which therefore adds nothing to any sum. Without a branch, in
// which drivers would keep all sixteen numbers, wanted or not.
mat4 slot_of(int joint) {
    mat4 slot = bones[max(joint, 0)];
    bvec4 there = bvec4(joint >= 0);
    vec4 none = vec4(0.0);
    return mat4(mix(none, slot[0], there), mix(none, slot[1], there),
                mix(none, slot[2], there), mix(none, slot[3], there));
}

#endif
