use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::Authenticated;
use stockroom_service::right;

use crate::answer::{Answer, Model};
use crate::request::{IfNoneMatch, Permit};
use crate::schema::{SecurityLevels, Single};
use crate::state::AppState;

/// Read the security levels
#[utoipa::path(
    get, path = "/rest/rights/levels", tag = "Rights", operation_id = "read_security_levels",
    responses((status = 200, description = "The levels by name", body = Single<SecurityLevels>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Response {
    let document = right::levels(&permit);
    known.answer(document.revision, || {
        Answer::single(Model::SecurityLevel, &document.value, state.now())
    })
}
