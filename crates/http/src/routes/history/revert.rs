use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde_json::json;
use stockroom_access::permission::LogView;
use stockroom_model::json::Value;
use stockroom_service::history::{self, RecordKey, Resource, RestoreRequest, Undo};
use stockroom_service::open_transaction::End;
use stockroom_service::{Caller, MOST_CHANGED_AT_ONCE};

use crate::answer::{Answer, Problem, to_text};
use crate::open_transaction::Dispatcher;
use crate::request::{Id, JsonBody, Permit};
use crate::routes::settings;
use crate::schema::{RevertBody, RevertResults, RevertedRecord, UndoAction};

/// Undo all changes of a request
///
/// In one transaction: records that it changed or deleted get their earlier states back, and records
/// that it made are deleted. Each of these needs the rights that it needs alone. If a record was
/// changed after the request, the answer is 409 with a list of them, unless `force` is true.
#[utoipa::path(
    post, path = "/rest/history/requests/{request_id}/revert", tag = "History",
    operation_id = "revert_request",
    params(("request_id" = String, Path, max_length = 64, description = "Id of the request, as the history tells it")),
    request_body = RevertBody,
    responses((status = 200, description = "What was undone", body = RevertResults)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LogView>,
    Id(request_id): Id<String>,
    dispatcher: Dispatcher,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let revert = Revert {
        dispatcher,
        request_id,
        force: RestoreRequest::read(&body)?.force,
    };
    let caller = permit.caller();
    let undone = if caller.has_transaction() {
        revert.run(caller).await
    } else {
        let attempt = |caller: Caller| {
            let revert = &revert;
            async move {
                let undone = revert.run(&caller).await;
                let end = if undone.is_ok() {
                    End::Commit
                } else {
                    End::RollBack
                };
                (undone, end)
            }
        };
        caller.transact(attempt).await?
    };
    let reverted = undone?;
    Ok(Answer::bare(to_text(&RevertResults {
        request_id: revert.request_id,
        reverted,
        effects: None,
    })))
}

struct Revert {
    dispatcher: Dispatcher,
    request_id: String,
    force: bool,
}

impl Revert {
    /// Undoes everything, up to the first refusal.
    async fn run(&self, caller: &Caller) -> Result<Vec<RevertedRecord>, Problem> {
        let permit = caller.clone().permit().await?;
        let undos = history::revert(&permit, self.request_id.clone(), self.force).await?;
        let mut undone = Vec::with_capacity(undos.len());
        for undo in undos {
            self.undo(&undo, caller).await?;
            if caller.written() > MOST_CHANGED_AT_ONCE {
                let detail = format!(
                    "the request changed records of more than {MOST_CHANGED_AT_ONCE} bytes, the most that are undone at once"
                );
                return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
            }
            undone.push(reverted(undo));
        }
        Ok(undone)
    }

    async fn undo(&self, undo: &Undo, caller: &Caller) -> Result<(), Problem> {
        let path = path(&undo.record)?;
        let (method, path, body) = match undo.revision {
            None => (Method::DELETE, path, Value::Null),
            Some(revision) => {
                let body = json!({ "revision": revision.0, "force": true });
                (Method::POST, format!("{path}/restore"), body)
            }
        };
        let target = self.dispatcher.target(&method, &path);
        let target = target.map_err(|detail| Problem::invalid("request_id", detail))?;
        let body = Body::from(body.to_string());
        let mut request = self.dispatcher.request(method, target, body, caller);
        set_headers(request.headers_mut());
        self.dispatcher.send(request).await.map(drop)
    }
}

/// The headers of the whole request without those about its own body.
fn set_headers(headers: &mut HeaderMap) {
    for name in [
        header::CONTENT_LENGTH,
        header::CONTENT_TYPE,
        header::CONTENT_ENCODING,
    ] {
        headers.remove(name);
    }
    // The changes of the request were compared with the newest ones in this transaction.
    headers.insert(header::IF_MATCH, HeaderValue::from_static("*"));
}

fn path(record: &RecordKey) -> Result<String, Problem> {
    let folder = match record.resource {
        Resource::Object => "objects",
        Resource::Type => "types",
        Resource::Category => "categories",
        Resource::User => "users",
        Resource::Group => "groups",
        Resource::View => "views",
        Resource::Source => "sources",
        Resource::Token => "tokens",
        Resource::Setting | Resource::RevokedToken => {
            let user = stockroom_model::UserId::new(record.id);
            let user = user.ok_or_else(|| Problem::invalid("request_id", "changed no user"))?;
            return Ok(settings::path::to(user, &record.name));
        }
    };
    Ok(format!("/rest/{folder}/{}", record.id))
}

fn reverted(undo: Undo) -> RevertedRecord {
    let record = undo.record;
    let is_setting = record.resource == Resource::Setting;
    RevertedRecord {
        resource: record.resource,
        public_id: (!is_setting).then_some(record.id),
        user_id: is_setting.then_some(record.id),
        identifier: is_setting.then_some(record.name),
        action: if undo.revision.is_some() {
            UndoAction::Restore
        } else {
            UndoAction::Delete
        },
    }
}
