//! A file that somebody has uploaded and checked, but not imported yet: two of its rows need repair.

use serde_json::{Value, json};

use crate::types::IP_NETWORK;

/// A file whose rows are checked.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportFile {
    /// The name of the file.
    pub name: &'static str,
    /// What is in it.
    pub content: &'static str,
    /// The body that runs it.
    pub run: Value,
}

pub(crate) fn all() -> Vec<ImportFile> {
    vec![ImportFile {
        name: "new-branch.csv",
        content: "Name;Range;Gateway;VLAN;Zone;Site\n\
                  HAM Workshop;10.90.1.0/24;10.90.1.1;901;office;HAM\n\
                  HAM Workshop voice;10.90.2.0/24;10.90.2.1;902;voice;HAM\n\
                  HAM Cameras;10.90.3.0/24;10.90.3.1;903;surveillance;HAM\n\
                  HAM Doors;10.90.4.0/24;10.90.4.1;904;plant;HAM\n\
                  Pop-up store;10.91.1.0/24;10.91.1.1;911;office;BRE\n\
                  HAM Workshop guests;10.90.5.0/24;10.90.5.1;905;guest;HAM\n",
        run: json!({
            "type_id": IP_NETWORK,
            "columns": {
                "Name": "name",
                "Range": "cidr",
                "Gateway": "gateway",
                "VLAN": "vlan",
                "Zone": "zone",
                "Site": {"field": "site", "by": "code"},
            },
            "key": ["cidr"],
            "policy": "skip",
            "dry_run": true,
        }),
    }]
}
