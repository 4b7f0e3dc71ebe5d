//! Models with as many joints, influences, morph targets, triangles, nodes, copies and clips as a file may ask for. Each
//! command works as for small ones, on GPU and CPU alike, or names the limit in one line, in ten seconds and bounded memory.

use sinew::skinning::SkinningMode;

use crate::common::sinew;
use crate::measured::{Measured, measure};
use crate::models;

/// The most seconds of a run.
const MAX_SECONDS: f64 = 10.0;

/// The most memory of a run: what the program has anyway, and what each byte of the file may become.
fn most_mib(file_bytes: usize) -> u64 {
    1024 + 8 * (file_bytes as u64 >> 20)
}

/// The expected result of a command with a model.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    /// Success.
    Done,
    /// Some commands do, others name the limit.
    DoneOrRefused,
}

/// The command that checks every clip in every mode, which takes long where there are many, or many vertices.
const VERIFY: &str = "verify --samples 2";

/// Runs every command but some on a model, prints what each takes, and returns how many did it.
fn every_command(name: &str, bytes: &[u8], wanted: Wanted, without: &[&str]) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("model.glb"), bytes).unwrap();
    let (mut done, mut wrong) = (0, Vec::new());
    let most = most_mib(bytes.len());
    for words in commands().iter().filter(|words| !without.contains(&words.as_str())) {
        let run = measure(sinew(words.split(' ')).arg("model.glb").current_dir(folder.path()));
        let said = said(&run);
        let took = format!("{:>6.2} s {:>5} MiB", run.seconds, run.peak_mib);
        println!("{name:>21}  {words:<44} {took} of {most:>5}  {said}");
        done += usize::from(run.code == 0);
        let is_slow = run.interrupted || run.seconds > MAX_SECONDS;
        if is_slow || run.peak_mib > most || !is_fine(&run, wanted) {
            wrong.push(format!("{name}: {words}: {took}, {said}"));
        }
    }
    // Whichever skins, the file is the same.
    let [gpu, cpu] = ["gpu.glb", "cpu.glb"].map(|name| std::fs::read(file(name)).ok());
    if gpu.is_some() && gpu != cpu {
        wrong.push(format!("{name}: GPU and CPU skin differently"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    done
}

fn commands() -> Vec<String> {
    let picture = |mode: &SkinningMode| format!("--mode {mode} --size 64x64 --screenshot a.png");
    let mut commands: Vec<String> = SkinningMode::ALL.iter().map(picture).collect();
    commands.extend([VERIFY, "inspect", "compare --frames 2"].map(str::to_owned));
    commands.extend(["gpu", "cpu"].map(|on| format!("export --mode dqs --on {on} -o {on}.glb")));
    commands
}

/// Summarises a run's result on one line.
fn said(run: &Measured) -> String {
    let line = |text: &str| text.chars().take(160).collect::<String>();
    match (run.code, run.err.lines().last()) {
        (0, _) => "done".to_owned(),
        (code, None) => format!("{code}: nothing"),
        (code, Some(last)) => format!("{code}: {}", line(last)),
    }
}

/// Returns true if a run succeeded, or named the limit in one line. Warnings are allowed as well.
fn is_fine(run: &Measured, wanted: Wanted) -> bool {
    let (errors, others): (Vec<&str>, Vec<&str>) =
        run.err.lines().partition(|line| line.starts_with("error: "));
    let warned =
        others.iter().all(|line| ["warning: ", "note: "].iter().any(|known| line.starts_with(known)));
    let names_a_limit = |line: &str| {
        ["at most", "limit", "more than", "than a file of this size may have", "MiB"]
            .iter()
            .any(|word| line.contains(word))
    };
    match (run.code, &errors[..]) {
        (0, []) => warned,
        (1 | 4, [error]) => warned && wanted == Wanted::DoneOrRefused && names_a_limit(error),
        _ => false,
    }
}

#[test]
fn any_number_of_joints() {
    let mut done = 0;
    for count in [1, 2, 255, 256, 257, 511, 512, 513, 1024, 4096, 10_000, 65_535, 65_536] {
        done += every_command(&format!("{count} joints"), &models::joints(count), Wanted::Done, &[]);
    }
    println!("{done} runs");
    assert!(done > 100);
}

#[test]
fn any_number_of_influences() {
    let mut done = 0;
    for count in (1..=17).chain([20, 64]) {
        done += every_command(&format!("{count} influences"), &models::influences(count), Wanted::Done, &[]);
    }
    println!("{done} runs");
    assert!(done > 100);
}

#[test]
fn any_number_of_morph_targets() {
    let mut done = 0;
    for count in [1, 2, 1000, 10_000, 65_534, 65_535, 65_536, 100_000] {
        done += every_command(&format!("{count} morph targets"), &models::morphs(count), Wanted::Done, &[]);
    }
    for count in [131_070, 131_071, 200_000] {
        done += every_command(
            &format!("{count} morph targets"),
            &models::morphs(count),
            Wanted::DoneOrRefused,
            &[],
        );
    }
    println!("{done} runs");
    assert!(done > 60);
}

#[test]
fn any_number_of_triangles() {
    let mut done = 0;
    for count in [100_000, 1_000_000, 10_000_000] {
        let wanted = if count > 1_000_000 { Wanted::DoneOrRefused } else { Wanted::Done };
        let without: &[&str] = if count > 100_000 { &[VERIFY] } else { &[] };
        done += every_command(&format!("{count} triangles"), &models::surface(count), wanted, without);
    }
    println!("{done} runs");
    assert!(done > 15);
}

#[test]
fn any_number_of_nodes() {
    let mut done = 0;
    for count in [2, 1000, 100_000, 1_000_000] {
        for (shape, in_chain) in [("children", false), ("in a chain", true)] {
            let name = format!("{count} {shape}");
            done += every_command(&name, &models::nodes(count, in_chain), Wanted::DoneOrRefused, &[]);
        }
    }
    println!("{done} runs");
    assert!(done > 30);
}

/// A small file may draw very many vertices.
#[test]
fn any_number_of_copies() {
    let mut done = 0;
    // 2²² vertices are kept, at most.
    for count in [1, 100, 1398, 1399, 2000] {
        let wanted = if count > 1398 { Wanted::DoneOrRefused } else { Wanted::Done };
        let without: &[&str] = if count > 100 { &[VERIFY] } else { &[] };
        done += every_command(&format!("{count} copies"), &models::copies(count), wanted, without);
    }
    println!("{done} runs");
    assert!(done > 30);
}

#[test]
fn any_number_of_clips() {
    let mut done = 0;
    for count in [1, 1000, 100_000] {
        let wanted = if count > 1000 { Wanted::DoneOrRefused } else { Wanted::Done };
        let without: &[&str] = if count > 1000 { &[VERIFY] } else { &[] };
        done += every_command(&format!("{count} clips"), &models::clips(count), wanted, without);
    }
    println!("{done} runs");
    assert!(done > 15);
}
