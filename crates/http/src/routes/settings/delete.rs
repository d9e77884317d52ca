use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::Authenticated;
use stockroom_service::setting;

use super::path::SettingPath;
use crate::answer::{Answer, Model, Problem};
use crate::request::{IfMatch, Permit};
use crate::schema::{Deleted, Setting, SettingId};
use crate::state::AppState;

/// Delete a setting
#[utoipa::path(
    delete, path = "/rest/users/{public_id}/settings/{identifier}", tag = "Settings",
    operation_id = "delete_setting",
    params(SettingId),
    responses((status = 202, description = "The removed setting", body = Deleted<Setting>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    path: SettingPath,
    IfMatch(precondition): IfMatch,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let removed = setting::delete(&permit, path.user, path.identifier, precondition).await?;
    Ok(Answer::of_delete(
        StatusCode::ACCEPTED,
        Model::UserSetting,
        &removed,
        state.now(),
    ))
}
