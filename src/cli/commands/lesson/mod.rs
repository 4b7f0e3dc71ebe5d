//! `sinew lesson`: lists the steps of the lesson, opens one in the window beside its text, and checks answers.

mod html;
mod page;
mod steps;

use std::ffi::OsString;
use std::path::Path;

use crate::cli::args::{LessonArgs, PictureArgs};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};
use crate::model::unknown::quoted;
use crate::output::{self, Closed, Folder, Inputs};
use page::Page;

/// Flags of a step's window.
const WINDOW: &[&str] = if cfg!(feature = "window") { &["--paused"] } else { &[] };

/// Size of a step's window, of which the text takes a part.
const SIZE: [u32; 2] = [1240, 800];

/// Words below the text in the window.
const HANDS: &str = "Drag in the picture to turn the figure, and turn the wheel to zoom. Space plays the clip, and ? lists all keys.";

/// The picture of a step.
pub struct Shown {
    /// The words of its command line.
    pub words: Vec<OsString>,
    /// The paragraphs beside it in the window.
    pub text: Vec<String>,
    /// Size of the window; `None` for a picture in a file.
    pub window: Option<[u32; 2]>,
}

impl Shown {
    /// Adds the text and the window's size to the arguments that were read from the words.
    pub fn lay_out(self, picture: &mut PictureArgs) {
        picture.text = self.text;
        if let Some(size) = self.window {
            picture.composed = Some(picture.size);
            picture.change_all(|picture| picture.size = size);
        }
    }
}

/// Prints the list, a step, or the verdict on an answer, or writes the page. Returns the pictures to show or to draw.
pub fn run(args: &LessonArgs, inputs: Inputs) -> Result<Vec<Shown>, Failure> {
    if let Some(folder) = &args.write {
        return write(folder, &inputs.close());
    }
    let Some(number) = &args.step else {
        list()?;
        return Ok(Vec::new());
    };
    let place = number.parse().ok().and_then(|number: usize| number.checked_sub(1));
    let step = place.and_then(|place| steps::ALL.get(place)).ok_or_else(|| {
        let count = steps::ALL.len();
        Failure::Usage(format!(
            "there is no step {}: steps are 1 to {count}; 'sinew lesson' lists them",
            quoted(number)
        ))
    })?;
    let page = Page::new(step.text);
    if let Some(answer) = &args.answer {
        if !step.accepts(answer) {
            return Err(Failure::Check(format!(
                "'{answer}' is not right yet: step {number}, '{}', asks for {}",
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
    if let Some(file) = &args.screenshot {
        words.extend(["--screenshot".into(), file.into()]);
        return Ok(vec![Shown { words, text, window: None }]);
    }
    print(|out| text.iter().try_for_each(|paragraph| writeln!(out, "{paragraph}\n")))?;
    words.extend(WINDOW.iter().map(OsString::from));
    text.push(HANDS.to_owned());
    Ok(vec![Shown { words, text, window: Some(SIZE) }])
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
        Shown { words, text: Vec::new(), window: None }
    };
    Ok(steps::ALL.iter().map(shown).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Cli;

    /// Each window's command line is one that the program reads.
    #[test]
    fn every_step_opens() {
        #[allow(clippy::disallowed_methods, reason = "the lesson reads no file")]
        let inputs = Inputs::none;
        for step in 1..=12 {
            let args =
                LessonArgs { step: Some(step.to_string()), answer: None, screenshot: None, write: None };
            for shown in run(&args, inputs()).unwrap() {
                let mut picture = Cli::read(shown.words.clone()).unwrap().picture;
                let composed = picture.size;
                shown.lay_out(&mut picture);
                assert!(picture.text.len() > 3 && picture.composed == Some(composed));
                assert!(picture.panes.iter().all(|pane| pane.picture.size == SIZE), "{step}");
            }
        }
    }
}
