//! Flags of `sinew weights`. Edits keep their order on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::compare::{json_file, named_json};
use super::subject::{AskedMode, LoadArgs, asked_mode};
use crate::skinning::reweight::{Edit, Where};

/// The heading of edits in the help.
const HEADING: &str = "Edits, performed in their order";

/// `sinew weights`
#[derive(Debug, Args)]
pub struct WeightsArgs {
    /// The model whose weights to edit
    #[arg(value_name = "MODEL")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    #[command(flatten)]
    pub edits: EditArgs,

    /// Leave this joint's weights as they are, to the bit; can be repeated
    #[arg(long, value_name = "JOINT", help_heading = HEADING)]
    pub lock: Vec<String>,

    /// Edit only these vertices: part:JOINT, joint:JOINT, sphere:X,Y,Z,RADIUS, box:X,Y,Z,X,Y,Z, mesh:NAME, vertex:NAME or
    /// at:X,Y,Z;X,Y,Z
    ///
    /// A part has the vertices whose heaviest joint it is. Numbers are in bind space, where 'sinew export --pose bind'
    /// writes vertices. Of several conditions, all must hold before the first edit.
    #[arg(long = "where", value_name = "WHERE", help_heading = HEADING)]
    pub conditions: Vec<Where>,

    /// First repeat the edits of a recipe, such as that of the character's last export
    #[arg(long, value_name = "FILE.json", help_heading = HEADING)]
    pub recipe: Option<PathBuf>,

    /// Write all edits of this command line, after those of --recipe, as a recipe
    #[arg(long, value_name = "FILE.json", value_parser = named_json, help_heading = HEADING)]
    pub write_recipe: Option<PathBuf>,

    /// File to write: .glb, or .usda, .usdc or .usdz
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,

    #[arg(long, short, value_name = "MODE", default_value = "authored", hide_possible_values = true,
        value_parser = asked_mode(), help = "Skinning mode for measuring the edited model against the original")]
    pub mode: AskedMode,

    /// Print the changes as JSON instead of the tables, or write them to a .json file
    #[arg(long, value_name = "FILE.json", num_args = 0..=1, default_missing_value = "-", value_parser = json_file)]
    pub json: Option<PathBuf>,
}

/// An edit, or one that needs more than the weights themselves.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// An edit.
    Edit(Edit),
    /// The weights of another model.
    Copy(OsString),
    /// The repair of what `sinew inspect --weights` finds.
    Fix,
}

/// Edits in their order on the command line.
#[derive(Clone, Debug, Default)]
pub struct EditArgs {
    pub steps: Vec<Step>,
}

/// The flags of edits with their help: name, value and sentence.
const EDITS: [(&str, &str, &str); 7] = [
    (
        "replace",
        "OLD=NEW",
        "Give all weight of one joint to another. Joints are names, or numbers such as #12",
    ),
    ("swap", "A,B", "Let two joints change places"),
    (
        "add",
        "JOINT=W",
        "Add to a joint's weight, such as elbow=+0.1 or elbow=-0.1; other joints share the rest. Without --where, it \
         holds for the vertices that the joint moves",
    ),
    (
        "set",
        "JOINT=W",
        "Set a joint's weight. Without --where, it holds for the vertices that the joint moves",
    ),
    (
        "smooth",
        "JOINT@N",
        "Smooth a joint's weights over the surface N times, such as elbow@4; each time, every weight moves halfway to the \
         mean of its neighbours'",
    ),
    ("prune", "W", "Drop weights below W, such as 0.01; a vertex keeps its heaviest joint"),
    ("max-influences", "N", "Keep the N heaviest joints of each vertex, and those that are locked"),
];

const COPY: &str = "Take the weights of another model at the same places, with joints matched by name";

const FIX: &str = "Repair what 'sinew inspect --weights' finds: leaks, weights far from home, islands, outliers, torn seams \
                   and tiny weights";

impl Args for EditArgs {
    fn augment_args(command: Command) -> Command {
        let edit = |(name, value, help): (&'static str, &'static str, &'static str)| {
            let read = move |text: &str| match Edit::read(name, text) {
                Some(Ok(edit)) => Ok(edit),
                Some(Err(error)) => Err(error.to_string()),
                None => Err("no such edit".to_owned()),
            };
            let parser = ValueParser::new(read);
            flag(name, help)
                .value_name(value)
                .value_parser(parser)
                .action(ArgAction::Append)
                .allow_hyphen_values(true)
        };
        let copy = flag("copy", COPY)
            .value_name("OLD")
            .value_parser(clap::value_parser!(OsString))
            .action(ArgAction::Append);
        let fix = flag("fix", FIX).action(ArgAction::SetTrue);
        command.args(EDITS.map(edit)).args([copy, fix])
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).help_heading(HEADING)
}

impl FromArgMatches for EditArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found: Vec<(usize, Step)> = Vec::new();
        for (name, ..) in EDITS {
            let places = matches.indices_of(name).into_iter().flatten();
            let edits = matches.get_many::<Edit>(name).into_iter().flatten();
            found.extend(places.zip(edits.cloned().map(Step::Edit)));
        }
        let places = matches.indices_of("copy").into_iter().flatten();
        let models = matches.get_many::<OsString>("copy").into_iter().flatten();
        found.extend(places.zip(models.cloned().map(Step::Copy)));
        if matches.get_flag("fix") {
            found.extend(matches.index_of("fix").map(|place| (place, Step::Fix)));
        }
        found.sort_by_key(|(place, _)| *place);
        Ok(Self { steps: found.into_iter().map(|(_, step)| step).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_edit_has_a_flag() {
        let kinds: Vec<&str> = Edit::KINDS.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(EDITS.map(|(name, ..)| name).to_vec(), kinds);
    }

    #[test]
    fn edits_keep_their_order() {
        let words = [
            "weights",
            "--add",
            "elbow=-0.1",
            "--fix",
            "--smooth",
            "a@2",
            "--copy",
            "b.glb",
            "--add",
            "c=+1",
        ];
        let command = EditArgs::augment_args(Command::new("weights"));
        let matches = command.try_get_matches_from(words).unwrap();
        let steps = EditArgs::from_arg_matches(&matches).unwrap().steps;
        let edit = |kind: &str, text: &str| Step::Edit(Edit::read(kind, text).unwrap().unwrap());
        let expected = [
            edit("add", "elbow=-0.1"),
            Step::Fix,
            edit("smooth", "a@2"),
            Step::Copy("b.glb".into()),
            edit("add", "c=1"),
        ];
        assert_eq!(steps, expected);
    }
}
