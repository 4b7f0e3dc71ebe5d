//! Measures and proves: the GPU against the CPU, both against the reference.
//! It must not know command lines or how results are printed.

pub mod compare;
pub mod inspect;
pub mod verify;
