/* Skins a model in one pose and prints its vertices: skin MODEL CLIP SECONDS [MODE], a number of sinew_mode */
#include <stdio.h>
#include <stdlib.h>

#include "sinew.h"

/* Vertices as an engine keeps them, between its other data. */
typedef struct vertex {
    unsigned char color[4];
    float position[3];
    float normal[3];
} vertex;

static sinew_status print(const sinew_model *model, const sinew_pose *pose, int mode, size_t primitive,
                          sinew_error *error) {
    size_t count = sinew_primitive_vertices(model, primitive);
    vertex *vertices = calloc(count > 0 ? count : 1, sizeof(vertex));
    if (vertices == NULL) return SINEW_MEMORY;
    sinew_out out = {0};
    out.size = sizeof(out);
    out.vertices = count;
    out.positions = vertices[0].position;
    out.positions_stride = sizeof(vertex);
    out.normals = vertices[0].normal;
    out.normals_stride = sizeof(vertex);
    out.flags = SINEW_EXACT;
    sinew_status status = sinew_skin(model, pose, mode, primitive, &out, error);
    for (size_t i = 0; status == SINEW_OK && i < count; i++) {
        const float *p = vertices[i].position, *n = vertices[i].normal;
        printf("%.9g %.9g %.9g  %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2], (double)n[0],
               (double)n[1], (double)n[2]);
    }
    free(vertices);
    return status;
}

int main(int count, char **words) {
    sinew_error error = {sizeof(error), ""};
    sinew_model *model = NULL;
    sinew_pose *pose = NULL;
    if (count != 4 && count != 5) {
        fprintf(stderr, "usage: skin MODEL CLIP SECONDS [MODE]\n");
        return SINEW_USAGE;
    }
    int mode = count == 5 ? (int)strtol(words[4], NULL, 10) : SINEW_DQS;
    sinew_status status = sinew_load_file(words[1], &model, &error);
    if (status == SINEW_OK)
        status = sinew_pose_clip(model, (size_t)strtoul(words[2], NULL, 10), strtod(words[3], NULL), &pose, &error);
    for (size_t i = 0; status == SINEW_OK && i < sinew_primitive_count(model); i++)
        status = print(model, pose, mode, i, &error);
    if (status != SINEW_OK) fprintf(stderr, "error: %s\n", error.message);
    sinew_pose_free(pose);
    sinew_model_free(model);
    return (int)status;
}
