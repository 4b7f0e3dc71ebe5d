// What one draw draws as instances: the figures of a crowd, or nodes of a model with the same mesh. Their slots lie one
// instance after the other in the palette. The last of each figure's says where it stands: its fourth column is the way
// there from where the model places the figure. A node has one slot and stands where the model places it.

#ifndef SINEW_MEMBER
#define SINEW_MEMBER

// How many slots an instance has in the palette; 0 where there are no instances.
layout(constant_id = 12) const int SLOTS_PER_MEMBER = 0;

// Whether the slots are read from the storage buffer.
layout(constant_id = 16) const bool IN_STORAGE = false;
#define STORED IN_STORAGE

#define FIRST_SLOT (gl_InstanceIndex * SLOTS_PER_MEMBER)

#include "skinning_buffer.glsl"

vec3 among_others(vec3 position_in_world) {
    if (SLOTS_PER_MEMBER < 2) {
        return position_in_world;
    }
    precise vec3 there = position_in_world + slot_at(FIRST_SLOT + SLOTS_PER_MEMBER - 1)[3].xyz;
    return there;
}

#endif
