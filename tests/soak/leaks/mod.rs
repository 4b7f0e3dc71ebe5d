//! Nothing grows for ever: memory after many models, windows of many sizes, files that are opened again and again, and
//! many minutes of random keys.

mod cycles;
mod hands;
mod random;
mod resident;
mod windows;
