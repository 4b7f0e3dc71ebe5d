//! Adds suggestions for new users to clap's messages.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// Other programs' words for modes, with sinew's.
const MODES: [(&str, &str); 11] = [
    ("mush", MUSH),
    ("linear", "linear blend skinning is 'lbs'"),
    ("matri", "blending matrices is 'lbs'"),
    ("smooth", "linear blend skinning is 'lbs'"),
    ("dual", "dual quaternion skinning is 'dqs'"),
    ("quat", "dual quaternion skinning is 'dqs'"),
    ("dlb", "dual quaternion skinning is 'dqs'"),
    ("weight", "between lbs and dqs is 'blend', with --blend SHARE"),
    ("cent", "optimized centres of rotation are 'cor'"),
    ("hard", "each vertex with its heaviest joint is 'rigid'"),
    ("none", "the mesh without skinning is --pose bind"),
];

/// The places that have delta mush.
const MUSH: &str = "delta mush is computed on the CPU, for --against of compare and sweep, and for pictures with --mode mush; \
                    'ddm' comes close to it in real time";

/// Adds advice to an error of the command line `cli`.
pub fn add(error: &mut Error, cli: &Command) {
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => argument.clone(),
        _ => return,
    };
    let advice = match error.kind() {
        ErrorKind::UnknownArgument => {
            let elsewhere = elsewhere(&argument, cli);
            // A flag that another command has is meant, and not one that looks like it.
            if elsewhere.is_some() {
                error.remove(ContextKind::SuggestedArg);
            }
            if error.get(ContextKind::SuggestedArg).is_none() {
                // Instead of how to have a file called like a flag.
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(Vec::new()));
            }
            elsewhere
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if argument.contains("MODE") => {
            let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else { return };
            let word = value.to_lowercase();
            MODES.iter().find(|(known, _)| word.contains(known)).map(|(_, advice)| (*advice).to_owned())
        }
        _ => None,
    };
    if let Some(advice) = advice {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
}

/// The commands that have a flag which this one has not.
fn elsewhere(argument: &str, cli: &Command) -> Option<String> {
    let flag = argument.strip_prefix("--")?.split('=').next()?;
    let has = |command: &Command| command.get_arguments().any(|known| known.get_long() == Some(flag));
    let commands = cli.get_subcommands().filter(|command| has(command));
    let names: Vec<String> = commands.map(|command| format!("'sinew {}'", command.get_name())).collect();
    match (names.as_slice(), has(cli)) {
        ([], false) => None,
        ([], true) => Some(format!("--{flag} is a flag of pictures and the window")),
        (names, false) => Some(format!("--{flag} is a flag of {}", names.join(", "))),
        (names, true) => Some(format!("--{flag} is a flag of {}, pictures and the window", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::args::{Cli, one_line};
    use std::ffi::OsString;

    #[test]
    fn what_was_meant_is_named() {
        for (words, says) in [
            (&["--mode", "linear"][..], "linear blend skinning is 'lbs'"),
            (&["--mode", "dual-quaternion"], "dual quaternion skinning is 'dqs'"),
            (&["--mode", "dqz"], "a similar value exists: 'dqs'"),
            (&["compare", "--modes", "lbs,dual"], "dual quaternion skinning is 'dqs'"),
            (&["--fail-above", "1mm"], "--fail-above is a flag of 'sinew compare'"),
            (
                &["verify", "--screenshot", "a.png"],
                "--screenshot is a flag of 'sinew fit', 'sinew lesson', pictures and the window",
            ),
            (&["--colour", "red"], "unexpected argument '--colour' found; see 'sinew --help'"),
            (&["palette", "--colour"], "unexpected argument '--colour' found; see 'sinew palette --help'"),
        ] {
            let words = ["sinew"].iter().chain(words).map(OsString::from);
            let error = one_line(&Cli::read(words).unwrap_err().to_string());
            assert!(error.contains(says), "{error}");
        }
    }
}
