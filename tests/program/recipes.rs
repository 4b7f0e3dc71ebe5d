//! The recipes of docs/recipes, run by a shell in place of their schedulers: their shares end in the tables of one run.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::common::{PROGRAM, Run, at_home, run, run_well, sinew};

/// Slurm's command for one job after the other: an array's, or one.
const SBATCH: &str = r#"#!/bin/sh
set -eu
[ -z "${IN_JOB:-}" ] || { echo "a job submits jobs"; exit 1; }
export IN_JOB=yes
while [ "${1#--}" != "$1" ]; do
    echo "$1" >>flags.txt
    case $1 in --array=1-*) last=${1#--array=1-} ;; esac
    shift
done
if [ "${last:-}" ]; then
    for share in $(seq "$last"); do
        SLURM_ARRAY_TASK_ID=$share SLURM_CPUS_PER_TASK=1 sh "$@" >/dev/null
    done
    echo "7;cluster"
else
    sh "$@"
fi
"#;

/// Flamenco's interface for job types. Prints the commands of the tasks in their order.
const FLAMENCO: &str = r#"
const author = {
    Task: (name, type) => ({
        name, type, commands: [], after: new Set(),
        addCommand(command) { this.commands.push(command); },
        addDependency(task) { this.after.add(task.name); },
    }),
    Command: (name, parameters) => ({ name, parameters }),
};
const settings = { models: "models", out: "out", shares: 3 };
const job = { settings, tasks: [], addTask(task) { this.tasks.push(task); } };
const source = require("fs").readFileSync(process.argv[1], "utf8") + "\nreturn [JOB_TYPE, compileJob];";
const [type, compile] = new Function("author", source)(author);
compile(job);
const keys = type.settings.map(({ key }) => key);
const merge = job.tasks[job.tasks.length - 1];
if (keys.join() !== Object.keys(settings).join() || merge.after.size !== settings.shares) throw [keys, merge];
for (const { name, parameters: { exe, args } } of job.tasks.flatMap((task) => task.commands)) {
    if (name !== "exec") throw name;
    console.log([exe, ...args].join(" "));
}
"#;

/// A folder with models, one of which has an error, and with the results of one run in `whole`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("models");
    fs::create_dir(&models).unwrap();
    let rigs =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/rigs")).unwrap().flatten();
    for rig in rigs.filter(|rig| rig.file_name().to_string_lossy().starts_with("influences-")) {
        fs::copy(rig.path(), models.join(rig.file_name())).unwrap();
    }
    fs::write(models.join("broken.glb"), "no model").unwrap();
    run_well(sinew(["corpus", "check", "models", "-o", "whole"]).current_dir(folder.path()));
    folder
}

fn recipe(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/recipes").join(name)
}

/// Runs a script in a folder. Programs of the folder come first, then the one of this build.
fn shell(folder: &Path, script: &str, environment: &[(&str, &str)]) -> Run {
    let paths = std::env::var("PATH").unwrap();
    let own = Path::new(PROGRAM).parent().unwrap();
    let mut command = at_home("sh");
    command.args(["-euc", script]).current_dir(folder).envs(environment.iter().copied());
    run(command.env("PATH", format!("{}:{}:{paths}", folder.display(), own.display())))
}

#[track_caller]
fn shell_well(folder: &Path, script: &str, environment: &[(&str, &str)]) -> Vec<u8> {
    let Run { code, out, err } = shell(folder, script, environment);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{script}");
    out
}

/// Runs a script that ends with the merge, which finds the error.
#[track_caller]
fn merge(folder: &Path, script: &str, environment: &[(&str, &str)]) {
    let Run { code, err, .. } = shell(folder, script, environment);
    assert_eq!(code, Some(6), "{script}: {err}");
    assert!(err.lines().count() == 1 && err.contains("broken.glb unreadable"), "{err}");
}

/// The scripts of a page of YAML: the blocks after `|`.
fn scripts(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = page.lines().peekable();
    let depth = |line: &str| line.len() - line.trim_start().len();
    while let Some(line) = lines.next() {
        if line.ends_with(" |") {
            let start = depth(line);
            let inside = std::iter::from_fn(|| lines.next_if(|line| depth(line) > start));
            found.push(inside.map(|line| format!("{}\n", line.trim())).collect());
        }
    }
    found
}

