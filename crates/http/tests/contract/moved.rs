//! An inventory that was moved to another engine answers as before and continues its ids and
//! revisions.

use serde_json::{Value, json};
use stockroom_testkit::{
    ADMIN_PASSWORD, Answer, Client, Engine, Person, Setup, TestServer, inventory, run,
};

const LISTS: [&str; 6] = ["objects", "types", "categories", "views", "users", "groups"];

/// Other ways to ask for objects.
const QUERIES: [&str; 5] = [
    "view=render",
    "sort=fields.hostname&order=-1",
    "active=true",
    "filter=%7B%22fields%22%3A%7B%22%24elemMatch%22%3A%7B%22value%22%3A%7B%22%24regex%22%3A%22%5Esrv%22%7D%7D%7D%7D",
    "filter=%7B%22views%22%3A%7B%22%24gte%22%3A1%7D%7D",
];

#[test]
fn from_sqlite_to_postgres_and_back() {
    run(Engine::Sqlite, |engine| {
        there_and_back(engine, Engine::Postgres)
    });
}

#[test]
fn from_postgres_to_sqlite_and_back() {
    run(Engine::Postgres, |engine| {
        there_and_back(engine, Engine::Sqlite)
    });
}

async fn there_and_back(here: Engine, there: Engine) {
    let (server, made) = start(here).await;
    // Counted views are written with the next one.
    let (server, first) = server.moved_to(there).await;
    let before = made.answers(&server).await;
    let (server, second) = server.moved_to(here).await;
    assert_eq!(made.answers(&server).await, before);
    let (server, third) = server.moved_to(there).await;
    assert_eq!(made.answers(&server).await, before);
    let moved = [&first, &second, &third].map(|moved| kept(&moved.tables));
    assert!(moved.iter().all(|tables| *tables == moved[0]), "{moved:?}");
    made.goes_on(&server).await;
}

/// Every table with its number of rows, without those to which any login adds rows.
fn kept(tables: &[(&'static str, u64)]) -> Vec<(&'static str, u64)> {
    let grows = |table: &str| ["login_session", "login_event"].contains(&table);
    let tables = tables.iter().copied();
    tables.filter(|(table, _)| !grows(table)).collect()
}

/// Known records of the inventory, to check it after the move.
struct Made {
    person: Identity,
    logged_out: String,
    /// The id of an object that was deleted.
    gone: i64,
}

struct Identity {
    user_name: String,
    password: String,
    token: String,
}

/// Makes types, categories, objects with password fields, references and views, users, groups and
/// settings; also old documents of unusual forms, a deleted object and a revoked token.
async fn start(engine: Engine) -> (TestServer, Made) {
    let documents = vec![
        json!({"public_id": 101, "type_id": 90, "active": true, "fields": [{"name": "a", "value": [1, {"b": null}]}]}),
        json!({"public_id": 102, "type_id": 90, "active": "yes", "author_id": 1.5, "views": 7}),
        json!({"public_id": 103, "type_id": 91, "active": false, "fields": "none", "more": "ä 日本 \u{1F5A5}"}),
    ];
    let setup = Setup {
        documents,
        ..Setup::default()
    };
    let server = setup.start(engine).await;
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let gone = inventory::object(small.site_type, &[("name", json!("Graz"))]);
    let gone = inventory::insert(&admin, "/rest/objects", gone).await;
    let _ = admin
        .delete(&format!("/rest/objects/{gone}"))
        .await
        .expect(200);
    let _ = admin
        .get(&format!("/rest/objects/{}", small.srv_01))
        .await
        .expect(200);
    let Person {
        id,
        user_name,
        password,
        ..
    } = server.user_with(&["base.framework.*"]).await;
    for identifier in ["grid", "Grid", "ä"] {
        let setting = json!({"identifier": identifier, "user_id": id, "payload": {"rows": 5}, "setting_type": "GLOBAL"});
        let path = format!("/rest/users/{id}/settings/");
        let _ = admin.post(&path, setting).await.expect(201);
    }
    for body in [
        json!({"name": "ä", "visibility": "group", "group_id": 2, "is_default": true}),
        json!({"name": "Sites", "type_id": small.site_type, "definition": {"filter": {"active": true}}}),
    ] {
        let _ = admin.post("/rest/views", body).await.expect(201);
    }
    let token = server.token(&user_name, &password).await;
    let logged_out = server.token(&user_name, &password).await;
    let _ = server
        .with_token(&logged_out)
        .post("/rest/auth/logout", Value::Null)
        .await;
    let person = Identity {
        user_name,
        password,
        token,
    };
    let made = Made {
        person,
        logged_out,
        gone,
    };
    (server, made)
}

impl Made {
    /// The answers that clients get.
    async fn answers(&self, server: &TestServer) -> Vec<String> {
        let _ = server.login("admin", ADMIN_PASSWORD).await;
        let again = server
            .login(&self.person.user_name, &self.person.password)
            .await;
        let mut told = Vec::new();
        for client in [
            server.admin(),
            again,
            server.with_token(&self.person.token),
            server.with_token(&self.logged_out),
        ] {
            // The old documents do not match the OpenAPI document.
            told.extend(everything(&client.unchecked()).await);
        }
        let refused = told.iter().filter(|answer| answer.starts_with("401"));
        assert_eq!(refused.count(), LISTS.len() + QUERIES.len());
        told
    }

    /// New ids and revisions continue the old ones.
    async fn goes_on(&self, server: &TestServer) {
        let admin = server.admin();
        let types = admin.get("/rest/types?limit=0").await.expect(200);
        let sites = types.member("results");
        let site = sites
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["name"] == "site");
        let site = site.expect("the type of sites")["public_id"]
            .as_i64()
            .unwrap();
        let mut body = inventory::object(site, &[("name", json!("Linz"))]);
        let next = inventory::insert(&admin, "/rest/objects", body.clone()).await;
        assert_eq!(next, self.gone + 1);
        body["public_id"] = json!(self.gone);
        let again = admin.post("/rest/objects", body).await.expect(200);
        assert_eq!(again.header("etag"), "\"3\"", "{again}");
    }
}

/// Every list, and every single record in it.
async fn everything(client: &Client) -> Vec<String> {
    let mut told = Vec::new();
    for query in QUERIES {
        let path = format!("/rest/objects?limit=0&{query}");
        told.push(shown(&client.get(&path).await));
    }
    for list in LISTS {
        let answer = client.get(&format!("/rest/{list}?limit=0")).await;
        told.push(shown(&answer));
        if answer.status != 200 {
            continue;
        }
        for id in answer.ids() {
            // Reading a rendered object would count a view.
            let paths: &[&str] = match list {
                "objects" => &["/native", "/state", "/references"],
                "users" => &["", "/settings"],
                _ => &[""],
            };
            for below in paths {
                let path = format!("/rest/{list}/{id}{below}");
                told.push(shown(&client.get(&path).await));
            }
        }
    }
    told
}

/// An answer without the request id.
fn shown(answer: &Answer) -> String {
    let mut answer = answer.clone();
    let request = answer.header("x-request-id").to_owned();
    let _ = answer.headers.remove("x-request-id");
    format!("{} {answer}", answer.status).replace(&request, "")
}
