//! Values of a field that became a password: nothing may hold them any longer, not even the free
//! pages of a database file and its log.

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, both, inventory};

use crate::fixture::{field, insert, make_type, patch_type, path};
use crate::imports::{at, run, upload};

const JOBS: &str = "/rest/objects/jobs";
/// A part of all values.
const PLAIN: &str = "hidden-7c1d";

fn readable() -> [Value; 2] {
    [field("text", "name"), field("text", "pin")]
}

fn secret() -> Value {
    json!({"fields": [field("text", "name"), field("password", "pin")]})
}

fn pin(number: usize) -> Value {
    json!(format!("{PLAIN}-{number}{}", "x".repeat(number * 7 % 900)))
}

/// Starts a job that sets the field.
async fn start_job(admin: &Client, total: usize) -> String {
    let set = json!({"pin": format!("{PLAIN}-job")});
    let body = json!({"filter": {"type_id": 1}, "total": total, "set": set});
    let job = admin.post(JOBS, body).await.expect(202);
    format!("{JOBS}/{}", job.member("result")["id"])
}

both! {
    async fn they_are_nowhere_in_the_database(server: TestServer) {
        let admin = server.admin();
        let type_id = make_type(&admin, "safe", &readable()).await;
        for number in 0..150 {
            let id = insert(&admin, type_id, &[("name", json!("a")), ("pin", pin(number))]).await;
            if number % 3 == 0 {
                let change = json!({"fields": [{"name": "pin", "value": pin(number + 500)}]});
                let _ = admin.patch(&path(id), change).await.expect(200);
            }
            if number % 5 == 0 {
                let _ = admin.delete(&path(id)).await.expect(200);
            }
        }
        let keyed = admin.clone().with_header("idempotency-key", "a");
        let deleted = path(2);
        let delete = || keyed.send(Method::DELETE, &deleted, &[], Vec::new());
        let _ = delete().await.expect(200);
        let import = upload(&admin, "pins.csv", format!("name,pin\nb,{PLAIN}-import\n")).await;
        let _ = run(&server, &admin, &import, json!({"type_id": type_id})).await;
        let waiting = upload(&admin, "more.csv", format!("name,pin\nc,{PLAIN}-waiting\n")).await;
        let other = upload(&admin, "other.csv", "name,place\nc,Graz\n").await;
        let job = start_job(&admin, 120).await;
        server.service().run_object_jobs().await.unwrap();
        assert_eq!(admin.get(&job).await.expect(200).member("result")["state"], "done");
        let _ = server.service().index_searches(1).await.unwrap();
        assert!(server.is_stored(PLAIN), "the values are found that way");

        let _ = patch_type(&admin, type_id, secret()).await.expect(202);
        // SQLite erases before the next write.
        let _ = admin.post("/rest/categories", json!({"name": "racks"})).await.expect(200);
        assert!(!server.is_stored(PLAIN));
        let _ = admin.get(&job).await.expect(404);
        for gone in [&import, &waiting] {
            let _ = admin.get(&at(gone, "")).await.expect(404);
        }
        let _ = admin.get(&at(&other, "")).await.expect(200);
        let again = delete().await.expect(409);
        assert_eq!(again.header("idempotency-replayed"), "true", "{again}");
        assert!(!server.is_stored(PLAIN));
    }
}

both! {
    async fn what_is_at_work_with_them_stops_the_change(server: TestServer) {
        let admin = server.admin();
        let type_id = make_type(&admin, "safe", &readable()).await;
        let _ = insert(&admin, type_id, &[("name", json!("a")), ("pin", pin(1))]).await;
        let import = upload(&admin, "pins.csv", format!("name,pin\nb,{PLAIN}\n")).await;
        let _ = admin.post(&at(&import, "/run"), json!({"type_id": type_id})).await.expect(202);
        let refused = patch_type(&admin, type_id, secret()).await.expect(400);
        assert!(refused.detail().contains("import"), "{refused}");
        let _ = admin.post(&at(&import, "/cancel"), json!({})).await.expect(200);

        let job = start_job(&admin, 1).await;
        let refused = patch_type(&admin, type_id, secret()).await.expect(400);
        assert!(refused.detail().contains("job"), "{refused}");
        let _ = admin.delete(&job).await.expect(200);

        let source = json!({"name": "pins", "type_id": type_id, "columns": {"name": "name", "pin": "pin"},
            "external_key": ["pin"], "key": ["name"]});
        let source = inventory::insert(&admin, "/rest/sources", source).await;
        let refused = patch_type(&admin, type_id, secret()).await.expect(400);
        assert!(refused.detail().contains("source"), "{refused}");
        let _ = admin.delete(&format!("/rest/sources/{source}")).await.expect(202);
        let _ = patch_type(&admin, type_id, secret()).await.expect(202);
    }
}

both! {
    async fn a_new_password_field_leaves_imports_alone(server: TestServer) {
        let admin = server.admin();
        let type_id = make_type(&admin, "safe", &[field("text", "name")]).await;
        let import = upload(&admin, "names.csv", "name\nb\n").await;
        let _ = run(&server, &admin, &import, json!({"type_id": type_id})).await;
        let _ = patch_type(&admin, type_id, secret()).await.expect(202);
        let _ = admin.get(&at(&import, "")).await.expect(200);
    }
}
