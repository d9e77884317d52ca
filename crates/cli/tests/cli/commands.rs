//! The commands that talk to a server, as transcripts: golden files with commands and what they
//! print. The commands are read from the file too, so that a new example is written there.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use regex::Regex;
use serde_json::{Value, json};
use stockroom_testkit::golden;
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{ADMIN_PASSWORD, Ended, Server, run, run_with_input, serve, stockroom};

const FOLDER: &str = "crates/cli/tests/cli/transcripts";

/// What differs from run to run, and what stands for it.
const SCRUBBED: [(&str, &str); 7] = [
    (r"http://127\.0\.0\.1:\d+", "http://SERVER"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?", "TIME"),
    (r#""\$date": ?\d{13}"#, r#""$$date":0"#),
    (r"\$date: \d{13}", "$$date: 0"),
    (r"request id: \S+", "request id: ID"),
    (r"until \d{4}-\d\d-\d\d", "until DAY"),
    (r"os error \d+", "os error NUMBER"),
];

/// The commands of a transcript. Lines that begin with `> ` continue a command.
fn commands(transcript: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for line in transcript.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push(command.to_owned());
        } else if let (Some(more), Some(last)) = (line.strip_prefix("> "), commands.last_mut()) {
            *last += "\n";
            *last += more;
        }
    }
    commands
}

fn in_bash(command: &str, directory: &Path, server: &Server) -> Ended {
    let program = Path::new(env!("CARGO_BIN_EXE_stockroom"));
    let programs = program.parent().expect("a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut bash = Command::new("bash");
    bash.args(["-uo", "pipefail", "-c", command])
        .current_dir(directory)
        .env_clear()
        .env("PATH", format!("{programs}:{path}"))
        .env("HOME", directory)
        .env("STOCKROOM_SERVER", server.url())
        .env("STOCKROOM_PASSWORD", ADMIN_PASSWORD);
    run(&mut bash)
}

/// What a command prints, without what differs from run to run.
fn printed(ended: &Ended, directory: &Path) -> String {
    let mut printed = ended.out.replace('\r', "");
    for line in ended.err.lines() {
        printed.extend(["! ", line, "\n"]);
    }
    printed = printed.replace(&directory.display().to_string(), "HOME");
    for (pattern, replacement) in SCRUBBED {
        let pattern = Regex::new(pattern).expect("a pattern");
        printed = pattern.replace_all(&printed, replacement).into_owned();
    }
    printed
}

/// What somebody sees who types the commands. These stay as they are, to be read again.
fn transcript(commands: &[String], directory: &Path, server: &Server) -> String {
    let mut transcript = String::new();
    for command in commands {
        let ended = in_bash(command, directory, server);
        let typed = command.replace('\n', "\n> ");
        let printed = printed(&ended, directory);
        let code = match ended.status.code().expect("no signal") {
            0 => String::new(),
            code => format!("[exit code {code}]\n"),
        };
        transcript.extend(["$ ", &typed, "\n", &printed, &code, "\n"]);
    }
    transcript
}

/// The types, servers and sites of the guide.
fn fill(server: &Server) {
    let admin = Client::admin(server);
    admin.insert(
        "/rest/types",
        &json!({"name": "site", "label": "Site", "author_id": 1, "fields": [
            {"type": "text", "name": "name", "label": "Name", "required": true}]}),
    );
    admin.insert(
        "/rest/types",
        &json!({"name": "server", "label": "Server", "author_id": 1, "fields": [
            {"type": "text", "name": "hostname", "label": "Host name", "required": true},
            {"type": "quantity", "name": "cores", "label": "Cores"},
            {"type": "ref", "name": "site", "label": "Site", "ref_types": [1]}],
            "render_meta": {"summary": {"fields": ["hostname", "cores"]}}}),
    );
    for name in ["Berlin", "Vienna"] {
        let fields = json!([{"name": "name", "value": name}]);
        let site = json!({"type_id": 1, "author_id": 1, "fields": fields});
        admin.insert("/rest/objects", &site);
    }
    for (hostname, cores, site) in [("web-01", 8, 1), ("web-02", 4, 1), ("db-01", 32, 2)] {
        let fields = json!([
            {"name": "hostname", "value": hostname},
            {"name": "cores", "value": cores},
            {"name": "site", "value": site}]);
        let object = json!({"type_id": 2, "author_id": 1, "fields": fields});
        admin.insert("/rest/objects", &object);
    }
}

fn check(name: &str) {
    let path = format!("{FOLDER}/{name}.txt");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let stored = fs::read_to_string(root.join(&path)).expect("a transcript");
    let commands = commands(&stored);
    assert!(commands.len() > 3, "{commands:?}");
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    fill(&server);
    let home = tempdir().unwrap();
    golden(&path, &transcript(&commands, home.path(), &server));
}

#[test]
fn records_are_listed_read_and_written() {
    check("records");
}

#[test]
fn every_format_shows_the_same_records() {
    check("formats");
}

#[test]
fn what_fails_says_why_and_has_its_exit_code() {
    check("failures");
}

#[test]
fn apply_makes_records_what_files_say_and_does_nothing_the_second_time() {
    check("apply");
}

#[test]
fn imports_say_what_became_of_the_rows() {
    check("import");
}

#[test]
fn sources_keep_objects_and_say_what_is_missing() {
    check("sources");
}

#[test]
fn an_inventory_has_hosts_in_groups() {
    check("inventory");
}

#[test]
fn search_and_exports_print_or_write_files() {
    check("search_and_export");
}

#[test]
fn the_token_of_a_login_is_stored_for_its_owner_alone_and_revoked_by_the_next_login() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let home = tempdir().unwrap();
    let file = home.path().join(".config/stockroom/credentials.toml");
    let token = || {
        let text = fs::read_to_string(&file).unwrap();
        let line = text.lines().find(|line| line.starts_with("token = "));
        line.unwrap().split('"').nth(1).unwrap().to_owned()
    };
    let login = || {
        let mut command = stockroom(&["login", "--user", "admin", "--server", server.url()]);
        let input = format!("{ADMIN_PASSWORD}\n");
        run_with_input(command.env("HOME", home.path()), &input)
    };
    let printed = login().succeeded();
    let first = token();
    assert!(!printed.contains(&first), "{printed}");
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "{mode:o}");
    let anonymous = Client::anonymous(&server);
    assert_eq!(anonymous.with_token(&first).get("/rest/types").0, 200);
    login().succeeded();
    assert_eq!(anonymous.with_token(&first).get("/rest/types").0, 401);
    let (_, tokens) = Client::admin(&server).get("/rest/tokens");
    assert_eq!(tokens["total"], 1, "{tokens}");
    // Those of the two clients of this test.
    let (_, sessions) = Client::admin(&server).get("/rest/auth/sessions");
    let sessions = sessions
        .pointer("/result/sessions")
        .unwrap_or(&sessions["sessions"]);
    assert_eq!(sessions.as_array().map(Vec::len), Some(2), "{sessions}");
}

