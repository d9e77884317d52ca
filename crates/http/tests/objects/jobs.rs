//! `/objects/jobs`: changes of all objects that match a filter.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_service::background::ObjectJobs;
use stockroom_testkit::{Client, Engine, TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, document, field, field_with, insert, list, make_type, native, path, restrict, stored,
    value,
};

const JOBS: &str = "/rest/objects/jobs";

/// More than a chunk, less than two.
const MANY: i64 = 700;
const CHUNK: i64 = 500;
/// The type of the many.
const TYPE: i64 = 7;

fn job(id: &Value) -> String {
    format!("{JOBS}/{id}")
}

/// Starts a job and returns its id.
async fn start(client: &Client, body: Value) -> Value {
    let answer = client.post(JOBS, body).await.expect(202);
    answer.member("result")["id"].clone()
}

/// Starts a job and runs it to its end.
async fn finished(server: &TestServer, client: &Client, body: Value) -> Value {
    let id = start(client, body).await;
    server.service().finish(ObjectJobs).await.unwrap();
    read(client, &id).await
}

async fn read(client: &Client, id: &Value) -> Value {
    client.get(&job(id)).await.expect(200).member("result")
}

async fn run_chunk(server: &TestServer) -> bool {
    server.service().step(ObjectJobs).await.unwrap()
}

fn counts(job: &Value) -> [i64; 5] {
    ["total", "done", "changed", "skipped", "failed_total"].map(|name| job[name].as_i64().unwrap())
}

/// A server with many objects, whose note is `old`.
async fn many(engine: Engine) -> TestServer {
    let documents = (1..=MANY).map(|id| {
        let fields = [("note", json!("old"))];
        document(id, TYPE, &fields)
    });
    stored(documents.collect(), engine).await
}

#[apply(both)]
async fn a_filter_that_is_probably_a_mistake_changes_nothing(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
    for name in ["keep", "drop"] {
        let _ = insert(&admin, type_id, &[("name", json!(name))]).await;
    }
    for path in ["fields.nmae", "fields.name", "nmae"] {
        let filter = json!({"type_id": type_id, path: {"$ne": "keep"}});
        let body = json!({"filter": filter, "total": 2, "delete": true});
        let refused = admin.post(JOBS, body).await.expect(400);
        assert_eq!(refused.pointers(), ["/filter"], "{path}");
    }
    let filter = json!({"type_id": type_id, "values.name": {"$ne": "keep"}});
    let body = json!({"filter": filter, "total": 1, "delete": true});
    let done = finished(&server, &admin, body).await;
    assert_eq!(counts(&done), [1, 1, 1, 0, 0]);
}

async fn with_note(client: &Client, note: &str) -> usize {
    let filter = json!({"fields.note": note}).to_string();
    let found = list(client, &[("filter", &filter), ("limit", "1")]).await;
    usize::try_from(found.member("total").as_u64().unwrap()).unwrap()
}

fn all_of_many() -> Value {
    json!({"filter": {"type_id": TYPE}, "total": MANY, "set": {"note": "new"}})
}

