//! The objects of a list from rows to JSON text: the first chunk, and those that are read while it
//! is sent.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_filter::Projection;
use stockroom_model::{ObjectId, Revision, Timestamp};
use stockroom_store::{ObjectRow, Objects, READ_BYTES, ReadTx};

use super::super::labels::{Label, labels};
use super::super::loader::Rendering;
use super::super::past::PastView;
use super::super::secrets::masked;
use super::View;
use super::read::CHUNK;
use crate::Error;
use crate::core::access::Access;
use crate::core::caller::Authorization;
use crate::core::type_templates::TypeTemplates;

/// An object of a list, not yet written as JSON.
#[derive(Debug)]
pub struct Item {
    document: Document,
    /// Shown as the last member.
    revision: Option<Revision>,
}

#[derive(Debug)]
enum Document {
    /// A stored document, passed on without being parsed.
    Native(ObjectRow),
    /// Any other JSON text.
    Json(String),
}

impl Item {
    /// The approximate length of the JSON text, in bytes.
    #[must_use]
    pub const fn length(&self) -> usize {
        match &self.document {
            Document::Native(row) => row.document.len() + 64,
            Document::Json(text) => text.len() + 32,
        }
    }

    /// Appends the JSON text.
    pub fn write(&self, out: &mut String) {
        match &self.document {
            Document::Native(row) => row.write_native(out),
            Document::Json(text) => out.push_str(text),
        }
        if let Some(revision) = self.revision
            && out.ends_with('}')
        {
            out.pop();
            let comma = if out.ends_with('{') { "" } else { "," };
            let _ = write!(out, "{comma}\"revision\":{}}}", revision.0);
        }
    }
}

/// The objects of a page that are not read yet.
pub struct Rest {
    presenter: Arc<Presenter>,
    projection: Option<Arc<Projection>>,
    ids: VecDeque<ObjectId>,
    /// How many to read at once; fewer if they are large.
    chunk: usize,
}

impl Rest {
    /// The rest of a page after its first chunk.
    pub(super) fn new(
        presenter: Arc<Presenter>,
        projection: Option<Arc<Projection>>,
        first: &Chunk,
    ) -> Self {
        Self {
            presenter,
            projection,
            ids: first.unread.iter().copied().collect(),
            chunk: match first.items.len() {
                0 => CHUNK,
                count => count,
            },
        }
    }

    /// Whether all objects of the page were read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The next objects with their labels; `None` after the last. Skips objects deleted meanwhile.
    pub async fn next(&mut self) -> Result<Option<(Vec<Item>, Vec<Label>)>, Error> {
        if self.ids.is_empty() {
            return Ok(None);
        }
        let ids: Vec<ObjectId> = self.ids.drain(..self.chunk.min(self.ids.len())).collect();
        let presenter = Arc::clone(&self.presenter);
        let projection = self.projection.clone();
        let chunk = self
            .presenter
            .authorization
            .read_newest(move |tx| {
                let access = presenter.authorization.access(tx)?;
                let (scope, objects) = presenter.read(tx, access, &ids)?;
                presenter.chunk(
                    tx,
                    &scope,
                    objects.rows,
                    objects.unread,
                    projection.as_deref(),
                )
            })
            .await?;
        self.chunk = if chunk.unread.is_empty() {
            (self.chunk * 2).min(CHUNK)
        } else {
            chunk.items.len().max(1)
        };
        for id in chunk.unread.into_iter().rev() {
            self.ids.push_front(id);
        }
        Ok(Some((chunk.items, chunk.labels)))
    }
}

/// Objects from one read.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) items: Vec<Item>,
    /// The ids for which there was no room.
    pub(super) unread: Vec<ObjectId>,
    /// The labels of the objects that these reference, if requested.
    pub(super) labels: Vec<Label>,
}

/// Turns rows into items.
pub(super) struct Presenter {
    pub(super) authorization: Authorization,
    pub(super) templates: Arc<TypeTemplates>,
    pub(super) view: View,
    pub(super) projection: Option<Arc<Projection>>,
    pub(super) with_revisions: bool,
    pub(super) with_labels: bool,
    pub(super) now: Timestamp,
    /// The time from which objects are shown; `None` for now.
    pub(super) past: Option<Arc<PastView>>,
}

