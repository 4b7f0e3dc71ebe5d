#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Darkens the ground in the key light's shadow and where something stands on it. The ground itself is the background.

#include "lighting.glsl"

// All three are linear over the ground, so that projecting the corners is enough.
layout(location = 0) in vec2 inFromMiddle;
layout(location = 1) in vec3 inInShadowMap;
layout(location = 2) in vec2 inInContactMap;

layout(location = 0) out vec4 outColor;

// How dark the key light's shadow is, and how dark contact with the ground is.
const float SHADOW = 0.38;
const float CONTACT = 0.55;

// Taps on a spiral, each turned by the golden angle against the one before.
const int TAPS = 12;
const mat2 TURN = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);

float radius_of(int tap) {
    return sqrt((float(tap) + 0.5) / float(TAPS));
}

// Whether a map shows a place, or one a few texels away.
bool shows(vec2 at, vec2 texel) {
    return all(lessThan(abs(at - 0.5), vec2(0.5) + texel * 5.0));
}

void main() {
    // Fades out towards the edge.
    float seen = clamp(1.0 - dot(inFromMiddle, inFromMiddle), 0.0, 1.0);

    vec3 at = before_all(inInShadowMap);
    vec2 texel = 1.0 / vec2(textureSize(shadowTexture, 0));
    float lit = 1.0;
    if (shows(at.xy, texel)) {
        lit = 0.0;
        vec2 towards = texel * 4.0;
        int tap = 0;
        [[dont_unroll]] while (tap < TAPS) {
            lit += lit_between(at + vec3(towards * radius_of(tap), 0.0));
            towards = TURN * towards;
            tap++;
        }
        lit /= float(TAPS);
    }

    // The map's depth is how near to the ground something is: 1 on it, 0 where nothing is near.
    texel = 1.0 / vec2(textureSize(contactTexture, 0));
    float near = 0.0;
    if (shows(inInContactMap, texel)) {
        vec2 towards = texel * 3.0;
        int tap = 0;
        [[dont_unroll]] while (tap < TAPS) {
            float height = contact_between(inInContactMap + towards * radius_of(tap));
            near += height * height;
            towards = TURN * towards;
            tap++;
        }
        // Even a little contact darkens.
        float open = 1.0 - near / float(TAPS);
        near = 1.0 - open * open * open;
    }
    float light = (1.0 - (1.0 - lit) * SHADOW * seen) * (1.0 - near * CONTACT * seen);
    outColor = vec4(0.0, 0.0, 0.0, 1.0 - light);
}
