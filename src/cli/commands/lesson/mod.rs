//! `sinew lesson`: lists the steps of the lesson, opens one in the window beside its text, and checks answers.

mod html;
mod page;
mod steps;

use std::ffi::OsString;
use std::path::Path;

use crate::cli::args::LessonArgs;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};
use crate::output::{self, Closed, Folder, Inputs};
use page::Page;

/// Flags of a step's window, of which the text takes a part.
const WINDOW: &[&str] = if cfg!(feature = "window") { &["--paused", "--size", "1240x800"] } else { &[] };

/// The picture of a step.
pub struct Shown {
    /// The words of its command line.
    pub words: Vec<OsString>,
    /// The paragraphs beside it in the window.
    pub text: Vec<String>,
}

/// Prints the list, a step, or the verdict on an answer, or writes the page. Returns the pictures to show or to draw.
pub fn run(args: &LessonArgs, inputs: Inputs) -> Result<Vec<Shown>, Failure> {
    if let Some(folder) = &args.write {
        return write(folder, &inputs.close());
    }
    let Some(number) = args.step else {
        list()?;
        return Ok(Vec::new());
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
        return Ok(Vec::new());
    }
    let mut text = page.paragraphs();
    text.push(format!("To check your answer: sinew lesson {number} --answer '…'"));
    let (mut words, _) = picture(&page);
    match &args.screenshot {
        Some(file) => words.extend(["--screenshot".into(), file.into()]),
        None => {
            print(|out| text.iter().try_for_each(|paragraph| writeln!(out, "{paragraph}\n")))?;
            // The last size counts.
            words.extend(WINDOW.iter().map(OsString::from));
        }
    }
    Ok(vec![Shown { words, text }])
}

fn list() -> Result<(), Failure> {
    print(|out| {
        writeln!(out, "A lesson, from a matrix to a deformed character. 'sinew lesson 5' opens step 5.\n")?;
        (1..).zip(&steps::ALL).try_for_each(|(number, step)| {
            let page = Page::new(step.text);
            writeln!(out, "{number:>3}  {:<22} {}", page.title(), page.question())
        })
    })
}

/// Returns the words of the command that draws a step's picture, and the name of its file.
fn picture(page: &Page) -> (Vec<OsString>, String) {
    let mut words = page.command();
    let file = words.pop().unwrap_or_default();
    // The flag before it.
    words.pop();
    (words.into_iter().map(OsString::from).collect(), file)
}

/// Writes the page, and returns its pictures.
fn write(folder: &Path, inputs: &Closed) -> Result<Vec<Shown>, Failure> {
    let made = Folder::make(folder).map_err(|cause| Failure::output(folder, cause))?;
    let out = inputs.beneath(&made, "index.html")?;
    let path = out.path().to_owned();
    let html = html::page(&steps::ALL.each_ref().map(|step| step.text));
    output::write(&out, |out| out.write_all(html.as_bytes()))
        .map_err(|cause| Failure::output(&path, cause))?;
    say(&format!("wrote {}", path.display()));
    let shown = |step: &steps::Step| {
        let (mut words, file) = picture(&Page::new(step.text));
        words.extend(["--screenshot".into(), folder.join(file).into_os_string()]);
        Shown { words, text: Vec::new() }
    };
    Ok(steps::ALL.iter().map(shown).collect())
}
