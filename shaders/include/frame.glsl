// What all draws of a frame share. It must not know the mesh.
// Host side: FrameBlock in src/render/frame_block.rs; a test compares the two member by member.

#ifndef SINEW_FRAME
#define SINEW_FRAME

layout(set = 0, binding = 0) uniform Frame {
    mat4 world_from_model;
    mat4 view_from_world;
    mat4 clip_from_view;
    vec4 eye_in_world;      // w 0: infinitely far in that direction
    vec4 light_in_world;    // xyz: unit vector towards the light
    vec4 light_color;       // linear rgb
    vec4 sky_color;         // linear rgb: light from above
    vec4 ground_color;      // linear rgb: light from below
} frame;

#endif
