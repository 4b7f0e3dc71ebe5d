/* Skins a model in one pose and prints its vertices: skin MODEL CLIP SECONDS */
#include <stdio.h>
#include <stdlib.h>

#include "sinew.h"

static int failed(const sinew_error *error, sinew_status status) {
    if (status != SINEW_OK) fprintf(stderr, "error: %s\n", error->message);
    return status != SINEW_OK;
}

int main(int count, char **words) {
    sinew_error error = {sizeof(sinew_error), ""};
    sinew_model *model = NULL;
    sinew_pose *pose = NULL;
    sinew_status status;
    if (count != 4) {
        fprintf(stderr, "usage: skin MODEL CLIP SECONDS\n");
        return SINEW_USAGE;
    }
    if (failed(&error, status = sinew_load_file(words[1], &model, &error))) return (int)status;
    status = sinew_pose_clip(model, (size_t)atoi(words[2]), atof(words[3]), &pose, &error);
    for (size_t primitive = 0; status == SINEW_OK && primitive < sinew_primitive_count(model); primitive++) {
        size_t vertices = sinew_primitive_vertices(model, primitive);
        float *positions = malloc(vertices * 3 * sizeof(float));
        sinew_out out = {sizeof(sinew_out), vertices, positions, 0, NULL, 0, NULL, 0, SINEW_ALL_CORES | SINEW_EXACT};
        if (positions == NULL && vertices > 0) {
            status = SINEW_MEMORY;
            break;
        }
        status = sinew_skin(model, pose, SINEW_DQS, primitive, &out, &error);
        for (size_t vertex = 0; status == SINEW_OK && vertex < vertices; vertex++)
            printf("%.9g %.9g %.9g\n", (double)positions[3 * vertex], (double)positions[3 * vertex + 1],
                   (double)positions[3 * vertex + 2]);
        free(positions);
    }
    failed(&error, status);
    sinew_pose_free(pose);
    sinew_model_free(model);
    return (int)status;
}
