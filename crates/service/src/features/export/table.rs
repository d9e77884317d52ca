//! The values of an object as the cells of a row.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_model::json::Value;
use stockroom_model::kind::reference_target;
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::{FieldKind, ObjectId, Timestamp};
use stockroom_render::Record;
use stockroom_store::{ObjectRow, ReadTx};

use super::columns::Column;
use crate::Error;
use crate::core::type_templates::TypeTemplates;
use crate::records::object::labels::{labels_of, record};
use stockroom_tables::csv::Cell;
use stockroom_tables::csv::cell::text;

/// The objects whose labels one read finds.
const LABELS_AT_ONCE: usize = 1_000;

/// The columns of a table, and how they show values.
pub(super) struct Table {
    columns: Vec<TableColumn>,
    /// Whether people read it: with labels in place of ids and names.
    labels: bool,
    templates: Arc<TypeTemplates>,
    as_of: Option<Timestamp>,
}

struct TableColumn {
    header: String,
    source: Source,
}

enum Source {
    Member(&'static str),
    Field(Box<Field>),
}

struct Field {
    /// Its name, escaped as in JSON, without quotes.
    key: String,
    kind: FieldKind,
    /// The labels of its options by name.
    options: HashMap<String, String>,
}

/// A value as people read it.
#[derive(Debug, PartialEq)]
pub(super) enum CellValue<'v> {
    Nothing,
    Number(&'v str),
    Boolean(bool),
    /// A time, and whether it is a whole day.
    Time(Timestamp, bool),
    Text(Cow<'v, str>),
}

/// A row of a table.
pub(super) struct TableRow {
    record: Record,
    views: Option<String>,
}

/// The labels of referenced objects.
pub(super) type Labels = HashMap<ObjectId, String>;

impl Table {
    pub(super) fn new(
        columns: Vec<Column>,
        labels: bool,
        (templates, as_of): (Arc<TypeTemplates>, Option<Timestamp>),
    ) -> Self {
        let columns = columns.into_iter().map(|column| TableColumn {
            header: if labels {
                column.label()
            } else {
                column.name()
            },
            source: match column {
                Column::Member(member) => Source::Member(member),
                Column::Field(field) => Source::Field(Box::new(Field::new(&field))),
            },
        });
        Self {
            columns: columns.collect(),
            labels,
            templates,
            as_of,
        }
    }

    pub(super) fn headers(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.header.as_str())
    }

    /// The rows of objects, and the labels that they need.
    pub(super) fn rows(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        objects: Vec<ObjectRow>,
    ) -> Result<(Vec<TableRow>, Labels), Error> {
        let rows = objects.into_iter().map(|row| {
            Ok(TableRow {
                views: row.views.map(|views| views.to_string()),
                record: record(row.document)?,
            })
        });
        let rows = rows.collect::<Result<Vec<_>, Error>>()?;
        let labels = if self.labels {
            self.labels(tx, scope, &rows)?
        } else {
            Labels::new()
        };
        Ok((rows, labels))
    }

    fn labels(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        rows: &[TableRow],
    ) -> Result<Labels, Error> {
        let mut targets = BTreeSet::new();
        for column in &self.columns {
            if let Source::Field(field) = &column.source
                && field.kind.is_reference()
            {
                targets.extend(
                    rows.iter()
                        .filter_map(|row| target(row.record.value(&field.key)?)),
                );
            }
        }
        let mut wanted: Vec<ObjectId> = targets.into_iter().collect();
        let mut labels = Labels::new();
        while !wanted.is_empty() {
            let rest = wanted.split_off(wanted.len().min(LABELS_AT_ONCE));
            let (found, unread) = labels_of(tx, scope, &self.templates, self.as_of, &wanted)?;
            labels.extend(
                found
                    .into_iter()
                    .map(|label| (label.public_id, label.summary)),
            );
            wanted = [unread, rest].concat();
        }
        Ok(labels)
    }

    /// The cells of a row as text, which can be read back unless labels are shown.
    pub(super) fn cells<'r>(
        &'r self,
        row: &'r TableRow,
        labels: &'r Labels,
    ) -> impl Iterator<Item = Cell<'r>> {
        self.columns.iter().map(move |column| match &column.source {
            Source::Field(field) if !self.labels => {
                Cell::of(row.record.value(&field.key), field.kind.holds_texts())
            }
            _ => cell(self.shown_in(column, row, labels)),
        })
    }

    /// The cells of a row as people read them. Dates in texts are times, too.
    pub(super) fn shown<'r>(
        &'r self,
        row: &'r TableRow,
        labels: &'r Labels,
    ) -> impl Iterator<Item = CellValue<'r>> {
        self.columns.iter().map(move |column| {
            match (self.shown_in(column, row, labels), &column.source) {
                (CellValue::Text(text), Source::Field(field)) => match field.kind.time(&text) {
                    Some(time) => CellValue::Time(time, text.len() == "2026-01-31".len()),
                    None => CellValue::Text(text),
                },
                (shown, _) => shown,
            }
        })
    }

    fn shown_in<'r>(
        &'r self,
        column: &'r TableColumn,
        row: &'r TableRow,
        labels: &'r Labels,
    ) -> CellValue<'r> {
        let value = match &column.source {
            Source::Member(member) => row.member(member),
            Source::Field(field) => row.record.value(&field.key),
        };
        let Some(json) = value else {
            return CellValue::Nothing;
        };
        if self.labels
            && let Source::Field(field) = &column.source
            && let Some(label) = field.label(json, labels)
        {
            return CellValue::Text(label.into());
        }
        shown(json)
    }
}

