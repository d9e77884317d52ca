//! The operations that take bodies, each with a body that it accepts.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_testkit::{Engine, apply, both};

use crate::inventory::start;
use crate::records::{
    category, group, illegal_in_objects, illegal_in_types, object, setting, source, token, r#type,
    user, view,
};

/// A legal request.
pub(crate) struct Target {
    pub(crate) operation: String,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Value,
    /// Values that break a rule which the OpenAPI document cannot express, by place.
    pub(crate) illegal: Illegal,
}

/// All targets.
pub(crate) fn all() -> Vec<Target> {
    let mut targets: Vec<Target> = records().into_iter().flat_map(Record::targets).collect();
    targets.extend(settings());
    targets.extend(single_routes());
    targets.extend(import_routes());
    targets.push(aggregate());
    targets.push(preview());
    targets.push(made_token());
    targets.extend(restorations());
    targets
}

/// Places, and values that are illegal there.
pub(crate) type Illegal = Vec<(&'static str, Vec<Value>)>;

/// A record that can be inserted, replaced and patched.
struct Record {
    name: &'static str,
    list: &'static str,
    stored: i64,
    body: Value,
    illegal: Illegal,
}

impl Record {
    fn targets(self) -> [Target; 3] {
        let Self {
            name,
            list,
            stored,
            body,
            illegal,
        } = self;
        let path = format!("{list}/{stored}");
        let mut replacement = body.clone();
        replacement["public_id"] = json!(stored);
        // Patching with an empty list of fields is legal and changes nothing.
        let patch_illegal = illegal
            .iter()
            .filter(|(place, _)| *place != "/fields")
            .cloned()
            .collect();
        let target = |verb, method, path: &str, body, illegal| Target {
            operation: format!("{verb}_{name}"),
            method,
            path: path.to_owned(),
            body,
            illegal,
        };
        [
            target("insert", Method::POST, list, body, illegal.clone()),
            target("replace", Method::PUT, &path, replacement.clone(), illegal),
            target("patch", Method::PATCH, &path, replacement, patch_illegal),
        ]
    }
}

fn records() -> Vec<Record> {
    let record = |name, list, stored, body, illegal| Record {
        name,
        list,
        stored,
        body,
        illegal,
    };
    vec![
        record("object", "/rest/objects", 3, object(), illegal_in_objects()),
        record("type", "/rest/types", 3, r#type(), illegal_in_types()),
        record(
            "category",
            "/rest/categories",
            2,
            category(),
            vec![
                ("/name", vec![json!("")]),
                ("/parent", vec![json!(999), json!(0), json!(-1)]),
            ],
        ),
        record(
            "view",
            "/rest/views",
            1,
            view(),
            vec![
                ("/name", vec![json!(""), json!("x".repeat(201))]),
                ("/description", vec![json!("x".repeat(2_001))]),
                ("/type_id", vec![json!(999), json!(0), json!(-1)]),
                (
                    "/visibility",
                    vec![json!(""), json!("All"), json!("public")],
                ),
                ("/group_id", vec![json!(999), json!(0), json!(-1)]),
                ("/definition", vec![json!({"x": "x".repeat(65_536)})]),
                (
                    "/definition/filter",
                    vec![
                        json!([]),
                        json!("{}"),
                        json!({"$nonsense": 1}),
                        json!({"a": {"$regex": "("}}),
                    ],
                ),
            ],
        ),
        record("source", "/rest/sources", 1, source(), of_sources()),
        record(
            "user",
            "/rest/users",
            2,
            user(),
            vec![
                (
                    "/user_name",
                    vec![json!(""), json!("admin"), json!("ADMIN")],
                ),
                ("/group_id", vec![json!(999), json!(0), json!(-1)]),
                (
                    "/password",
                    vec![
                        json!(""),
                        json!("x".repeat(1_025)),
                        json!("hmac-sha256:none"),
                    ],
                ),
            ],
        ),
        record(
            "group",
            "/rest/groups",
            3,
            group(),
            vec![
                ("/name", vec![json!(""), json!("admin"), json!("user")]),
                (
                    "/rights/0",
                    vec![
                        json!("base.nothing"),
                        json!(""),
                        json!({"label": "x"}),
                        json!({"name": "base"}),
                    ],
                ),
            ],
        ),
    ]
}

fn of_sources() -> Illegal {
    vec![
        ("/name", vec![json!(""), json!("x".repeat(201))]),
        ("/type_id", vec![json!(999), json!(0), json!(-1)]),
        ("/columns", vec![json!([]), json!({"a": "nothing"})]),
        (
            "/columns/site",
            vec![json!({"field": "site-field", "by": "nothing"}), json!(1)],
        ),
        ("/external_key/0", vec![json!(1), json!(null)]),
        ("/key/0", vec![json!("nothing"), json!(1)]),
        ("/policy", vec![json!("halt"), json!("")]),
        ("/missing", vec![json!("forget"), json!("")]),
        ("/missing_limit", vec![json!(-1), json!(101), json!("5")]),
    ]
}

fn settings() -> Vec<Target> {
    const LIST: &str = "/rest/users/1/settings";
    const ONE: &str = "/rest/users/1/settings/grid";
    let other = || vec![json!("of another"), json!("")];
    let target = |operation: &str, method, path: &str, identifier, identifiers| Target {
        operation: operation.to_owned(),
        method,
        path: path.to_owned(),
        body: setting(identifier),
        illegal: vec![
            ("/identifier", identifiers),
            ("/user_id", vec![json!(2), json!(0)]),
            (
                "/setting_type",
                vec![json!("global"), json!(""), json!("USER")],
            ),
        ],
    };
    let taken = vec![json!("grid"), json!("")];
    vec![
        target("insert_setting", Method::POST, LIST, "new", taken),
        target("replace_setting", Method::PUT, ONE, "grid", other()),
        target("patch_setting", Method::PATCH, ONE, "grid", other()),
    ]
}

fn target(
    operation: &str,
    method: Method,
    path: &str,
    body: Value,
    illegal: Vec<(&'static str, Vec<Value>)>,
) -> Target {
    Target {
        operation: operation.to_owned(),
        method,
        path: path.to_owned(),
        body,
        illegal,
    }
}

fn import_routes() -> Vec<Target> {
    vec![
        target(
            "run_import",
            Method::POST,
            "/rest/imports/1/run",
            json!({
                "type_id": 2,
                "columns": {"hostname": "hostname", "site": {"field": "site-field", "by": "name"}},
                "key": ["hostname"], "policy": "skip", "dry_run": true,
            }),
            vec![
                ("/type_id", vec![json!(99), json!(null)]),
                ("/columns", vec![json!({}), json!({"nothing": "hostname"})]),
                (
                    "/columns/hostname",
                    vec![json!("nothing"), json!({"field": "nothing"})],
                ),
                ("/columns/site/by", vec![json!("nothing")]),
                ("/key", vec![json!(["nothing"])]),
                ("/policy", vec![json!("sometimes"), json!("")]),
                ("/only", vec![json!("all"), json!(true)]),
            ],
        ),
        target(
            "repair_import_rows",
            Method::PATCH,
            "/rest/imports/1/rows",
            json!({"rows": [{"row": 2, "cells": {"hostname": "srv-77", "site": null}}]}),
            vec![
                ("/rows/0/row", vec![json!(0), json!(99), json!("2")]),
                ("/rows/0/cells", vec![json!({"nothing": 1}), json!(null)]),
                ("/rows/0/cells/site", vec![json!([1]), json!({})]),
            ],
        ),
        target(
            "import_records",
            Method::POST,
            "/rest/imports/records",
            json!({
                "types": [{"public_id": 70, "name": "shelf", "fields": [{"type": "text", "name": "code", "label": "Code"}]}],
                "categories": [{"public_id": 71, "name": "shelves", "parent": null, "types": [70]}],
                "groups": [{"name": "shelves", "rights": []}],
            }),
            vec![
                ("/types", vec![json!({}), json!([1])]),
                ("/types/0/name", vec![json!(null), json!("-"), json!(7)]),
                ("/types/0/public_id", vec![json!(0), json!("x")]),
                ("/types/0/fields/0/type", vec![json!(null), json!(1)]),
                ("/categories/0/types/0", vec![json!("x")]),
                (
                    "/groups/0/rights",
                    vec![json!(["base.invented"]), json!({})],
                ),
            ],
        ),
    ]
}

fn single_routes() -> Vec<Target> {
    let password = json!({"password": "one that is new", "old_password": "unused"});
    vec![
        target(
            "update_object_state",
            Method::PUT,
            "/rest/objects/3/state",
            json!({"active": false}),
            vec![
                (
                    "",
                    vec![
                        json!({}),
                        json!({"activ": true}),
                        json!([true]),
                        json!(null),
                    ],
                ),
                ("/active", vec![json!(null), json!("true"), json!(0)]),
            ],
        ),
        target(
            "change_password",
            Method::PATCH,
            "/rest/users/2/password",
            password,
            vec![(
                "/password",
                vec![json!(""), json!(null), json!("x".repeat(1_025))],
            )],
        ),
        target(
            "start_object_job",
            Method::POST,
            "/rest/objects/jobs",
            json!({"filter": {"public_id": 3}, "total": 1, "set": {"hostname": "srv-09"}, "clear": ["room"], "append": {"system": "x"}}),
            vec![
                ("/filter", vec![json!(null), json!({"$nonsense": 1})]),
                ("/total", vec![json!(-1), json!(1_000_001), json!(null)]),
                ("/clear", vec![json!(["hostname"])]),
                ("/state", vec![json!(true)]),
                ("/delete", vec![json!(true)]),
                ("/references", vec![json!("clear")]),
                ("/comment", vec![json!("x".repeat(1_025))]),
            ],
        ),
        target(
            "run_batch",
            Method::POST,
            "/rest/batch",
            json!({"operations": [
                {"method": "POST", "path": "/categories", "body": {"name": "rows"}},
                {"method": "DELETE", "path": "/categories/{$result:0}", "if_match": "1"},
            ], "comment": "to try it"}),
            vec![
                ("/operations", vec![json!([]), json!(null)]),
                ("/operations/0/method", vec![json!("GET"), json!("post")]),
                (
                    "/operations/0/path",
                    vec![json!("categories"), json!("/auth/login"), json!("/batch")],
                ),
                ("/operations/1/path", vec![json!("/objects/{$result:1}")]),
                ("/comment", vec![json!(1), json!("x".repeat(1_025))]),
            ],
        ),
        target(
            "login",
            Method::POST,
            "/rest/auth/login",
            json!({"user_name": "admin", "password": "correct horse battery staple"}),
            vec![],
        ),
    ]
}

fn aggregate() -> Target {
    Target {
        operation: "aggregate_objects".to_owned(),
        method: Method::POST,
        path: "/rest/objects/aggregate".to_owned(),
        body: json!({
            "filter": {"public_id": 3}, "active": true,
            "group_by": [{"field": "creation_time", "by": "day"}],
            "measures": [{"function": "max", "field": "fields.hostname"}],
            "sort": "key", "order": -1, "limit": 10,
        }),
        illegal: vec![
            (
                "/filter",
                vec![json!({"$nonsense": 1}), json!({"a": {"$regex": "("}})],
            ),
            (
                "/group_by/0/field",
                vec![json!("views"), json!("fields"), json!(null)],
            ),
            ("/group_by/0/by", vec![json!("week"), json!("")]),
            ("/measures/0/function", vec![json!("avg"), json!(null)]),
            ("/measures/0/field", vec![json!("active"), json!(null)]),
            ("/sort", vec![json!("keys"), json!("")]),
            ("/limit", vec![json!(0), json!(-1), json!(1_001)]),
        ],
    }
}

fn preview() -> Target {
    let mut body = r#type();
    body["public_id"] = json!(3);
    Target {
        operation: "preview_type".to_owned(),
        method: Method::POST,
        path: "/rest/types/3/preview".to_owned(),
        body,
        illegal: illegal_in_types(),
    }
}

fn made_token() -> Target {
    Target {
        operation: "insert_token".to_owned(),
        method: Method::POST,
        path: "/rest/tokens".to_owned(),
        body: token(),
        illegal: vec![
            ("/user_id", vec![json!(999), json!(0), json!(-1)]),
            ("/name", vec![json!(""), json!("x".repeat(201))]),
            ("/rights", vec![json!([]), json!(vec!["x"; 101])]),
            ("/rights/0", vec![json!(""), json!("base.nothing")]),
            ("/types", vec![json!([]), json!(vec![1; 1_001])]),
            ("/types/0", vec![json!(999), json!(0), json!(-1)]),
            ("/networks", vec![json!([]), json!(vec!["::1"; 101])]),
            (
                "/networks/0",
                vec![json!(""), json!("192.0.2.0/33"), json!("192.0.2.7/24")],
            ),
            (
                "/expires_at",
                vec![json!("2020-01-31"), json!(""), json!("soon")],
            ),
        ],
    }
}

fn restorations() -> Vec<Target> {
    let records = [
        ("object", "/rest/objects/3"),
        ("type", "/rest/types/3"),
        ("category", "/rest/categories/2"),
        ("view", "/rest/views/1"),
        ("source", "/rest/sources/1"),
        ("user", "/rest/users/2"),
        ("group", "/rest/groups/3"),
        ("setting", "/rest/users/1/settings/grid"),
    ];
    let revert = Target {
        operation: "revert_request".to_owned(),
        method: Method::POST,
        path: "/rest/history/requests/of-the-inventory/revert".to_owned(),
        body: json!({"force": true}),
        illegal: vec![("/force", vec![json!("true"), json!(1)])],
    };
    let target = |(name, path): (&str, &str)| Target {
        operation: format!("restore_{name}"),
        method: Method::POST,
        path: format!("{path}/restore"),
        body: json!({"revision": 1, "force": false}),
        illegal: vec![
            (
                "/revision",
                vec![json!(0), json!(-1), json!("1"), json!(1.5)],
            ),
            ("/force", vec![json!("true"), json!(1)]),
            (
                "/fields",
                vec![
                    json!([]),
                    json!("name"),
                    json!([1]),
                    json!(["no such field"]),
                ],
            ),
        ],
    };
    records.map(target).into_iter().chain([revert]).collect()
}

#[test]
fn every_operation_that_takes_a_body_is_a_target() {
    let document = stockroom_http::document();
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|item| item.as_object().unwrap().values());
    let with_body: BTreeSet<&str> = operations
        .filter(|operation| operation.get("requestBody").is_some())
        .filter_map(|operation| operation["operationId"].as_str())
        // They change nothing; `lists::query` in the tests `api` sends malformed bodies to them.
        .filter(|id| !id.starts_with("query_"))
        // Its body is a file, which the tests of the crate `tables` spoil.
        .filter(|id| *id != "upload_import")
        .collect();
    let targets = all();
    let targets: BTreeSet<&str> = targets.iter().map(|it| it.operation.as_str()).collect();
    assert_eq!(targets, with_body);
}

#[apply(both)]
async fn every_body_is_accepted_before_it_is_spoilt(engine: Engine) {
    for target in all() {
        let server = start(engine).await;
        let body = target.body.to_string().into_bytes();
        let answer = server
            .admin()
            .send(target.method, &target.path, &[], body)
            .await;
        assert!((200..300).contains(&answer.status), "{answer}");
    }
}
