//! The tables of assets as Parquet, for programs that read millions of rows.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{DEFAULT_MAX_ROW_GROUP_ROW_COUNT, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::asset::Asset;
use super::table::{Cells, Column, Table, asset_table, clip_table};

/// Writes the rows of [`table_csv`](super::table_csv) as Parquet. A text that a spreadsheet would compute stays as it is.
///
/// # Errors
/// If `out` cannot be written.
pub fn table_parquet<'a>(
    assets: impl IntoIterator<Item = (&'a str, &'a Asset)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(&bytes(&asset_table(assets))?)
}

/// Writes the rows of [`rows_csv`](super::rows_csv) as Parquet, like [`table_parquet`].
///
/// # Errors
/// If `out` cannot be written.
pub fn rows_parquet<'a>(
    assets: impl IntoIterator<Item = (&'a str, &'a Asset)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(&bytes(&clip_table(assets))?)
}

/// Returns a table as a file. An empty cell of the CSV is a null.
fn bytes<R: Copy>(table: &Table<'_, R>) -> Result<Vec<u8>> {
    let fields = table.columns.iter().map(|column| field(column).map(Arc::new)).collect::<Result<_>>()?;
    let schema = Type::group_type_builder("table").with_fields(fields).build()?;
    let settings = WriterProperties::builder().build();
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(settings))?;
    for rows in table.rows.chunks(DEFAULT_MAX_ROW_GROUP_ROW_COUNT) {
        let mut group = file.next_row_group()?;
        for column in &table.columns {
            let mut writer = group.next_column()?.ok_or_else(differ)?;
            match (&column.cells, writer.untyped()) {
                (Cells::Text(cell), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                    let texts = rows.iter().map(|row| Some(cell(*row)).filter(|text| !text.is_empty()));
                    let (values, levels) = split(texts.map(|text| text.map(ByteArray::from)));
                    writer.write_batch(&values, Some(&levels), None)?;
                }
                (Cells::Number(cell), ColumnWriter::DoubleColumnWriter(writer)) => {
                    let (values, levels) = split(rows.iter().copied().map(cell));
                    writer.write_batch(&values, Some(&levels), None)?;
                }
                _ => return Err(differ()),
            }
            writer.close()?;
        }
        group.close()?;
    }
    file.into_inner()
}

/// Returns the type of a column.
fn field<R>(column: &Column<'_, R>) -> Result<Type> {
    let (physical, logical) = match column.cells {
        Cells::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Cells::Number(_) => (Physical::DOUBLE, None),
    };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

/// Returns the values that exist, and for each cell 1 if it has one, else 0.
fn split<T>(cells: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let mut levels = Vec::new();
    let values = cells.inspect(|cell| levels.push(i16::from(cell.is_some()))).flatten().collect();
    (values, levels)
}

fn differ() -> ParquetError {
    ParquetError::General("the columns differ from their types".to_owned())
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::super::table::{field, number};
    use super::super::{Figure, Kind, Row, rows_csv, table_csv};
    use super::*;

    /// The columns and rows of a file.
    fn read(bytes: &[u8]) -> (Vec<String>, Vec<Vec<Field>>) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr();
        let names = schema.columns().iter().map(|column| column.name().to_owned()).collect();
        let rows = reader.get_row_iter(None).unwrap();
        let rows = rows.map(|row| row.unwrap().into_columns().into_iter().map(|(_, cell)| cell).collect());
        (names, rows.collect())
    }

    /// Writes the cells of a file as CSV.
    fn csv(bytes: &[u8]) -> String {
        let (names, rows) = read(bytes);
        let mut text = names.iter().map(|name| field(name)).collect::<Vec<_>>().join(",") + "\n";
        for row in rows {
            let cells = row.iter().map(|cell| match cell {
                Field::Null => String::new(),
                Field::Str(text) if !text.is_empty() => field(text),
                Field::Double(value) => number(Some(*value)),
                other => panic!("{other:?}"),
            });
            text += &(cells.collect::<Vec<_>>().join(",") + "\n");
        }
        text
    }

    /// Returns both tables of assets as CSV and as Parquet.
    fn tables(assets: &[(&str, Asset)]) -> [(String, Vec<u8>); 2] {
        let all = || assets.iter().map(|(name, asset)| (*name, asset));
        let mut files = [const { Vec::new() }; 4];
        let [assets, rows, other_assets, other_rows] = &mut files;
        table_csv(all(), assets).unwrap();
        rows_csv(all(), rows).unwrap();
        table_parquet(all(), other_assets).unwrap();
        rows_parquet(all(), other_rows).unwrap();
        let [assets, rows, other_assets, other_rows] = files;
        let text = |bytes| String::from_utf8(bytes).unwrap();
        [(text(assets), other_assets), (text(rows), other_rows)]
    }

    fn awkward() -> Vec<(&'static str, Asset)> {
        let mut asset = Asset::default();
        asset.add(Kind::Rule, "=1+1", "a, \"b\"\r\nnext line", 1.0);
        asset.add(Kind::Crash, "", "", f64::NAN);
        asset.set(Figure::Vertices, 3.0);
        asset.set(Figure::DistanceMax, 0.1 + 0.2);
        let row = |clip: &str, mode: &str, values: &[(&str, f64)]| Row {
            clip: clip.to_owned(),
            mode: mode.to_owned(),
            values: values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        };
        asset.rows = vec![
            row("rest pose", "lbs", &[("edge, 95 %", 1e-300)]),
            row("", "dqs", &[("=volume.min", -0.0), ("edge, 95 %", f64::MAX)]),
            row("走る\u{202e}\0", "dqs", &[]),
        ];
        let mut other = Asset::default();
        other.set(Figure::Smoothness, f64::MIN_POSITIVE);
        other.rows = vec![row("rest pose", "lbs", &[("=volume.min", 1.0 / 3.0)])];
        let mut clean = other.clone();
        clean.figures.clear();
        vec![("x,y\n\"z\".glb", asset), ("-dash/ö 🦊.glb", other), ("", Asset::default()), ("clean", clean)]
    }

    #[test]
    fn both_formats_have_the_same_cells() {
        let assets = awkward();
        for count in 0..=assets.len() {
            for (text, bytes) in tables(&assets[..count]) {
                assert_eq!(csv(&bytes), text);
            }
        }
        let [(_, bytes), (_, rows)] = tables(&assets);
        assert_eq!((read(&bytes).1.len(), read(&rows).1.len()), (4, 5));
        // Only a spreadsheet needs a guard.
        assert_eq!(read(&bytes).1[0][3], Field::Str("=1+1".to_owned()));
        assert_eq!(read(&bytes).1[1][0], Field::Str("-dash/ö 🦊.glb".to_owned()));
    }

    #[test]
    fn equal_tables_are_equal_bytes() {
        assert!(tables(&awkward()) == tables(&awkward()));
    }
}
