//! Rights: a fixed table that everybody who is logged in may read (spec, "Rights").

use stockroom_access::permission::Authenticated;
use stockroom_access::rights;
use stockroom_filter::{Checked, Paths, Projection};
use stockroom_model::Revision;
use stockroom_model::json::Value;

use crate::change::Document;
use crate::list::{ListRequest, Page, page};
use crate::{Error, Permit};

const PATHS: Paths = Paths {
    timestamps: &[],
    secrets: &[],
};

/// A page of the list; equal keys stay in the order of the table.
///
/// # Errors
///
/// The filter is refused.
pub fn list(_: &Permit<Authenticated>, request: &ListRequest) -> Result<Page, Error> {
    page(rights::all().iter().map(answer).collect(), request, &PATHS)
}

/// The tree: rights and arrays of what stands below them, without the rights that the filter leaves out. Its order is its meaning,
/// so it is never sorted.
///
/// # Errors
///
/// The filter is refused.
pub fn tree(_: &Permit<Authenticated>, request: &ListRequest) -> Result<Page, Error> {
    let filter = request.checked(&PATHS)?;
    let roots = prune(rights::tree(), &filter, request.projection.as_ref())?;
    let total = roots.len();
    let (skip, take) = if request.total_only {
        (total, 0)
    } else {
        request.window()
    };
    Ok(Page {
        results: roots.into_iter().skip(skip).take(take).collect(),
        total,
    })
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

/// Rights that match, in the arrays that they stand in; arrays that became empty go.
fn prune(
    nodes: Vec<Value>,
    filter: &Checked,
    projection: Option<&Projection>,
) -> Result<Vec<Value>, Error> {
    let mut kept = Vec::new();
    for node in nodes {
        match node {
            Value::Array(below) => {
                let below = prune(below, filter, projection)?;
                if !below.is_empty() {
                    kept.push(Value::Array(below));
                }
            }
            right => {
                if filter
                    .matches(&right)
                    .map_err(stockroom_store::Error::from)?
                {
                    kept.push(
                        projection.map_or_else(|| right.clone(), |wanted| wanted.apply(&right)),
                    );
                }
            }
        }
    }
    Ok(kept)
}