impl Presenter {
    /// Reads the objects that the caller may see, with the scope that says which.
    fn read(
        &self,
        tx: &mut ReadTx<'_>,
        access: Access,
        ids: &[ObjectId],
    ) -> Result<(Arc<Scope>, Objects), Error> {
        match &self.past {
            None => {
                let objects = tx.objects(&access.scope, ids, READ_BYTES)?;
                Ok((access.scope, objects))
            }
            Some(past) => {
                let scope = past.scope(&access);
                let found = tx.objects_as_of(&scope, ids, past.at, READ_BYTES)?;
                Ok((scope, found.objects))
            }
        }
    }

    /// Makes items of the first rows, as many as fit. The ids of the others go before `unread`.
    pub(super) fn chunk(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        rows: Vec<ObjectRow>,
        mut unread: Vec<ObjectId>,
        projection: Option<&Projection>,
    ) -> Result<Chunk, Error> {
        let labels = if self.with_labels {
            self.labels(tx, scope, &rows)?
        } else {
            Vec::new()
        };
        if self.view == View::Native {
            let chunk = self.native(rows, unread, projection)?;
            return Ok(Chunk { labels, ..chunk });
        }
        let ids: Vec<ObjectId> = rows.iter().map(|row| row.public_id).collect();
        let items = self.rendered(tx, scope, rows, projection)?;
        let left = ids.get(items.len()..).unwrap_or_default();
        unread.splice(0..0, left.iter().copied());
        Ok(Chunk {
            items,
            unread,
            labels,
        })
    }

    fn labels(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        rows: &[ObjectRow],
    ) -> Result<Vec<Label>, Error> {
        let service = self.authorization.service();
        let templates = service.templates_for(&self.templates, rows);
        let as_of = self.past.as_ref().map(|past| past.at);
        labels(tx, scope, &templates, as_of, rows)
    }

    /// Like [`Presenter::chunk`], for native documents, which need no further reads.
    pub(super) fn native(
        &self,
        rows: Vec<ObjectRow>,
        unread: Vec<ObjectId>,
        projection: Option<&Projection>,
    ) -> Result<Chunk, Error> {
        let mut items = Vec::with_capacity(rows.len());
        for row in rows {
            items.push(self.native_item(row, projection)?);
        }
        Ok(Chunk {
            items,
            unread,
            labels: Vec::new(),
        })
    }

    fn native_item(&self, row: ObjectRow, projection: Option<&Projection>) -> Result<Item, Error> {
        let revision = row.revision;
        let row = masked(row)?;
        let document = match projection {
            None => Document::Native(row),
            Some(projection) => json(&projection.apply(&row.native()?.into_document()))?,
        };
        Ok(self.item(document, revision))
    }

    /// Renders the first rows, as many as fit.
    fn rendered(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        rows: Vec<ObjectRow>,
        projection: Option<&Projection>,
    ) -> Result<Vec<Item>, Error> {
        let revisions: Vec<Revision> = rows.iter().map(|row| row.revision).collect();
        let rows = rows
            .into_iter()
            .map(masked)
            .collect::<Result<Vec<ObjectRow>, Error>>()?;
        let templates = self
            .authorization
            .service()
            .templates_for(&self.templates, &rows);
        let rendering = Rendering {
            templates: &templates,
            scope,
            as_of: self.past.as_ref().map(|past| past.at),
            now: self.now,
        };
        let documents = rendering.render(tx, rows)?;
        documents
            .into_iter()
            .zip(revisions)
            .map(|(document, revision)| {
                let document = match projection {
                    None => Document::Json(document),
                    Some(projection) => {
                        let document = serde_json::from_str(&document);
                        json(&projection.apply(&document.map_err(Error::internal)?))?
                    }
                };
                Ok(self.item(document, revision))
            })
            .collect()
    }

    fn item(&self, document: Document, revision: Revision) -> Item {
        let revision = self.with_revisions.then_some(revision);
        Item { document, revision }
    }
}

fn json(value: &stockroom_model::json::Value) -> Result<Document, Error> {
    serde_json::to_string(value)
        .map(Document::Json)
        .map_err(Error::internal)
}
