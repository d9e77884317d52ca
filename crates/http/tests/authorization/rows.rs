//! The rows of `rows.toml`: a request per operation, and the expected statuses.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::operations;

/// The only right of a token.
pub(crate) const VIEWS_OBJECTS: &str = "base.framework.object.view";

/// The rights that a token for some types can have: those about objects, about a type itself, and
/// to view what all types share.
const FOR_TYPES: [&str; 12] = [
    VIEWS_OBJECTS,
    "base.framework.object.add",
    "base.framework.object.edit",
    "base.framework.object.delete",
    "base.framework.object.activation",
    "base.import.object.*",
    "base.framework.type.view",
    "base.framework.type.edit",
    "base.framework.type.delete",
    "base.framework.type.clean",
    "base.framework.category.view",
    "base.framework.log.view",
];

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
    /// The status for a token of the administrator for type 3 only. By default that of "ACLs deny"
    /// where such a token has the rights, else 403.
    token_for_type: Option<u16>,
    /// The status for a token of the administrator with the right to view objects only.
    viewing_token: Option<u16>,
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
        let may = self.is_open() || is_safe && self.rights().all(is_view) && !self.needs_login;
        self.read_only_token
            .unwrap_or(if may { admin } else { 403 })
    }

    /// The status for a token of the administrator for type 3 only.
    pub(crate) fn token_for_type(&self, is_safe: bool) -> u16 {
        let is_for_types = |right: &&str| FOR_TYPES.contains(right);
        // Whatever views may be read; only objects and the type itself may be written.
        let writes = |right: &str| !is_view(right);
        let may = self.is_open()
            || !self.needs_login
                && self.rights().all(|right| is_for_types(&right))
                && (is_safe || self.rights().any(writes));
        let denied = if may { self.statuses[2] } else { 403 };
        self.token_for_type.unwrap_or(denied)
    }

    /// The status for a token of the administrator with the right to view objects only.
    pub(crate) fn viewing_token(&self, is_safe: bool) -> u16 {
        let is_own = self.path.contains("$me");
        let needs_none = self.right.is_empty() && is_safe && !is_own;
        let may = self.is_open()
            || !self.needs_login
                && self.rights().all(|right| right == VIEWS_OBJECTS)
                && (needs_none || !self.right.is_empty());
        let status = if may { self.statuses[4] } else { 403 };
        self.viewing_token.unwrap_or(status)
    }

    /// All rights that the request needs.
    fn rights(&self) -> impl Iterator<Item = &str> {
        let right = (!self.right.is_empty()).then_some(&self.right);
        right.into_iter().chain(&self.also).map(String::as_str)
    }

    /// Whether a caller can lose its token while the body arrives.
    pub(crate) fn waits_for_body(&self) -> bool {
        // Login needs no token, and the table of rights is read without a view of the store.
        let needs_view = self.operation != "login" && !self.path.starts_with("/rest/rights");
        needs_view && self.body.is_some()
    }
}

fn is_view(right: &str) -> bool {
    right.rsplit('.').next() == Some("view")
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
