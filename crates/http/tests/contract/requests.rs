//! One request for every row of `docs/spec-rows.toml` that names an endpoint.

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_testkit::inventory::{Small, insert, small};
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer};

use crate::forms::Form;

/// A row of an endpoint table.
pub(crate) struct Endpoint {
    pub(crate) method: Method,
    /// The path below `/rest` as in `docs/spec-rows.toml`, with ids filled in.
    pub(crate) path: &'static str,
    pub(crate) body: Value,
    pub(crate) success: u16,
    pub(crate) model: &'static str,
}

/// The inventory that the paths refer to: types 1 and 2, categories 1 and 2, objects 1 to 4, and
/// the records made here.
pub(crate) async fn start(engine: Engine) -> TestServer {
    let server = Setup::default().start(engine).await;
    let admin = server.admin();
    let made = Small {
        places: 1,
        machines: 2,
        site_type: 1,
        server_type: 2,
        berlin: 1,
        vienna: 2,
        srv_01: 3,
        srv_02: 4,
    };
    assert_eq!(small(&admin).await, made);
    let bare = json!({"name": "spare", "author_id": 1});
    assert_eq!(insert(&admin, "/rest/types", bare).await, 3);
    let group =
        json!({"name": "guests", "label": "Guests", "rights": ["base.framework.object.view"]});
    assert_eq!(insert(&admin, "/rest/groups", group).await, 3);
    let user = json!({"user_name": "ann", "password": "a password", "group_id": 3, "active": true});
    assert_eq!(insert(&admin, "/rest/users", user).await, 2);
    for name in ["Debian", "Racks"] {
        let view = json!({"name": name, "type_id": 2, "visibility": "all"});
        insert(&admin, "/rest/views", view).await;
    }
    let setting = json!({"identifier": "grid", "user_id": 1, "payload": {"rows": 5}, "setting_type": "GLOBAL"});
    let _ = admin
        .post("/rest/users/1/settings/", setting)
        .await
        .expect(201);
    server
}

impl Endpoint {
    pub(crate) async fn ask(&self, client: &Client) -> Answer {
        let body = if self.body.is_null() {
            Vec::new()
        } else {
            self.body.to_string().into_bytes()
        };
        client
            .send(
                self.method.clone(),
                &format!("/rest{}", self.path),
                &[],
                body,
            )
            .await
    }

    /// The URL of the written record.
    pub(crate) fn record(&self) -> &'static str {
        self.path.trim_end_matches('/')
    }

    /// The format of `time` in the envelope.
    pub(crate) fn time(&self) -> Form {
        match self.model {
            "Object" | "Type" | "Category" | "View" => Form::IsoTime,
            _ => Form::SpacedTime,
        }
    }
}

/// Lists with pages.
pub(crate) fn lists() -> Vec<Endpoint> {
    let get = |path, model| endpoint(Method::GET, path, Value::Null, 200, model);
    vec![
        get("/objects/", "Object"),
        get("/objects/?view=render", "Object"),
        get("/objects/1/references", "Object"),
        get("/objects/clean/2", "Object"),
        get("/types/", "Type"),
        get("/categories/", "Category"),
        get("/categories/?view=tree", "Category"),
        get("/views/", "View"),
        get("/users/", "User"),
        get("/groups/", "Group"),
        get("/rights/", "Right"),
        get("/rights/?optional=tree", "Right"),
    ]
}

/// Single reads with an envelope.
pub(crate) fn reads() -> Vec<Endpoint> {
    let get = |path, model| endpoint(Method::GET, path, Value::Null, 200, model);
    vec![
        get("/objects/3/state", "Object"),
        get("/types/2", "Type"),
        get("/categories/2", "Category"),
        get("/views/2", "View"),
        get("/users/2", "User"),
        get("/groups/3", "Group"),
        get("/rights/base.framework.object.view", "Right"),
        get("/rights/levels", "Security-Level"),
    ]
}

/// Reads of settings, which answer `results` without pages.
pub(crate) fn settings_reads() -> Vec<Endpoint> {
    let get = |path| endpoint(Method::GET, path, Value::Null, 200, "UserSetting");
    vec![get("/users/1/settings/"), get("/users/1/settings/grid")]
}

/// Reads that answer their document directly.
pub(crate) fn bare_reads() -> Vec<Endpoint> {
    let get = |path| endpoint(Method::GET, path, Value::Null, 200, "Object");
    vec![get("/objects/3"), get("/objects/3/native")]
}

