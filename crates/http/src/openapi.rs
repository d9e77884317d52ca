//! The OpenAPI document, generated from the routes. Rules here add what many operations share, so
//! that no route can forget it: problems, headers, HEAD.

mod examples;
mod problem;
pub(crate) mod query;

use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use crate::open_transaction::dry_run;
use crate::routes;
use crate::routing::Routes;
use crate::schema;
use crate::write_kind;

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
    external_docs(url = "../docs/guide/", description = "The guide: topic by topic, with examples"),
    components(schemas(
        schema::MergePatch,
        schema::ProblemDocument,
        // Recursive schemas are not collected from the routes.
        schema::CategoryNode,
        schema::RightNode
    ))
)]
struct Base;

/// All routes of the service with their documentation.
fn all_routes() -> Routes {
    routes().merge(routes::system::monitoring())
}

/// The routes without health and metrics. Each has its whole path: for a nested router, the target
/// of every request would be rewritten.
pub(crate) fn routes() -> Routes {
    Routes::new()
        .merge(routes::auth::router())
        .merge(routes::objects::router())
        .merge(routes::types::router())
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
    any_of(&mut document);
    join_lines(&mut document);
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
            Operation {
                path,
                method,
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

/// An operation, extended by the rules for all operations.
struct Operation<'a> {
    path: &'a str,
    method: &'a str,
    value: &'a mut Value,
}

impl Operation<'_> {
    fn complete(mut self) {
        let id = self.value["operationId"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let is_rest = self.path == "/rest" || self.path.starts_with("/rest/");
        let is_open = !is_rest || matches!(self.path, "/rest/auth/login" | "/rest/openapi.json");
        if !is_open {
            self.value["security"] = json!([{ "token": [] }, { "cookie": [] }]);
            self.problems(&[401, 403]);
        }
        self.problems(&[400, 404, 405, 414, 500, 503]);
        if matches!(self.method, "post" | "put" | "patch") {
            self.problems(&[408, 413, 415]);
        }
        if self.method != "get" {
            self.problems(&[507]);
        }
        if id.starts_with("restore_") || id == "request_backup" {
            self.problems(&[409]);
        }
        if id == "login" {
            self.problems(&[401, 403]);
        }
        if matches!(
            id.as_str(),
            "login" | "change_password" | "replace_user" | "patch_user"
        ) {
            self.problems(&[429]);
        }
        // A rendered document also changes with the objects it references, and a token with its use,
        // so they have no entity tag.
        if id.starts_with("read_")
            && !matches!(
                id.as_str(),
                "read_object" | "read_object_job" | "read_token"
            )
            && !is_open
        {
            self.header_parameter("If-None-Match", "Entity tags that the client already has");
            self.value["responses"]["304"] = json!({
                "description": "One of the entity tags is current",
                "headers": { "ETag": text_header() },
            });
        }
        if self.method != "get"
            && !self.takes("limit")
            && self.path.contains('{')
            && self.path != "/rest/objects/clean/{public_id}"
            && !self.consists_of_requests()
            && !self.path.starts_with("/rest/auth/")
            && id != "cancel_object_job"
        {
            self.header_parameter("If-Match", "Entity tags, one of which must be current. The operator may require the header for \
                changes of a single record");
            self.problems(&[412, 428]);
        }
        if self.consists_of_requests() {
            self.problems(&[409, 412, 428, 429]);
        }
        if matches!(id.as_str(), "list_changes" | "query_changes") {
            self.problems(&[410]);
        }
        if id.starts_with("export_")
            || matches!(id.as_str(), "upload_import" | "run_import" | "undo_import")
        {
            self.problems(&[429]);
        }
        if id == "start_object_job" {
            self.problems(&[412, 429]);
        }
        let takes_changes = self.takes_changes();
        let has_warnings =
            matches!(self.method, "post" | "put" | "patch") || self.has_query_parameters();
        let strict = "`handling=strict` turns warnings into errors";
        if self.lists_objects() {
            let revisions = "`revisions` adds the revision of each object as its last member";
            self.header_parameter("Prefer", &format!("{strict}; {revisions}"));
        } else if has_warnings && !is_open {
            self.header_parameter("Prefer", strict);
        }
        if !is_open {
            self.header_parameter(
                "X-Store-Version",
                "The highest value of this header in earlier answers. Where replicas serve reads, \
                the answer is then at least as new as those answers",
            );
        }
        if takes_changes {
            self.query_parameter(
                dry_run::PARAMETER,
                "Answer as usual, but change nothing. The answer then has the member `effects`",
                &json!({ "type": "boolean" }),
            );
            self.header_parameter(
                "Idempotency-Key",
                "1 to 255 visible ASCII characters, new for each write. The same request with the \
                same key gets the answer of the first one, for 24 hours. A user may have 20,000 \
                keys within 24 hours, and 64 MiB of answers; beyond that, answers are not kept",
            );
            self.problems(&[409, 422, 429]);
        }
        self.headers();
    }

    /// Whether the operation changes records.
    fn takes_changes(&self) -> bool {
        self.value.get(write_kind::EXTENSION).is_some()
    }

    fn problems(&mut self, statuses: &[u16]) {
        let responses = &mut self.value["responses"];
        for status in statuses {
            responses[status.to_string()] = json!({ "$ref": problem::reference(*status) });
        }
    }

    fn header_parameter(&mut self, name: &str, description: &str) {
        self.parameter("header", name, description, &json!({ "type": "string" }));
    }

    fn query_parameter(&mut self, name: &str, description: &str, schema: &Value) {
        self.parameter("query", name, description, schema);
    }

    fn parameter(&mut self, place: &str, name: &str, description: &str, schema: &Value) {
        let parameter = json!({
            "name": name,
            "in": place,
            "required": false,
            "description": description,
            "schema": schema,
        });
        match self.value["parameters"].as_array_mut() {
            Some(parameters) => parameters.push(parameter),
            None => self.value["parameters"] = json!([parameter]),
        }
    }

    fn has_query_parameters(&self) -> bool {
        let mut parameters = self.value["parameters"].as_array().into_iter().flatten();
        parameters.any(|parameter| parameter["in"] == "query")
    }

    /// Whether the operation has a parameter of that name.
    fn takes(&self, name: &str) -> bool {
        let parameters = self.value["parameters"].as_array();
        parameters
            .is_some_and(|parameters| parameters.iter().any(|parameter| parameter["name"] == name))
    }

    /// Whether the operation sends other requests to the router.
    fn consists_of_requests(&self) -> bool {
        let id = self.value["operationId"].as_str();
        matches!(id, Some("run_batch" | "revert_request"))
    }

    fn lists_objects(&self) -> bool {
        self.takes("view") && self.path.starts_with("/rest/objects")
    }

    /// Adds the headers of answers.
    fn headers(&mut self) {
        let is_list = self.takes("limit");
        let is_of_records = self.value["operationId"] == "import_records";
        let has_one_record = !self.consists_of_requests() && !is_of_records;
        let is_change = self.takes_changes();
        let lists_objects = self.lists_objects();
        let is_rendered = self.value["operationId"] == "read_object";
        for (status, response) in self.value["responses"]
            .as_object_mut()
            .into_iter()
            .flatten()
        {
            if response.get("$ref").is_some() {
                continue;
            }
            let headers = &mut response["headers"];
            if headers.is_null() {
                *headers = Value::Object(Map::new());
            }
            headers["X-API-Version"] = required(text_header());
            headers["X-Store-Version"] = text_header();
            if lists_objects && status == "200" {
                headers["Preference-Applied"] = text_header();
            }
            if is_change {
                headers["X-Dry-Run"] = text_header();
                headers["Idempotency-Replayed"] = text_header();
            }
            if is_rendered && status == "200" {
                headers["X-Revision"] = required(json!({ "schema": { "type": "integer" } }));
            }
            if is_list && status == "200" {
                headers["X-Total-Count"] = json!({ "schema": { "type": "integer", "minimum": 0 } });
            }
            if matches!(status.as_str(), "200" | "201" | "202")
                && matches!(self.method, "post" | "put" | "patch")
                && is_change
                && has_one_record
            {
                headers["Location"] = required(text_header());
            }
        }
    }
}

fn text_header() -> Value {
    json!({ "schema": { "type": "string" } })
}

fn required(mut header: Value) -> Value {
    header["required"] = Value::Bool(true);
    header
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
