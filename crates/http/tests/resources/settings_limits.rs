//! Limits on the settings of a user.

use serde_json::{Value, json};
use stockroom_testkit::{Engine, Setup, both};

const PATH: &str = "/rest/users/1/settings";

fn setting(identifier: &str, text: &str) -> Value {
    json!({"identifier": identifier, "user_id": 1, "payload": {"text": text}, "setting_type": "GLOBAL"})
}

both! {
    async fn settings_of_a_user_are_few_and_small(engine: Engine) {
        let mut setup = Setup::default();
        setup.config.records.settings = 2;
        setup.config.records.setting_bytes = 300;
        let server = setup.start(engine).await;
        let admin = server.admin();
        let _ = admin.post(PATH, setting("a", "")).await.expect(201);
        let refused = admin.post(PATH, setting("b", &"x".repeat(300))).await.expect(400);
        assert!(refused.detail().contains("the limit is 300"), "{refused}");
        let _ = admin.post(PATH, setting("b", &"x".repeat(50))).await.expect(201);
        let refused = admin.post(PATH, setting("c", "")).await.expect(400);
        assert!(refused.detail().contains("the limit is 2"), "{refused}");
        let refused = admin.put(&format!("{PATH}/b"), setting("b", &"x".repeat(300))).await.expect(400);
        assert_eq!(refused.pointers(), ["/payload"], "{refused}");
        let head = admin.head(PATH).await.expect(200);
        assert_eq!(head.header("x-total-count"), "2");
        let _ = admin.put(&format!("{PATH}/b"), setting("b", "")).await.expect(202);
        let _ = admin.delete(&format!("{PATH}/a")).await.expect(202);
        let _ = admin.post(PATH, setting("c", "")).await.expect(201);
    }
}
