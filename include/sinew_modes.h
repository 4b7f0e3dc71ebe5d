/*
 * Skinning modes in plain C99: rigid, linear blend, dual quaternions (as Maya and OpenUSD have them, as Blender has them,
 * and without scale), a blend of the first two, and centres of rotation. One header, no allocation, no state.
 *
 *     sinew_slot slots[JOINTS];
 *     for (int j = 0; j < JOINTS; j++)
 *         slots[j] = sinew_slot_of(SINEW_MODE_DQS, world_from_bind[j]);        // column-major double[16]
 *     sinew_vertex vertex = {joints, weights, 4, 1.0f, {0, 0, 0}, {0, 0, 0}};  // heaviest joint first
 *     sinew_affine b = sinew_blend(SINEW_MODE_DQS, slots, JOINTS, &vertex);
 *     sinew_position(&b, position, moved);
 *
 * The functions do the same operations in the same order as sinew's shaders and their twins in Rust, and tests hold the
 * results to their bits. Compile with -ffp-contract=off for that; without it, you lose bits, not correctness. Papers and
 * formulas are cited in crates/skinning/src, in the file named above each function.
 *
 * Weights of a vertex sum to 1 and are sorted, the largest first. Joint -1 is no joint: it leaves the vertex in place.
 *
 * MIT License, Copyright (c) the authors of sinew; see LICENSE-MIT.
 */
#ifndef SINEW_MODES_H
#define SINEW_MODES_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_skinning_mode {
    SINEW_MODE_RIGID,
    SINEW_MODE_LBS,
    SINEW_MODE_DQS,
    SINEW_MODE_BLEND,
    SINEW_MODE_COR,
    SINEW_MODE_DQS_BLENDER,
    SINEW_MODE_DQS_RIGID
} sinew_skinning_mode;

/* The 64 bytes of a joint that a shader reads; each mode has its own columns. */
typedef struct sinew_slot {
    float columns[4][4];
} sinew_slot;

/* The joints of a vertex, and what else its mode reads. */
typedef struct sinew_vertex {
    const int32_t *joints;
    const float *weights;
    int influences;
    float share;       /* blend: the share of dual quaternions */
    float center[3];   /* cor: the centre of rotation, in the bind pose */
    float position[3]; /* dqs-blender: the position, in the bind pose */
} sinew_vertex;

/* Three columns and a translation: world from bind, for one vertex. */
typedef struct sinew_affine {
    float x[3], y[3], z[3], translation[3];
} sinew_affine;

/* Constants: crates/skinning/src/shared.rs. */
#define SINEW_SMALLEST FLT_MIN
#define SINEW_NOISE 9.094947017729282379150390625e-13f /* 2^-40 */
#define SINEW_FLAT 3.814697265625e-6f                  /* 2^-18 */
#define SINEW_PARALLEL 9.5367431640625e-7f             /* 2^-20 */
#define SINEW_HALF_TURN 9.5367431640625e-7f            /* 2^-20 */
#define SINEW_CANCELLED 9.5367431640625e-7f            /* 2^-20 */

/* ---- vectors ---- */

static inline void sinew_add3(const float a[3], const float b[3], float out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] + b[i];
}

static inline void sinew_sub3(const float a[3], const float b[3], float out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

static inline void sinew_scale3(const float a[3], float factor, float out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] * factor;
}

/* out = out + a factor, as two operations. */
static inline void sinew_add_scaled(float *out, const float *a, float factor, int count) {
    for (int i = 0; i < count; i++) {
        float scaled = a[i] * factor;
        out[i] = out[i] + scaled;
    }
}

