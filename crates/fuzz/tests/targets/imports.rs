//! A file is refused, or its rows become objects of the proposed type, come back whole from an
//! export, and are gone after an undo.

#![expect(clippy::expect_used, reason = "a helper of tests fails as a test does")]

use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_service::background::Imports;
use stockroom_testkit::{Client, Engine, Setup, TestServer};
use tokio::runtime::Builder;

use crate::harness::{first_words, fuzz_times, kind};

const WORDS: &[&str] = &[
    "\"",
    "\"\"",
    ",",
    ";",
    "\t",
    "|",
    "\r\n",
    "\n",
    "\r",
    "sep=;\n",
    "\\",
    "'=",
    "=1+1",
    "{",
    "}",
    "[",
    "]",
    ":",
    "{\"a\":1}",
    "null",
    "true",
    "yes",
    "no",
    "0",
    "007",
    "10.10",
    "34E111",
    "1e999",
    "-0",
    "18446744073709551616",
    "31.12.2026",
    "2026-12-31",
    "12/31/2026",
    "2026-12-31T23:59:60Z",
    "{\"$date\":1}",
    "public_id",
    "type_id",
    "creation_time",
    "active",
    "import_problem",
    "fields.active",
    "fields.",
    "column 1",
    "a (2)",
    "a_2",
    "imported",
    "\"fields\":[{\"name\":\"a\",\"value\":1}]",
    "$date",
    "\u{feff}",
    "\u{0}",
    "\u{a0}",
    "\u{130}",
    "\u{df}",
    "e\u{301}",
    "\u{202e}",
    "\\u0000",
    "\\ud800",
];

/// How many files go to one server.
const MOST_FILES: u32 = 500;

/// The formats of exports that keep every value, which are chosen by the length of a file.
const FORMATS: [&str; 3] = ["csv", "json", "ndjson"];

#[test]
fn files_become_objects_and_vanish() {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let server = Cell::new(None);
    fuzz_times(300, "imports", WORDS, |input| {
        runtime.block_on(async {
            let (current, files) = match server.take() {
                Some(current) => current,
                None => (Setup::default().start(Engine::Sqlite).await, 0),
            };
            current.advance(Duration::from_secs(1));
            let admin = current.admin();
            let importer = Importer {
                server: &current,
                admin,
            };
            let outcome = importer.handle(input).await;
            if files < MOST_FILES {
                server.set(Some((current, files + 1)));
            }
            outcome
        })
    });
}

struct Importer<'s> {
    server: &'s TestServer,
    admin: Client,
}

