use stockroom_access::permission::UserView;
use stockroom_service::user;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ListQuery, Permit};
use crate::schema::{List, ListParameters, User};

/// List users
#[utoipa::path(
    get, path = "/rest/users", tag = "Users", operation_id = "list_users",
    params(ListParameters),
    responses((status = 200, description = "A page of users", body = List<User>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<UserView>,
    query: ListQuery,
) -> Result<Answer, Problem> {
    let page = user::list(&permit, query.request.clone()).await?;
    Ok(query.answer(Model::User, &page))
}
