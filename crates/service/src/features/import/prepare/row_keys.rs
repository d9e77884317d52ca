//! What is noted of a row for those after it: its key, and by what its object can be named.

use std::collections::BTreeSet;

use stockroom_model::json::Value;
use stockroom_render::summary_line;

use super::keys::{ChunkKeys, FileKeys};
use super::lookup::{ReferencedObjects, is_summary_line, key_text};
use super::names::Name;
use super::references::{self, Reference};
use super::{Context, ReadRow};
use crate::features::import::plan::By;
use crate::records::object::labels::record;

impl Context {
    /// Notes the key of a row. Returns the first row of the file with it, if that is another one.
    pub(in crate::features::import) fn record_keys(
        &self,
        row: &ReadRow,
        named: &ReferencedObjects,
        keys: &FileKeys,
        chunk: &mut ChunkKeys,
    ) -> Option<u64> {
        if self.plan.tracks() {
            return row.add_record(keys, chunk);
        }
        let found = if self.keys_refer() {
            references::resolve(&self.plan, &self.order, &row.values, (named, &keys.names))
        } else {
            Vec::new()
        };
        let key = self.key_texts(row, &found).filter(|key| !key.is_empty())?;
        keys.duplicate(chunk, &key, row.number)
    }

    /// Whether references by name are among the key.
    pub(in crate::features::import) fn keys_refer(&self) -> bool {
        let mut columns = self
            .plan
            .key
            .iter()
            .filter_map(|index| self.plan.columns.get(*index));
        columns.any(|mapping| mapping.target.by().is_some())
    }

    /// What the cells of the key say, if all of them say something. References are the objects that
    /// they name, by whichever words; if these are not there, they are told by other columns, too.
    fn key_texts(&self, row: &ReadRow, found: &[(usize, Reference)]) -> Option<Vec<String>> {
        let text = |index: usize| row.values.get(index)?.as_ref().and_then(key_text);
        let mut texts = Vec::new();
        for index in &self.plan.key {
            let reference = found.iter().find(|(known, _)| known == index);
            if let Some((_, Reference::Object(id))) = reference {
                texts.push(format!("\0{id}"));
                continue;
            }
            texts.push(text(*index)?);
            let mapping = self.plan.columns.get(*index)?;
            for other in mapping.target.by().iter().flat_map(|by| &by.others) {
                let mut columns = self.plan.columns.iter();
                let place = columns.position(|mapping| mapping.column == other.column);
                texts.push(place.and_then(text).unwrap_or_default());
            }
        }
        Some(texts)
    }

    /// By what other rows can name the object of a row. Only dry runs have to know.
    pub(in crate::features::import) fn names(&self, row: &ReadRow, keys: &FileKeys) -> Vec<Name> {
        if !self.plan.dry_run {
            return Vec::new();
        }
        let own = self.plan.type_id.get();
        let bys = self
            .plan
            .columns
            .iter()
            .filter_map(|column| column.target.by());
        let bys = bys.filter(|by| by.types.contains(&own));
        let value = |field: &str| row.values.get(self.plan.index_of(field)?)?.as_ref();
        let name = |by: &By| {
            value(&by.field)?;
            let fields: Vec<&str> = by.fields().collect();
            let texts = fields.iter().map(|field| value(field).and_then(key_text));
            let texts: Vec<String> = texts.map(Option::unwrap_or_default).collect();
            Some(keys.names.name(&fields, &texts))
        };
        let names: BTreeSet<Name> = bys.clone().filter_map(name).collect();
        let by_line: BTreeSet<&str> = bys
            .filter(|by| by.others.is_empty())
            .map(|by| &*by.field)
            .collect();
        let line = (!by_line.is_empty())
            .then(|| self.line(&row.values))
            .flatten();
        let lines = line.iter().flat_map(|line| {
            let of_line = |field: &&str| keys.names.line(field, line);
            by_line.iter().map(of_line)
        });
        names.into_iter().chain(lines).collect()
    }

    /// The summary line of the object of a row, if its cells say all of it.
    fn line(&self, values: &[Option<Value>]) -> Option<String> {
        let template = self.templates.get(self.plan.type_id)?;
        let is_said = |field: &String| {
            let index = self.plan.index_of(field);
            let mapping = index.and_then(|index| self.plan.columns.get(index));
            let value = index
                .and_then(|index| values.get(index))
                .and_then(Option::as_ref);
            mapping.is_some_and(|mapping| mapping.target.by().is_none()) && value.is_some()
        };
        let mut fields = template.render_meta.summary.fields.iter();
        if !fields.all(is_said) {
            return None;
        }
        let document = self.body(values.to_vec(), None).to_string();
        let line = summary_line(&record(document).ok()?, template);
        Some(line).filter(|line| is_summary_line(line))
    }
}
