/*
 * sinew_modes.h: seven ways to skin a vertex, in C99 that is C++11 as well. No allocation, no state, no dependencies.
 * SPDX-License-Identifier: MIT (the text is at the end)
 *
 *     rigid         each vertex follows its heaviest joint
 *     lbs           linear blend skinning
 *     dqs           dual quaternions, with stretches blended linearly, as Maya and OpenUSD have them
 *     blend         a share of dqs, the rest of lbs, as artists paint it in Maya, 3ds Max and Houdini
 *     cor           optimized centres of rotation
 *     dqs-blender   dual quaternions as Blender's Preserve Volume has them
 *     dqs-rigid     dual quaternions without scale, as most engines have them
 *
 * Direct delta mush is the eighth mode; it needs triangles, which this header does not see.
 *
 * Each frame, make a slot of each joint: 64 bytes, which sinew's shaders read as a mat4. Then blend the slots of each
 * vertex to one affine transform, and move position, normal and tangent by it:
 *
 *     for (int j = 0; j < joint_count; j++)
 *         slots[j] = sinew_slot_of(SINEW_MODE_DQS, world_from_bind[j]);
 *
 *     sinew_vertex vertex = {0};
 *     vertex.joints = joints;
 *     vertex.weights = weights;
 *     vertex.influences = 4;
 *     sinew_affine b = sinew_blend(SINEW_MODE_DQS, slots, joint_count, &vertex);
 *     sinew_transform_position(&b, position, moved_position);
 *     sinew_transform_normal(&b, normal, moved_normal);
 *     sinew_transform_tangent(&b, tangent, moved_normal, moved_tangent);
 *
 * world_from_bind[j] is double[16], column after column: the joint's transform in the world times its inverse bind
 * matrix. Its last row is 0, 0, 0, 1. Any such matrix will do, mirrored, sheared or flat. The results are in the
 * world.
 *
 * The cost is in sinew_slot_of, which decomposes a matrix in double precision for all modes but rigid and lbs, once
 * per joint. All else is float. Threads may call anything at the same time.
 *
 * Every function does the same operations in the same order as its namesake in sinew's crates/skinning/src and in its
 * shaders, and a test compares the bits. For the same bits, your compiler must round after each operation. Pass
 * -ffp-contract=off to gcc and clang, which otherwise may fuse a product and a sum; leave out /fp:contract and
 * /fp:fast for MSVC; use SSE2 on 32-bit x86. Otherwise the last digits differ, and normals differ more where a joint
 * is scaled to nothing. Never pass -ffast-math: it removes the checks for NaN, and flushes what SINEW_SMALLEST keeps.
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

/* The modes. Their numbers are those of sinew_mode in sinew.h. */
typedef enum sinew_skinning_mode {
    SINEW_MODE_RIGID,
    SINEW_MODE_LBS,
    SINEW_MODE_DQS,
    SINEW_MODE_BLEND,
    SINEW_MODE_COR,
    SINEW_MODE_DQS_BLENDER,
    SINEW_MODE_DQS_RIGID
} sinew_skinning_mode;

/* A joint as a mode reads it. Slots of different modes are different.
 *
 *     rigid, lbs               the columns of the matrix
 *     dqs                      q as x y z w; d as x y z w; Sxx Syy Szz 0; Syz Sxz Sxy 0
 *     dqs-rigid                q; d; 0; 0
 *     blend, cor, dqs-blender  the rows of the matrix; q
 *
 * The matrix is [A | b] with A = R S, a rotation after a symmetric stretch. q is the unit quaternion of R, and
 * d = 1/2 (b, 0) q.
 */
typedef struct sinew_slot {
    float columns[4][4];
} sinew_slot;

/* The joints of a vertex, and what some modes read besides. A joint without a slot, such as -1, does not move. */
typedef struct sinew_vertex {
    const int32_t *joints; /* the heaviest first */
    const float *weights;  /* of these joints; their sum is 1 */
    int influences;        /* the number of joints, at least 1 */
    float share;           /* blend: the share of dqs, 0 to 1 */
    float center[3];       /* cor: the centre of rotation, in the bind pose (Le and Hodgins 2016) */
    float position[3];     /* dqs-blender: the position, in the bind pose */
} sinew_vertex;

