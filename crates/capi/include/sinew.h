/*
 * sinew for C and C++: load a model, pose it, skin it into your memory, judge vertices.
 *
 * Every call that can fail returns a sinew_status, and writes a message where you want one. No call unwinds, and nothing is
 * kept besides the handles, each of which you free. A handle may be used by several threads, but not while one frees it.
 *
 * Made by cbindgen from crates/capi; docs/guides/c.md shows how to use it.
 */

#ifndef SINEW_H
#define SINEW_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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
    // An argument is.
    SINEW_USAGE = 2,
    // Memory ran out.
    SINEW_MEMORY = 4,
    // sinew failed; please report it.
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
} sinew_mode;

// Vertices laid out once, to be skinned often.
typedef struct sinew_mesh sinew_mesh;

// A model.
typedef struct sinew_model sinew_model;

// A pose of one model.
typedef struct sinew_pose sinew_pose;

// Vertices that the caller has skinned. Set `size` to `sizeof(sinew_vertices)`, and what you do not have to zero.
typedef struct sinew_vertices {
    // The size of this struct in bytes.
    size_t size;
    // The number of vertices.
    size_t vertices;
    // Three floats a vertex.
    const float *positions;
    // Bytes from one vertex to the next; 0 if they follow each other.
    size_t positions_stride;
    // Three floats a vertex; null if there are none.
    const float *normals;
    // As `positions_stride`.
    size_t normals_stride;
} sinew_vertices;

// A message, in memory of the caller. Set `size` to `sizeof(sinew_error)`.
typedef struct sinew_error {
    // The size of this struct in bytes, which later versions may enlarge.
    size_t size;
    // One line in UTF-8, cut after whole characters; empty after success.
    char message[512];
} sinew_error;

// Vertices of the caller in their bind pose. Set `size` to `sizeof(sinew_arrays)`, and what you do not have to zero.
typedef struct sinew_arrays {
    // The size of this struct in bytes.
    size_t size;
    // The number of vertices.
    size_t vertices;
    // Three floats a vertex.
    const float *positions;
    // Bytes from one vertex to the next; 0 if they follow each other.
    size_t positions_stride;
    // Three floats a vertex; null if there are none.
    const float *normals;
    // As `positions_stride`.
    size_t normals_stride;
    // Four floats a vertex; null if there are none.
    const float *tangents;
    // As `positions_stride`.
    size_t tangents_stride;
    // Joints with weights of a vertex, 1 to 16.
    size_t influences;
    // Joints, `influences` of them a vertex.
    const uint16_t *joints;
    // As `positions_stride`.
    size_t joints_stride;
    // Weights, as many; they are divided by their sum.
    const float *weights;
    // As `positions_stride`.
    size_t weights_stride;
    // Centres of rotation, three floats a vertex, which `SINEW_COR` needs.
    const float *centers;
    // As `positions_stride`.
    size_t centers_stride;
    // Shares of dual quaternions, one float a vertex, which `SINEW_BLEND` takes.
    const float *shares;
    // As `positions_stride`.
    size_t shares_stride;
} sinew_arrays;

// Memory of the caller for skinned vertices. Set `size` to `sizeof(sinew_out)`, and what you do not need to zero.
typedef struct sinew_out {
    // The size of this struct in bytes.
    size_t size;
    // The number of vertices that there is room for.
    size_t vertices;
    // Three floats a vertex; null if they are not wanted.
    float *positions;
    // Bytes from one vertex to the next; 0 if they follow each other.
    size_t positions_stride;
    // Three floats a vertex.
    float *normals;
    // As `positions_stride`.
    size_t normals_stride;
    // Four floats a vertex.
    float *tangents;
    // As `positions_stride`.
    size_t tangents_stride;
    // A sum of `SINEW_ALL_CORES` and `SINEW_EXACT`.
    uint32_t flags;
} sinew_out;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The library's version, such as "0.1.0".
const char *sinew_version(void);

// Names the skinning that made vertices, as JSON with the keys of `sinew diagnose --json`. Without a pose, all clips are
// searched. Free the text with `sinew_string_free`.
//
// # Safety
// The pointers of `vertices` are null or have as many rows as it says; `json` may be written; the rest is as for
// `sinew_pose_clip`.
enum sinew_status sinew_diagnose(const struct sinew_model *model,
                                 const struct sinew_pose *pose,
                                 const struct sinew_vertices *vertices,
                                 char **json,
                                 struct sinew_error *error);

// Frees a text of `sinew_diagnose`; null is left alone.
//
// # Safety
// `text` came from `sinew_diagnose` and was not freed.
void sinew_string_free(char *text);

// Lays out vertices. Free the mesh with `sinew_mesh_free`; the arrays are no longer needed.
//
// # Safety
// The pointers of `arrays` are null or have as many rows as it says; `mesh` may be written; `error` is null or has its
// `size` set.
enum sinew_status sinew_mesh_new(const struct sinew_arrays *arrays,
                                 struct sinew_mesh **mesh,
                                 struct sinew_error *error);

