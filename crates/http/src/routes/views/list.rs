use stockroom_access::permission::ObjectView;
use stockroom_service::view;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ListQuery, Permit};
use crate::schema::{List, ListParameters, View};

/// List views
///
/// Those of the caller, those for its group and those for all, except those of types whose objects
/// the caller may not read.
#[utoipa::path(
    get, path = "/rest/views", tag = "Views", operation_id = "list_views",
    params(ListParameters),
    responses((status = 200, description = "A page of views", body = List<View>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    query: ListQuery,
) -> Result<Answer, Problem> {
    let page = view::list(&permit, query.request.clone()).await?;
    Ok(query.answer(Model::View, &page))
}
