//! The API tokens of the demo.

use serde_json::{Value, json};

use crate::types::{SERVER, SWITCH};
use crate::users::{ADMINISTRATOR, SCANNER};

pub(crate) fn all() -> Vec<Value> {
    vec![
        json!({
            "user_id": SCANNER,
            "name": "Nightly scan",
            "rights": ["base.framework.object.*", "base.framework.type.view"],
            "types": [SERVER, SWITCH],
            "networks": ["10.0.0.0/8"],
        }),
        json!({"user_id": ADMINISTRATOR, "name": "Status page", "read_only": true}),
    ]
}
