//! A dry run says of each row what the run does (`docs/guide/src/imports.md`).

use std::fmt::Write as _;

use fastrand::Rng;
use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{field, field_with, insert, make_type};
use crate::imports::{at, problems, run, upload};

const ROUNDS: usize = 16;
/// A chunk has fewer rows.
const FILLERS: usize = 1_000;
const NAMES: [&str; 6] = ["", "a", "b", "c", "d", "e"];
const SITES: [&str; 3] = ["", "x", "y"];

async fn parts(admin: &Client, name: &str) -> i64 {
    let fields = [
        field("text", "code"),
        field("text", "name"),
        field("text", "site"),
        field_with("text", "serial", &json!({"regex": "SN.*"})),
        field_with("ref", "parent", &json!({"ref_types": []})),
        field("text", "parent_text"),
    ];
    make_type(admin, name, &fields).await
}

/// What becomes of each row.
async fn statuses(admin: &Client, import: &Value) -> Vec<String> {
    let mut statuses = Vec::new();
    let mut after = Some(String::new());
    while let Some(cursor) = after {
        let path = at(import, &format!("/rows?limit=500&after={cursor}"));
        let page = admin.get(&path).await.expect(200);
        let rows = page.member("results");
        let words = rows.as_array().unwrap().iter();
        statuses.extend(words.map(|row| row["status"].as_str().unwrap().to_owned()));
        after = page.member("pager")["after"].as_str().map(str::to_owned);
    }
    statuses
}

/// Runs an import dry and for real. Returns what each says of the rows.
async fn both_runs(
    server: &TestServer,
    import: &Value,
    mut body: Value,
) -> (Vec<String>, Vec<String>) {
    let admin = server.admin();
    body["dry_run"] = json!(true);
    let _ = run(server, &admin, import, body.clone()).await;
    let dry = statuses(&admin, import).await;
    body["dry_run"] = json!(false);
    let _ = run(server, &admin, import, body).await;
    (dry, statuses(&admin, import).await)
}

fn plan(type_id: i64, key: &[&str], parent: &Value) -> Value {
    let columns = json!({
        "code": "code", "name": "name", "site": "site", "serial": "serial",
        "parent": parent, "parent_site": null,
    });
    json!({"type_id": type_id, "key": key, "columns": columns, "policy": "skip"})
}

#[apply(both)]
async fn rows_that_refer_to_rows_further_down_have_the_same_result(server: TestServer) {
    let admin = server.admin();
    let by_name = |type_id: i64| json!({"field": "parent", "by": "name", "types": [type_id]});
    for (name, rows, expected) in [
        ("change", "1,,,,b,\n2,b,,,,\n", ["update", "new"]),
        ("refused", "2,a,,,b,\n3,b,,bad,,\n", ["error", "error"]),
        ("several", "2,a,,,b,\n3,b,,,,\n4,b,,,,\n", ["error", "new"]),
        ("same", "1,one,,,one,\n2,b,,,,\n", ["update", "new"]),
        ("renamed", "2,a,,,uno,\n1,uno,,,,\n", ["new", "update"]),
        ("gone", "2,a,,,none,\n1,uno,,,,\n", ["error", "update"]),
    ] {
        let type_id = parts(&admin, name).await;
        let stored = [("code", json!("1")), ("name", json!("one"))];
        let _ = insert(&admin, type_id, &stored).await;
        let file = format!("code,name,site,serial,parent,parent_site\n{rows}");
        let import = upload(&admin, "parts.csv", file).await;
        let body = plan(type_id, &["code"], &by_name(type_id));
        let (dry, real) = both_runs(&server, &import, body).await;
        assert_eq!(dry, real, "{name}");
        assert_eq!(dry[..2], expected, "{name}");
    }
}

#[apply(both)]
async fn a_row_that_refers_to_several_rows_is_told_so(server: TestServer) {
    let admin = server.admin();
    let type_id = parts(&admin, "part").await;
    let file = "name,parent\na,b\nb,\nb,\n";
    let import = upload(&admin, "parts.csv", file).await;
    let parent = json!({"field": "parent", "by": "name", "types": [type_id]});
    let columns = json!({"name": "name", "parent": parent});
    let body = json!({"type_id": type_id, "columns": columns, "policy": "skip", "dry_run": true});
    let _ = run(&server, &admin, &import, body).await;
    let detail = "several objects would have the name \"b\"".to_owned();
    assert_eq!(
        problems(&admin, &import).await,
        [(2, "parent".to_owned(), detail)]
    );
}

#[apply(both)]
async fn random_rows_have_the_result_that_their_dry_run_says(server: TestServer) {
    let admin = server.admin();
    for round in 0..ROUNDS {
        let mut random = Rng::with_seed(round as u64);
        let type_id = parts(&admin, &format!("part_{round}")).await;
        for code in 1..4 {
            let name = random.choice(NAMES).unwrap();
            let stored = [("code", json!(code.to_string())), ("name", json!(name))];
            let _ = insert(&admin, type_id, &stored).await;
        }
        let mut parent = json!({"field": "parent", "by": "name", "types": [type_id]});
        if random.bool() {
            parent["by"] = json!({"name": "parent", "site": "parent_site"});
        }
        if random.u8(0..3) == 0 {
            parent["else"] = json!("parent_text");
        }
        let key = random.choice([&["code"][..], &["code", "site"]]).unwrap();
        let file = file(&mut random, round % 4 == 0);
        let import = upload(&admin, "parts.csv", file.clone()).await;
        let (dry, real) = both_runs(&server, &import, plan(type_id, key, &parent)).await;
        let rows = file.lines().skip(1).zip(dry.iter().zip(&real));
        let other: Vec<_> = rows.filter(|(_, (dry, real))| dry != real).collect();
        assert!(other.is_empty(), "{round}: {other:?} of {file:.2000}");
    }
}

fn file(random: &mut Rng, has_fillers: bool) -> String {
    let mut file = "code,name,site,serial,parent,parent_site\n".to_owned();
    for part in 0..(if has_fillers { 3 } else { 1 }) {
        for number in 0..random.usize(2..8) {
            let code = if random.u8(0..3) == 0 {
                random.usize(1..5)
            } else {
                100 * part + number + 10
            };
            let [name, parent] = [(); 2].map(|()| random.choice(NAMES).unwrap());
            let [site, parent_site] = [(); 2].map(|()| random.choice(SITES).unwrap());
            let serial = random.choice(["", "SN1", "SN2", "bad"]).unwrap();
            writeln!(file, "{code},{name},{site},{serial},{parent},{parent_site}").unwrap();
        }
        let fillers = if has_fillers { FILLERS } else { 0 };
        let fillers = (0..fillers).map(|number| format!("f{part}-{number},,,,,\n"));
        file.extend(fillers);
    }
    file
}
