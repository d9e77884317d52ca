//! The README's first five minutes, run as they stand.

use std::process::Command;

use serde_json::{Deserializer, Value};
use tempfile::tempdir;

use crate::process::{Server, run, serve};

const README: &str = include_str!("../../../../README.md");
const SECTION: &str = "## The first five minutes\n";
const ADDRESS: &str = "STOCKROOM=http://127.0.0.1:4000/rest\n";

/// All `sh` blocks of the section as one script.
fn script() -> String {
    let (_, section) = README.split_once(SECTION).expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let blocks = section.split("```sh\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap_or_default())
        .collect()
}

fn documents(text: &str) -> Vec<Value> {
    let documents = Deserializer::from_str(text).into_iter();
    documents.collect::<Result<_, _>>().expect("JSON")
}

fn field(object: &Value, name: &str) -> Value {
    let fields = object["fields"].as_array().expect("fields");
    let field = fields.iter().find(|field| field["name"] == name);
    field.expect("the field")["value"].clone()
}

#[test]
fn the_first_five_minutes_of_the_readme_work_as_they_stand() {
    let script = script();
    assert_eq!(script.matches(ADDRESS).count(), 1);
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command
        .arg("--demo")
        .env("STOCKROOM_ADMIN_PASSWORD", "stockroom-demo");
    let server = Server::start(command);
    let script = script.replace(ADDRESS, &format!("STOCKROOM={}/rest\n", server.url()));

    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", &script]);
    let printed = run(&mut bash).succeeded();

    let (lists, rest) = printed.split_once("x-total-count: ").expect("the count");
    let (count, rest) = rest.split_once("\r\n").expect("the end of a header");
    assert!(count.parse::<u32>().unwrap() > 2_000, "{count}");
    let [types, servers, filtered]: [Value; 3] = documents(lists).try_into().expect("three lists");
    assert_eq!(types["count"], 17);
    let is_server = |object: &Value| object["type_id"] == 11;
    assert_eq!(servers["count"], 2);
    for list in [&servers, &filtered] {
        assert!(
            list["results"].as_array().unwrap().iter().all(is_server),
            "{list}"
        );
    }
    let names: Vec<Value> = filtered["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|server| field(server, "hostname"))
        .collect();
    assert_eq!(names.len(), 3);
    assert!(
        names
            .iter()
            .all(|name| name.as_str().unwrap().starts_with("ham")),
        "{names:?}"
    );
    let [rendered, references, changed, refused, deleted]: [Value; 5] =
        documents(rest).try_into().expect("five answers");
    assert_eq!(field(&rendered["type_information"], "role"), "hypervisor");
    assert!(references["total"].as_u64().unwrap() > 0, "{references}");
    assert_eq!(field(&changed["result"], "number"), "K043");
    assert_eq!(refused["status"], 412);
    assert_eq!(
        deleted["deleted_entry"]["public_id"],
        changed["result"]["public_id"]
    );
}
