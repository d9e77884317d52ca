//! Runs the shell commands of the guide as written, chapter by chapter, each in its own directory,
//! which has the `docs` of the repository.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Deserializer, Value};
use tempfile::tempdir;

use crate::process::run;

/// Addresses in the commands, which may be in use on the test machine.
const ADDRESSES: [&str; 1] = ["127.0.0.1:4000"];

/// A shell block and the `text` block after it, which shows lines of its output.
struct Block {
    commands: String,
    prints: Vec<String>,
}

fn chapters() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/src");
    let files = fs::read_dir(folder).expect("the guide");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    files
}

/// The shell blocks of a chapter. A `text` block is only allowed after one.
fn blocks(chapter: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut follows = false;
    for fenced in chapter.split("\n```").skip(1).step_by(2) {
        let (language, text) = fenced.split_once('\n').expect("a whole fence");
        match language {
            "sh" => blocks.push(Block {
                commands: format!("{text}\n"),
                prints: Vec::new(),
            }),
            "text" => {
                assert!(follows, "what prints this?\n{text}");
                let shown = text.lines().filter(|line| *line != "…").map(str::to_owned);
                blocks.last_mut().expect("a block").prints = shown.collect();
            }
            _ => {}
        }
        follows = language == "sh";
    }
    blocks
}

/// The blocks as one script, with free addresses. Processes that it starts end with it.
fn script(blocks: &[Block]) -> String {
    let commands = blocks.iter().map(|block| block.commands.as_str());
    let mut script = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n".to_owned();
    script.extend(commands);
    for address in ADDRESSES {
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let free = free.local_addr().expect("its address").to_string();
        script = script.replace(address, &free);
    }
    script
}

fn run_chapter(blocks: &[Block]) -> String {
    let directory = tempdir().expect("a directory");
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::os::unix::fs::symlink(docs, directory.path().join("docs")).expect("a link");
    let program = Path::new(env!("CARGO_BIN_EXE_stockroom"));
    let programs = program.parent().expect("a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", &script(blocks)])
        .current_dir(directory.path())
        .env_clear()
        .env("PATH", format!("{programs}:{path}"));
    run(&mut bash).succeeded()
}

#[test]
fn the_shell_commands_of_the_guide_work_as_they_stand() {
    let mut found = 0;
    for file in chapters() {
        let blocks = blocks(&fs::read_to_string(&file).expect("a chapter"));
        if blocks.is_empty() {
            continue;
        }
        found += blocks.len();
        let printed = run_chapter(&blocks);
        for line in blocks.iter().flat_map(|block| &block.prints) {
            assert!(
                printed.lines().any(|other| other == line),
                "{}: no {line:?} in\n{printed}",
                file.display()
            );
        }
    }
    assert!(found > 5, "{found} blocks");
}

#[test]
fn the_first_steps_log_in_and_find_what_they_made() {
    let chapter = chapters()
        .into_iter()
        .find(|file| file.ends_with("first-steps.md"));
    let chapter = fs::read_to_string(chapter.expect("the chapter")).expect("UTF-8");
    let printed = run_chapter(&blocks(&chapter));
    // Skip the output that says the server is ready.
    let start = printed.find("{\"results\"").expect("a list");
    let documents = Deserializer::from_str(&printed[start..]).into_iter::<Value>();
    let documents: Vec<Value> = documents.collect::<Result<_, _>>().expect("JSON");
    let [types, inserted, found, deleted] = documents.as_slice() else {
        panic!("four answers: {printed}");
    };
    assert_eq!(types["total"], 0);
    assert_eq!(inserted["result_id"], "try-out");
    assert_eq!(found["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(deleted["deleted_entry"]["identifier"], "try-out");
}
