//! The rows of `rows.toml`: a request per operation, and the expected statuses.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::operations;

/// A request and its expected statuses.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) operation: String,
    pub(crate) path: String,
    pub(crate) body: Option<String>,
    /// The right that the operation needs; empty if a token is enough.
    #[serde(default)]
    pub(crate) right: String,
    /// Rights that all callers hold.
    #[serde(default)]
    pub(crate) also: Vec<String>,
    /// In this order: faulty token, right missing, ACLs deny, ACLs grant READ only, admin.
    pub(crate) statuses: [u16; 5],
    /// The status if the users of group 3 hold more than the caller, who has the right. Without it,
    /// the status of "ACLs deny" is expected.
    pub(crate) mightier: Option<u16>,
    /// Whether an API token is not enough.
    #[serde(default)]
    needs_login: bool,
    /// The status for a read-only token of the administrator. By default it may do what is safe and
    /// needs a right to view, or none.
    read_only_token: Option<u16>,
    /// The status for a token of the administrator with the rights of the row, for type 3 only. By
    /// default that of "ACLs deny".
    limited_token: Option<u16>,
}

impl Row {
    /// Whether the request may affect users other than the caller.
    pub(crate) fn is_about_users(&self) -> bool {
        let starts = |start: &&str| self.path.starts_with(*start);
        ["/rest/users", "/rest/groups", "/rest/tokens"]
            .iter()
            .any(starts)
            && !self.path.contains("$me")
    }

    /// Whether everybody gets the same answer.
    pub(crate) fn is_open(&self) -> bool {
        self.statuses[0] == self.statuses[4]
    }

    /// The status for a read-only token of the administrator.
    pub(crate) fn read_only_token(&self, is_safe: bool) -> u16 {
        let admin = self.statuses[4];
        let views = |right: &str| right.rsplit('.').next() == Some("view");
        let is_view = self.right.is_empty() || views(&self.right);
        let views = self.also.iter().all(|right| views(right));
        let may = self.is_open() || is_safe && is_view && views && !self.needs_login;
        self.read_only_token
            .unwrap_or(if may { admin } else { 403 })
    }

    /// The status for a token of the administrator with the rights of the row, for type 3 only.
    pub(crate) fn limited_token(&self) -> u16 {
        let denied = if self.needs_login {
            403
        } else {
            self.statuses[2]
        };
        self.limited_token.unwrap_or(denied)
    }

    /// Whether a caller can lose its token while the body arrives.
    pub(crate) fn waits_for_body(&self) -> bool {
        // Login needs no token, and the table of rights is read without a view of the store.
        let needs_view = self.operation != "login" && !self.path.starts_with("/rest/rights");
        needs_view && self.body.is_some()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    row: Vec<Row>,
}

/// All rows.
pub(crate) fn all() -> Vec<Row> {
    let rows: Rows = toml::from_str(include_str!("rows.toml")).unwrap();
    rows.row
}

#[test]
fn every_operation_has_a_row_and_every_row_an_operation() {
    let (operations, rows) = (operations::all(), all());
    let documented: BTreeSet<&str> = operations
        .iter()
        .map(operations::Operation::row_name)
        .collect();
    let listed: BTreeSet<&str> = rows.iter().map(|row| row.operation.as_str()).collect();
    let without_row: Vec<_> = documented.difference(&listed).collect();
    let without_operation: Vec<_> = listed.difference(&documented).collect();
    assert!(without_row.is_empty(), "no row for {without_row:?}");
    assert!(
        without_operation.is_empty(),
        "no operation for {without_operation:?}"
    );
}

#[test]
fn every_row_asks_a_path_of_its_operation() {
    let operations = operations::all();
    for row in all() {
        for operation in operations
            .iter()
            .filter(|it| it.row_name() == row.operation)
        {
            assert!(operation.fits(&row.path), "{}: {}", row.operation, row.path);
        }
    }
}
