//! What all lists share, tested with categories where one list is enough.

mod cursors;
mod pages;
mod parameters;
mod query;
mod selection;
mod unknown;

use serde_json::json;
use stockroom_testkit::Client;
use stockroom_testkit::inventory::insert;

const PATH: &str = "/rest/categories";

/// Categories 1 to `count`, named `c1`, `c2`, …
async fn fill(admin: &Client, count: usize) {
    for number in 1..=count {
        insert(admin, PATH, json!({"name": format!("c{number}")})).await;
    }
}