#[track_caller]
fn assert_same(folder: &Path, out: &str, shares: usize) {
    for table in ["assets.csv", "clips.csv", "triage.json", "index.html"] {
        let read = |out: &str| fs::read(folder.join(out).join(table)).unwrap();
        assert!(read(out) == read("whole"), "{table}");
    }
    let out = folder.join(out);
    let beside = fs::read_dir(out.parent().unwrap()).unwrap().flatten();
    let found = beside.filter(|entry| entry.file_name().to_string_lossy().starts_with("share-"));
    assert_eq!(found.count(), shares);
}

#[test]
fn slurm_runs_an_array_and_merges() {
    let folder = folder();
    let folder = folder.path();
    let sbatch = folder.join("sbatch");
    fs::write(&sbatch, SBATCH).unwrap();
    fs::set_permissions(&sbatch, fs::Permissions::from_mode(0o755)).unwrap();
    let script = recipe("slurm.sh");
    let script = script.to_str().unwrap();
    merge(folder, "sh \"$SCRIPT\" models 'out of it' 5", &[("SCRIPT", script)]);
    assert_same(folder, "out of it/all", 5);
    let flags = fs::read_to_string(folder.join("flags.txt")).unwrap();
    assert_eq!(flags, "--parsable\n--array=1-5\n--dependency=afterok:7\n--cpus-per-task=1\n");
    // A share that failed fails its job.
    let one = [("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_CPUS_PER_TASK", "1"), ("SCRIPT", script)];
    assert_eq!(shell(folder, "sh \"$SCRIPT\" nowhere out 5", &one).code, Some(1));
}

#[test]
fn kubernetes_checks_in_pods_and_merges() {
    let folder = folder();
    let folder = folder.path();
    let page = fs::read_to_string(recipe("kubernetes.yaml")).unwrap();
    let (_, rest) = page.split_once("completions: ").unwrap();
    let shares = rest.split(' ').next().unwrap();
    assert_eq!(page.matches(&format!("{{name: SHARES, value: \"{shares}\"}}")).count(), 2);
    let count: usize = shares.parse().unwrap();
    let [check, last] = scripts(&page).try_into().unwrap();
    for index in 0..count {
        let index = index.to_string();
        let environment =
            [("MODELS", "models"), ("OUT", "out"), ("SHARES", shares), ("JOB_COMPLETION_INDEX", &index)];
        fs::create_dir_all(folder.join("out")).unwrap();
        shell_well(folder, &check, &environment);
    }
    merge(folder, &last, &[("OUT", "out"), ("SHARES", shares)]);
    assert_same(folder, "out/all", count);
}

#[test]
fn github_checks_in_a_matrix_and_merges() {
    let folder = folder();
    let folder = folder.path();
    let page = fs::read_to_string(recipe("github.yml")).unwrap();
    let (_, rest) = page.split_once("share: [").unwrap();
    let shares: Vec<&str> = rest.split(']').next().unwrap().split(", ").collect();
    let [check, last] = scripts(&page).try_into().unwrap();
    let count = shares.len().to_string();
    for share in &shares {
        shell_well(folder, &check, &[("SHARE", share), ("SHARES", &count)]);
    }
    merge(folder, &last, &[("GITHUB_STEP_SUMMARY", "summary.md")]);
    assert_same(folder, "all", shares.len());
    assert!(fs::read_to_string(folder.join("summary.md")).unwrap().contains("broken.glb"));
}

#[test]
fn flamenco_has_a_task_for_each_share_and_merges() {
    let folder = folder();
    let folder = folder.path();
    let file = recipe("flamenco.js");
    let environment = [("STUB", FLAMENCO), ("FILE", file.to_str().unwrap())];
    if shell(folder, "node -e ''", &[]).code != Some(0) {
        eprintln!("left out: the job type of Flamenco needs node");
        return;
    }
    let commands = shell_well(folder, "node -e \"$STUB\" \"$FILE\"", &environment);
    let commands = String::from_utf8(commands).unwrap();
    assert_eq!(commands.lines().count(), 4, "{commands}");
    merge(folder, &commands, &[]);
    assert_same(folder, "out/all", 3);
}
