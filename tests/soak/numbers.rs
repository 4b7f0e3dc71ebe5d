//! Gives every flag that takes a value every number at the ends of what numbers can be, in every command that has the flag.
//! Each run ends in ten seconds, or in order when it is interrupted; none takes much memory, none says more than one line.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crate::common::{run_well, sinew};
use crate::measured::{Measured, measure_within};

/// Numbers at the ends of types, and texts that some parsers take for numbers.
const NUMBERS: [&str; 38] = [
    "",
    " ",
    "0",
    "1",
    "-0",
    "-1",
    "+1",
    " 1",
    "1 ",
    "0.5",
    "-0.5",
    "1e-320",
    "-1e-320",
    "1e-30",
    "255",
    "256",
    "65535",
    "65536",
    "16777217",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "3.5e38",
    "1e308",
    "-1e308",
    "1e309",
    "NaN",
    "inf",
    "-inf",
    "0x10",
    "١",
];

/// The numbers for a flag that was already tried with another command and has the same help there.
const FEW: [&str; 9] = ["", "0", "-1", "1e-320", "1e308", "NaN", "inf", "4294967296", "18446744073709551616"];

/// Flags that ask for an amount of work. A run with a large number takes long, and ends when interrupted.
const AMOUNTS: [&str; 13] = [
    "--frames",
    "--fps",
    "--turntable",
    "--crowd",
    "--samples",
    "--steps",
    "--poses",
    "--fbx-rate",
    "--onion",
    "--size",
    "--range",
    "--explain",
    "--against",
];

/// The limits of a run.
const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_MIB: u64 = 2048;

/// Commands with what makes them short. The others have no numbers.
const COMMANDS: [(&str, &str); 26] = [
    ("", "builtin:strip --size 16x16 --screenshot a.png"),
    ("devices", ""),
    ("compare", "builtin:strip --frames 2"),
    ("why", "builtin:strip --frames 2"),
    ("report", "builtin:strip --no-pictures -o report"),
    ("view-page", "builtin:strip --no-pictures -o page.html"),
    ("sweep", "builtin:strip --joint upper --steps 2 -o sheet.png"),
    ("explain", "builtin:strip --vertex 0:0:1"),
    ("palette", "builtin:strip"),
    ("diagnose", "builtin:strip --like strip.png"),
    ("inspect", "builtin:strip"),
    ("verify", "builtin:strip --samples 2"),
    ("bench", "builtin:strip --frames 1 --size 16x16"),
    ("export", "builtin:strip -o a.json"),
    ("convert", "builtin:strip -o a.glb"),
    ("bake", "builtin:strip --clip 0 --fps 2 -o a.glb"),
    ("fit", "builtin:strip --helpers 1 --fps 2 -o a.glb"),
    ("weights", "builtin:strip --smooth upper@1 --lock lower -o a.glb"),
    ("builtins", ""),
    ("conformance", ""),
    ("diff", "strip.png strip.png"),
    ("golden", "goldens"),
    ("show", "strip.png"),
    ("report-bug", "builtin:strip -o fault.md"),
    ("corpus", "check builtin:strip -o checked"),
    ("serve", ""),
];

/// Commands without numbers.
const OTHERS: [&str; 4] = ["completions", "lesson", "man", "help"];

/// A flag with a value, as a command's help shows it.
struct Flag {
    name: String,
    value: String,
    help: String,
}

/// A command with a number in one of its flags.
#[derive(Clone)]
struct Case {
    command: &'static str,
    base: &'static str,
    flag: String,
    /// The pattern of the value around the number.
    form: &'static str,
    number: String,
    /// True if numbers that a refusal names are tried as well.
    learns: bool,
}

#[test]
fn every_flag_takes_or_refuses_every_number() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let help = help_of("");
    for name in commands_in(&help) {
        let is_known = COMMANDS.iter().any(|(known, _)| *known == name) || OTHERS.contains(&name.as_str());
        assert!(is_known, "{name} is a new command");
    }
    let (mut seen, mut cases, mut flags) = (BTreeSet::new(), Vec::new(), 0);
    for (command, base) in COMMANDS {
        for flag in flags_in(&help_of(command)) {
            flags += 1;
            let is_new = seen.insert((flag.name.clone(), flag.help.clone()));
            let numbers = if is_new { &NUMBERS[..] } else { &FEW };
            for form in forms(&flag.value) {
                cases.extend(numbers.iter().map(|number| Case {
                    command,
                    base,
                    flag: flag.name.clone(),
                    form,
                    number: (*number).to_owned(),
                    learns: is_new,
                }));
            }
        }
    }
    println!("{flags} flags of {} commands, {} values", COMMANDS.len(), cases.len());
    let wrong = run_all(cases, folder.path());
    assert!(flags > 150, "only {flags} flags");
    assert!(wrong.is_empty(), "{} runs:\n{}", wrong.len(), wrong.join("\n"));
}

