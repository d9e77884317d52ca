//! The examples of the OpenAPI document: every operation is sent once, and the document shows
//! request and answer.

use axum::http::Method;
use serde_json::{Map, Value, json};
use stockroom_service::background::Imports;
use stockroom_testkit::{ADMIN_PASSWORD, Client, Engine, TestServer, golden, inventory, run};

/// Operations without an example: the document itself, an archive, which is no text, and metrics,
/// which tests do not record.
const WITHOUT: [&str; 3] = ["export_all", "read_metrics", "read_openapi"];
const FILE: &str = "crates/http/src/openapi/examples.json";

/// Records operations that were sent, by name.
struct Recorder {
    client: Client,
    document: Value,
    examples: Map<String, Value>,
}

impl Recorder {
    /// Sends an operation, records it and returns the answer.
    async fn send(&mut self, id: &str, path: &str, body: Option<Value>) -> Value {
        let (template, method) = self.operation(id);
        let method: Method = method.to_uppercase().parse().unwrap();
        let sent = match &body {
            // A file, not JSON.
            Some(Value::String(text)) => text.clone(),
            body => body.as_ref().map(Value::to_string).unwrap_or_default(),
        };
        let answer = self.client.send(method, path, &[], sent.into_bytes()).await;
        assert!((200..300).contains(&answer.status), "{id}\n{answer}");
        let is_json = answer.header("content-type").contains("json");
        let text = || Value::from(String::from_utf8_lossy(&answer.body));
        let response = if is_json { answer.json() } else { text() };
        let mut example = json!({"path": in_path(&template, path), "status": answer.status.to_string(), "response": response.clone()});
        if let Some(body) = body {
            example["request"] = body;
        }
        let known = self.examples.insert(id.to_owned(), example);
        assert!(known.is_none(), "{id} is sent twice");
        response
    }

    /// Path and method of an operation.
    fn operation(&self, id: &str) -> (String, String) {
        for (path, item) in self.document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                if operation["operationId"] == id {
                    return (path.clone(), method.clone());
                }
            }
        }
        panic!("there is no operation {id}");
    }
}

/// The values of the parameters in a path.
fn in_path(template: &str, path: &str) -> Value {
    let path = path.split('?').next().unwrap_or_default();
    let segments = template.split('/').zip(path.split('/'));
    let named = segments.filter_map(|(name, value)| {
        let name = name.strip_prefix('{')?.strip_suffix('}')?;
        let value = value
            .parse::<i64>()
            .map_or_else(|_| json!(value), |number| json!(number));
        Some((name.to_owned(), value))
    });
    Value::Object(named.collect())
}

async fn files(recorder: &mut Recorder) {
    let export = "/rest/exports/objects?format=csv&filter=%7B%22type_id%22:2%7D";
    recorder.send("export_objects", export, None).await;
    let targets = "/rest/integrations/http_sd?address=hostname&port=9100&labels=system,site-field";
    recorder.send("list_targets", targets, None).await;
}

async fn objects(recorder: &mut Recorder) {
    let admin = recorder.client.clone();
    let berlin = inventory::object(
        1,
        &[
            ("name", json!("Berlin")),
            ("street", json!("Unter den Linden 1")),
        ],
    );
    inventory::insert(&admin, "/rest/objects", berlin).await;
    let server = [
        ("hostname", json!("srv-01")),
        ("system", json!("debian")),
        ("bought", json!("2026-01-31")),
        ("cores", json!(16)),
        ("console", json!(null)),
        ("site-field", json!(1)),
        ("backup", json!(null)),
    ];
    let mut inserted = recorder
        .send(
            "insert_object",
            "/rest/objects",
            Some(inventory::object(2, &server)),
        )
        .await;
    recorder
        .send(
            "list_objects",
            "/rest/objects?limit=1&sort=fields.hostname&filter=%7B%22type_id%22:2%7D&labels=true",
            None,
        )
        .await;
    recorder.send("read_object", "/rest/objects/2", None).await;
    recorder
        .send("read_native_object", "/rest/objects/2/native", None)
        .await;
    recorder
        .send("list_references", "/rest/objects/1/references", None)
        .await;
    recorder
        .send(
            "query_objects",
            "/rest/objects/query",
            Some(json!({"filter": {"type_id": 2, "fields.system": "debian"}, "limit": 1})),
        )
        .await;
    let search = "/rest/search?q=srv&limit=2";
    recorder.send("search", search, None).await;
    files(recorder).await;
    aggregate(recorder).await;
    recorder
        .send(
            "query_references",
            "/rest/objects/1/references/query",
            Some(json!({"limit": 1})),
        )
        .await;
    recorder
        .send("read_object_state", "/rest/objects/2/state", None)
        .await;
    recorder
        .send(
            "update_object_state",
            "/rest/objects/2/state",
            Some(json!(true)),
        )
        .await;
    let mut object = inserted["raw"].take();
    object["version"] = json!("1.1.0");
    recorder
        .send("replace_object", "/rest/objects/2", Some(object))
        .await;
    let patch = json!({"fields": [{"name": "cores", "value": 32}]});
    recorder
        .send("patch_object", "/rest/objects/2", Some(patch))
        .await;
    let unclean = inventory::object(2, &[("hostname", json!("srv-02")), ("room", json!("E12"))]);
    inventory::insert(&admin, "/rest/objects", unclean).await;
    recorder
        .send("list_unclean_objects", "/rest/objects/clean/2", None)
        .await;
    recorder
        .send(
            "query_unclean_objects",
            "/rest/objects/clean/2/query",
            Some(json!({"limit": 1})),
        )
        .await;
    recorder
        .send("clean_objects", "/rest/objects/clean/2", None)
        .await;
    jobs(recorder).await;
    recorder
        .send("delete_objects", "/rest/objects/3", None)
        .await;
    history(recorder, "object", "/rest/objects/2").await;
}

