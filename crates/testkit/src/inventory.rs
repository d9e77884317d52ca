//! A small inventory with records of every kind, made through the API.

use serde_json::{Value, json};

use crate::Client;

/// The ids of the records that [`small`] makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Small {
    /// A root category with the type of sites.
    pub places: i64,
    /// A category below it with the type of servers.
    pub machines: i64,
    /// A type with text fields and no references.
    pub site_type: i64,
    /// A type with every kind of field, a section of the referenced site, an external link and a
    /// summary.
    pub server_type: i64,
    /// The site Berlin.
    pub berlin: i64,
    /// The site Vienna, which nothing references.
    pub vienna: i64,
    /// The server `srv-01` in Berlin, with all values.
    pub srv_01: i64,
    /// The server `srv-02`, which references `srv-01` as its backup and has no other values.
    pub srv_02: i64,
}

/// Makes two categories, two types and four objects.
pub async fn small(admin: &Client) -> Small {
    let site_type = insert(admin, "/rest/types", site()).await;
    let server_type = insert(admin, "/rest/types", server(site_type)).await;
    let places = json!({"name": "places", "types": [site_type]});
    let places = insert(admin, "/rest/categories", places).await;
    let machines = json!({"name": "machines", "parent": places, "types": [server_type]});
    let machines = insert(admin, "/rest/categories", machines).await;
    let berlin = [
        ("name", json!("Berlin")),
        ("street", json!("Unter den Linden 1")),
    ];
    let berlin = insert(admin, "/rest/objects", object(site_type, &berlin)).await;
    let vienna = [("name", json!("Vienna")), ("street", json!(null))];
    let vienna = insert(admin, "/rest/objects", object(site_type, &vienna)).await;
    let complete = server_values("srv-01", json!(berlin), json!(null));
    let srv_01 = insert(admin, "/rest/objects", object(server_type, &complete)).await;
    let bare = bare_values("srv-02", json!(srv_01));
    let srv_02 = insert(admin, "/rest/objects", object(server_type, &bare)).await;
    Small {
        places,
        machines,
        site_type,
        server_type,
        berlin,
        vienna,
        srv_01,
        srv_02,
    }
}

/// The body of an object.
#[must_use]
pub fn object(type_id: i64, values: &[(&str, Value)]) -> Value {
    let field = |(name, value): &(&str, Value)| json!({"name": name, "value": value});
    let fields: Vec<Value> = values.iter().map(field).collect();
    json!({"type_id": type_id, "author_id": 1, "fields": fields})
}

/// Inserts a record and returns its id.
pub async fn insert(client: &Client, path: &str, body: Value) -> i64 {
    let answer = client.post(path, body).await;
    assert!(matches!(answer.status, 200 | 201), "{answer}");
    answer.member("result_id").as_i64().expect("an id")
}

/// The body of the type of sites.
#[must_use]
pub fn site() -> Value {
    json!({
        "name": "site",
        "label": "Site",
        "author_id": 1,
        "fields": [
            {"type": "text", "name": "name", "label": "Name", "required": true},
            {"type": "textarea", "name": "street", "label": "Street"},
        ],
        "render_meta": {
            "icon": "fas fa-city",
            "sections": [
                {"type": "section", "name": "address", "label": "Address", "fields": ["name", "street"]},
            ],
            "externals": [],
            "summary": {"fields": ["name"]},
        },
    })
}

/// The body of the type of servers, which reference sites.
#[must_use]
pub fn server(site_type: i64) -> Value {
    json!({
        "name": "server",
        "label": "Server",
        "author_id": 1,
        "description": "A machine that serves",
        "fields": [
            {"type": "text", "name": "hostname", "label": "Host name", "required": true, "regex": "[a-z]+-[0-9]{2}"},
            {"type": "select", "name": "system", "label": "System",
             "options": [{"name": "debian", "label": "Debian"}, {"name": "alpine", "label": "Alpine"}]},
            {"type": "date", "name": "bought", "label": "Bought on"},
            {"type": "number", "name": "cores", "label": "Cores"},
            {"type": "password", "name": "console", "label": "Console password"},
            {"type": "ref-section-field", "name": "site-field", "label": "Site", "ref_types": [site_type]},
            {"type": "ref", "name": "backup", "label": "Backup", "ref_types": []},
        ],
        "render_meta": {
            "icon": "fas fa-server",
            "sections": [
                {"type": "section", "name": "machine", "label": "Machine",
                 "fields": ["hostname", "system", "bought", "cores", "console", "backup"]},
                {"type": "ref-section", "name": "site", "label": "Site", "fields": ["site-field"],
                 "reference": {"type_id": site_type, "section_name": "address", "selected_fields": ["name"]}},
            ],
            "externals": [
                {"name": "console", "label": "Console", "icon": "fas fa-terminal",
                 "href": "https://{}.console.example/", "fields": ["hostname"]},
            ],
            "summary": {"fields": ["hostname", "system"]},
        },
    })
}

fn server_values(hostname: &str, site: Value, backup: Value) -> Vec<(&'static str, Value)> {
    vec![
        ("hostname", json!(hostname)),
        ("system", json!("debian")),
        ("bought", json!({"$date": 1_577_836_800_000_i64})),
        ("cores", json!(16)),
        ("console", json!("open sesame")),
        ("site-field", site),
        ("backup", backup),
    ]
}

fn bare_values(hostname: &str, backup: Value) -> Vec<(&'static str, Value)> {
    let names = ["system", "bought", "cores", "console", "site-field"];
    let mut values = vec![("hostname", json!(hostname)), ("backup", backup)];
    values.extend(names.map(|name| (name, Value::Null)));
    values
}
