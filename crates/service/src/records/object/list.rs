//! `GET /objects/` and `GET /objects/{public_id}/references`

mod items;
mod past;
mod read;

use std::sync::Arc;

use stockroom_access::permission::ObjectView;
use stockroom_model::{ObjectId, Problem, Timestamp};
use stockroom_search::Query;
use stockroom_store::{ObjectPage, Restriction};

use self::read::First;
use super::labels::Label;
use super::visible;
use crate::core::list::ListRequest;
use crate::{Error, Permit};

pub use items::{Item, Rest};
pub(crate) use past::PastList;
pub(crate) use read::ListRead;
pub(crate) use read::PATHS;
pub use stockroom_store::{Explanation, READ_BYTES};

/// The format of listed objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    /// Native documents.
    #[default]
    Native,
    /// Rendered documents.
    Render,
}

/// The parameters of a list of objects.
#[derive(Debug, Clone)]
pub struct ObjectListRequest {
    /// The parameters that every list has.
    pub list: ListRequest,
    /// The format of the objects.
    pub view: View,
    /// Whether to include the revision of each object.
    pub with_revisions: bool,
    /// Whether to label the objects that the listed ones reference.
    pub with_labels: bool,
    /// What the objects must contain, as for a search.
    pub search: Option<Query>,
    /// The time from which to show the objects; `None` for now.
    pub as_of: Option<Timestamp>,
    /// Whether to explain how the list is found; for administrators.
    pub explain: bool,
}

/// The objects of a page: all at once, or the first of several chunks.
pub struct ObjectList {
    /// How many objects match in all, if requested.
    pub total: Option<usize>,
    /// The cursor of the next page, if requested; `None` at the end.
    pub next: Option<String>,
    /// The first objects.
    pub items: Vec<Item>,
    /// The labels of the objects that they reference, if requested.
    pub labels: Vec<Label>,
    /// The objects that are still to be read.
    pub rest: Rest,
    /// How the list was found, if requested.
    pub explanation: Option<Explanation>,
    /// Warnings about the request.
    pub warnings: Vec<Problem>,
}

/// The objects that the caller may see.
pub async fn list(
    permit: &Permit<ObjectView>,
    request: ObjectListRequest,
) -> Result<ObjectList, Error> {
    restricted(permit, request, Restriction::None).await
}

/// The visible objects that reference an object, which must be visible too.
pub async fn references(
    permit: &Permit<ObjectView>,
    id: ObjectId,
    request: ObjectListRequest,
) -> Result<ObjectList, Error> {
    if let Some(at) = request.as_of {
        super::past::native(permit, id, at).await?;
    } else {
        let reader = permit.clone();
        let check = permit.read(move |tx| {
            let scope = reader.access(tx)?.scope;
            visible(tx, &scope, id).map(drop)
        });
        check.await?;
    }
    restricted(permit, request, Restriction::References(id)).await
}

pub(crate) async fn restricted<P>(
    permit: &Permit<P>,
    request: ObjectListRequest,
    restriction: Restriction,
) -> Result<ObjectList, Error> {
    if let Some(at) = request.as_of {
        if request.search.is_some() {
            return Err(Error::invalid("q", "cannot stand beside `as_of`"));
        }
        return past::list(permit, request, restriction, at).await;
    }
    let read = Arc::new(ListRead::new(permit, request, restriction, None)?);
    let first = if let Some(first) = fetch(permit, &read).await? {
        first
    } else {
        let read = Arc::clone(&read);
        permit.read(move |tx| read.run(tx)).await?
    };
    Ok(ObjectList {
        warnings: permit.warn(first.warnings)?,
        total: first.total,
        next: first.next,
        explanation: first.explanation,
        rest: Rest::new(Arc::clone(&read.presenter), first.projection, &first.chunk),
        items: first.chunk.items,
        labels: first.chunk.labels,
    })
}

/// Reads the first items with a single statement, where one suffices and saves a round trip.
async fn fetch<P>(permit: &Permit<P>, read: &Arc<ListRead>) -> Result<Option<First>, Error> {
    if !permit.service().store.is_remote() || !read.may_be_one_statement() {
        return Ok(None);
    }
    let (asker, answerer) = (Arc::clone(read), Arc::clone(read));
    let found = permit.fetch(
        move |catalog, access| asker.statement(catalog, &access.scope),
        move |catalog, access, page: Option<ObjectPage>| {
            let page = page.map(|page| answerer.answer(catalog, &access.scope, page));
            page.transpose()
        },
    );
    found.await.map(Option::flatten)
}
