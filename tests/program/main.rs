//! Tests the program as users run it: what it prints and writes, and its exit codes.

#[path = "../../crates/model/tests/common/character.rs"]
mod character;
#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "fbx")]
#[path = "../../crates/model/tests/fbx/document/mod.rs"]
mod document;
#[path = "../../crates/model/tests/common/file.rs"]
mod file;
#[path = "../common/frames.rs"]
mod frames;
#[path = "../../crates/model/tests/common/pictures.rs"]
mod pictures;
#[path = "../../crates/model/tests/common/scattered.rs"]
mod scattered;
#[path = "../common/studio.rs"]
mod studio;

mod action;
mod advice;
mod bake;
mod bench;
mod checks;
mod cli;
mod clips;
mod compare;
mod conformance;
mod corpus;
mod diagnose;
mod diff;
mod edges;
mod edited;
mod environment;
mod everyday;
mod explain;
mod export;
mod fbx;
mod fit;
mod folders;
mod golden;
mod guarded;
mod inputs;
mod inspect;
mod interrupted;
mod joints;
mod keys;
mod lesson;
mod mush;
mod names;
mod normals;
mod output;
mod pages;
mod pairs;
mod poses;
mod readers;
mod recipes;
mod report;
mod rigged;
mod scarce;
mod schemas;
mod serve;
mod units;
mod usd;
#[cfg(feature = "usd")]
mod variants;
mod verify_times;
mod video;
mod weights;
mod words;