/// Inserts.
pub(crate) fn inserts() -> Vec<Endpoint> {
    let post = |path, success, model, body| endpoint(Method::POST, path, body, success, model);
    vec![
        post(
            "/objects/",
            200,
            "Object",
            json!({"type_id": 1, "author_id": 1, "fields": [{"name": "name", "value": "Graz"}, {"name": "street", "value": null}]}),
        ),
        post(
            "/types/",
            200,
            "Type",
            json!({"name": "rack", "author_id": 1}),
        ),
        post(
            "/categories/",
            200,
            "Category",
            json!({"name": "tools", "label": "Tools", "meta": {"icon": "i", "order": 1}, "parent": 1, "types": [1]}),
        ),
        post(
            "/views/",
            201,
            "View",
            json!({"name": "Mine", "description": "d", "type_id": 1, "definition": {"filter": {"active": true}}}),
        ),
        post(
            "/users/",
            201,
            "User",
            json!({"user_name": "bob", "active": true, "group_id": 2, "password": "a password"}),
        ),
        post(
            "/groups/",
            201,
            "Group",
            json!({"name": "staff", "label": "Staff", "rights": ["base.system.view"]}),
        ),
        post(
            "/users/2/settings/",
            201,
            "UserSetting",
            json!({"identifier": "view", "user_id": 2, "payload": {}, "setting_type": "APPLICATION"}),
        ),
    ]
}

/// Updates, each by PUT.
pub(crate) fn updates() -> Vec<Endpoint> {
    let put = |path, success, model, body| endpoint(Method::PUT, path, body, success, model);
    vec![
        put(
            "/objects/1",
            200,
            "Object",
            json!({"public_id": 1, "type_id": 1, "author_id": 1, "fields": [{"name": "name", "value": "Bonn"}, {"name": "street", "value": null}]}),
        ),
        put(
            "/types/3",
            202,
            "Type",
            json!({"public_id": 3, "name": "shelf", "author_id": 1}),
        ),
        put(
            "/categories/2",
            202,
            "Category",
            json!({"public_id": 2, "name": "tools", "label": "T", "meta": {"icon": "", "order": null}, "parent": null, "types": []}),
        ),
        put(
            "/views/2",
            202,
            "View",
            json!({"public_id": 2, "name": "Ours", "visibility": "group", "group_id": 3, "is_default": true}),
        ),
        put(
            "/users/2",
            202,
            "User",
            json!({"public_id": 2, "user_name": "ann", "active": false, "group_id": 3}),
        ),
        put(
            "/groups/3",
            202,
            "Group",
            json!({"public_id": 3, "name": "staff", "label": "Staff", "rights": []}),
        ),
        put(
            "/users/1/settings/grid",
            202,
            "UserSetting",
            json!({"identifier": "grid", "user_id": 1, "payload": {}, "setting_type": "SERVER"}),
        ),
    ]
}

/// Updates of a part of a record, or of many records.
pub(crate) fn other_updates() -> Vec<Endpoint> {
    let put = |path, body| endpoint(Method::PUT, path, body, 200, "Object");
    vec![
        put("/objects/3/state", json!(false)),
        put("/objects/clean/2", Value::Null),
    ]
}

/// Deletes.
pub(crate) fn deletes() -> Vec<Endpoint> {
    let delete = |path, success, model| endpoint(Method::DELETE, path, Value::Null, success, model);
    vec![
        delete("/objects/2", 200, "Object"),
        delete("/types/3", 202, "Type"),
        delete("/categories/2", 202, "Category"),
        delete("/views/2", 202, "View"),
        delete("/users/2", 202, "User"),
        delete("/groups/3?action=DELETE", 202, "Group"),
        delete("/users/1/settings/grid", 202, "UserSetting"),
    ]
}

/// Deletes of several records, or under another name.
pub(crate) fn other_deletes() -> Vec<Endpoint> {
    let delete = |path, success, model| endpoint(Method::DELETE, path, Value::Null, success, model);
    vec![
        delete("/objects/2,4", 200, "Object"),
        delete("/type/3", 202, "Type"),
        delete("/groups/3?action=MOVE&group_id=2", 202, "Group"),
    ]
}

fn endpoint(
    method: Method,
    path: &'static str,
    body: Value,
    success: u16,
    model: &'static str,
) -> Endpoint {
    Endpoint {
        method,
        path,
        body,
        success,
        model,
    }
}