#[apply(both)]
async fn fields_are_set_cleared_and_extended_together(server: TestServer) {
    let admin = server.admin();
    let fields = ["site", "owner", "note"].map(|name| field("text", name));
    let type_id = make_type(&admin, "host", &fields).await;
    let values = |note: Value| {
        [
            ("site", json!("Bonn")),
            ("owner", json!("ada")),
            ("note", note),
        ]
    };
    let first = insert(&admin, type_id, &values(json!("seen"))).await;
    let second = insert(&admin, type_id, &values(json!(null))).await;
    let other = inventory::small(&admin).await.berlin;
    let before = native(&admin, other).await;
    server.advance(Duration::from_secs(60));
    let body = json!({
        "filter": {"type_id": type_id, "fields.site": "Bonn"}, "total": 2,
        "set": {"site": "Graz"}, "clear": ["owner"], "append": {"note": ", moved"},
    });
    let started = admin.post(JOBS, body).await.expect(202);
    let id = started.member("result")["id"].clone();
    assert_eq!(
        started.header("location"),
        format!("http://inventory.example{}", job(&id))
    );
    assert_eq!(started.member("result")["state"], "running");
    assert_eq!(
        value(&native(&admin, first).await, "site"),
        "Bonn",
        "not yet"
    );
    server.service().finish(ObjectJobs).await.unwrap();
    let ended = read(&admin, &id).await;
    assert_eq!(
        [&ended["state"], &ended["action"]],
        ["done", "edit"],
        "{ended}"
    );
    assert_eq!(counts(&ended), [2, 2, 2, 0, 0]);
    assert!(ended["ended_at"].is_string());
    for (object, note) in [(first, "seen, moved"), (second, ", moved")] {
        let document = native(&admin, object).await;
        assert_eq!(value(&document, "site"), "Graz");
        assert_eq!(value(&document, "owner"), &Value::Null);
        assert_eq!(value(&document, "note"), note);
        assert_eq!(document["editor_id"], 1, "it is an edit");
    }
    assert_eq!(native(&admin, other).await, before);
}

#[apply(both)]
async fn an_object_that_was_changed_meanwhile_is_refused(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "note")]).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(insert(&admin, type_id, &[("note", json!("old"))]).await);
    }
    let other = json!({"fields": [{"name": "note", "value": "theirs"}]});
    let _ = admin.patch(&path(ids[1]), other).await.expect(200);
    let body = json!({
        "filter": {"type_id": type_id}, "total": 3, "set": {"note": "mine"},
        "if_revisions": {ids[0].to_string(): 1, ids[1].to_string(): 1},
    });
    let ended = finished(&server, &admin, body).await;
    assert_eq!(counts(&ended), [3, 3, 2, 0, 1]);
    let detail = "was changed meanwhile: it is at revision 2, not 1";
    assert_eq!(
        ended["failed"],
        json!([{"public_id": ids[1], "detail": detail}])
    );
    for (id, note) in ids.into_iter().zip(["mine", "theirs", "mine"]) {
        assert_eq!(value(&native(&admin, id).await, "note"), note);
    }
}

#[apply(both)]
async fn the_whole_history_of_a_job_has_one_request_and_its_comment(engine: Engine) {
    let server = many(engine).await;
    let admin = server.admin().with_header("x-request-id", "move-4711");
    let mut body = all_of_many();
    body["comment"] = json!("moved to Graz");
    let ended = finished(&server, &admin, body).await;
    assert_eq!(
        [&ended["request_id"], &ended["actor"]],
        [&json!("move-4711"), &json!(1)]
    );
    assert_eq!(counts(&ended), [MANY, MANY, MANY, 0, 0]);
    let filter = json!({
        "request_id": "move-4711", "comment": "moved to Graz", "via": "session", "actor": 1,
    });
    let filter = filter.to_string();
    let parameters = [("filter", &*filter), ("limit", "1000")];
    let history = admin.query("/rest/history", &parameters).await;
    let changes = history.expect(200).member("results");
    assert_eq!(
        changes.as_array().unwrap().len(),
        usize::try_from(MANY).unwrap()
    );
}

#[apply(both)]
async fn another_total_is_refused_and_changes_nothing(engine: Engine) {
    let server = many(engine).await;
    let admin = server.admin();
    for total in [MANY - 1, MANY + 1] {
        let mut body = all_of_many();
        body["total"] = json!(total);
        let answer = admin.post(JOBS, body).await.expect(412);
        assert_eq!(answer.problem()["matching"], MANY, "{answer}");
    }
    assert!(!run_chunk(&server).await);
    assert_eq!(
        with_note(&admin, "old").await,
        usize::try_from(MANY).unwrap()
    );
    assert_eq!(admin.get(JOBS).await.expect(200).member("total"), 0);
}

