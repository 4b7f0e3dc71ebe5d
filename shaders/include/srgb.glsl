// The curve of sRGB (IEC 61966-2-1), spelled out: where the hardware or a driver computes it, processors of
// different makers give different bytes.

#ifndef SINEW_SRGB
#define SINEW_SRGB

float on_curve(float light) {
    float within = clamp(light, 0.0, 1.0);
    return within <= 0.0031308 ? within * 12.92 : 1.055 * pow(within, 1.0 / 2.4) - 0.055;
}

// Red, green and blue on the curve; alpha as it is.
vec4 encoded(vec4 color) {
    return vec4(on_curve(color.r), on_curve(color.g), on_curve(color.b), color.a);
}

#endif