static inline float sinew_dot3(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline float sinew_dot4(const float a[4], const float b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static inline void sinew_cross3(const float a[3], const float b[3], float out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline float sinew_largest(const float v[3]) {
    return fmaxf(fmaxf(fabsf(v[0]), fabsf(v[1])), fabsf(v[2]));
}

/* x u + y v + z w, from left to right. */
static inline void sinew_combine(const float x[3], const float y[3], const float z[3], float u, float v, float w,
                                 float out[3]) {
    for (int i = 0; i < 3; i++) out[i] = (x[i] * u + y[i] * v) + z[i] * w;
}

/* ---- crates/skinning/src/affine.rs ---- */

static inline void sinew_direction(const float v[3], const float fallback[3], float out[3]) {
    float size = sinew_largest(v);
    if (size > SINEW_SMALLEST) {
        float scaled[3] = {v[0] / size, v[1] / size, v[2] / size};
        float length = sqrtf(sinew_dot3(scaled, scaled));
        for (int i = 0; i < 3; i++) {
            float along = scaled[i] / length;
            out[i] = fabsf(along) < SINEW_NOISE ? 0.0f : along;
        }
    } else {
        memmove(out, fallback, 3 * sizeof(float));
    }
}

static inline sinew_affine sinew_at_size_one(const sinew_affine *b) {
    sinew_affine out = *b;
    float size = fmaxf(fmaxf(sinew_largest(b->x), sinew_largest(b->y)), sinew_largest(b->z));
    if (size > SINEW_SMALLEST) {
        for (int i = 0; i < 3; i++) {
            out.x[i] = b->x[i] / size;
            out.y[i] = b->y[i] / size;
            out.z[i] = b->z[i] / size;
        }
    }
    return out;
}

static inline float sinew_orientation(const sinew_affine *b) {
    float across[3];
    sinew_cross3(b->y, b->z, across);
    float determinant = sinew_dot3(b->x, across);
    float noise = sinew_largest(b->x) * sinew_largest(b->y) * sinew_largest(b->z) * SINEW_FLAT;
    return determinant < -noise ? -1.0f : 1.0f;
}

/* Moves a point. */
static inline void sinew_position(const sinew_affine *b, const float p[3], float out[3]) {
    float moved[3];
    sinew_combine(b->x, b->y, b->z, p[0], p[1], p[2], moved);
    sinew_add3(moved, b->translation, out);
}

/* Turns a normal; the result has length one. */
static inline void sinew_normal(const sinew_affine *b, const float n[3], float out[3]) {
    sinew_affine s = sinew_at_size_one(b);
    float yz[3], zx[3], xy[3], moved[3], turned[3];
    sinew_cross3(s.y, s.z, yz);
    sinew_cross3(s.z, s.x, zx);
    sinew_cross3(s.x, s.y, xy);
    sinew_combine(yz, zx, xy, n[0], n[1], n[2], moved);
    sinew_scale3(moved, sinew_orientation(&s), turned);
    sinew_direction(turned, n, out);
}

/* Turns a tangent, and makes it orthogonal to the result of sinew_normal for the same vertex. */
static inline void sinew_tangent(const sinew_affine *b, const float t[4], const float moved_normal[3], float out[4]) {
    float moved[3], along[3], inside[3], across[3];
    sinew_affine s = sinew_at_size_one(b);
    sinew_combine(b->x, b->y, b->z, t[0], t[1], t[2], moved);
    sinew_direction(moved, t, along);
    sinew_scale3(moved_normal, sinew_dot3(moved_normal, along), inside);
    sinew_sub3(along, inside, across);
    float handedness = t[3] * sinew_orientation(&s);
    if (sinew_largest(across) > SINEW_PARALLEL) {
        sinew_direction(across, t, out);
    } else {
        memmove(out, t, 3 * sizeof(float));
    }
    out[3] = handedness;
}

/* ---- crates/skinning/src/polar/: A = R S of a joint's 3x3 part, in double ---- */

typedef struct sinew_polar {
    double rotation[4];   /* x y z w */
    double stretch[3][3]; /* columns; symmetric */
} sinew_polar;

static inline double sinew_dot3d(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void sinew_cross3d(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - b[1] * a[2];
    out[1] = a[2] * b[0] - b[2] * a[0];
    out[2] = a[0] * b[1] - b[0] * a[1];
}

static inline double sinew_lengthd(const double a[3]) {
    return sqrt(sinew_dot3d(a, a));
}

static inline void sinew_normalized(const double a[3], double out[3]) {
    double inverse = 1.0 / sinew_lengthd(a);
    for (int i = 0; i < 3; i++) out[i] = a[i] * inverse;
}

static inline void sinew_rejectd(const double a[3], const double from[3], double out[3]) {
    double along = sinew_dot3d(a, from);
    for (int i = 0; i < 3; i++) out[i] = a[i] - from[i] * along;
}

/* A matrix that nearly is a rotation times a number, by a series; returns 0 for any other. */
static inline int sinew_polar_series(const double a[3][3], sinew_polar *out) {
    const double *x = a[0], *y = a[1], *z = a[2];
    double lengths[3] = {sinew_dot3d(x, x), sinew_dot3d(y, y), sinew_dot3d(z, z)};
    double square = (lengths[0] + lengths[1] + lengths[2]) / 3.0;
    double inverse = 1.0 / square;
    double d[3], o[3] = {sinew_dot3d(y, z), sinew_dot3d(x, z), sinew_dot3d(x, y)};
    double apart = 0.0;
    for (int i = 0; i < 3; i++) {
        d[i] = lengths[i] * inverse - 1.0;
        o[i] = o[i] * inverse;
    }
    for (int i = 0; i < 6; i++) {
        double next = fabs(i < 3 ? d[i] : o[i - 3]);
        apart = apart > next ? apart : next;
    }
    if (!(apart <= 2e-6 && square >= 1e-90 && square < 1e90)) return 0;

    double across[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    double size = sqrt(square);
    double scale = sinew_dot3d(across, z) > 0.0 ? size : 0.0 - size;
    inverse = 1.0 / scale;
    double dd[3] = {
        d[0] * d[0] + o[2] * o[2] + o[1] * o[1],
        o[2] * o[2] + d[1] * d[1] + o[0] * o[0],
        o[1] * o[1] + o[0] * o[0] + d[2] * d[2],
    };
    double oo[3] = {
        o[2] * o[1] + d[1] * o[0] + o[0] * d[2],
        d[0] * o[1] + o[2] * o[0] + o[1] * d[2],
        d[0] * o[2] + o[2] * d[1] + o[1] * o[0],
    };
    double diagonal[3], others[3], i_diagonal[3], i_others[3];
    for (int i = 0; i < 3; i++) {
        diagonal[i] = (1.0 + (d[i] * 0.5 - dd[i] * 0.125)) * scale;
        others[i] = (o[i] * 0.5 - oo[i] * 0.125) * scale;
        i_diagonal[i] = (1.0 + (dd[i] * 0.375 - d[i] * 0.5)) * inverse;
        i_others[i] = (oo[i] * 0.375 - o[i] * 0.5) * inverse;
    }
    double along[3][3] = {
        {i_diagonal[0], i_others[2], i_others[1]},
        {i_others[2], i_diagonal[1], i_others[0]},
        {i_others[1], i_others[0], i_diagonal[2]},
    };
    double r[3][3];
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            r[column][row] = x[row] * along[column][0] + y[row] * along[column][1] + z[row] * along[column][2];

    /* Shepperd 1978: the formula with the largest divisor. */
    double less[3] = {r[1][2] - r[2][1], r[2][0] - r[0][2], r[0][1] - r[1][0]};
    double more[3] = {r[1][2] + r[2][1], r[2][0] + r[0][2], r[0][1] + r[1][0]};
    double q[4];
    if (r[2][2] > 0.0) {
        if (r[0][0] + r[1][1] > 0.0) {
            q[0] = less[0], q[1] = less[1], q[2] = less[2], q[3] = 1.0 + r[0][0] + r[1][1] + r[2][2];
        } else {
            q[0] = more[1], q[1] = more[0], q[2] = 1.0 - r[0][0] - r[1][1] + r[2][2], q[3] = less[2];
        }
    } else if (r[1][1] - r[0][0] > 0.0) {
        q[0] = more[2], q[1] = 1.0 - r[0][0] + r[1][1] - r[2][2], q[2] = more[0], q[3] = less[1];
    } else {
        q[0] = 1.0 + r[0][0] - r[1][1] - r[2][2], q[1] = more[2], q[2] = more[1], q[3] = less[0];
    }
    double normal = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) out->rotation[i] = q[i] * normal;
    for (int i = 0; i < 3; i++) {
        out->stretch[i][i] = diagonal[i];
        for (int j = 0; j < 3; j++)
            if (i != j) out->stretch[i][j] = others[3 - i - j];
    }
    return 1;
}

/* The unit quaternion of a rotation by columns. */
static inline void sinew_quaternion(const double r[3][3], double q[4]) {
    if (r[2][2] <= 0.0) {
        double difference = r[1][1] - r[0][0], rest = 1.0 - r[2][2];
        if (difference <= 0.0) {
            double four = rest - difference, inverse = 0.5 / sqrt(four);
            q[0] = four * inverse, q[1] = (r[0][1] + r[1][0]) * inverse;
            q[2] = (r[0][2] + r[2][0]) * inverse, q[3] = (r[1][2] - r[2][1]) * inverse;
        } else {
            double four = rest + difference, inverse = 0.5 / sqrt(four);
            q[0] = (r[0][1] + r[1][0]) * inverse, q[1] = four * inverse;
            q[2] = (r[1][2] + r[2][1]) * inverse, q[3] = (r[2][0] - r[0][2]) * inverse;
        }
    } else {
        double sum = r[1][1] + r[0][0], rest = 1.0 + r[2][2];
        if (sum <= 0.0) {
            double four = rest - sum, inverse = 0.5 / sqrt(four);
            q[0] = (r[0][2] + r[2][0]) * inverse, q[1] = (r[1][2] + r[2][1]) * inverse;
            q[2] = four * inverse, q[3] = (r[0][1] - r[1][0]) * inverse;
        } else {
            double four = rest + sum, inverse = 0.5 / sqrt(four);
            q[0] = (r[1][2] - r[2][1]) * inverse, q[1] = (r[2][0] - r[0][2]) * inverse;
            q[2] = (r[0][1] - r[1][0]) * inverse, q[3] = four * inverse;
        }
    }
    double length = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] = q[i] * length;
}

/* Any matrix, by one-sided Jacobi rotations. */
static inline sinew_polar sinew_polar_of(const double a[3][3]) {
    sinew_polar out;
    if (sinew_polar_series(a, &out)) return out;
    double size = 0.0;
    int is_finite = 1;
    for (int i = 0; i < 9; i++) {
        size = fmax(size, fabs(a[i / 3][i % 3]));
        is_finite &= isfinite(a[i / 3][i % 3]) != 0;
    }
    if (!(size > 0.0 && is_finite)) {
        out.rotation[0] = out.rotation[1] = out.rotation[2] = 0.0, out.rotation[3] = 1.0;
        memcpy(out.stretch, a, sizeof(out.stretch));
        return out;
    }
    double columns[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 9; i++) columns[i / 3][i % 3] = a[i / 3][i % 3] / size;
    for (int sweep = 0, is_done = 0; sweep < 20 && !is_done; sweep++) {
        is_done = 1;
        for (int pair = 0; pair < 3; pair++) {
            int i = pair == 2 ? 1 : 0, j = pair == 0 ? 1 : 2;
            double alpha = sinew_dot3d(columns[i], columns[i]), beta = sinew_dot3d(columns[j], columns[j]);
            double gamma = sinew_dot3d(columns[i], columns[j]);
            if (fabs(gamma) <= 1e-15 * sqrt(alpha * beta)) continue;
            is_done = 0;
            double zeta = (beta - alpha) / (2.0 * gamma);
            double tangent = copysign(1.0, zeta) / (fabs(zeta) + hypot(zeta, 1.0));
            double cosine = 1.0 / hypot(tangent, 1.0), sine = cosine * tangent;
            for (int k = 0; k < 6; k++) {
                double(*basis)[3] = k < 3 ? columns : v;
                double p = basis[i][k % 3], q = basis[j][k % 3];
                basis[i][k % 3] = p * cosine - q * sine;
                basis[j][k % 3] = p * sine + q * cosine;
            }
        }
    }
    int order[3] = {0, 1, 2};
    for (int i = 1; i < 3; i++) {
        for (int j = i; j > 0; j--) {
            const double *left = columns[order[j - 1]], *right = columns[order[j]];
            if (!(sinew_dot3d(right, right) > sinew_dot3d(left, left))) break;
            int swap = order[j];
            order[j] = order[j - 1], order[j - 1] = swap;
        }
    }
    const double *first = columns[order[0]], *second = columns[order[1]], *third = columns[order[2]];
    const double *v1 = v[order[0]];
    double v2[3], v3[3], u1[3], u2[3], u3[3], rest[3];
    double sigma1 = sinew_lengthd(first), sigma2, sigma3;
    for (int i = 0; i < 3; i++) u1[i] = first[i] / sigma1;
    sinew_rejectd(second, u1, rest);
    int is_line = sinew_lengthd(rest) <= 1e-14 * sigma1;
    if (is_line) {
        double cross[3], axis[3], across[3];
        sinew_cross3d(v1, u1, cross);
        if (sinew_lengthd(cross) > 1e-9) {
            sinew_normalized(cross, axis);
        } else {
            double sign = copysign(1.0, v1[2]), part = -1.0 / (sign + v1[2]), b = v1[0] * v1[1] * part;
            axis[0] = b, axis[1] = sign + v1[1] * v1[1] * part, axis[2] = -v1[1];
        }
        sinew_rejectd(axis, u1, across);
        sinew_normalized(across, u2);
        sinew_rejectd(axis, v1, across);
        sinew_normalized(across, v2);
        sigma2 = 0.0;
    } else {
        sinew_normalized(rest, u2);
        memcpy(v2, v[order[1]], sizeof(v2));
        sigma2 = sinew_lengthd(rest);
    }
    sinew_cross3d(u1, u2, u3);
    sinew_cross3d(v1, v2, v3);
    sigma3 = is_line ? 0.0 : sinew_dot3d(u3, third) * copysign(1.0, sinew_dot3d(v3, v[order[2]]));
    double sign = sigma3 < -1e-14 * sigma1 ? -1.0 : 1.0, r[3][3];
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            r[column][row] = u1[row] * v1[column] * sign + u2[row] * v2[column] * sign + u3[row] * v3[column];
            out.stretch[column][row] = (v1[row] * v1[column] * (sigma1 * sign) + v2[row] * v2[column] * (sigma2 * sign) +
                                        v3[row] * v3[column] * sigma3) *
                                       size;
        }
    }
    sinew_quaternion((const double(*)[3])r, out.rotation);
    return out;
}

/* ---- slots ---- */

/* Rounds to float, and noise beside `largest` to zero. */
static inline void sinew_settle(const double v[4], double largest, float out[4]) {
    for (int i = 0; i < 4; i++) out[i] = fabs(v[i]) < largest * (double)SINEW_NOISE ? 0.0f : (float)v[i];
}

/* The slot of a joint, from its matrix world from bind: its pose times its inverse bind matrix, 16 numbers column after
 * column. */
static inline sinew_slot sinew_slot_of(sinew_skinning_mode mode, const double m[16]) {
    sinew_slot out;
    memset(&out, 0, sizeof(out));
    if (mode == SINEW_MODE_RIGID || mode == SINEW_MODE_LBS) {
        for (int i = 0; i < 16; i++) out.columns[i / 4][i % 4] = (float)m[i];
        return out;
    }
    double a[3][3];
    for (int i = 0; i < 9; i++) a[i / 3][i % 3] = m[i / 3 * 4 + i % 3];
    sinew_polar polar = sinew_polar_of((const double(*)[3])a);
    const double *q = polar.rotation;
    if (mode == SINEW_MODE_DQS || mode == SINEW_MODE_DQS_RIGID) {
        /* crates/skinning/src/dual_quat.rs: d = 1/2 (b, 0) q */
        double h[4] = {q[0] * 0.5, q[1] * 0.5, q[2] * 0.5, q[3] * 0.5}, bx = m[12], by = m[13], bz = m[14];
        double d[4] = {
            0.0 * h[0] + bx * h[3] + by * h[2] - bz * h[1],
            0.0 * h[1] - bx * h[2] + by * h[3] + bz * h[0],
            0.0 * h[2] + bx * h[1] - by * h[0] + bz * h[3],
            0.0 * h[3] - bx * h[0] - by * h[1] - bz * h[2],
        };
        double largest_d = fmax(fmax(fabs(d[0]), fabs(d[1])), fmax(fabs(d[2]), fabs(d[3])));
        sinew_settle(q, 1.0, out.columns[0]);
        sinew_settle(d, largest_d, out.columns[1]);
        if (mode == SINEW_MODE_DQS) {
            double largest = 0.0;
            for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(polar.stretch[i / 3][i % 3]));
            double diagonal[4] = {polar.stretch[0][0], polar.stretch[1][1], polar.stretch[2][2], 0.0};
            double others[4] = {polar.stretch[2][1], polar.stretch[2][0], polar.stretch[1][0], 0.0};
            sinew_settle(diagonal, largest, out.columns[2]);
            sinew_settle(others, largest, out.columns[3]);
        }
        return out;
    }
    /* crates/skinning/src/turn.rs: the rows of the matrix, and its rotation. */
    double largest = 0.0;
    for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(a[i / 3][i % 3]));
    for (int row = 0; row < 3; row++) {
        double numbers[4] = {a[0][row], a[1][row], a[2][row], 0.0};
        sinew_settle(numbers, largest, out.columns[row]);
        out.columns[row][3] = (float)m[12 + row];
    }
    sinew_settle(q, 1.0, out.columns[3]);
    return out;
}

