use stockroom_access::permission::LoggedIn;
use stockroom_service::auth;

use crate::answer::{Answer, Problem, to_text};
use crate::request::{Id, NoParameters, Parameters, Permit};
use crate::schema::{EndSessionsParameters, EndedSessions, OwnSessions, SessionId};

/// List your active sessions
#[utoipa::path(
    get, path = "/rest/auth/sessions", tag = "Authentication", operation_id = "list_sessions",
    responses(
        (status = 200, description = "The sessions, the last refreshed one first", body = OwnSessions),
    ),
)]
pub(super) async fn list(Permit(permit): Permit<LoggedIn>) -> Result<Answer, Problem> {
    let sessions = auth::sessions(&permit).await?;
    Ok(Answer::bare(to_text(&OwnSessions { sessions })))
}

/// End one of your sessions
#[utoipa::path(
    delete, path = "/rest/auth/sessions/{id}", tag = "Authentication",
    operation_id = "end_session",
    params(SessionId),
    responses((status = 200, description = "The session has ended", body = EndedSessions)),
)]
pub(super) async fn end(
    Permit(permit): Permit<LoggedIn>,
    Id(id): Id<String>,
    _: NoParameters,
) -> Result<Answer, Problem> {
    auth::end_session(&permit, id).await?;
    Ok(Answer::bare(to_text(&EndedSessions { ended: 1 })))
}

/// End all of your sessions
///
/// With `keep_current`, the session of this request continues.
#[utoipa::path(
    delete, path = "/rest/auth/sessions", tag = "Authentication", operation_id = "end_sessions",
    params(EndSessionsParameters),
    responses((status = 200, description = "The number of ended sessions", body = EndedSessions)),
)]
pub(super) async fn end_all(
    Permit(permit): Permit<LoggedIn>,
    parameters: Parameters,
) -> Result<Answer, Problem> {
    parameters.refuse_unknown()?;
    let keep_current = parameters.flag("keep_current")?.unwrap_or_default();
    let ended = auth::end_sessions(&permit, keep_current).await?;
    Ok(Answer::bare(to_text(&EndedSessions { ended })))
}
