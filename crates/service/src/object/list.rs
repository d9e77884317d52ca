//! `GET /objects/` and `GET /objects/{public_id}/references`

mod items;

use std::sync::Arc;

use stockroom_access::permission::ObjectView;
use stockroom_filter::{Paths, Projection, Sort};
use stockroom_model::{ObjectId, Problem};
use stockroom_store::{ObjectQuery, Position, ReadTx, Restriction, Start, Window};

use self::items::{Chunk, Presenter};
use super::names::Names;
use super::visible;
use crate::cursor::{Cursor, refused};
use crate::list::{ListRequest, Total};
use crate::{Error, Permit};

pub use items::{Item, Rest};
pub use stockroom_store::READ_BYTES;

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
    let presenter = Arc::new(Presenter {
        authorization: permit.authorization(),
        templates: permit.service().templates(&permit.catalog()),
        view,
        projection: list.projection.clone().map(Arc::new),
        with_revisions,
        now: permit.now(),
    });
    // What is rendered is looked up, and what comes in chunks is counted first.
    let is_short = view == View::Native && window.limit <= CHUNK && list.total != Total::Only;
    let of_documents = presenter
        .projection
        .as_deref()
        .filter(|_| view == View::Native);
    let names = Names::of(&query, of_documents);
    let work = {
        let presenter = Arc::clone(&presenter);
        move |tx: &mut ReadTx<'_>| {
            let (mut first, end) = presenter.first(tx, &list, &query, &names, &window)?;
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
        rest: Rest::new(presenter, page.projection, &page.chunk),
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

impl Presenter {
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
            chunk: Chunk::default(),
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
