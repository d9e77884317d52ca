//! The limits of API tokens: rights, types, reading only, networks.

use serde_json::{Value, json};
use stockroom_http::HttpConfig;
use stockroom_testkit::inventory::{insert, object, small};
use stockroom_testkit::{Client, Engine, Setup, TestServer, api_token, apply, both};

const ME: &str = "/rest/auth/me";
const VIEW: &str = "base.framework.object.view";
const OBJECTS: &str = "base.framework.object.*";

/// A client with a token of the administrator.
async fn limited(server: &TestServer, mut limits: Value) -> Client {
    limits["name"] = json!(limits.to_string().chars().take(200).collect::<String>());
    server.with_token(&api_token(&server.admin(), limits).await)
}

async fn total(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).member("total")
}

async fn results(client: &Client, path: &str) -> Vec<Value> {
    let answer = client.get(path).await.expect(200);
    answer.member("results").as_array().unwrap().clone()
}

#[apply(both)]
async fn it_has_the_rights_that_it_names_and_its_user_holds_now(server: TestServer) {
    small(&server.admin()).await;
    let person = server
        .user_with(&["base.framework.object.*", "base.framework.type.view"])
        .await;
    let rights = json!({"name": "a", "rights": [OBJECTS, "base.framework.log.view"]});
    let token = server.with_token(&api_token(&person.client, rights).await);
    let path = format!("/rest/groups/{}", person.group_id);
    let _ = server
        .admin()
        .patch(&path, json!({"rights": [VIEW]}))
        .await
        .expect(202);
    assert_eq!(
        token.get(ME).await.expect(200).member("rights"),
        json!([VIEW])
    );
    let _ = token.get("/rest/objects").await.expect(200);
    assert!(
        token
            .delete("/rest/objects/2")
            .await
            .expect(403)
            .detail()
            .contains("object.delete")
    );
    let group = format!("/rest/groups/{}", person.group_id);
    let all = json!({"rights": ["base.framework.*"]});
    let _ = server.admin().patch(&group, all).await.expect(202);
    let _ = token.delete("/rest/objects/2").await.expect(200);
    // The user has this right, and the token has not.
    assert!(
        token
            .get("/rest/types")
            .await
            .expect(403)
            .detail()
            .contains("type.view")
    );
    let _ = server
        .admin()
        .patch(&group, json!({"rights": []}))
        .await
        .expect(202);
    let _ = token.get("/rest/objects").await.expect(403);
}

#[apply(both)]
async fn a_token_with_rights_needs_them_also_for_its_own_user(server: TestServer) {
    let log = "base.framework.log.view";
    let person = server.user_with(&[VIEW, log]).await;
    let (user, settings) = (
        format!("/rest/users/{}", person.id),
        format!("/rest/users/{}/settings", person.id),
    );
    let setting = json!({"identifier": "a", "setting_type": "APPLICATION"});
    let limited = json!({"name": "limited", "rights": [VIEW, log]});
    let limited = server.with_token(&api_token(&person.client, limited).await);
    let _ = limited.get(&user).await.expect(403);
    let history = format!("{user}/history");
    for path in [&history, "/rest/history/logins"] {
        assert!(
            limited
                .get(path)
                .await
                .expect(403)
                .detail()
                .contains("user.view"),
            "{path}"
        );
        let _ = person.client.get(path).await.expect(200);
    }
    let of_users = "/rest/history?filter=%7B%22resource%22:%22user%22%7D";
    assert_eq!(results(&limited, of_users).await, [] as [Value; 0]);
    assert_ne!(results(&person.client, of_users).await, [] as [Value; 0]);
    let _ = limited
        .patch(&user, json!({"email": "a@b.example"}))
        .await
        .expect(403);
    let _ = limited.post(&settings, setting.clone()).await.expect(403);
    let whole = server.with_token(&api_token(&person.client, json!({"name": "whole"})).await);
    let _ = whole.get(&user).await.expect(200);
    let _ = whole
        .patch(&user, json!({"email": "a@b.example"}))
        .await
        .expect(202);
    let _ = whole.post(&settings, setting).await.expect(201);
}