/* The slot of no joint: the identity. */
static inline sinew_slot sinew_no_joint(sinew_skinning_mode mode) {
    static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    return sinew_slot_of(mode, identity);
}

/* ---- crates/skinning/src/turn.rs ---- */

/* R(q), by columns. */
static inline void sinew_turn_of(const float q[4], float x[3], float y[3], float z[3]) {
    x[0] = 1.0f - 2.0f * (q[1] * q[1] + q[2] * q[2]);
    x[1] = 2.0f * (q[0] * q[1] + q[3] * q[2]);
    x[2] = 2.0f * (q[0] * q[2] - q[3] * q[1]);
    y[0] = 2.0f * (q[0] * q[1] - q[3] * q[2]);
    y[1] = 1.0f - 2.0f * (q[0] * q[0] + q[2] * q[2]);
    y[2] = 2.0f * (q[1] * q[2] + q[3] * q[0]);
    z[0] = 2.0f * (q[0] * q[2] + q[3] * q[1]);
    z[1] = 2.0f * (q[1] * q[2] - q[3] * q[0]);
    z[2] = 1.0f - 2.0f * (q[0] * q[0] + q[1] * q[1]);
}

/* B's columns R S, for S as xx yy zz yz xz xy. */
static inline void sinew_turn_stretched(const float q[4], const float s[6], sinew_affine *b) {
    float x[3], y[3], z[3];
    sinew_turn_of(q, x, y, z);
    sinew_combine(x, y, z, s[0], s[5], s[4], b->x);
    sinew_combine(x, y, z, s[5], s[1], s[3], b->y);
    sinew_combine(x, y, z, s[4], s[3], s[2], b->z);
}

