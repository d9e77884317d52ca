//! Types, access lists and old documents for several of these tests.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, inventory};

/// Every right on objects, and no other right.
pub(crate) const OBJECTS: &[&str] = &["base.framework.object.*"];

/// A server with old documents, too many or too large to be inserted by requests.
pub(crate) async fn stored(documents: Vec<Value>, engine: Engine) -> TestServer {
    let setup = Setup {
        documents,
        ..Setup::default()
    };
    setup.start(engine).await
}

/// The path of an object.
pub(crate) fn path(id: i64) -> String {
    format!("/rest/objects/{id}")
}

/// A definition of a field of a kind.
pub(crate) fn field(kind: &str, name: &str) -> Value {
    json!({"type": kind, "name": name, "label": name})
}

/// A definition of a field, with more members.
pub(crate) fn field_with(kind: &str, name: &str, more: &Value) -> Value {
    let mut field = field(kind, name);
    for (key, value) in more.as_object().expect("an object") {
        field[key] = value.clone();
    }
    field
}

/// A type with these fields, all in one section.
pub(crate) async fn make_type(admin: &Client, name: &str, fields: &[Value]) -> i64 {
    let names: Vec<&Value> = fields.iter().map(|field| &field["name"]).collect();
    let sections = json!([{"type": "section", "name": "all", "label": "All", "fields": names}]);
    let body = json!({"name": name, "author_id": 1, "fields": fields, "render_meta": {"sections": sections}});
    inventory::insert(admin, "/rest/types", body).await
}

/// Changes a type.
pub(crate) async fn patch_type(admin: &Client, id: i64, change: Value) -> Answer {
    let path = format!("/rest/types/{id}");
    admin.patch(&path, change).await
}

/// Activates the access list of a type: administrators may do everything, `group_id` only
/// `operations`.
pub(crate) async fn restrict(admin: &Client, type_id: i64, group_id: i64, operations: &[&str]) {
    let all = ["CREATE", "READ", "UPDATE", "DELETE"];
    let includes = json!({"1": all, group_id.to_string(): operations});
    let acl = json!({"acl": {"activated": true, "groups": {"includes": includes}}});
    let _ = patch_type(admin, type_id, acl).await.expect(202);
}

/// Inserts an object and returns its id.
pub(crate) async fn insert(client: &Client, type_id: i64, values: &[(&str, Value)]) -> i64 {
    let body = inventory::object(type_id, values);
    inventory::insert(client, "/rest/objects", body).await
}

/// A type with two text fields and a reference field, and an object of it.
pub(crate) async fn host(server: &TestServer) -> (i64, i64) {
    let fields = [
        field("text", "name"),
        field("text", "note"),
        field("ref", "other"),
    ];
    let type_id = make_type(&server.admin(), "host", &fields).await;
    let values = [
        ("name", json!("a")),
        ("note", json!("n")),
        ("other", json!(null)),
    ];
    (type_id, insert(&server.admin(), type_id, &values).await)
}

/// The native document.
pub(crate) async fn native(client: &Client, id: i64) -> Value {
    let path = format!("/rest/objects/{id}/native");
    client.get(&path).await.expect(200).json()
}

/// The value of a field of a native document.
pub(crate) fn value<'d>(document: &'d Value, name: &str) -> &'d Value {
    let fields = document["fields"].as_array().expect("fields");
    let field = fields.iter().find(|field| field["name"] == name);
    &field.unwrap_or_else(|| panic!("there is no field {name} in {document}"))["value"]
}

/// A path with parameters.
pub(crate) fn query(path: &str, parameters: &[(&str, &str)]) -> String {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value)))
        .collect();
    format!("{path}?{}", pairs.join("&"))
}

/// A list of objects.
pub(crate) async fn list(client: &Client, parameters: &[(&str, &str)]) -> Answer {
    client.get(&query("/rest/objects/", parameters)).await
}

/// An old document as a database may hold it.
pub(crate) fn document(public_id: i64, type_id: i64, fields: &[(&str, Value)]) -> Value {
    let field = |(name, value): &(&str, Value)| json!({"name": name, "value": value});
    let fields: Vec<Value> = fields.iter().map(field).collect();
    json!({
        "public_id": public_id, "type_id": type_id, "status": true, "version": "1.0.0", "author_id": 1,
        "creation_time": {"$date": 1_577_836_800_000_i64}, "last_edit_time": null, "editor_id": null, "active": true,
        "fields": fields, "views": 0,
    })
}
