//! Prints a sweep as a table or as CSV.

use std::io::{self, Write};

use crate::analysis::sweep::{Measures, Range, Sweep};
use crate::cli::print::plain;
use crate::length::digits;

/// Prints a table: a block for each mode, a line for each angle.
pub fn table(given: &str, sweep: &Sweep, out: &mut dyn Write) -> io::Result<()> {
    let Sweep { joint, axis, against, steps } = sweep;
    writeln!(out, "{}: {} about its {axis} axis, everything else at rest", plain(given), plain(joint))?;
    writeln!(out, "All but distances are ratios to the bind pose; distances are to {against}.")?;
    let modes = steps.first().map_or(0, |step| step.modes.len());
    for number in 0..modes {
        let rows = steps.iter().filter_map(|step| Some((step.degrees, step.modes.get(number)?)));
        for (row, (degrees, measures)) in rows.enumerate() {
            if row == 0 {
                heading(measures, out)?;
            }
            line(degrees, measures, out)?;
        }
    }
    Ok(())
}

fn heading(measures: &Measures, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}", measures.mode)?;
    writeln!(
        out,
        "  {:>8}  {:>17}  {:>17}  {:>17}  {:>6}  {:>10}  narrowest at",
        "degrees", "section min max", "volume min max", "stretch p1 p99", "turned", "distance"
    )
}

fn line(degrees: f64, measures: &Measures, out: &mut dyn Write) -> io::Result<()> {
    let Measures { section, volume, stretch, turned, distance_max_m, .. } = measures;
    let stretch =
        stretch.map_or_else(|| "-".to_owned(), |stretch| format!("{:.3} {:8.3}", stretch.p1, stretch.p99));
    let narrowest = section.as_ref().map_or("", |section| section.smallest_at.as_str());
    writeln!(
        out,
        "  {:>8}  {:>17}  {:>17}  {stretch:>17}  {turned:>6}  {:>8} m  {}",
        digits(degrees),
        pair(section.as_ref()),
        pair(volume.as_ref()),
        digits(*distance_max_m),
        plain(narrowest)
    )
}

fn pair(range: Option<&Range>) -> String {
    range.map_or_else(|| "-".to_owned(), |range| format!("{:.3} {:8.3}", range.smallest, range.largest))
}

/// Prints a line for each angle and mode; empty fields are measures that the model does not have.
pub fn csv(sweep: &Sweep, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "degrees,mode,section_smallest,section_largest,volume_smallest,volume_largest,stretch_p1,stretch_p50,\
         stretch_p99,turned,distance_max_m"
    )?;
    for step in &sweep.steps {
        for measures in &step.modes {
            let Measures { mode, section, volume, stretch, turned, distance_max_m } = measures;
            let two = |range: &Option<Range>| {
                range.as_ref().map_or_else(|| ",".to_owned(), |r| format!("{},{}", r.smallest, r.largest))
            };
            let three = stretch.map_or_else(|| ",,".to_owned(), |s| format!("{},{},{}", s.p1, s.p50, s.p99));
            writeln!(
                out,
                "{},{mode},{},{},{three},{turned},{distance_max_m}",
                step.degrees,
                two(section),
                two(volume)
            )?;
        }
    }
    Ok(())
}
