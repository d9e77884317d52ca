//! Rights: a fixed table that everybody who is logged in may read.

use stockroom_access::permission::Authenticated;
use stockroom_access::rights;
use stockroom_filter::Paths;
use stockroom_model::Revision;
use stockroom_model::json::Value;

use crate::change::Document;
use crate::list::{Collection, Identity, ListRequest, Page, page};
use crate::tree::{self, Node, Siblings};
use crate::{Error, Permit};

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &[],
        secrets: &[],
    },
    identity: Identity::Place,
};

/// A page of the list; equal keys stay in the order of the table.
///
/// # Errors
///
/// The filter is refused.
pub fn list(_: &Permit<Authenticated>, request: &ListRequest) -> Result<Page, Error> {
    page(
        rights::all().iter().map(answer).collect(),
        request,
        &COLLECTION,
    )
}

/// The tree: rights and arrays of what is below them, without the rights that the filter leaves out.
/// Its order is its meaning, so it is never sorted.
///
/// # Errors
///
/// The filter is refused.
pub fn tree(_: &Permit<Authenticated>, request: &ListRequest) -> Result<Page, Error> {
    let roots = rights::tree().into_iter().map(node).collect();
    tree::page(roots, request, Siblings::Fixed, &|right, below| {
        let Some(right) = right else {
            return Value::Array(below);
        };
        match &request.projection {
            Some(projection) => projection.apply(&right),
            None => right,
        }
    })
}

fn node(value: Value) -> Node {
    match value {
        Value::Array(below) => Node {
            record: None,
            below: below.into_iter().map(node).collect(),
        },
        right => Node {
            record: Some(right),
            below: Vec::new(),
        },
    }
}

/// One right.
///
/// # Errors
///
/// There is no right of that name.
pub fn read(_: &Permit<Authenticated>, name: &str) -> Result<Document, Error> {
    rights::find(name)
        .map(|right| document(answer(right)))
        .ok_or_else(|| Error::not_found("right", name))
}

/// The security levels by name.
#[must_use]
pub fn levels(_: &Permit<Authenticated>) -> Document {
    document(Value::Object(rights::levels()))
}

fn answer(right: &rights::Right) -> Value {
    serde_json::to_value(right).unwrap_or_default()
}

/// Nothing here ever changes.
fn document(value: Value) -> Document {
    Document {
        value,
        revision: Revision::FIRST,
    }
}