async fn aggregate(recorder: &mut Recorder) {
    let body = json!({
        "group_by": [{"field": "type_id"}],
        "measures": [{"function": "sum", "field": "fields.cores"}],
    });
    let path = "/rest/objects/aggregate";
    recorder.send("aggregate_objects", path, Some(body)).await;
}

async fn imports(recorder: &mut Recorder, server: &TestServer) {
    const IMPORTS: &str = "/rest/imports";
    let file = json!("Hostname,Cores,Room\nsrv-03,16,left\nsrv-04,many,\n");
    let upload = format!("{IMPORTS}?file_name=servers.csv");
    recorder.send("upload_import", &upload, Some(file)).await;
    recorder.send("list_imports", IMPORTS, None).await;
    let query = format!("{IMPORTS}/query");
    let newest = json!({"limit": 1});
    recorder.send("query_imports", &query, Some(newest)).await;
    let one = format!("{IMPORTS}/1");
    let with_type = format!("{one}?type_id=2");
    recorder.send("read_import", &with_type, None).await;
    let plan = json!({
        "type_id": 2, "columns": {"Hostname": "hostname", "Cores": "cores"}, "key": ["hostname"],
        "policy": "skip", "dry_run": true,
    });
    let run = format!("{one}/run");
    recorder.send("run_import", &run, Some(plan.clone())).await;
    server.service().finish(Imports::default()).await.unwrap();
    let rows = format!("{one}/rows?limit=1");
    recorder.send("list_import_rows", &rows, None).await;
    let query = format!("{one}/rows/query");
    let first = json!({"limit": 1});
    recorder
        .send("query_import_rows", &query, Some(first))
        .await;
    let failed = format!("{one}/failed");
    recorder.send("download_failed_rows", &failed, None).await;
    let repair = json!({"rows": [{"row": 3, "cells": {"Cores": "8"}}]});
    let rows = format!("{one}/rows");
    recorder
        .send("repair_import_rows", &rows, Some(repair))
        .await;
    let mut real = plan;
    real["dry_run"] = json!(false);
    let _ = recorder.client.post(&run, real).await.expect(202);
    server.service().finish(Imports::default()).await.unwrap();
    let undo = format!("{one}/undo");
    recorder.send("undo_import", &undo, None).await;
    let cancel = format!("{one}/cancel");
    recorder.send("cancel_import", &cancel, None).await;
    recorder.send("delete_import", &one, None).await;
    let records = json!({
        "types": [{"public_id": 9, "name": "rack", "label": "Rack", "fields": [{"type": "text", "name": "code", "label": "Code"}]}],
        "categories": [{"public_id": 5, "name": "rooms", "label": "Rooms", "parent": null, "types": [9]}],
        "groups": [{"public_id": 2, "name": "user", "label": "Everybody"}],
    });
    let path = "/rest/imports/records?dry_run=true";
    recorder.send("import_records", path, Some(records)).await;
}

