use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::SystemEdit;

use crate::answer::{Answer, Problem};
use crate::request::{NoParameters, Permit};
use crate::schema::BackupRequested;
use crate::state::AppState;

/// Ask for a backup now
///
/// The server makes it in the background, in its `--backup-directory`, beside those of the
/// schedule. `/metrics` says when the last backup was complete, and how many failed.
#[utoipa::path(post, path = "/rest/backups", tag = "System", operation_id = "request_backup",
    responses((status = 200, description = "A backup will be made", body = BackupRequested)))]
pub(super) async fn handle(
    State(state): State<AppState>,
    Permit(permit): Permit<SystemEdit>,
    _: NoParameters,
) -> Result<Answer, Problem> {
    let Some(requests) = &state.config.backups else {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "this server makes no backups: start it with --backup-directory",
        ));
    };
    requests.ask();
    tracing::info!(
        user = permit.caller().user_id().get(),
        "a backup was asked for"
    );
    Ok(Answer::bare("{}".to_owned()))
}
