//! `GET /objects/` and `GET /objects/{public_id}/references`

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_access::permission::ObjectView;
use stockroom_filter::{Paths, Projection, Sort};
use stockroom_model::{ObjectId, Problem, Revision, Timestamp};
use stockroom_store::{ObjectQuery, ObjectRow, Position, ReadTx, Restriction, Start, Window};

use super::names::Names;
use super::secrets::masked;
use super::shapes::Shapes;
use super::{visible, world};
use crate::caller::Authorization;
use crate::cursor::{Cursor, refused};
use crate::list::{ListRequest, Total};
use crate::{Error, Permit};

/// Objects per read: a page of more is put together from several, so that none holds a reader for long.
const CHUNK: usize = 500;

/// The timestamps of objects; passwords need no mention here, documents hold null in their place.
const PATHS: Paths = Paths {
    timestamps: &["creation_time", "last_edit_time"],
    secrets: &[],
};

pub use stockroom_store::READ_BYTES;

/// The form in which objects are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    /// Native documents.
    #[default]
    Native,
    /// Rendered documents.
    Render,
}

/// What a caller asks of a list of objects.
#[derive(Debug, Clone)]
pub struct ObjectListRequest {
    /// What it asks of every list.
    pub list: ListRequest,
    /// The form of the objects.
    pub view: View,
    /// Whether each object shows its revision.
    pub with_revisions: bool,
}

/// An object of a list, as JSON to come.
#[derive(Debug)]
pub struct Item {
    document: Document,
    /// To be shown as the last member.
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
    /// About how long the JSON text is, in bytes.
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
            // Writing to a String cannot fail.
            let _ = write!(out, "{comma}\"revision\":{}}}", revision.0);
        }
    }
}

/// The objects of a page: all at once, or the first of several chunks.
pub struct ObjectList {
    /// How many match in all, if that was asked.
    pub total: Option<usize>,
    /// The cursor that asks for the objects after the page, if that was asked; `None` when there are none.
    pub next: Option<String>,
    /// The first objects.
    pub items: Vec<Item>,
    /// What is left to read.
    pub rest: Rest,
    /// What is doubtful about the request.
    pub warnings: Vec<Problem>,
}

/// Objects of a page that are not read yet.
pub struct Rest {
    shape: Arc<Shape>,
    projection: Option<Arc<Projection>>,
    ids: VecDeque<i64>,
    /// So many are read at once: fewer where they are large.
    chunk: usize,
}

