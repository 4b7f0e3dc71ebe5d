//! `sinew lesson`: lists the steps of the lesson, opens one in the window beside its text, and checks answers.

mod page;
mod steps;

use std::ffi::OsString;

use crate::cli::args::LessonArgs;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use page::Page;

/// The picture of a step.
pub struct Shown {
    /// The words of its command line.
    pub words: Vec<OsString>,
    /// The paragraphs beside it in the window.
    pub text: Vec<String>,
}

/// Prints the list, a step, or the verdict on an answer. Returns the step's picture, if one is to be shown.
pub fn run(args: &LessonArgs) -> Result<Option<Shown>, Failure> {
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
                "'{answer}' is not the answer of step {number}, '{}'; it is {}",
                page.title(),
                step.expected()
            )));
        }
        print(|out| writeln!(out, "Right. {}", page.answer()))?;
        return Ok(None);
    }
    let mut text = page.paragraphs();
    text.push(format!("To check your answer: sinew lesson {number} --answer '…'"));
    if args.screenshot.is_none() {
        print(|out| text.iter().try_for_each(|paragraph| writeln!(out, "{paragraph}\n")))?;
    }
    let mut words = page.command();
    if let Some(file) = words.iter().position(|word| word == "--screenshot") {
        words.truncate(file);
    }
    let screenshot =
        args.screenshot.iter().flat_map(|file| ["--screenshot".into(), file.clone().into_os_string()]);
    Ok(Some(Shown { words: words.into_iter().map(OsString::from).chain(screenshot).collect(), text }))
}
