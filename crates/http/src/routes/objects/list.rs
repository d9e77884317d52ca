use std::num::NonZeroUsize;

use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::stream;
use stockroom_access::permission::ObjectView;
use stockroom_service::object::list::{
    self, Explanation, Item, ObjectList, ObjectListRequest, READ_BYTES, Rest, View,
};
use stockroom_service::search::read_query;

use crate::answer::{ListEnvelope, Model, Problem, to_text};
use crate::budget::AnswerShare;
use crate::request::{ListQuery, Permit, Prefer};
use crate::schema::{
    AsOfParameter, Explain, ListParameters, ObjectListParameters, ObjectResults,
    ObjectSearchParameter,
};

/// The most objects of a page with labels.
const MAX_LABELLED: usize = 500;

/// Initial capacity for an envelope with common parameters.
const ENVELOPE: usize = 1_024;

/// List objects
#[utoipa::path(
    get, path = "/rest/objects", tag = "Objects", operation_id = "list_objects",
    params(ListParameters, ObjectListParameters, ObjectSearchParameter, AsOfParameter),
    responses(
        (
            status = 200,
            description = "A page of the objects that the caller may see",
            body = ObjectResults,
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    prefer: Prefer,
    mut query: ListQuery,
) -> Result<Response, Problem> {
    let request = request(&mut query, prefer)?;
    let found = list::list(&permit, request).await?;
    Ok(prefer.revisions_applied(answer(&query, found)?))
}

/// Reads the parameters of a list of objects.
pub(super) fn request(query: &mut ListQuery, prefer: Prefer) -> Result<ObjectListRequest, Problem> {
    let view = query.parameters.one_of(
        "view",
        &[("native", View::Native), ("render", View::Render)],
        View::Native,
    )?;
    query.echo_view(if view == View::Native {
        "native"
    } else {
        "render"
    });
    Ok(ObjectListRequest {
        list: query.request.clone(),
        view,
        with_revisions: prefer.revisions,
        with_labels: with_labels(query)?,
        search: if query.parameters.knows("q") {
            let q = query.parameters.get("q")?;
            q.map(read_query).transpose()?
        } else {
            None
        },
        as_of: if query.parameters.knows("as_of") {
            query.parameters.time("as_of")?
        } else {
            None
        },
        explain: query.parameters.flag("explain")?.unwrap_or(false),
    })
}

/// Whether the list has labels. They are sent after the objects, so their number is bounded.
fn with_labels(query: &mut ListQuery) -> Result<bool, Problem> {
    let Some(wanted) = query.parameters.flag("labels")? else {
        return Ok(false);
    };
    let limit = query.request.limit.map(NonZeroUsize::get);
    if wanted && limit.is_none_or(|limit| limit > MAX_LABELLED) {
        let detail = format!("needs a limit from 1 to {MAX_LABELLED}");
        return Err(Problem::invalid("labels", detail));
    }
    query.echo_labels(wanted);
    Ok(wanted)
}

/// How a list was found, as JSON text.
fn explain(explanation: &Explanation) -> String {
    let shown = Explain {
        plan: explanation.plan.clone(),
        rows: explanation.rows,
        milliseconds: explanation.elapsed.as_secs_f64() * 1_000.0,
    };
    to_text(&shown)
}

/// The answer. Long lists are read while they are being sent.
///
/// # Errors
///
/// There is no memory for the answer now.
pub(super) fn answer(query: &ListQuery, found: ObjectList) -> Result<Response, Problem> {
    let mut envelope = query.envelope(Model::Object, found.total, found.next.as_deref());
    envelope.warnings.extend(found.warnings);
    if query.parameters.flag("labels")? == Some(true) {
        envelope.labels.get_or_insert_default().add(&found.labels);
    }
    envelope.explain = found.explanation.as_ref().map(explain);
    let mut start = String::with_capacity(length(&found.items) + ENVELOPE);
    start.push_str(ListEnvelope::HEAD);
    let mut count = 0;
    write(&mut start, &found.items, &mut count);
    if found.rest.is_empty() {
        start.push_str(&envelope.tail(count));
        return Ok(envelope.stream(Body::from(start)));
    }
    let answers = query.answers();
    let start = answers.try_reserve(Bytes::from(start))?;
    let answer = envelope.stream(Body::empty());
    let body = stream::unfold(
        Sending::Next {
            rest: Box::new(found.rest),
            envelope: Box::new(envelope),
            count,
            answers,
        },
        next,
    );
    let body = stream::StreamExt::chain(stream::iter([Ok(start)]), body);
    Ok(answer.map(|_| Body::from_stream(body)))
}

/// The state of sending a list.
enum Sending {
    Next {
        rest: Box<Rest>,
        envelope: Box<ListEnvelope>,
        count: usize,
        answers: AnswerShare,
    },
    Done,
}

/// The next chunk. A failure breaks the connection, so that no client takes half a list for the
/// whole.
async fn next(sending: Sending) -> Option<(Result<Bytes, std::io::Error>, Sending)> {
    let Sending::Next {
        mut rest,
        mut envelope,
        mut count,
        answers,
    } = sending
    else {
        return None;
    };
    let reservation = answers.reserve(2 * READ_BYTES).await?;
    match rest.next().await {
        Ok(None) => Some((Ok(Bytes::from(envelope.tail(count))), Sending::Done)),
        Ok(Some((items, labels))) => {
            if let Some(known) = &mut envelope.labels {
                known.add(&labels);
            }
            let mut chunk = String::with_capacity(length(&items));
            write(&mut chunk, &items, &mut count);
            Some((
                Ok(reservation.attach(Bytes::from(chunk))),
                Sending::Next {
                    rest,
                    envelope,
                    count,
                    answers,
                },
            ))
        }
        Err(error) => {
            tracing::error!(%error, "a list broke off");
            Some((
                Err(std::io::Error::other(
                    "the list could not be read to its end",
                )),
                Sending::Done,
            ))
        }
    }
}

/// The approximate length of the items as JSON, in bytes.
fn length(items: &[Item]) -> usize {
    items.iter().map(Item::length).sum()
}

fn write(out: &mut String, items: &[Item], count: &mut usize) {
    for item in items {
        if *count > 0 {
            out.push(',');
        }
        item.write(out);
        *count += 1;
    }
}
