use stockroom_access::permission::GroupView;
use stockroom_service::group;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ListQuery, Permit};
use crate::schema::{Group, List, ListParameters};

/// List groups
#[utoipa::path(
    get, path = "/rest/groups", tag = "Groups", operation_id = "list_groups",
    params(ListParameters),
    responses((status = 200, description = "A page of groups", body = List<Group>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<GroupView>,
    query: ListQuery,
) -> Result<Answer, Problem> {
    let page = group::list(&permit, query.request.clone()).await?;
    Ok(query.answer(Model::Group, &page))
}
