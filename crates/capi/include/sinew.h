/*
 * sinew for C and C++: load a model, pose it, skin it into your memory, judge vertices.
 *
 * Errors. A call that can fail returns a sinew_status. If its last argument is not null, it also writes a message there. A
 * call that makes something writes a handle, or null after a failure. No call unwinds into your code.
 *
 * Memory. You free each handle with its own function; null is left alone. Texts and arrays that you pass are copied before the
 * call returns. Texts are UTF-8 and end with a zero; so are paths.
 *
 * Threads. There is no state besides the handles, and a pool of idle threads that the first call starts. Threads may share a
 * handle until one of them frees it. They skin the same model one after another; load it several times to skin it at the same
 * time.
 *
 * Versions. A struct begins with its size, so that later versions can add members at its end. A program runs with later
 * libraries, for which the members that it does not have are zero. It also runs with earlier ones, as long as the members that
 * these do not have are zero. So zero a struct before you set its members:
 *
 *     sinew_out out = {0};
 *     out.size = sizeof(out);
 *
 * Made by cbindgen from crates/capi; docs/guides/c.md shows how to use it.
 */

#ifndef SINEW_H
#define SINEW_H

#include <stddef.h>
#include <stdint.h>

// The version of this header; sinew_version returns that of the library.
#define SINEW_VERSION "0.1.0"

// Skin on all cores instead of on the calling thread.
#define SINEW_ALL_CORES 1

// Give the bits of sinew's shaders instead of the fastest result. Both are within the same bounds.
#define SINEW_EXACT 2

// The result of a call. The numbers are the program's exit codes.
typedef enum sinew_status {
    // Success.
    SINEW_OK = 0,
    // A file is at fault.
    SINEW_INPUT = 1,
    // An argument is at fault.
    SINEW_USAGE = 2,
    // Memory ran out for the arrays that you passed. Where a computation runs out of it, the process ends.
    SINEW_MEMORY = 4,
    // A fault of sinew; please report it. The handles of the call can still be used and freed.
    SINEW_BUG = 101,
} sinew_status;

// The ways to skin vertices.
typedef enum sinew_mode {
    // Each vertex follows its heaviest joint.
    SINEW_RIGID = 0,
    // Linear blend skinning.
    SINEW_LBS = 1,
    // Dual quaternions, with stretches blended linearly, as in Maya and OpenUSD.
    SINEW_DQS = 2,
    // A share of dqs and the rest of lbs.
    SINEW_BLEND = 3,
    // Optimized centres of rotation.
    SINEW_COR = 4,
    // Dual quaternions as Blender's Preserve Volume has them.
    SINEW_DQS_BLENDER = 5,
    // Dual quaternions without scale.
    SINEW_DQS_RIGID = 6,
    // Direct delta mush: models only, because it needs their triangles.
    SINEW_DDM = 7,
} sinew_mode;

// Vertices laid out once, to be skinned often.
typedef struct sinew_mesh sinew_mesh;

// A model.
typedef struct sinew_model sinew_model;

// A pose of one model.
typedef struct sinew_pose sinew_pose;

// The message of a call. Set `size`.
typedef struct sinew_error {
    // `sizeof(sinew_error)`.
    size_t size;
    // One line in UTF-8, cut after whole characters; empty after success.
    char message[512];
} sinew_error;

// Your memory for skinned vertices. Zero it, then set `size`, `vertices` and the members that you want. Pointers and strides
// need no alignment. What a mesh does not have is not written.
typedef struct sinew_out {
    // `sizeof(sinew_out)`.
    size_t size;
    // The number of vertices for which there is room.
    size_t vertices;
    // Three floats per vertex, or null.
    float *positions;
    // Bytes from one vertex to the next; 0 if there is nothing between them.
    size_t positions_stride;
    // Three floats per vertex, or null.
    float *normals;
    // As `positions_stride`.
    size_t normals_stride;
    // Four floats per vertex, or null.
    float *tangents;
    // As `positions_stride`.
    size_t tangents_stride;
    // 0, `SINEW_ALL_CORES`, `SINEW_EXACT`, or both.
    uint64_t flags;
} sinew_out;

