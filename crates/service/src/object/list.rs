//! `GET /objects/` and `GET /objects/{public_id}/references`

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
    ids: std::vec::IntoIter<i64>,
}

impl Rest {
    /// Whether all objects of the page were read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.len() == 0
    }

    /// The next objects; none when all were read. Objects that were deleted meanwhile are left out.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub async fn next(&mut self) -> Result<Vec<Item>, Error> {
        let ids: Vec<i64> = self.ids.by_ref().take(CHUNK).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let shape = Arc::clone(&self.shape);
        let projection = self.projection.clone();
        self.shape
            .authorization
            .read_newest(move |tx| {
                let scope = shape.authorization.access(tx)?.scope;
                let rows = tx.objects(&scope, &ids)?.0;
                shape.items(tx, &scope, rows, projection.as_deref())
            })
            .await
    }
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
    fn items(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        rows: Vec<ObjectRow>,
        projection: Option<&Projection>,
    ) -> Result<Vec<Item>, Error> {
        let shown = |row: &ObjectRow| self.with_revisions.then_some(row.revision);
        let revisions: Vec<Option<Revision>> = rows.iter().map(shown).collect();
        let documents = self.documents(tx, scope, rows, projection)?;
        let items = documents.into_iter().zip(revisions);
        Ok(items
            .map(|(document, revision)| Item { document, revision })
            .collect())
    }

    fn documents(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        rows: Vec<ObjectRow>,
        projection: Option<&Projection>,
    ) -> Result<Vec<Document>, Error> {
        match (self.view, projection) {
            (View::Native, None) => rows
                .into_iter()
                .map(|row| Ok(Document::Native(masked(row)?)))
                .collect(),
            (View::Native, Some(projection)) => rows
                .into_iter()
                .map(|row| json(&projection.apply(&masked(row)?.native()?.into_document())))
                .collect(),
            (View::Render, projection) => {
                let rows = rows
                    .into_iter()
                    .map(masked)
                    .collect::<Result<Vec<ObjectRow>, Error>>()?;
                let shapes = self.authorization.service().shapes_of(&self.shapes, &rows);
                let documents = world::render(tx, &shapes, scope, rows, self.now)?;
                documents
                    .into_iter()
                    .map(|document| match projection {
                        None => Ok(Document::Json(document)),
                        Some(projection) => {
                            let document = serde_json::from_str(&document);
                            json(&projection.apply(&document.map_err(Error::internal)?))
                        }
                    })
                    .collect()
            }
        }
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
        shapes: permit.service().shapes.of(&permit.catalog()),
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
            let (mut first, end, ids) = shape.first(tx, &list, &query, &names, &window)?;
            let end = end.filter(|_| list.after.is_some());
            first.next = end.map(|end| cursor(end).write(&list));
            Ok((first, ids))
        }
    };
    let (page, ids) = if is_short {
        permit.read_at_once(work).await?
    } else {
        permit.read(work).await?
    };
    Ok(ObjectList {
        warnings: permit.warn(page.warnings)?,
        total: page.total,
        next: page.next,
        items: page.items,
        rest: Rest {
            shape,
            projection: page.projection,
            ids: ids.into_iter(),
        },
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
    items: Vec<Item>,
    next: Option<String>,
    /// What is shown of the items.
    projection: Option<Arc<Projection>>,
    warnings: Vec<Problem>,
}

impl Shape {
    /// The total and the first items; where the page ends if it is full, so that there may be more; the ids of the other items.
    fn first(
        &self,
        tx: &mut ReadTx<'_>,
        list: &ListRequest,
        query: &ObjectQuery,
        names: &Names,
        window: &Window,
    ) -> Result<(First, Option<Position>, Vec<i64>), Error> {
        let scope = self.authorization.access(tx)?.scope;
        let catalog = tx.catalog();
        let projection = names.projection(self.projection.as_deref(), catalog, &scope);
        let mut first = First {
            total: None,
            items: Vec::new(),
            next: None,
            projection: projection.map(Arc::new).or_else(|| self.projection.clone()),
            warnings: names.warnings(catalog, &scope),
        };
        let resolved = names.query(query, catalog, &scope);
        let query = resolved.as_ref().unwrap_or(query);
        let is_counted = list.total == Total::Counted;
        if list.total == Total::Only {
            first.total = Some(tx.object_count(&scope, query)?);
            return Ok((first, None, Vec::new()));
        }
        if window.limit <= CHUNK {
            let page = tx.object_page(&scope, query, window, is_counted)?;
            first.total = page.total;
            let end = page.end.filter(|_| page.rows.len() == window.limit);
            first.items = self.items(tx, &scope, page.rows, first.projection.as_deref())?;
            return Ok((first, end, Vec::new()));
        }
        let page = tx.object_ids(&scope, query, window)?;
        first.total = is_counted.then_some(page.total);
        let end = page.end.filter(|_| page.ids.len() == window.limit);
        Ok((first, end, page.ids))
    }
}
