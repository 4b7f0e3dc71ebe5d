//! `sinew serve`: reads commands from standard input, one JSON object per line, and answers each in one line. The model and
//! the renderer stay loaded, so that a picture costs its drawing alone.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Arc;

use crate::model::Model;
use crate::output::{self, Inputs, Role, Session, StandardOutput};
use crate::render::{GpuModel, Renderer};
use crate::writing::json_text;
use clap::{ArgAction, CommandFactory};
use serde_json::{Map, Value, json};

use crate::cli::args::flags;
use crate::cli::args::{Cli, PictureArgs, ServeArgs, one_line};
use crate::cli::commands::picture;
use crate::cli::machine::vulkan;
use crate::cli::subject::open::{self, Digests};
use crate::cli::subject::stdin;
use crate::cli::terminal::failure::Failure;

/// The longest line that is read.
const MAX_BYTES: u64 = 16 << 20;

/// Commands that run as on the command line, with the flag or argument that a plain string sets.
const COMMANDS: [(&str, Option<&str>); 7] = [
    ("bake", Some("output")),
    ("compare", None),
    ("explain", Some("vertex")),
    ("export", Some("output")),
    ("inspect", None),
    ("palette", None),
    ("verify", None),
];

/// Flags of pictures that are not for `set`, besides the window's: they choose the device or an output.
const NOT_SET: [&str; 6] = ["screenshot", "no-config", "device", "validate", "help", "version"];

/// Answers commands until there are no more.
pub fn run(args: &ServeArgs, mut inputs: Inputs) -> Result<(), Failure> {
    stdin::close("standard input has the commands");
    inputs.add(Path::new(stdin::FILE), Role::Commands)?;
    #[allow(clippy::disallowed_methods, reason = "each line is a command that reads and then writes")]
    let session = inputs.stay_open();
    vulkan::with_renderer(&args.vulkan, |renderer| {
        let mut server =
            Server { renderer, model: None, flags: BTreeMap::new(), shown: None, session, figures: None };
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut input).take(MAX_BYTES + 1).read_until(b'\n', &mut line);
            let unread = |error: io::Error| Failure::Input { file: "-".to_owned(), cause: error.to_string() };
            if read.map_err(unread)? == 0 {
                break;
            }
            if line.len() as u64 > MAX_BYTES {
                let cause = format!("a line of more than {} MiB", MAX_BYTES >> 20);
                return Err(Failure::Input { file: "-".to_owned(), cause });
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let answer = match server.answer(&line) {
                Ok(answer) => json!({ "ok": answer }),
                Err(failure) => {
                    let mut answer = json!({ "error": failure.to_string(), "exit": failure.exit_code() });
                    if let Some(figures) = server.figures.take() {
                        answer["figures"] = figures;
                    }
                    answer
                }
            };
            let mut out = StandardOutput;
            let line = json_text(&answer).map_err(io::Error::from);
            match line.and_then(|line| writeln!(out, "{line}")).and_then(|()| out.flush()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
                Err(error) => return Err(Failure::output(Path::new("-"), error)),
                Ok(()) => {}
            }
        }
        // The GPU may still read what is about to be freed.
        server.renderer.device().wait_idle().map_err(Failure::from)
    })
}

struct Server<'a> {
    renderer: &'a mut Renderer,
    /// The model's name, once one was loaded.
    model: Option<String>,
    /// The values set so far, by the flags' names.
    flags: BTreeMap<String, Value>,
    shown: Option<Shown>,
    /// All files that any line has read.
    session: Session,
    /// The figures of a check that has just failed.
    figures: Option<Value>,
}

/// A model on the GPU.
struct Shown {
    model: Arc<Model>,
    gpu: GpuModel,
    digests: Digests,
    /// The flags that it was read with. Other flags need another read.
    load: String,
}

