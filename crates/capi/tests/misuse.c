/* Wrong calls: each gives a status and a message, and touches no memory besides what it was given. Buffers have exactly the
 * bytes that they need, so that valgrind sees any other: misuse MODEL OTHER-MODEL, for tests/programs.rs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew.h"

static int wrong = 0;
/* The number of modes. */
static int modes = 0;
static sinew_error error;

static void check(int line, int is_right, const char *what) {
    if (is_right) return;
    printf("line %d: %s: \"%s\"\n", line, what, error.message);
    wrong++;
}

#define CHECK(condition) check(__LINE__, (condition), #condition)
/* The status of a call, and its message, of which `says` is a part. */
#define EXPECT(call, wanted, says)                                      \
    do {                                                                \
        memset(&error, 'x', sizeof(error));                             \
        error.size = sizeof(error);                                     \
        check(__LINE__, (call) == (wanted), #call);                     \
        check(__LINE__, strstr(error.message, (says)) != NULL, (says)); \
    } while (0)
#define REFUSED(call, says) EXPECT(call, SINEW_USAGE, says)
#define FINE(call) EXPECT(call, SINEW_OK, "")

static unsigned char *bytes_of(size_t count) {
    unsigned char *bytes = malloc(count > 0 ? count : 1);
    if (bytes == NULL) exit(3);
    memset(bytes, 0x5a, count);
    return bytes;
}

static sinew_out room(size_t vertices, void *positions, size_t stride) {
    sinew_out out;
    memset(&out, 0, sizeof(out));
    out.size = sizeof(out);
    out.vertices = vertices;
    out.positions = positions;
    out.positions_stride = stride;
    return out;
}

static void files(void) {
    sinew_model *model = (sinew_model *)&wrong;
    char name[2000];
    EXPECT(sinew_load_file("nix.glb", &model, &error), SINEW_INPUT, "nix.glb: no such file");
    CHECK(model == NULL);
    REFUSED(sinew_load_file(NULL, &model, &error), "path is null");
    REFUSED(sinew_load_file("\xff", &model, &error), "path is not UTF-8");
    REFUSED(sinew_load_file("nix.glb", NULL, &error), "model is null");
    memset(name, 'n', sizeof(name) - 1), name[sizeof(name) - 1] = 0;
    EXPECT(sinew_load_file(name, &model, &error), SINEW_INPUT, "nnn");
    CHECK(strlen(error.message) == sizeof(error.message) - 1);
    const char *contents[] = {"glTF", "{", "Kaydara FBX Binary  ", "v 1 2", "?"};
    for (size_t i = 0; i < sizeof(contents) / sizeof(*contents); i++) {
        size_t length = strlen(contents[i]);
        unsigned char *bytes = bytes_of(length);
        memcpy(bytes, contents[i], length);
        EXPECT(sinew_load_bytes(bytes, length, NULL, &model, &error), SINEW_INPUT, "");
        CHECK(error.message[0] != 0 && model == NULL);
        free(bytes);
    }
    unsigned char *none = bytes_of(0);
    EXPECT(sinew_load_bytes(none, 0, NULL, &model, &error), SINEW_INPUT, "");
    free(none);
    REFUSED(sinew_load_bytes(NULL, 4, NULL, &model, &error), "bytes is null");
    REFUSED(sinew_load_bytes((const uint8_t *)"", SIZE_MAX, NULL, &model, &error), "length is too large");
}

static void nulls(const sinew_model *model, const sinew_pose *pose) {
    sinew_pose *other = NULL;
    sinew_mesh *mesh = NULL;
    char *json = NULL;
    sinew_out out = room(0, NULL, 0);
    CHECK(sinew_clip_count(NULL) + sinew_skin_count(NULL) + sinew_primitive_count(NULL) == 0);
    CHECK(sinew_joint_count(NULL, 0) + sinew_primitive_vertices(NULL, 0) + sinew_warning_count(NULL) == 0);
    CHECK(sinew_clip_name(NULL, 0) == NULL && sinew_joint_name(NULL, 0, 0) == NULL && sinew_warning(NULL, 0) == NULL);
    CHECK(!(sinew_clip_seconds(NULL, 0) > 0.0));
    CHECK(sinew_clip_name(model, SIZE_MAX) == NULL && sinew_joint_name(model, 0, SIZE_MAX) == NULL);
    CHECK(sinew_joint_name(model, SIZE_MAX, 0) == NULL && sinew_warning(model, SIZE_MAX) == NULL);
    CHECK(sinew_joint_count(model, SIZE_MAX) + sinew_primitive_vertices(model, SIZE_MAX) == 0);
    REFUSED(sinew_pose_rest(NULL, &other, &error), "model is null");
    REFUSED(sinew_pose_bind(model, NULL, &error), "pose is null");
    REFUSED(sinew_pose_clip(NULL, 0, 0.0, &other, &error), "model is null");
    REFUSED(sinew_skin(NULL, pose, SINEW_DQS, 0, &out, &error), "model is null");
    REFUSED(sinew_skin(model, NULL, SINEW_DQS, 0, &out, &error), "pose is null");
    REFUSED(sinew_skin(model, pose, SINEW_DQS, 0, NULL, &error), "sinew_out is null");
    REFUSED(sinew_palette(model, pose, 0, NULL, 99, &error), "matrices is null");
    REFUSED(sinew_diagnose(model, pose, NULL, &json, &error), "sinew_vertices is null");
    REFUSED(sinew_mesh_new(NULL, &mesh, &error), "sinew_arrays is null");
    REFUSED(sinew_mesh_skin(NULL, 0, NULL, 0, &out, &error), "mesh is null");
    CHECK(sinew_mesh_skin(NULL, 0, NULL, 0, NULL, NULL) == SINEW_USAGE);
    sinew_model_free(NULL), sinew_pose_free(NULL), sinew_mesh_free(NULL), sinew_string_free(NULL);
}

static void numbers(const sinew_model *model, const sinew_pose *pose, const sinew_model *stranger) {
    sinew_pose *other = NULL;
    size_t count = sinew_primitive_vertices(model, 0), joints = sinew_joint_count(model, 0);
    unsigned char *bytes = bytes_of(12 * count);
    sinew_out out = room(count, bytes, 0);
    REFUSED(sinew_pose_clip(model, 0, (double)NAN, &other, &error), "seconds is not finite");
    REFUSED(sinew_pose_clip(model, SIZE_MAX, 0.0, &other, &error), "no clip");
    REFUSED(sinew_skin(model, pose, -1, 0, &out, &error), "-1 is no sinew_mode");
    REFUSED(sinew_skin(model, pose, 99, 0, &out, &error), "99 is no sinew_mode");
    REFUSED(sinew_skin(model, pose, SINEW_LBS, SIZE_MAX, &out, &error), "no primitive");
    REFUSED(sinew_skin(stranger, pose, SINEW_LBS, 0, &out, &error), "the pose is one of another model");
    out.vertices = count - 1;
    REFUSED(sinew_skin(model, pose, SINEW_LBS, 0, &out, &error), "has room for");
    out.vertices = SIZE_MAX, out.flags = 4;
    REFUSED(sinew_skin(model, pose, SINEW_LBS, 0, &out, &error), "unknown bits: 0x4");
    for (size_t i = 0; i < 12 * count; i++) CHECK(bytes[i] == 0x5a);
    for (out.flags = 0; out.flags <= (SINEW_ALL_CORES | SINEW_EXACT); out.flags++)
        FINE(sinew_skin(model, pose, SINEW_LBS, 0, &out, &error));
    free(bytes);
    double *matrices = (double *)bytes_of(128 * joints);
    REFUSED(sinew_palette(model, pose, 0, matrices, joints - 1, &error), "has no room");
    REFUSED(sinew_palette(model, pose, SIZE_MAX, matrices, joints, &error), "no skin");
    FINE(sinew_palette(model, pose, 0, matrices, joints, &error));
    free(matrices);
}

static void sizes(const sinew_model *model, const sinew_pose *pose) {
    struct {
        sinew_out out;
        uint32_t later[2];
    } grown;
    size_t count = sinew_primitive_vertices(model, 0);
    size_t others[] = {0, 8, sizeof(sinew_out) - 1, 4097, SIZE_MAX};
    unsigned char *bytes = bytes_of(12 * count);
    memset(&grown, 0, sizeof(grown));
    grown.out = room(count, bytes, 0);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        grown.out.size = others[i];
        REFUSED(sinew_skin(model, pose, SINEW_LBS, 0, &grown.out, &error), "set it to sizeof(sinew_out)");
    }
    grown.out.size = sizeof(grown);
    FINE(sinew_skin(model, pose, SINEW_LBS, 0, &grown.out, &error));
    grown.later[1] = 1;
    REFUSED(sinew_skin(model, pose, SINEW_LBS, 0, &grown.out, &error), "has a member that this version of sinew lacks");
    free(bytes);
    memset(&error, 'x', sizeof(error)), error.size = 8;
    CHECK(sinew_skin(model, pose, SINEW_LBS, 0, NULL, &error) == SINEW_USAGE && error.message[0] == 'x');
}