#[apply(both)]
async fn objects_that_one_may_not_see_do_not_count(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, small.server_type, person.group_id, &["UPDATE"]).await;
    let body = |total: i64| json!({"filter": {}, "total": total, "state": false});
    let everything = list(&admin, &[]).await.member("total").as_i64().unwrap();
    let visible = list(&person.client, &[])
        .await
        .member("total")
        .as_i64()
        .unwrap();
    assert!(visible < everything);
    let _ = person.client.post(JOBS, body(everything)).await.expect(412);
    let ended = finished(&server, &person.client, body(visible)).await;
    assert_eq!(counts(&ended), [visible, visible, visible, 0, 0]);
    assert_eq!(native(&admin, small.srv_01).await["active"], true);
    assert_eq!(native(&admin, small.berlin).await["active"], false);
}

#[apply(both)]
async fn a_refused_object_does_not_stop_the_others(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field_with("text", "label", &json!({"regex": "^[a-z]+$"})),
        field("number", "size"),
    ];
    let free = make_type(&admin, "free", &[field("text", "label")]).await;
    let strict = make_type(&admin, "strict", &fields).await;
    let open = insert(&admin, free, &[("label", json!("a"))]).await;
    let ruled = insert(&admin, strict, &[("label", json!("a")), ("size", json!(1))]).await;
    let last = insert(&admin, free, &[("label", json!("a"))]).await;
    let filter = json!({"fields.label": "a"});
    let body = json!({"filter": filter, "total": 3, "set": {"label": "A1"}});
    let ended = finished(&server, &admin, body).await;
    assert_eq!(ended["state"], "done");
    assert_eq!(counts(&ended), [3, 3, 2, 0, 1]);
    assert_eq!(ended["failed"][0]["public_id"], ruled);
    let detail = ended["failed"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("label"), "{detail}");
    assert_eq!(value(&native(&admin, ruled).await, "label"), "a");
    for id in [open, last] {
        assert_eq!(value(&native(&admin, id).await, "label"), "A1");
    }
    let body = json!({"filter": {"type_id": strict}, "total": 1, "append": {"size": "x"}});
    let ended = finished(&server, &admin, body).await;
    assert_eq!(counts(&ended), [1, 1, 0, 0, 1], "a number is no text");
}

#[apply(both)]
async fn objects_whose_access_list_refuses_are_listed(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, small.server_type, person.group_id, &["READ"]).await;
    let body = json!({"filter": {"type_id": small.server_type}, "total": 2, "delete": true});
    let total = list(
        &admin,
        &[("filter", &json!({"type_id": small.server_type}).to_string())],
    )
    .await;
    assert_eq!(total.member("total"), 2);
    let ended = finished(&server, &person.client, body).await;
    assert_eq!(counts(&ended), [2, 2, 0, 0, 2]);
    let detail = ended["failed"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("DELETE"), "{detail}");
    let _ = admin.get(&path(small.srv_01)).await.expect(200);
}

#[apply(both)]
async fn deleted_objects_are_protected_or_their_references_cleared(server: TestServer) {
    let admin = server.admin();
    let (target, host) = {
        let fields = [
            field("text", "label"),
            field("ref", "other"),
            field("ref", "more"),
        ];
        let type_id = make_type(&admin, "host", &fields).await;
        let names = ["a", "b"];
        let mut targets = Vec::new();
        for name in names {
            let values = [
                ("label", json!(name)),
                ("other", json!(null)),
                ("more", json!(null)),
            ];
            targets.push(insert(&admin, type_id, &values).await);
        }
        let values = [
            ("label", json!("c")),
            ("other", json!(targets[0])),
            ("more", json!(targets[1])),
        ];
        (targets, insert(&admin, type_id, &values).await)
    };
    let filter = json!({"fields.label": {"$in": ["a", "b"]}});
    let body = |references: &str| json!({"filter": filter, "total": 2, "delete": true, "references": references});
    let ended = finished(&server, &admin, body("protect")).await;
    assert_eq!(counts(&ended), [2, 2, 0, 0, 2]);
    let ended = finished(&server, &admin, body("clear")).await;
    assert_eq!([&ended["state"], &ended["action"]], ["done", "delete"]);
    assert_eq!(counts(&ended), [2, 2, 2, 0, 0]);
    for id in target {
        let _ = admin.get(&path(id)).await.expect(404);
    }
    let left = native(&admin, host).await;
    assert_eq!(
        [value(&left, "other"), value(&left, "more")],
        [&Value::Null, &Value::Null]
    );
}

