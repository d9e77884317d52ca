use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use stockroom_access::permission::ObjectView;
use stockroom_service::object::list::{self, Item, ObjectList, ObjectListRequest, Rest, View};

use crate::envelope::{ListEnvelope, Model};
use crate::extract::{ListQuery, Permit, Prefer};
use crate::problem::Problem;
use crate::schema::{ListParameters, ObjectListParameters, ObjectResults};

/// Room for an envelope with common parameters; a longer one makes the text grow.
const ENVELOPE: usize = 1_024;

/// List objects
#[utoipa::path(get, path = "/rest/objects", tag = "Objects", operation_id = "list_objects", params(ListParameters, ObjectListParameters),
    responses((status = 200, description = "A page of the objects that the caller may see", body = ObjectResults)))]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    prefer: Prefer,
    mut query: ListQuery,
) -> Result<Response, Problem> {
    let request = request(&mut query, prefer)?;
    let found = list::list(&permit, request).await?;
    Ok(prefer.revisions_applied(answer(&query, found)))
}

/// What was asked of a list of objects.
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
    })
}

/// The answer; long lists are read while they are sent.
pub(super) fn answer(query: &ListQuery, found: ObjectList) -> Response {
    let mut envelope = query.envelope(Model::Object, found.total, found.next.as_deref());
    envelope.warnings.extend(found.warnings);
    let length: usize = found.items.iter().map(Item::length).sum();
    let mut start = String::with_capacity(length + ENVELOPE);
    start.push_str(ListEnvelope::HEAD);
    let mut count = 0;
    write(&mut start, &found.items, &mut count);
    if found.rest.is_empty() {
        start.push_str(&envelope.tail(count));
        return envelope.stream(Body::from(start)).into_response();
    }
    let answer = envelope.stream(Body::empty());
    let body = stream::unfold(
        Sending::Next {
            rest: Box::new(found.rest),
            envelope: Box::new(envelope),
            count,
        },
        next,
    );
    let body = stream::StreamExt::chain(stream::iter([Ok(Bytes::from(start))]), body);
    answer.map(|_| Body::from_stream(body))
}

/// Where the sending of a list stands.
enum Sending {
    Next {
        rest: Box<Rest>,
        envelope: Box<ListEnvelope>,
        count: usize,
    },
    Done,
}

/// The next chunk. A failure in the middle breaks the connection, so that no client takes half a list for the whole.
async fn next(sending: Sending) -> Option<(Result<Bytes, std::io::Error>, Sending)> {
    let Sending::Next {
        mut rest,
        envelope,
        mut count,
    } = sending
    else {
        return None;
    };
    match rest.next().await {
        Ok(items) if items.is_empty() => {
            Some((Ok(Bytes::from(envelope.tail(count))), Sending::Done))
        }
        Ok(items) => {
            let mut chunk = String::new();
            write(&mut chunk, &items, &mut count);
            Some((
                Ok(Bytes::from(chunk)),
                Sending::Next {
                    rest,
                    envelope,
                    count,
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

fn write(out: &mut String, items: &[Item], count: &mut usize) {
    for item in items {
        if *count > 0 {
            out.push(',');
        }
        item.write(out);
        *count += 1;
    }
}