/* Every stride and alignment gives the same numbers, and nothing between them changes. */
static void strides(const sinew_model *model, const sinew_pose *pose) {
    size_t count = sinew_primitive_vertices(model, 0);
    unsigned char *packed = bytes_of(12 * count);
    sinew_out out = room(count, packed, 0);
    FINE(sinew_skin(model, pose, SINEW_DQS, 0, &out, &error));
    size_t all[] = {12, 13, 15, 16, 29};
    for (size_t s = 0; s < sizeof(all) / sizeof(*all); s++) {
        for (size_t start = 0; start < 4; start++) {
            size_t stride = all[s], length = start + (count - 1) * stride + 12;
            unsigned char *apart = bytes_of(length);
            out = room(count, apart + start, stride);
            FINE(sinew_skin(model, pose, SINEW_DQS, 0, &out, &error));
            int is_same = 1;
            for (size_t i = 0; i < length; i++) {
                size_t at = i < start ? stride : (i - start) % stride;
                unsigned char wanted = at < 12 ? packed[(i - start) / stride * 12 + at] : 0x5a;
                is_same &= apart[i] == wanted;
            }
            CHECK(is_same);
            free(apart);
        }
    }
    unsigned char *one = bytes_of(12);
    out = room(count, one, 0);
    out.vertices = count - 1;
    REFUSED(sinew_skin(model, pose, SINEW_DQS, 0, &out, &error), "has room for");
    free(one), free(packed);
}

