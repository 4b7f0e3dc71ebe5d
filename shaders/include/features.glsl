// What a pipeline of mesh.frag leaves out or has: a constant for each, so that no driver compiles or runs
// what a picture does not need. It must not know how any of it is done.
// Host side: Features in src/render/features.rs

#ifndef SINEW_FEATURES
#define SINEW_FEATURES

layout(constant_id = 0) const bool HAS_METALLIC_ROUGHNESS_MAP = false;
layout(constant_id = 1) const bool HAS_NORMAL_MAP = false;
layout(constant_id = 2) const bool HAS_OCCLUSION_MAP = false;
layout(constant_id = 3) const bool HAS_EMISSIVE_MAP = false;
layout(constant_id = 4) const bool HAS_CLEARCOAT = false;
layout(constant_id = 5) const bool IS_UNLIT = false;
layout(constant_id = 6) const bool HAS_SHADOWS = false;
layout(constant_id = 7) const bool HAS_FILE_LIGHTS = false;

#endif
