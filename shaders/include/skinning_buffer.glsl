// The palette as shaders see it: SLOTS slots of 64 bytes, whose meaning the skinning mode decides.
// Nothing here does arithmetic. Twin: crates/skinning/src/palette.rs

#ifndef SINEW_SKINNING_BUFFER
#define SINEW_SKINNING_BUFFER

#include "shared.glsl"

// Where the figure's own slots begin in the palette.
#ifndef FIRST_SLOT
#define FIRST_SLOT 0
#endif

#ifndef OWN_SLOT
#define OWN_SLOT(place) slot_at(FIRST_SLOT + (place))
#endif

layout(set = 0, binding = 1) uniform SkinningBuffer {
    mat4 bones[SLOTS];
};

#ifndef STORED
mat4 slot_at(int place) {
    return bones[place];
}
#else
// The same slots, and more of them.
layout(set = 0, binding = 2) readonly buffer StoredSlots {
    mat4 stored[];
};

mat4 slot_at(int place) {
    if (STORED) {
        return stored[place];
    }
    return bones[place];
}
#endif

// A joint's slot; for -1, "no joint", the mode's slot of the identity, which each mode file calls NO_JOINT. Without a
// branch, in which drivers would keep all sixteen numbers, wanted or not.
mat4 slot_of(int joint, mat4 no_joint) {
    mat4 slot = OWN_SLOT(max(joint, 0));
    bvec4 there = bvec4(joint >= 0);
    return mat4(mix(no_joint[0], slot[0], there), mix(no_joint[1], slot[1], there),
                mix(no_joint[2], slot[2], there), mix(no_joint[3], slot[3], there));
}

#endif
