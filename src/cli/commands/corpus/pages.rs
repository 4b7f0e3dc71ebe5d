//! Pages of assets: for each group of findings the worst and a typical one, in three dimensions. A process writes each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use rayon::prelude::*;

use crate::analysis::corpus::{Group, Kind};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;
use crate::cli::terminal::progress::bar;
use crate::model::gltf::sha256;
use crate::output::Folder;

use super::ledger::{Ledger, Line};
use super::worker::{self, End, Ended, Limits};

/// The folder of pages.
const FOLDER: &str = "pages";

/// The flags of pages of one model: fewer frames than a report has.
const ONE: [&str; 2] = ["--frames", "24"];

/// The exit codes of a machine without Vulkan, and of a device that fails.
const NO_PICTURES: [i32; 2] = [3, 4];

/// Writes the pages that do not exist yet, at most `count`, and returns those that exist, by asset. A page without pictures is
/// written again as soon as there is Vulkan.
///
/// # Errors
/// If the folder cannot be written, or no process can be started.
pub fn write(
    lines: &BTreeMap<String, Line>,
    groups: &[Group],
    count: usize,
    ledger: &Ledger,
    limits: &Limits,
) -> Result<BTreeMap<String, String>, Failure> {
    let worst = groups.iter().map(|group| &group.worst);
    let all =
        worst.chain(groups.iter().map(|group| &group.typical)).filter_map(|(asset, _)| lines.get(asset));
    let mut seen = BTreeSet::new();
    let chosen = all.filter(|line| has_page(line) && seen.insert(&line.asset)).take(count);
    let chosen: Vec<&Line> = chosen.collect();
    if chosen.is_empty() {
        return Ok(BTreeMap::new());
    }
    let pages = Pages { inside: ledger.inside(FOLDER)?, level: &ledger.header.level, limits };
    let is_done = chosen.iter().all(|line| pages.has(&name(line, true)));
    let has_vulkan = !is_done && pages.has_vulkan()?;
    let bar = bar(chosen.len() as u64, "pages");
    let one = |line: &&Line| -> Result<Option<(String, String)>, Failure> {
        let page = pages.page(line, has_vulkan)?;
        bar.inc(1);
        Ok(page.map(|name| (line.asset.clone(), format!("{FOLDER}/{name}"))))
    };
    let mut made = Vec::new();
    for few in chosen.chunks(limits.jobs.max(1)) {
        made.extend(few.par_iter().with_max_len(1).map(one).collect::<Result<Vec<_>, Failure>>()?);
    }
    bar.finish_and_clear();
    Ok(made.into_iter().flatten().collect())
}

/// Returns true if the files of an asset can be shown.
fn has_page(line: &Line) -> bool {
    let without = [Kind::Gone, Kind::Unreadable, Kind::Crash, Kind::Time, Kind::Memory];
    !line.files.is_empty() && !line.result.findings.iter().any(|finding| without.contains(&finding.kind))
}

/// Returns the name of a page. It changes with the files and the run, so a page that exists is current.
fn name(line: &Line, has_pictures: bool) -> String {
    let digest = sha256(format!("{} {} {:?}", line.asset, line.run, line.inputs).as_bytes());
    let file = line.asset.rsplit('/').next().unwrap_or(&line.asset);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '-' };
    let stem: String = stem.chars().take(60).map(plain).collect();
    let end = if has_pictures { "" } else { "-without-pictures" };
    format!("{stem}-{}{end}.html", digest.chars().take(12).collect::<String>())
}

/// The folder of pages, and how they are made.
struct Pages<'a> {
    inside: Folder,
    level: &'a str,
    limits: &'a Limits,
}

impl Pages<'_> {
    fn has(&self, name: &str) -> bool {
        self.inside.kind(name).is_ok_and(|kind| kind.is_some())
    }

    /// Returns true if a process can open Vulkan.
    fn has_vulkan(&self) -> Result<bool, Failure> {
        let Ended { end, .. } = worker::process(worker::sinew(&["devices", "--no-config"])?, self.limits)?;
        Ok(matches!(end, End::Exit(status) if status.success()))
    }

    /// Returns the name of an asset's page, which it writes unless it exists; `None` if that fails.
    fn page(&self, line: &Line, has_vulkan: bool) -> Result<Option<String>, Failure> {
        let [full, plain] = [true, false].map(|has_pictures| name(line, has_pictures));
        if self.has(&full) {
            return Ok(Some(full));
        }
        if !line.has_its_files() {
            // As after a merge on another machine.
            say(&format!("warning: no page of {}: its files are not here as they were", line.asset));
            return Ok(None);
        }
        if has_vulkan {
            let Ended { end, errors, .. } = self.make(line, &full, true)?;
            if !matches!(&end, End::Exit(status) if status.code().is_some_and(|code| NO_PICTURES.contains(&code)))
            {
                let is_written = self.is_written(line, &end, &errors);
                if is_written {
                    // If it cannot be removed, no page links to it.
                    let _ = self.inside.remove(&plain);
                }
                return Ok(is_written.then_some(full));
            }
        }
        if self.has(&plain) {
            return Ok(Some(plain));
        }
        let Ended { end, errors, .. } = self.make(line, &plain, false)?;
        Ok(self.is_written(line, &end, &errors).then_some(plain))
    }

    fn make(&self, line: &Line, name: &str, has_pictures: bool) -> Result<Ended, Failure> {
        let mut command = worker::sinew(&["view-page", "--no-config", "--level", self.level])?;
        // A path may begin with a hyphen.
        let mut output = OsString::from("--output=");
        output.push(self.inside.join(name));
        command.arg(output);
        if !has_pictures {
            command.arg("--no-pictures");
        }
        if line.files.len() == 1 {
            command.args(ONE);
        }
        command.arg("--").args(&line.files);
        worker::process(command, self.limits)
    }

    /// Returns true if a process has written its page; otherwise, says why not.
    fn is_written(&self, line: &Line, end: &End, errors: &[u8]) -> bool {
        if matches!(end, End::Exit(status) if status.success()) {
            return true;
        }
        let (_, _, words) = worker::reason(end, errors, self.limits);
        say(&format!("warning: no page of {}: {words}", line.asset));
        false
    }
}