/* 2 vec(d q*). */
static inline void sinew_translation_of(const float q[4], const float d[4], float out[3]) {
    float dw[3], qw[3], apart[3], cross[3], half[3];
    sinew_scale3(d, q[3], dw);
    sinew_scale3(q, d[3], qw);
    sinew_sub3(dw, qw, apart);
    sinew_cross3(q, d, cross);
    sinew_add3(apart, cross, half);
    sinew_scale3(half, 2.0f, out);
}

/* S = R^T A of a slot with rows and rotation. */
static inline void sinew_stretch_of(const sinew_slot *slot, float s[6]) {
    float x[3], y[3], z[3], rows[3][3];
    sinew_turn_of(slot->columns[3], x, y, z);
    sinew_combine(slot->columns[0], slot->columns[1], slot->columns[2], x[0], x[1], x[2], rows[0]);
    sinew_combine(slot->columns[0], slot->columns[1], slot->columns[2], y[0], y[1], y[2], rows[1]);
    sinew_combine(slot->columns[0], slot->columns[1], slot->columns[2], z[0], z[1], z[2], rows[2]);
    s[0] = rows[0][0], s[1] = rows[1][1], s[2] = rows[2][2];
    s[3] = rows[1][2], s[4] = rows[0][2], s[5] = rows[0][1];
}