async fn sources(recorder: &mut Recorder, server: &TestServer) {
    const SOURCES: &str = "/rest/sources";
    let source = json!({
        "name": "vcenter", "type_id": 2, "columns": {"Name": "hostname", "CPUs": "cores"}, "external_key": ["UUID"],
        "key": ["hostname"], "missing": "flag", "missing_limit": 50,
    });
    recorder.send("insert_source", SOURCES, Some(source)).await;
    for file in [
        "UUID,Name,CPUs\nvm-1,srv-01,8\nvm-2,srv-07,4\n",
        "UUID,Name,CPUs\nvm-1,srv-01,8\n",
    ] {
        let import = recorder
            .client
            .send(Method::POST, "/rest/imports", &[], file.into())
            .await;
        let id = import.expect(201).member("result")["id"].clone();
        let run = format!("/rest/imports/{id}/run");
        let _ = recorder
            .client
            .post(&run, json!({"source": "vcenter"}))
            .await
            .expect(202);
        server.service().finish(Imports::default()).await.unwrap();
    }
    let missing = "/rest/imports/2/missing";
    recorder.send("list_missing_objects", missing, None).await;
    let query = format!("{missing}/query");
    let first = Some(json!({"limit": 1}));
    recorder.send("query_missing_objects", &query, first).await;
    recorder.send("list_sources", SOURCES, None).await;
    let query = format!("{SOURCES}/query");
    let named = Some(json!({"filter": {"name": "vcenter"}}));
    recorder.send("query_sources", &query, named).await;
    let one = format!("{SOURCES}/1");
    recorder.send("read_source", &one, None).await;
    let objects = format!("{one}/objects");
    let missing = format!("{objects}?missing=true");
    recorder.send("list_source_objects", &missing, None).await;
    let query = format!("{objects}/query");
    let first = Some(json!({"limit": 1, "after": ""}));
    recorder.send("query_source_objects", &query, first).await;
    let of_object = "/rest/objects/6/sources";
    recorder.send("list_object_sources", of_object, None).await;
    let query = format!("{of_object}/query");
    let missing = Some(json!({"filter": {"missing_since": {"$ne": null}}}));
    recorder.send("query_object_sources", &query, missing).await;
    let replacement = json!({
        "name": "vcenter", "type_id": 2, "columns": {"Name": "hostname"}, "external_key": ["UUID"], "missing": "deactivate",
    });
    recorder
        .send("replace_source", &one, Some(replacement))
        .await;
    let change = Some(json!({"missing_limit": 5}));
    recorder.send("patch_source", &one, change).await;
    recorder.send("delete_source", &one, None).await;
    history(recorder, "source", &one).await;
}

async fn jobs(recorder: &mut Recorder) {
    const JOBS: &str = "/rest/objects/jobs";
    let body = json!({
        "filter": {"type_id": 2}, "total": 2,
        "set": {"cores": 64}, "append": {"hostname": ".example"}, "comment": "ticket 4711",
    });
    recorder.send("start_object_job", JOBS, Some(body)).await;
    recorder.send("list_object_jobs", JOBS, None).await;
    let newest = json!({"limit": 1});
    let query = "/rest/objects/jobs/query";
    recorder
        .send("query_object_jobs", query, Some(newest))
        .await;
    let one = "/rest/objects/jobs/1";
    recorder.send("read_object_job", one, None).await;
    recorder.send("cancel_object_job", one, None).await;
}

/// The history of a record, whose resource has this name in the operations.
async fn history(recorder: &mut Recorder, name: &str, path: &str) {
    let list = format!("list_{name}_history");
    recorder
        .send(&list, &format!("{path}/history?limit=2"), None)
        .await;
    let query = format!("query_{name}_history");
    recorder
        .send(
            &query,
            &format!("{path}/history/query"),
            Some(json!({"filter": {"action": "insert"}})),
        )
        .await;
    let read = format!("read_{name}_revision");
    recorder
        .send(&read, &format!("{path}/history/1"), None)
        .await;
    let restore = format!("restore_{name}");
    recorder
        .send(
            &restore,
            &format!("{path}/restore"),
            Some(json!({"revision": 1, "force": true})),
        )
        .await;
}

