//! `labels=true`: names of the objects that others reference, loaded with one statement.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use stockroom_access::Scope;
use stockroom_access::permission::ObjectView;
use stockroom_model::{ObjectId, Timestamp, Type, TypeId};
use stockroom_render::{Record, TypeTemplate};
use stockroom_store::{ObjectRow, READ_BYTES, ReadTx};
use utoipa::ToSchema;

use super::past::PastView;
use super::secrets::masked;
use crate::core::type_templates::TypeTemplates;
use crate::{Error, Permit, Service};

/// The most labels of one read.
const MAX_LABELS: usize = 10_000;
/// The most bytes of the documents that the labels of one read are made from.
const MAX_BYTES: usize = 4 * READ_BYTES;
/// The most characters of a summary line, where many are answered.
const MAX_CHARACTERS: usize = 200;

/// What names a referenced object
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Label {
    /// Its id, by which answers name the label
    #[serde(skip)]
    pub public_id: ObjectId,
    /// The id of its type
    #[schema(value_type = i64)]
    pub type_id: TypeId,
    /// The values of its summary fields in one line
    pub summary: String,
    /// Whether it is active
    pub active: bool,
}

/// The labels of the objects that an object references, now or at a time.
pub async fn of_object(
    permit: &Permit<ObjectView>,
    id: ObjectId,
    as_of: Option<Timestamp>,
) -> Result<Vec<Label>, Error> {
    let rows = [super::read::native(permit, id, as_of).await?.row];
    let templates = permit.service().templates(&permit.catalog());
    let reader = permit.authorization();
    permit
        .read(move |tx| {
            let access = reader.access(tx)?;
            if let Some(at) = as_of {
                let past = PastView::new(&reader, tx, at)?;
                let scope = past.scope(&access);
                return labels(tx, &scope, &past.templates, as_of, &rows);
            }
            let templates = reader.service().templates_for(&templates, &rows);
            labels(tx, &access.scope, &templates, None, &rows)
        })
        .await
}

/// The labels of the objects that `rows` reference and that the caller may see, now or at a time.
pub(crate) fn labels(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    templates: &TypeTemplates,
    as_of: Option<Timestamp>,
    rows: &[ObjectRow],
) -> Result<Vec<Label>, Error> {
    let mut targets = BTreeSet::new();
    for row in rows {
        if let Some(template) = templates.get(row.type_id) {
            let record = record(row.document.clone())?;
            targets.extend(stockroom_render::targets(&record, template));
        }
    }
    let ids: Vec<ObjectId> = targets.into_iter().take(MAX_LABELS).collect();
    labels_of(tx, scope, templates, as_of, &ids).map(|(labels, _)| labels)
}

/// The labels of the first of these objects that the caller may see, and the ids for which there
/// was no room.
pub(crate) fn labels_of(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    templates: &TypeTemplates,
    as_of: Option<Timestamp>,
    ids: &[ObjectId],
) -> Result<(Vec<Label>, Vec<ObjectId>), Error> {
    if ids.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let found = match as_of {
        None => tx.objects(scope, ids, MAX_BYTES)?,
        Some(at) => tx.objects_as_of(scope, ids, at, MAX_BYTES)?.objects,
    };
    let labels = found.rows.into_iter().filter_map(|row| {
        let template = templates.get(row.type_id)?;
        let (public_id, type_id) = (row.public_id, row.type_id);
        let record = masked(row).and_then(|row| record(row.document));
        Some(record.map(|record| Label {
            public_id,
            type_id,
            summary: stockroom_render::summary_line(&record, template),
            active: record.is_active(),
        }))
    });
    Ok((labels.collect::<Result<_, Error>>()?, found.unread))
}

/// The summary lines of these objects of a type that the caller may see, as many as fit.
pub(crate) fn summaries(
    service: &Service,
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    definition: &Type,
    ids: &[ObjectId],
) -> Result<BTreeMap<ObjectId, String>, Error> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let template = TypeTemplate::new(definition, service.records());
    let found = tx.objects(scope, ids, MAX_BYTES)?;
    let lines = found.rows.into_iter().map(|row| {
        let id = row.public_id;
        let record = record(masked(row)?.document)?;
        Ok((
            id,
            short(stockroom_render::summary_line(&record, &template)),
        ))
    });
    lines.collect()
}

/// The beginning of a long line.
fn short(line: String) -> String {
    match line.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

pub(crate) fn record(document: String) -> Result<Record, Error> {
    Ok(Record::new(document).map_err(stockroom_store::Error::from)?)
}