impl Server<'_> {
    fn answer(&mut self, line: &[u8]) -> Result<Value, Failure> {
        let (name, value) = asked(line)?;
        match (name.as_str(), value) {
            ("load", Value::String(model)) => self.load(model),
            ("set", Value::Object(flags)) => self.set(flags),
            ("screenshot", Value::String(out)) => self.screenshot(&out),
            ("load" | "screenshot", _) => Err(Failure::Usage(format!("'{name}' takes the name of a file"))),
            ("set", _) => Err(Failure::Usage("'set' takes an object with flags as its keys".to_owned())),
            (_, value) => self.command(&name, value),
        }
    }

    /// Shows another model, with nothing set.
    fn load(&mut self, model: String) -> Result<Value, Failure> {
        let flags = std::mem::take(&mut self.flags);
        let before = self.model.replace(model);
        let loaded = self.picture(None).and_then(|args| self.read(&args));
        if let Err(failure) = loaded {
            (self.flags, self.model) = (flags, before);
            return Err(failure);
        }
        let model = self.shown.as_ref().map(|shown| Arc::clone(&shown.model)).unwrap_or_default();
        let clip = |clip: &crate::model::Clip| json!({ "name": clip.name, "seconds": clip.duration_secs });
        Ok(json!({
            "model": self.model,
            "vertices": crate::skinning::posed::count_vertices(&model),
            "joints": model.skins.iter().map(|skin| skin.joints.len()).sum::<usize>(),
            "clips": model.clips.iter().map(clip).collect::<Vec<_>>(),
            "warnings": model.warnings.iter().map(|warning| &warning.message).collect::<Vec<_>>(),
        }))
    }

    /// Sets flags; null takes one back. If any is wrong, none is set.
    fn set(&mut self, flags: Map<String, Value>) -> Result<Value, Failure> {
        let changed = changed(&self.flags, flags)?;
        let before = std::mem::replace(&mut self.flags, changed);
        match self.picture(None).and_then(|args| self.scene(&args)) {
            Ok(command) => Ok(json!({ "command": command })),
            Err(failure) => {
                self.flags = before;
                Err(failure)
            }
        }
    }

    /// Draws a picture, or a sequence of them, with the flags that were set.
    fn screenshot(&mut self, out: &str) -> Result<Value, Failure> {
        not_standard_output(out)?;
        let args = self.picture(Some(out))?;
        let output = picture::where_to(&args.output, Path::new(out))?;
        self.read(&args)?;
        let Some(shown) = &mut self.shown else { return Err(no_model()) };
        let read = (Arc::clone(&shown.model), shown.digests.clone(), self.session.inputs());
        let ready = picture::prepared(&args, read, &output)?;
        self.renderer.upload_other(&mut shown.gpu, ready.other.as_ref().map(|other| &other.model))?;
        let command = ready.scene.to_string();
        ready.draw_with(self.renderer, &mut shown.gpu, &output)?;
        Ok(json!({ "wrote": out, "command": command }))
    }

    /// Runs a command with the values of its flags that were set. Answers with its JSON, or with the file that it wrote.
    fn command(&mut self, name: &str, value: Value) -> Result<Value, Failure> {
        let (cli, out) = command_of(self.model.as_deref(), &self.flags, name, value)?;
        let (done, printed) = output::taken(|| crate::cli::perform(cli, self.session.inputs()));
        let printed_json = serde_json::from_slice(&printed);
        if let Err(failure) = done {
            // A check that fails has figures all the same.
            self.figures = printed_json.ok();
            return Err(failure);
        }
        match printed_json {
            Ok(value) => Ok(value),
            Err(_) if printed.is_empty() => Ok(json!({ "wrote": out })),
            Err(_) => Ok(json!({ "wrote": out, "text": String::from_utf8_lossy(&printed) })),
        }
    }

    /// The flags of a picture.
    fn picture(&self, out: Option<&str>) -> Result<PictureArgs, Failure> {
        picture_of(self.model.as_deref(), &self.flags, out)
    }

    /// Reads the model, unless it was already read with these flags.
    fn read(&mut self, args: &PictureArgs) -> Result<(), Failure> {
        let load = format!("{:?} {:?}", args.subject.model, args.subject.load);
        if self.shown.as_ref().is_some_and(|shown| shown.load == load) {
            return Ok(());
        }
        let read =
            open::model_and_digests(&args.subject.model, &args.subject.load, &mut self.session.inputs())?;
        let model = Arc::new(read.model);
        let gpu = self.renderer.upload(Arc::clone(&model)).map_err(Failure::from)?;
        self.renderer.device().wait_idle()?;
        self.shown = Some(Shown { model, gpu, digests: read.digests, load });
        Ok(())
    }

    /// The command line of the picture that would be drawn.
    fn scene(&mut self, args: &PictureArgs) -> Result<String, Failure> {
        self.read(args)?;
        let Some(shown) = &self.shown else { return Err(no_model()) };
        Ok(picture::scene(args, &shown.model, &mut self.session.inputs())?.to_string())
    }
}

/// The command of a line, and its argument.
pub(crate) fn asked(line: &[u8]) -> Result<(String, Value), Failure> {
    let command: Map<String, Value> = serde_json::from_slice(line)
        .map_err(|error| Failure::Usage(format!("not a JSON object: {error}")))?;
    let mut entries = command.into_iter();
    match (entries.next(), entries.next()) {
        (Some(command), None) => Ok(command),
        _ => Err(Failure::Usage(format!("expected one command per line, found {}", names()))),
    }
}

/// Flags with others set, or taken back by null.
pub(crate) fn changed(
    before: &BTreeMap<String, Value>,
    flags: Map<String, Value>,
) -> Result<BTreeMap<String, Value>, Failure> {
    let mut changed = before.clone();
    for (key, value) in flags {
        if NOT_SET.contains(&key.as_str()) || flags::is_of_window(&key) {
            return Err(Failure::Usage(format!("'{key}' cannot be set here")));
        }
        match value {
            Value::Null | Value::Bool(false) => changed.remove(&key),
            value => changed.insert(key, value),
        };
    }
    Ok(changed)
}

