/* Skins the cases on standard input by include/sinew_modes.h, for tests/modes.rs: numbers in, numbers out. */
#include <stdio.h>
#include <stdlib.h>

#include "sinew_modes.h"

enum { JOINTS = 5, INFLUENCES = 8 };

typedef struct {
    double matrices[JOINTS][16];
    int32_t joints[INFLUENCES];
    float weights[INFLUENCES];
    float share, center[3], position[3], normal[3], tangent[4];
    int32_t mode, padding;
} test_case;

typedef struct {
    float slots[JOINTS][16];
    float position[3], normal[3], tangent[4];
} result;

int main(void) {
    test_case one;
    while (fread(&one, sizeof(one), 1, stdin) == 1) {
        sinew_slot slots[JOINTS];
        result out;
        sinew_skinning_mode mode = (sinew_skinning_mode)one.mode;
        for (int j = 0; j < JOINTS; j++) {
            slots[j] = sinew_slot_of(mode, one.matrices[j]);
            memcpy(out.slots[j], slots[j].columns, sizeof(out.slots[j]));
        }
        sinew_vertex vertex = {one.joints, one.weights, INFLUENCES, one.share, {0, 0, 0}, {0, 0, 0}};
        memcpy(vertex.center, one.center, sizeof(vertex.center));
        memcpy(vertex.position, one.position, sizeof(vertex.position));
        sinew_affine b = sinew_blend(mode, slots, JOINTS, &vertex);
        sinew_transform_position(&b, one.position, out.position);
        sinew_transform_normal(&b, one.normal, out.normal);
        sinew_transform_tangent(&b, one.tangent, out.normal, out.tangent);
        if (fwrite(&out, sizeof(out), 1, stdout) != 1) return 1;
    }
    return 0;
}
