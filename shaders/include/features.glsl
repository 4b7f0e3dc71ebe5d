// The features that a pipeline has compiled in, a constant for each, so that no driver compiles or runs what a picture
// does not need. Host side: Features in src/render/interface/features.rs

#ifndef SINEW_FEATURES
#define SINEW_FEATURES

layout(constant_id = 0) const bool HAS_METALLIC_ROUGHNESS_MAP = false;
layout(constant_id = 1) const bool HAS_NORMAL_MAP = false;
layout(constant_id = 2) const bool HAS_OCCLUSION_MAP = false;
layout(constant_id = 3) const bool HAS_EMISSIVE_MAP = false;
layout(constant_id = 4) const bool HAS_LAYERS = false;      // a clear coat or a sheen
layout(constant_id = 5) const bool IS_UNLIT = false;
layout(constant_id = 6) const bool HAS_SHADOWS = false;
layout(constant_id = 7) const bool HAS_FILE_LIGHTS = false;
// Most materials do without these; a pipeline that does not set them has them.
layout(constant_id = 8) const bool HAS_TRANSFORMS = true;   // texture coordinates are of the second set, or transformed
layout(constant_id = 9) const bool HAS_FACTORS = true;      // not white, emissive, or with KHR_materials_ior or _specular
layout(constant_id = 10) const bool HAS_ALPHA = true;       // cut out, blended or glass
layout(constant_id = 11) const bool HAS_ODD_SIDES = true;   // the rasterizer alone cannot tell sides apart

// What follows is numbered after the slots of a crowd's figure, SLOTS_PER_MEMBER.
layout(constant_id = 13) const bool ENCODES = false;        // bytes are drawn to, instead of light that is encoded later
layout(constant_id = 14) const bool HAS_NORMALS = true;     // the mesh has normals
layout(constant_id = 15) const bool HAS_COLORS = true;      // vertices have colours
layout(constant_id = 17) const bool IS_STAMPED = false;     // drawn several times beside each other: points, lines and rims
layout(constant_id = 18) const bool IS_EXPOSED = false;     // the exposure changes light
layout(constant_id = 19) const bool IS_COLORED = false;     // light from all around is coloured
layout(constant_id = 20) const bool IS_RIM = false;         // a rim around what is drawn, behind everything

#endif
