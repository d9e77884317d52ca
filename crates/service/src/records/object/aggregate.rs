//! `POST /objects/aggregate`

use std::collections::BTreeSet;

use stockroom_access::Scope;
use stockroom_access::permission::ObjectView;
use stockroom_filter::{Limits, Order, Sort, SortPath};
use stockroom_model::body::Body;
use stockroom_model::json::Value;
use stockroom_model::{Period, Problem};
use stockroom_store::{
    Aggregation, Catalog, Function, GroupOrder, Grouping, Measure, ObjectQuery, Restriction,
};

use super::filtered_body;
use super::names::Names;
use crate::{Error, Permit};

pub use stockroom_store::{Aggregate, Group};

const MAX_GROUPINGS: usize = 3;
const MAX_MEASURES: usize = 5;
const DEFAULT_LIMIT: i64 = 100;
const MAX_LIMIT: i64 = 1_000;

const MEMBERS: [&str; 7] = [
    "filter", "active", "group_by", "measures", "sort", "order", "limit",
];
/// What objects can be grouped by, besides their fields.
const ATTRIBUTES: [&str; 5] = [
    "type_id",
    "active",
    "author_id",
    "creation_time",
    "last_edit_time",
];
/// What can be measured, besides fields.
const TIMES: [&str; 2] = ["creation_time", "last_edit_time"];

/// The request of an aggregate.
struct Request {
    query: ObjectQuery,
    aggregation: Aggregation,
    names: Names,
    /// The fields that it names, with their JSON Pointers.
    fields: Vec<(String, String)>,
}

/// The objects that the caller may see and that match, in groups; and warnings.
pub async fn aggregate(
    permit: &Permit<ObjectView>,
    body: Value,
) -> Result<(Aggregate, Vec<Problem>), Error> {
    let request = filtered_body::read_filtered_body(
        permit.service(),
        permit.caller().requester(),
        body,
        members,
    )
    .await?;
    let reader = permit.authorization();
    let (found, warnings) = permit
        .read(move |tx| {
            let scope = reader.access(tx)?.scope;
            let catalog = tx.catalog();
            let resolved = request.names.query(&request.query, catalog, &scope);
            let query = resolved.as_ref().unwrap_or(&request.query);
            let found = tx.aggregate(&scope, query, &request.aggregation)?;
            Ok((found, request.warnings(catalog, &scope)))
        })
        .await?;
    Ok((found, permit.warn(warnings)?))
}

impl Request {
    /// Warns about fields that no type has: they are probably mistakes.
    fn warnings(&self, catalog: &Catalog, scope: &Scope) -> Vec<Problem> {
        let mut warnings = self.names.warnings(catalog, scope);
        let mut seen = BTreeSet::new();
        for (pointer, name) in &self.fields {
            if !catalog.has_field(scope, name) && seen.insert(name) {
                warnings.push(Problem::new(
                    pointer,
                    format!("no type whose objects you may see has a field {name}"),
                ));
            }
        }
        warnings
    }
}

fn members(body: &Body<'_>, limits: &Limits) -> Option<Request> {
    body.refuse_unknown(&MEMBERS);
    let filter = filtered_body::filter(body, limits);
    let active_only = body.boolean("active", false);
    let group_by = body
        .at_most("group_by", MAX_GROUPINGS, "fields to group by")
        .and_then(|()| body.objects("group_by", grouping));
    let measures = body
        .at_most("measures", MAX_MEASURES, "measures")
        .and_then(|()| body.objects("measures", measure));
    let order = order(body);
    let limit = limit(body);
    let query = ObjectQuery {
        filter: filter?,
        sort: Sort::objects("public_id", Order::Ascending),
        active_only: active_only?,
        restriction: Restriction::None,
    };
    let (group_by, group_fields): (Vec<_>, Vec<_>) = group_by?.into_iter().unzip();
    let (measures, measured_fields): (Vec<_>, Vec<_>) = measures?.into_iter().unzip();
    Some(Request {
        names: Names::of(&query, None),
        query,
        aggregation: Aggregation {
            group_by,
            measures,
            order: order?,
            limit: limit?,
        },
        fields: [group_fields, measured_fields]
            .concat()
            .into_iter()
            .flatten()
            .collect(),
    })
}

/// The name of a field, with the JSON Pointer to it.
type NamedField = Option<(String, String)>;

fn grouping(body: &Body<'_>) -> Option<(Grouping, NamedField)> {
    body.refuse_unknown(&["field", "by"]);
    let value = value(body, &ATTRIBUTES, Order::Ascending);
    let period = match body.given("by").map(|_| body.text("by")) {
        None => Some(None),
        Some(text) => match text? {
            "day" => Some(Some(Period::Day)),
            "month" => Some(Some(Period::Month)),
            "year" => Some(Some(Period::Year)),
            other => {
                body.problem("by", format!("must be day, month or year, not {other:?}"));
                None
            }
        },
    };
    let (value, named) = value?;
    let period = period?;
    Some((Grouping { value, period }, named))
}

fn measure(body: &Body<'_>) -> Option<(Measure, NamedField)> {
    body.refuse_unknown(&["function", "field"]);
    let function = body.required_text("function").and_then(|name| match name {
        "min" => Some(Function::Min),
        "max" => Some(Function::Max),
        "sum" => Some(Function::Sum),
        other => {
            body.problem(
                "function",
                format!("must be min, max or sum, not {other:?}"),
            );
            None
        }
    });
    let order = match function {
        Some(Function::Max) => Order::Descending,
        _ => Order::Ascending,
    };
    let (value, named) = value(body, &TIMES, order)?;
    let function = function?;
    Some((Measure { function, value }, named))
}

/// Where the values are that `field` names: in a field of objects or in one of these attributes.
fn value(body: &Body<'_>, attributes: &[&str], order: Order) -> Option<(Sort, NamedField)> {
    let field = body.required_text("field")?;
    let value = Sort::objects(field, order);
    let named = match &value.path {
        SortPath::Field(name) => Some((body.at("field"), name.clone())),
        _ if attributes.contains(&field) => None,
        _ => {
            let known = attributes.join(", ");
            let detail = format!("must be fields.<name>, {known}; not {field:?}");
            body.problem("field", detail);
            return None;
        }
    };
    Some((value, named))
}

/// By count, the largest groups come first; by key, the smallest keys.
fn order(body: &Body<'_>) -> Option<GroupOrder> {
    let order = match body.given("order") {
        None => None,
        Some(_) => Some(Order::from(body.integer("order")?)),
    };
    match body.given("sort").map(|_| body.text("sort")) {
        None => Some(GroupOrder::Count(order.unwrap_or(Order::Descending))),
        Some(sort) => match sort? {
            "count" => Some(GroupOrder::Count(order.unwrap_or(Order::Descending))),
            "key" => Some(GroupOrder::Key(order.unwrap_or(Order::Ascending))),
            other => {
                body.problem("sort", format!("must be count or key, not {other:?}"));
                None
            }
        },
    }
}

fn limit(body: &Body<'_>) -> Option<usize> {
    let limit = match body.given("limit") {
        None => DEFAULT_LIMIT,
        Some(_) => body.integer("limit")?,
    };
    if !(1..=MAX_LIMIT).contains(&limit) {
        body.problem("limit", format!("must be a number from 1 to {MAX_LIMIT}"));
        return None;
    }
    usize::try_from(limit).ok()
}
