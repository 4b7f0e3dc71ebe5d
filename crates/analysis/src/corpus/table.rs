//! Tables of assets: one with a row for each asset, one with a row for each clip and mode.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::asset::{Asset, Figure, Finding, Row};
use crate::report;

/// A table. CSV and Parquet are written from the same one, so their cells are the same.
pub(super) struct Table<'a, R> {
    /// The columns, which read their cells from a row, from left to right.
    pub columns: Vec<Column<'a, R>>,
    /// The rows, from top to bottom.
    pub rows: Vec<R>,
}

/// A column.
pub(super) struct Column<'a, R> {
    /// The name in the first line.
    pub name: &'a str,
    /// The cells.
    pub cells: Cells<'a, R>,
}

/// The cell of a column in each row.
pub(super) enum Cells<'a, R> {
    /// Text, which may be empty.
    Text(fn(R) -> &'a str),
    /// A number or nothing.
    Number(Box<dyn Fn(R) -> Option<f64> + 'a>),
}

/// A row of an asset.
pub(super) type AssetRow<'a> = (&'a str, &'a Asset);

/// A row of a clip and mode.
pub(super) type ClipRow<'a> = (&'a str, &'a Row);

impl<'a, R> Column<'a, R> {
    fn text(name: &'a str, cell: fn(R) -> &'a str) -> Self {
        Self { name, cells: Cells::Text(cell) }
    }

    fn number(name: &'a str, cell: impl Fn(R) -> Option<f64> + 'a) -> Self {
        Self { name, cells: Cells::Number(Box::new(cell)) }
    }
}

impl<R: Copy> Table<'_, R> {
    /// Writes the table as CSV.
    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        write_line(self.columns.iter().map(|column| field(column.name)), out)?;
        for &row in &self.rows {
            let cell = |column: &Column<'_, R>| match &column.cells {
                Cells::Text(cell) => field(cell(row)),
                Cells::Number(cell) => number(cell(row)),
            };
            write_line(self.columns.iter().map(cell), out)?;
        }
        Ok(())
    }
}

/// Writes a row for each asset: its name, the number of its findings, its worst finding, and its figures.
pub fn table_csv<'a>(
    assets: impl IntoIterator<Item = (&'a str, &'a Asset)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    asset_table(assets).csv(out)
}

/// Writes a row for each clip and mode of each asset.
pub fn rows_csv<'a>(
    assets: impl IntoIterator<Item = (&'a str, &'a Asset)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    clip_table(assets).csv(out)
}

/// Makes the table of assets.
pub(super) fn asset_table<'a>(assets: impl IntoIterator<Item = AssetRow<'a>>) -> Table<'a, AssetRow<'a>> {
    fn worst<'a>((_, asset): AssetRow<'a>, text: fn(&'a Finding) -> &'a str) -> &'a str {
        asset.findings.first().map_or("", text)
    }
    let mut columns = vec![
        Column::text("asset", |(name, _)| name),
        Column::number("findings", |(_, asset): AssetRow<'a>| Some(asset.findings.len() as f64)),
        Column::text("kind", |row| worst(row, |finding| finding.kind.name())),
        Column::text("like", |row| worst(row, |finding| &finding.like)),
        Column::text("words", |row| worst(row, |finding| &finding.words)),
    ];
    let figure = |figure: Figure| {
        Column::number(figure.name(), move |(_, asset): AssetRow<'a>| asset.figures.get(&figure).copied())
    };
    columns.extend(Figure::ALL.map(figure));
    Table { columns, rows: assets.into_iter().collect() }
}

/// Makes the table of clips and modes, with a column for each value that a row has.
pub(super) fn clip_table<'a>(assets: impl IntoIterator<Item = AssetRow<'a>>) -> Table<'a, ClipRow<'a>> {
    let rows_of = |(name, asset): AssetRow<'a>| asset.rows.iter().map(move |row| (name, row));
    let rows: Vec<ClipRow<'a>> = assets.into_iter().flat_map(rows_of).collect();
    let names: BTreeSet<&'a str> =
        rows.iter().flat_map(|(_, row)| row.values.keys().map(String::as_str)).collect();
    let mut columns = vec![
        Column::text("asset", |(name, _)| name),
        Column::text("clip", |(_, row): ClipRow<'a>| &row.clip),
        Column::text("mode", |(_, row): ClipRow<'a>| &row.mode),
    ];
    let value = |name| Column::number(name, move |(_, row): ClipRow<'a>| row.values.get(name).copied());
    columns.extend(names.into_iter().map(value));
    Table { columns, rows }
}

fn write_line(cells: impl Iterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))
}

/// Formats a number with all its digits.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Quotes a field if it needs that (RFC 4180). A spreadsheet would compute a text that begins like a formula.
pub(super) fn field(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    report::field(&format!("{guard}{text}"))
}