#[apply(both)]
async fn objects_that_match_no_more_are_skipped(engine: Engine) {
    let server = many(engine).await;
    let admin = server.admin();
    let mut body = all_of_many();
    body["filter"] = json!({"type_id": TYPE, "fields.note": "old"});
    let id = start(&admin, body).await;
    let kept = json!({"fields": [{"name": "note", "value": "mine"}]});
    let _ = admin.patch(&path(3), kept).await.expect(200);
    let _ = admin.delete(&path(4)).await.expect(200);
    let fields = [("note", json!("old"))];
    let late = insert(&admin, TYPE, &fields).await;
    server.service().finish(ObjectJobs).await.unwrap();
    assert_eq!(
        counts(&read(&admin, &id).await),
        [MANY, MANY, MANY - 2, 2, 0]
    );
    assert_eq!(value(&native(&admin, 3).await, "note"), "mine");
    assert_eq!(
        value(&native(&admin, late).await, "note"),
        "old",
        "it came later"
    );
}

#[apply(both)]
async fn a_cancelled_job_keeps_what_it_has_changed(engine: Engine) {
    let server = many(engine).await;
    let admin = server.admin();
    let id = start(&admin, all_of_many()).await;
    assert!(run_chunk(&server).await);
    assert_eq!(counts(&read(&admin, &id).await), [MANY, CHUNK, CHUNK, 0, 0]);
    let cancelled = admin.delete(&job(&id)).await.expect(200).member("result");
    assert_eq!(cancelled["state"], "cancelled");
    assert!(!run_chunk(&server).await);
    assert_eq!(
        with_note(&admin, "new").await,
        usize::try_from(CHUNK).unwrap()
    );
    let again = admin.delete(&job(&id)).await.expect(200).member("result");
    assert_eq!(again, cancelled);
}

#[apply(both)]
async fn a_job_fails_when_its_user_loses_the_right(engine: Engine) {
    let server = many(engine).await;
    let (admin, person) = (server.admin(), server.user_with(OBJECTS).await);
    let id = start(&person.client, all_of_many()).await;
    assert!(run_chunk(&server).await);
    let group = format!("/rest/groups/{}", person.group_id);
    let rights = json!({"rights": ["base.framework.object.view"]});
    let _ = admin.patch(&group, rights).await.expect(202);
    server.service().finish(ObjectJobs).await.unwrap();
    let failed = read(&person.client, &id).await;
    assert_eq!(failed["state"], "failed");
    assert_eq!(
        failed["error"],
        "the right base.framework.object.edit is needed"
    );
    assert_eq!(counts(&failed), [MANY, CHUNK, CHUNK, 0, 0]);
    assert_eq!(
        with_note(&admin, "old").await,
        usize::try_from(MANY - CHUNK).unwrap()
    );
}

