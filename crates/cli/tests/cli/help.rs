//! The help texts, as golden files.

use stockroom_testkit::golden;

use crate::process::{run, stockroom};

const COMMANDS: [(&str, &[&str]); 39] = [
    ("stockroom", &[]),
    ("serve", &["serve"]),
    ("config", &["config"]),
    ("user", &["user"]),
    ("user-set-password", &["user", "set-password"]),
    ("token", &["token"]),
    ("token-create", &["token", "create"]),
    ("token-list", &["token", "list"]),
    ("token-revoke", &["token", "revoke"]),
    ("token-session", &["token", "session"]),
    ("backup", &["backup"]),
    ("restore", &["restore"]),
    ("check", &["check"]),
    ("key", &["key"]),
    ("key-rotate", &["key", "rotate"]),
    ("import-datagerry", &["import-datagerry"]),
    ("migrate-store", &["migrate-store"]),
    ("login", &["login"]),
    ("logout", &["logout"]),
    ("object", &["object"]),
    ("object-list", &["object", "list"]),
    ("object-get", &["object", "get"]),
    ("object-create", &["object", "create"]),
    ("object-update", &["object", "update"]),
    ("object-delete", &["object", "delete"]),
    ("object-history", &["object", "history"]),
    ("object-restore", &["object", "restore"]),
    ("type", &["type"]),
    ("type-list", &["type", "list"]),
    ("category", &["category"]),
    ("group", &["group"]),
    ("view", &["view"]),
    ("source", &["source"]),
    ("search", &["search"]),
    ("export", &["export"]),
    ("import", &["import"]),
    ("inventory", &["inventory"]),
    ("apply", &["apply"]),
    ("completions", &["completions"]),
];

#[test]
fn the_help_of_every_command_is_in_the_documentation() {
    for (file, arguments) in COMMANDS {
        let help = run(stockroom(arguments).arg("--help")).succeeded();
        golden(&format!("docs/cli/{file}.txt"), &help);
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = run(&mut stockroom(&["--version"])).succeeded();
    assert_eq!(
        version,
        concat!("stockroom ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn an_unknown_command_or_flag_is_a_mistake_of_usage() {
    for arguments in [
        &["sreve"] as &[&str],
        &["serve", "--admin-password", "x"],
        &[],
    ] {
        let ended = run(&mut stockroom(arguments));
        assert_eq!(ended.status.code(), Some(2), "{ended:#?}");
        assert!(ended.err.contains("Usage: stockroom"), "{ended:#?}");
    }
}
