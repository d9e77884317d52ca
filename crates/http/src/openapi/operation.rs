//! The rules for all operations of the OpenAPI document.

use serde_json::{Map, Value, json};

use super::problem;
use crate::open_transaction::dry_run;
use crate::request::RouteFacts;

/// An operation, extended by the rules for all operations.
pub(super) struct Operation<'a> {
    pub(super) path: &'a str,
    pub(super) method: &'a str,
    pub(super) facts: RouteFacts,
    pub(super) value: &'a mut Value,
}

impl Operation<'_> {
    /// Adds problems, parameters and headers that follow from the path, the method and the id.
    pub(super) fn complete(mut self) {
        let id = self.value["operationId"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let is_open = self.facts.is_open;
        self.show_write();
        self.security(is_open);
        self.problems(&[400, 404, 405, 414, 431, 500, 503]);
        if matches!(self.method, "post" | "put" | "patch") {
            self.problems(&[408, 413, 415]);
        }
        if self.method != "get" {
            self.problems(&[507]);
        }
        if id == "delete_objects" {
            self.problems(&[413]);
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
        let takes_changes = self.facts.write.is_some();
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

    /// Shows how a write may be run.
    fn show_write(&mut self) {
        if let Some(kind) = self.facts.write {
            self.value["x-write"] = json!(kind.as_str());
        }
    }

    /// Says that the operation needs a token, or that it needs none.
    fn security(&mut self, is_open: bool) {
        if is_open {
            self.value["security"] = json!([]);
        } else {
            self.value["security"] = json!([{ "token": [] }, { "cookie": [] }]);
            self.problems(&[401, 403]);
        }
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

    fn parameter(&mut self, location: &str, name: &str, description: &str, schema: &Value) {
        let parameter = json!({
            "name": name,
            "in": location,
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
        let is_change = self.facts.write.is_some();
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
                headers["Link"] = text_header();
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

pub(super) fn text_header() -> Value {
    json!({ "schema": { "type": "string" } })
}

pub(super) fn required(mut header: Value) -> Value {
    header["required"] = Value::Bool(true);
    header
}
