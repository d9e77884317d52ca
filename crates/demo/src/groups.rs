//! Groups of users with different rights.

use serde_json::{Value, json};

/// Maintains the inventory.
pub(crate) const OPERATIONS: i64 = 3;
/// Reads everything and changes nothing.
pub(crate) const AUDITORS: i64 = 4;
/// May see licence keys.
pub(crate) const LICENSING: i64 = 5;
/// Hands out equipment.
pub(crate) const SERVICE_DESK: i64 = 6;

pub(crate) fn all() -> Vec<Value> {
    vec![
        group(
            OPERATIONS,
            "operations",
            "Operations",
            &[
                "base.framework.object.*",
                "base.framework.type.view",
                "base.framework.type.clean",
                "base.framework.category.view",
                "base.framework.log.view",
                "base.user-management.user.view",
                "base.user-management.group.view",
            ],
        ),
        group(
            AUDITORS,
            "auditors",
            "Auditors",
            &[
                "base.framework.object.view",
                "base.framework.type.view",
                "base.framework.category.view",
                "base.framework.log.view",
                "base.user-management.user.view",
                "base.user-management.group.view",
            ],
        ),
        group(
            LICENSING,
            "licensing",
            "Licensing",
            &[
                "base.framework.object.view",
                "base.framework.object.add",
                "base.framework.object.edit",
                "base.framework.type.view",
                "base.framework.category.view",
            ],
        ),
        group(
            SERVICE_DESK,
            "service-desk",
            "Service desk",
            &[
                "base.framework.object.view",
                "base.framework.object.add",
                "base.framework.object.edit",
                "base.framework.object.activation",
                "base.framework.type.view",
                "base.framework.category.view",
                "base.user-management.user.view",
            ],
        ),
    ]
}

fn group(id: i64, name: &str, label: &str, rights: &[&str]) -> Value {
    json!({"public_id": id, "name": name, "label": label, "rights": rights})
}