#[apply(both)]
async fn a_job_outlives_the_session_but_not_the_user(engine: Engine) {
    let server = many(engine).await;
    let (admin, person) = (server.admin(), server.user_with(OBJECTS).await);
    let id = start(&person.client, all_of_many()).await;
    let _ = person
        .client
        .delete("/rest/auth/sessions")
        .await
        .expect(200);
    assert!(run_chunk(&server).await);
    assert_eq!(read(&admin, &id).await["done"], CHUNK);
    let user = format!("/rest/users/{}", person.id);
    let _ = admin
        .patch(&user, json!({"active": false}))
        .await
        .expect(202);
    server.service().finish(ObjectJobs).await.unwrap();
    let failed = read(&admin, &id).await;
    assert_eq!(failed["state"], "failed");
    assert_eq!(
        failed["error"],
        "the user is not active or does not exist any more"
    );
    assert_eq!(failed["changed"], CHUNK);
}

#[apply(both)]
async fn a_job_is_continued_after_a_restart(engine: Engine) {
    let server = many(engine).await;
    let id = start(&server.admin(), all_of_many()).await;
    assert!(run_chunk(&server).await);
    let (server, _) = server.moved_to(engine).await;
    let admin = server.admin();
    assert_eq!(read(&admin, &id).await["state"], "running");
    server.advance(Duration::from_secs(61));
    server.service().finish(ObjectJobs).await.unwrap();
    let ended = read(&admin, &id).await;
    assert_eq!(ended["state"], "done");
    assert_eq!(counts(&ended), [MANY, MANY, MANY, 0, 0]);
    let revisions = admin.get(&format!("{}/history", path(1))).await.expect(200);
    let changes = revisions.member("results");
    let updates = changes
        .as_array()
        .unwrap()
        .iter()
        .filter(|change| change["action"] == "update");
    assert_eq!(updates.count(), 1, "each object once");
}

#[apply(both)]
async fn a_dry_run_shows_the_first_chunk_and_leaves_no_job(engine: Engine) {
    let server = many(engine).await;
    let admin = server.admin();
    let answer = admin
        .post(&format!("{JOBS}?dry_run=true"), all_of_many())
        .await
        .expect(202);
    assert_eq!(counts(&answer.member("result")), [MANY, CHUNK, CHUNK, 0, 0]);
    assert_eq!(answer.member("effects")["total"], CHUNK);
    assert!(!run_chunk(&server).await);
    assert_eq!(with_note(&admin, "new").await, 0);
    assert_eq!(admin.get(JOBS).await.expect(200).member("total"), 0);
}

#[apply(both)]
async fn a_user_has_few_jobs_at_once_and_they_are_pruned(engine: Engine) {
    let server = many(engine).await;
    let (admin, person) = (server.admin(), server.user_with(OBJECTS).await);
    let mut ids = Vec::new();
    for _ in 0..10 {
        ids.push(start(&person.client, all_of_many()).await);
    }
    let answer = person.client.post(JOBS, all_of_many()).await.expect(429);
    assert_eq!(answer.header("retry-after"), "5");
    assert!(
        answer.detail().contains("you have 10 running jobs"),
        "{answer}"
    );
    let _ = start(&admin, all_of_many()).await;
    let listed = person.client.get(JOBS).await.expect(200);
    let shown: Vec<Value> = listed
        .member("results")
        .as_array()
        .unwrap()
        .iter()
        .map(|job| job["id"].clone())
        .collect();
    ids.reverse();
    assert_eq!(shown, ids, "only those of the user, the newest first");
    let _ = server
        .user_with(OBJECTS)
        .await
        .client
        .get(&job(&ids[0]))
        .await
        .expect(403);
    let _ = admin.get(&job(&ids[0])).await.expect(200);
    let _ = admin.get(&job(&json!(99))).await.expect(404);
    server.service().finish(ObjectJobs).await.unwrap();
    server.advance(Duration::from_secs(31 * 24 * 3_600));
    let admin = server
        .login("admin", stockroom_testkit::ADMIN_PASSWORD)
        .await;
    let _ = start(&admin, all_of_many()).await;
    let _ = admin.get(&job(&ids[0])).await.expect(404);
}