/// The flags of a picture.
pub(crate) fn picture_of(
    model: Option<&str>,
    flags: &BTreeMap<String, Value>,
    out: Option<&str>,
) -> Result<PictureArgs, Failure> {
    let model = model.ok_or_else(no_model)?;
    let start = std::iter::once(OsString::from("sinew")).chain(words(&Cli::command(), flags)?);
    let out = out.map(|out| OsString::from(format!("--screenshot={out}")));
    Ok(parse(start.chain(out).chain([OsString::from("--"), model.into()]))?.picture)
}

/// A command with those of the flags that it has, and the file that it writes.
pub(crate) fn command_of(
    model: Option<&str>,
    set: &BTreeMap<String, Value>,
    name: &str,
    value: Value,
) -> Result<(Cli, Option<String>), Failure> {
    let (_, for_text) = COMMANDS
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| Failure::Usage(format!("unknown command '{name}'; there are {}", names())))?;
    let model = model.ok_or_else(no_model)?;
    let cli = Cli::command();
    let subcommand = cli.find_subcommand(name).unwrap_or(&cli);
    let known: Vec<&clap::Arg> = subcommand.get_arguments().collect();
    let has = |key: &str| known.iter().any(|flag| flag.get_long() == Some(key));
    let own = set.iter().filter(|(key, _)| has(key));
    let mut flags: BTreeMap<String, Value> = own.map(|(key, value)| (key.clone(), value.clone())).collect();
    // Where nothing is drawn, a size would be refused.
    if !matches!(&value, Value::Object(own) if own.contains_key("output")) {
        flags.remove("size");
    }
    match (value, for_text) {
        (Value::Null | Value::Bool(true), _) => {}
        (Value::Object(own), _) => {
            for (key, value) in own {
                match value {
                    // What was set does not count this time.
                    Value::Null | Value::Bool(false) if has(&key) => flags.remove(&key),
                    value => flags.insert(key, value),
                };
            }
        }
        (Value::String(text), Some(flag)) => drop(flags.insert((*flag).to_owned(), Value::String(text))),
        _ => return Err(Failure::Usage(format!("'{name}' takes true, or an object with its flags"))),
    }
    let out = flags.get("output").and_then(Value::as_str).map(str::to_owned);
    if let Some(out) = &out {
        not_standard_output(out)?;
    }
    // What it would print is its answer.
    if out.is_none() && has("json") && !flags.contains_key("json") {
        let is_switch = known
            .iter()
            .any(|flag| flag.get_long() == Some("json") && matches!(flag.get_action(), ArgAction::SetTrue));
        flags.insert("json".to_owned(), if is_switch { Value::Bool(true) } else { "-".into() });
    }
    let start = ["sinew", name].map(OsString::from).into_iter();
    let words = start.chain(words(subcommand, &flags)?).chain([OsString::from("--"), model.into()]);
    Ok((parse(words)?, out))
}

fn names() -> String {
    let all = ["load", "set", "screenshot"].into_iter().chain(COMMANDS.map(|(name, _)| name));
    all.collect::<Vec<_>>().join(", ")
}

fn no_model() -> Failure {
    Failure::Usage("no model is loaded; send {\"load\": \"fox.glb\"} first".to_owned())
}

fn not_standard_output(out: &str) -> Result<(), Failure> {
    match out == "-" || output::is_standard_output(Path::new(out)) {
        true => Err(Failure::Usage("answers go to standard output; name a file".to_owned())),
        false => Ok(()),
    }
}

/// Flags as words of the command line of a command.
fn words(command: &clap::Command, flags: &BTreeMap<String, Value>) -> Result<Vec<OsString>, Failure> {
    let words = flags.iter().map(|(key, value)| flags::words(command, key, value));
    let words = words.collect::<Result<Vec<_>, String>>().map_err(Failure::Usage)?;
    Ok(words.into_iter().flatten().collect())
}

fn parse(words: impl Iterator<Item = OsString>) -> Result<Cli, Failure> {
    Cli::read(words).map_err(|error| Failure::Usage(one_line(&error.to_string())))
}

#[cfg(all(test, feature = "window"))]
mod tests {
    use super::*;

    #[test]
    fn no_flag_of_the_window_is_set() {
        let set = |key: &str| changed(&BTreeMap::new(), Map::from_iter([(key.to_owned(), json!(true))]));
        for flag in crate::cli::args::flags::of_window() {
            let failure = set(&flag).unwrap_err();
            assert_eq!(failure.to_string(), format!("'{flag}' cannot be set here"));
        }
        assert!(set("shadows").is_ok());
    }
}