/* The transform of a vertex, from the bind pose to the world: the images of the three axes and of the origin. */
typedef struct sinew_affine {
    float x[3], y[3], z[3], translation[3];
} sinew_affine;

/* ---- shared.rs ---- */

/* The smallest normal number; some processors flush anything below to zero. */
#define SINEW_SMALLEST FLT_MIN
/* A component of a unit vector this small is rounding noise: 2^-40. */
#define SINEW_NOISE 9.094947017729282379150390625e-13f
/* A determinant smaller than this share of the product of the columns' lengths is rounding noise: 2^-18. */
#define SINEW_FLAT 3.814697265625e-6f
/* The remainder of a unit vector, without another's direction, that is still noise: 2^-20. */
#define SINEW_PARALLEL 9.5367431640625e-7f
/* Quaternions whose dot product is this close to zero are half a turn apart within rounding: 2^-20. */
#define SINEW_HALF_TURN 9.5367431640625e-7f
/* A blended quaternion shorter than this is rounding noise, and the first joint's replaces it: 2^-20. */
#define SINEW_CANCELLED 9.5367431640625e-7f

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

/* ---- affine.rs: how a transform moves a vertex, the same for all modes ---- */

/* Normalises v; a zero v gives the fallback. Divides by the largest component first, so that the square neither
 * overflows nor vanishes. */
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

/* Scales the columns so that their largest number is one: products of two or three then neither overflow nor vanish. */
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

/* -1 if the transform, at size one, mirrors; else 1. It is 1 for a flat one, where rounding would decide the sign. */
static inline float sinew_orientation(const sinew_affine *b) {
    float across[3];
    sinew_cross3(b->y, b->z, across);
    float determinant = sinew_dot3(b->x, across);
    float noise = sinew_largest(b->x) * sinew_largest(b->y) * sinew_largest(b->z) * SINEW_FLAT;
    return determinant < -noise ? -1.0f : 1.0f;
}

/* Moves a point. `out` may be `p`. */
static inline void sinew_transform_position(const sinew_affine *b, const float p[3], float out[3]) {
    float moved[3];
    sinew_combine(b->x, b->y, b->z, p[0], p[1], p[2], moved);
    sinew_add3(moved, b->translation, out);
}

/* Turns a normal by the cofactor matrix, whose columns are these cross products: the direction of the inverse
 * transpose, without dividing by a determinant that may be zero. The result has length one. `out` may be `n`. */
static inline void sinew_transform_normal(const sinew_affine *b, const float n[3], float out[3]) {
    sinew_affine s = sinew_at_size_one(b);
    float yz[3], zx[3], xy[3], moved[3], turned[3];
    sinew_cross3(s.y, s.z, yz);
    sinew_cross3(s.z, s.x, zx);
    sinew_cross3(s.x, s.y, xy);
    sinew_combine(yz, zx, xy, n[0], n[1], n[2], moved);
    sinew_scale3(moved, sinew_orientation(&s), turned);
    sinew_direction(turned, n, out);
}

/* Turns a tangent, and makes it orthogonal to the result of sinew_transform_normal for the same vertex. Mirroring
 * flips the handedness, t[3]. `out` may be `t`. */