#[apply(both)]
async fn a_password_is_never_stored_with_a_job(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let filter = json!({"type_id": small.server_type});
    for member in ["set", "append"] {
        let mut body = json!({"filter": filter, "total": 2});
        body[member] = json!({"console": "swordfish-4711"});
        let answer = admin.post(JOBS, body).await.expect(400);
        assert!(answer.detail().contains("password"), "{answer}");
    }
    assert!(!server.is_stored("swordfish-4711"));
    let body = json!({"filter": filter, "total": 2, "clear": ["console"]});
    let ended = finished(&server, &admin, body).await;
    assert_eq!(ended["state"], "done");
    assert_eq!(
        value(&native(&admin, small.srv_01).await, "console"),
        &Value::Null
    );
}

#[apply(both)]
async fn a_text_may_be_called_like_a_password_of_another_type(server: TestServer) {
    let admin = server.admin();
    let _ = inventory::small(&admin).await;
    let type_id = make_type(&admin, "port", &[field("text", "console")]).await;
    let id = insert(&admin, type_id, &[]).await;
    let of_all = json!({"filter": {"public_id": id}, "total": 1, "set": {"console": "serial"}});
    let answer = admin.post(JOBS, of_all).await.expect(400);
    assert!(answer.detail().contains("password"), "{answer}");
    let of_type = json!({"filter": {"type_id": type_id}, "total": 1, "set": {"console": "serial"}});
    let _ = finished(&server, &admin, of_type).await;
    assert_eq!(value(&native(&admin, id).await, "console"), "serial");
}

#[apply(both)]
async fn a_field_that_no_type_has_is_refused(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, small.site_type, person.group_id, &[]).await;
    let one = json!({"public_id": small.srv_01});
    for (client, change, pointer) in [
        (&admin, json!({"set": {"hostnaem": "a"}}), "/set/hostnaem"),
        (&admin, json!({"append": {"a/b": "x"}}), "/append/a~1b"),
        // Of a type that the person may not see.
        (
            &person.client,
            json!({"set": {"street": "a"}}),
            "/set/street",
        ),
    ] {
        let mut body = json!({"filter": one, "total": 1});
        body.as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        assert_eq!(
            client.post(JOBS, body).await.expect(400).pointers(),
            [pointer]
        );
    }
    let cleared = json!({"filter": one, "total": 1, "clear": ["hostnaem"]});
    assert_eq!(finished(&server, &admin, cleared).await["failed_total"], 0);
}

#[apply(both)]
async fn a_body_that_says_no_or_two_things_is_refused(server: TestServer) {
    let admin = server.admin();
    for more in [
        json!({}),
        json!({"state": true, "delete": true}),
        json!({"set": {"a": 1}, "state": true}),
        json!({"set": {}}),
        json!({"set": {"a": 1}, "clear": ["a"]}),
        json!({"append": {"a": 1}}),
        json!({"delete": false}),
        json!({"state": true, "references": "clear"}),
        json!({"delete": true, "references": "keep"}),
        json!({"sett": {"a": 1}, "state": true}),
        json!({"state": true, "filter": {"$nonsense": 1}}),
        json!({"state": true, "total": -1}),
        json!({"state": true, "comment": "x".repeat(1_025)}),
        json!({"state": true, "if_revisions": [1]}),
        json!({"state": true, "if_revisions": {"x": 1}}),
        json!({"state": true, "if_revisions": {"1": 0}}),
        json!({"delete": true, "references": "clear", "if_revisions": {"1": 1}}),
    ] {
        let mut body = json!({"filter": {}, "total": 0});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let answer = admin.post(JOBS, body.clone()).await;
        assert_eq!(answer.status, 400, "{body}\n{answer}");
    }
    for member in ["filter", "total"] {
        let mut body = json!({"filter": {}, "total": 0, "state": true});
        body.as_object_mut().unwrap().remove(member);
        let _ = admin.post(JOBS, body).await.expect(400);
    }
}
