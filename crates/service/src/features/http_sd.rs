//! `GET /integrations/http_sd`: objects as targets for Prometheus (`docs/guide/src/integrations.md`)

mod mapping;
mod target;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::Serialize;
use stockroom_access::Scope;
use stockroom_access::permission::ObjectView;
use stockroom_model::{ObjectId, TypeId};
use stockroom_render::Record;
use stockroom_store::{ReadTx, Restriction};
use utoipa::ToSchema;

use self::mapping::{Column, Mapping};
use self::target::target;
use crate::core::type_templates::TypeTemplates;
use crate::records::object::labels::{labels_of, record};
use crate::records::object::list::{ListRead, ObjectListRequest};
use crate::{Error, Permit};

/// The most objects of an answer, which is built in memory.
const MAX_OBJECTS: usize = 10_000;
/// The most bytes of an answer.
const MAX_BYTES: usize = 16 * 1_024 * 1_024;
/// The most characters of a label. The total bounds them, too, but one long text must not stop
/// the discovery of all other objects.
const MAX_CHARACTERS: usize = 1_024;

/// What to discover.
#[derive(Debug, Clone)]
pub struct TargetsRequest {
    /// Which objects.
    pub list: ObjectListRequest,
    /// The field that holds the host name or the address.
    pub address: String,
    /// The port of all targets, or the field that holds it.
    pub port: Option<Port>,
    /// The names of fields and members that become labels.
    pub labels: Vec<String>,
}

/// Where the port comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Port {
    /// All targets have this one.
    Number(u16),
    /// The name of the field that holds it.
    Field(String),
}

/// A target for Prometheus
#[derive(Debug, Serialize, ToSchema)]
pub struct TargetGroup {
    /// Host and port
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1, example = json!(["web-01:9100"]))]
    targets: [String; 1],
    /// `__meta_stockroom_type`, `__meta_stockroom_public_id`, and those that were asked for
    labels: BTreeMap<String, String>,
}

/// The objects that the caller may see and that have an address, as the JSON list that Prometheus
/// reads.
///
/// # Errors
///
/// [`Error::Invalid`]: a name leads to no field, or the answer would be too long.
pub async fn targets(
    permit: &Permit<ObjectView>,
    request: TargetsRequest,
) -> Result<String, Error> {
    let read = ListRead::new(permit, request.list.clone(), Restriction::None, None)?;
    let reader = permit.authorization();
    permit
        .read(move |tx| {
            let scope = reader.access(tx)?.scope;
            discover(tx, &scope, &read, &request)
        })
        .await
}

fn discover(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    read: &ListRead,
    request: &TargetsRequest,
) -> Result<String, Error> {
    let query = read.query(tx.catalog(), scope);
    let warnings = read.names.warnings(tx.catalog(), scope);
    if !warnings.is_empty() {
        return Err(Error::no_place_for(warnings));
    }
    let types = tx.types_of_list(scope, &query)?;
    let mapping = Mapping::new(tx.catalog(), scope, types.as_deref(), request)?;
    let mut writer = Writer {
        mapping,
        templates: read.templates(tx),
        text: "[".to_owned(),
    };
    let mut walk = tx.walk_list(scope, &query)?;
    let mut count = 0;
    loop {
        let rows = tx.walk_on(scope, &mut walk)?;
        if rows.is_empty() {
            writer.text.push_str("]\n");
            return Ok(writer.text);
        }
        count += rows.len();
        if count > MAX_OBJECTS {
            let detail = format!("matches more than {MAX_OBJECTS} objects; use a narrower one");
            return Err(Error::invalid("filter", detail));
        }
        let rows = rows.into_iter().map(|row| {
            let type_id = row.type_id;
            Ok((type_id, record(row.document)?))
        });
        let rows: Vec<(TypeId, Record)> = rows.collect::<Result<_, Error>>()?;
        writer.write(tx, scope, &rows)?;
    }
}

/// Writes objects as targets.
struct Writer {
    mapping: Mapping,
    templates: Arc<TypeTemplates>,
    text: String,
}

/// The summary lines of referenced objects.
type Summaries = HashMap<ObjectId, String>;

impl Writer {
    fn write(
        &mut self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        rows: &[(TypeId, Record)],
    ) -> Result<(), Error> {
        let summaries = self.summaries(tx, scope, rows)?;
        for (type_id, record) in rows {
            let Some(group) = self.group(*type_id, record, &summaries)? else {
                continue;
            };
            if self.text.len() > 1 {
                self.text.push_str(",\n");
            }
            self.text.push_str(&group);
            if self.text.len() > MAX_BYTES {
                let detail = format!("the answer is longer than {MAX_BYTES} bytes; use fewer");
                return Err(Error::invalid("labels", detail));
            }
        }
        Ok(())
    }

    fn summaries(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        rows: &[(TypeId, Record)],
    ) -> Result<Summaries, Error> {
        let references = rows.iter().flat_map(|(type_id, record)| {
            let columns = self.mapping.columns();
            columns.filter_map(|column| column.reference(*type_id, record))
        });
        let wanted: BTreeSet<ObjectId> = references.collect();
        let mut wanted: Vec<ObjectId> = wanted.into_iter().collect();
        let mut summaries = Summaries::new();
        while !wanted.is_empty() {
            let (found, unread) = labels_of(tx, scope, &self.templates, None, &wanted)?;
            let found = found.into_iter();
            summaries.extend(found.map(|label| (label.public_id, label.summary)));
            wanted = unread;
        }
        summaries.retain(|_, summary| !summary.is_empty());
        Ok(summaries)
    }

    /// An object as JSON; `None` without an address.
    fn group(
        &self,
        type_id: TypeId,
        record: &Record,
        summaries: &Summaries,
    ) -> Result<Option<String>, Error> {
        let mapping = &self.mapping;
        let address = mapping.address.text(type_id, record, summaries);
        let port = mapping.port(record);
        let Some(target) = address.and_then(|address| target(&address, port)) else {
            return Ok(None);
        };
        let mut labels = BTreeMap::new();
        for column in &mapping.labels {
            if let Some(text) = shown(column, type_id, record, summaries) {
                labels.insert(column.label.clone(), text);
            }
        }
        if let Some(name) = mapping.types.get(&type_id) {
            labels.insert(mapping::TYPE.to_owned(), name.clone());
        }
        let group = TargetGroup {
            targets: [target],
            labels,
        };
        serde_json::to_string(&group)
            .map(Some)
            .map_err(Error::internal)
    }
}

/// The value of a label; `None` for what Prometheus treats as absent anyway.
fn shown(
    column: &Column,
    type_id: TypeId,
    record: &Record,
    summaries: &Summaries,
) -> Option<String> {
    let mut text = column.label_text(type_id, record, summaries)?;
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARACTERS) {
        text.truncate(end);
    }
    Some(text).filter(|text| !text.is_empty())
}