async fn types(recorder: &mut Recorder) {
    let admin = recorder.client.clone();
    recorder
        .send("list_types", "/rest/types?limit=1", None)
        .await;
    recorder
        .send(
            "query_types",
            "/rest/types/query",
            Some(json!({"filter": {"name": "site"}})),
        )
        .await;
    let mut read = recorder.send("read_type", "/rest/types/2", None).await;
    let mut definition = read["result"].take();
    definition["version"] = json!("1.1.0");
    let mut without_fields = definition.clone();
    without_fields["fields"] = json!([
        {"type": "text", "name": "name", "label": "Host name", "renamed_from": "hostname"},
    ]);
    without_fields["render_meta"] = json!({});
    recorder
        .send(
            "preview_type",
            "/rest/types/2/preview",
            Some(without_fields),
        )
        .await;
    recorder
        .send("replace_type", "/rest/types/2", Some(definition))
        .await;
    recorder
        .send(
            "patch_type",
            "/rest/types/2",
            Some(json!({"description": "A machine in a rack"})),
        )
        .await;
    history(recorder, "type", "/rest/types/2").await;
    for (id, path) in [
        ("delete_type", "/rest/types/3"),
        ("delete_type_alias", "/rest/type/4"),
    ] {
        inventory::insert(
            &admin,
            "/rest/types",
            json!({"name": "desk", "author_id": 1}),
        )
        .await;
        recorder.send(id, path, None).await;
    }
}

async fn categories(recorder: &mut Recorder) {
    let category = json!({"name": "machines", "label": "Machines", "meta": {"icon": "fas fa-server", "order": 1}, "parent": null, "types": [2]});
    let mut inserted = recorder
        .send("insert_category", "/rest/categories", Some(category))
        .await;
    recorder
        .send("list_categories", "/rest/categories", None)
        .await;
    recorder
        .send(
            "query_categories",
            "/rest/categories/query",
            Some(json!({"filter": {"types": 2}})),
        )
        .await;
    recorder
        .send("read_category", "/rest/categories/1", None)
        .await;
    let mut category = inserted["raw"].take();
    category["types"] = json!([1, 2]);
    recorder
        .send("replace_category", "/rest/categories/1", Some(category))
        .await;
    recorder
        .send(
            "patch_category",
            "/rest/categories/1",
            Some(json!({"label": "All machines"})),
        )
        .await;
    recorder
        .send("delete_category", "/rest/categories/1", None)
        .await;
    history(recorder, "category", "/rest/categories/1").await;
    recorder
        .send("list_history", "/rest/history?limit=2", None)
        .await;
    recorder
        .send("list_logins", "/rest/history/logins?limit=1", None)
        .await;
    recorder
        .send(
            "query_logins",
            "/rest/history/logins/query",
            Some(json!({"filter": {"result": "failure"}, "limit": 1})),
        )
        .await;
    recorder
        .send("list_changes", "/rest/changes?limit=1", None)
        .await;
    let client = recorder.client.clone();
    let client = client.with_header("x-request-id", "import-7");
    let category = json!({"name": "rooms"});
    inventory::insert(&client, "/rest/categories", category).await;
    recorder
        .send(
            "revert_request",
            "/rest/history/requests/import-7/revert",
            Some(json!({"force": false})),
        )
        .await;
    recorder
        .send(
            "query_changes",
            "/rest/changes/query",
            Some(json!({"limit": 1, "images": true})),
        )
        .await;
    recorder
        .send(
            "query_history",
            "/rest/history/query",
            Some(json!({"filter": {"resource": "category", "action": "delete"}})),
        )
        .await;
}

async fn views(recorder: &mut Recorder) {
    let view = json!({
        "name": "Debian servers", "description": "By name", "type_id": 2, "visibility": "group",
        "definition": {"columns": ["fields.hostname", "fields.cores"], "filter": {"fields.system": "debian"}, "sort": "fields.hostname"},
    });
    let mut inserted = recorder
        .send("insert_view", "/rest/views", Some(view))
        .await;
    recorder.send("list_views", "/rest/views", None).await;
    recorder
        .send(
            "query_views",
            "/rest/views/query",
            Some(json!({"filter": {"type_id": {"$in": [2, null]}}})),
        )
        .await;
    recorder.send("read_view", "/rest/views/1", None).await;
    let mut view = inserted["raw"].take();
    view["visibility"] = json!("all");
    recorder
        .send("replace_view", "/rest/views/1", Some(view))
        .await;
    recorder
        .send(
            "patch_view",
            "/rest/views/1",
            Some(json!({"is_default": true})),
        )
        .await;
    recorder.send("delete_view", "/rest/views/1", None).await;
    history(recorder, "view", "/rest/views/1").await;
}

