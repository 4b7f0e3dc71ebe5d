// Direct delta mush: a vertex turns with its surroundings, as smoothed weights move them.
// Twin: crates/skinning/src/direct_delta_mush.rs, which also says what a slot holds and whose method it is.

#include "skinning_buffer.glsl"
#include "nearest_turn.glsl"

// The slot of "no joint": the rows of the identity, and the quaternion that turns nothing.
const mat4 NO_JOINT = mat4(1.0);

// Two numbers of four a point: where its terms begin and end, and its centre; after those of all points three a term: the
// products xx yy zz yz, then xz xy with the weight and the joint, then the offset.
layout(set = 0, binding = 3, std430) readonly buffer Ddm {
    vec4 ddm[];
};
layout(set = 0, binding = 3, std430) readonly buffer DdmEnds {
    uvec4 ddm_ends[];
};

// The numbers of points begin here. A smaller one is a vertex without terms.
const float FIRST_POINT = 2.0;

// A column of a joint's matrix, of which the slot has the rows.
vec3 column_of(mat4 slot, int number) {
    return vec3(slot[0][number], slot[1][number], slot[2][number]);
}

vec3 moved(mat4 slot, vec3 p) {
    precise vec3 place = column_of(slot, 0) * p.x + column_of(slot, 1) * p.y + column_of(slot, 2) * p.z
        + column_of(slot, 3);
    return place;
}

// The share is the number of the vertex's point.
Affine blend(ivec4 joints[SPANS], vec4 weights[SPANS], float share, vec3 unused, vec3 position) {
    if (share < FIRST_POINT) {
        mat4 alone = slot_of(joints[0][0], NO_JOINT);
        mat3 turn = turn_of(alone[3]);
        return Affine(turn[0], turn[1], turn[2], column_of(alone, 3));
    }
    uint point = uint(share - FIRST_POINT) * 2u;
    uint term = ddm_ends[point].x;
    uint end = ddm_ends[point].y;
    vec3 center = ddm[point + 1u].xyz;
    // The first term is that of slot 0.
    mat4 first = slot_of(term < end ? int(ddm[term + 1u].w) : -1, NO_JOINT);
    vec3 start = moved(first, center);

    precise vec3 sum_x = vec3(0.0);
    precise vec3 sum_y = vec3(0.0);
    precise vec3 sum_z = vec3(0.0);
    precise vec3 q = vec3(0.0);
    [[dont_unroll]] while (term < end) {
        vec4 products = ddm[term];
        vec4 more = ddm[term + 1u];
        vec3 offset = ddm[term + 2u].xyz;
        mat4 slot = slot_of(int(more.w), NO_JOINT);
        precise vec3 apart = moved(slot, center) - start;
        vec3 x = column_of(slot, 0);
        vec3 y = column_of(slot, 1);
        vec3 z = column_of(slot, 2);
        sum_x = sum_x + (x * products.x + y * more.y + z * more.x + apart * offset.x);
        sum_y = sum_y + (x * more.y + y * products.y + z * products.w + apart * offset.y);
        sum_z = sum_z + (x * more.x + y * products.w + z * products.z + apart * offset.z);
        q = q + (x * offset.x + y * offset.y + z * offset.z + apart * more.z);
        term += 3u;
    }

    mat3 turn = turn_of(nearest_turn(mat3(sum_x, sum_y, sum_z), first[3]));
    precise vec3 turned = turn[0] * center.x + turn[1] * center.y + turn[2] * center.z;
    precise vec3 translation = start - turned + q;
    return Affine(turn[0], turn[1], turn[2], translation);
}