#[apply(both)]
async fn every_read_sees_only_the_types_of_the_token(server: TestServer) {
    let admin = server.admin();
    let made = small(&admin).await;
    let limits = json!({"types": [made.site_type]});
    let token = limited(&server, limits).await;
    assert_eq!(
        token.get("/rest/objects").await.expect(200).ids(),
        [made.berlin, made.vienna]
    );
    assert_eq!(total(&token, "/rest/objects?total=true&limit=1").await, 2);
    assert_eq!(total(&admin, "/rest/objects?limit=1").await, 4);
    for path in [
        "",
        "/native",
        "/references",
        "/history",
        "/history/1",
        "/state",
    ] {
        let _ = token
            .get(&format!("/rest/objects/{}{path}", made.srv_01))
            .await
            .expect(403);
    }
    // A server references Berlin.
    assert_eq!(
        total(&token, &format!("/rest/objects/{}/references", made.berlin)).await,
        0
    );
    assert_eq!(
        total(&admin, &format!("/rest/objects/{}/references", made.berlin)).await,
        1
    );
    assert_eq!(total(&token, "/rest/search?q=srv").await, 0);
    assert_eq!(total(&admin, "/rest/search?q=srv").await, 2);
    let by_type = json!({"group_by": [{"field": "type_id"}]});
    let groups = token
        .post("/rest/objects/aggregate", by_type)
        .await
        .expect(200);
    assert_eq!(
        (groups.member("count"), groups.member("objects")),
        (json!(1), json!(2))
    );
    let types = token.get(ME).await.expect(200).member("types");
    let only = json!([made.site_type]);
    assert_eq!(
        types,
        json!({"create": only, "read": only, "update": only, "delete": only})
    );
    for (path, hidden) in [
        ("/rest/objects?view=render", "srv-0"),
        ("/rest/exports/objects?format=json", "srv-0"),
        ("/rest/exports/objects?format=ndjson", "srv-0"),
    ] {
        let body = |answer: stockroom_testkit::Answer| {
            String::from_utf8_lossy(&answer.expect(200).body).into_owned()
        };
        assert!(!body(token.get(path).await).contains(hidden), "{path}");
        assert!(body(admin.get(path).await).contains(hidden), "{path}");
    }
    for path in ["/rest/history?limit=0", "/rest/changes?limit=1000"] {
        let of_objects = |changes: Vec<Value>| {
            let objects = changes
                .into_iter()
                .filter(|change| change["resource"] == "object");
            objects
                .map(|change| change["public_id"].as_i64().unwrap())
                .collect::<Vec<_>>()
        };
        let mut seen = of_objects(results(&token, path).await);
        seen.sort_unstable();
        // On a shared database server, the feed may be behind.
        assert!(
            seen.iter()
                .all(|id| [made.berlin, made.vienna].contains(id)),
            "{path}: {seen:?}"
        );
    }
}

#[apply(both)]
async fn types_that_are_gone_are_of_no_token(server: TestServer) {
    let admin = server.admin();
    let made = small(&admin).await;
    let token = limited(&server, json!({"types": [made.site_type]})).await;
    let before = server.now().to_iso();
    server.advance(std::time::Duration::from_secs(60));
    for id in [made.srv_02, made.srv_01] {
        let _ = admin
            .delete(&format!("/rest/objects/{id}"))
            .await
            .expect(200);
    }
    let _ = admin
        .delete(&format!("/rest/types/{}", made.server_type))
        .await
        .expect(202);
    let past = format!("/rest/objects?as_of={before}");
    assert_eq!(admin.get(&past).await.expect(200).ids().len(), 4);
    assert_eq!(
        token.get(&past).await.expect(200).ids(),
        [made.berlin, made.vienna]
    );
    let path = format!("/rest/objects/{}/history/1", made.srv_01);
    let _ = admin.get(&path).await.expect(200);
    let _ = token.get(&path).await.expect(403);
}

