use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::Authenticated;
use stockroom_model::UserId;
use stockroom_service::setting;

use super::path;
use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, JsonBody, Origin, Permit};
use crate::schema::{InsertedSetting, RecordId, SettingBody};
use crate::state::AppState;

/// Insert a setting of a user
#[utoipa::path(
    post, path = "/rest/users/{public_id}/settings", tag = "Settings",
    operation_id = "insert_setting",
    params(RecordId), request_body = SettingBody,
    responses((status = 201, description = "The setting as stored", body = InsertedSetting)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    Id(user): Id<UserId>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let written = setting::insert(&permit, user, body).await?;
    Ok(Answer::of_insert(
        StatusCode::CREATED,
        Model::UserSetting,
        &written,
        state.now(),
        |id| origin.url(&path::to(user, id.as_str().unwrap_or_default())),
    ))
}
