//! Runs the commands in the README's "first five minutes", and those for a CSV file.

use std::path::Path;
use std::process::Command;

use serde_json::{Deserializer, Value};
use tempfile::tempdir;

use crate::process::{Ended, Server, run, serve};

const README: &str = include_str!("../../../../README.md");
const SECTION: &str = "## The first five minutes\n";
const FILE_SECTION: &str = "## A CSV file in and out\n";
const ADDRESS: &str = "STOCKROOM=http://127.0.0.1:4000/rest\n";

/// All `sh` blocks of a section as one script.
fn script(section: &str) -> String {
    let (_, section) = README.split_once(section).expect("the section");
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

fn demo(data: &Path) -> Server {
    let mut command = serve(data);
    command
        .arg("--demo")
        .env("STOCKROOM_ADMIN_PASSWORD", "stockroom-demo");
    Server::start(command)
}

/// Runs a script in bash against a server.
fn in_bash(server: &Server, script: &str) -> Ended {
    let script = script.replace(ADDRESS, &format!("STOCKROOM={}/rest\n", server.url()));
    let mut bash = Command::new("bash");
    run(bash.args(["-euo", "pipefail", "-c", &script]))
}

#[test]
fn the_first_five_minutes_of_the_readme_work_as_they_stand_and_again() {
    assert_eq!(script(SECTION).matches(ADDRESS).count(), 1);
    let data = tempdir().unwrap();
    let server = demo(data.path());
    for _ in 0..2 {
        check(in_bash(&server, &script(SECTION)));
    }
}

fn check(ended: Ended) {
    let refused = ended.err.clone();
    let printed = ended.succeeded();
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
    let [rendered, references, changed, deleted, gone]: [Value; 5] =
        documents(rest).try_into().expect("five answers");
    assert_eq!(field(&rendered["type_information"], "role"), "hypervisor");
    assert!(references["total"].as_u64().unwrap() > 0, "{references}");
    assert_eq!(field(&changed["result"], "number"), "K043");
    assert!(refused.contains(r#""status":412"#), "{refused}");
    assert_eq!(
        deleted["deleted_entry"]["public_id"],
        changed["result"]["public_id"]
    );
    assert_eq!(gone["deleted_entry"]["name"], "door-key");
}

#[test]
fn the_first_five_minutes_say_what_failed() {
    let data = tempdir().unwrap();
    let server = demo(data.path());
    let whole = script(SECTION);
    // As if interrupted after the first of its deletes.
    let cut = whole.rsplit_once("api -X DELETE").expect("the last delete");
    let _ = in_bash(&server, cut.0).succeeded();
    let ended = in_bash(&server, &whole);
    assert!(!ended.status.success(), "{ended:#?}");
    assert!(ended.err.contains("is the name of type"), "{ended:#?}");
}

#[test]
fn a_csv_file_goes_in_and_out_as_the_readme_says() {
    let data = tempdir().unwrap();
    let server = demo(data.path());
    let home = tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_stockroom"));
    let programs = program.parent().expect("a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let script = script(FILE_SECTION).replace("http://127.0.0.1:4000", server.url());
    // The exported file goes in again, and changes nothing.
    let script = format!("{script}cat hosts.csv\nstockroom import hosts.csv --type host\n");
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", &script])
        .current_dir(home.path())
        .env("PATH", format!("{programs}:{path}"))
        .env("HOME", home.path())
        .env_remove("XDG_CONFIG_HOME")
        .env("STOCKROOM_PASSWORD", "stockroom-demo");
    let printed = run(&mut bash).succeeded();
    for line in [
        "import 2 is done: new 2",
        "public_id,active,hostname,cores",
        "import 3 is done: unchanged 2",
    ] {
        assert!(printed.contains(line), "no {line:?} in\n{printed}");
    }
}