#[apply(both)]
async fn it_writes_only_objects_and_types_of_the_token(server: TestServer) {
    let admin = server.admin();
    let made = small(&admin).await;
    let token = limited(&server, json!({"types": [made.site_type]})).await;
    let graz = object(made.site_type, &[("name", json!("Graz"))]);
    insert(&token, "/rest/objects", graz).await;
    let server_body = object(made.server_type, &[("hostname", json!("srv-03"))]);
    let refused = token.post("/rest/objects", server_body).await.expect(403);
    assert!(
        refused.detail().contains("the token is not for the type 2"),
        "{refused}"
    );
    let (srv, berlin) = (
        format!("/rest/objects/{}", made.srv_01),
        format!("/rest/objects/{}", made.berlin),
    );
    for (method, path) in [
        ("PATCH", srv.clone()),
        ("DELETE", srv.clone()),
        ("PUT", format!("{srv}/state")),
    ] {
        let body = if method == "PUT" {
            json!(false)
        } else {
            json!({"active": false})
        };
        let body = if method == "DELETE" {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        let _ = token
            .send(method.parse().unwrap(), &path, &[], body)
            .await
            .expect(403);
    }
    // To clear a reference is to write the server.
    let _ = token
        .delete(&format!("{berlin}?references=clear"))
        .await
        .expect(403);
    for (method, path) in [("PATCH", ""), ("DELETE", ""), ("POST", "/preview")] {
        let path = format!("/rest/types/{}{path}", made.server_type);
        let mut body = admin
            .get(&format!("/rest/types/{}", made.server_type))
            .await
            .expect(200)
            .member("result");
        body["label"] = json!("Machine");
        let body = if method == "DELETE" {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        let answer = token
            .send(method.parse().unwrap(), &path, &[], body)
            .await
            .expect(403);
        assert!(
            answer.detail().contains("the token is not for the type"),
            "{answer}"
        );
    }
    let site_type = format!("/rest/types/{}", made.site_type);
    let _ = token
        .patch(&site_type, json!({"label": "Place"}))
        .await
        .expect(202);
    // Copies of values that become passwords go from what others have stored.
    let mut fields = admin.get(&site_type).await.expect(200).member("result")["fields"].clone();
    fields[0]["type"] = json!("password");
    let refused = token
        .patch(&site_type, json!({"fields": fields}))
        .await
        .expect(403);
    assert!(refused.detail().contains("becomes a password"), "{refused}");
    let _ = token
        .put(
            &format!("/rest/objects/clean/{}", made.server_type),
            Value::Null,
        )
        .await
        .expect(403);
    assert_eq!(total(&admin, "/rest/objects").await, 5);
}

#[apply(both)]
async fn a_token_for_some_types_manages_no_users(server: TestServer) {
    let made = small(&server.admin()).await;
    let token = limited(&server, json!({"types": [made.site_type]})).await;
    let user = json!({"user_name": "a", "password": "a password", "group_id": 2});
    let refused = token.post("/rest/users", user).await.expect(403);
    assert!(
        refused
            .detail()
            .contains("only for some types, and this needs base.user-management.user.add"),
        "{refused}"
    );
    let mighty = json!({"name": "mighty", "rights": ["base.*"]});
    let _ = token.post("/rest/groups", mighty.clone()).await.expect(403);
    let _ = token
        .patch("/rest/groups/2", json!({"rights": ["base.*"]}))
        .await
        .expect(403);
    let _ = token
        .post("/rest/imports/records", json!({"groups": [mighty]}))
        .await
        .expect(403);
    let setting = json!({"identifier": "a", "setting_type": "APPLICATION"});
    let _ = token
        .post("/rest/users/1/settings", setting)
        .await
        .expect(403);
    let _ = token
        .post("/rest/views", json!({"name": "mine"}))
        .await
        .expect(403);
    let rights = token.get(ME).await.expect(200).member("rights");
    let rights: Vec<&str> = rights
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(
        rights.contains(&VIEW) && !rights.iter().any(|right| right.contains("user-management")),
        "{rights:?}"
    );
    let _ = token
        .patch(
            "/rest/users/1/password",
            json!({"password": "x", "old_password": "y"}),
        )
        .await
        .expect(403);
}

#[apply(both)]
async fn a_read_only_token_changes_nothing(server: TestServer) {
    let admin = server.admin();
    small(&admin).await;
    let view = json!({"name": "mine"});
    insert(&admin, "/rest/views", view.clone()).await;
    let token = limited(&server, json!({"read_only": true})).await;
    let before = total(&admin, "/rest/history").await;
    let setting = json!({"identifier": "a", "setting_type": "APPLICATION"});
    let batch = json!({"operations": [{"method": "POST", "path": "/views", "body": view}]});
    for (method, path, body) in [
        ("POST", "/rest/views", view.clone()),
        ("DELETE", "/rest/views/1", Value::Null),
        ("POST", "/rest/views/1/restore", json!({"revision": 1})),
        ("POST", "/rest/users/1/settings", setting.clone()),
        ("PATCH", "/rest/users/1", json!({"email": "a@b.c"})),
        ("POST", "/rest/batch", batch),
        ("DELETE", "/rest/objects/1", Value::Null),
        ("POST", "/rest/views?dry_run=true", view.clone()),
        ("PUT", "/rest/objects/1/state", json!(false)),
        (
            "POST",
            "/rest/objects/jobs",
            json!({"filter": {}, "total": 4, "state": false}),
        ),
    ] {
        let body = if body.is_null() {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        let answer = token
            .send(method.parse().unwrap(), path, &[], body)
            .await
            .expect(403);
        assert!(!answer.detail().is_empty());
    }
    for path in [
        "/rest/objects",
        "/rest/types",
        "/rest/users",
        "/rest/groups",
        "/rest/history",
        "/rest/search?q=a",
        ME,
    ] {
        let _ = token.get(path).await.expect(200);
    }
    let _ = token
        .post("/rest/objects/query", json!({}))
        .await
        .expect(200);
    let _ = token
        .post(
            "/rest/objects/aggregate",
            json!({"group_by": [{"field": "type_id"}]}),
        )
        .await
        .expect(200);
    assert_eq!(total(&admin, "/rest/history").await, before);
    let key = token.with_header("idempotency-key", "a");
    let _ = key.post("/rest/views", view).await.expect(403);
}

#[apply(both)]
async fn it_works_from_its_networks_only(engine: Engine) {
    let proxy = [10, 0, 0, 7];
    let http = HttpConfig {
        trusted_proxies: vec![std::net::IpAddr::from(proxy).into()],
        ..Setup::default().http
    };
    let server = Setup {
        http,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let limits = json!({"name": "a", "networks": ["192.0.2.0/24", "2001:db8::/32"]});
    let token = api_token(&server.admin(), limits).await;
    for (address, status) in [
        ([192, 0, 2, 9], 200),
        ([192, 0, 3, 9], 401),
        ([127, 0, 0, 1], 401),
    ] {
        let client = server.with_token(&token).from_address(address.into());
        let answer = client.get(ME).await.expect(status);
        assert!(
            status == 200 || answer.detail() == "a valid token is needed",
            "{answer}"
        );
        // Nobody but a proxy is believed.
        let forwarded = client.with_header("x-forwarded-for", "192.0.2.9");
        let _ = forwarded.get(ME).await.expect(status);
    }
    let behind = server.with_token(&token).from_address(proxy.into());
    for (forwarded, status) in [
        ("192.0.2.9", 200),
        ("2001:db8::1", 200),
        ("192.0.2.9, 203.0.113.1", 401),
        ("x", 401),
    ] {
        let client = behind.clone().with_header("x-forwarded-for", forwarded);
        let _ = client.get(ME).await.expect(status);
    }
    assert_eq!(
        server
            .admin()
            .get("/rest/tokens/1")
            .await
            .expect(200)
            .member("result")["networks"],
        json!(["192.0.2.0/24", "2001:db8::/32"])
    );
}

#[apply(both)]
async fn one_with_networks_makes_no_login(server: TestServer) {
    let admin = server.admin();
    let other = insert(
        &admin,
        "/rest/users",
        json!({"user_name": "other", "password": "a good password", "group_id": 2}),
    )
    .await;
    let path = format!("/rest/users/{other}");
    let person = json!({"user_name": "new", "password": "another good one", "group_id": 2});
    let token = limited(&server, json!({"networks": ["127.0.0.0/8", "::/0"]})).await;
    let password = json!({"password": "another good one"});
    for refused in [
        token.post("/rest/users", person.clone()).await,
        token.patch(&path, password.clone()).await,
        token.patch(&format!("{path}/password"), password).await,
    ] {
        assert!(refused.expect(403).detail().contains("sets no passwords"));
    }
    let stored = token.get(&path).await.expect(200).member("result");
    let _ = token.put(&path, stored).await.expect(202);
    let email = json!({"email": "o@x.org"});
    let _ = token.patch(&path, email).await.expect(202);
    let free = limited(&server, json!({"expires_at": "2999-01-01T00:00:00Z"})).await;
    let _ = free.post("/rest/users", person).await.expect(201);
}