/* d = 1/2 (b, 0) q. */
static inline void sinew_dual_from(const float b[3], const float q[4], float out[4]) {
    float scaled[3], cross[3], sum[3];
    sinew_scale3(b, q[3], scaled);
    sinew_cross3(b, q, cross);
    sinew_add3(scaled, cross, sum);
    sinew_scale3(sum, 0.5f, out);
    out[3] = sinew_dot3(b, q) * -0.5f;
}

/* ---- modes ---- */

static inline const sinew_slot *sinew_slot_at(const sinew_slot *slots, int count, int32_t joint,
                                              const sinew_slot *no_joint) {
    return joint >= 0 && joint < count ? &slots[joint] : no_joint;
}

/* Blends the joints of a vertex to one transform. */
static inline sinew_affine sinew_blend(sinew_skinning_mode mode, const sinew_slot *slots, int count,
                                       const sinew_vertex *vertex) {
    sinew_slot no_joint = sinew_no_joint(mode);
    const sinew_slot *first =
        sinew_slot_at(slots, count, vertex->influences > 0 ? vertex->joints[0] : -1, &no_joint);
    sinew_affine b;
    memset(&b, 0, sizeof(b));

    if (mode == SINEW_MODE_RIGID) { /* rigid.rs */
        memcpy(b.x, first->columns[0], sizeof(b.x));
        memcpy(b.y, first->columns[1], sizeof(b.y));
        memcpy(b.z, first->columns[2], sizeof(b.z));
        memcpy(b.translation, first->columns[3], sizeof(b.translation));
        return b;
    }
    if (mode == SINEW_MODE_LBS) { /* linear.rs */
        for (int i = 0; i < vertex->influences; i++) {
            const sinew_slot *slot = sinew_slot_at(slots, count, vertex->joints[i], &no_joint);
            sinew_add_scaled(b.x, slot->columns[0], vertex->weights[i], 3);
            sinew_add_scaled(b.y, slot->columns[1], vertex->weights[i], 3);
            sinew_add_scaled(b.z, slot->columns[2], vertex->weights[i], 3);
            sinew_add_scaled(b.translation, slot->columns[3], vertex->weights[i], 3);
        }
        return b;
    }

    /* Those with a rotation: dual_quat.rs and dual_quat_rigid.rs keep it in column 0, the others in column 3. */
    int is_dual = mode == SINEW_MODE_DQS || mode == SINEW_MODE_DQS_RIGID;
    int at = is_dual ? 0 : 3;
    float rows[3][4], q[4], d[4], s[6], first_d[4];
    memset(rows, 0, sizeof(rows)), memset(q, 0, sizeof(q)), memset(d, 0, sizeof(d)), memset(s, 0, sizeof(s));
    memset(first_d, 0, sizeof(first_d));
    for (int i = -1; i < vertex->influences; i++) {
        const sinew_slot *slot = i < 0 ? first : sinew_slot_at(slots, count, vertex->joints[i], &no_joint);
        const float *turn = slot->columns[at];
        float dual[4] = {0, 0, 0, 0}, stretch[6] = {0, 0, 0, 0, 0, 0};
        if (is_dual) {
            memcpy(dual, slot->columns[1], sizeof(dual));
            memcpy(stretch, slot->columns[2], 3 * sizeof(float));
            memcpy(stretch + 3, slot->columns[3], 3 * sizeof(float));
        } else {
            sinew_stretch_of(slot, stretch);
            float b_of[3] = {slot->columns[0][3], slot->columns[1][3], slot->columns[2][3]};
            if (mode == SINEW_MODE_DQS_BLENDER) {
                /* M p - R p, as (A - R) p + b */
                sinew_affine apart;
                float x[3], y[3], z[3], moved[3];
                sinew_turn_of(turn, x, y, z);
                for (int row = 0; row < 3; row++) {
                    apart.x[row] = slot->columns[row][0] - x[row];
                    apart.y[row] = slot->columns[row][1] - y[row];
                    apart.z[row] = slot->columns[row][2] - z[row];
                    apart.translation[row] = b_of[row];
                }
                sinew_position(&apart, vertex->position, moved);
                sinew_dual_from(moved, turn, dual);
            } else {
                sinew_dual_from(b_of, turn, dual);
            }
        }
        if (i < 0) {
            memcpy(first_d, dual, sizeof(first_d));
            continue;
        }
        float weight = vertex->weights[i];
        float signed_weight = sinew_dot4(turn, first->columns[at]) < -SINEW_HALF_TURN ? -weight : weight;
        for (int row = 0; row < 3 && !is_dual; row++) sinew_add_scaled(rows[row], slot->columns[row], weight, 4);
        sinew_add_scaled(q, turn, signed_weight, 4);
        sinew_add_scaled(d, dual, signed_weight, 4);
        sinew_add_scaled(s, stretch, weight, 6);
    }
    float length = sqrtf(sinew_dot4(q, q));
    if (length > SINEW_CANCELLED) {
        for (int i = 0; i < 4; i++) q[i] = q[i] / length, d[i] = d[i] / length;
    } else {
        memcpy(q, first->columns[at], sizeof(q));
        memcpy(d, first_d, sizeof(d));
    }
    if (mode == SINEW_MODE_DQS_RIGID) {
        sinew_turn_of(q, b.x, b.y, b.z);
        sinew_translation_of(q, d, b.translation);
        return b;
    }
    sinew_turn_stretched(q, s, &b);
    float shift[3];
    sinew_translation_of(q, d, shift);
    if (mode == SINEW_MODE_DQS) {
        memcpy(b.translation, shift, sizeof(shift));
        return b;
    }
    float linear[4][3];
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 3; row++) linear[column][row] = rows[row][column];
    float *turned[3] = {b.x, b.y, b.z};
    if (mode == SINEW_MODE_BLEND) { /* blended.rs: linear + (turned - linear) share */
        for (int column = 0; column < 4; column++) {
            float *to = column < 3 ? turned[column] : b.translation;
            const float *from = column < 3 ? turned[column] : shift;
            for (int row = 0; row < 3; row++) {
                float apart = (from[row] - linear[column][row]) * vertex->share;
                to[row] = linear[column][row] + apart;
            }
        }
    } else if (mode == SINEW_MODE_COR) { /* center_of_rotation.rs: (L3 - B3) c + b */
        float apart[3][3], sum[3];
        for (int column = 0; column < 3; column++) sinew_sub3(linear[column], turned[column], apart[column]);
        sinew_combine(apart[0], apart[1], apart[2], vertex->center[0], vertex->center[1], vertex->center[2], sum);
        sinew_add3(sum, linear[3], b.translation);
    } else { /* dual_quat_blender.rs: the point turns by R alone, directions by R S */
        float x[3], y[3], z[3], apart[3][3], sum[3];
        sinew_turn_of(q, x, y, z);
        sinew_sub3(x, b.x, apart[0]);
        sinew_sub3(y, b.y, apart[1]);
        sinew_sub3(z, b.z, apart[2]);
        sinew_combine(apart[0], apart[1], apart[2], vertex->position[0], vertex->position[1], vertex->position[2], sum);
        sinew_add3(sum, shift, b.translation);
    }
    return b;
}

#ifdef __cplusplus
}
#endif

#endif
