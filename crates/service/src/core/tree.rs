//! Trees of records: filtered and sorted at every depth.

use stockroom_filter::{Key, Paths, Sort};
use stockroom_model::json::Value;

use crate::core::list::{ListRequest, Page, TimedFilter, Total};
use crate::{Caller, Error};

/// A node with the nodes below it. A node without a record only groups those below it.
pub(crate) struct Node {
    pub(crate) record: Option<Value>,
    pub(crate) below: Vec<Node>,
}

/// How trees are sorted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Siblings {
    /// By the sort of the request, if it names one.
    Sorted,
    /// Never: they come in their order.
    Fixed,
}

/// A page of the roots that are left after filtering: a node stays if its record or one below it
/// matches. `show` makes the answer of a node from its record and the answers of its children.
pub(crate) async fn page(
    caller: &Caller,
    mut roots: Vec<Node>,
    request: &ListRequest,
    siblings: Siblings,
    show: &impl Fn(Option<Value>, Vec<Value>) -> Value,
) -> Result<Page, Error> {
    if request.is_by_cursor() {
        let detail = "a tree has no cursors: use `page` and `limit`, or `view=list`";
        return Err(Error::invalid("after", detail));
    }
    let paths = Paths::default();
    let filter = TimedFilter::of(request.checked(&paths)?);
    if filter.may_take_long() {
        let pruned = move || prune(&mut roots, &filter).map(|()| roots);
        roots = caller.run_blocking(pruned).await??;
    } else {
        prune(&mut roots, &filter)?;
    }
    let total = roots.len();
    if request.is_sorted && siblings == Siblings::Sorted {
        sort(
            &mut roots,
            &Sort::records(&request.sort, request.order, &paths),
        );
    }
    let (skip, take) = request.window();
    let take = if request.total == Total::Only {
        0
    } else {
        take
    };
    let page = roots.into_iter().skip(skip).take(take);
    Ok(Page {
        results: page.map(|root| answer(root, show)).collect(),
        total: (request.total != Total::Skipped).then_some(total),
        next: None,
    })
}

fn prune(nodes: &mut Vec<Node>, filter: &TimedFilter) -> Result<(), Error> {
    let mut kept = Vec::with_capacity(nodes.len());
    for mut node in nodes.drain(..) {
        prune(&mut node.below, filter)?;
        let matches = match &node.record {
            Some(record) => filter.matches(record)?,
            None => false,
        };
        if matches || !node.below.is_empty() {
            kept.push(node);
        }
    }
    *nodes = kept;
    Ok(())
}

fn sort(nodes: &mut Vec<Node>, by: &Sort) {
    let mut keyed: Vec<(Key, Node)> = nodes
        .drain(..)
        .map(|node| {
            let key = by.key(node.record.as_ref().unwrap_or(&Value::Null));
            (key, node)
        })
        .collect();
    keyed.sort_by(|(left, _), (right, _)| by.compare(left, right));
    for (_, mut node) in keyed {
        sort(&mut node.below, by);
        nodes.push(node);
    }
}

fn answer(node: Node, show: &impl Fn(Option<Value>, Vec<Value>) -> Value) -> Value {
    let below = node.below.into_iter().map(|node| answer(node, show));
    let below = below.collect();
    show(node.record, below)
}
