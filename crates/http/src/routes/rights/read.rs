use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::Authenticated;
use stockroom_service::right;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfNoneMatch, Permit};
use crate::schema::{Right, RightName, Single};
use crate::state::AppState;

/// Read a right
#[utoipa::path(
    get, path = "/rest/rights/{name}", tag = "Rights", operation_id = "read_right",
    params(RightName),
    responses((status = 200, description = "The right", body = Single<Right>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    Id(name): Id<String>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let document = right::read_right(&permit, &name)?;
    Ok(known.answer(document.revision, || {
        Answer::single(Model::Right, &document.value, state.now())
    }))
}
