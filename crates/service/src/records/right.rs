//! Rights: a fixed table that every authenticated caller may read.

use stockroom_access::permission::Authenticated;
use stockroom_access::rights;
use stockroom_filter::{Key, Paths, Sort};
use stockroom_model::Revision;
use stockroom_model::json::Value;

use crate::core::change::Document;
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::core::tree::{self, Node, Siblings};
use crate::{Error, Permit};

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &[],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Position,
};

/// A page of the list; rights with equal keys stay in the order of the table.
pub async fn list(permit: &Permit<Authenticated>, request: &ListRequest) -> Result<Page, Error> {
    let documents = rights::all().iter().map(answer).collect();
    page(permit.caller(), documents, request, &COLLECTION).await
}

/// The tree: rights and arrays of the rights below them, without the rights that the filter
/// excludes. Siblings are sorted on request; the rights below a master follow it in any case.
pub async fn tree(permit: &Permit<Authenticated>, request: &ListRequest) -> Result<Page, Error> {
    let mut roots = rights::tree();
    if request.is_sorted {
        let by = Sort::records(&request.sort, request.order, &COLLECTION.paths);
        roots = sorted(roots, &by);
    }
    let roots = roots.into_iter().map(node).collect();
    let show = |right: Option<Value>, below: Vec<Value>| {
        let Some(right) = right else {
            return Value::Array(below);
        };
        match &request.projection {
            Some(projection) => projection.apply(&right),
            None => right,
        }
    };
    tree::page(permit.caller(), roots, request, Siblings::Fixed, &show).await
}

/// Sorts siblings. A right or array moves together with the elements below it.
fn sorted(elements: Vec<Value>, by: &Sort) -> Vec<Value> {
    let mut siblings: Vec<(Key, Vec<Value>)> = Vec::new();
    let mut elements = elements.into_iter().peekable();
    while let Some(first) = elements.next() {
        let key = by.key(first_right(&first));
        let mut below = Vec::new();
        while let Some(next) = elements.next_if(|next| is_below(&first, next)) {
            below.push(next);
        }
        let mut sibling = vec![match first {
            Value::Array(inner) => Value::Array(sorted(inner, by)),
            right => right,
        }];
        sibling.extend(sorted(below, by));
        siblings.push((key, sibling));
    }
    siblings.sort_by(|(one, _), (other, _)| by.compare(one, other));
    siblings
        .into_iter()
        .flat_map(|(_, sibling)| sibling)
        .collect()
}

fn is_below(master: &Value, other: &Value) -> bool {
    let name = |right: &Value| right["name"].as_str().unwrap_or_default().to_owned();
    let master = name(master);
    let area = master.strip_suffix('*');
    area.is_some_and(|area| name(first_right(other)).starts_with(area))
}

/// A right itself, or the first right of an array.
fn first_right(value: &Value) -> &Value {
    value.get(0).map_or(value, first_right)
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
pub fn read_right(_: &Permit<Authenticated>, name: &str) -> Result<Document, Error> {
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

/// Rights never change, so the revision is constant.
fn document(value: Value) -> Document {
    Document {
        value,
        revision: Revision::FIRST,
    }
}
