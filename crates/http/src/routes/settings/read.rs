use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::Authenticated;
use stockroom_service::setting;

use super::path::SettingPath;
use crate::answer::{Answer, Model, Problem, TOTAL_COUNT_HEADER};
use crate::request::{IfNoneMatch, Permit};
use crate::schema::{Results, Setting, SettingId};
use crate::state::AppState;

/// Read a setting
///
/// The answer has it in `results`.
#[utoipa::path(
    get, path = "/rest/users/{public_id}/settings/{identifier}", tag = "Settings",
    operation_id = "read_setting",
    params(SettingId),
    responses((status = 200, description = "The setting", body = Results<Setting>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    path: SettingPath,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let document = setting::read_setting(&permit, path.user, path.identifier).await?;
    Ok(known.answer(document.revision, || {
        Answer::only_result(Model::UserSetting, &document.value, state.now())
            .header(TOTAL_COUNT_HEADER, "1")
    }))
}