impl TableRow {
    fn member(&self, name: &str) -> Option<&str> {
        let stored = self.record.member(name);
        stored.or_else(|| self.views.as_deref().filter(|_| name == "views"))
    }
}

impl Field {
    fn new(definition: &FieldDefinition) -> Self {
        let quoted = Value::from(definition.name.as_str()).to_string();
        let options = definition
            .definition
            .get("options")
            .and_then(Value::as_array);
        let options = options.into_iter().flatten().filter_map(|option| {
            let text = |key: &str| option.get(key)?.as_str().map(str::to_owned);
            Some((text("name")?, text("label")?))
        });
        Self {
            key: quoted
                .get(1..quoted.len() - 1)
                .unwrap_or_default()
                .to_owned(),
            kind: definition.kind,
            options: options.filter(|(_, label)| !label.is_empty()).collect(),
        }
    }

    /// What people call the object or the option that a value names.
    fn label<'l>(&'l self, json: &str, labels: &'l Labels) -> Option<&'l str> {
        let label = if self.kind.is_reference() {
            labels.get(&target(json)?)
        } else if !self.options.is_empty() && json.starts_with('"') {
            self.options.get(text(json).as_ref())
        } else {
            None
        };
        label.map(String::as_str).filter(|label| !label.is_empty())
    }
}

/// The object that a value names.
fn target(json: &str) -> Option<ObjectId> {
    let value = serde_json::from_str(json).ok()?;
    reference_target(&value)
}

fn shown(json: &str) -> CellValue<'_> {
    match json.as_bytes().first() {
        None | Some(b'n') => CellValue::Nothing,
        Some(b'"') => CellValue::Text(text(json)),
        Some(b'-' | b'0'..=b'9') => CellValue::Number(json),
        Some(b't') => CellValue::Boolean(true),
        Some(b'f') => CellValue::Boolean(false),
        _ => {
            let value: Value = serde_json::from_str(json).unwrap_or_default();
            match Timestamp::from_date(&value) {
                Some(time) => CellValue::Time(time, false),
                None => CellValue::Text(json.into()),
            }
        }
    }
}

fn cell(shown: CellValue<'_>) -> Cell<'_> {
    match shown {
        CellValue::Nothing => Cell::Nothing,
        CellValue::Number(number) => Cell::Number(number),
        CellValue::Boolean(value) => Cell::Text(value.to_string().into()),
        CellValue::Time(time, _) => Cell::Text(time.to_iso().into()),
        CellValue::Text(text) if text.is_empty() => Cell::Nothing,
        CellValue::Text(text) => Cell::Text(text),
    }
}
