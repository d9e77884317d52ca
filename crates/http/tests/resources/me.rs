//! `GET /auth/me` and `GET /rest/`.

use serde_json::{Value, json};
use stockroom_service::Config;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Engine, Setup, TestServer, apply, both};

use crate::fixture::read;

const ME: &str = "/rest/auth/me";

async fn make_type(server: &TestServer, name: &str, active: bool, granted: &Value) -> i64 {
    let acl = json!({"activated": true, "groups": {"includes": granted}});
    let body = json!({"name": name, "author_id": 1, "active": active, "fields": [], "acl": acl});
    insert(&server.admin(), "/rest/types", body).await
}

#[apply(both)]
async fn callers_learn_who_they_are_and_what_they_may_do(server: TestServer) {
    let rights = ["base.framework.object.*", "base.system.view"];
    let person = server.user_with(&rights).await;
    let group = person.group_id.to_string();
    let all = json!(["CREATE", "READ", "UPDATE", "DELETE"]);
    let open = make_type(&server, "open", true, &json!({group.clone(): all})).await;
    let shown = make_type(&server, "shown", true, &json!({group.clone(): ["READ"]})).await;
    let idle = make_type(&server, "idle", false, &json!({group: all})).await;
    let _ = make_type(&server, "hidden", true, &json!({"1": all})).await;
    let answer = person.client.get(ME).await.expect(200);
    let keys = [
        "user",
        "group",
        "rights",
        "types",
        "password_rule",
        "token_issued_at",
        "token_expire",
        "version",
        "features",
    ];
    assert_eq!(answer.keys(), keys);
    let admin = server.admin();
    assert_eq!(
        answer.member("user"),
        read(&admin, &format!("/rest/users/{}", person.id)).await
    );
    assert_eq!(
        answer.member("group"),
        read(&admin, &format!("/rest/groups/{}", person.group_id)).await
    );
    let held = answer.member("rights");
    for right in [
        "base.framework.object.view",
        "base.framework.object.*",
        "base.system.view",
    ] {
        assert!(
            held.as_array().unwrap().contains(&json!(right)),
            "{right}: {held}"
        );
    }
    assert!(
        !held
            .as_array()
            .unwrap()
            .contains(&json!("base.framework.type.view")),
        "{held}"
    );
    let expected = json!({"create": [open], "read": [open, shown, idle], "update": [open, idle], "delete": [open, idle]});
    assert_eq!(answer.member("types"), expected);
    let rule = json!({"minimum_bytes": 1, "maximum_bytes": 1024, "good_characters": 8});
    assert_eq!(answer.member("password_rule"), rule);
    let issued = server.now().seconds();
    assert_eq!(
        (
            answer.member("token_issued_at"),
            answer.member("token_expire")
        ),
        (json!(issued), json!(issued + 43_200))
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    let _ = person.client.head(ME).await.expect(200);
}

#[apply(both)]
async fn without_rights_one_may_still_know_oneself(server: TestServer) {
    let person = server.user_with(&[]).await;
    let _ = make_type(&server, "any", true, &json!({})).await;
    let answer = person.client.get("/rest/auth/me/").await.expect(200);
    assert_eq!(answer.member("rights"), json!([]));
    assert_eq!(
        answer.member("types"),
        json!({"create": [], "read": [], "update": [], "delete": []})
    );
    let _ = server.anonymous().get(ME).await.expect(401);
}

#[apply(both)]
async fn what_an_administrator_changes_shows_at_once(engine: Engine) {
    let setup = Setup::default();
    let config = Config {
        minimum_password_bytes: 12,
        ..setup.config
    };
    let server = Setup { config, ..setup }.start(engine).await;
    let person = server.user_with(&["base.system.view"]).await;
    let group = format!("/rest/groups/{}", person.group_id);
    let _ = server
        .admin()
        .patch(&group, json!({"rights": ["base.system.edit"]}))
        .await
        .expect(202);
    let answer = person.client.get(ME).await.expect(200);
    assert_eq!(answer.member("rights"), json!(["base.system.edit"]));
    assert_eq!(answer.member("password_rule")["minimum_bytes"], 12);
}

#[apply(both)]
async fn the_root_lists_the_resources(server: TestServer) {
    for path in ["/rest", "/rest/"] {
        let answer = server.admin().get(path).await.expect(200);
        let resources = answer.member("resources");
        assert_eq!(
            resources["objects"],
            "http://inventory.example/rest/objects"
        );
        for url in resources.as_object().unwrap().values() {
            let path = url
                .as_str()
                .unwrap()
                .strip_prefix("http://inventory.example")
                .unwrap();
            let _ = server.admin().get(path).await.expect(200);
        }
        let _ = server.anonymous().get(path).await.expect(401);
    }
}
