//! Records and their history, to compare them before and after.

use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client};

/// The lists of all records.
const LISTS: [&str; 6] = [
    "/rest/objects?view=native&limit=0",
    "/rest/types?limit=0",
    "/rest/categories?limit=0",
    "/rest/users?limit=0",
    "/rest/groups?limit=0",
    "/rest/users/1/settings",
];

/// All records.
pub(crate) async fn everything(admin: &Client) -> Vec<Value> {
    let mut all = Vec::new();
    for list in LISTS {
        all.push(admin.get(list).await.expect(200).member("results"));
    }
    all
}

/// A change as the effects of a dry run show it.
pub(crate) fn change(resource: &str, id: i64, action: &str) -> Value {
    json!({"resource": resource, "public_id": id, "action": action})
}

/// The answer without the effects.
pub(crate) fn without_effects(answer: &Answer) -> Value {
    let mut body = answer.json();
    let members = body.as_object_mut().expect("an object");
    members.shift_remove("effects").expect("the effects");
    body
}
