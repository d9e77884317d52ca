//! Sources that know their records by what fields held before they became passwords: links hold the
//! values of the external key.

use stockroom_model::json::{Map, Value};
use stockroom_model::source::ColumnTarget;
use stockroom_model::{Source, TypeId};
use stockroom_store::{Catalog, RecordKey, Resource, WriteTx};

use super::former_names::FormerNames;
use super::past_definitions::each_definition;
use crate::Error;

/// Refuses such sources. Their columns may have gone elsewhere since.
///
/// # Errors
///
/// [`Error::Invalid`] names a source.
pub(super) fn check(
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

/// The fields that become passwords.
struct Fields<'f> {
    type_id: TypeId,
    former: &'f FormerNames,
}

impl Fields<'_> {
    /// Whether a source knows its records by them, or may have done so when it made its links.
    fn had_key(&self, tx: &mut WriteTx<'_>, source: &Source) -> Result<bool, Error> {
        if self.has_key(tx.catalog(), source, &source.columns) {
            return Ok(true);
        }
        if !source.tracks() || !tx.has_source_links(source.public_id)? {
            return Ok(false);
        }
        let catalog = tx.catalog();
        let record = RecordKey::new(Resource::Source, source.public_id.get());
        let (mut had, mut is_gone) = (false, false);
        let is_whole = each_definition(tx, &record, |definition| {
            // Its links went with a source that was deleted.
            is_gone |= definition.is_none();
            let columns = definition.and_then(|of| of.get("columns")?.as_object());
            let columns = columns.filter(|_| !is_gone);
            had |= columns.is_some_and(|columns| self.has_key(catalog, source, columns));
        })?;
        Ok(had || !is_whole)
    }

    /// Whether a column of the external key goes to one of them, or finds objects by it. The key of
    /// now is that of all links.
    fn has_key(&self, catalog: &Catalog, source: &Source, columns: &Map<String, Value>) -> bool {
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
            let is_by = (by.iter()).any(|(by, column)| self.former.has(by) && is_key(column));
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