#[test]
fn a_stored_token_is_sent_to_no_other_server() {
    let [first, second] = [tempdir().unwrap(), tempdir().unwrap()];
    let first = Server::start(serve(first.path()));
    let second = Server::start(serve(second.path()));
    let home = tempdir().unwrap();
    in_bash("stockroom login --user admin", home.path(), &first).succeeded();
    in_bash("stockroom type list", home.path(), &first).succeeded();
    let ended = in_bash("stockroom type list", home.path(), &second);
    assert_eq!(ended.status.code(), Some(4), "{ended:#?}");
    assert!(ended.err.contains("not logged in to"), "{ended:#?}");
}

#[test]
fn a_list_of_thousands_is_read_page_by_page() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let admin = Client::admin(&server);
    for batch in 0..2 {
        let operations: Vec<Value> = (0..600)
            .map(|number| {
                let body = json!({"name": format!("c{batch}-{number}")});
                json!({"method": "POST", "path": "/categories", "body": body})
            })
            .collect();
        let body = json!({"operations": operations});
        assert_eq!(admin.send("POST", "/rest/batch", Some(&body)).0, 200);
    }
    let home = tempdir().unwrap();
    in_bash("stockroom login --user admin", home.path(), &server).succeeded();
    let listed = "stockroom category list --all -o json";
    let listed = in_bash(listed, home.path(), &server).succeeded();
    let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
    let ids: Vec<_> = listed.iter().map(|one| one["public_id"].as_u64()).collect();
    assert_eq!(ids, (1..=1_200).map(Some).collect::<Vec<_>>());
}

#[test]
fn completions_and_man_pages_know_every_command() {
    let directory = tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&mut stockroom(&["completions", shell])).succeeded();
        assert!(script.contains("migrate-store"), "{shell}");
        assert!(script.contains("if-match"), "{shell}");
    }
    run(stockroom(&["man"]).arg(directory.path())).succeeded();
    for page in ["stockroom", "stockroom-object-list", "stockroom-key-rotate"] {
        let page = fs::read_to_string(directory.path().join(format!("{page}.1")));
        assert!(page.unwrap().starts_with(".ie"));
    }
}
