//! A file of objects in one of the formats.

use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_model::Timestamp;
use stockroom_store::{ObjectRow, ReadTx, TypeEntry};

use super::Format;
use super::columns::Columns;
use super::documents::{DocumentWriter, Documents};
use super::sheet::Sheet;
use super::table::Table;
use super::thread::{Failure, Sink};
use crate::core::type_templates::TypeTemplates;
use stockroom_tables::csv::{Cell, Writer};

/// Tells spreadsheets that a text is UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A file that has not begun.
pub(super) enum File {
    Csv {
        table: Table,
        writer: Writer,
        bom: bool,
    },
    Sheet {
        table: Table,
        title: String,
    },
    Documents(Documents),
}

impl File {
    pub(super) fn new(
        format: Format,
        columns: Columns,
        entry: Option<&TypeEntry>,
        labels: bool,
        view: (Arc<TypeTemplates>, Option<Timestamp>),
    ) -> Self {
        match (columns, format) {
            (Columns::Table(columns), Format::Csv { separator, bom }) => Self::Csv {
                table: Table::new(columns, labels, view),
                writer: Writer::new(separator),
                bom,
            },
            (Columns::Table(columns), _) => Self::Sheet {
                table: Table::new(columns, labels, view),
                title: entry.map_or_else(String::new, |entry| entry.record.label.clone()),
            },
            (Columns::Documents(projection), Format::Json) => {
                Self::Documents(Documents::list(projection))
            }
            (Columns::Documents(projection), _) => Self::Documents(Documents::lines(projection)),
        }
    }

    /// Writes the start of the file.
    pub(super) fn open(self, sink: &Sink) -> Result<Writing<'_>, Failure> {
        Ok(match self {
            Self::Csv { table, writer, bom } => {
                let mut text = String::new();
                if bom {
                    text.push_str(BYTE_ORDER_MARK);
                }
                let headers = table.headers().map(|header| Cell::Text(header.into()));
                writer.line(&mut text, headers);
                sink.push(&text)?;
                Writing::Csv {
                    table,
                    writer,
                    sink,
                }
            }
            Self::Sheet { table, title } => {
                let sheet = Sheet::open(sink, &title, table.headers())?;
                Writing::Sheet {
                    table,
                    sheet: Box::new(sheet),
                }
            }
            Self::Documents(documents) => Writing::Documents(DocumentWriter::new(documents, sink)),
        })
    }
}

/// A file that has begun.
pub(super) enum Writing<'p> {
    Csv {
        table: Table,
        writer: Writer,
        sink: &'p Sink,
    },
    Sheet {
        table: Table,
        sheet: Box<Sheet<'p>>,
    },
    Documents(DocumentWriter<'p>),
}

impl Writing<'_> {
    /// Writes objects.
    pub(super) fn rows(
        &mut self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        objects: Vec<ObjectRow>,
    ) -> Result<(), Failure> {
        match self {
            Self::Csv {
                table,
                writer,
                sink,
            } => {
                let (rows, labels) = table.rows(tx, scope, objects)?;
                let mut text = String::new();
                for row in &rows {
                    writer.line(&mut text, table.cells(row, &labels));
                    sink.push(&text)?;
                    text.clear();
                }
                Ok(())
            }
            Self::Sheet { table, sheet } => {
                let (rows, labels) = table.rows(tx, scope, objects)?;
                for row in &rows {
                    sheet.row(table.shown(row, &labels))?;
                }
                Ok(())
            }
            Self::Documents(writer) => writer.rows(objects),
        }
    }

    /// Writes the end of the file.
    pub(super) fn end(self) -> Result<(), Failure> {
        match self {
            Self::Csv { .. } => Ok(()),
            Self::Sheet { sheet, .. } => sheet.end(),
            Self::Documents(writer) => writer.end(),
        }
    }
}
