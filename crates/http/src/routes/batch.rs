//! `POST /batch` (`docs/guide/src/transactions.md`)

mod operation;
mod references;

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use stockroom_access::permission::Authenticated;
use stockroom_model::json::{self, Value};
use stockroom_service::open_transaction::End;
use stockroom_service::{Caller, MOST_CHANGED_AT_ONCE};

use self::operation::{Operation, operations};
use crate::answer::{Answer, OperationAnswer, Problem};
use crate::middleware::MAX_COMMENT;
use crate::open_transaction::Dispatcher;
use crate::request::{JsonBody, Permit, WriteKind};
use crate::routing::{Routes, routes};
use crate::schema::{BatchBody, BatchResults};
use crate::state::AppState;

/// Operations are no longer taken up after so much time for what takes long beside the writes, such
/// as regular expressions.
const MOST_BLOCKED: Duration = Duration::from_secs(1);

pub(crate) fn router() -> Routes {
    Routes::new().writes(WriteKind::Alone, routes!(handle))
}

/// Do several writes at once
///
/// All of them are done, in their order, or none. The answer to a failure is the problem of the
/// operation that failed. Each operation needs the rights that it needs alone.
#[utoipa::path(
    post, path = "/rest/batch", tag = "Batch", operation_id = "run_batch",
    request_body = BatchBody,
    responses((status = 200, description = "The answers to all operations", body = BatchResults)),
)]
async fn handle(
    Permit(permit): Permit<Authenticated>,
    dispatcher: Dispatcher,
    State(state): State<AppState>,
    JsonBody(mut body): JsonBody,
) -> Result<Answer, Problem> {
    let comment = comment(&mut body)?;
    let operations = operations(body, state.config.batch_operations, &dispatcher)?;
    let batch = Batch {
        dispatcher,
        operations,
        comment,
        most_bytes: state.bodies.limits().bytes,
    };
    let caller = permit.caller();
    let answers = if caller.has_transaction() {
        batch.run(caller).await
    } else {
        let attempt = |caller: Caller| {
            let batch = &batch;
            async move {
                let answers = batch.run(&caller).await;
                let end = match &answers {
                    Ok(_) => End::Commit,
                    Err(_) => End::RollBack,
                };
                (answers, end)
            }
        };
        caller.transact(attempt).await?
    };
    Ok(Answer::batch(&answers?))
}

/// The operations of a request.
struct Batch {
    dispatcher: Dispatcher,
    operations: Vec<Operation>,
    /// The reason for all of them; by default that in the header.
    comment: Option<Arc<str>>,
    /// Maximum bytes of all answers.
    most_bytes: usize,
}

impl Batch {
    /// Runs all operations, up to the first that fails.
    async fn run(&self, caller: &Caller) -> Result<Vec<OperationAnswer>, Problem> {
        let mut caller = caller.clone();
        if let Some(comment) = &self.comment {
            caller.request.comment = Some(Arc::clone(comment));
        }
        let mut answers = Vec::with_capacity(self.operations.len());
        let mut ids = Vec::with_capacity(self.operations.len());
        let mut bytes = 0;
        for (index, operation) in self.operations.iter().enumerate() {
            check_work(&caller, index)?;
            let answered = self.run_one(operation, &ids, &caller).await;
            let answer = answered.map_err(|problem| problem.of_operation(index))?;
            bytes += answer.body.len();
            if bytes > self.most_bytes {
                let most = self.most_bytes;
                let detail = format!("their answers have more than {most} bytes; send fewer");
                return Err(Problem::invalid("/operations", detail));
            }
            ids.push(result_id(&answer));
            answers.push(answer);
        }
        Ok(answers)
    }

    async fn run_one(
        &self,
        operation: &Operation,
        ids: &[Option<u64>],
        caller: &Caller,
    ) -> Result<OperationAnswer, Problem> {
        let request = self.request(operation, ids, caller)?;
        Ok(answer(self.dispatcher.send(request).await?).await)
    }

    fn request(
        &self,
        operation: &Operation,
        ids: &[Option<u64>],
        caller: &Caller,
    ) -> Result<Request, Problem> {
        let path = format!("/rest{}", references::in_path(&operation.path, ids)?);
        let target = self.dispatcher.target(&operation.method, &path);
        let target = target.map_err(|detail| Problem::invalid("path", detail))?;
        let body = match &operation.body {
            Some(body) => references::in_body(body, ids)?.to_string().into(),
            None => Body::empty(),
        };
        let method = operation.method.clone();
        let mut request = self.dispatcher.request(method, target, body, caller);
        set_headers(request.headers_mut(), operation)?;
        Ok(request)
    }
}

/// Refuses more operations if the first `index` ones kept other writes waiting for too long.
fn check_work(caller: &Caller, index: usize) -> Result<(), Problem> {
    let detail = if caller.written() > MOST_CHANGED_AT_ONCE {
        format!("write records of more than {MOST_CHANGED_AT_ONCE} bytes")
    } else if caller.blocked() > MOST_BLOCKED {
        format!(
            "take more than {} ms to check their regular expressions and large records",
            MOST_BLOCKED.as_millis()
        )
    } else {
        return Ok(());
    };
    Err(Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("the first {index} operations {detail}; send fewer at once"),
    ))
}

/// Takes the reason for the writes out of the body.
fn comment(body: &mut Value) -> Result<Option<Arc<str>>, Problem> {
    let members = body.as_object_mut();
    match members.and_then(|members| members.shift_remove("comment")) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.len() <= MAX_COMMENT => Ok(Some(text.into())),
        Some(_) => {
            let detail = format!("must be a text of at most {MAX_COMMENT} bytes");
            Err(Problem::invalid("/comment", detail))
        }
    }
}

/// The headers of the batch without those about its own body and record.
fn set_headers(headers: &mut HeaderMap, operation: &Operation) -> Result<(), Problem> {
    for name in [
        header::CONTENT_LENGTH,
        header::CONTENT_TYPE,
        header::CONTENT_ENCODING,
        header::IF_MATCH,
    ] {
        headers.remove(name);
    }
    if let Some(tags) = &operation.if_match {
        let tags = tags
            .parse()
            .map_err(|_| Problem::invalid("if_match", "is not a valid header"))?;
        headers.insert(header::IF_MATCH, tags);
    }
    Ok(())
}

async fn answer(response: Response) -> OperationAnswer {
    let (parts, body) = response.into_response().into_parts();
    // The body of a write is complete, so this neither waits nor fails.
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let etag = parts.headers.get(header::ETAG);
    OperationAnswer {
        status: parts.status.as_u16(),
        body: String::from_utf8_lossy(&body).into_owned(),
        etag: etag.and_then(|tag| tag.to_str().ok()).map(str::to_owned),
    }
}

/// The id that an insert gave. The identifier of a setting is a text that a user chose, and could
/// make a path lead elsewhere.
fn result_id(answer: &OperationAnswer) -> Option<u64> {
    let body = json::parse(answer.body.as_bytes()).ok()?;
    body.get("result_id")?.as_u64()
}
