//! Limits on the settings of a user.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::{Engine, Setup, apply, both};

const PATH: &str = "/rest/users/1/settings";

fn setting(identifier: &str, text: &str) -> Value {
    json!({"identifier": identifier, "user_id": 1, "payload": {"text": text}, "setting_type": "GLOBAL"})
}

#[apply(both)]
async fn settings_of_a_user_are_few_and_small(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.settings = 2;
    setup.config.records.setting_bytes = 300;
    let server = setup.start(engine).await;
    let admin = server.admin();
    let _ = admin.post(PATH, setting("a", "")).await.expect(201);
    let refused = admin
        .post(PATH, setting("b", &"x".repeat(300)))
        .await
        .expect(400);
    assert!(refused.detail().contains("the limit is 300"), "{refused}");
    let _ = admin
        .post(PATH, setting("b", &"x".repeat(50)))
        .await
        .expect(201);
    let refused = admin.post(PATH, setting("c", "")).await.expect(400);
    assert!(refused.detail().contains("the limit is 2"), "{refused}");
    let refused = admin
        .put(&format!("{PATH}/b"), setting("b", &"x".repeat(300)))
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/payload"], "{refused}");
    let head = admin.head(PATH).await.expect(200);
    assert_eq!(head.header("x-total-count"), "2");
    let _ = admin
        .put(&format!("{PATH}/b"), setting("b", ""))
        .await
        .expect(202);
    let _ = admin.delete(&format!("{PATH}/a")).await.expect(202);
    let _ = admin.post(PATH, setting("c", "")).await.expect(201);
}

#[apply(both)]
async fn the_history_of_own_records_grows_slowly(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.own_changes = 4;
    let server = setup.start(engine).await;
    let person = server.user_with(&["base.framework.object.view"]).await;
    let settings = format!("/rest/users/{}/settings", person.id);
    let own = |text: &str| {
        let mut setting = setting("a", text);
        setting["user_id"] = json!(person.id);
        setting
    };
    let _ = person.client.post(&settings, own("1")).await.expect(201);
    let path = format!("{settings}/a");
    let _ = person.client.put(&path, own("2")).await.expect(202);
    let view = json!({"name": "mine", "definition": {}});
    let _ = person
        .client
        .post("/rest/views", view.clone())
        .await
        .expect(201);
    let batch = json!({"operations": [{"method": "DELETE", "path": &path["/rest".len()..]}]});
    let _ = person.client.post("/rest/batch", batch).await.expect(200);
    let refused = person.client.post(&settings, own("3")).await.expect(429);
    assert!(refused.detail().contains("4 changes a day"), "{refused}");
    let seconds: u64 = refused.header("retry-after").parse().unwrap();
    let _ = person.client.post("/rest/views", view).await.expect(429);
    assert_eq!(
        person
            .client
            .get(&settings)
            .await
            .expect(200)
            .member("results"),
        json!([])
    );
    let _ = server.user_with(&[]).await;
    for text in ["1", "2", "3", "4", "5"] {
        let admin = server.admin();
        let _ = admin.post(PATH, setting(text, "")).await.expect(201);
    }
    server.advance(Duration::from_secs(seconds));
    let client = server.login(&person.user_name, &person.password).await;
    let _ = client.post(&settings, own("3")).await.expect(201);
}

#[apply(both)]
async fn what_stops_a_thief_is_never_one_change_too_many(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.own_changes = 2;
    let server = setup.start(engine).await;
    let person = server.user_with(&[]).await;
    let made = person
        .client
        .post("/rest/tokens", json!({"name": "stolen"}))
        .await
        .expect(201);
    let settings = format!("/rest/users/{}/settings", person.id);
    let own = |identifier: &str| {
        let mut setting = setting(identifier, "");
        setting["user_id"] = json!(person.id);
        setting
    };
    let _ = person.client.post(&settings, own("a")).await.expect(201);
    let _ = person.client.post(&settings, own("b")).await.expect(429);
    let _ = person
        .client
        .delete(&format!("/rest/tokens/{}", made.member("result_id")))
        .await
        .expect(202);
    let change = json!({"old_password": person.password, "password": "another one of length"});
    let path = format!("/rest/users/{}/password", person.id);
    let _ = person.client.patch(&path, change).await.expect(202);
}

#[apply(both)]
async fn the_history_of_own_records_is_small(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.own_change_bytes = 1_000;
    let server = setup.start(engine).await;
    let person = server.user_with(&[]).await;
    let settings = format!("/rest/users/{}/settings", person.id);
    // What cannot be compressed is kept as long as it is.
    let text = |seed: u64| {
        let mut random = fastrand::Rng::with_seed(seed);
        std::iter::repeat_with(|| random.alphanumeric())
            .take(700)
            .collect::<String>()
    };
    let own = |seed: u64| {
        let mut setting = setting("a", &text(seed));
        setting["user_id"] = json!(person.id);
        setting
    };
    let _ = person.client.post(&settings, own(0)).await.expect(201);
    let path = format!("{settings}/a");
    let _ = person.client.put(&path, own(1)).await.expect(202);
    let refused = person.client.put(&path, own(2)).await.expect(429);
    assert!(refused.detail().contains("1000 bytes a day"), "{refused}");
    let stored = person.client.get(&path).await.expect(200);
    assert_eq!(stored.member("results")[0]["payload"]["text"], text(1));
}