// Frees a mesh; null is left alone.
//
// # Safety
// `mesh` came from `sinew_mesh_new` and was not freed.
void sinew_mesh_free(struct sinew_mesh *mesh);

// Skins a mesh by its joints' matrices from the bind pose to the world: 16 numbers a joint, column after column.
//
// # Safety
// `matrices` has `joints` times 16 numbers; the rest is as for `sinew_skin`.
enum sinew_status sinew_mesh_skin(const struct sinew_mesh *mesh,
                                  int32_t mode,
                                  const double *matrices,
                                  size_t joints,
                                  const struct sinew_out *out,
                                  struct sinew_error *error);

// Loads a glTF, FBX or OBJ file. Free the model with `sinew_model_free`.
//
// # Safety
// `path` ends with a zero; `model` may be written; `error` is null or has its `size` set.
enum sinew_status sinew_load_file(const char *path, struct sinew_model **model, struct sinew_error *error);

// Loads a model from memory. Files that it names are read from the folder `base`, or not at all if that is null.
//
// # Safety
// `bytes` has `length` bytes; the rest is as for `sinew_load_file`.
enum sinew_status sinew_load_bytes(const uint8_t *bytes,
                                   size_t length,
                                   const char *base,
                                   struct sinew_model **model,
                                   struct sinew_error *error);

// Frees a model; null is left alone.
//
// # Safety
// `model` came from `sinew_load_file` or `sinew_load_bytes`, was not freed, and no pose of it is used afterwards.
void sinew_model_free(struct sinew_model *model);

// The number of clips.
//
// # Safety
// `model` is null or a model.
size_t sinew_clip_count(const struct sinew_model *model);

// A clip's name, valid as long as the model; null if there is no such clip.
//
// # Safety
// `model` is null or a model.
const char *sinew_clip_name(const struct sinew_model *model, size_t clip);

// The time of a clip's last key in seconds; 0 if there is no such clip.
//
// # Safety
// `model` is null or a model.
double sinew_clip_seconds(const struct sinew_model *model, size_t clip);

// The number of skins.
//
// # Safety
// `model` is null or a model.
size_t sinew_skin_count(const struct sinew_model *model);

// The number of a skin's joints.
//
// # Safety
// `model` is null or a model.
size_t sinew_joint_count(const struct sinew_model *model, size_t skin);

// A joint's name, valid as long as the model; null if there is no such joint.
//
// # Safety
// `model` is null or a model.
const char *sinew_joint_name(const struct sinew_model *model, size_t skin, size_t joint);

// The number of primitives that are drawn, each as often as nodes draw it.
//
// # Safety
// `model` is null or a model.
size_t sinew_primitive_count(const struct sinew_model *model);

// The number of a drawn primitive's vertices.
//
// # Safety
// `model` is null or a model.
size_t sinew_primitive_vertices(const struct sinew_model *model, size_t primitive);

// The number of faults that loading repaired.
//
// # Safety
// `model` is null or a model.
size_t sinew_warning_count(const struct sinew_model *model);

// A repaired fault in one line, valid as long as the model; null if there is no such one.
//
// # Safety
// `model` is null or a model.
const char *sinew_warning(const struct sinew_model *model, size_t warning);

// Makes a pose of a clip at a time in seconds. Free it with `sinew_pose_free`.
//
// # Safety
// `model` is null or a model; `pose` may be written; `error` is null or has its `size` set.
enum sinew_status sinew_pose_clip(const struct sinew_model *model,
                                  size_t clip,
                                  double seconds,
                                  struct sinew_pose **pose,
                                  struct sinew_error *error);

// Makes the pose that the file stores.
//
// # Safety
// As for `sinew_pose_clip`.
enum sinew_status sinew_pose_rest(const struct sinew_model *model, struct sinew_pose **pose, struct sinew_error *error);

// Makes the bind pose, in which vertices are as stored.
//
// # Safety
// As for `sinew_pose_clip`.
enum sinew_status sinew_pose_bind(const struct sinew_model *model, struct sinew_pose **pose, struct sinew_error *error);

// Frees a pose; null is left alone.
//
// # Safety
// `pose` came from a `sinew_pose_…` and was not freed.
void sinew_pose_free(struct sinew_pose *pose);

// Writes the matrices of a skin's joints from the bind pose to the world: 16 numbers a joint, column after column.
//
// # Safety
// `matrices` has room for `joints` times 16 numbers; the rest is as for `sinew_pose_clip`.
enum sinew_status sinew_palette(const struct sinew_model *model,
                                const struct sinew_pose *pose,
                                size_t skin,
                                double *matrices,
                                size_t joints,
                                struct sinew_error *error);

// Skins the drawn primitive with this number in a pose, into the caller's memory.
//
// # Safety
// The pointers of `out` are null or have room for its `vertices` at their strides; the rest is as for `sinew_pose_clip`.
enum sinew_status sinew_skin(const struct sinew_model *model,
                             const struct sinew_pose *pose,
                             int32_t mode,
                             size_t primitive,
                             const struct sinew_out *out,
                             struct sinew_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SINEW_H */