impl Rest {
    /// Whether all objects of the page were read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The next objects; `None` when all were read. Objects that were deleted meanwhile are left out.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub async fn next(&mut self) -> Result<Option<Vec<Item>>, Error> {
        if self.ids.is_empty() {
            return Ok(None);
        }
        let ids: Vec<i64> = self.ids.drain(..self.chunk.min(self.ids.len())).collect();
        let shape = Arc::clone(&self.shape);
        let projection = self.projection.clone();
        let chunk = self
            .shape
            .authorization
            .read_newest(move |tx| {
                let scope = shape.authorization.access(tx)?.scope;
                let objects = tx.objects(&scope, &ids, READ_BYTES)?;
                shape.chunk(
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
        Ok(Some(chunk.items))
    }
}

/// Objects that were read together.
struct Chunk {
    items: Vec<Item>,
    /// The ids of those for which there was no room.
    unread: Vec<i64>,
}

/// How rows become items.
struct Shape {
    authorization: Authorization,
    shapes: Arc<Shapes>,
    view: View,
    projection: Option<Arc<Projection>>,
    with_revisions: bool,
    now: Timestamp,
}

impl Shape {
    /// The items of the first rows; the others join `unread`, before what is there.
    fn chunk(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        rows: Vec<ObjectRow>,
        mut unread: Vec<i64>,
        projection: Option<&Projection>,
    ) -> Result<Chunk, Error> {
        let items = match self.view {
            View::Native => rows
                .into_iter()
                .map(|row| self.native(row, projection))
                .collect::<Result<_, Error>>()?,
            View::Render => {
                let ids: Vec<i64> = rows.iter().map(|row| row.public_id).collect();
                let items = self.rendered(tx, scope, rows, projection)?;
                let left = ids.get(items.len()..).unwrap_or_default();
                unread.splice(0..0, left.iter().copied());
                items
            }
        };
        Ok(Chunk { items, unread })
    }

    fn native(&self, row: ObjectRow, projection: Option<&Projection>) -> Result<Item, Error> {
        let revision = row.revision;
        let row = masked(row)?;
        let document = match projection {
            None => Document::Native(row),
            Some(projection) => json(&projection.apply(&row.native()?.into_document()))?,
        };
        Ok(self.item(document, revision))
    }

    /// The items of the first rows: of all, unless they grow too long.
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
        let shapes = self.authorization.service().shapes_of(&self.shapes, &rows);
        let documents = world::render(tx, &shapes, scope, rows, self.now)?;
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

/// The objects that the caller may see.
///
/// # Errors
///
/// See [`Error`].
pub async fn list(
    permit: &Permit<ObjectView>,
    request: ObjectListRequest,
) -> Result<ObjectList, Error> {
    restricted(permit, request, Restriction::None).await
}

/// The objects that reference one that the caller may see.
///
/// # Errors
///
/// See [`Error`].
pub async fn references(
    permit: &Permit<ObjectView>,
    id: ObjectId,
    request: ObjectListRequest,
) -> Result<ObjectList, Error> {
    let reader = permit.clone();
    permit
        .read(move |tx| {
            let scope = reader.access(tx)?.scope;
            visible(tx, &scope, id).map(drop)
        })
        .await?;
    restricted(permit, request, Restriction::References(id)).await
}

pub(super) async fn restricted<P>(
    permit: &Permit<P>,
    request: ObjectListRequest,
    restriction: Restriction,
) -> Result<ObjectList, Error> {
    let ObjectListRequest {
        list,
        view,
        with_revisions,
    } = request;
    let (skipped, limit) = list.window();
    let start = match list.cursor()? {
        Some(cursor) => Start::After(position(cursor)?),
        None => Start::Offset(skipped),
    };
    let window = Window { start, limit };
    let query = ObjectQuery {
        filter: list.checked(&PATHS)?,
        sort: Sort::objects(&list.sort, list.order),
        active_only: list.active_only,
        restriction,
    };
    let shape = Arc::new(Shape {
        authorization: permit.authorization(),
        shapes: permit.service().shapes(&permit.catalog()),
        view,
        projection: list.projection.clone().map(Arc::new),
        with_revisions,
        now: permit.now(),
    });
    // What is rendered is looked up, and what comes in chunks is counted first.
    let is_short = view == View::Native && window.limit <= CHUNK && list.total != Total::Only;
    let of_documents = shape.projection.as_deref().filter(|_| view == View::Native);
    let names = Names::of(&query, of_documents);
    let work = {
        let shape = Arc::clone(&shape);
        move |tx: &mut ReadTx<'_>| {
            let (mut first, end) = shape.first(tx, &list, &query, &names, &window)?;
            let end = end.filter(|_| list.after.is_some());
            first.next = end.map(|end| cursor(end).write(&list));
            Ok(first)
        }
    };
    let page = if is_short {
        permit.read_at_once(work).await?
    } else {
        permit.read(work).await?
    };
    Ok(ObjectList {
        warnings: permit.warn(page.warnings)?,
        total: page.total,
        next: page.next,
        rest: Rest {
            shape,
            projection: page.projection,
            chunk: match page.chunk.items.len() {
                0 => CHUNK,
                count => count,
            },
            ids: page.chunk.unread.into(),
        },
        items: page.chunk.items,
    })
}

/// The cursor of a page that ended here.
fn cursor(end: Position) -> Cursor {
    Cursor {
        key: end.key,
        tie: end.id.to_be_bytes().to_vec(),
    }
}

fn position(cursor: Cursor) -> Result<Position, Error> {
    let id = cursor.tie.try_into().map_err(|_| refused())?;
    Ok(Position {
        key: cursor.key,
        id: i64::from_be_bytes(id),
    })
}

/// What is read at first.
struct First {
    total: Option<usize>,
    chunk: Chunk,
    next: Option<String>,
    /// What is shown of the items.
    projection: Option<Arc<Projection>>,
    warnings: Vec<Problem>,
}

impl Shape {
    /// The total and the first items; where the page ends if it is full, so that there may be more.
    fn first(
        &self,
        tx: &mut ReadTx<'_>,
        list: &ListRequest,
        query: &ObjectQuery,
        names: &Names,
        window: &Window,
    ) -> Result<(First, Option<Position>), Error> {
        let scope = self.authorization.access(tx)?.scope;
        let catalog = tx.catalog();
        let projection = names.projection(self.projection.as_deref(), catalog, &scope);
        let mut first = First {
            total: None,
            chunk: Chunk {
                items: Vec::new(),
                unread: Vec::new(),
            },
            next: None,
            projection: projection.map(Arc::new).or_else(|| self.projection.clone()),
            warnings: names.warnings(catalog, &scope),
        };
        let resolved = names.query(query, catalog, &scope);
        let query = resolved.as_ref().unwrap_or(query);
        let is_counted = list.total == Total::Counted;
        if list.total == Total::Only {
            first.total = Some(tx.object_count(&scope, query)?);
            return Ok((first, None));
        }
        if window.limit <= CHUNK {
            let page = tx.object_page(&scope, query, window, is_counted)?;
            first.total = page.total;
            let count = page.rows.len() + page.unread.len();
            let end = page.end.filter(|_| count == window.limit);
            let projection = first.projection.as_deref();
            first.chunk = self.chunk(tx, &scope, page.rows, page.unread, projection)?;
            return Ok((first, end));
        }
        let page = tx.object_ids(&scope, query, window)?;
        first.total = is_counted.then_some(page.total);
        let end = page.end.filter(|_| page.ids.len() == window.limit);
        first.chunk.unread = page.ids;
        Ok((first, end))
    }
}
