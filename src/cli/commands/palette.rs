//! `sinew palette`: prints the palettes of a pose, joint by joint.

use crate::analysis::palette::{Palettes, palette, text};
use crate::output::Inputs;
use crate::skinning::pose::Pose;
use crate::writing::write_json_pretty;
use serde::Serialize;

use crate::cli::args::PaletteArgs;
use crate::cli::subject::open;
use crate::cli::subject::pose;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    #[serde(flatten)]
    palettes: Palettes<'a>,
}

/// Prints every joint of every skin.
pub fn run(args: &PaletteArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let model = open::model(&args.model, &args.load, &mut inputs)?;
    let choice = pose::pose(&args.posed, &args.model, &model, &mut inputs)?;
    if model.skins.is_empty() {
        return Err(Failure::Input {
            file: given,
            cause: "it has no skin, so there is no palette".to_owned(),
        });
    }
    let mut posed = Pose::default();
    posed.set(&model, &choice);
    let palettes = palette(&model, &posed, args.mode.of(&model));
    print(|out| match args.json {
        true => write_json_pretty(out, &Document { model: &given, palettes }),
        false => text::lines(&palettes).try_for_each(|line| writeln!(out, "{}", plain(&line))),
    })
}