async fn tokens(recorder: &mut Recorder) {
    let token = json!({
        "name": "Nightly import", "rights": ["base.framework.object.*", "base.framework.type.view"], "types": [1, 2],
        "networks": ["192.0.2.0/24"], "expires_at": "2027-01-31",
    });
    recorder
        .send("insert_token", "/rest/tokens", Some(token))
        .await;
    recorder.send("list_tokens", "/rest/tokens", None).await;
    recorder
        .send(
            "query_tokens",
            "/rest/tokens/query",
            Some(json!({"filter": {"user_id": 1}, "sort": "name"})),
        )
        .await;
    recorder.send("read_token", "/rest/tokens/1", None).await;
    recorder.send("revoke_token", "/rest/tokens/1", None).await;
    recorder
        .send("list_token_history", "/rest/tokens/1/history", None)
        .await;
    recorder
        .send(
            "query_token_history",
            "/rest/tokens/1/history/query",
            Some(json!({"filter": {"action": "insert"}})),
        )
        .await;
    recorder
        .send("read_token_revision", "/rest/tokens/1/history/1", None)
        .await;
}

async fn people(recorder: &mut Recorder) {
    let group = json!({"name": "readers", "label": "Readers", "rights": ["base.framework.object.view", "base.framework.type.view"]});
    let _ = recorder
        .send("insert_group", "/rest/groups", Some(group))
        .await;
    recorder
        .send(
            "list_groups",
            "/rest/groups?limit=1&sort=name&order=-1",
            None,
        )
        .await;
    recorder
        .send(
            "query_groups",
            "/rest/groups/query",
            Some(json!({"filter": {"name": "readers"}})),
        )
        .await;
    recorder.send("read_group", "/rest/groups/3", None).await;
    let group = json!({"public_id": 3, "name": "readers", "label": "Readers", "rights": ["base.framework.object.view"]});
    recorder
        .send("replace_group", "/rest/groups/3", Some(group))
        .await;
    recorder
        .send(
            "patch_group",
            "/rest/groups/3",
            Some(json!({"label": "Guests"})),
        )
        .await;
    let user = json!({"user_name": "robin", "active": true, "group_id": 3, "password": "a long password", "first_name": "Robin",
        "last_name": "Weber", "email": "robin@example.org"});
    let mut inserted = recorder
        .send("insert_user", "/rest/users", Some(user))
        .await;
    recorder
        .send("list_users", "/rest/users?limit=1&order=-1", None)
        .await;
    recorder
        .send(
            "query_users",
            "/rest/users/query",
            Some(json!({"filter": {"user_name": "robin"}})),
        )
        .await;
    recorder.send("read_user", "/rest/users/2", None).await;
    let mut user = inserted["raw"].take();
    user["email"] = json!("r.weber@example.org");
    recorder
        .send("replace_user", "/rest/users/2", Some(user))
        .await;
    recorder
        .send(
            "patch_user",
            "/rest/users/2",
            Some(json!({"active": false})),
        )
        .await;
    recorder
        .send(
            "change_password",
            "/rest/users/2/password",
            Some(json!({"password": "another long password"})),
        )
        .await;
    settings(recorder).await;
    history(recorder, "setting", "/rest/users/2/settings/object-table").await;
    history(recorder, "user", "/rest/users/2").await;
    history(recorder, "group", "/rest/groups/3").await;
    recorder.send("delete_user", "/rest/users/2", None).await;
    recorder.send("delete_group", "/rest/groups/3", None).await;
}

async fn settings(recorder: &mut Recorder) {
    let setting = json!({"identifier": "object-table", "user_id": 2, "setting_type": "APPLICATION", "payload": {"columns": ["hostname", "system"]}});
    recorder
        .send(
            "insert_setting",
            "/rest/users/2/settings",
            Some(setting.clone()),
        )
        .await;
    recorder
        .send("list_settings", "/rest/users/2/settings", None)
        .await;
    recorder
        .send(
            "query_settings",
            "/rest/users/2/settings/query",
            Some(json!({"filter": {"setting_type": "APPLICATION"}})),
        )
        .await;
    let path = "/rest/users/2/settings/object-table";
    recorder.send("read_setting", path, None).await;
    let mut changed = setting;
    changed["payload"]["columns"] = json!(["hostname"]);
    recorder.send("replace_setting", path, Some(changed)).await;
    recorder
        .send(
            "patch_setting",
            path,
            Some(json!({"payload": {"size": 25}})),
        )
        .await;
    recorder.send("delete_setting", path, None).await;
}

