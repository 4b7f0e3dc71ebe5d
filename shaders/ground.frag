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

void main() {
    vec3 from_middle = inPositionInWorld - frame.ground.xyz;
    float far = dot(from_middle, from_middle) / (frame.ground.w * frame.ground.w);
    // Nothing ends at an edge.
    float seen = clamp(1.0 - far, 0.0, 1.0);
    float shade = (1.0 - key_light_at(inPositionInWorld, 1.6)) * SHADOW * seen;

    // The map's depth is how near above the ground something is, 1 on it and 0 where nothing is near.
    vec2 at = (frame.contact_from_world * vec4(inPositionInWorld, 1.0)).xy;
    float near = 0.0;
    if (all(lessThan(abs(at - 0.5), vec2(0.5)))) {
        vec2 texel = 1.0 / vec2(textureSize(contactTexture, 0));
        // A spiral of taps, by the golden angle.
        const int TAPS = 12;
        mat2 turn = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);
        vec2 towards = vec2(1.0, 0.0);
        for (int tap = 0; tap < TAPS; tap++) {
            float radius = 7.0 * sqrt((float(tap) + 0.5) / float(TAPS));
            float height = texture(contactTexture, at + towards * texel * radius).r;
            near += height * height;
            towards = turn * towards;
        }
        near /= float(TAPS);
    }
    float dark = 1.0 - (1.0 - shade) * (1.0 - CONTACT * near * seen);
    outColor = vec4(0.0, 0.0, 0.0, dark);
}
