#version 450
#extension GL_GOOGLE_include_directive : require
// Darkens the ground where the key light does not get to, and where something stands on it. The ground
// itself is the background. It must not know what stands there.

#include "lighting.glsl"

layout(location = 0) in vec3 inPositionInWorld;

layout(location = 0) out vec4 outColor;

// How dark the key light's shadow is, and that of what touches the ground.
const float SHADOW = 0.38;
const float CONTACT = 0.55;

// Taps on a spiral, each turned by the golden angle against the one before.
const int TAPS = 12;
const mat2 TURN = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);

float radius_of(int tap) {
    return sqrt((float(tap) + 0.5) / float(TAPS));
}

// Whether a map shows a place, or something within a few of its points.
bool shows(vec2 at, vec2 texel) {
    return all(lessThan(abs(at - 0.5), vec2(0.5) + texel * 5.0));
}

void main() {
    vec3 from_middle = inPositionInWorld - frame.ground.xyz;
    float far = dot(from_middle, from_middle) / (frame.ground.w * frame.ground.w);
    // Nothing ends at an edge.
    float seen = clamp(1.0 - far, 0.0, 1.0);

    vec3 at = shadow_map_at(inPositionInWorld);
    vec2 texel = 1.0 / vec2(textureSize(shadowTexture, 0));
    float lit = 1.0;
    if (shows(at.xy, texel)) {
        lit = 0.0;
        vec2 towards = texel * 4.0;
        for (int tap = 0; tap < TAPS; tap++) {
            lit += lit_between(at + vec3(towards * radius_of(tap), 0.0));
            towards = TURN * towards;
        }
        lit /= float(TAPS);
    }

    // The map's depth is how near above the ground something is, 1 on it and 0 where nothing is near.
    vec2 below = (frame.contact_from_world * vec4(inPositionInWorld, 1.0)).xy;
    texel = 1.0 / vec2(textureSize(contactTexture, 0));
    float near = 0.0;
    if (shows(below, texel)) {
        vec2 towards = texel * 3.0;
        for (int tap = 0; tap < TAPS; tap++) {
            float height = contact_between(below + towards * radius_of(tap));
            near += height * height;
            towards = TURN * towards;
        }
        // Little that is near darkens already.
        float open = 1.0 - near / float(TAPS);
        near = 1.0 - open * open * open;
    }
    float light = (1.0 - (1.0 - lit) * SHADOW * seen) * (1.0 - near * CONTACT * seen);
    outColor = vec4(0.0, 0.0, 0.0, 1.0 - light);
}
