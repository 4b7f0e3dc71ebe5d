//! Draws nanoseconds per vertex as bars: a group for each mode, a bar for each row.

use crate::image::{ImageError, write_png};
use crate::output::{self, Output};
use crate::overlay::{Bar, COLORS, draw_bars};
use crate::render::kernels::Outputs;

use super::print::{Head, Row};
use crate::cli::terminal::failure::Failure;

/// The width of the chart in pixels.
const WIDTH: u32 = 900;

/// Draws and writes the chart.
pub fn draw(head: &Head, rows: &[Row], out: &Output) -> Result<(), Failure> {
    let title = format!("{}: nanoseconds per vertex", head.device);
    let bars: Vec<Bar> = rows.iter().map(|row| bar(row, rows)).collect();
    let image = draw_bars(&title, &bars, WIDTH);
    output::write(out, |file| write_png(&image, file))
        .map_err(|cause: ImageError| Failure::output(out.path(), cause))
}

fn bar(row: &Row, rows: &[Row]) -> Bar {
    let place = Outputs::ALL.iter().position(|outputs| outputs.name() == row.outputs).unwrap_or(0);
    let mut name = format!("{} {}", row.mode, row.outputs);
    if row.exactness == "fast" {
        name.push_str(", fast");
    }
    // Only what differs between rows is named.
    if rows.iter().any(|other| other.influences != row.influences) {
        let influences = if row.influences == 1 { "influence" } else { "influences" };
        name = format!("{name}, {} {influences}", row.influences);
    }
    if let Some(order) = row.order.filter(|_| rows.iter().any(|other| other.order != row.order)) {
        name = format!("{name}, {order}");
    }
    if rows.iter().any(|other| (other.figures, other.vertices) != (row.figures, row.vertices)) {
        name = match row.order {
            Some(_) => format!("{name}, {} vertices", row.vertices),
            None => format!("{name}, {} figures", row.figures),
        };
    }
    Bar { name, value: row.ns_per_vertex, color: COLORS[place % COLORS.len()] }
}
