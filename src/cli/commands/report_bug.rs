//! `sinew report-bug`: the facts for finding a fault, as one text: version, system, devices, limits, the contents of a
//! model, and what goes wrong. It includes the model itself only on request.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use base64::prelude::{BASE64_STANDARD, Engine};

use crate::model::gltf::SourceError;
use crate::model::{LoadError, Model};
use crate::output::{self, Inputs, Role, Session};
use crate::scene::Scene;
use crate::skinning::pose::PoseChoice;
use crate::threads;

use crate::cli::args::{CheckArgs, DevicesArgs, InspectArgs, ReportBugArgs};
use crate::cli::commands::devices;
use crate::cli::commands::inspect;
use crate::cli::machine::vulkan;
use crate::cli::subject::file;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;

/// The largest model that is put into a text.
const MAX_MODEL: usize = 32 << 20;

/// Variables that change what drivers and the program do. The report omits all others.
const VARIABLES: [&str; 8] =
    ["VK_", "LP_", "MESA_", "GALLIUM_", "SINEW_", "RAYON_", "WAYLAND_DISPLAY", "DISPLAY"];

/// Prints the text, or writes it to a file.
pub fn run(args: &ReportBugArgs, inputs: Inputs) -> Result<(), Failure> {
    #[allow(clippy::disallowed_methods, reason = "it carries out another command, and reads on")]
    let session = inputs.stay_open();
    let mut text = format!("# sinew {}\n\n", env!("CARGO_PKG_VERSION"));
    // Writing to a `String` cannot fail.
    let _ = write!(
        text,
        "Describe what you did, what you expected and what happened.\n\n## System\n\n```\n{}```\n",
        system()
    );
    let devices = DevicesArgs { json: true, measure: false, validate: args.vulkan.validate.clone() };
    section(&mut text, "Devices", &said(|| devices::run(&devices)));
    if let Some(model) = &args.model {
        add_model(&mut text, args, model, &session);
    }
    let text = without_home(&text, std::env::home_dir().as_deref());
    match &args.output {
        None => print(|out| out.write_all(text.as_bytes())),
        Some(path) => {
            let out = session.closed().output(path)?;
            output::write(&out, |out| out.write_all(text.as_bytes()))
                .map_err(|error| Failure::output(path, error))
        }
    }
}

fn section(text: &mut String, title: &str, content: &str) {
    let _ = write!(text, "\n## {title}\n\n```\n{}\n```\n", content.trim_end());
}

/// Returns the output of a command, and its error.
fn said(command: impl FnOnce() -> Result<(), Failure>) -> String {
    let (done, printed) = output::taken(command);
    let error = done.err().map_or_else(String::new, |failure| line(&failure));
    format!("{}{error}", String::from_utf8_lossy(&printed))
}

fn line(failure: &Failure) -> String {
    format!("error: {failure} (exit code {})", failure.exit_code())
}

fn system() -> String {
    let mut text = String::new();
    let mut add = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:<12}{value}");
    };
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let all = [
        ("fbx", cfg!(feature = "fbx")),
        ("usd", cfg!(feature = "usd")),
        ("parquet", cfg!(feature = "parquet")),
        ("window", cfg!(feature = "window")),
    ];
    let features: Vec<&str> = all.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name).collect();
    add(
        "program",
        &format!(
            "{build} build, with {}",
            if features.is_empty() { "no features".to_owned() } else { features.join(", ") }
        ),
    );
    add("system", &format!("{} {}", std::env::consts::OS, std::env::consts::ARCH));
    for (name, file, start) in [
        ("name", "/etc/os-release", "PRETTY_NAME="),
        ("kernel", "/proc/sys/kernel/osrelease", ""),
        ("processor", "/proc/cpuinfo", "model name"),
        ("memory", "/proc/meminfo", "MemTotal:"),
    ] {
        if let Some(value) = entry(Path::new(file), start) {
            add(name, &value);
        }
    }
    add("threads", &threads::in_pool().to_string());
    for limit in ["Max address space", "Max processes", "Max stack size", "Max open files", "Max file size"] {
        if let Some(value) = entry(Path::new("/proc/self/limits"), limit) {
            add("limit", &format!("{limit}: {value}"));
        }
    }
    for (name, value) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if VARIABLES.iter().any(|start| name.starts_with(start)) {
            add("variable", &format!("{name}={}", value.to_string_lossy()));
        }
    }
    text
}

