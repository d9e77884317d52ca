//! The OpenAPI document, generated from the routes. Rules here add what many operations share, so
//! that no route can forget it: problems, headers, HEAD.

mod examples;
mod operation;
mod parameter_names;
mod problem;
mod query;
mod references;

use axum::http::Method;
use serde_json::{Value, json};
use utoipa::OpenApi;

use crate::request::{ParameterNames, RouteTable};
use crate::routes;
use crate::routing::Routes;
use crate::schema;

use self::operation::Operation;
pub(crate) use self::parameter_names::parameter_names;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Stockroom",
        description = "Asset inventory. Every path also works with a slash at its end, and every \
            GET has a HEAD. A body may have 16 MiB (64 KiB where it is always short, as for a \
            login) and 100,000 JSON values; a larger one gets a 413. A body that arrives too \
            slowly gets a 408. If there is no memory for a body, the answer is 503 with \
            Retry-After. A user without further rights makes at most 10,000 changes a day to \
            itself, settings, views, sources and tokens; the next one gets a 429. These limits can be \
            configured. `x-write` shows how a write may be run: `operation` also in a batch, \
            `alone` and `secret` only alone."
    ),
    servers((url = "/", description = "This server, without a base path")),
    external_docs(url = "../docs/guide/", description = "The guide: topic by topic, with examples"),
    components(schemas(
        schema::MergePatch,
        schema::ProblemDocument,
        // Recursive schemas are not collected from the routes.
        schema::CategoryNode,
        schema::RightNode,
        // Nor are those that occur in lists alone.
        schema::Change,
        schema::ImportMissing,
        schema::ImportRow,
        schema::LoginEvent,
        schema::SourceObject
    ))
)]
struct Base;

/// All routes of the service with their documentation.
pub(crate) fn all_routes() -> Routes {
    routes().merge(routes::system::monitoring())
}

/// The routes without health and metrics. Each has its whole path: for a nested router, the target
/// of every request would be rewritten.
pub(crate) fn routes() -> Routes {
    Routes::new()
        .merge(routes::auth::router())
        .merge(routes::objects::router())
        .merge(routes::types::router())
        .merge(routes::kinds::router())
        .merge(routes::categories::router())
        .merge(routes::views::router())
        .merge(routes::users::router())
        .merge(routes::tokens::router())
        .merge(routes::settings::router())
        .merge(routes::groups::router())
        .merge(routes::rights::router())
        .merge(routes::history::router())
        .merge(routes::changes::router())
        .merge(routes::search::router())
        .merge(routes::exports::router())
        .merge(routes::imports::router())
        .merge(routes::sources::router())
        .merge(routes::integrations::router())
        .merge(routes::batch::router())
        .merge(routes::system::router())
}

/// The OpenAPI 3.1 document.
#[must_use]
pub fn document() -> Value {
    let mut document =
        serde_json::to_value(all_routes().document(Base::openapi())).unwrap_or_default();
    let facts = RouteTable::new(all_routes().into_facts(), ParameterNames::new);
    any_of(&mut document);
    join_lines(&mut document);
    references::write_once(&mut document);
    document["components"]["securitySchemes"] = json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of a login, which is a JWT, or an API token, which begins with \
                `stk_`",
        },
        "cookie": {
            "type": "apiKey",
            "in": "cookie",
            "name": "__Host-stockroom",
            "description": "For pages of this server, after a login with `cookie`. The name goes on \
                with a hyphen and the id of the installation; without HTTPS it has no prefix. \
                Requests that another site may have caused get a 403.",
        },
    });
    document["components"]["responses"] = problem::responses();
    if let Some(paths) = document["paths"].as_object_mut() {
        query::document(paths);
    }
    let examples = examples::all();
    for (path, operations) in document["paths"].as_object_mut().into_iter().flatten() {
        let Some(operations) = operations.as_object_mut() else {
            continue;
        };
        if operations.contains_key("put")
            && let Some(patch) = operations.get_mut("patch")
        {
            say_patch(patch);
        }
        for (method, operation) in operations.iter_mut() {
            let named = Method::from_bytes(method.to_ascii_uppercase().as_bytes());
            Operation {
                path,
                method,
                facts: facts.of(&named.unwrap_or_default(), path),
                value: operation,
            }
            .complete();
            examples::add(&examples, operation);
        }
        if let Some(get) = operations.get("get") {
            let head = head_of(get);
            operations.insert("head".to_owned(), head);
        }
    }
    document
}

/// PUT replaces; PATCH, with the same handler, merges.
fn say_patch(operation: &mut Value) {
    for key in ["operationId", "summary"] {
        if let Some(text) = operation[key].as_str() {
            let text =
                text.replacen("replace", "patch", 1)
                    .replacen("Replace", "Change parts of", 1);
            operation[key] = Value::from(text);
        }
    }
    operation["requestBody"]["description"] =
        json!("JSON Merge Patch (RFC 7396): members to change; null removes a member");
    operation["requestBody"]["content"]["application/json"]["schema"] =
        json!({ "$ref": "#/components/schemas/MergePatch" });
}

/// Alternatives overlap, as a projected record may look like a whole one, so `oneOf` becomes
/// `anyOf`.
fn any_of(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(alternatives) = members.remove("oneOf") {
                members.insert("anyOf".to_owned(), alternatives);
            }
            members.values_mut().for_each(any_of);
        }
        Value::Array(items) => items.iter_mut().for_each(any_of),
        _ => {}
    }
}

/// Descriptions are doc comments, and viewers would show their line breaks.
fn join_lines(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            members.values_mut().for_each(join_lines);
        }
        Value::Array(items) => items.iter_mut().for_each(join_lines),
        _ => {}
    }
}

/// The HEAD operation: the same answers without bodies.
fn head_of(get: &Value) -> Value {
    let mut head = get.clone();
    if let Some(id) = get["operationId"].as_str() {
        head["operationId"] = json!(format!("head_{id}"));
    }
    for response in head["responses"]
        .as_object_mut()
        .into_iter()
        .flatten()
        .map(|(_, response)| response)
    {
        if let Some(reference) = response.get("$ref") {
            *response = json!({ "$ref": problem::without_body(reference) });
        } else if let Some(response) = response.as_object_mut() {
            response.remove("content");
        }
    }
    head
}