static void judged(const sinew_model *model, const sinew_pose *pose) {
    char *json = (char *)&wrong;
    float two[6] = {0.0f, NAN, INFINITY, 1.0f, 2.0f, 3.0f};
    sinew_vertices given;
    memset(&given, 0, sizeof(given));
    given.size = sizeof(given);
    REFUSED(sinew_diagnose(model, pose, &given, &json, &error), "positions is null");
    CHECK(json == NULL);
    given.positions = two;
    REFUSED(sinew_diagnose(model, pose, &given, &json, &error), "there are no vertices");
    REFUSED(sinew_diagnose(model, pose, &given, NULL, &error), "json is null");
    given.vertices = 2;
    EXPECT(sinew_diagnose(model, pose, &given, &json, &error), SINEW_INPUT, "");
    given.vertices = SIZE_MAX / 12;
    EXPECT(sinew_diagnose(model, pose, &given, &json, &error), SINEW_MEMORY, "out of memory");
    CHECK(json == NULL);
}

/* Meshes of any numbers are skinned or refused. Rows are odd bytes apart, without a byte too many. */
static void meshes(void) {
    enum { COUNT = 2, WIDTH = 2, STRIDE = 17 };
    float positions[COUNT * 3] = {0.0f, 1.0f, 2.0f, NAN, 0.0f, INFINITY}, weights[COUNT * WIDTH] = {1.0f, 0.0f, INFINITY, NAN};
    uint16_t joints[COUNT * WIDTH] = {0, 65535, 0, 0};
    double matrices[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, skinned[16];
    unsigned char *row[3], *centers = bytes_of(12 * COUNT), *to = bytes_of(12 * COUNT);
    size_t sizes[3] = {12, 2 * WIDTH, 4 * WIDTH};
    const void *from[3] = {positions, joints, weights};
    for (int i = 0; i < 3; i++) {
        row[i] = bytes_of((COUNT - 1) * STRIDE + sizes[i]);
        for (size_t v = 0; v < COUNT; v++) memcpy(row[i] + v * STRIDE, (const char *)from[i] + v * sizes[i], sizes[i]);
    }
    sinew_arrays given, other;
    memset(&given, 0, sizeof(given));
    given.size = sizeof(given);
    given.vertices = COUNT, given.influences = WIDTH;
    given.positions = (const float *)(void *)row[0], given.positions_stride = STRIDE;
    given.joints = (const uint16_t *)(void *)row[1], given.joints_stride = STRIDE;
    given.weights = (const float *)(void *)row[2], given.weights_stride = STRIDE;

    sinew_mesh *mesh = NULL;
    other = given, other.size = 3;
    REFUSED(sinew_mesh_new(&other, &mesh, &error), "set it to sizeof(sinew_arrays)");
    other = given, other.influences = 0;
    REFUSED(sinew_mesh_new(&other, &mesh, &error), "0 influences");
    other = given, other.influences = 17;
    REFUSED(sinew_mesh_new(&other, &mesh, &error), "17 influences; there may be 1 to 16");
    other = given, other.influences = SIZE_MAX;
    REFUSED(sinew_mesh_new(&other, &mesh, &error), "influences");
    other = given, other.positions = NULL;
    REFUSED(sinew_mesh_new(&other, &mesh, &error), "positions");
    other = given, other.joints = NULL;
    REFUSED(sinew_mesh_new(&other, &mesh, &error), "joints");
    other = given, other.weights = NULL;
    REFUSED(sinew_mesh_new(&other, &mesh, &error), "weights");
    other = given, other.vertices = SIZE_MAX / 2;
    EXPECT(sinew_mesh_new(&other, &mesh, &error), SINEW_MEMORY, "out of memory");
    other = given, other.vertices = SIZE_MAX / 4096, other.joints_stride = 0, other.weights_stride = 0;
    EXPECT(sinew_mesh_new(&other, &mesh, &error), SINEW_MEMORY, "out of memory");
    REFUSED(sinew_mesh_new(&given, NULL, &error), "mesh is null");
    CHECK(mesh == NULL);

    FINE(sinew_mesh_new(&given, &mesh, &error));
    sinew_out out = room(COUNT, to, 0);
    REFUSED(sinew_mesh_skin(mesh, SINEW_LBS, matrices, 0, &out, &error), "matrices: 0, but a vertex has joint 0");
    REFUSED(sinew_mesh_skin(mesh, SINEW_LBS, NULL, 1, &out, &error), "matrices is null");
    EXPECT(sinew_mesh_skin(mesh, SINEW_LBS, matrices, SIZE_MAX, &out, &error), SINEW_MEMORY, "out of memory");
    REFUSED(sinew_mesh_skin(mesh, SINEW_COR, matrices, 1, &out, &error), "cor needs centers");
    REFUSED(sinew_mesh_skin(mesh, SINEW_DDM, matrices, 1, &out, &error), "ddm needs a mesh, not arrays");
    for (int mode = 0; mode < modes; mode++) {
        if (mode == SINEW_COR || mode == SINEW_DDM) continue;
        FINE(sinew_mesh_skin(mesh, mode, matrices, 1, &out, &error));
        CHECK(memcmp(to, positions, 12) == 0);
        for (int i = 0; i < 16; i++) {
            memcpy(skinned, matrices, sizeof(skinned));
            skinned[i] = i % 2 == 0 ? (double)NAN : (double)INFINITY;
            EXPECT(sinew_mesh_skin(mesh, mode, skinned, 1, &out, &error), i % 4 == 3 ? SINEW_USAGE : SINEW_OK,
                   i % 4 == 3 ? "last row of joint 0" : "");
        }
    }
    sinew_mesh_free(mesh);
    other = given, other.centers = (const float *)(void *)centers, other.shares = weights + 2;
    FINE(sinew_mesh_new(&other, &mesh, &error));
    FINE(sinew_mesh_skin(mesh, SINEW_COR, matrices, 1, &out, &error));
    FINE(sinew_mesh_skin(mesh, SINEW_BLEND, matrices, 1, &out, &error));
    sinew_mesh_free(mesh);

    /* Vertices without weights follow joint 0. */
    float nothing[COUNT * WIDTH] = {0.0f, 0.0f, 0.0f, 0.0f};
    other = given, other.weights = nothing, other.weights_stride = 0;
    FINE(sinew_mesh_new(&other, &mesh, &error));
    for (int mode = 0; mode < modes; mode++) {
        if (mode == SINEW_COR || mode == SINEW_DDM) continue;
        FINE(sinew_mesh_skin(mesh, mode, matrices, 1, &out, &error));
        CHECK(memcmp(to, positions, 12) == 0);
        REFUSED(sinew_mesh_skin(mesh, mode, matrices, 0, &out, &error), "matrices: 0");
    }
    sinew_mesh_free(mesh);

    other = given, other.vertices = 0;
    FINE(sinew_mesh_new(&other, &mesh, &error));
    out = room(0, to, 0);
    REFUSED(sinew_mesh_skin(mesh, SINEW_DQS, NULL, 0, &out, &error), "matrices is null");
    FINE(sinew_mesh_skin(mesh, SINEW_DQS, matrices, 1, &out, &error));
    sinew_mesh_free(mesh);
    for (int i = 0; i < 3; i++) free(row[i]);
    free(centers), free(to);
}

int main(int count, char **words) {
    sinew_model *model = NULL, *stranger = NULL;
    sinew_pose *pose = NULL;
    if (count != 4 || (modes = atoi(words[3])) <= SINEW_COR) return 2;
    FINE(sinew_load_file(words[1], &model, &error));
    FINE(sinew_load_file(words[2], &stranger, &error));
    FINE(sinew_pose_clip(model, 0, 1.0, &pose, &error));
    CHECK(strchr(sinew_version(), '.') != NULL && strcmp(sinew_version(), SINEW_VERSION) == 0);
    files();
    nulls(model, pose);
    numbers(model, pose, stranger);
    sizes(model, pose);
    strides(model, pose);
    judged(model, pose);
    meshes();
    sinew_model_free(stranger);
    sinew_model_free(model);
    sinew_pose_free(pose);
    printf("%d wrong\n", wrong);
    return wrong > 0;
}
