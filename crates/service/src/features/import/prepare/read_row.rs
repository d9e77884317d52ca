//! The cells of a row as values, before what it refers to is known.

use stockroom_model::TypeId;
use stockroom_model::json::Value;
use stockroom_model::r#type::FieldDefinition;
use stockroom_tables::Row;

use super::Context;
use super::convert::Converted;
use super::keys::{ChunkKeys, FileKeys};
use super::lookup::key_text;
use crate::features::import::plan::Target;
use crate::features::import::row_result::RowProblem;
use crate::features::import::sync;

/// A row whose cells are read.
#[derive(Debug)]
pub(in crate::features::import) struct ReadRow {
    pub(in crate::features::import) number: u64,
    pub(super) problems: Vec<RowProblem>,
    /// What identifies it in its source, if that tracks records.
    pub(super) record: Option<String>,
    /// Whether all its cells are empty.
    pub(super) is_blank: bool,
    /// By places in the plan. References by key are texts.
    pub(super) values: Vec<Option<Value>>,
}

impl ReadRow {
    /// Notes its record. Returns the first row of the file with it, if that is another one.
    pub(in crate::features::import) fn add_record(
        &self,
        keys: &FileKeys,
        chunk: &mut ChunkKeys,
    ) -> Option<u64> {
        let record = std::slice::from_ref(self.record.as_ref()?);
        keys.duplicate(chunk, record, self.number)
    }
}

impl Context {
    /// Reads the cells of a row.
    pub(in crate::features::import) fn read(&self, row: &Row) -> ReadRow {
        let mut problems: Vec<RowProblem> = Vec::new();
        problems.extend(row.problem.as_deref().map(RowProblem::of_row));
        let mut values = Vec::with_capacity(self.plan.columns.len());
        for mapping in &self.plan.columns {
            let cell = row.cell(mapping.column);
            let converted = match &mapping.target {
                Target::PublicId => self.cells.id(cell),
                Target::Active => self.cells.other(cell),
                Target::Field { by: Some(_), .. }
                | Target::Otherwise { .. }
                | Target::Nowhere { .. } => self.cells.text(cell),
                Target::Field { name, dates, .. } => match self.entry.record.field(name) {
                    Some(field) => {
                        self.or_named_by_id(self.cells.field(cell, field, *dates), field)
                    }
                    None => Converted::Problem(format!("goes to {name:?}, which is no field now")),
                },
            };
            values.push(match converted {
                Converted::Absent => None,
                Converted::Value(value) => Some(value),
                Converted::Problem(detail) => {
                    problems.push(RowProblem::of_column(mapping.column, detail));
                    None
                }
            });
        }
        ReadRow {
            number: row.number,
            record: self.record(row, &mut problems),
            is_blank: row.is_blank(),
            problems,
            values,
        }
    }

    /// Files for people name an object of a type without a summary by type and id: `Rack #12`.
    fn or_named_by_id(&self, converted: Converted, field: &FieldDefinition) -> Converted {
        let Converted::Value(Value::String(text)) = &converted else {
            return converted;
        };
        let named = text.rsplit_once(" #").and_then(|(label, id)| {
            let is_type = |id: &i64| {
                let entry = TypeId::new(*id).and_then(|id| self.catalog.type_entry(id));
                entry.is_some_and(|entry| entry.record.label == label)
            };
            let id: i64 = id.parse().ok()?;
            field.ref_types.iter().any(is_type).then_some(id)
        });
        named.map_or(converted, |id| Converted::Value(id.into()))
    }

    /// What identifies a row in its source.
    fn record(&self, row: &Row, problems: &mut Vec<RowProblem>) -> Option<String> {
        let bound = self.plan.source.as_ref().filter(|bound| bound.tracks())?;
        let text = |column: &usize| match self.cells.text(row.cell(*column)) {
            Converted::Value(value) => key_text(&value),
            Converted::Absent | Converted::Problem(_) => None,
        };
        let texts: Option<Vec<String>> = bound.key.iter().map(text).collect();
        let refused = match texts.map(|texts| sync::key_of(&texts)) {
            Some(key) if key.len() <= sync::MAX_KEY => return Some(key),
            Some(_) => format!("identify the record with more than {} bytes", sync::MAX_KEY),
            None => "are empty, but identify the record".to_owned(),
        };
        // Of a row that cannot be read, no cell is known.
        if row.problem.is_none() {
            problems.push(RowProblem::of_row(format!(
                "its columns of the external key {refused}"
            )));
        }
        None
    }
}
