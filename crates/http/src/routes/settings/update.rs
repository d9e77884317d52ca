use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::Authenticated;
use stockroom_service::setting;

use super::path::{self, SettingPath};
use crate::answer::{Answer, Model, Problem};
use crate::request::{ChangeBody, IfMatch, Origin, Permit};
use crate::schema::{Setting, SettingId, SettingReplacement, Updated};
use crate::state::AppState;

/// Replace a setting
#[utoipa::path(
    method(put, patch), path = "/rest/users/{public_id}/settings/{identifier}", tag = "Settings",
    operation_id = "replace_setting",
    params(SettingId), request_body = SettingReplacement,
    responses((status = 202, description = "The setting as stored", body = Updated<Setting>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    SettingPath { user, identifier }: SettingPath,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(state): State<AppState>,
    ChangeBody(change): ChangeBody,
) -> Result<Answer, Problem> {
    let url = origin.url(&path::to(user, &identifier));
    let written = setting::update(&permit, user, identifier, change, precondition).await?;
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::UserSetting,
        &written,
        state.now(),
        &url,
    ))
}
