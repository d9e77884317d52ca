//! `/rest/backups`

use serde_json::json;
use stockroom_testkit::{Engine, Setup, apply, both};

#[apply(both)]
async fn a_server_without_a_directory_says_how_to_get_one(engine: Engine) {
    let mut setup = Setup::default();
    setup.http.backups = None;
    let admin = setup.start(engine).await.admin();
    let refused = admin.post("/rest/backups", json!(null)).await.expect(409);
    assert!(refused.detail().contains("--backup-directory"), "{refused}");
}

#[apply(both)]
async fn a_backup_is_no_part_of_a_batch(engine: Engine) {
    let admin = Setup::default().start(engine).await.admin();
    let operations = json!({"operations": [{"method": "POST", "path": "/backups"}]});
    let refused = admin.post("/rest/batch", operations).await.expect(400);
    assert_eq!(refused.pointers(), ["/operations/0/path"]);
}
