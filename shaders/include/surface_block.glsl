// What a draw changes about its material, and where its pixels are drawn.
// Host side: SurfaceBlock in crates/render/src/interface/surface_block.rs

#ifndef SINEW_SURFACE_BLOCK
#define SINEW_SURFACE_BLOCK

layout(push_constant) uniform Surface {
    uint sides;       // which side this is: SIDES_…
    uint hide_back;   // 1: back sides are holes
    uint lightless;   // 1: there is no normal and no surface; shown like unlit
    uint view;        // what view.frag shows: SHOWS_…
    vec2 nudge;       // how far points, lines and rims are drawn beside their place, the picture being 2 wide and high
} surface;

#endif