async fn sessions(recorder: &mut Recorder, server: &TestServer) {
    recorder.send("list_resources", "/rest", None).await;
    recorder.send("list_kinds", "/rest/kinds", None).await;
    recorder.send("me", "/rest/auth/me", None).await;
    let _ = server.login("admin", ADMIN_PASSWORD).await;
    let listed = recorder
        .send("list_sessions", "/rest/auth/sessions", None)
        .await;
    let mut sessions = listed["sessions"].as_array().unwrap().iter();
    let other = sessions.find(|session| session["current"] == false);
    let path = format!(
        "/rest/auth/sessions/{}",
        other.unwrap()["id"].as_str().unwrap()
    );
    recorder.send("end_session", &path, None).await;
    let all_but_this = "/rest/auth/sessions?keep_current=true";
    recorder.send("end_sessions", all_but_this, None).await;
}

/// Replaces what does not help a reader: real tokens and fingerprints, and the password of the
/// tests.
fn readable(value: &mut Value) {
    match value {
        Value::String(text) if text.starts_with("eyJ") => *text = "eyJhbGciOi…".to_owned(),
        Value::String(text) if text.starts_with("hmac-sha256:") => {
            *text = "hmac-sha256:…".to_owned();
        }
        Value::String(text) if text == ADMIN_PASSWORD => *text = "stockroom-demo".to_owned(),
        Value::Object(members) => members.values_mut().for_each(readable),
        Value::Array(items) => items.iter_mut().for_each(readable),
        _ => {}
    }
}

async fn every_operation(server: TestServer) {
    let mut recorder = Recorder {
        client: server.anonymous(),
        document: stockroom_http::document(),
        examples: Map::new(),
    };
    let login = json!({"user_name": "admin", "password": ADMIN_PASSWORD});
    recorder
        .send("login", "/rest/auth/login", Some(login))
        .await;
    recorder.send("read_health", "/healthz", None).await;
    recorder.send("read_readiness", "/readyz", None).await;
    recorder.client = server.admin();
    inventory::insert(&server.admin(), "/rest/types", inventory::site()).await;
    recorder
        .send("insert_type", "/rest/types", Some(inventory::server(1)))
        .await;
    objects(&mut recorder).await;
    imports(&mut recorder, &server).await;
    types(&mut recorder).await;
    categories(&mut recorder).await;
    views(&mut recorder).await;
    sources(&mut recorder, &server).await;
    tokens(&mut recorder).await;
    people(&mut recorder).await;
    recorder
        .send("list_rights", "/rest/rights?limit=2", None)
        .await;
    recorder
        .send(
            "query_rights",
            "/rest/rights/query",
            Some(json!({"filter": {"name": "base.framework.object.view"}})),
        )
        .await;
    recorder
        .send(
            "read_right",
            "/rest/rights/base.framework.object.view",
            None,
        )
        .await;
    recorder
        .send("read_security_levels", "/rest/rights/levels", None)
        .await;
    let operations = json!([
        {"method": "POST", "path": "/categories", "body": {"name": "rooms"}},
        {"method": "POST", "path": "/categories", "body": {"name": "racks", "parent": {"$result": 0}}},
        {"method": "PATCH", "path": "/categories/{$result:0}", "body": {"label": "Rooms"}, "if_match": "1"},
    ]);
    let body = json!({"operations": operations});
    recorder.send("run_batch", "/rest/batch", Some(body)).await;
    recorder.send("request_backup", "/rest/backups", None).await;
    sessions(&mut recorder, &server).await;
    let mut refreshed = recorder.send("refresh", "/rest/auth/refresh", None).await;
    recorder.client = server.with_token(refreshed["token"].take().as_str().unwrap());
    recorder.send("logout", "/rest/auth/logout", None).await;

    let mut examples = recorder.examples;
    examples.sort_keys();
    let mut examples = Value::Object(examples);
    readable(&mut examples);
    every_operation_has_one(&recorder.document, &examples);
    golden(FILE, &format!("{examples:#}\n"));
}

fn every_operation_has_one(document: &Value, examples: &Value) {
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item
            .as_object()
            .unwrap()
            .iter()
            .filter(|(method, _)| *method != "head")
        {
            let id = operation["operationId"].as_str().unwrap();
            let has_one = examples.get(id).is_some() || WITHOUT.contains(&id);
            assert!(has_one, "{method} {path} has no example: send it here");
        }
    }
}

#[test]
fn every_operation_shows_an_example_that_was_sent() {
    run(Engine::Sqlite, every_operation);
}
