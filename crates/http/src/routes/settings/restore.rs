use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::LogView;
use stockroom_service::history::RestoreRequest;
use stockroom_service::setting;

use super::path::{self, SettingPath};
use crate::answer::{Answer, Model, Problem};
use crate::request::{IfMatch, JsonBody, Origin, Permit};
use crate::schema::{RestoreBody, Setting, SettingId, Updated};
use crate::state::AppState;

/// Restore an earlier state of a setting
///
/// Also of a deleted one. If later changes would be overwritten, the answer is 409 with a list of
/// them, unless `force` is true.
#[utoipa::path(
    post, path = "/rest/users/{public_id}/settings/{identifier}/restore", tag = "Settings",
    operation_id = "restore_setting",
    params(SettingId), request_body = RestoreBody,
    responses((status = 202, description = "The setting as stored", body = Updated<Setting>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LogView>,
    path: SettingPath,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let request = RestoreRequest::read(&body)?;
    let url = origin.url(&path::to(path.user, &path.identifier));
    let restored = setting::restore(&permit, path.user, path.identifier, request, precondition);
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::UserSetting,
        &restored.await?,
        state.now(),
        &url,
    ))
}
