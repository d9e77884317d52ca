//! A misspelt parameter of a write, such as `dryrun`, changes nothing.

use axum::http::Method;
use stockroom_testkit::{Engine, TestServer, apply, both};

use crate::callers::World;
use crate::operations;
use crate::rows;

#[apply(both)]
async fn no_write_takes_a_parameter_that_it_does_not_know(engine: Engine) {
    let world = World::new(engine).await;
    let admin = world.admin();
    let before = world.records().await;
    let (rows, mut refused) = (rows::all(), 0);
    for operation in operations::all()
        .iter()
        .filter(|operation| operation.writes)
    {
        let of_operation = rows.iter().filter(|row| row.operation == operation.id);
        for row in of_operation.filter(|row| row.statuses[4] < 300) {
            let answer = admin.ask_with("dryrun=true", &operation.method, row).await;
            assert_eq!(
                (answer.status, answer.pointers()),
                (400, vec!["dryrun".to_owned()]),
                "{answer}"
            );
            refused += 1;
        }
    }
    assert!(refused > 50, "only {refused} writes were tried");
    assert_eq!(world.records().await, before);
}

#[apply(both)]
async fn no_session_ends_by_a_misspelt_parameter(server: TestServer) {
    let admin = server.admin();
    for (method, path) in [
        (Method::DELETE, "/rest/auth/sessions?keepcurrent=true"),
        (Method::DELETE, "/rest/auth/sessions/x?dry_run=true"),
        (Method::POST, "/rest/auth/logout?dry_run=true"),
        (Method::POST, "/rest/auth/refresh?dry_run=true"),
        (Method::POST, "/rest/backups?dry_run=true"),
        (Method::POST, "/rest/imports?filename=a.csv"),
    ] {
        let refused = admin.send(method, path, &[], Vec::new()).await.expect(400);
        assert_eq!(refused.pointers().len(), 1, "{refused}");
    }
    let _ = admin.get("/rest/auth/me").await.expect(200);
}