static inline void sinew_transform_tangent(const sinew_affine *b, const float t[4], const float moved_normal[3],
                                           float out[4]) {
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

/* ---- polar/: A = R S of a joint's 3x3 part, in double ---- */

/* R is the rotation nearest to A (Higham 1986). If A mirrors, R and S change sign, so that R stays a rotation. */
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

/* Decomposes a matrix that nearly is a rotation times a number, by a series; returns 0 for any other. */
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

/* The unit quaternion of a rotation by columns (glam's DQuat::from_mat3, normalised). */
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

/* Decomposes any matrix: by the series, or by singular values from one-sided Jacobi rotations
 * (Hestenes 1958), because a joint may be scaled to nothing along an axis, and Newton's iteration would invert it. */
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
            double s = v1[row] * v1[column] * (sigma1 * sign) + v2[row] * v2[column] * (sigma2 * sign) +
                       v3[row] * v3[column] * sigma3;
            out.stretch[column][row] = s * size;
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

/* The slot of a joint, from its matrix world_from_bind, column after column. */
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
        /* dual_quat.rs */
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
    /* turn.rs */
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

/* The slot of no joint: that of the identity. */
static inline const sinew_slot *sinew_no_joint(sinew_skinning_mode mode) {
    static const sinew_slot matrix = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    static const sinew_slot stretched = {{{0, 0, 0, 1}, {0, 0, 0, 0}, {1, 1, 1, 0}, {0, 0, 0, 0}}};
    static const sinew_slot turned = {{{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
    return mode == SINEW_MODE_DQS ? &stretched : mode == SINEW_MODE_DQS_RIGID ? &turned : &matrix;
}

/* The slot of a vertex's influence, or of its heaviest for 0. */
static inline const sinew_slot *sinew_slot_at(sinew_skinning_mode mode, const sinew_slot *slots, int count,
                                              const sinew_vertex *vertex, int influence) {
    int32_t joint = influence < vertex->influences ? vertex->joints[influence] : -1;
    return joint >= 0 && joint < count ? &slots[joint] : sinew_no_joint(mode);
}

/* ---- turn.rs: rotations by quaternion, and stretches before them ---- */

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

/* M p - R p of a slot with rows and rotation, as (A - R) p + b: in the bind pose nothing is rounded. */
static inline void sinew_apart_of(const sinew_slot *slot, const float p[3], float out[3]) {
    sinew_affine apart;
    float x[3], y[3], z[3];
    sinew_turn_of(slot->columns[3], x, y, z);
    for (int row = 0; row < 3; row++) {
        apart.x[row] = slot->columns[row][0] - x[row];
        apart.y[row] = slot->columns[row][1] - y[row];
        apart.z[row] = slot->columns[row][2] - z[row];
        apart.translation[row] = slot->columns[row][3];
    }
    sinew_transform_position(&apart, p, out);
}

/* The dual part in a slot with rows and rotation. */
static inline void sinew_dual_of(const sinew_slot *slot, float out[4]) {
    const float b[3] = {slot->columns[0][3], slot->columns[1][3], slot->columns[2][3]};
    sinew_dual_from(b, slot->columns[3], out);
}

/* ---- what the modes with quaternions share ---- */

/* The sums over the influences of a vertex. */
typedef struct sinew_sums {
    float q[4], d[4];
    float stretch[6];
    float rows[3][4]; /* of the linear blend */
} sinew_sums;

/* The weight of a quaternion, signed so that it is on the first joint's side of the sphere. */
static inline float sinew_signed_weight(const float q[4], const float pivot[4], float weight) {
    return sinew_dot4(q, pivot) < -SINEW_HALF_TURN ? -weight : weight;
}

static inline void sinew_add_rows(sinew_sums *sums, const sinew_slot *slot, float weight) {
    for (int row = 0; row < 3; row++) sinew_add_scaled(sums->rows[row], slot->columns[row], weight, 4);
}

static inline void sinew_add_stretch(sinew_sums *sums, const sinew_slot *slot, float weight) {
    float stretch[6];
    sinew_stretch_of(slot, stretch);
    sinew_add_scaled(sums->stretch, stretch, weight, 6);
}

/* Divides q, and d with it, by the length of q. Quaternions that cancel out are replaced by the first joint's. */
static inline void sinew_divide(sinew_sums *sums, const float first_q[4], const float first_d[4]) {
    float length = sqrtf(sinew_dot4(sums->q, sums->q));
    if (length > SINEW_CANCELLED) {
        for (int i = 0; i < 4; i++) sums->q[i] = sums->q[i] / length, sums->d[i] = sums->d[i] / length;
    } else {
        memcpy(sums->q, first_q, sizeof(sums->q));
        memcpy(sums->d, first_d, sizeof(sums->d));
    }
}

/* A column of the linear blend. */
static inline void sinew_column(const sinew_sums *sums, int column, float out[3]) {
    for (int row = 0; row < 3; row++) out[row] = sums->rows[row][column];
}

/* ---- the modes: each is the function `blend` of its file ---- */

/* rigid.rs: B = M of the heaviest joint. */
static inline sinew_affine sinew_blend_rigid(const sinew_slot *slots, int count, const sinew_vertex *vertex) {
    const sinew_slot *slot = sinew_slot_at(SINEW_MODE_RIGID, slots, count, vertex, 0);
    sinew_affine b;
    memcpy(b.x, slot->columns[0], sizeof(b.x));
    memcpy(b.y, slot->columns[1], sizeof(b.y));
    memcpy(b.z, slot->columns[2], sizeof(b.z));
    memcpy(b.translation, slot->columns[3], sizeof(b.translation));
    return b;
}

/* linear.rs: B = sum of w M. */
static inline sinew_affine sinew_blend_linear(const sinew_slot *slots, int count, const sinew_vertex *vertex) {
    sinew_affine b;
    memset(&b, 0, sizeof(b));
    for (int i = 0; i < vertex->influences; i++) {
        const sinew_slot *slot = sinew_slot_at(SINEW_MODE_LBS, slots, count, vertex, i);
        sinew_add_scaled(b.x, slot->columns[0], vertex->weights[i], 3);
        sinew_add_scaled(b.y, slot->columns[1], vertex->weights[i], 3);
        sinew_add_scaled(b.z, slot->columns[2], vertex->weights[i], 3);
        sinew_add_scaled(b.translation, slot->columns[3], vertex->weights[i], 3);
    }
    return b;
}

/* dual_quat.rs: B p = R(q) (S p) + 2 vec(d q*), after Kavan, Collins, Zara, O'Sullivan, Geometric Skinning with
 * Approximate Dual Quaternion Blending (TOG 2008), algorithm 1, with scale and shear apart as in Kavan et al. 2006. */
static inline sinew_affine sinew_blend_dual_quat(const sinew_slot *slots, int count, const sinew_vertex *vertex) {
    const sinew_slot *first = sinew_slot_at(SINEW_MODE_DQS, slots, count, vertex, 0);
    sinew_sums sums;
    sinew_affine b;
    memset(&sums, 0, sizeof(sums));
    for (int i = 0; i < vertex->influences; i++) {
        const sinew_slot *slot = sinew_slot_at(SINEW_MODE_DQS, slots, count, vertex, i);
        float weight = vertex->weights[i];
        float signed_weight = sinew_signed_weight(slot->columns[0], first->columns[0], weight);
        sinew_add_scaled(sums.q, slot->columns[0], signed_weight, 4);
        sinew_add_scaled(sums.d, slot->columns[1], signed_weight, 4);
        sinew_add_scaled(sums.stretch, slot->columns[2], weight, 3);
        sinew_add_scaled(sums.stretch + 3, slot->columns[3], weight, 3);
    }
    sinew_divide(&sums, first->columns[0], first->columns[1]);
    sinew_turn_stretched(sums.q, sums.stretch, &b);
    sinew_translation_of(sums.q, sums.d, b.translation);
    return b;
}

/* dual_quat_rigid.rs: the same with S = 1. */
static inline sinew_affine sinew_blend_dual_quat_rigid(const sinew_slot *slots, int count, const sinew_vertex *vertex) {
    const sinew_slot *first = sinew_slot_at(SINEW_MODE_DQS_RIGID, slots, count, vertex, 0);
    sinew_sums sums;
    sinew_affine b;
    memset(&sums, 0, sizeof(sums));
    for (int i = 0; i < vertex->influences; i++) {
        const sinew_slot *slot = sinew_slot_at(SINEW_MODE_DQS_RIGID, slots, count, vertex, i);
        float signed_weight = sinew_signed_weight(slot->columns[0], first->columns[0], vertex->weights[i]);
        sinew_add_scaled(sums.q, slot->columns[0], signed_weight, 4);
        sinew_add_scaled(sums.d, slot->columns[1], signed_weight, 4);
    }
    sinew_divide(&sums, first->columns[0], first->columns[1]);
    sinew_turn_of(sums.q, b.x, b.y, b.z);
    sinew_translation_of(sums.q, sums.d, b.translation);
    return b;
}

/* (1 - share) linear + share turned, as linear + (turned - linear) share: in the bind pose nothing is rounded. */
static inline void sinew_mixed(const float linear[3], const float turned[3], float share, float out[3]) {
    float apart[3], scaled[3];
    sinew_sub3(turned, linear, apart);
    sinew_scale3(apart, share, scaled);
    sinew_add3(linear, scaled, out);
}

/* blended.rs: B = (1 - share) B_lbs + share B_dqs. */
static inline sinew_affine sinew_blend_blended(const sinew_slot *slots, int count, const sinew_vertex *vertex) {
    const sinew_slot *first = sinew_slot_at(SINEW_MODE_BLEND, slots, count, vertex, 0);
    sinew_sums sums;
    sinew_affine turned, b;
    float dual[4], linear[3];
    memset(&sums, 0, sizeof(sums));
    for (int i = 0; i < vertex->influences; i++) {
        const sinew_slot *slot = sinew_slot_at(SINEW_MODE_BLEND, slots, count, vertex, i);
        float weight = vertex->weights[i];
        float signed_weight = sinew_signed_weight(slot->columns[3], first->columns[3], weight);
        sinew_add_rows(&sums, slot, weight);
        sinew_add_scaled(sums.q, slot->columns[3], signed_weight, 4);
        sinew_dual_of(slot, dual);
        sinew_add_scaled(sums.d, dual, signed_weight, 4);
        sinew_add_stretch(&sums, slot, weight);
    }
    sinew_dual_of(first, dual);
    sinew_divide(&sums, first->columns[3], dual);
    sinew_turn_stretched(sums.q, sums.stretch, &turned);
    sinew_translation_of(sums.q, sums.d, turned.translation);
    sinew_column(&sums, 0, linear);
    sinew_mixed(linear, turned.x, vertex->share, b.x);
    sinew_column(&sums, 1, linear);
    sinew_mixed(linear, turned.y, vertex->share, b.y);
    sinew_column(&sums, 2, linear);
    sinew_mixed(linear, turned.z, vertex->share, b.z);
    sinew_column(&sums, 3, linear);
    sinew_mixed(linear, turned.translation, vertex->share, b.translation);
    return b;
}

/* center_of_rotation.rs: B = R(q) S, moved so that it takes the centre c where the linear blend L does, after Le,
 * Hodgins, Real-time Skeletal Skinning with Optimized Centers of Rotation (SIGGRAPH 2016). */
static inline sinew_affine sinew_blend_center_of_rotation(const sinew_slot *slots, int count,
                                                          const sinew_vertex *vertex) {
    const sinew_slot *first = sinew_slot_at(SINEW_MODE_COR, slots, count, vertex, 0);
    sinew_sums sums;
    sinew_affine b;
    float column[3], apart[3][3], sum[3];
    const float *c = vertex->center, no_dual[4] = {0, 0, 0, 0};
    memset(&sums, 0, sizeof(sums));
    for (int i = 0; i < vertex->influences; i++) {
        const sinew_slot *slot = sinew_slot_at(SINEW_MODE_COR, slots, count, vertex, i);
        float weight = vertex->weights[i];
        float signed_weight = sinew_signed_weight(slot->columns[3], first->columns[3], weight);
        sinew_add_rows(&sums, slot, weight);
        sinew_add_scaled(sums.q, slot->columns[3], signed_weight, 4);
        sinew_add_stretch(&sums, slot, weight);
    }
    sinew_divide(&sums, first->columns[3], no_dual);
    sinew_turn_stretched(sums.q, sums.stretch, &b);
    /* L c - B c, as (L3 - B3) c + b: terms far from the origin do not cancel. */
    sinew_column(&sums, 0, column);
    sinew_sub3(column, b.x, apart[0]);
    sinew_column(&sums, 1, column);
    sinew_sub3(column, b.y, apart[1]);
    sinew_column(&sums, 2, column);
    sinew_sub3(column, b.z, apart[2]);
    sinew_combine(apart[0], apart[1], apart[2], c[0], c[1], c[2], sum);
    sinew_column(&sums, 3, column);
    sinew_add3(sum, column, b.translation);
    return b;
}

/* dual_quat_blender.rs: each joint gives the rigid motion, with its rotation, that takes this vertex where the joint
 * alone would. The point turns by R alone, directions by R S. */
static inline sinew_affine sinew_blend_dual_quat_blender(const sinew_slot *slots, int count,
                                                         const sinew_vertex *vertex) {
    const sinew_slot *first = sinew_slot_at(SINEW_MODE_DQS_BLENDER, slots, count, vertex, 0);
    sinew_sums sums;
    sinew_affine r, b;
    float apart[3], dual[4], columns[3][3], unstretched[3];
    const float *p = vertex->position;
    memset(&sums, 0, sizeof(sums));
    for (int i = 0; i < vertex->influences; i++) {
        const sinew_slot *slot = sinew_slot_at(SINEW_MODE_DQS_BLENDER, slots, count, vertex, i);
        float weight = vertex->weights[i];
        float signed_weight = sinew_signed_weight(slot->columns[3], first->columns[3], weight);
        sinew_add_scaled(sums.q, slot->columns[3], signed_weight, 4);
        sinew_apart_of(slot, p, apart);
        sinew_dual_from(apart, slot->columns[3], dual);
        sinew_add_scaled(sums.d, dual, signed_weight, 4);
        sinew_add_stretch(&sums, slot, weight);
    }
    sinew_apart_of(first, p, apart);
    sinew_dual_from(apart, first->columns[3], dual);
    sinew_divide(&sums, first->columns[3], dual);
    sinew_turn_of(sums.q, r.x, r.y, r.z);
    sinew_turn_stretched(sums.q, sums.stretch, &b);
    sinew_sub3(r.x, b.x, columns[0]);
    sinew_sub3(r.y, b.y, columns[1]);
    sinew_sub3(r.z, b.z, columns[2]);
    sinew_combine(columns[0], columns[1], columns[2], p[0], p[1], p[2], unstretched);
    sinew_translation_of(sums.q, sums.d, r.translation);
    sinew_add3(unstretched, r.translation, b.translation);
    return b;
}

/* The transform of a vertex in any mode. `slots` has `count` of them, made for the same mode. */
static inline sinew_affine sinew_blend(sinew_skinning_mode mode, const sinew_slot *slots, int count,
                                       const sinew_vertex *vertex) {
    switch (mode) {
    case SINEW_MODE_LBS: return sinew_blend_linear(slots, count, vertex);
    case SINEW_MODE_DQS: return sinew_blend_dual_quat(slots, count, vertex);
    case SINEW_MODE_BLEND: return sinew_blend_blended(slots, count, vertex);
    case SINEW_MODE_COR: return sinew_blend_center_of_rotation(slots, count, vertex);
    case SINEW_MODE_DQS_BLENDER: return sinew_blend_dual_quat_blender(slots, count, vertex);
    case SINEW_MODE_DQS_RIGID: return sinew_blend_dual_quat_rigid(slots, count, vertex);
    case SINEW_MODE_RIGID: break;
    }
    return sinew_blend_rigid(slots, count, vertex);
}

#ifdef __cplusplus
}
#endif

/*
 * MIT License
 *
 * Copyright (c) 2026 the sinew authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */

#endif
