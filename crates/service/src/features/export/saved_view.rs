//! What an export takes from a saved view.

use serde_json::json;
use stockroom_access::permission::ObjectView;
use stockroom_filter::{Order, Parsed};
use stockroom_model::ViewId;
use stockroom_model::json::Value;

use super::columns::Wanted;
use crate::core::list::ListRequest;
use crate::{Error, Permit, view};

/// Adds the filter and the type of a view to a request, and its order and columns unless the
/// request has its own.
pub(super) async fn apply(
    permit: &Permit<ObjectView>,
    id: ViewId,
    list: &mut ListRequest,
    wanted: &mut Wanted,
) -> Result<(), Error> {
    let view = view::read_view(permit, id).await?.value;
    let definition = &view["definition"];
    for filter in filters(&view) {
        let parsed = parse(permit, filter).await?;
        list.filter = parsed.and(list.filter.clone());
    }
    if let Some(sort) = definition["sort"].as_str().filter(|_| !list.is_sorted) {
        sort.clone_into(&mut list.sort);
        list.is_sorted = true;
        list.order = Order::from(definition["order"].as_i64().unwrap_or(1));
    }
    if let Some(columns) = definition["columns"].as_array() {
        let names = columns.iter().filter_map(Value::as_str).map(str::to_owned);
        wanted.or_of_view(names.collect());
    }
    Ok(())
}

fn filters(view: &Value) -> impl Iterator<Item = Value> {
    let of_type = view["type_id"].as_i64().map(|id| json!({ "type_id": id }));
    let own = view["definition"]
        .get("filter")
        .filter(|own| !own.is_null());
    of_type.into_iter().chain(own.cloned())
}

async fn parse(permit: &Permit<ObjectView>, filter: Value) -> Result<Parsed, Error> {
    let limits = permit.service().limits().clone();
    let parsed = if Parsed::is_quick(&filter, &limits) {
        Parsed::from_value(&filter, &limits)
    } else {
        let parse = move || Parsed::from_value(&filter, &limits);
        permit.caller().run_blocking(parse).await?
    };
    parsed.map_err(|invalid| {
        let detail = format!("has a filter that is refused: {}", invalid.detail);
        Error::invalid("view", detail)
    })
}
