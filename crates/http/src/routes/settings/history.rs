use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::LogView;
use stockroom_model::UserId;
use stockroom_service::history::{self, RecordKey, Resource};

use super::path::{SettingPath, SettingRevisionPath};
use crate::answer::{Answer, Model, Problem};
use crate::request::{IfNoneMatch, ListQuery, Permit};
use crate::routes::history::answer;
use crate::schema::{
    Change, HistoryParameters, List, RevisionOfSetting, Setting, SettingId, Single,
};
use crate::state::AppState;

/// List the changes of a setting
///
/// The newest first, each with the members that it changed.
#[utoipa::path(
    get, path = "/rest/users/{public_id}/settings/{identifier}/history", tag = "Settings",
    operation_id = "list_setting_history",
    params(SettingId, HistoryParameters),
    responses((status = 200, description = "A page of the changes", body = List<Change>)),
)]
pub(super) async fn list(
    Permit(permit): Permit<LogView>,
    path: SettingPath,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let record = key(path.user, path.identifier);
    let page = history::of_record(&permit, record, query.newest_first()).await?;
    Ok(answer(&query, Model::UserSetting, &page))
}

/// Read a setting as it was
///
/// Right after the change that led to the revision.
#[utoipa::path(
    get, path = "/rest/users/{public_id}/settings/{identifier}/history/{revision}",
    tag = "Settings", operation_id = "read_setting_revision",
    params(RevisionOfSetting),
    responses((status = 200, description = "The setting right after that change", body = Single<Setting>)),
)]
pub(super) async fn read(
    Permit(permit): Permit<LogView>,
    path: SettingRevisionPath,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let revision = path.revision;
    let document =
        history::read_revision(&permit, key(path.user, path.identifier), revision).await?;
    Ok(known.answer(revision, || {
        Answer::single_text(Model::UserSetting, &document.value, state.now())
    }))
}

fn key(user: UserId, identifier: String) -> RecordKey {
    RecordKey {
        resource: Resource::Setting,
        id: user.get(),
        name: identifier,
    }
}