/// Runs all of them, two at a time, and with the numbers that refusals name; returns what went wrong.
fn run_all(cases: Vec<Case>, folder: &Path) -> Vec<String> {
    let asked = cases.iter().map(|case| (case.command, case.flag.clone(), case.form, case.number.clone()));
    let work = Mutex::new(Work { asked: asked.collect(), cases, ..Work::default() });
    thread::scope(|scope| {
        for worker in 0..2 {
            let own = folder.join(worker.to_string());
            std::fs::create_dir(&own).unwrap();
            prepare(&own);
            let work = &work;
            scope.spawn(move || {
                loop {
                    let Some(case) = work.lock().unwrap().cases.pop() else { return };
                    let run = measure_within(sinew(words(&case)).current_dir(&own), TIMEOUT);
                    work.lock().unwrap().note(&case, &run);
                }
            });
        }
    });
    let Work { runs, done, refused, interrupted, learned, wrong, .. } = work.into_inner().unwrap();
    println!(
        "{runs} runs, {learned} of them with numbers from refusals: {done} done, {refused} refused as usage, \
         {interrupted} interrupted"
    );
    assert!(runs > 1000 && done > 100 && refused > 500 && learned > 20);
    wrong
}

/// The cases left to run, and the findings.
#[derive(Default)]
struct Work {
    cases: Vec<Case>,
    asked: BTreeSet<(&'static str, String, &'static str, String)>,
    runs: usize,
    done: usize,
    refused: usize,
    interrupted: usize,
    learned: usize,
    wrong: Vec<String>,
}

impl Work {
    fn note(&mut self, case: &Case, run: &Measured) {
        self.runs += 1;
        self.done += usize::from(run.code == 0);
        self.refused += usize::from(run.code == 2);
        self.interrupted += usize::from(run.interrupted);
        let errors: Vec<&str> = run.err.lines().filter(|line| line.starts_with("error: ")).collect();
        let mut others = run.err.lines().filter(|line| !line.starts_with("error: "));
        let is_quiet = others.all(|line| QUIET.iter().any(|known| line.starts_with(known)));
        let is_amount = AMOUNTS.contains(&case.flag.as_str());
        let is_fine = match (run.code, errors.len()) {
            (143, _) => run.interrupted && is_amount && !run.hung,
            (0, 0) | (1..=6, 1) => true,
            _ => false,
        };
        if !is_fine || !is_quiet || run.peak_mib > MAX_MIB {
            let said = run.err.chars().take(300).collect::<String>();
            let (words, code) = (words(case).join(" ".as_ref()), run.code);
            let line =
                format!("{}: {code}, {:.1} s, {} MiB: {said}", words.display(), run.seconds, run.peak_mib);
            println!("wrong: {line}");
            self.wrong.push(line);
        }
        if let (2, [error], true) = (run.code, &errors[..], case.learns) {
            let value = case.form.replace('#', &case.number);
            for number in around_those_in(&error.replace(&format!("'{value}'"), "")) {
                if self.asked.insert((case.command, case.flag.clone(), case.form, number.clone())) {
                    self.learned += 1;
                    self.cases.push(Case { number, learns: false, ..case.clone() });
                }
            }
        }
    }
}

/// Beginnings of lines that are no errors: warnings, notes, and what was written.
const QUIET: [&str; 4] = ["warning: ", "note: ", "wrote ", " WARN "];

/// Writes the files that commands read.
fn prepare(folder: &Path) {
    run_well(sinew(["builtin:strip", "--size", "16x16", "--screenshot", "strip.png"]).current_dir(folder));
    let goldens = folder.join("goldens");
    std::fs::create_dir(&goldens).unwrap();
    std::fs::copy(folder.join("strip.png"), goldens.join("strip.png")).unwrap();
    let list = "[[case]]\nname = \"strip\"\nmodel = \"builtin:strip\"\nsize = \"16x16\"\n";
    std::fs::write(goldens.join("golden.toml"), list).unwrap();
}

fn help_of(command: &str) -> String {
    let words = [command, "--help"].into_iter().filter(|word| !word.is_empty());
    String::from_utf8(run_well(&mut sinew(words))).unwrap()
}

fn commands_in(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    lines.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

/// Every flag with a value: a line that begins with dashes, and the lines below that are indented further.
fn flags_in(help: &str) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    let mut is_open = false;
    for line in help.lines() {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        if words.starts_with('-') && indent <= 6 && indent > 0 {
            let spelled = words.split_once("--").map_or(words, |(_, long)| long);
            let value = spelled.split_once(['<']).and_then(|(_, rest)| rest.rsplit_once('>'));
            let name = spelled.split([' ', '[']).next().unwrap_or_default();
            is_open = value.is_some();
            if let Some((value, _)) = value {
                flags.push(Flag { name: format!("--{name}"), value: value.to_owned(), help: String::new() });
            }
        } else if indent >= 10 && is_open {
            let flag = flags.last_mut().unwrap();
            flag.help.push_str(words);
            flag.help.push(' ');
        } else if !line.is_empty() {
            is_open = false;
        }
    }
    flags
}

