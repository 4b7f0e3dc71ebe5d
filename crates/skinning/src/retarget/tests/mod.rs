//! Tests of clips on rigs of other rest poses, proportions, names and trees.

mod carrying;
mod naming;
mod rigs;
mod sampling;