impl Importer<'_> {
    /// Imports a file, takes it back, and gives the kind of what happened.
    async fn handle(&self, file: &[u8]) -> u64 {
        let query = ["", "&header=false", "&escapes=true", ""][file.len() % 4];
        let path = format!("/rest/imports?file_name=file{query}");
        let uploaded = self
            .admin
            .send(Method::POST, &path, &[], file.to_vec())
            .await;
        if uploaded.status != 201 {
            assert!(matches!(uploaded.status, 400 | 413), "{uploaded}");
            return kind(&first_words(&uploaded.problem()["detail"]));
        }
        let import = uploaded.member("result");
        let proposed = import["proposed_type"].clone();
        let made = self.admin.post("/rest/types/", proposed).await;
        let type_id = made.expect(200).member("result_id");
        let outcome = self.run_with(&import, &type_id, file.len()).await;
        self.remove(&import).await;
        outcome
    }

    async fn run_with(&self, import: &Value, type_id: &Value, length: usize) -> u64 {
        let before = self.objects().await;
        let path = at(import, &format!("?type_id={type_id}"));
        let suggested = self.admin.get(&path).await.expect(200).member("result");
        let mut plan = suggested["suggested"].clone();
        let mut goals = plan["columns"].as_object().into_iter().flatten();
        if goals.all(|(_, goal)| goal.is_null()) {
            let refused = self.admin.post(&at(import, "/run"), plan).await.expect(400);
            self.remove_type(type_id).await;
            return kind(&refused.detail());
        }
        plan["policy"] = json!("skip");
        plan["type_id"] = type_id.clone();
        plan["dry_run"] = json!(true);
        let dry = self.run(import, &plan).await;
        assert_eq!(self.objects().await, before, "{dry}");
        plan["dry_run"] = json!(false);
        let done = self.run(import, &plan).await;
        assert_eq!(dry["counts"], done["counts"]);
        assert_eq!(self.objects().await, before + count(&done, "new"), "{done}");
        if count(&done, "new") > 0 {
            self.bring_back(type_id, FORMATS[length % 3]).await;
        }
        let reasons = self.reasons(import).await;
        if count(&done, "new") + count(&done, "update") > 0 {
            let undone = self.step(import, "/undo", json!({})).await;
            assert_eq!(self.objects().await, before, "{undone}");
        }
        self.remove_type(type_id).await;
        let looks: BTreeSet<String> = import["columns"]
            .as_array()
            .expect("columns")
            .iter()
            .map(|column| column["looks"].to_string())
            .collect();
        kind(&(&import["file"]["format"], looks, statuses(&done), reasons))
    }

    /// Runs an import to its end.
    async fn run(&self, import: &Value, plan: &Value) -> Value {
        let done = self.step(import, "/run", plan.clone()).await;
        let columns = import["columns"].as_array().expect("columns");
        for column in columns {
            let name = column["name"].as_str().expect("a name");
            // The reasons of our own files are no column of theirs.
            let is_planned = done["plan"]["columns"].get(name).is_some();
            assert!(is_planned || name == "import_problem", "{name:?}: {done}");
        }
        let statuses: i64 = ["new", "update", "unchanged", "duplicate", "error"]
            .iter()
            .map(|status| count(&done, status))
            .sum();
        assert_eq!(done["rows"], statuses, "{done}");
        done
    }

    async fn step(&self, import: &Value, step: &str, body: Value) -> Value {
        let _ = self.admin.post(&at(import, step), body).await.expect(202);
        self.server
            .service()
            .finish(Imports::default())
            .await
            .expect("an end");
        let done = self
            .admin
            .get(&at(import, ""))
            .await
            .expect(200)
            .member("result");
        let state = done["state"].as_str().unwrap_or_default();
        assert!(["checked", "done", "undone"].contains(&state), "{done}");
        done
    }

    /// An export of the objects changes nothing when it is imported.
    async fn bring_back(&self, type_id: &Value, format: &str) {
        let filter = json!({"type_id": type_id}).to_string();
        let query = [("format", format), ("filter", filter.as_str())];
        let export = self
            .admin
            .query("/rest/exports/objects", &query)
            .await
            .expect(200);
        let path = format!("/rest/imports?file_name=file.{format}");
        let uploaded = self.admin.send(Method::POST, &path, &[], export.body).await;
        let import = uploaded.expect(201).member("result");
        let done = self
            .run(
                &import,
                &json!({"type_id": type_id, "ignore_columns": false}),
            )
            .await;
        assert_eq!(done["counts"]["unchanged"], done["rows"], "{done}");
        self.remove(&import).await;
    }

    /// Why rows were refused.
    async fn reasons(&self, import: &Value) -> BTreeSet<String> {
        let path = at(import, "/rows?status=error");
        let rows = self.admin.get(&path).await.expect(200).member("results");
        let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
        rows.iter()
            .map(|row| first_words(&row["problems"][0]["detail"]))
            .collect()
    }

    async fn remove(&self, import: &Value) {
        let removed = self.admin.delete(&at(import, "")).await;
        assert!((200..300).contains(&removed.status), "{removed}");
    }

    async fn remove_type(&self, type_id: &Value) {
        let path = format!("/rest/types/{type_id}");
        let _ = self.admin.delete(&path).await.expect(202);
    }

    async fn objects(&self) -> i64 {
        let list = self.admin.get("/rest/objects?limit=1").await.expect(200);
        list.member("total").as_i64().expect("a total")
    }
}

fn at(import: &Value, rest: &str) -> String {
    format!("/rest/imports/{}{rest}", import["id"])
}

fn count(import: &Value, status: &str) -> i64 {
    import["counts"][status].as_i64().unwrap_or_default()
}

/// The statuses that rows got.
fn statuses(import: &Value) -> Vec<&String> {
    let counts = import["counts"].as_object().into_iter().flatten();
    counts
        .filter(|(_, count)| **count != 0)
        .map(|(status, _)| status)
        .collect()
}
