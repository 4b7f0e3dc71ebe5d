//! The command line: flags, one file per command, what they name, and failures with their exit codes.
//! This module must not implement any work itself; it calls the library.

mod args;
mod commands;
mod machine;
mod subject;
mod terminal;
#[cfg(fuzzing)]
pub mod trial;
#[cfg(feature = "window")]
mod window;

use std::process::ExitCode;

use crate::output::Inputs;
use crate::threads;
use clap::error::ErrorKind;
use sinew_system::keep_little_memory;

use args::{Cli, Command, LessonArgs, config, one_line};
use commands::{
    bake, bench, builtins, compare, completions, conformance, corpus, devices, diagnose, diff, explain,
    export, fit, golden, inspect, lesson, palette, picture, report, report_bug, rigged, serve, show, sweep,
    verify, view_page, weights, why,
};
use machine::{fonts, vulkan};
use terminal::failure::Failure;
use terminal::{colors, logging, print, signals};
#[cfg(feature = "window")]
use window::{panel, viewer};

/// The parser of the command line.
pub fn command() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

/// Runs the program: reads its command line, executes it and returns the exit code.
pub fn main() -> ExitCode {
    threads::with_stack(main_with_stack)
}

fn main_with_stack() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            print::say(&format!("error: {failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run() -> Result<(), Failure> {
    // Before there is any other thread.
    vulkan::prepare_process();
    // Every command adds the files it reads, and then cannot overwrite them.
    #[allow(clippy::disallowed_methods, reason = "this is the one that is handed on")]
    let mut inputs = Inputs::none();
    let words = config::command_line(std::env::args_os().collect(), &mut inputs)?;
    let cli = match Cli::read(words) {
        Ok(cli) => cli,
        Err(error) => return answer(&error),
    };
    logging::listen();
    if lives_long(&cli) {
        // Before there is any other thread.
        keep_little_memory();
    }
    signals::listen();
    sinew_system::EndWhereRefused::before_end(crate::output::try_remove_unfinished);
    threads::start_pool().map_err(Failure::Threads)?;
    crate::writing::look_in(fonts::folders());
    perform(cli, inputs)
}

/// Returns true if a command line runs until the user ends it.
fn lives_long(cli: &Cli) -> bool {
    match &cli.command {
        Some(Command::Serve(_)) => true,
        // A window, or a few lines.
        Some(Command::Lesson(args)) => args.step.is_some() && args.screenshot.is_none(),
        Some(_) => false,
        // A window.
        None => cli.picture.output.screenshot.is_none(),
    }
}

/// Executes `sinew lesson`, whose pictures are command lines with the flags of the config file.
fn teach(args: &LessonArgs, is_config_ignored: bool, inputs: Inputs) -> Result<(), Failure> {
    for mut shown in lesson::run(args, inputs)? {
        let mut words = std::mem::take(&mut shown.words);
        if is_config_ignored {
            words.push("--no-config".into());
        }
        #[allow(clippy::disallowed_methods, reason = "a picture of a built-in model reads no other file")]
        let mut inputs = Inputs::none();
        let words = config::command_line(words, &mut inputs)?;
        match Cli::read(words) {
            Ok(mut cli) => {
                shown.lay_out(&mut cli.picture);
                perform(cli, inputs)?;
            }
            Err(error) => return answer(&error),
        }
    }
    Ok(())
}

/// Executes a command line.
fn perform(cli: Cli, inputs: Inputs) -> Result<(), Failure> {
    match cli.command {
        Some(Command::Devices(args)) => devices::run(&args),
        Some(Command::Lesson(args)) => teach(&args, cli.no_config, inputs),
        Some(Command::Builtins(args)) => builtins::run(&args, &inputs.close()),
        Some(Command::Why(args)) => why::run(&args, inputs),
        Some(Command::Compare(args)) => compare::run(&args, inputs),
        Some(Command::Report(args)) => report::run(&args, inputs),
        Some(Command::ViewPage(args)) => view_page::run(&args, inputs),
        Some(Command::Corpus(args)) => corpus::run(&args, inputs),
        Some(Command::Sweep(args)) => sweep::run(&args, inputs),
        Some(Command::Explain(args)) => explain::run(&args, inputs),
        Some(Command::Palette(args)) => palette::run(&args, inputs),
        Some(Command::Diagnose(args)) => diagnose::run(&args, inputs),
        Some(Command::Conformance(args)) => conformance::run(&args, inputs),
        Some(Command::Inspect(args)) => inspect::run(&args, inputs),
        Some(Command::Verify(args)) => verify::run(&args, inputs),
        Some(Command::Bench(args)) => bench::run(&args, inputs),
        Some(Command::Diff(args)) => diff::run(&args, inputs),
        Some(Command::Show(args)) => show::run(&args, inputs),
        Some(Command::Golden(args)) => golden::run(&args, inputs),
        Some(Command::Export(args)) => export::run(&args, inputs),
        Some(Command::Convert(args)) => rigged::convert(&args, inputs),
        Some(Command::Bake(args)) => bake::run(&args, inputs),
        Some(Command::Fit(args)) => fit::run(&args, inputs),
        Some(Command::Weights(args)) => weights::run(&args, inputs),
        Some(Command::ReportBug(args)) => report_bug::run(&args, inputs),
        Some(Command::Serve(args)) => serve::run(&args, inputs),
        Some(Command::Completions(args)) => completions::completions(&args),
        Some(Command::Man(args)) => completions::man(&args, &inputs.close()),
        None => match &cli.picture.output.screenshot {
            #[cfg(feature = "window")]
            Some(_) if !cli.picture.window.more.is_empty() => {
                subject::open::check_command(&cli.picture.subject.model)?;
                Err(Failure::Usage(format!(
                    "--screenshot draws one model, not {}; for several, run it once for each, or see 'sinew serve'",
                    cli.picture.window.more.len() + 1
                )))
            }
            #[cfg(feature = "window")]
            Some(out) if cli.picture.window.panel => panel::run(&cli.picture, out, inputs),
            Some(out) => picture::run(&cli.picture, out, inputs),
            None if cli.picture.output.asks_for_sequence() || cli.picture.output.lossy.is_some() => {
                Err(Failure::Usage(
                    "--frames, --fps, --turntable, --steps and --lossy need --screenshot OUT".to_owned(),
                ))
            }
            #[cfg(feature = "window")]
            None => viewer::run(cli.picture, inputs),
            #[cfg(not(feature = "window"))]
            None => Err(Failure::Usage(
                "this build of sinew has no window; --screenshot OUT.png draws a picture".to_owned(),
            )),
        },
    }
}

/// Prints help and version; any other error becomes one line.
fn answer(error: &clap::Error) -> Result<(), Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => print::print(|out| {
            let text = error.render();
            match colors::on_stdout() {
                true => write!(out, "{}", text.ansi()),
                false => write!(out, "{text}"),
            }
        }),
        _ => Err(Failure::Usage(one_line(&error.to_string()))),
    }
}
