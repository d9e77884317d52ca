//! Patterns that are expensive to compile or to match, also over all texts of one large record.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::hogs::repeat;
use crate::raw::Target;

/// Texts of the large record.
const TEXTS: usize = 15_000;
/// How long impatient clients wait.
const PATIENCE: Duration = Duration::from_millis(300);

pub(crate) async fn patterns(target: Target) {
    let patterns = [
        // Large when compiled.
        ".%7B9999%7D".repeat(450),
        "(a%7B1,200%7D)%7B1,200%7D".repeat(20),
        // Slow to match.
        "(a%2B)%2B(%3F!b)".repeat(100),
        "(.*)*(%3F%3D.*)%5C%5C1x".to_owned(),
    ];
    let mut sending = JoinSet::new();
    for _ in 0..8 {
        for pattern in &patterns {
            let filter = format!("%7B%22fields.value%22:%7B%22$regex%22:%22{pattern}%22%7D%7D");
            let path = format!("/rest/objects?limit=1&filter={filter}");
            let target = target.clone();
            sending.spawn(async move { target.send("GET", &path, b"").await });
        }
    }
    for answer in sending.join_all().await.into_iter().flatten() {
        assert!(matches!(answer, 200 | 400 | 503), "{answer}");
    }
}

/// Lists and jobs that test one object with many texts.
pub(crate) fn of_one_object(target: &Target, type_id: i64) -> JoinSet<()> {
    let filter = tests("fields.value");
    let list = json!({"filter": filter, "limit": 1});
    let job = json!({"filter": filter, "total": 1, "state": true});
    let mut hogs = repeat(target, 16, "POST", "/rest/objects/query", &list);
    let jobs = repeat(target, 4, "POST", "/rest/objects/jobs", &job);
    hogs.spawn(async move {
        jobs.join_all().await;
    });
    let fields = json!([{"name": "unknown", "value": texts()}]);
    let object = json!({"type_id": type_id, "author_id": 1, "fields": fields});
    let target = target.clone();
    hogs.spawn(async move {
        let object = object.to_string();
        target
            .send("POST", "/rest/objects/", object.as_bytes())
            .await;
    });
    hogs
}

/// Lists of a large setting, whose clients go and come again.
pub(crate) fn of_a_setting(target: &Target, _type_id: i64) -> JoinSet<()> {
    const SETTINGS: &str = "/rest/users/1/settings";
    let payload = json!({ "text": texts() });
    let setting = json!({"identifier": "large", "setting_type": "GLOBAL", "payload": payload});
    let body = json!({"filter": tests("payload.text"), "limit": 1}).to_string();
    let mut hogs = JoinSet::new();
    for _ in 0..30 {
        let (target, body) = (target.clone(), body.clone());
        let path = format!("{SETTINGS}/query");
        hogs.spawn(async move {
            loop {
                let _ = timeout(PATIENCE, target.send("POST", &path, body.as_bytes())).await;
            }
        });
    }
    let target = target.clone();
    hogs.spawn(async move {
        let setting = setting.to_string();
        target.send("POST", SETTINGS, setting.as_bytes()).await;
    });
    hogs
}

fn texts() -> Vec<String> {
    let text = |number| format!("{}{number}", "a".repeat(46));
    (0..TEXTS).map(text).collect()
}

/// A filter that no text matches, and which backtracks on each.
fn tests(path: &str) -> Value {
    let test = |number| json!({path: {"$regex": format!("(a*)a*\\1b{number}")}});
    json!({ "$nor": (0..16).map(test).collect::<Vec<_>>() })
}
