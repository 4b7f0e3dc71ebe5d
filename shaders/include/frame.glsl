// The uniform block that all draws of a frame share.
// Host side: FrameBlock in src/render/interface/frame_block.rs; a test compares the two member by member.

#ifndef SINEW_FRAME
#define SINEW_FRAME

#include "shared.glsl"

struct Light {
    vec4 place;      // xyz: where it is, or with w 0 the unit vector towards it
    vec4 color;      // linear rgb; w: 1 / range², 0 where it reaches everywhere
    vec4 direction;  // xyz: where it shines, a unit vector
    vec4 cone;       // x, y: cos(angle) * x + y, cut to 0 and 1 and squared, is its strength
};

layout(set = 0, binding = 0) uniform Frame {
    mat4 clip_from_world;
    mat4 shadow_from_world;   // to the shadow map: 0 to 1 across, depth as it is stored
    mat4 contact_from_world;  // the same for what is seen from below the ground
    vec4 eye_in_world;        // w 0: infinitely far in that direction
    vec4 light_in_world;      // xyz: unit vector towards the key light; w: a point of the shadow map in metres
    vec4 light_color;         // linear rgb
    vec4 studio_from_world;   // x, y: cosine and sine of the turn around the vertical
    vec4 ground;              // xyz: its middle; w: how far it is seen
    mat4 irradiance;          // see irradiance(); of coloured light its red
    mat4 irradiance_green;
    mat4 irradiance_blue;
    vec4 raster;              // xy: where what is drawn begins in the picture, in pixels; z: a window's pixel; w: exposure
    vec4 light_count;         // x
    Light lights[MAX_LIGHTS];
} frame;

#endif