/// Each whole number that a refusal names, and the ones before and after it: the limit is among them.
fn around_those_in(text: &str) -> Vec<String> {
    let numbers =
        text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse::<u64>().ok());
    let around = numbers.flat_map(|number| [number.wrapping_sub(1), number, number.wrapping_add(1)]);
    around.collect::<BTreeSet<u64>>().into_iter().map(|number| number.to_string()).collect()
}

/// Returns the patterns of a value, with `#` for each number.
fn forms(value: &str) -> Vec<&'static str> {
    match value {
        "WxH" => vec!["#", "#x#", "16x#", "#x16"],
        "X,Y,Z|NODE" => vec!["#", "#,#,#", "0,0,#"],
        "X,Y" => vec!["#", "#,0", "0,#"],
        "VIEW" => vec!["#", "#,0", "0,#", "0,0,#", "joint:#"],
        "NAME=X,Y,Z[,W]" | "NAME=X,Y,Z" => vec!["#", "upper=#,#,#", "upper=0,0,#", "upper=0,0,0,#"],
        "NAME=F|X,Y,Z" => vec!["#", "upper=#", "upper=1,1,#"],
        "[NODE:]TARGET=W" => vec!["#", "0=#", "#=1", "#:0=1"],
        "SHARE|joint:NAME=SHARE" => vec!["#", "joint:upper=#"],
        "COUNT[@SECS]" => vec!["#", "#@0.1", "1@#"],
        "CLIP[@W]" => vec!["#", "0@#"],
        "I/N" => vec!["#", "#/2", "1/#", "#/#"],
        "FROM..TO" => vec!["#", "#..90", "0..#", "#..#"],
        "N|A..B" => vec!["#", "0..#", "#..#"],
        "N,…" => vec!["#", "1,#"],
        "MEAN,TILE" => vec!["#", "#,0", "0,#"],
        "LENGTH|PERCENT" => vec!["#", "#mm", "#%"],
        "nodeN:PRIMITIVE:VERTEX" | "VERTEX" => {
            vec!["#", "node#:0:0", "node0:#:0", "node0:0:#", "#:0:0", "0:#:0", "0:0:#"]
        }
        "NAME:FACTOR=VALUE,…" => vec!["#", "#:roughness=0.5", "0:roughness=#"],
        "MODE|other[@X]" => vec!["#", "dqs@#"],
        "KEY=VALUE …" | "MODE,…|KEY=VALUE …" => vec!["#", "exposure=#", "time=#", "size=#x#", "fov=#"],
        "COLOR|transparent" => vec!["#"],
        _ => vec!["#"],
    }
}

/// The words of a run, with the flag in place of what the command has for it otherwise.
fn words(case: &Case) -> Vec<OsString> {
    let Case { command, base, flag, .. } = case;
    let mut words: Vec<OsString> = Vec::new();
    words.extend((!command.is_empty()).then(|| (*command).into()));
    // Some flags say something only beside others.
    let beside: &[&str] = match (*command, flag.as_str()) {
        ("", "--fps" | "--lossy" | "--turntable" | "--frames" | "--fade" | "--speed") => &["--clip", "0"],
        ("", "--seed") => &["--crowd", "3"],
        ("", "--choose" | "--vertex") => &["--panel"],
        ("bake", _) => &[],
        (_, "--blend-clip" | "--time") => &["--clip", "0"],
        ("compare", "--seed") => &["--poses", "2"],
        ("export", "--max-influences" | "--max-joints" | "--prune") => &["--rigged"],
        ("export", "--fps") => &["--frames", "2"],
        _ => &[],
    };
    let is_sequence = ["--fps", "--frames", "--turntable", "--lossy"].contains(&flag.as_str());
    let is_rigged = beside == ["--rigged"];
    let mut is_left_out = false;
    for word in base.split_whitespace() {
        let is_flag = word == flag || (word == "-o" && flag == "--output");
        if !is_left_out && !is_flag {
            words.push(match word {
                "a.png" if is_sequence => "a.webp".into(),
                "a.json" if is_sequence => "a-{frame}.json".into(),
                "a.json" if is_rigged => "a.glb".into(),
                word => word.into(),
            });
        }
        is_left_out = !is_left_out && is_flag;
    }
    words.extend(beside.iter().map(OsString::from));
    words.push(format!("{flag}={}", case.form.replace('#', &case.number)).into());
    words
}