// Your vertices in their bind pose. Zero it, then set `size` and the members that you have. Pointers and strides need no
// alignment.
typedef struct sinew_arrays {
    // `sizeof(sinew_arrays)`.
    size_t size;
    // The number of vertices.
    size_t vertices;
    // Three floats per vertex.
    const float *positions;
    // Bytes from one vertex to the next; 0 if there is nothing between them.
    size_t positions_stride;
    // Three floats per vertex, or null.
    const float *normals;
    // As `positions_stride`.
    size_t normals_stride;
    // Four floats per vertex, or null. They need normals.
    const float *tangents;
    // As `positions_stride`.
    size_t tangents_stride;
    // The number of joints per vertex, 1 to 16.
    size_t influences;
    // Indices of joints, `influences` per vertex. Where a weight is 0, any index will do.
    const uint16_t *joints;
    // As `positions_stride`.
    size_t joints_stride;
    // Weights of these joints, in any order. They are divided by their sum; negative, infinite and NaN weights count as 0.
    // A vertex of weights 0 follows joint 0.
    const float *weights;
    // As `positions_stride`.
    size_t weights_stride;
    // Centres of rotation, three floats per vertex, which `SINEW_COR` needs; or null.
    const float *centers;
    // As `positions_stride`.
    size_t centers_stride;
    // Shares of dual quaternions, one float per vertex, which `SINEW_BLEND` takes; 1 if null.
    const float *shares;
    // As `positions_stride`.
    size_t shares_stride;
} sinew_arrays;

// Vertices that you have skinned, primitive after primitive. Zero it, then set `size`, `vertices` and the members that you
// have.
typedef struct sinew_vertices {
    // `sizeof(sinew_vertices)`.
    size_t size;
    // The number of vertices.
    size_t vertices;
    // Three floats per vertex.
    const float *positions;
    // Bytes from one vertex to the next; 0 if there is nothing between them.
    size_t positions_stride;
    // Three floats per vertex, or null.
    const float *normals;
    // As `positions_stride`.
    size_t normals_stride;
} sinew_vertices;



#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The library's version, such as "0.1.0".
const char *sinew_version(void);

// Loads a glTF, FBX, OBJ or USD file. Free the model with `sinew_model_free`.
//
// Required: `path` ends with a zero; `model` may be written; `error` is null or has its `size` set.
enum sinew_status sinew_load_file(const char *path, struct sinew_model **model, struct sinew_error *error);

// Loads a model from memory. Files that it names are read from the folder `base`, or not at all if that is null.
//
// Required: `bytes` has `length` bytes; the rest is as for `sinew_load_file`.
enum sinew_status sinew_load_bytes(const uint8_t *bytes,
                                   size_t length,
                                   const char *base,
                                   struct sinew_model **model,
                                   struct sinew_error *error);

// Frees a model; null is left alone.
//
// Required: `model` is null, or came from `sinew_load_file` or `sinew_load_bytes` and was not freed. Its poses stay to be freed.
void sinew_model_free(struct sinew_model *model);

// The number of clips.
size_t sinew_clip_count(const struct sinew_model *model);

// A clip's name, valid as long as the model; null if there is no such clip.
const char *sinew_clip_name(const struct sinew_model *model, size_t clip);

// The time of a clip's last key in seconds; 0 if there is no such clip.
double sinew_clip_seconds(const struct sinew_model *model, size_t clip);

// The number of skins.
size_t sinew_skin_count(const struct sinew_model *model);

// The number of a skin's joints.
size_t sinew_joint_count(const struct sinew_model *model, size_t skin);

// A joint's name, valid as long as the model; null if there is no such joint.
const char *sinew_joint_name(const struct sinew_model *model, size_t skin, size_t joint);

// The number of primitives that are drawn, each as often as nodes draw it: node after node, in the order of the file.
size_t sinew_primitive_count(const struct sinew_model *model);

// The number of a drawn primitive's vertices.
size_t sinew_primitive_vertices(const struct sinew_model *model, size_t primitive);

// The number of faults that loading repaired.
size_t sinew_warning_count(const struct sinew_model *model);

