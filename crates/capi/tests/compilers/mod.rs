//! The compilers of C and C++ that the machine has, and programs by them.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::path::Path;
use std::process::Command;

/// Warnings that no header, example or test has.
const WARNINGS: &str = "-Wall -Wextra -Wconversion -Wshadow -Wcast-qual -pedantic -Werror";

/// A language with its oldest version that the headers are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Language {
    C99,
    Cpp11,
}

/// Returns the commands of a language, and prints which are missing.
pub fn compilers(language: Language) -> Vec<&'static str> {
    let commands = match language {
        Language::C99 => ["gcc", "clang"],
        Language::Cpp11 => ["g++", "clang++"],
    };
    let mut found = commands.to_vec();
    found.retain(|command| {
        let is_here = Command::new(command).arg("--version").output().is_ok_and(|done| done.status.success());
        if !is_here {
            println!("{command} is not on this machine, so it compiles nothing here");
        }
        is_here
    });
    assert!(!found.is_empty(), "none of {commands:?} is on this machine");
    found
}

/// Returns the command that runs a program, under the checker that `SINEW_UNDER` names if it is set.
pub fn run(program: &Path) -> Command {
    let Ok(under) = std::env::var("SINEW_UNDER") else { return Command::new(program) };
    let mut words = under.split(' ');
    let mut command = Command::new(words.next().unwrap());
    command.args(words).arg(program);
    command
}

/// Compiles a file. `words` come last.
pub fn compile(compiler: &str, language: Language, source: &Path, words: &[&str]) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (standard, name) = match language {
        Language::C99 => ("-std=c99", "c"),
        Language::Cpp11 => ("-std=c++11", "c++"),
    };
    let done = Command::new(compiler)
        .args(WARNINGS.split(' '))
        .arg(standard)
        .args([here.join("include"), here.join("../../include")].map(|one| format!("-I{}", one.display())))
        .args(["-x", name])
        .arg(source)
        .args(["-x", "none"])
        .args(words)
        .output()
        .unwrap();
    let says = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{compiler} {standard} {}:\n{says}", source.display());
}
