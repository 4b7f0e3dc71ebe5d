//! `sinew lesson`: lists the steps of the lesson, opens one in the window beside its text, and checks answers.

mod page;
mod steps;

use std::ffi::OsString;

use crate::cli::args::LessonArgs;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use page::Page;

/// Prints the list, a step, or the verdict on an answer. Returns the command line of the step's picture, if one is to be shown.
pub fn run(args: &LessonArgs) -> Result<Option<Vec<OsString>>, Failure> {
    let Some(number) = args.step else {
        print(|out| {
            writeln!(
                out,
                "A lesson, from a matrix to a deformed character. 'sinew lesson 5' opens step 5.\n"
            )?;
            (1..).zip(&steps::ALL).try_for_each(|(number, step)| {
                let page = Page::new(step.text);
                writeln!(out, "{number:>3}  {:<22} {}", page.title(), page.question())
            })
        })?;
        return Ok(None);
    };
    let found = steps::ALL.get(usize::from(number).saturating_sub(1));
    let step = found.ok_or_else(|| Failure::Usage("the lesson has steps 1 to 12".to_owned()))?;
    let page = Page::new(step.text);
    if let Some(answer) = &args.answer {
        if !step.accepts(answer) {
            return Err(Failure::Check(format!(
                "'{answer}' is not the answer of step {number}, '{}'",
                page.title()
            )));
        }
        print(|out| writeln!(out, "Right. {}", page.answer()))?;
        return Ok(None);
    }
    let is_window = args.screenshot.is_none();
    if is_window {
        print(|out| page.lines().iter().try_for_each(|line| writeln!(out, "{line}")))?;
    }
    let mut words = page.command();
    if let Some(file) = words.iter().position(|word| word == "--screenshot") {
        words.truncate(file);
    }
    let screenshot =
        args.screenshot.iter().flat_map(|file| ["--screenshot".into(), file.clone().into_os_string()]);
    Ok(Some(words.into_iter().map(OsString::from).chain(screenshot).collect()))
}
