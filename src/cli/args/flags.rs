//! Flags with values from a file or a message, as words of a command line.

use std::ffi::OsString;

#[cfg(feature = "window")]
use clap::Args as _;
use clap::{Arg, ArgAction, Command};
use serde_json::Value;

#[cfg(feature = "window")]
use crate::cli::args::WindowArgs;
use crate::cli::terminal::print::plain;

/// A flag as words of a command line of `command`. A list is one word with commas, or, where a flag may be given several
/// times, several words; `true` is the flag alone.
///
/// # Errors
/// If it is not a flag's name, or the value cannot follow it; the text is what was expected.
pub fn words(command: &Command, key: &str, value: &Value) -> Result<Vec<OsString>, String> {
    if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return Err(format!("'{}' is not the name of a flag", plain(key)));
    }
    let flag = find(command, key);
    let one = |value: &Value| match value {
        Value::Number(number) => Ok(number.to_string()),
        Value::String(text) => Ok(text.clone()),
        _ => Err(format!("'{key}' takes a number, a text or a list of these")),
    };
    let values = match value {
        Value::Bool(true) if flag.is_none_or(stands_alone) => return Ok(vec![format!("--{key}").into()]),
        Value::Array(values) => {
            let values = values.iter().map(one).collect::<Result<Vec<_>, _>>()?;
            let is_repeated = flag.is_some_and(|flag| matches!(flag.get_action(), ArgAction::Append));
            if is_repeated { values } else { vec![values.join(",")] }
        }
        value => vec![one(value)?],
    };
    Ok(values.into_iter().map(|value| format!("--{key}={value}").into()).collect())
}

/// The flag of a command with that name.
pub fn find<'a>(command: &'a Command, key: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|flag| flag.get_long() == Some(key))
}

/// The names of the flags that only the window has; they change no picture.
#[cfg(feature = "window")]
pub fn of_window() -> Vec<String> {
    let command = WindowArgs::augment_args(Command::new(""));
    command.get_arguments().filter_map(Arg::get_long).map(str::to_owned).collect()
}

/// There is no window.
#[cfg(not(feature = "window"))]
pub fn of_window() -> Vec<String> {
    Vec::new()
}

/// Returns true if a flag is one of the window's.
pub fn is_of_window(key: &str) -> bool {
    of_window().iter().any(|flag| flag == key)
}

/// Returns true if a flag can be given without a value.
fn stands_alone(flag: &Arg) -> bool {
    !flag.get_action().takes_values() || flag.get_num_args().is_some_and(|count| count.min_values() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_typed_as_their_flags_take_them() {
        let command = Command::new("x").args([
            Arg::new("mode").long("mode"),
            Arg::new("joint").long("joint").action(ArgAction::Append),
            Arg::new("turn").long("turn").num_args(0..=1),
            Arg::new("ortho").long("ortho").action(ArgAction::SetTrue),
        ]);
        let said = |key: &str, value: Value| {
            let words = words(&command, key, &value)?;
            Ok::<_, String>(words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" "))
        };
        for (key, value, words) in [
            ("mode", json!("dqs"), "--mode=dqs"),
            ("mode", json!(["a", 2]), "--mode=a,2"),
            ("joint", json!(["a=1", "b=2"]), "--joint=a=1 --joint=b=2"),
            ("turn", json!(true), "--turn"),
            ("turn", json!(9), "--turn=9"),
            ("ortho", json!(true), "--ortho"),
            ("unknown", json!(0.5), "--unknown=0.5"),
        ] {
            assert_eq!(said(key, value.clone()), Ok(words.to_owned()), "{key}: {value}");
        }
        for (key, value) in
            [("mode", json!(true)), ("mode", json!({})), ("mode", json!(null)), ("a b", json!(1))]
        {
            assert!(said(key, value.clone()).is_err(), "{key}: {value}");
        }
    }
    #[cfg(feature = "window")]
    #[test]
    fn flags_of_the_window_are_known() {
        for flag in ["no-status", "panel", "choose", "vsync"] {
            assert!(is_of_window(flag), "{flag}");
        }
        assert!(!is_of_window("mode") && !is_of_window("more"));
    }
}
