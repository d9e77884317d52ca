//! The matrix itself: operations down, callers across.

use std::fmt::Write as _;

use stockroom_testkit::{Answer, Engine, both, golden};

use crate::callers::{Acl, Caller, World};
use crate::operations::{self, Operation};
use crate::rows::{self, Row};

/// What belongs to objects and must not show where ACLs hide them.
const HIDDEN: [&str; 4] = ["Berlin", "Unter den Linden", "srv-01", "srv-02"];

both! {
    async fn every_operation_answers_every_caller_as_its_row_says(engine: Engine) {
        let mut matrix = Matrix::default();
        let shared = World::new(engine).await;
        let strangers = shared.faulty_tokens().await;
        for operation in operations::all() {
            for row in rows::all().iter().filter(|row| row.operation == operation.row_name()) {
                let mut line = Line::new(&operation, row);
                for (kind, stranger) in &strangers {
                    let answer = stranger.ask(&operation.method, row).await;
                    line.add(kind, &answer, row.statuses[0]);
                }
                add_those_with_a_token(&mut line, engine, &operation, row).await;
                matrix.add(line);
            }
        }
        matrix.check();
    }
}

async fn add_those_with_a_token(line: &mut Line, engine: Engine, operation: &Operation, row: &Row) {
    // What one caller changed must not decide what the next one is answered.
    let mut world = World::new(engine).await;
    let [_, without, denied, read_only, admin] = row.statuses;
    let caller = world.without_right(row).await;
    let answer = line
        .ask("without right", &caller, operation, row, without)
        .await;
    if without == 403 {
        assert_names(&answer, &row.right);
    }
    world = world.again(engine, operation).await;
    let caller = world.holder(row, Acl::Deny).await;
    let answer = line
        .ask("ACL denies", &caller, operation, row, denied)
        .await;
    let body = String::from_utf8_lossy(&answer.body);
    let shown = HIDDEN.iter().find(|hidden| body.contains(**hidden));
    assert_eq!(shown, None, "{answer}");
    world = world.again(engine, operation).await;
    let caller = world.holder(row, Acl::ReadOnly).await;
    line.ask("ACL: READ", &caller, operation, row, read_only)
        .await;
    world = world.again(engine, operation).await;
    line.ask("admin", &world.admin(), operation, row, admin)
        .await;
}

impl World {
    /// A fresh one after an operation that may have changed this one.
    async fn again(self, engine: Engine, operation: &Operation) -> Self {
        if operation.is_safe() {
            self
        } else {
            Self::new(engine).await
        }
    }
}

/// The answer to HEAD has no body to name anything in; that of its GET has.
fn assert_names(answer: &Answer, right: &str) {
    if answer.method != axum::http::Method::HEAD {
        let detail = answer.detail();
        assert!(detail.contains(right), "{right} is not named: {detail}");
    }
}

/// One operation, asked by everybody.
struct Line {
    request: String,
    right: String,
    cells: Vec<String>,
    deviations: Vec<String>,
}

impl Line {
    fn new(operation: &Operation, row: &Row) -> Self {
        Self {
            request: format!("{} {}", operation.method, row.path),
            right: row.right.clone(),
            cells: Vec::new(),
            deviations: Vec::new(),
        }
    }

    async fn ask(
        &mut self,
        kind: &str,
        caller: &Caller,
        operation: &Operation,
        row: &Row,
        expected: u16,
    ) -> Answer {
        let answer = caller.ask(&operation.method, row).await;
        self.add(kind, &answer, expected);
        answer
    }

    fn add(&mut self, kind: &str, answer: &Answer, expected: u16) {
        let mut cell = answer.status.to_string();
        if answer.status == 403 && kind.starts_with("ACL") && !answer.body.is_empty() {
            cell.push(' ');
            cell.push_str(&named(&answer.detail()));
        }
        self.cells.push(cell);
        if answer.status != expected {
            self.deviations
                .push(format!("{kind}: expected {expected}\n{answer}"));
        }
    }
}

/// What a refusal says is missing: an operation of an ACL, or rights.
fn named(detail: &str) -> String {
    let words = detail.split([' ', ',']);
    let is_name = |word: &&str| {
        word.starts_with("base.") || ["CREATE", "READ", "UPDATE", "DELETE"].contains(word)
    };
    let names: Vec<&str> = words.filter(is_name).collect();
    assert!(!names.is_empty(), "nothing is named: {detail}");
    names.join(" ")
}

/// All lines; the golden file shows them as a table.
#[derive(Default)]
struct Matrix {
    lines: Vec<Line>,
}

const CALLERS: [&str; 10] = [
    "no token",
    "broken",
    "expired",
    "logged out",
    "inactive",
    "deleted",
    "without right",
    "ACL denies",
    "ACL: READ",
    "admin",
];

impl Matrix {
    fn add(&mut self, line: Line) {
        self.lines.push(line);
    }

    fn check(&self) {
        let deviations: Vec<&str> = self
            .lines
            .iter()
            .flat_map(|line| &line.deviations)
            .map(String::as_str)
            .collect();
        assert!(deviations.is_empty(), "{}", deviations.join("\n\n"));
        golden("crates/http/tests/authorization/matrix.txt", &self.table());
    }

    fn table(&self) -> String {
        let mut table = String::new();
        let mut write = |request: &str, right: &str, cells: &mut dyn Iterator<Item = &str>| {
            let mut text = format!("{request:<58}{right:<36}");
            for (cell, caller) in cells.zip(CALLERS) {
                let width = caller.len().max(11) + 2;
                let _ = write!(text, "{cell:<width$}");
            }
            table.push_str(text.trim_end());
            table.push('\n');
        };
        write("request", "right", &mut CALLERS.into_iter());
        for line in &self.lines {
            let cells = &mut line.cells.iter().map(String::as_str);
            write(&line.request, &line.right, cells);
        }
        table
    }
}
