use stockroom_access::permission::LoggedIn;
use stockroom_service::token;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ListQuery, Permit};
use crate::schema::{List, ListParameters, Token};

/// List API tokens
///
/// Those of the caller. With the right to edit users, those of all users.
#[utoipa::path(
    get, path = "/rest/tokens", tag = "Tokens", operation_id = "list_tokens",
    params(ListParameters),
    responses((status = 200, description = "A page of tokens", body = List<Token>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LoggedIn>,
    query: ListQuery,
) -> Result<Answer, Problem> {
    let page = token::list(&permit, query.request.clone()).await?;
    Ok(query.answer(Model::Token, &page))
}
