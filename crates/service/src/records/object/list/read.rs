//! The read of a list, as a value: prepared once, run in a view of the store.

use std::borrow::Cow;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_access::permission::Administration;
use stockroom_filter::{Paths, Projection, Sort};
use stockroom_model::{ObjectId, Problem};
use stockroom_search::Query;
use stockroom_store::{
    Catalog, Explanation, MAX_MATCHES, ObjectPage, ObjectQuery, Position, ReadTx, Restriction,
    Start, Statement, Want, Window,
};

use super::super::names::Names;
use super::super::past::PastView;
use super::super::search::ResolvedQuery;
use super::items::{Chunk, Presenter};
use super::{ObjectListRequest, View};
use crate::core::cursor::{Cursor, refused};
use crate::core::list::{ListRequest, Total};
use crate::core::type_templates::TypeTemplates;
use crate::{Error, Permit};

/// Objects per read. A longer page takes several reads, so that none occupies a reader for long.
pub(super) const CHUNK: usize = 500;

/// The timestamps of objects. Passwords need no mention: documents hold null in their place.
pub(crate) const PATHS: Paths = Paths {
    timestamps: &["creation_time", "last_edit_time"],
    secrets: &[],
};

/// The read of a list.
pub(crate) struct ListRead {
    list: ListRequest,
    query: ObjectQuery,
    pub(crate) names: Names,
    search: Option<Query>,
    pub(super) window: Window,
    pub(super) want: Want,
    explain: bool,
    pub(super) presenter: Arc<Presenter>,
}

/// The result of the first read.
pub(super) struct First {
    pub(super) total: Option<usize>,
    pub(super) chunk: Chunk,
    pub(super) next: Option<String>,
    pub(super) explanation: Option<Explanation>,
    /// The members to show of each item.
    pub(super) projection: Option<Arc<Projection>>,
    pub(super) warnings: Vec<Problem>,
}

impl ListRead {
    pub(crate) fn new<P>(
        permit: &Permit<P>,
        request: ObjectListRequest,
        restriction: Restriction,
        past: Option<Arc<PastView>>,
    ) -> Result<Self, Error> {
        let ObjectListRequest {
            list,
            view,
            with_revisions,
            with_labels,
            search,
            as_of: _,
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
            templates: match &past {
                None => permit.service().templates(&permit.catalog()),
                Some(past) => Arc::clone(&past.templates),
            },
            past,
            view,
            projection: list.projection.clone().map(Arc::new),
            with_revisions,
            with_labels,
            now: permit.now(),
        });
        let of_documents = presenter.projection.as_deref();
        Ok(Self {
            names: Names::of(&query, of_documents.filter(|_| view == View::Native)),
            search,
            want: want(&list, limit),
            window: Window { start, limit },
            query,
            list,
            explain,
            presenter,
        })
    }

    /// Whether a single statement can suffice. Rendering and labels look up further objects, and
    /// the statement is made on the thread of the request.
    pub(super) fn may_be_one_statement(&self) -> bool {
        let presenter = &self.presenter;
        let is_plain = !self.explain && self.search.is_none() && !self.query.filter.is_large();
        is_plain && !presenter.with_labels && presenter.view == View::Native
    }

    /// The statement that finds the first items, if a single one suffices.
    pub(super) fn statement(
        &self,
        catalog: &Catalog,
        scope: &Scope,
    ) -> Result<Option<Statement<Option<ObjectPage>>>, Error> {
        let query = self.query(catalog, scope);
        let statement = ObjectPage::statement(catalog, scope, &query, &self.window, self.want)?;
        Ok(statement)
    }

    /// The first items, from the result of that statement.
    pub(super) fn answer(
        &self,
        catalog: &Catalog,
        scope: &Scope,
        mut page: ObjectPage,
    ) -> Result<First, Error> {
        let mut first = self.page(catalog, scope, &page);
        let projection = first.projection.as_deref();
        let rows = std::mem::take(&mut page.rows);
        first.chunk = self.presenter.native(rows, page.unread, projection)?;
        Ok(first)
    }

    /// Reads total and first items in a view.
    pub(super) fn run(&self, tx: &mut ReadTx<'_>) -> Result<First, Error> {
        let access = self.presenter.authorization.access(tx)?;
        let scope = &access.scope;
        let query = self.query(tx.catalog(), scope);
        let (query, warning) = self.searched(tx, scope, query)?;
        let (page, explanation) = if self.explain {
            access.check::<Administration>()?;
            let (page, explanation) = tx.list_explained(scope, &query, &self.window, self.want)?;
            (page, Some(explanation))
        } else {
            (tx.list(scope, &query, &self.window, self.want)?, None)
        };
        let mut first = self.page(tx.catalog(), scope, &page);
        first.explanation = explanation;
        first.warnings.extend(warning);
        let projection = first.projection.as_deref();
        first.chunk = self
            .presenter
            .chunk(tx, scope, page.rows, page.unread, projection)?;
        Ok(first)
    }

    /// The query within the objects that the search finds, and a warning if these are not all.
    pub(crate) fn searched<'q>(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        query: Cow<'q, ObjectQuery>,
    ) -> Result<(Cow<'q, ObjectQuery>, Option<Problem>), Error> {
        let Some(search) = &self.search else {
            return Ok((query, None));
        };
        let types = tx.types_of_list(scope, &query)?;
        let wanted = ResolvedQuery::new(search, tx.catalog(), scope).within(types);
        let matches = wanted.matches(tx, scope)?;
        let mut ids: Vec<ObjectId> = matches.found.iter().map(|found| found.public_id).collect();
        ids.sort_unstable();
        let restriction = Restriction::Ids(ids);
        let query = ObjectQuery {
            restriction,
            ..query.into_owned()
        };
        let warning = matches.has_more.then(|| {
            let detail =
                format!("finds many objects, of which only the best {MAX_MATCHES} are listed");
            Problem::new("q", detail)
        });
        Ok((Cow::Owned(query), warning))
    }

    /// The templates of the types in a view.
    pub(crate) fn templates(&self, tx: &ReadTx<'_>) -> Arc<TypeTemplates> {
        let Presenter {
            templates, past, ..
        } = &*self.presenter;
        if past.is_some() {
            return Arc::clone(templates);
        }
        let service = self.presenter.authorization.service();
        service.newest_templates(templates, tx.catalog())
    }

    /// The query with the field names resolved by the types that the caller sees.
    pub(crate) fn query<'q>(&'q self, catalog: &Catalog, scope: &Scope) -> Cow<'q, ObjectQuery> {
        let resolved = self.names.query(&self.query, catalog, scope);
        resolved.map_or(Cow::Borrowed(&self.query), Cow::Owned)
    }

    /// The result without its items.
    pub(super) fn page(&self, catalog: &Catalog, scope: &Scope, page: &ObjectPage) -> First {
        let shown = &self.presenter.projection;
        let projection = self.names.projection(shown.as_deref(), catalog, scope);
        // Behind a full page there may be another one.
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

/// The cursor of a page that ended at `end`.
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
