//! Prints a sweep as a table or as CSV.

use std::io::{self, Write};

use crate::analysis::metric::{Metric, Unit};
use crate::analysis::sweep::{Measures, Sweep, metrics};
use crate::cli::terminal::print::plain;
use crate::length::{self, digits};
use crate::table::{Align, Table};
use crate::words::fixed;

/// Prints a table: a block for each mode, a line for each angle.
pub fn table(given: &str, (sweep, why): (&Sweep, &str), out: &mut dyn Write) -> io::Result<()> {
    let Sweep { joint, axis, against, mush, steps, .. } = sweep;
    let settings = mush.map_or_else(String::new, |settings| format!(" ({settings})"));
    writeln!(
        out,
        "{}: {} turns about its {axis} axis{why}; everything else is at rest",
        plain(given),
        plain(joint)
    )?;
    writeln!(
        out,
        "All values but distances are ratios to the bind pose. The section is at the joint. Distances are to {against}{settings}."
    )?;
    let columns: Vec<(Metric, &str)> =
        metrics().filter_map(|metric| Some((metric, metric.facts().column?))).collect();
    let unit = length_unit(sweep, &columns);
    let aligned = vec![Align::Right; 1 + columns.len()];
    let mut table = Table::new(&aligned);
    let modes = steps.first().map_or(0, |step| step.modes.len());
    for number in 0..modes {
        let rows = steps.iter().filter_map(|step| Some((step.degrees, step.modes.get(number)?)));
        for (row, (degrees, measures)) in rows.enumerate() {
            if row == 0 {
                table.text("");
                table.text(measures.mode);
                table.row(["degrees"].into_iter().chain(columns.iter().map(|(_, heading)| *heading)));
            }
            let cells = columns.iter().map(|(metric, _)| cell(*metric, measures, unit));
            table.row([digits(degrees)].into_iter().chain(cells));
        }
    }
    table.write(out)
}

/// Returns the unit of all lengths of a sweep.
pub fn length_unit(sweep: &Sweep, columns: &[(Metric, &str)]) -> length::Unit {
    let lengths = columns.iter().filter(|(metric, _)| metric.facts().unit == Unit::Metres);
    let measures = sweep.steps.iter().flat_map(|step| &step.modes);
    length::Unit::of(
        lengths.flat_map(|(metric, _)| measures.clone().filter_map(|found| found.value(*metric))),
    )
}

fn cell(metric: Metric, measures: &Measures, unit: length::Unit) -> String {
    let Some(value) = measures.value(metric) else { return "-".to_owned() };
    match metric.facts().unit {
        Unit::Ratio => fixed(value, 3),
        Unit::Metres => unit.shown(value),
        Unit::Triangles | Unit::Vertices => format!("{value}"),
    }
}

/// Prints a line for each angle and mode; empty fields are metrics that the model does not have.
pub fn csv(sweep: &Sweep, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "degrees,mode")?;
    metrics().try_for_each(|metric| write!(out, ",{}", metric.name()))?;
    writeln!(out)?;
    for step in &sweep.steps {
        for measures in &step.modes {
            write!(out, "{},{}", step.degrees, measures.mode)?;
            for metric in metrics() {
                match measures.value(metric) {
                    Some(value) => write!(out, ",{value}")?,
                    None => write!(out, ",")?,
                }
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
