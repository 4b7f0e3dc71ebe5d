// The palette as shaders see it: 512 slots of 64 bytes, whose meaning the skinning mode decides.
// It must not know vertices, and nothing here does arithmetic. Twin: src/skinning/palette.rs

#ifndef SINEW_SKINNING_BUFFER
#define SINEW_SKINNING_BUFFER

layout(set = 0, binding = 1) uniform SkinningBuffer {
    mat4 bones[512];
};

// A joint's slot; all zeros for -1, "no joint", which therefore adds nothing to any sum.
mat4 slot_of(int joint) {
    if (joint < 0) {
        return mat4(0.0);
    }
    return bones[joint];
}

#endif
