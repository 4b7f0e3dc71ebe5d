// The rotation nearest to a 3×3 matrix, in a fixed number of steps. Twin: crates/skinning/src/nearest_turn.rs, which says
// why they are enough.

#ifndef SINEW_NEAREST_TURN
#define SINEW_NEAREST_TURN

#include "turn.glsl"

vec4 settle(vec4 v) {
    return mix(v, vec4(0.0), lessThan(abs(v), vec4(NOISE)));
}

vec3 settle(vec3 v) {
    return mix(v, vec3(0.0), lessThan(abs(v), vec3(NOISE)));
}

// The quaternion, as x y z w, of the rotation nearest to the matrix with these columns; `instead` if there is none, or many.
vec4 nearest_turn(mat3 columns, vec4 instead) {
    float size = max(max(largest(columns[0]), largest(columns[1])), largest(columns[2]));
    if (!(size > SMALLEST) || isinf(size)) {
        return instead;
    }
    precise vec3 x = columns[0] / size;
    precise vec3 y = columns[1] / size;
    precise vec3 z = columns[2] / size;
    x = settle(x);
    y = settle(y);
    z = settle(z);
    precise float squared = dot3(x, x) + dot3(y, y) + dot3(z, z);
    precise float shift = sqrt(squared * 3.0);
    precise vec3 w = vec3(y.z - z.y, z.x - x.z, x.y - y.x);
    precise vec3 sums = vec3(y.z + z.y, x.z + z.x, x.y + y.x);
    precise vec4 diagonal = vec4(x.x + y.y + z.z + shift, x.x - y.y - z.z + shift,
                                 y.y - x.x - z.z + shift, z.z - x.x - y.y + shift);
    precise vec4 a = vec4(diagonal.x, w);
    precise vec4 b = vec4(w.x, diagonal.y, sums.z, sums.y);
    precise vec4 c = vec4(w.y, sums.z, diagonal.z, sums.x);
    precise vec4 d = vec4(w.z, sums.y, sums.x, diagonal.w);
    float apart = 0.0;
    int step = 0;
    [[dont_unroll]] while (step < TURN_STEPS) {
        precise float trace = a.x + b.y + c.z + d.w;
        apart = step == TURN_COMPARED ? trace : apart;
        precise vec4 e = a / trace;
        precise vec4 f = b / trace;
        precise vec4 g = c / trace;
        precise vec4 h = d / trace;
        e = settle(e);
        f = settle(f);
        g = settle(g);
        h = settle(h);
        a = e * e.x + f * e.y + g * e.z + h * e.w;
        b = e * f.x + f * f.y + g * f.z + h * f.w;
        c = e * g.x + f * g.y + g * g.z + h * g.w;
        d = e * h.x + f * h.y + g * h.z + h * h.w;
        step++;
    }
    if (!(apart > TURN_APART)) {
        return instead;
    }
    vec4 longest = a;
    float most = a.x;
    if (b.y > most) {
        longest = b;
        most = b.y;
    }
    if (c.z > most) {
        longest = c;
        most = c.z;
    }
    if (d.w > most) {
        longest = d;
    }
    precise float length_of_longest = sqrt(dot4(longest, longest));
    precise vec4 unit = longest / length_of_longest;
    unit = settle(unit);
    return vec4(unit.yzw, unit.x);
}

#endif
