//! Metrics, the dashboard and the alert rules that read them, and the log of requests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{Server, serve};

/// The names in a text that look like metrics of the server or its process.
fn names_in(text: &str) -> BTreeSet<&str> {
    let words =
        text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    words
        .filter(|word| word.starts_with("stockroom_") || word.starts_with("process_"))
        .collect()
}

/// A metric without what a histogram appends.
fn family(name: &str) -> &str {
    let suffixes = ["_bucket", "_sum", "_count"];
    let base = suffixes.iter().find_map(|suffix| name.strip_suffix(suffix));
    base.filter(|base| base.ends_with("_seconds") || base.ends_with("_size"))
        .unwrap_or(name)
}

fn document(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::fs::read_to_string(root.join(path)).unwrap()
}

/// The text of `/metrics` after some requests.
fn scraped() -> String {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let client = Client::admin(&server);
    assert_eq!(client.get("/rest/objects").0, 200);
    let text = client.text("/metrics");
    server.stopped();
    text
}

#[test]
fn every_metric_has_a_type_and_a_description() {
    let text = scraped();
    let mut described: BTreeMap<&str, usize> = BTreeMap::new();
    for line in text.lines() {
        let declared = line
            .strip_prefix("# HELP ")
            .or(line.strip_prefix("# TYPE "));
        if let Some((name, _)) = declared.and_then(|rest| rest.split_once(' ')) {
            *described.entry(name).or_default() += 1;
        }
    }
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let name = line.split(['{', ' ']).next().unwrap();
        assert_eq!(described.get(family(name)), Some(&2), "{name} in\n{text}");
    }
    for name in [
        "stockroom_build_info",
        "stockroom_database_up",
        "process_open_fds",
    ] {
        assert!(described.contains_key(name), "{name} in\n{text}");
    }
}

#[test]
fn dashboard_alerts_and_guide_name_metrics_that_exist() {
    let metrics = scraped();
    let mut known: BTreeSet<&str> = names_in(&metrics).into_iter().map(family).collect();
    for name in stockroom_http::metric_names() {
        known.insert(name);
    }
    for path in [
        "monitoring/grafana.json",
        "monitoring/alerts.yml",
        "guide/src/monitoring.md",
    ] {
        let text = document(path);
        let unknown: Vec<&str> = names_in(&text)
            .into_iter()
            .filter(|name| !known.contains(family(name)))
            .collect();
        assert_eq!(unknown, [""; 0], "in {path}");
    }
    let guide = document("guide/src/monitoring.md");
    let told = names_in(&guide);
    let untold: Vec<&str> = stockroom_http::metric_names()
        .filter(|name| !told.contains(name))
        .collect();
    assert_eq!(untold, [""; 0], "missing in the guide");
    let dashboard: Value = serde_json::from_str(&document("monitoring/grafana.json")).unwrap();
    assert!(
        dashboard["panels"]
            .as_array()
            .is_some_and(|panels| !panels.is_empty())
    );
}

#[test]
fn the_log_says_who_asked_for_what() {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.args(["--log", "info"]);
    let server = Server::start(command);
    let client = Client::admin(&server);
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    client.with_trace(trace).text("/rest/types");
    let log = server.stopped();
    let lines = log
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answered = lines
        .into_iter()
        .find(|line| line["path"] == "/rest/types" && line["status"] == 200)
        .unwrap_or_else(|| panic!("no line in\n{log}"));
    assert_eq!(answered["client"], "127.0.0.1");
    assert_eq!(answered["user"], 1);
    assert_eq!(answered["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
    assert!(
        answered["seconds"].is_f64() && answered["bytes"].is_u64(),
        "{answered}"
    );
}

/// How many tokens were checked by now, by requests that the server works on or has answered.
fn checked_tokens(server: &Server) -> u64 {
    let text = Client::anonymous(server).text("/metrics");
    let counts = text
        .lines()
        .filter(|line| line.starts_with("stockroom_token_cache_total"))
        .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    counts.sum()
}

#[test]
fn the_log_names_requests_whose_clients_left() {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.args(["--log", "info"]);
    let mut server = Server::start(command);
    let client = Client::admin(&server);
    let before = checked_tokens(&server);
    let asked = client.ask("/rest/changes?after=now&wait=60");
    while checked_tokens(&server) == before {}
    drop(asked);
    server.wait_for_log("\"abandoned\"");
    let line = server
        .logged()
        .lines()
        .find(|line| line.contains("\"abandoned\""));
    let line: Value = serde_json::from_str(line.unwrap()).unwrap();
    assert_eq!(line["path"], "/rest/changes", "{line}");
    assert_eq!(line["status"], Value::Null, "{line}");
}
