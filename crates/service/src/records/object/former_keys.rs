//! Sources that know their records by what fields held before they became passwords: links hold the
//! values of the external key.

use stockroom_model::json::{Map, Value};
use stockroom_model::source::ColumnTarget;
use stockroom_model::{Source, TypeId};
use stockroom_render::SUMMARY_SEPARATOR;
use stockroom_store::{Catalog, RecordKey, Resource, WriteTx};

use super::former_names::FormerNames;
use super::past_definitions::each_definition;
use crate::Error;

/// Refuses such sources. Their columns may have gone elsewhere since.
///
/// # Errors
///
/// [`Error::Invalid`] names a source.
pub(crate) fn check(
    tx: &mut WriteTx<'_>,
    type_id: TypeId,
    former: &FormerNames,
) -> Result<(), Error> {
    for known in tx.sources()? {
        let source = known.source.record;
        let fields = Fields { type_id, former };
        if fields.had_key(tx, &source)? {
            let detail = format!(
                "cannot become password: the source {:?} knows its records by former values; delete it first",
                source.name
            );
            return Err(Error::invalid("/fields", detail));
        }
    }
    Ok(())
}

/// Whether keys have summary lines, which hold other fields than the one by which they find objects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    With,
    Without,
}

/// Whether a source knows a record by a summary line.
fn has_lines(tx: &mut WriteTx<'_>, source: &Source) -> Result<bool, Error> {
    const LINKS: i64 = 5_000;
    let mut before = i64::MAX;
    loop {
        let links = tx.source_links_before(source.public_id, before, LINKS)?;
        let Some(last) = links.last() else {
            return Ok(false);
        };
        before = last.object.get();
        if links
            .iter()
            .any(|link| link.key.contains(SUMMARY_SEPARATOR))
        {
            return Ok(true);
        }
    }
}

/// The fields that become passwords.
struct Fields<'f> {
    type_id: TypeId,
    former: &'f FormerNames,
}

impl Fields<'_> {
    /// Whether a source knows its records by them, or may have done so when it made its links.
    fn had_key(&self, tx: &mut WriteTx<'_>, source: &Source) -> Result<bool, Error> {
        if self.has_key(tx.catalog(), source, &source.columns, Lines::Without) {
            return Ok(true);
        }
        if !source.tracks() || !tx.has_source_links(source.public_id)? {
            return Ok(false);
        }
        let catalog = tx.catalog();
        let record = RecordKey::new(Resource::Source, source.public_id.get());
        let (mut had, mut may_have_had, mut is_gone) = (false, false, false);
        let is_whole = each_definition(tx, &record, |definition| {
            // Its links went with a source that was deleted.
            is_gone |= definition.is_none();
            let columns = definition.and_then(|of| of.get("columns")?.as_object());
            if let Some(columns) = columns.filter(|_| !is_gone) {
                had |= self.has_key(catalog, source, columns, Lines::Without);
                may_have_had |= self.has_key(catalog, source, columns, Lines::With);
            }
        })?;
        Ok(had || !is_whole || may_have_had && has_lines(tx, source)?)
    }

    /// Whether a column of the external key goes to one of them, or finds objects by it, or with lines
    /// by any field. The key of now is that of all links.
    fn has_key(
        &self,
        catalog: &Catalog,
        source: &Source,
        columns: &Map<String, Value>,
        lines: Lines,
    ) -> bool {
        let is_key = |column: &str| source.external_key.iter().any(|key| key == column);
        columns.iter().any(|(column, target)| {
            let Some(ColumnTarget {
                field,
                by,
                otherwise,
            }) = ColumnTarget::read(column, target)
            else {
                return false;
            };
            let mut own = [Some(field), otherwise].into_iter().flatten();
            let is_own = source.type_id == self.type_id && own.any(|field| self.former.has(field));
            let mut by = by.iter();
            let is_by = by.any(|(by, column)| {
                (lines == Lines::With || self.former.has(by)) && is_key(column)
            });
            is_own && is_key(column) || is_by && self.is_referenced(catalog, source, field, target)
        })
    }

    /// Whether the column may name objects of their type.
    fn is_referenced(
        &self,
        catalog: &Catalog,
        source: &Source,
        field: &str,
        target: &Value,
    ) -> bool {
        let id = self.type_id.get();
        if let Some(types) = target.get("types").and_then(Value::as_array) {
            return types.iter().any(|of| of.as_i64() == Some(id));
        }
        let entry = catalog.type_entry(source.type_id);
        let field = entry.and_then(|entry| entry.record.field(field));
        field.is_none_or(|field| field.ref_types.contains(&id))
    }
}
