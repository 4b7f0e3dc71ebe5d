//! Prints a sweep as a table or as CSV.

use std::io::{self, Write};

use crate::analysis::sweep::{Measures, Range, Sweep};
use crate::cli::terminal::print::plain;
use crate::length::{Unit, digits};
use crate::table::{Align, Table};

/// The columns: angle, mode's figures, distance.
const COLUMNS: [Align; 8] = [Align::Right; 8];

/// Prints a table: a block for each mode, a line for each angle.
pub fn table(given: &str, (sweep, why): (&Sweep, &str), out: &mut dyn Write) -> io::Result<()> {
    let Sweep { joint, axis, against, steps } = sweep;
    writeln!(out, "{}: {} about its {axis} axis{why}; everything else at rest", plain(given), plain(joint))?;
    writeln!(
        out,
        "All but distances are ratios to the bind pose; the section is that at the joint; distances are to {against}."
    )?;
    let unit = Unit::of(steps.iter().flat_map(|step| &step.modes).map(|measures| measures.distance_max_m));
    let mut table = Table::new(&COLUMNS);
    let modes = steps.first().map_or(0, |step| step.modes.len());
    for number in 0..modes {
        let rows = steps.iter().filter_map(|step| Some((step.degrees, step.modes.get(number)?)));
        for (row, (degrees, measures)) in rows.enumerate() {
            if row == 0 {
                table.text("");
                table.text(measures.mode);
                table.row([
                    "degrees",
                    "section",
                    "volume min",
                    "max",
                    "stretch p1",
                    "p99",
                    "turned",
                    "distance",
                ]);
            }
            table.row(cells(degrees, measures, unit));
        }
    }
    table.write(out)
}

fn cells(degrees: f64, measures: &Measures, unit: Unit) -> [String; 8] {
    let Measures { section, volume, stretch, turned, distance_max_m, .. } = measures;
    let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}"));
    [
        digits(degrees),
        ratio(section.as_ref().map(|range| range.smallest)),
        ratio(volume.as_ref().map(|range| range.smallest)),
        ratio(volume.as_ref().map(|range| range.largest)),
        ratio(stretch.map(|stretch| stretch.p1)),
        ratio(stretch.map(|stretch| stretch.p99)),
        turned.to_string(),
        unit.shown(*distance_max_m),
    ]
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
