// The figures of a crowd that one draw draws as instances. Their slots lie one figure after the other in the palette,
// and the last of each figure's says where it stands: its fourth column is the way there from where the model places
// the figure.

#ifndef SINEW_MEMBER
#define SINEW_MEMBER

// How many slots a figure has in the palette; 0 for the one figure that is no crowd's.
layout(constant_id = 12) const int SLOTS_PER_MEMBER = 0;

#define FIRST_SLOT (gl_InstanceIndex * SLOTS_PER_MEMBER)

#include "skinning_buffer.glsl"

vec3 among_others(vec3 position_in_world) {
    if (SLOTS_PER_MEMBER == 0) {
        return position_in_world;
    }
    precise vec3 there = position_in_world + bones[FIRST_SLOT + SLOTS_PER_MEMBER - 1][3].xyz;
    return there;
}

#endif
