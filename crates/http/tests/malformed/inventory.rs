//! A server with a record of every kind, and a dump of all that it stores.

use std::collections::BTreeMap;

use axum::http::Method;
use serde_json::json;
use stockroom_testkit::inventory::{insert, small};
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer};

/// Types 1 and 2 with objects, type 3 without; user 2 in group 3; a setting `grid` of user 1.
pub(crate) async fn start(engine: Engine) -> TestServer {
    let server = Setup::default().start(engine).await;
    let admin = server.admin();
    let _ = small(&admin).await;
    insert(
        &admin,
        "/rest/types",
        json!({"name": "spare", "author_id": 1}),
    )
    .await;
    let group = json!({"name": "others", "rights": ["base.framework.object.view"]});
    insert(&admin, "/rest/groups", group).await;
    let user = json!({"user_name": "other", "password": "a password", "group_id": 3});
    insert(&admin, "/rest/users", user).await;
    let setting = json!({"identifier": "grid", "setting_type": "APPLICATION", "payload": {"a": 1}});
    let view = json!({"name": "grid", "visibility": "group", "group_id": 3});
    insert(&admin, "/rest/views", view).await;
    let source = json!({"name": "grid", "type_id": 2, "columns": {"hostname": "hostname"}});
    insert(&admin, "/rest/sources", source).await;
    let file = b"hostname,site\nsrv-09,\n".to_vec();
    let _ = admin
        .send(Method::POST, "/rest/imports", &[], file)
        .await
        .expect(201);
    let client = admin.with_header("x-request-id", "of-the-inventory");
    let _ = client
        .post("/rest/users/1/settings", setting)
        .await
        .expect(201);
    server
}

/// Every record of every resource with its entity tag, by its URL.
#[derive(Debug, PartialEq)]
pub(crate) struct Dump(BTreeMap<String, (String, String)>);

impl Dump {
    pub(crate) async fn of(admin: &Client) -> Self {
        let mut dump = Self(BTreeMap::new());
        for list in [
            "objects",
            "types",
            "categories",
            "views",
            "sources",
            "users",
            "tokens",
            "groups",
        ] {
            let path = format!("/rest/{list}?limit=0");
            let listed = admin.get(&path).await.expect(200);
            for id in listed.ids() {
                let form = if list == "objects" { "/native" } else { "" };
                dump.add(admin, &format!("/rest/{list}/{id}{form}")).await;
                if list == "users" {
                    dump.add(admin, &format!("/rest/users/{id}/settings")).await;
                }
            }
            dump.add(admin, &path).await;
        }
        dump.add(admin, "/rest/users/1/settings/grid").await;
        dump
    }

    async fn add(&mut self, admin: &Client, path: &str) {
        let answer = admin.get(path).await.expect(200);
        let body = String::from_utf8(answer.body.clone()).unwrap();
        let record = (answer.header("etag").to_owned(), body);
        self.0.insert(path.to_owned(), record);
    }
}

/// A request that must be refused.
pub(crate) struct Case {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
    pub(crate) body: Vec<u8>,
    /// The place that the answer must point to, if it is certain.
    pub(crate) pointer: Option<String>,
}

impl Case {
    /// Sends the request and checks that it is refused with an explanation.
    pub(crate) async fn must_be_refused(self, admin: &Client) {
        let sent = String::from_utf8_lossy(&self.body)
            .chars()
            .take(2_000)
            .collect::<String>();
        let answer = admin
            .send(self.method, &self.path, &self.headers, self.body)
            .await;
        let is_refused = matches!(answer.status, 400 | 404 | 413 | 415);
        assert!(is_refused, "not refused\n{answer}\n\n{sent}");
        assert_ne!(answer.detail(), "", "{answer}");
        if let Some(pointer) = self.pointer.filter(|_| answer.status == 400) {
            assert!(
                points_to(&answer, &pointer),
                "{pointer} is not named\n{answer}\n\n{sent}"
            );
        }
    }
}

/// Whether the answer points to this place, or to one inside or around it.
fn points_to(answer: &Answer, place: &str) -> bool {
    let is_inside = |inner: &str, outer: &str| {
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let pointers = answer.pointers();
    pointers
        .iter()
        .any(|pointer| is_inside(pointer, place) || is_inside(place, pointer))
}
