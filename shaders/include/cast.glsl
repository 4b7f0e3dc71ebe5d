// What a shadow caster hands on besides the position: only what shadow.frag needs to cut holes.

#ifndef SINEW_CAST
#define SINEW_CAST

#include "features.glsl"
#include "frame.glsl"

layout(location = 2) in vec2 texcoord;
layout(location = 6) in vec4 color;
layout(location = 7) in vec2 texcoord1;

layout(location = 2) out vec4 outTexcoords;   // both sets
layout(location = 3) out vec4 outColor;

void hand_on(vec3 position_in_world) {
    outTexcoords = vec4(0.0);
    outColor = vec4(0.0);
    if (HAS_ALPHA) {
        outTexcoords = vec4(texcoord, texcoord1);
        outColor = color;
    }
    gl_Position = frame.clip_from_world * vec4(position_in_world, 1.0);
}

#endif