/// The rest of the first line of a system's file that starts so.
fn entry(file: &Path, start: &str) -> Option<String> {
    #[allow(clippy::disallowed_methods, reason = "a system file, not an input")]
    let text = std::fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(start))?;
    let words: Vec<&str> = rest.trim_start_matches([' ', '\t', ':']).split_whitespace().collect();
    Some(words.join(" ").trim_matches('"').to_owned())
}

fn add_model(text: &mut String, args: &ReportBugArgs, given: &OsStr, session: &Session) {
    let of = InspectArgs {
        check: CheckArgs::default(),
        model: given.to_owned(),
        json: false,
        joints: false,
        weights: false,
        ddm: false,
        write_joint_map: None,
        load: args.load.clone(),
    };
    section(text, "Model", &said(|| inspect::run(&of, session.inputs())));
    if let Ok(inspection) = open::inspection(given, &args.load, &mut session.inputs()) {
        let drawn = match draw(args, Arc::new(inspection.model)) {
            Ok(()) => "drawn in 64x64 pixels without an error".to_owned(),
            Err(failure) => line(&failure),
        };
        section(text, "Picture", &drawn);
    }
    if args.include_model {
        let content = content(given, args, &mut session.inputs())
            .unwrap_or_else(|failure| format!("not included: {failure}"));
        section(text, "Model file (base64)", &content);
    }
}

/// A model's bytes as text, wherever they come from.
fn content(given: &OsStr, args: &ReportBugArgs, inputs: &mut Inputs) -> Result<String, Failure> {
    file::read(given, Role::Model, args.load.options(), inputs, |bytes, _, _| match bytes.len() {
        0..=MAX_MODEL => Ok(BASE64_STANDARD.encode(bytes)),
        _ => Err(LoadError::File(SourceError::TooLarge(MAX_MODEL as u64))),
    })
}

/// Draws a small picture, to see whether that works.
fn draw(args: &ReportBugArgs, model: Arc<Model>) -> Result<(), Failure> {
    let first = model.clips.first().map(|clip| PoseChoice::clip(0, model.period_of(clip).start));
    let pose = first.unwrap_or(PoseChoice::Rest);
    let scene = Scene { size: [64, 64], pose, ..Scene::new("report") };
    vulkan::with_renderer(&args.vulkan, |renderer| {
        let mut gpu = renderer.upload_framed(model, &scene)?;
        renderer.draw(&mut gpu, &scene)?;
        renderer.read()?;
        Ok(())
    })
}

/// A text that does not name its author.
fn without_home(text: &str, home: Option<&Path>) -> String {
    match home.and_then(Path::to_str).filter(|home| home.len() > 1) {
        Some(home) => text.replace(home, "~"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobodys_home_is_told() {
        assert_eq!(without_home("VK=/home/ann/x.json", Some(Path::new("/home/ann"))), "VK=~/x.json");
        assert_eq!(without_home("/a/b", Some(Path::new("/"))), "/a/b");
        assert_eq!(without_home("/a/b", None), "/a/b");
    }

    #[test]
    fn entries_of_the_systems_files_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "PRETTY_NAME=\"An  OS 1\"\nmodel name\t: A CPU\n").unwrap();
        assert_eq!(entry(&file, "PRETTY_NAME=").as_deref(), Some("An OS 1"));
        assert_eq!(entry(&file, "model name").as_deref(), Some("A CPU"));
        assert_eq!(entry(&file, "MemTotal:"), None);
        assert_eq!(entry(&folder.path().join("none"), ""), None);
    }
}
