//! `GET /objects/` and `GET /objects/{public_id}/references`

mod items;

use std::borrow::Cow;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_access::permission::{Administration, ObjectView};
use stockroom_filter::{Paths, Projection, Sort};
use stockroom_model::{ObjectId, Problem};
use stockroom_store::{
    Catalog, ObjectPage, ObjectQuery, Position, ReadTx, Restriction, Start, Want, Window,
};

use self::items::{Chunk, Presenter};
use super::names::Names;
use super::visible;
use crate::cursor::{Cursor, refused};
use crate::list::{ListRequest, Total};
use crate::{Error, Permit};

pub use items::{Item, Rest};
pub use stockroom_store::{Explanation, READ_BYTES};

/// Objects per read: a page of more is put together from several, so that none holds a reader for
/// long.
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
    /// Whether to tell how the list is found; for administrators.
    pub explain: bool,
}

/// The objects of a page: all at once, or the first of several chunks.
pub struct ObjectList {
    /// How many match in all, if that was asked.
    pub total: Option<usize>,
    /// The cursor that asks for the objects after the page, if that was asked; `None` when there
    /// are none.
    pub next: Option<String>,
    /// The first objects.
    pub items: Vec<Item>,
    /// What is left to read.
    pub rest: Rest,
    /// How the list was found, if that was asked.
    pub explanation: Option<Explanation>,
    /// What is doubtful about the request.
    pub warnings: Vec<Problem>,
}

/// The objects that the caller may see.
pub async fn list(
    permit: &Permit<ObjectView>,
    request: ObjectListRequest,
) -> Result<ObjectList, Error> {
    restricted(permit, request, Restriction::None).await
}

/// The objects that reference one that the caller may see.
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
    let read = Arc::new(ListRead::new(permit, request, restriction)?);
    let page = if let Some(page) = read.fetch(permit).await? {
        page
    } else {
        let read = Arc::clone(&read);
        permit.read(move |tx| read.first(tx)).await?
    };
    Ok(ObjectList {
        warnings: permit.warn(page.warnings)?,
        total: page.total,
        next: page.next,
        explanation: page.explanation,
        rest: Rest::new(Arc::clone(&read.presenter), page.projection, &page.chunk),
        items: page.chunk.items,
    })
}

/// The cursor of a page that ended here.
fn cursor(end: Position) -> Cursor {
    Cursor {
        key: end.key,
        tie: end.id.get().to_be_bytes().to_vec(),
    }
}

fn position(cursor: Cursor) -> Result<Position, Error> {
    let id = cursor.tie.try_into().map_err(|_| refused())?;
    let id = ObjectId::new(i64::from_be_bytes(id)).ok_or_else(refused)?;
    Ok(Position {
        key: cursor.key,
        id,
    })
}

/// What is read at first.
struct First {
    total: Option<usize>,
    chunk: Chunk,
    next: Option<String>,
    explanation: Option<Explanation>,
    /// What is shown of the items.
    projection: Option<Arc<Projection>>,
    warnings: Vec<Problem>,
}

/// The read of a list.
struct ListRead {
    list: ListRequest,
    query: ObjectQuery,
    names: Names,
    window: Window,
    want: Want,
    explain: bool,
    presenter: Arc<Presenter>,
}

impl ListRead {
    fn new<P>(
        permit: &Permit<P>,
        request: ObjectListRequest,
        restriction: Restriction,
    ) -> Result<Self, Error> {
        let ObjectListRequest {
            list,
            view,
            with_revisions,
            explain,
        } = request;
        let (skipped, limit) = list.window();
        let start = match list.cursor()? {
            Some(cursor) => Start::After(position(cursor)?),
            None => Start::Offset(skipped),
        };
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
        let of_documents = presenter.projection.as_deref();
        Ok(Self {
            names: Names::of(&query, of_documents.filter(|_| view == View::Native)),
            want: want(&list, limit),
            window: Window { start, limit },
            query,
            list,
            explain,
            presenter,
        })
    }

    /// The first items by one statement, where that saves a round trip and will do.
    async fn fetch<P>(self: &Arc<Self>, permit: &Permit<P>) -> Result<Option<First>, Error> {
        // What is rendered is looked up.
        let needs_more = self.explain || self.presenter.view == View::Render;
        if needs_more || !permit.service().store.is_remote() {
            return Ok(None);
        }
        let (asker, answerer) = (Arc::clone(self), Arc::clone(self));
        let found = permit.fetch(
            move |catalog, access| {
                let query = asker.query(catalog, &access.scope);
                let window = &asker.window;
                Ok(ObjectPage::statement(
                    catalog,
                    &access.scope,
                    &query,
                    window,
                    asker.want,
                )?)
            },
            move |catalog, access, page: Option<ObjectPage>| {
                let Some(mut page) = page else {
                    return Ok(None);
                };
                let mut first = answerer.page(catalog, &access.scope, &page);
                let projection = first.projection.as_deref();
                let rows = std::mem::take(&mut page.rows);
                first.chunk = answerer.presenter.native(rows, page.unread, projection)?;
                Ok(Some(first))
            },
        );
        found.await.map(Option::flatten)
    }

    /// The total and the first items, in a view.
    fn first(&self, tx: &mut ReadTx<'_>) -> Result<First, Error> {
        let access = self.presenter.authorization.access(tx)?;
        let scope = &access.scope;
        let query = self.query(tx.catalog(), scope);
        let (page, explanation) = if self.explain {
            access.check::<Administration>()?;
            let (page, explanation) = tx.list_explained(scope, &query, &self.window, self.want)?;
            (page, Some(explanation))
        } else {
            (tx.list(scope, &query, &self.window, self.want)?, None)
        };
        let mut first = self.page(tx.catalog(), scope, &page);
        first.explanation = explanation;
        let projection = first.projection.as_deref();
        first.chunk = self
            .presenter
            .chunk(tx, scope, page.rows, page.unread, projection)?;
        Ok(first)
    }

    /// The query as the types mean it that the caller sees.
    fn query<'q>(&'q self, catalog: &Catalog, scope: &Scope) -> Cow<'q, ObjectQuery> {
        let resolved = self.names.query(&self.query, catalog, scope);
        resolved.map_or(Cow::Borrowed(&self.query), Cow::Owned)
    }

    /// What a page says but for its items.
    fn page(&self, catalog: &Catalog, scope: &Scope, page: &ObjectPage) -> First {
        let shown = &self.presenter.projection;
        let projection = self.names.projection(shown.as_deref(), catalog, scope);
        // A page that is full may have another one behind it.
        let is_full = self.want != Want::Total && page.len() == self.window.limit;
        let end = page
            .end
            .clone()
            .filter(|_| is_full && self.list.is_by_cursor());
        First {
            total: page.total,
            chunk: Chunk::default(),
            explanation: None,
            next: end.map(|end| cursor(end).write(&self.list)),
            projection: projection.map(Arc::new).or_else(|| shown.clone()),
            warnings: self.names.warnings(catalog, scope),
        }
    }
}

fn want(list: &ListRequest, limit: usize) -> Want {
    let total = list.total == Total::Counted;
    match list.total {
        Total::Only => Want::Total,
        _ if limit <= CHUNK => Want::Objects { total },
        _ => Want::Ids { total },
    }
}