// A repaired fault in one line, valid as long as the model; null if there is no such one.
const char *sinew_warning(const struct sinew_model *model, size_t warning);

// Makes a pose of a clip at a time in seconds; before its first key and after its last, that key holds. Free it with
// `sinew_pose_free`.
//
// Required: `model` is null or a model; `pose` may be written; `error` is null or has its `size` set.
enum sinew_status sinew_pose_clip(const struct sinew_model *model,
                                  size_t clip,
                                  double seconds,
                                  struct sinew_pose **pose,
                                  struct sinew_error *error);

// Makes the pose that the file stores.
//
// Required: as for `sinew_pose_clip`.
enum sinew_status sinew_pose_rest(const struct sinew_model *model, struct sinew_pose **pose, struct sinew_error *error);

// Makes the bind pose, in which vertices are as stored.
//
// Required: as for `sinew_pose_clip`.
enum sinew_status sinew_pose_bind(const struct sinew_model *model, struct sinew_pose **pose, struct sinew_error *error);

// Frees a pose; null is left alone.
//
// Required: `pose` is null, or came from `sinew_pose_clip`, `_rest` or `_bind` and was not freed.
void sinew_pose_free(struct sinew_pose *pose);

// Writes the matrices of a skin's joints from the bind pose to the world, in the order of `sinew_joint_name`: 16 numbers per
// joint, column after column.
//
// Required: `matrices` is null or has room for `joints` times 16 numbers; the rest is as for `sinew_pose_clip`.
enum sinew_status sinew_palette(const struct sinew_model *model,
                                const struct sinew_pose *pose,
                                size_t skin,
                                double *matrices,
                                size_t joints,
                                struct sinew_error *error);

// Skins a drawn primitive in a pose by a `sinew_mode`, into your memory. Nothing is written unless it succeeds.
//
// Required: The pointers of `out` are null or have room for its `vertices` at their strides; the rest is as for `sinew_pose_clip`.
enum sinew_status sinew_skin(const struct sinew_model *model,
                             const struct sinew_pose *pose,
                             int32_t mode,
                             size_t primitive,
                             const struct sinew_out *out,
                             struct sinew_error *error);

// Lays out your vertices, to be skinned often. The arrays are copied. Free the mesh with `sinew_mesh_free`.
//
// Required: The pointers of `arrays` are null or have as many rows as it says; `mesh` may be written; `error` is null or has its
// `size` set.
enum sinew_status sinew_mesh_new(const struct sinew_arrays *arrays,
                                 struct sinew_mesh **mesh,
                                 struct sinew_error *error);

// Frees a mesh; null is left alone.
//
// Required: `mesh` is null, or came from `sinew_mesh_new` and was not freed.
void sinew_mesh_free(struct sinew_mesh *mesh);

// Skins a mesh by a `sinew_mode` and its joints' matrices from the bind pose to the world: 16 numbers per joint, column after
// column, the last row 0, 0, 0, 1. A joint's is its pose times its inverse bind matrix.
//
// Required: `matrices` has `joints` times 16 numbers; the rest is as for `sinew_skin`.
enum sinew_status sinew_mesh_skin(const struct sinew_mesh *mesh,
                                  int32_t mode,
                                  const double *matrices,
                                  size_t joints,
                                  const struct sinew_out *out,
                                  struct sinew_error *error);

// Names the skinning that made vertices, as JSON with the keys of `sinew diagnose --json`. If `pose` is null, it searches all
// clips, which takes longer. Free the text with `sinew_string_free`.
//
// Required: The pointers of `vertices` are null or have as many rows as it says; `json` may be written; the rest is as for
// `sinew_pose_clip`.
enum sinew_status sinew_diagnose(const struct sinew_model *model,
                                 const struct sinew_pose *pose,
                                 const struct sinew_vertices *vertices,
                                 char **json,
                                 struct sinew_error *error);

// Frees a text of `sinew_diagnose`; null is left alone.
//
// Required: `text` is null, or came from `sinew_diagnose` and was not freed.
void sinew_string_free(char *text);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SINEW_H */
