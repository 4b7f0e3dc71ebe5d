//! Tests over models outside this repository, in the folder that `SINEW_CORPUS` names: `models/` holds files that must
//! load, `bad/` files that must do no harm, and `expected/` results of other programs. Without the variable, all tests
//! are listed as ignored.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests report, and fail by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

mod animation;
mod bake;
mod colors;
#[path = "../common/mod.rs"]
mod common;
mod corrective_smooth;
mod diagnosed;
mod dialects;
mod fitted;
#[path = "../common/hues.rs"]
mod hues;
mod libigl;
mod loading;
mod locked;
mod measure;
mod numpy;
mod peers;
mod proof;
#[path = "../common/proven.rs"]
mod proven;
mod rigged;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;
mod spelled_out;

/// A test takes the corpus and returns how many files it ran.
type Test = fn(&Path) -> usize;

const TESTS: [(&str, Test); 13] = [
    ("files_load_or_fail_in_good_order", loading::files_load_or_fail_in_good_order),
    ("deviations_are_named", diagnosed::deviations_are_named),
    ("directions_are_named", diagnosed::directions_are_named),
    ("clips_move_as_the_formulas_say", animation::clips_move_as_the_formulas_say),
    ("the_interpolation_test_has_all_nine", animation::the_interpolation_test_has_all_nine),
    ("the_morph_cube_moves_its_weights", animation::the_morph_cube_moves_its_weights),
    ("every_model_is_proven", proof::every_model_is_proven),
    ("results_made_elsewhere_are_ours", proof::results_made_elsewhere_are_ours),
    ("baked_clips_show_what_was_skinned", bake::baked_clips_show_what_was_skinned),
    ("rigged_models_load_and_stay_as_they_are", rigged::rigged_models_load_and_stay_as_they_are),
    ("locked_weights_keep_their_bits", locked::locked_weights_keep_their_bits),
    ("joints_beside_each_other_have_different_hues", colors::joints_beside_each_other_have_different_hues),
    ("modes_are_as_far_apart_as_their_vertices", measure::modes_are_as_far_apart_as_their_vertices),
];

fn main() -> ExitCode {
    let corpus = std::env::var_os("SINEW_CORPUS").map(PathBuf::from);
    if corpus.is_none() {
        println!("SINEW_CORPUS names no folder of models: the tests over a corpus do not run");
    }
    let trial = |(name, test): (&'static str, Test)| {
        let folder = corpus.clone();
        let run = move || {
            let files = folder.map_or(0, |folder| test(&folder));
            println!("{name}: {files} files");
            if files > 0 { Ok(()) } else { Err("SINEW_CORPUS has no files for it".into()) }
        };
        Trial::test(name, run).with_ignored_flag(corpus.is_none())
    };
    let mut trials: Vec<Trial> = TESTS.map(trial).into();
    let has_peers = peers::folder().exists();
    if !has_peers {
        println!("no other programs are installed (make peers): what they make of models is not tested");
    }
    let has_truth = corpus.as_deref().is_some_and(|corpus| dialects::truth(corpus).is_dir());
    if !has_truth {
        println!(
            "there is no folder truth beside the corpus: modes with scaled joints are not compared with it"
        );
    }
    let test = (
        "modes_with_scaled_joints_are_as_computed_elsewhere",
        dialects::modes_with_scaled_joints_are_as_computed_elsewhere as Test,
    );
    trials.push(trial(test).with_ignored_flag(!has_truth));
    let test = (
        "blender_preserves_volume_as_dqs_blender_does",
        dialects::blender_preserves_volume_as_dqs_blender_does as Test,
    );
    let has_blender = corpus.is_some() && peers::blender().is_some();
    trials.push(trial(test).with_ignored_flag(!has_blender));
    let test =
        ("blender_smooths_as_delta_mush_does", corrective_smooth::blender_smooths_as_delta_mush_does as Test);
    trials.push(trial(test).with_ignored_flag(!has_blender));
    let test = (
        "exports_of_other_programs_are_the_same_models",
        peers::exports_of_other_programs_are_the_same_models as Test,
    );
    trials.push(trial(test).with_ignored_flag(corpus.is_none() || !has_peers));
    let test = ("usd_is_named", diagnosed::usd_is_named as Test);
    trials.push(trial(test).with_ignored_flag(corpus.is_none() || !peers::folder().join("python").exists()));
    let test = ("other_programs_are_named", diagnosed::other_programs_are_named as Test);
    trials.push(trial(test).with_ignored_flag(corpus.is_none() || !has_peers));
    let test = (
        "numpy_reads_what_is_exported_and_its_arrays_are_read",
        numpy::numpy_reads_what_is_exported_and_its_arrays_are_read as Test,
    );
    trials.push(trial(test).with_ignored_flag(corpus.is_none() || !numpy::python().exists()));
    let test =
        ("numpy_moves_vertices_by_exported_terms", numpy::numpy_moves_vertices_by_exported_terms as Test);
    trials.push(trial(test).with_ignored_flag(corpus.is_none() || !numpy::python().exists()));
    let test = ("libigl_moves_vertices_as_ddm_does", libigl::libigl_moves_vertices_as_ddm_does as Test);
    trials.push(trial(test).with_ignored_flag(corpus.is_none() || !libigl::is_there()));
    let test = ("dem_bones_is_farther", fitted::dem_bones_is_farther as Test);
    trials.push(trial(test).with_ignored_flag(corpus.is_none() || !fitted::is_there()));
    let test = ("fitted_files_play_in_other_programs", fitted::fitted_files_play_in_other_programs as Test);
    trials.push(trial(test).with_ignored_flag(corpus.is_none() || !has_peers));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// All `.gltf` and `.glb` files in a folder and its subfolders, sorted.
fn model_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if extension == "gltf" || extension == "glb" {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
