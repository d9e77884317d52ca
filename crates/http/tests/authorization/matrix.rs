//! The matrix: a row per operation, a column per kind of caller.

use std::fmt::Write as _;

use stockroom_testkit::{Answer, Engine, apply, both, golden};

use crate::callers::{Acl, Caller, World};
use crate::operations::{self, Operation};
use crate::rows::{self, Row};

/// Values of objects that must not appear in answers where ACLs hide the objects.
const HIDDEN: [&str; 4] = ["Berlin", "Unter den Linden", "srv-01", "srv-02"];

#[apply(both)]
async fn every_operation_answers_every_caller_as_its_row_says(engine: Engine) {
    let mut matrix = Matrix::default();
    let shared = World::new(engine).await;
    let strangers = shared.faulty_tokens().await;
    let other_site = shared.other_site().await;
    // Of the last read, which changed nothing.
    let mut unchanged = None;
    for operation in operations::all() {
        for row in rows::all()
            .iter()
            .filter(|row| row.operation == operation.row_name())
        {
            let mut line = Line::new(&operation, row);
            for (kind, stranger) in &strangers {
                let answer = stranger.ask(&operation.method, row).await;
                line.add(kind, &answer, row.statuses[0]);
            }
            let expected = if row.is_open() { row.statuses[0] } else { 403 };
            let answer = other_site.ask(&operation.method, row).await;
            line.add("other site", &answer, expected);
            let world = match unchanged.take() {
                Some(world) if operation.is_safe() => world,
                _ => World::new(engine).await,
            };
            let world = add_those_with_a_token(world, &mut line, engine, &operation, row).await;
            if operation.is_safe() {
                world.open_types().await;
                unchanged = Some(world);
            }
            matrix.add(line);
        }
    }
    matrix.check();
}

/// Changes by one caller must not affect the next answer. Returns the world as it is then.
async fn add_those_with_a_token(
    world: World,
    line: &mut Line,
    engine: Engine,
    operation: &Operation,
    row: &Row,
) -> World {
    let mut world = add_those_without_power(world, line, engine, operation, row).await;
    let [_, without, denied, read_only, admin] = row.statuses;
    let caller = world.without_right(row).await;
    let answer = line
        .ask("without right", &caller, operation, row, without)
        .await;
    if without == 403 {
        assert_names(&answer, &row.right);
    }
    world = world.after(&answer, engine).await;
    let caller = world.holder(row, Acl::Deny).await;
    let answer = line
        .ask("ACL denies", &caller, operation, row, denied)
        .await;
    assert_hidden(&answer, row);
    world = world.after(&answer, engine).await;
    let caller = world.holder(row, Acl::ReadOnly).await;
    let answer = line
        .ask("ACL: READ", &caller, operation, row, read_only)
        .await;
    world = world.after(&answer, engine).await;
    world = add_api_tokens(world, line, engine, operation, row).await;
    line.ask("admin", &world.admin(), operation, row, admin)
        .await;
    world
}

/// API tokens of the administrator, who may do everything.
async fn add_api_tokens(
    world: World,
    line: &mut Line,
    engine: Engine,
    operation: &Operation,
    row: &Row,
) -> World {
    let caller = world.read_only_token().await;
    let expected = row.read_only_token(operation.is_safe());
    line.ask("read-only token", &caller, operation, row, expected)
        .await;
    let caller = world.token_for_type(3).await;
    let expected = row.token_for_type(operation.is_safe());
    let answer = line
        .ask("token for type 3", &caller, operation, row, expected)
        .await;
    assert_hidden(&answer, row);
    let world = world.after(&answer, engine).await;
    let caller = world.viewing_token().await;
    let expected = row.viewing_token(operation.is_safe());
    let answer = line
        .ask("token to view objects", &caller, operation, row, expected)
        .await;
    world.after(&answer, engine).await
}

/// Objects that are hidden from the caller are in no answer.
fn assert_hidden(answer: &Answer, row: &Row) {
    let body = String::from_utf8_lossy(&answer.body);
    let shown = HIDDEN.iter().find(|hidden| body.contains(**hidden));
    // The examples in the document show such an inventory, and are the same for every caller.
    if row.path != "/rest/openapi.json" {
        assert_eq!(shown, None, "{answer}");
    }
}

/// Callers who lose their token, and callers with less power than the user that the request is
/// about. Their refused requests change nothing, so the same world can be used again.
async fn add_those_without_power(
    world: World,
    line: &mut Line,
    engine: Engine,
    operation: &Operation,
    row: &Row,
) -> World {
    if !operation.is_safe() && row.waits_for_body() {
        let answer = world.ask_while_revoked(&operation.method, row).await;
        line.add("revoked while the body arrives", &answer, 401);
    } else {
        line.skip();
    }
    if operation.is_safe() || !row.is_about_users() {
        line.skip();
        return world;
    }
    let expected = row.mightier.unwrap_or(row.statuses[2]);
    let caller = world.ordinary(row).await;
    world.give_others(&["base.system.view"]).await;
    let answer = line.ask(MIGHTIER, &caller, operation, row, expected).await;
    if answer.status < 300 {
        return World::new(engine).await;
    }
    world.give_others(&[]).await;
    world
}

const MIGHTIER: &str = "edits a mightier user";

impl World {
    /// A fresh world if the request may have changed this one.
    async fn after(self, answer: &Answer, engine: Engine) -> Self {
        let is_changed = !answer.method.is_safe() && answer.status < 300;
        if is_changed {
            Self::new(engine).await
        } else {
            self
        }
    }
}

/// An answer to HEAD has no body that could name the right; the answer to its GET is tested.
fn assert_names(answer: &Answer, right: &str) {
    if answer.method != axum::http::Method::HEAD {
        let detail = answer.detail();
        assert!(detail.contains(right), "{right} is not named: {detail}");
    }
}

/// One operation, sent by every kind of caller.
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

    /// Adds a cell for a case that does not apply to the operation.
    fn skip(&mut self) {
        self.cells.push("-".to_owned());
    }

    fn add(&mut self, kind: &str, answer: &Answer, expected: u16) {
        let mut cell = answer.status.to_string();
        let names = kind.starts_with("ACL") || kind == MIGHTIER;
        if answer.status == 403 && names && !answer.body.is_empty() {
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
    let words = detail.split([' ', ',', ';']);
    let is_name = |word: &&str| {
        word.starts_with("base.") || ["CREATE", "READ", "UPDATE", "DELETE"].contains(word)
    };
    let mut names: Vec<&str> = Vec::new();
    for name in words.filter(is_name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    assert!(!names.is_empty(), "nothing is named: {detail}");
    names.join(" ")
}

/// All lines; the golden file shows them as a table.
#[derive(Default)]
struct Matrix {
    lines: Vec<Line>,
}

const CALLERS: [&str; 18] = [
    "no token",
    "broken",
    "expired",
    "logged out",
    "inactive",
    "deleted",
    "revoked API token",
    "API token elsewhere",
    "other site",
    "revoked while the body arrives",
    MIGHTIER,
    "without right",
    "ACL denies",
    "ACL: READ",
    "read-only token",
    "token for type 3",
    "token to view objects",
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
