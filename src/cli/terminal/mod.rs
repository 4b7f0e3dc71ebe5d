//! The terminal: failures and exit codes, colours, progress, logs and signals. This module must not depend on any command.

pub mod check;
pub mod colors;
pub mod failure;
pub mod frames;
pub mod logging;
pub mod print;
pub mod progress;
pub mod signals;
pub mod waiting;
